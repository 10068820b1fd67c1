#include "tests/unit/fault_util.h"

#include <sys/wait.h>

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/fault.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { EDGE = 12, STRIDE = 7 };

/* How the child ended: what act() said, or that it was killed first. */
struct outcome {
	bool killed;
	int status;
	enum error_code code;
	long count;   /* of points that came by */
	bool reached; /* the armed point */
};

/* Act in a child of its own, with the n-th fault point armed. */
static struct outcome
attempt(const struct scenario *s, long n, int error_number)
{
	struct outcome o = { .killed = true };
	struct error e = { .text = "" };
	int fd[2], status;
	pid_t pid;

	if (pipe(fd) != 0 || (pid = fork()) == -1) {
		perror("fork");
		exit(1);
	}
	if (pid == 0) {
		fault_arm(n, error_number);
		o.status = s->act(&e);
		o.code = e.code;
		o.killed = false;
		o.count = fault_count();
		/* Acknowledged: from here on it must not be lost. */
		if (write(fd[1], &o, sizeof(o)) != (ssize_t)sizeof(o))
			_exit(1);
		_exit(fault_count() >= n ? 0 : 2);
	}
	(void)close(fd[1]);
	if (read(fd[0], &o, sizeof(o)) != (ssize_t)sizeof(o))
		o.killed = true;
	(void)close(fd[0]);
	(void)waitpid(pid, &status, 0);
	o.reached = !WIFEXITED(status) || WEXITSTATUS(status) != 2;
	if (o.killed && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
		o.status = -2; /* it died of something else */
	return o;
}

/* What a new process finds: BEFORE, AFTER or 0; everything in step. */
static int
look(const struct scenario *s, struct error *e)
{
	struct snapshot snap;
	struct registry r;
	int found = 0;

	e->text[0] = '\0';
	if (state_open_reader(&r, e) != 0)
		return 0;
	if (snapshot_take(&r, &snap, e) == 0) {
		e->text[0] = '\0';
		found = s->judge(&snap, e);
		snapshot_release(&snap);
	}
	registry_close(&r);
	return found != 0 && in_step(e) ? found : 0;
}

/*
 * Whether the point is tried.  The first and the last ones are all different;
 * in between many are alike, so some of them do.
 */
static bool
is_tried(long n, long count)
{
	return tap_amount(0, 1) == 1 || n <= EDGE || n > count - EDGE ||
	    n % STRIDE == 0;
}

/* One pass over the points; how many were tried, or -1 after a fault. */
static long
pass(const struct scenario *s, int error_number)
{
	struct outcome o;
	struct error e;
	int found, allowed;
	long n, count, tried = 0;

	s->prepare();
	count = attempt(s, LONG_MAX, 0).count;
	for (n = 1;; n++) {
		if (!is_tried(n, count))
			continue;
		s->prepare();
		o = attempt(s, n, error_number);
		found = look(s, &e);
		allowed = BEFORE | AFTER;
		if (!o.killed && o.status == 0)
			allowed = AFTER;
		else if (!o.killed && o.status == -1 &&
		    o.code != ERROR_UNCONFIRMED)
			allowed = BEFORE;
		if (o.status == -2 || (found & allowed) == 0) {
			printf("# point %ld: found %d, allowed %d, status %d, "
			       "code %d: %s\n",
			    n, found, allowed, o.status, (int)o.code, e.text);
			return -1;
		}
		if (!o.reached)
			return tried;
		tried++;
	}
}

long
scenario_run(const struct scenario *s)
{
	char name[128];
	long kills = pass(s, 0), points;

	(void)snprintf(name, sizeof(name), "%s: killed at %ld points", s->name,
	    kills);
	ok(kills > 4, name);
	points = pass(s, ENOSPC);
	(void)snprintf(name, sizeof(name), "%s: a full disk at %ld points",
	    s->name, points);
	ok(points > 4, name);
	return kills > 0 ? kills : 0;
}
