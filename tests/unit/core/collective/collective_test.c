/*
 * Sums over replicas in shared memory: of threads, of processes, one program
 * after the other in the same memory, and what happens when one is gone.
 */
#include "tests/unit/tap.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/collective/collective.h"
#include "core/process/process.h"
#include "tests/unit/collective_util.h"
#include "tests/unit/shared_util.h"

enum { REPLICAS = COLLECTIVE_UTIL_REPLICAS, N = COLLECTIVE_UTIL_FLOATS };

static char *path; /* of the job's directory */

static void
new_job(void)
{
	(void)shared_remove(path);
	path = shared_new();
}

static struct collective *
join(int replica)
{
	struct collective_config c = collective_util_config(replica, 1, path);
	struct error e = { .text = "" };
	struct collective *result = collective_open(&c, &e);

	if (result == NULL)
		printf("# %s\n", e.text);
	return result;
}

struct member {
	struct collective *collective;
	int replica;
	int wrong;
	pthread_t thread;
};

static void *
thread_main(void *argument)
{
	struct member *m = argument;

	m->wrong = collective_util_run(m->collective, m->replica);
	return NULL;
}

static void
test_threads(void)
{
	struct collective_config c = collective_util_config(0, REPLICAS, NULL);
	struct collective *shared = collective_open(&c, NULL);
	struct member members[REPLICAS];
	int r, wrong = 0;

	for (r = 0; r < REPLICAS; r++) {
		members[r] = (struct member){ shared, r, -1, 0 };
		(void)pthread_create(&members[r].thread, NULL, thread_main,
		    &members[r]);
	}
	for (r = 0; r < REPLICAS; r++) {
		(void)pthread_join(members[r].thread, NULL);
		wrong |= members[r].wrong;
	}
	is_int(wrong, 0, "threads: the sum in the order of replicas");
	collective_close(shared, false);
}

/* One of them fails: the others, which wait for its vector, are let go. */
static void
test_failed_thread(void)
{
	struct collective_config c = collective_util_config(0, REPLICAS, NULL);
	struct collective *shared = collective_open(&c, NULL);
	struct member members[REPLICAS];
	int r;

	for (r = 1; r < REPLICAS; r++) {
		members[r] = (struct member){ shared, r, 0, 0 };
		(void)pthread_create(&members[r].thread, NULL, thread_main,
		    &members[r]);
	}
	collective_fail(shared);
	for (r = 1; r < REPLICAS; r++) {
		(void)pthread_join(members[r].thread, NULL);
		is_int(members[r].wrong, -1, "threads: one fails");
	}
	collective_close(shared, true);
}

/* What a replica's process does, and the status it ends with. */
typedef int (*body)(int replica);

static void
run_processes(body run, int count, int *statuses)
{
	pid_t pids[REPLICAS];
	int r;

	(void)fflush(stdout);
	for (r = 0; r < count; r++) {
		pids[r] = fork();
		if (pids[r] == 0)
			_exit(run(r));
	}
	for (r = 0; r < count; r++)
		(void)waitpid(pids[r], &statuses[r], 0);
}

/* Two sessions, one after the other. */
static int
good_body(int replica)
{
	struct collective *c;
	int i, wrong = 0;

	for (i = 0; i < 2; i++) {
		if ((c = join(replica)) == NULL)
			return 1;
		wrong |= collective_util_run(c, replica);
		collective_close(c, false);
	}
	return wrong != 0;
}

/* Replica 2 does as `last_does`; the others must say `wanted`. */
static enum { KILLED, LEFT, FAILED, ABSENT, OTHER_SIZES } last_does;
static const char *wanted;

static int
bad_body(int replica)
{
	struct collective_config config = collective_util_config(replica, 1,
	    path);
	struct collective *c;
	struct error e = { .text = "" };
	float data[N] = { 0 };

	if (replica == 2 && last_does == ABSENT)
		return 0;
	if (replica == 2 && last_does == OTHER_SIZES)
		config.floats[1] = 2;
	c = collective_open(&config, &e);
	if (replica == 2 && (c == NULL || last_does == KILLED))
		(void)raise(SIGKILL);
	if (replica == 2 && last_does != OTHER_SIZES) {
		collective_close(c, last_does == FAILED);
		return 0;
	}
	/* Who joins last may find that the job has failed already. */
	if (c != NULL && collective_sum(c, 0, replica, data, &e) != -1)
		return 1;
	if (replica != 2 && strstr(e.text, wanted) == NULL) {
		printf("# %s\n", e.text);
		(void)fflush(stdout);
		return 2;
	}
	collective_close(c, true);
	return 0;
}

static void
test_processes(void)
{
	int statuses[REPLICAS];

	new_job();
	run_processes(good_body, REPLICAS, statuses);
	is_int(statuses[0] | statuses[1] | statuses[2], 0,
	    "processes: two programs, one after the other");
	ok(rmdir(path) == 0, "their memory has no name any more");
}

static void
test_losses(void)
{
	static const struct {
		int does;
		const char *text, *name;
	} rows[] = {
		{ KILLED, ") was killed, or crashed, while instance ",
		    "one is killed" },
		{ LEFT, ") ended while instance ", "one ends early" },
		{ FAILED, ") failed while instance ", "one fails" },
		{ ABSENT, "instance 2 did not join within 1 seconds",
		    "one never comes" },
		{ OTHER_SIZES,
		    ") trains another model or has another number of replicas",
		    "one has another model" },
	};
	int statuses[REPLICAS];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		new_job();
		last_does = rows[i].does;
		wanted = rows[i].text;
		run_processes(bad_body, REPLICAS, statuses);
		is_int(statuses[0], 0, rows[i].name);
		is_int(statuses[1], 0, rows[i].name);
	}
}

/*
 * Replica 1 has little patience, finds that replica 2 is absent, and stays.
 * Replica 0 would wait for an hour, and sees nothing wrong with anybody.
 */
static int
patient_body(int replica, int hold)
{
	struct collective_config config = collective_util_config(replica, 1,
	    path);
	struct collective *c;
	struct error e = { .text = "" };
	float data[N] = { 0 };
	char end;

	config.join_seconds = replica == 0 ? 3600 : 2;
	c = collective_open(&config, &e);
	if (c == NULL || collective_sum(c, 0, replica, data, &e) != -1)
		return 1;
	if (strncmp(e.text, "instance 2 did not join", 23) != 0) {
		printf("# %s\n", e.text);
		(void)fflush(stdout);
		return 2;
	}
	if (replica == 1)
		(void)!read(hold, &end, 1);
	collective_close(c, true);
	return 0;
}

/*
 * Replica 2 never joins, and the others would wait for two minutes: but the
 * supervisor, which is this process, has reaped it, or is gone itself.
 */
static const char *roster_says;

static int
waiting_body(int replica)
{
	struct collective_config config = collective_util_config(replica, 1,
	    path);
	struct collective *c;
	struct error e = { .text = "" };
	float data[N] = { 0 };

	config.join_seconds = 120;
	c = collective_open(&config, &e);
	if (c == NULL || collective_sum(c, 0, replica, data, &e) != -1)
		return 1;
	if (strstr(e.text, roster_says) == NULL) {
		printf("# %s\n", e.text);
		(void)fflush(stdout);
		return 2;
	}
	collective_close(c, true);
	return 0;
}

static void
test_roster(bool supervisor_is_gone)
{
	const int64_t start_ms = clock_monotonic_ms();
	int directory, roster, statuses[2], r;
	pid_t pids[2];

	new_job();
	directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if ((roster = roster_make(directory)) == -1)
		abort();
	roster_started(roster, 2, 4711);
	roster_says = supervisor_is_gone ?
	    "the supervisor of the job ended while instance " :
	    "instance 2 (pid 4711, ";
	(void)fflush(stdout);
	for (r = 0; r < 2; r++) {
		pids[r] = fork();
		if (pids[r] != 0)
			continue;
		(void)close(roster);
		_exit(waiting_body(r));
	}
	if (supervisor_is_gone)
		(void)close(roster);
	else
		roster_ended(roster, 2);
	for (r = 0; r < 2; r++)
		(void)waitpid(pids[r], &statuses[r], 0);
	is_int(statuses[0], 0,
	    supervisor_is_gone ? "the supervisor is gone" :
				 "one ended before it joined");
	is_int(statuses[1], 0, "and both that wait are told");
	ok(clock_monotonic_ms() - start_ms < 30000, "not after the time limit");
	if (!supervisor_is_gone)
		(void)close(roster);
	(void)close(directory);
}

static void
test_loss_of_another(void)
{
	pid_t pids[2];
	int hold[2], statuses[2], r;

	new_job();
	(void)fflush(stdout);
	if (pipe(hold) != 0)
		abort();
	for (r = 0; r < 2; r++) {
		pids[r] = fork();
		if (pids[r] != 0)
			continue;
		(void)close(hold[1]);
		_exit(patient_body(r, hold[0]));
	}
	(void)close(hold[0]);
	(void)waitpid(pids[0], &statuses[0], 0);
	(void)close(hold[1]);
	(void)waitpid(pids[1], &statuses[1], 0);
	is_int(statuses[1], 0, "one finds that another never came");
	is_int(statuses[0], 0, "and one that waits hears of it");
}

/* What a neighbour could have put there, and what is not ours alone. */
static void
test_refusals(void)
{
	static const struct {
		mode_t directory, file;
		const char *link, *wanted, *name;
	} rows[] = {
		{ 0755, 0, NULL,
		    "must be a directory that only this user may use",
		    "a directory that others may enter" },
		{ 0700, 0666, NULL, "must belong to this user alone",
		    "a file that others may write" },
		{ 0700, 0, "elsewhere",
		    "cannot open the instances' shared memory: ",
		    "a link in place of the file" },
	};
	struct collective_config c = collective_util_config(0, 1,
	    "/nonexistent");
	struct error e = { .text = "" };
	char *file;
	int fd;
	size_t i;

	ok(collective_open(&c, &e) == NULL, "no such directory");
	is_str(e.text,
	    "IPUBOX_JOB_DIR: cannot open /nonexistent: No such file or "
	    "directory",
	    "the reason");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		new_job();
		file = xasprintf("%s/collective", path);
		if (rows[i].file != 0) {
			fd = open(file, O_CREAT | O_RDWR, 0600);
			if (fd == -1 || fchmod(fd, rows[i].file) == -1)
				abort();
			(void)close(fd);
		}
		if ((rows[i].link != NULL &&
			symlink(rows[i].link, file) == -1) ||
		    chmod(path, rows[i].directory) == -1)
			abort();
		c.directory = path;
		ok(collective_open(&c, &e) == NULL, rows[i].name);
		ok(strstr(e.text, rows[i].wanted) != NULL, e.text);
		free(file);
	}
	c.directory = NULL;
	c.total = COLLECTIVE_REPLICAS_MAX + 1;
	ok(collective_open(&c, &e) == NULL, "too many replicas");
	c.total = REPLICAS;
	c.floats[0] = (size_t)1 << 30;
	ok(collective_open(&c, &e) == NULL, "too much to sum");
}

/* A replica is one process: while it lives no other can be it. */
static void
test_same_replica(void)
{
	struct collective_config c;
	struct collective *first, *second;
	struct error e = { .text = "" };

	new_job();
	c = collective_util_config(0, 2, path);
	first = collective_open(&c, &e);
	ok(first != NULL, "replicas 0 and 1");
	c.first = 1;
	c.local = 1;
	ok(collective_open(&c, &e) == NULL, "replica 1 once more");
	ok(strstr(e.text,
	       "replicas 1 to 1: another process of this job has one of "
	       "them") == e.text,
	    e.text);
	collective_close(first, false);
	second = collective_open(&c, &e);
	ok(second != NULL, "when the first has left");
	collective_close(second, false);
}

/* Who has the directory locked and stands still does not hold us for ever. */
static void
test_locked(void)
{
	struct collective_config c;
	struct error e = { .text = "" };
	int fd;

	new_job();
	c = collective_util_config(0, 1, path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd == -1 || flock(fd, LOCK_EX) == -1)
		abort();
	ok(collective_open(&c, &e) == NULL, "a directory that stays locked");
	is_str(e.text,
	    "another instance has had the job's directory locked for 1 seconds",
	    "the reason");
	(void)close(fd);
}

int
main(void)
{
	test_threads();
	test_failed_thread();
	test_processes();
	test_losses();
	test_roster(false);
	test_roster(true);
	test_loss_of_another();
	test_refusals();
	test_same_replica();
	test_locked();
	(void)shared_remove(path);
	return tap_done();
}
