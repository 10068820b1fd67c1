#include "tests/unit/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count, failures;

static bool
result(const char *file, int line, bool good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++count, name);
	if (!good) {
		failures++;
		printf("# %s:%d\n", file, line);
	}
	(void)fflush(stdout); /* a crash loses nothing */
	return good;
}

bool
tap_ok(const char *file, int line, bool good, const char *text,
    const char *name)
{
	if (!result(file, line, good, name))
		printf("# not true: %s\n", text);
	return good;
}

bool
tap_is_int(const char *file, int line, long long got, long long wanted,
    const char *name)
{
	if (!result(file, line, got == wanted, name))
		printf("# got %lld, wanted %lld\n", got, wanted);
	return got == wanted;
}

bool
tap_is_str(const char *file, int line, const char *got, const char *wanted,
    const char *name)
{
	bool good;

	good = got != NULL && wanted != NULL ?
	    strcmp(got, wanted) == 0 :
	    got == wanted;
	if (!result(file, line, good, name))
		printf("# got    '%s'\n# wanted '%s'\n",
		    got != NULL ? got : "(null)",
		    wanted != NULL ? wanted : "(null)");
	return good;
}

bool
tap_is_near(const char *file, int line, double got, double wanted,
    double tolerance, const char *name)
{
	bool good = fabs(got - wanted) <= tolerance;

	if (!result(file, line, good, name))
		printf("# got %.9g, wanted %.9g +- %.3g\n", got, wanted,
		    tolerance);
	return good;
}

void
tap_skip(const char *name, const char *reason)
{
	printf("ok %d - %s # SKIP %s\n", ++count, name, reason);
}

const char *
tap_directory(void)
{
	static char path[256];
	const char *above = getenv("TEST_SHM");

	if (path[0] != '\0')
		return path;
	if (above == NULL && access("/dev/shm", W_OK) == 0)
		above = "/dev/shm";
	if (above == NULL && (above = getenv("TMPDIR")) == NULL)
		above = "/tmp";
	(void)snprintf(path, sizeof(path), "%s/ipubox-unit.XXXXXX", above);
	if (mkdtemp(path) == NULL) {
		perror(path);
		exit(1);
	}
	return path;
}

int
tap_amount(int few, int all)
{
	const char *full = getenv("FULL");

	return full != NULL && full[0] != '\0' ? all : few;
}

int
tap_done(void)
{
	printf("1..%d\n", count);
	return failures == 0 && count > 0 ? 0 : 1;
}
