/* The ordinary client of another house: Debian's python3-grpcio. */
#include <sys/wait.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/rpc_util.h"
#include "tests/unit/tap.h"

static const char python[] = "/usr/bin/python3";

/* Start it with its arguments; *out: what it prints.  Its process. */
static pid_t
run(const char *const argv[4], FILE **out)
{
	union {
		const char *const *from;
		char *const *to;
	} both = { .from = argv };
	int fds[2];
	pid_t pid;

	(void)fflush(stdout);
	if (pipe(fds) != 0 || (pid = fork()) == -1)
		exit(1);
	if (pid == 0) {
		(void)dup2(fds[1], STDOUT_FILENO);
		(void)close(fds[0]);
		(void)close(fds[1]);
		(void)execv(python, both.to);
		_exit(127);
	}
	(void)close(fds[1]);
	*out = fdopen(fds[0], "r");
	return pid;
}

/* Each line that it prints is a check. */
static void
relay(FILE *out)
{
	char line[512];

	while (out != NULL && fgets(line, sizeof(line), out) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		ok(strncmp(line, "ok ", 3) == 0, line);
	}
	if (out != NULL)
		(void)fclose(out);
}

int
main(void)
{
	const char *tests = getenv("TESTDIR");
	struct rpc_process p;
	char script[512];
	const char *argv[] = { python, "-c", "import grpc", NULL };
	FILE *out;
	pid_t pid;
	int status = 1;

	pid = run(argv, &out);
	relay(out);
	(void)waitpid(pid, &status, 0);
	if (status != 0) {
		tap_skip("calls from Python", "not installed: python3-grpcio");
		return tap_done();
	}
	rpc_process_start(&p, NULL, NULL);
	(void)snprintf(script, sizeof(script),
	    "%s/unit/core/server/rpc/rpc_peer.py",
	    tests == NULL ? "tests" : tests);
	argv[1] = script;
	argv[2] = p.port_text;
	pid = run(argv, &out);
	relay(out);
	(void)waitpid(pid, &status, 0);
	is_int(status, 0, "it ends well");
	rpc_process_ask(&p);
	is_int(rpc_process_wait(&p), 0, "the server ends");
	return tap_done();
}
