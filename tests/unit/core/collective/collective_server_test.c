/*
 * core/collective/collective_server: processes meet at it over real sockets, in
 * random orders, and are killed at random points.
 */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/formats/element.h"
#include "core/collective/collective.h"
#include "tests/unit/member_util.h"
#include "tests/unit/tap.h"

enum {
	MEMBERS = 64,
	IDS = 4,
	VECTOR = 16,
	ROUNDS = 60,
	ALL_ROUNDS = 1000,
	KILL_MEMBERS = 8,
	KILL_JOBS = 24,
	KILL_ROUNDS = 40,
	FULL_MS = 50, /* the thread notices within this time */
	FILES_S = 10,
	LIMIT_S = 120
};

/* What the members of a job know of each other. */
struct job {
	const char *directory;
	int members, rounds;
	uint32_t seed;
	int victims;
	int victim[2], at[2]; /* who, and in which step */
	int killed;
	pid_t pids[MEMBERS]; /* in shared memory */
};

static uint32_t
draw(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % below;
}

/* What member `i` brings to that sum. */
static float
value_of(int i, int round, int id, int element)
{
	return (float)(i * 3 + round * 5 + id * 7 + element);
}

/* The sum of all, in the order of the members: these are whole numbers. */
static float
sum_of(int members, int round, int id, int element)
{
	float sum = 0;
	int i;

	for (i = 0; i < members; i++)
		sum += value_of(i, round, id, element);
	return sum;
}

static struct collective_call
a_sum(int id)
{
	char name[] = { (char)('a' + id), '\0' };
	struct collective_call c = member_a_call(COLLECTIVE_SUM, name,
	    ELEMENT_FLOAT, VECTOR);

	c.data_bytes = VECTOR * sizeof(float);
	return c;
}

/* The four sums of a round, sent in an order of one's own. */
static void
send_round(struct member *m, int self, int round, uint32_t *seed,
    uint32_t requests[IDS])
{
	int order[IDS] = { 0, 1, 2, 3 }, i, j, id, element;
	float vector[VECTOR];
	struct collective_call c;

	for (i = IDS - 1; i >= 0; i--) {
		j = (int)draw(seed, (uint32_t)i + 1);
		id = order[j];
		order[j] = order[i];
		c = a_sum(id);
		for (element = 0; element < VECTOR; element++)
			vector[element] = value_of(self, round, id, element);
		requests[id] = member_send(m, 0, &c, vector);
	}
}

/* The exit status of a member: what was wrong. */
enum { FINE, WRONG_SUM = 10, WRONG_ANSWER, WRONG_REASON, NO_REASON };

static int
check_sum(const struct job *job, const struct answer *a, int round,
    const uint32_t requests[IDS])
{
	float got[VECTOR];
	int id, element;

	for (id = 0; id < IDS && requests[id] != a->request; id++)
		continue;
	if (id == IDS || a->size != sizeof(got))
		return WRONG_ANSWER;
	memcpy(got, a->body, sizeof(got));
	for (element = 0; element < VECTOR; element++)
		if (got[element] != sum_of(job->members, round, id, element))
			return WRONG_SUM;
	return FINE;
}

/* A failure has to name one who was killed. */
static int
check_reason(const struct job *job, const struct answer *a)
{
	char wanted[128];
	int i;

	if (a->kind != COLLECTIVE_ERROR)
		return NO_REASON;
	for (i = 0; i < job->victims; i++) {
		(void)snprintf(wanted, sizeof(wanted),
		    "instance %d (pid %ld) was killed by signal 9 (Killed)",
		    job->victim[i], (long)job->pids[job->victim[i]]);
		if (strstr(a->why.text, wanted) != NULL &&
		    a->code == COLLECTIVE_GONE)
			return FINE;
	}
	(void)fprintf(stderr, "# %s\n", a->why.text);
	return WRONG_REASON;
}

/* Whether this is where the victim dies; half of them in mid-message. */
static void
perhaps_die(const struct job *job, const struct member *m, int self, int step)
{
	int i;

	for (i = 0; i < job->victims; i++) {
		if (job->victim[i] != self || job->at[i] != step)
			continue;
		if (step % 2 == 0)
			member_put(m, "\x40\0\0\0\3", 5, -1);
		(void)raise(SIGKILL);
	}
}

/* A member's life; each round has two steps. */
static int
live(const struct job *job, int self)
{
	static struct member m;
	struct answer a;
	uint32_t requests[IDS], seed = job->seed + (uint32_t)self * 7919;
	int round, id, status;

	(void)alarm(LIMIT_S);
	member_open(&m, job->directory, (uint32_t)self, (uint32_t)job->members);
	for (round = 0; round < job->rounds; round++) {
		perhaps_die(job, &m, self, 2 * round);
		send_round(&m, self, round, &seed, requests);
		perhaps_die(job, &m, self, 2 * round + 1);
		for (id = 0; id < IDS; id++) {
			member_receive(&m, &a);
			if (a.kind != COLLECTIVE_DONE)
				return check_reason(job, &a);
			status = check_sum(job, &a, round, requests);
			if (status != FINE)
				return status;
		}
	}
	member_leave(&m, COLLECTIVE_FOR_GOOD);
	return FINE;
}

static struct job *
new_job(int members, int rounds)
{
	struct job *job = mmap(NULL, sizeof(*job), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (job == MAP_FAILED)
		exit(1);
	job->directory = tap_directory();
	job->members = members;
	job->rounds = rounds;
	return job;
}

/* The instance of a process. */
static int
find(const struct job *job, pid_t pid)
{
	int i;

	for (i = 0; i < job->members && job->pids[i] != pid; i++)
		continue;
	return i;
}

/*
 * Run a job to its end, as the launch does: it says how each instance ended.
 * How many of the members found something wrong.
 */
static int
run(struct job *job)
{
	struct error e = { .text = "" };
	struct collective_server *s = collective_server_new(job->directory,
	    job->members, &e);
	int i, status, wrong = 0;
	pid_t pid;

	if (s == NULL)
		return -1;
	(void)fflush(stdout);
	for (i = 0; i < job->members; i++) {
		pid = fork();
		if (pid == 0) {
			collective_server_leave(s);
			/* The pids are known when the server answers. */
			_exit(live(job, i));
		}
		job->pids[i] = pid;
	}
	if (collective_server_start(s) != 0)
		return -1;
	for (i = 0; i < job->members; i++) {
		pid = waitpid(-1, &status, 0);
		if (pid == -1)
			return -1;
		collective_server_ended(s, find(job, pid), pid, status);
		if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
			job->killed++;
		else if (status != 0) {
			(void)fprintf(stderr, "# instance %d: status %x\n",
			    find(job, pid), (unsigned)status);
			wrong++;
		}
	}
	collective_server_free(s);
	return wrong;
}

static void
test_rounds(void)
{
	struct job *job = new_job(MEMBERS, tap_amount(ROUNDS, ALL_ROUNDS));
	char *path = xasprintf("%s/collectives", tap_directory());
	struct stat st;

	job->seed = 1;
	is_int(run(job), 0, "64 members, four ids in an order of one's own");
	is_int(job->killed, 0, "nobody was killed");
	(void)munmap(job, sizeof(*job));
	is_int(stat(path, &st), -1, "the socket is gone");
	free(path);
}

static void
test_kills(void)
{
	struct job *job = new_job(KILL_MEMBERS, KILL_ROUNDS);
	uint32_t seed = 7;
	int i, wrong = 0, v;

	for (i = 0; i < KILL_JOBS; i++) {
		job->seed = seed;
		job->victims = 1 + i % 2;
		for (v = 0; v < job->victims; v++) {
			job->victim[v] = (int)draw(&seed, KILL_MEMBERS);
			job->at[v] = (int)draw(&seed, 2 * KILL_ROUNDS);
		}
		wrong += run(job);
	}
	is_int(wrong, 0,
	    "no sum is wrong, nobody hangs, and who is left learns who was "
	    "killed");
	ok(job->killed >= KILL_JOBS, "somebody was killed each time");
	(void)munmap(job, sizeof(*job));
}

/* The same of 64. */
static void
test_kills_of_many(void)
{
	struct job *job = new_job(MEMBERS, ROUNDS);

	job->victims = 2;
	job->victim[0] = 5;
	job->victim[1] = 63;
	job->at[0] = job->at[1] = 11;
	is_int(run(job), 0, "two of 64 are killed");
	is_int(job->killed, 2, "and only these");
	(void)munmap(job, sizeof(*job));
}

/* A connection that comes while this process has no descriptor left is taken
   when it has one, though none of the thread's own is closed. */
static void
test_files(void)
{
	struct error e = { .text = "" };
	struct collective_server *s = collective_server_new(tap_directory(), 1,
	    &e);
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct rlimit files, none;
	struct pollfd p = { .fd = socket(AF_UNIX, SOCK_STREAM, 0),
		.events = POLLIN };
	char noise[64];

	(void)snprintf(a.sun_path, sizeof(a.sun_path), "%s/collectives",
	    tap_directory());
	memset(noise, 'x', sizeof(noise));
	if (s == NULL || collective_server_start(s) != 0 ||
	    getrlimit(RLIMIT_NOFILE, &files) != 0)
		abort();
	none = files;
	none.rlim_cur = 0;
	(void)setrlimit(RLIMIT_NOFILE, &none);
	is_int(connect(p.fd, (const struct sockaddr *)&a, sizeof(a)), 0,
	    "it waits in the queue");
	is_int(send(p.fd, noise, sizeof(noise), MSG_NOSIGNAL), sizeof(noise),
	    "and says something");
	is_int(poll(NULL, 0, FULL_MS), 0, "for a while");
	(void)setrlimit(RLIMIT_NOFILE, &files);
	is_int(poll(&p, 1, FILES_S * 1000), 1, "then it is answered");
	(void)close(p.fd);
	collective_server_free(s);
}

int
main(void)
{
	test_files();
	test_rounds();
	test_kills();
	test_kills_of_many();
	return tap_done();
}
