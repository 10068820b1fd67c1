/* Whether a process learns that the one above it has ended. */
#include "core/process/process.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "tests/unit/tap.h"

/*
 * In the lowest of three processes: tell through the pipe that it watches, wait
 * for the end of the one above, and tell whether it was seen.
 */
static void
watch_parent(int told, bool with_descriptor)
{
	struct program_watch w;
	struct pollfd fd;
	char seen = 'y';

	program_watch_parent(&w);
	if (!with_descriptor)
		program_watch_release(&w);
	if (program_watch_has_ended(&w))
		seen = 'n';
	(void)!write(told, "w", 1);
	do {
		fd = (struct pollfd){ .fd = w.fd, .events = POLLIN };
		(void)poll(&fd, 1, program_watch_timeout(&w));
	} while (!program_watch_has_ended(&w));
	(void)!write(told, &seen, 1);
	_exit(0);
}

static void
test_end(bool with_descriptor, const char *name)
{
	int told[2];
	char byte = '\0';
	pid_t program;

	ok(pipe(told) == 0, "a pipe");
	program = fork();
	if (program == 0) {
		if (fork() == 0)
			watch_parent(told[1], with_descriptor);
		(void)pause();
		_exit(0);
	}
	(void)close(told[1]);
	ok(read(told[0], &byte, 1) == 1 && byte == 'w', "it watches");
	(void)kill(program, SIGKILL);
	ok(read(told[0], &byte, 1) == 1 && byte == 'y', name);
	(void)close(told[0]);
	while (wait(NULL) > 0)
		continue;
}

static void
test_living(void)
{
	struct program_watch w;
	struct pollfd fd;

	program_watch_parent(&w);
	ok(!program_watch_has_ended(&w), "our own parent is there");
	fd = (struct pollfd){ .fd = w.fd, .events = POLLIN };
	if (w.fd == -1)
		tap_skip("the descriptor", "the system has none");
	else
		ok(poll(&fd, 1, 0) == 0 && program_watch_timeout(&w) == -1,
		    "the descriptor is not readable");
	program_watch_release(&w);
	ok(w.fd == -1 && program_watch_timeout(&w) > 0,
	    "without a descriptor it is asked again");
}

int
main(void)
{
	/* Orphans come here, as below poprun. */
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
	test_end(true, "the end is seen by the descriptor");
	test_end(false, "the end is seen without one");
	test_living();
	return tap_done();
}
