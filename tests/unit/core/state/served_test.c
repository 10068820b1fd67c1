/*
 * A server has the state: others are refused, also those who looked before it
 * came; and a kill at any point of taking a shared one loses nothing.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/state/ownership.h"
#include "core/state/state.h"
#include "core/state/state_internal.h"
#include "tests/unit/fault_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { WAIT_MS = 200 };

/* A child that serves until it is ended, or reports that it could not. */
struct server {
	pid_t pid;
	int said; /* '+' or '-', when it is so far */
	int end;  /* closing it ends the child in order */
};

static struct server
start_server(void)
{
	struct server s;
	struct error e;
	int said[2], end[2], lock;
	char c;

	must(pipe(said) == 0 && pipe(end) == 0 ? 0 : -1,
	    &(struct error){ .text = "pipe" });
	if ((s.pid = fork()) == 0) {
		(void)close(end[1]);
		lock = served_begin(&test_paths, &e);
		(void)!write(said[1], lock == -1 ? "-" : "+", 1);
		(void)!read(end[0], &c, 1);
		_exit(lock != -1 && served_end(&test_paths, lock, &e) == 0 ?
			0 :
			1);
	}
	(void)close(said[1]);
	(void)close(end[0]);
	s.said = said[0];
	s.end = end[1];
	return s;
}

/* What it says within that time, 0: nothing yet. */
static char
hear(const struct server *s, int ms)
{
	struct pollfd p = { .fd = s->said, .events = POLLIN };
	char c = 0;

	if (poll(&p, 1, ms) == 1 && read(s->said, &c, 1) != 1)
		c = 0;
	return c;
}

static void
end_server(struct server *s, int signal)
{
	if (signal != 0)
		(void)kill(s->pid, signal);
	(void)close(s->end);
	(void)close(s->said);
	(void)waitpid(s->pid, NULL, 0);
}

static mode_t
mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_mode & 07777 : 0;
}

static void
test_refused(void)
{
	struct registry before, r;
	struct server first, second;
	struct state s;
	struct error e;
	int holder;

	make_state("served");
	add_partition("p", 0, 4);
	must(state_open(&s, &e), &e);
	must(state_open_attacher(&before, &e), &e);
	must(state_lock(&s, &e), &e);
	first = start_server();
	is_int(hear(&first, WAIT_MS), 0, "a server waits for a change");
	state_unlock(&s);
	is_int(hear(&first, -1), '+', "and begins behind it");
	ok(state_lock(&s, &e) == -1 && e.code == ERROR_BUSY &&
		strstr(e.text, "belongs to a server") != NULL,
	    "who had the state open is refused");
	ok(registry_attach(&before, 0, 1, &holder, &e) == -1 &&
		e.code == ERROR_STALE,
	    "and who had the registry open");
	is_int(registry_held(&before, 0, 64), -1, "nothing stays held by it");
	ok(state_open_attacher(&r, &e) == -1 && e.code == ERROR_BUSY,
	    "a program that attaches");
	state_close(&s);
	ok(state_open(&s, &e) == -1 && e.code == ERROR_BUSY, "a command");
	is_int(count_partitions(&e), 1, "who only looks is not");
	second = start_server();
	is_int(hear(&second, -1), '-', "a second server");
	end_server(&second, 0);
	end_server(&first, SIGKILL);
	must(state_open(&s, &e), &e);
	is_int(state_lock(&s, &e), 0, "behind its end others change it again");
	is_int(registry_attach(&before, 0, 1, &holder, &e), 0, "and attach");
	state_close(&s);
	registry_close(&before);
}

static void
prepare_shared(void)
{
	static int count;
	char name[32];

	(void)snprintf(name, sizeof(name), "shared%d", count++);
	use_state(name);
	must(mkdir(test_paths.directory, 0700) == 0 &&
		    chmod(test_paths.directory, 02770) == 0 ?
		0 :
		-1,
	    &(struct error){ .text = "mkdir" });
	add_partition("a", 0, 4);
	add_partition("b", 8, 8);
}

static void
test_shared(void)
{
	struct registry r;
	struct server server;
	struct state s;
	struct error e;
	int holder;

	prepare_shared();
	must(state_open_attacher(&r, &e), &e);
	must(registry_attach(&r, 0, 4, &holder, &e), &e);
	server = start_server();
	is_int(hear(&server, -1), '-', "no server while a program is attached");
	end_server(&server, 0);
	is_int(mode_of(test_paths.directory), 02770, "and nothing is changed");
	(void)registry_detach(&r, 0, 4);
	must(state_open(&s, &e), &e);
	server = start_server();
	is_int(hear(&server, -1), '+', "a server of a shared state");
	is_int(mode_of(test_paths.directory), 03750, "it is withdrawn");
	ok(!registry_is_current(&r), "its registry is another one");
	ok(state_lock(&s, &e) == -1 && e.code == ERROR_BUSY,
	    "who has the old lock open is refused by the new one");
	end_server(&server, 0);
	is_int(mode_of(test_paths.directory), 02770, "it is given back");
	is_int(mode_of(test_paths.registry), 0660, "with the registry");
	is_int(state_lock(&s, &e), 0, "and locked by the file that is there");
	state_close(&s);
	registry_close(&r);
}

/* Take it, as a server does that is killed at some point. */
static int
act_serve(struct error *e)
{
	int lock = served_begin(&test_paths, e);

	return lock == -1 ? -1 : served_end(&test_paths, lock, e);
}

/* Both partitions, and whoever changes it next finds a whole state. */
static int
judge_shared(const struct snapshot *snap, struct error *e)
{
	struct state s;
	int status;

	if (snap->partition_count != 2 || snap->damaged != 0)
		return error_set(e, "%d partitions", snap->partition_count), 0;
	if (state_open(&s, e) != 0)
		return 0;
	status = state_lock(&s, e);
	state_close(&s);
	if (status == 0 && mode_of(test_paths.directory) != 02770)
		status = error_set(e, "it is not given back");
	return status == 0 ? BEFORE | AFTER : 0;
}

int
main(void)
{
	static const struct scenario scenario = { "a shared state is served",
		prepare_shared, act_serve, judge_shared };

	(void)alarm(120);
	test_refused();
	test_shared();
	(void)scenario_run(&scenario);
	return tap_done();
}
