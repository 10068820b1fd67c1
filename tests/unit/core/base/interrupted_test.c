/*
 * A signal may end any slow call with EINTR, and a write may take a part of
 * what it was given.  The linker's --wrap (see the Makefile) makes every
 * second call end in that way, and writes short; nothing is lost or refused.
 */
#include <sys/socket.h>
#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/control/control.h"
#include "core/launch/launch.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { BIG = 100000 };

static bool interrupt;
static int reads, writes, locks, receives, sends; /* that were interrupted */

ssize_t __real_read(int, void *, size_t);
ssize_t __wrap_read(int, void *, size_t);
ssize_t __real_write(int, const void *, size_t);
ssize_t __wrap_write(int, const void *, size_t);
ssize_t __real_recvmsg(int, struct msghdr *, int);
ssize_t __wrap_recvmsg(int, struct msghdr *, int);
ssize_t __real_sendmsg(int, const struct msghdr *, int);
ssize_t __wrap_sendmsg(int, const struct msghdr *, int);
int __real_fcntl(int, int, ...);
int __wrap_fcntl(int, int, ...);

/* Every second time of a kind of call. */
static bool
comes(bool *last, int *count)
{
	if (!interrupt)
		return false;
	*last = !*last;
	*count += *last;
	if (*last)
		errno = EINTR;
	return *last;
}

/* Events and messages are written whole or not at all; files are not. */
static bool
is_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

ssize_t
__wrap_read(int fd, void *to, size_t size)
{
	static bool last;

	if (is_file(fd) && comes(&last, &reads))
		return -1;
	return __real_read(fd, to, size);
}

ssize_t
__wrap_write(int fd, const void *from, size_t size)
{
	static bool last;

	if (!is_file(fd))
		return __real_write(fd, from, size);
	if (comes(&last, &writes))
		return -1;
	return __real_write(fd, from, interrupt && size > 1 ? size / 2 : size);
}

ssize_t
__wrap_recvmsg(int fd, struct msghdr *message, int flags)
{
	static bool last;

	if (comes(&last, &receives))
		return -1;
	return __real_recvmsg(fd, message, flags);
}

ssize_t
__wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
	static bool last;

	if (comes(&last, &sends))
		return -1;
	return __real_sendmsg(fd, message, flags);
}

int
__wrap_fcntl(int fd, int command, ...)
{
	static bool last;
	va_list ap;
	void *argument;

	va_start(ap, command);
	argument = va_arg(ap, void *);
	va_end(ap);
	/* The first try of the writer's lock does not wait; an interruption
	   there is followed by a wait. */
	if ((command == F_OFD_SETLKW ||
		(command == F_OFD_SETLK &&
		    ((const struct flock *)argument)->l_start == 0)) &&
	    comes(&last, &locks))
		return -1;
	return __real_fcntl(fd, command, argument);
}

static void
test_file(const char *home)
{
	struct error e = { .text = "" };
	char *path = xasprintf("%s/big", home), *text, *got;
	size_t size = 0, i;

	text = xcalloc(1, BIG + 1);
	for (i = 0; i < BIG; i++)
		text[i] = (char)('a' + i % 26);
	interrupt = true;
	is_int(file_replace(home, "big", text, BIG, &e), 0, "a long file");
	got = file_read(path, BIG, &size, &e);
	interrupt = false;
	ok(got != NULL && size == BIG && memcmp(got, text, BIG) == 0,
	    "is written and read");
	ok(writes > 3 && reads > 1, "with interruptions");
	free(got);
	free(text);
	free(path);
}

static void
test_state(const char *home)
{
	struct partition_request r;
	struct controller *c;
	struct error e = { .text = "" };
	char *directory = xasprintf("%s/f", home);
	char *path = xasprintf("%s/p.conf", directory);
	char *text;
	size_t size = 0;

	request_init(&r);
	(void)strlcpy(r.name, "p", sizeof(r.name));
	(void)strlcpy(r.ipuof_directory, directory, sizeof(r.ipuof_directory));
	r.size = 4;
	use_state("interrupted");
	interrupt = true;
	c = embedded_controller_open(NULL, &e);
	if (!ok(c != NULL, "a state is made")) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	is_int(create_partition(c, &r, NULL, &e), 0, "and a partition");
	controller_close(c);
	interrupt = false;
	ok(locks > 1, "with interruptions");
	check_in_step("the files are whole");
	text = file_read(path, BIG, &size, &e);
	ok(text != NULL && size > 2 && strcmp(text + size - 2, "}\n") == 0,
	    "and so is the IPUoF file");
	free(text);
	free(path);
	free(directory);
}

static void
no_event(const void *context, const struct launch_event *event, FILE *notes)
{
	(void)context;
	(void)event;
	(void)notes;
}

/*
 * What comes through poprun and its supervisor, in a file in place of stdout.
 */
static void
test_launch(const char *home)
{
	char sh[] = "/bin/sh", c[] = "-c";
	char script[] =
	    "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i + 1)); done";
	char *const argv[] = { sh, c, script, NULL };
	char *const environment[] = { NULL };
	char *const *const environments[] = { environment, environment };
	struct launch l = { .count = 2,
		.path = sh,
		.argv = argv,
		.environments = environments,
		.event = no_event,
		.grace_ms = 2000 };
	struct launch_result result = { .end = LAUNCH_NO_SUPERVISOR };
	struct error e = { .text = "" };
	char *path = xasprintf("%s/out", home), *text, *at;
	int lines = 0, status, keep = dup(STDOUT_FILENO);
	size_t size;

	(void)fflush(stdout);
	launch_signals_hold(&l.mask);
	(void)dup2(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600),
	    STDOUT_FILENO);
	interrupt = true;
	status = launch_run(&l, &result, &e);
	interrupt = false;
	(void)dup2(keep, STDOUT_FILENO);
	is_int(status, 0, "a job");
	is_int(result.end, LAUNCH_DONE, "ends well");
	launch_result_release(&result);
	ok(receives > 1, "with interruptions");
	text = file_read(path, 1 << 20, &size, &e);
	for (at = text; at != NULL && (at = strchr(at, '\n')) != NULL; at++)
		lines++;
	is_int(lines, 2 * 3000, "every line comes");
	free(text);
	free(path);
}

int
main(void)
{
	struct error e;
	char *home;

	(void)alarm(60);
	use_state("home");
	home = xstrdup(test_paths.directory);
	if (make_directory(home, &e) != 0)
		return 1;
	test_file(home);
	test_state(home);
	test_launch(home);
	free(home);
	return state_util_done();
}
