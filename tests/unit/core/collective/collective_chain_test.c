/*
 * Sums over replicas in a chain of processes that poprun, whose thread runs
 * here, brings together: the same cases and the same bits as in shared memory
 * (collective_test.c).
 */
#include "tests/unit/tap.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/collective/collective.h"
#include "core/collective/collective_way.h"
#include "tests/unit/collective_util.h"
#include "tests/unit/shared_util.h"

enum { REPLICAS = COLLECTIVE_UTIL_REPLICAS, N = COLLECTIVE_UTIL_FLOATS };

static char *path; /* of the job's directory */
static struct collective_server *server;

/* A job of so many instances, whose server does not run yet. */
static void
new_job(int instances)
{
	struct error e;

	(void)shared_remove(path);
	path = shared_new();
	server = collective_server_new(path, instances, &e);
	if (server == NULL) {
		printf("# %s\n", e.text);
		abort();
	}
}

static struct collective_config
config_of(int first, int local)
{
	struct collective_config c = collective_util_config(first, local, path);

	c.by = COLLECTIVE_BY_CHAIN;
	return c;
}

static struct collective *
join(const struct collective_config *c)
{
	struct error e = { .text = "" };
	struct collective *result = collective_open(c, &e);

	if (result == NULL)
		printf("# %s\n", e.text);
	return result;
}

/* ---- processes ---- */

/* What a replica's process does, and the status it ends with. */
typedef int (*body)(int replica);

/*
 * An instance for each replica, of which poprun learns how they end.  Those
 * who come before the server runs wait for it.
 */
static void
run_processes(body run, int *statuses)
{
	pid_t pids[REPLICAS], pid;
	int r, i, status;

	(void)fflush(stdout);
	for (r = 0; r < REPLICAS; r++) {
		pids[r] = fork();
		if (pids[r] != 0)
			continue;
		collective_server_leave(server);
		_exit(run(r));
	}
	if (collective_server_start(server) != 0)
		abort();
	for (i = 0; i < REPLICAS; i++) {
		pid = waitpid(-1, &status, 0);
		for (r = 0; pids[r] != pid; r++)
			continue;
		statuses[r] = status;
		collective_server_ended(server, r, pid, status);
	}
	collective_server_free(server);
}

/* Two programs, one after the other. */
static int
good_body(int replica)
{
	const struct collective_config config = config_of(replica, 1);
	struct collective *c;
	int i, wrong = 0;

	for (i = 0; i < 2; i++) {
		if ((c = join(&config)) == NULL)
			return 1;
		wrong |= collective_util_run(c, replica);
		collective_close(c, false);
	}
	return wrong != 0;
}

static void
test_processes(void)
{
	int statuses[REPLICAS];

	new_job(REPLICAS);
	run_processes(good_body, statuses);
	is_int(statuses[0] | statuses[1] | statuses[2], 0,
	    "processes: two programs, one after the other");
}

/* Replica 2 does as `last_does`; the others must say `wanted`. */
static enum {
	KILLED,
	KILLED_LATER,
	ENDED,
	ENDED_LATER,
	FAILED,
	ABSENT,
	OTHER_SIZES,
	OTHER_BEGIN
} last_does;
static const char *wanted;

static int
bad_body(int replica)
{
	struct collective_config config = config_of(replica, 1);
	struct collective *c;
	struct error e = { .text = "" };
	float data[N] = { 0 };

	if (replica == 2 && last_does == ABSENT)
		return 0;
	if (replica == 2 && last_does == OTHER_SIZES)
		config.floats[0] = 2;
	if (replica == 2 && last_does == OTHER_BEGIN)
		config.begin = 7;
	c = collective_open(&config, &e);
	if ((last_does == KILLED_LATER || last_does == ENDED_LATER) &&
	    collective_sum(c, 0, replica, data, &e) != 0)
		return 3;
	if (replica == 2 &&
	    (c == NULL || last_does == KILLED || last_does == KILLED_LATER))
		(void)raise(SIGKILL);
	if (replica == 2 && last_does != OTHER_SIZES &&
	    last_does != OTHER_BEGIN) {
		collective_close(c, last_does == FAILED);
		return 0;
	}
	if (c == NULL || collective_sum(c, 0, replica, data, &e) != -1)
		return 1;
	if (strstr(e.text, wanted) == NULL) {
		printf("# %s\n", e.text);
		(void)fflush(stdout);
		return 2;
	}
	/* The others are to learn of replica 2, and not of this one. */
	collective_close(c, false);
	return 0;
}

static void
test_losses(void)
{
	const struct {
		int does;
		const char *text, *name;
	} rows[] = {
		{ KILLED, ") was killed by signal 9 (Killed)",
		    "one is killed" },
		{ KILLED_LATER, ") was killed by signal 9 (Killed)",
		    "one is killed behind a sum" },
		{ ENDED, ") exited with status 0", "one ends early" },
		{ ENDED_LATER, ") exited with status 0",
		    "one ends behind a sum" },
		{ FAILED, "instance 2 has left the job's collectives",
		    "one fails" },
		{ ABSENT, "exited with status 0", "one never comes" },
		{ OTHER_SIZES, " has parts of different sizes",
		    "one has another model" },
		{ OTHER_BEGIN, "instance 2 begins with different weights",
		    "one begins elsewhere" },
	};
	int statuses[REPLICAS];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		new_job(REPLICAS);
		last_does = rows[i].does;
		wanted = rows[i].text;
		run_processes(bad_body, statuses);
		is_int(statuses[0], 0, rows[i].name);
		is_int(statuses[1], 0, rows[i].name);
	}
}

/* ---- threads ---- */

/* A thread for each part of each replica: all in one process. */
struct worker {
	struct collective *collective;
	int replica, part;
	int status;
	float data[N];
	struct error e;
	pthread_t thread;
};

static void *
worker_main(void *argument)
{
	struct worker *w = argument;

	w->status = collective_sum(w->collective, w->part, w->replica, w->data,
	    &w->e);
	return NULL;
}

static void
start(struct worker *w, struct collective *c, int replica, int part)
{
	int i;

	*w = (struct worker){ .collective = c,
		.replica = replica,
		.part = part };
	for (i = 0; i < N; i++)
		w->data[i] = (float)(replica + part);
	(void)pthread_create(&w->thread, NULL, worker_main, w);
}

/* A chain of this process alone, which collective_open() would not make. */
static struct collective *
join_alone(const struct collective_config *c)
{
	struct collective *result = collective_chain_open(c, NULL);

	if (result == NULL)
		abort();
	return result;
}

/* Each part waits for itself alone, whichever comes first. */
static void
test_threads(void)
{
	struct collective_config c;
	struct collective *all;
	struct worker w[REPLICAS][2];
	int r, part;

	new_job(1);
	c = config_of(0, REPLICAS);
	if (collective_server_start(server) != 0)
		abort();
	all = join_alone(&c);
	start(&w[0][0], all, 0, 0);
	start(&w[1][1], all, 1, 1);
	start(&w[2][1], all, 2, 1);
	start(&w[0][1], all, 0, 1);
	(void)pthread_join(w[0][1].thread, NULL);
	is_int(w[0][1].status, 0, "part 1 does not wait for part 0");
	start(&w[1][0], all, 1, 0);
	start(&w[2][0], all, 2, 0);
	for (r = 0; r < REPLICAS; r++)
		for (part = 0; part < 2; part++)
			if (r != 0 || part != 1)
				(void)pthread_join(w[r][part].thread, NULL);
	for (r = 0; r < REPLICAS; r++)
		ok(w[r][0].status == 0 && w[r][1].status == 0 &&
			w[r][0].data[N - 1] == 0 + 1 + 2 &&
			w[r][1].data[0] == 1 + 2 + 3,
		    "the sums of both");
	collective_close(all, false);
	collective_server_free(server);
}

/* The trouble is asked while one waits, and ends that. */
static int
trouble(const void *context, struct error *e)
{
	(void)context;
	return error_set(e, "the device has failed");
}

static void
test_trouble(bool fails)
{
	struct collective_config c;
	struct collective *all;
	struct worker w;

	new_job(1);
	c = config_of(0, REPLICAS);
	if (!fails)
		c.trouble = trouble;
	if (collective_server_start(server) != 0)
		abort();
	all = join_alone(&c);
	start(&w, all, 1, 0);
	if (fails)
		collective_fail(all);
	(void)pthread_join(w.thread, NULL);
	is_int(w.status, -1, "it does not wait on");
	is_str(w.e.text,
	    fails ? "another replica of this process has failed" :
		    "the device has failed",
	    "the reason");
	collective_close(all, true);
	collective_server_free(server);
}

/* ---- what is refused ---- */

static void
test_refusals(void)
{
	struct collective_config c = config_of(0, 1);
	struct collective *first;
	struct error e = { .text = "" };
	enum collective_by by;

	c.directory = "/nonexistent";
	ok(collective_open(&c, &e) == NULL, "no such directory");
	is_str(e.text,
	    "the collectives of this job: cannot connect to "
	    "/nonexistent/collectives: No such file or directory",
	    "the reason");
	new_job(REPLICAS);
	if (collective_server_start(server) != 0)
		abort();
	c = config_of(0, 1);
	first = join(&c);
	c = config_of(1, 1);
	c.total = REPLICAS + 1;
	ok(collective_open(&c, &e) == NULL, "another number of replicas");
	is_str(e.text, "the job has 3 instances, not 4", "the reason");
	collective_close(first, false);
	collective_server_free(server);
	is_int(collective_choose(NULL, &by, &e), 0, "no choice");
	ok(by == COLLECTIVE_BY_MEMORY, "is memory");
	is_int(collective_choose("chain", &by, &e), 0, "chain");
	ok(by == COLLECTIVE_BY_CHAIN, "is a chain");
	is_int(collective_choose("poprun", &by, &e), -1, "not poprun");
	is_str(e.text,
	    "IPUBOX_COLLECTIVES 'poprun': poprun does not add gradients up any "
	    "more; set chain, or memory on one host",
	    "what takes its place");
	is_int(collective_choose("tcp", &by, &e), -1, "no other");
	is_str(e.text, "IPUBOX_COLLECTIVES 'tcp': must be memory or chain",
	    "the reason");
}

int
main(void)
{
	test_processes();
	test_losses();
	test_threads();
	test_trouble(false);
	test_trouble(true);
	test_refusals();
	(void)shared_remove(path);
	return tap_done();
}
