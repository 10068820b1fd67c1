/*
 * The sum over a job's replicas in shared memory of their processes.  In this
 * order: joining, finding missing replicas, the barrier, the sum.
 */
#include "core/collective/collective_way.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/process/process.h"
#include "core/state/state.h"

/* The largest file of shared memory. */
#define COLLECTIVE_FILE_MAX ((size_t)1 << 30)

/* Constants of linux/futex.h, which musl's compiler does not see. */
enum { FUTEX_WAIT_SHARED = 0, FUTEX_WAKE_SHARED = 1 };

enum {
	LOOK_AROUND_MS = 100, /* how often a waiting replica checks that the
				 others are alive */
	LINE = 64
};

/* A replica.  A session is one program's run; the job's programs may run one
   after the other in the same memory. */
struct member {
	_Atomic int32_t pid;
	_Atomic uint32_t joined; /* number of sessions joined */
	_Atomic uint32_t left;	 /* number of sessions left */
	_Atomic uint32_t failed;
	_Atomic uint64_t sizes; /* hash of total and parts */
};

/* A barrier for each part, on a separate cache line. */
struct collective_part {
	_Alignas(LINE) _Atomic uint32_t arrived;
	_Atomic uint32_t round;
};

/* Why the job cannot go on, and which replica caused it.  The first replica
   that notices records it.  All others report that record, so that they do not
   blame replicas that failed as a consequence. */
enum member_loss {
	LOSS_NONE,
	LOSS_GONE,
	LOSS_FAILED,
	LOSS_LEFT,
	LOSS_ABSENT,
	LOSS_ENDED,
	LOSS_SUPERVISOR,
	LOSS_SIZES
};

struct shared {
	/* enum member_loss << 32 | instance that recorded it << 16 | replica */
	_Atomic uint64_t loss;
	struct member members[COLLECTIVE_REPLICAS_MAX];
	struct collective_part parts[COLLECTIVE_PARTS_MAX];
};

struct collective_memory {
	struct collective base;
	struct collective_config config;
	struct shared *shared;
	size_t size; /* of the mapping */
	int fd;	     /* the file's; -1: none */
	int roster;  /* -1: none */
	float *area[COLLECTIVE_PARTS_MAX];
	uint32_t session;
	_Atomic bool failed; /* a replica here failed; stop waiting */
};

static struct collective_memory *
memory_of(struct collective *base)
{
	return (struct collective_memory *)(void *)base;
}

/* Round up to whole cache lines, so that parts do not share one. */
static size_t
rounded(size_t bytes)
{
	return (bytes + LINE - 1) / LINE * LINE;
}

/* Return the bytes of a part: one vector per replica, and their sum. */
static size_t
area_bytes(const struct collective_config *c, int part)
{
	return rounded((size_t)(c->total + 1) * c->floats[part] *
	    sizeof(float));
}

/* All instances have the same number of replicas (core/job/layout.h). */
static int
collective_instance(const struct collective_memory *c, int replica)
{
	return replica / c->config.local;
}

/* Return 0, or -1 with the recorded loss as the error. */
static int
collective_report(const struct collective_memory *c, struct error *e)
{
	static const char *const fates[] = {
		[LOSS_GONE] = "was killed, or crashed,",
		[LOSS_FAILED] = "failed",
		[LOSS_LEFT] = "ended",
		[LOSS_ENDED] = "ended before it joined the others,",
	};
	const uint64_t loss = atomic_load(&c->shared->loss);
	const enum member_loss kind = (enum member_loss)(loss >> 32);
	const int replica = (int)(loss % COLLECTIVE_REPLICAS_MAX);
	const int waiter = (int)(loss >> 16 & 0xffff);
	const int pid = atomic_load(&c->shared->members[replica].pid);
	const int instance = collective_instance(c, replica);
	struct holder_place place;

	holder_place_init(&place);
	switch (kind) {
	case LOSS_NONE:
		return 0;
	case LOSS_ABSENT:
		return error_set(e,
		    "instance %d did not join within %d seconds", instance,
		    c->config.join_seconds);
	case LOSS_SUPERVISOR:
		return error_set(e,
		    "the supervisor of the job ended while instance %d waited "
		    "for instance %d in an all-reduce",
		    waiter, instance);
	case LOSS_SIZES:
		return error_set(e,
		    "instance %d (pid %d, %s) trains another model or has "
		    "another number of replicas",
		    instance, pid, place.host);
	default:
		return error_set(e,
		    "instance %d (pid %d, %s) %s while instance %d waited for "
		    "it in an all-reduce",
		    instance, pid, place.host, fates[kind], waiter);
	}
}

/* Record a loss unless one was recorded before.  Returns -1 with the first
   one. */
static int
lose(struct collective_memory *c, enum member_loss loss, int replica,
    struct error *e)
{
	const int first = collective_instance(c, c->config.first);
	uint64_t none = LOSS_NONE, waiter = (uint64_t)first;

	(void)atomic_compare_exchange_strong(&c->shared->loss, &none,
	    (uint64_t)loss << 32 | waiter << 16 | (uint64_t)replica);
	return collective_report(c, e);
}

/* Clear the failed mapping, so that munmap() does not get MAP_FAILED. */
static int
no_memory(struct collective_memory *c, struct error *e)
{
	c->shared = NULL;
	return error_set_errno(e,
	    "cannot map %zu bytes to share with the other replicas", c->size);
}

/* Open or make the file, map it, and lock our replicas as alive. */
static int
collective_memory_map(struct collective_memory *c, int directory,
    struct error *e)
{
	const struct collective_config *config = &c->config;

	c->fd = collective_file_open(directory, c->size, COLLECTIVE_FILE_MAX,
	    e);
	if (c->fd == -1 ||
	    collective_file_lock(c->fd, config->first, config->local, e) != 0)
		return -1;
	c->shared = mmap(NULL, c->size, PROT_READ | PROT_WRITE, MAP_SHARED,
	    c->fd, 0);
	return c->shared != MAP_FAILED ? 0 : no_memory(c, e);
}

/* ---- joining ---- */

/*
 * Locate the areas of the shared memory, each aligned to a cache line:
 *
 *	struct shared | part 0: vector of replica 0, 1, ... and sum | part 1 ...
 */
static void
locate_areas(struct collective_memory *c)
{
	size_t offset = rounded(sizeof(*c->shared));
	int i;

	for (i = 0; i < c->config.part_count; i++) {
		c->area[i] = (float *)(void *)((char *)c->shared + offset);
		offset += area_bytes(&c->config, i);
	}
}

/* Return true if every replica has joined as many sessions as ours. */
static bool
are_all_here(const struct collective_memory *c)
{
	int i;

	for (i = 0; i < c->config.total; i++)
		if (atomic_load(&c->shared->members[i].joined) != c->session)
			return false;
	return true;
}

/* Record our replicas; joining again counts up their sessions. */
static int
collective_join(struct collective_memory *c, struct error *e)
{
	const struct collective_config *config = &c->config;
	struct member *m;
	int i;

	locate_areas(c);
	if (collective_report(c, e) != 0)
		return error_prefix(e, "this job cannot go on");
	for (i = config->first; i < config->first + config->local; i++) {
		m = &c->shared->members[i];
		atomic_store(&m->pid, (int32_t)getpid());
		atomic_store(&m->sizes, c->config.sizes);
		c->session = atomic_fetch_add(&m->joined, 1) + 1;
	}
	return 0;
}

/* Join the processes in the job's directory. */
static int
meet(struct collective_memory *c, struct error *e)
{
	const int directory = job_directory_open(c->config.directory, e);
	int status = -1;

	if (directory == -1)
		return -1;
	c->roster = roster_open(directory);
	if (collective_file_lock_directory(directory, c->config.join_seconds,
		e) == 0 &&
	    collective_memory_map(c, directory, e) == 0 &&
	    (status = collective_join(c, e)) == 0 && are_all_here(c))
		collective_file_unlink(directory);
	(void)close(directory);
	return status;
}

/* Use private memory, because this process is the whole job. */
static int
stay_alone(struct collective_memory *c, struct error *e)
{
	c->shared = mmap(NULL, c->size, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return c->shared != MAP_FAILED ?
	    collective_join(c, e) :
	    no_memory(c, e);
}

static void
collective_release(struct collective_memory *c)
{
	if (c->shared != NULL)
		(void)munmap(c->shared, c->size);
	if (c->fd != -1)
		(void)close(c->fd);
	if (c->roster != -1)
		(void)close(c->roster);
	free(c);
}

static void
collective_wake(_Atomic uint32_t *word)
{
	(void)syscall(SYS_futex, word, FUTEX_WAKE_SHARED, INT32_MAX, NULL, NULL,
	    0);
}

/* Wake all waiting replicas, here and elsewhere, to look around. */
static void
wake_all(struct collective_memory *c)
{
	int i;

	for (i = 0; i < c->config.part_count; i++)
		collective_wake(&c->shared->parts[i].round);
}

static void
collective_memory_fail(struct collective *base)
{
	struct collective_memory *c = memory_of(base);

	atomic_store(&c->failed, true);
	wake_all(c);
}

/* Write `left` before the descriptor drops the locks, so that a replica that
   left does not count as killed. */
static void
collective_memory_close(struct collective *base, bool failed)
{
	struct collective_memory *c = memory_of(base);
	struct member *m;
	int i;

	for (i = c->config.first; i < c->config.first + c->config.local; i++) {
		m = &c->shared->members[i];
		if (failed && atomic_load(&c->shared->loss) == LOSS_NONE)
			atomic_store(&m->failed, 1);
		atomic_store(&m->left, atomic_load(&m->joined));
	}
	wake_all(c);
	collective_release(c);
}

/* Return true if the process of a replica is gone: the kernel dropped its lock.
   This needs no /proc, is not fooled by a reused process id, and works between
   containers. */
static bool
collective_is_gone(const struct collective_memory *c, int replica)
{
	const struct collective_config *config = &c->config;

	if (c->fd == -1 ||
	    (replica >= config->first &&
		replica < config->first + config->local))
		return false;
	return !collective_file_is_locked(c->fd, replica);
}

/* Ask the supervisor's locks about a replica that has not joined.  A grandchild
   that outlives its instance may still join; but no replica waits for it. */
static enum member_loss
look_at_absent(const struct collective_memory *c, int replica,
    int64_t waited_ms)
{
	pid_t pid;

	switch (roster_look(c->roster, collective_instance(c, replica), &pid)) {
	case ROSTER_ENDED:
		atomic_store(&c->shared->members[replica].pid, (int32_t)pid);
		return LOSS_ENDED;
	case ROSTER_NO_SUPERVISOR:
		return LOSS_SUPERVISOR;
	case ROSTER_RUNS:
		break;
	}
	return waited_ms > c->config.join_seconds * INT64_C(1000) ?
	    LOSS_ABSENT :
	    LOSS_NONE;
}

/* Find out whether a replica will never arrive, and why.  A second read of
   `joined` sees one that joins meanwhile. */
static enum member_loss
collective_look_at(const struct collective_memory *c, int replica,
    int64_t waited_ms)
{
	struct member *m = &c->shared->members[replica];
	uint32_t joined = atomic_load(&m->joined);
	uint32_t left = atomic_load(&m->left);
	enum member_loss loss;
	pid_t pid;

	if (atomic_load(&m->failed) != 0)
		return LOSS_FAILED;
	if (joined != left && collective_is_gone(c, replica))
		return LOSS_GONE;
	if (joined == c->session && left == joined)
		return LOSS_LEFT;
	if (joined < c->session) {
		loss = look_at_absent(c, replica, waited_ms);
		return atomic_load(&m->joined) == joined ? loss : LOSS_NONE;
	}
	replica = collective_instance(c, replica);
	return c->fd != -1 &&
		roster_look(c->roster, replica, &pid) == ROSTER_NO_SUPERVISOR ?
	    LOSS_SUPERVISOR :
	    LOSS_NONE;
}

/* Return 0, or -1 with the reason that this round cannot complete.  Trouble is
   checked first, because it may have caused a replica's failure. */
static int
look_around(struct collective_memory *c, const struct collective_part *p,
    uint32_t round, int64_t waited_ms, struct error *e)
{
	enum member_loss loss;
	int i;

	if (c->config.trouble != NULL &&
	    c->config.trouble(c->config.context, e) != 0)
		return -1;
	for (i = 0; i < c->config.total; i++) {
		loss = collective_look_at(c, i, waited_ms);
		/* A replica may have completed this round before it left. */
		if (loss != LOSS_NONE && atomic_load(&p->round) == round)
			return lose(c, loss, i, e);
	}
	return collective_report(c, e);
}

/* Wait for the end of the round.  The futex sleeps only if the round is
   unchanged.  It is woken at the end of the round and when a replica leaves;
   the time limit serves to notice killed replicas. */
static int
wait_for_round(struct collective_memory *c, struct collective_part *p,
    uint32_t round, struct error *e)
{
	const struct timespec pause = { 0, LOOK_AROUND_MS * 1000000L };
	const int64_t start_ms = clock_monotonic_ms();

	/* Only ask for trouble: replicas that it hit report it first. */
	if (c->config.trouble != NULL)
		(void)c->config.trouble(c->config.context, NULL);
	while (atomic_load(&p->round) == round) {
		if (atomic_load(&c->failed))
			return error_set(e,
			    "another replica of this process has failed");
		(void)syscall(SYS_futex, &p->round, FUTEX_WAIT_SHARED, round,
		    &pause, NULL, 0);
		if (atomic_load(&p->round) == round &&
		    look_around(c, p, round, clock_monotonic_ms() - start_ms,
			e) != 0)
			return -1;
	}
	return 0;
}

/* Wait for all replicas.  In round 7 early ones wait; the last one sets
   `arrived` to 0 and the round to 8.  -1: a replica will never come. */
static int
barrier(struct collective_memory *c, struct collective_part *p, struct error *e)
{
	const uint32_t round = atomic_load(&p->round);

	if (atomic_fetch_add(&p->arrived, 1) + 1 < (uint32_t)c->config.total)
		return wait_for_round(c, p, round, e);
	/* This is the last one.  A new arrival needs the new round. */
	atomic_store(&p->arrived, 0);
	atomic_store(&p->round, round + 1);
	collective_wake(&p->round);
	return 0;
}

/*
 * Every replica stores its vector, sums its share of the elements over all
 * vectors in replica order, and copies the whole sum.  After the second barrier
 * the next round's vectors may be written.  Its sums are only written after its
 * first barrier, which proves that all have copied this sum.
 *
 * With three replicas and 6 elements, replica 0 adds elements 0 and 1, replica
 * 1 adds 2 and 3, replica 2 adds 4 and 5, each as (v0 + v1) + v2.  That order
 * does not depend on the order of arrival, so every run gives the same bits.
 */
static int
collective_memory_sum(struct collective *base, int part, int replica,
    float *data, struct error *e)
{
	struct collective_memory *c = memory_of(base);
	const size_t n = c->config.floats[part];
	const size_t total = (size_t)c->config.total;
	const size_t first = n * (size_t)replica / total;
	const size_t end = n * ((size_t)replica + 1) / total;
	float *area = c->area[part], *sum = area + total * n;
	struct collective_part *p = &c->shared->parts[part];
	size_t r, i;

	memcpy(area + (size_t)replica * n, data, n * sizeof(float));
	if (barrier(c, p, e) != 0)
		return -1;
	for (r = 0; r < total; r++)
		if (atomic_load(&c->shared->members[r].sizes) !=
		    c->config.sizes)
			return lose(c, LOSS_SIZES, (int)r, e);
	memcpy(sum + first, area + first, (end - first) * sizeof(float));
	for (r = 1; r < total; r++)
		for (i = first; i < end; i++)
			sum[i] += area[r * n + i];
	if (barrier(c, p, e) != 0)
		return -1;
	memcpy(data, sum, n * sizeof(float));
	return 0;
}

static const struct collective_way collective_memory_way = {
	.sum = collective_memory_sum,
	.fail = collective_memory_fail,
	.close = collective_memory_close,
};

/* Refuse as much as possible before the file is opened. */
struct collective *
collective_memory_open(const struct collective_config *config, struct error *e)
{
	struct collective_memory *c = xcalloc(1, sizeof(*c));
	int i, status;

	assert(config->part_count <= COLLECTIVE_PARTS_MAX &&
	    config->first + config->local <= config->total);
	c->base.way = &collective_memory_way;
	c->config = *config;
	c->fd = c->roster = -1;
	c->size = rounded(sizeof(*c->shared));
	for (i = 0; i < config->part_count; i++)
		c->size += area_bytes(config, i);
	if (config->total > COLLECTIVE_REPLICAS_MAX ||
	    c->size > COLLECTIVE_FILE_MAX)
		status = error_set(e,
		    "%d replicas are too many to share gradients: at most %d, "
		    "in %zu bytes",
		    config->total, COLLECTIVE_REPLICAS_MAX,
		    COLLECTIVE_FILE_MAX);
	else
		status = config->directory != NULL ?
		    meet(c, e) :
		    stay_alone(c, e);
	if (status == 0)
		return &c->base;
	collective_release(c);
	return NULL;
}
