/*
 * Standard input: what is for one process is handed to it; what is for several
 * and what comes from a terminal goes through pipes, whole and at the pace of
 * the slowest.
 */
#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/process/process.h"
#include "tests/unit/tap.h"

enum { READERS = 3, TOTAL = 1 << 20, WAIT_MS = 10000 };

/* In a session with `name` as its terminal: 0 when all went well. */
static int
pump_terminal(const char *name, int to)
{
	struct stdin_relay r;
	struct pollfd fd;
	char got[16];
	int terminal, i, inputs[READERS];

	(void)setsid();
	terminal = open(name, O_RDWR);
	if (terminal == -1)
		return 1;
	if (stdin_relay_open(&r, terminal, to, inputs, READERS) != 0)
		return 2;
	while (r.source != -1) {
		fd = stdin_relay_poll(&r);
		if (fd.fd == -1)
			return 3;
		if (poll(&fd, 1, WAIT_MS) != 1)
			return 4;
		stdin_relay_continue(&r);
	}
	for (i = 0; i < READERS; i++) {
		if (to != STDIN_ALL && to != i) {
			if (inputs[i] != -1)
				return 5;
			continue;
		}
		if (read(inputs[i], got, sizeof(got)) != 6 ||
		    memcmp(got, "typed\n", 6) != 0)
			return 6;
		if (read(inputs[i], got, sizeof(got)) != 0)
			return 7;
	}
	return 0;
}

static void
test_terminal(int to, const char *what)
{
	int controller = posix_openpt(O_RDWR | O_NOCTTY);
	int status;
	pid_t pid;

	if (controller == -1 || grantpt(controller) != 0 ||
	    unlockpt(controller) != 0) {
		tap_skip("a terminal", "no pseudo-terminals");
		return;
	}
	/* A line, and the end of the input. */
	ok(write(controller, "typed\n\004", 7) == 7, "typed");
	pid = fork();
	if (pid == 0)
		_exit(pump_terminal(ptsname(controller), to));
	ok(waitpid(pid, &status, 0) == pid, "waited");
	is_int(status, 0, what);
	(void)close(controller);
}

/* What stands at this place of the input. */
static char
byte_at(size_t place)
{
	return (char)(place * 7 + place / 251);
}

/* All of TOTAL bytes into the pipe, in a child. */
static void
start_writer(int out)
{
	char *all;
	size_t i;

	if (fork() != 0)
		return;
	all = malloc(TOTAL);
	for (i = 0; i < TOTAL; i++)
		all[i] = byte_at(i);
	_exit(write(out, all, TOTAL) != TOTAL);
}

/* Let the relay do what it can without waiting. */
static void
drive(struct stdin_relay *r)
{
	struct pollfd fd;

	for (;;) {
		fd = stdin_relay_poll(r);
		/* Its source is a child that writes: it may take a moment. */
		if (fd.fd == -1 || poll(&fd, 1, r->used > 0 ? 0 : WAIT_MS) != 1)
			return;
		stdin_relay_continue(r);
	}
}

/* Read up to so many bytes; how many of them were as they should be. */
static size_t
read_some(int fd, size_t from, size_t most)
{
	char buffer[4096];
	size_t good = 0;
	ssize_t n, i;

	while (good < most &&
	    (n = read(fd, buffer,
		 most - good < sizeof(buffer) ? most - good : sizeof(buffer))) >
		0)
		for (i = 0; i < n; i++)
			good += buffer[i] == byte_at(from + good);
	return good;
}

/*
 * Readers 0 and 1 read all there is; reader 2 reads nothing, and so they get
 * no more than a pipe and a piece hold.  When it has closed its end it is left
 * out, and they get the rest.
 */
static void
test_slowest(void)
{
	struct stdin_relay r;
	int source[2], inputs[READERS], i, status;
	size_t got[2] = { 0, 0 }, most = 0;
	pid_t pid;

	ok(pipe(source) == 0, "a pipe");
	start_writer(source[1]);
	(void)close(source[1]);
	is_int(stdin_relay_open(&r, source[0], STDIN_ALL, inputs, READERS), 0,
	    "for all");
	for (i = 0; i < 2; i++)
		(void)fcntl(inputs[i], F_SETFL, O_NONBLOCK);
	while (got[0] < TOTAL || got[1] < TOTAL) {
		drive(&r);
		for (i = 0; i < 2; i++)
			got[i] += read_some(inputs[i], got[i], TOTAL);
		if (got[0] == most && got[1] == most && inputs[2] != -1) {
			ok(most > 0 && most <= 3 * 65536,
			    "the slowest sets the pace");
			(void)close(inputs[2]);
			inputs[2] = -1;
		} else if (got[0] == most && got[1] == most)
			break;
		most = got[0];
	}
	is_int((long long)got[0], TOTAL, "all of it, in order");
	is_int((long long)got[1], TOTAL, "and a copy");
	ok((pid = wait(&status)) > 0 && status == 0, "the writer wrote it all");
	drive(&r);
	is_int(r.source, -1, "the end of the input ends the relay");
	is_int(read(inputs[0], &status, 1), 0, "and theirs");
	(void)close(inputs[0]);
	(void)close(inputs[1]);
	(void)close(source[0]);
}

/* Without readers nobody reads the source either. */
static void
test_no_reader(void)
{
	struct stdin_relay r;
	int source[2], inputs[READERS], i;

	ok(pipe(source) == 0 && write(source[1], "x", 1) == 1, "a pipe");
	(void)stdin_relay_open(&r, source[0], STDIN_ALL, inputs, READERS);
	for (i = 0; i < READERS; i++)
		(void)close(inputs[i]);
	stdin_relay_continue(&r);
	is_int(r.source, -1, "no reader, no relay");
	is_int(stdin_relay_poll(&r).fd, -1, "and nothing is to be done");
	(void)close(source[0]);
	(void)close(source[1]);
}

int
main(void)
{
	struct stdin_relay r;
	int fds[2], inputs[READERS];

	ok(pipe(fds) == 0, "a pipe");
	is_int(stdin_relay_open(&r, fds[0], 1, inputs, READERS), 0, "for one");
	ok(inputs[0] == -1 && inputs[1] == fds[0] && inputs[2] == -1,
	    "a pipe is used as it is");
	is_int(stdin_relay_poll(&r).fd, -1, "and nothing is to be done");
	stdin_relay_release(&r);
	is_int(stdin_relay_open(&r, fds[0], STDIN_NONE, inputs, READERS), 0,
	    "for none");
	ok(inputs[0] == -1 && inputs[1] == -1 && inputs[2] == -1,
	    "nobody gets it");
	is_int(stdin_relay_open(&r, fds[0], STDIN_ALL, inputs, 1), 0,
	    "for all of one");
	is_int(inputs[0], fds[0], "is for that one");
	test_terminal(0, "a terminal's input and its end come through");
	test_terminal(2, "to another one");
	test_terminal(STDIN_ALL, "to all of them");
	(void)signal(SIGPIPE, SIG_IGN);
	test_slowest();
	test_no_reader();
	return tap_done();
}
