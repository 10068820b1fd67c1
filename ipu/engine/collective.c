#include "ipu/engine/collective.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"

/* linux/futex.h, which musl's compiler does not see. */
enum { FUTEX_WAIT_SHARED = 0, FUTEX_WAKE_SHARED = 1 };

enum {
	LOOK_AROUND_MS = 250,	/* how often a waiting replica looks whether
				   the others are alive */
	LINE = 64
};

/*
 * One replica.  A session is one program's run; the programs of a job may run
 * one after the other in the same memory.
 */
struct member {
	_Atomic int32_t		pid;
	_Atomic uint32_t	joined;		/* sessions */
	_Atomic uint32_t	left;		/* sessions */
	_Atomic uint32_t	failed;
	_Atomic uint64_t	sizes;		/* a hash of total and parts */
};

/* A barrier for each part, on a cache line of its own. */
struct part {
	_Alignas(LINE) _Atomic uint32_t	arrived;
	_Atomic uint32_t		round;
};

/*
 * Why the job cannot go on, and whose fault it is.  The first replica that
 * finds out writes it down; all others take it from there, so that they do
 * not accuse those that merely fell with it.
 */
enum loss { LOSS_NONE, LOSS_GONE, LOSS_FAILED, LOSS_LEFT, LOSS_ABSENT,
    LOSS_SIZES };

struct shared {
	_Atomic uint64_t	loss;	/* enum loss << 32 | replica */
	struct member	members[COLLECTIVE_REPLICAS_MAX];
	struct part	parts[COLLECTIVE_PARTS_MAX];
};

struct collective {
	struct collective_config config;
	struct shared		*shared;
	size_t			 size;		/* mapped */
	float			*area[COLLECTIVE_PARTS_MAX];
	uint32_t		 session;
	uint64_t		 sizes;
	_Atomic bool		 failed;	/* here, so nobody waits */
};

static size_t
rounded(size_t bytes)
{
	return (bytes + LINE - 1) / LINE * LINE;
}

/* Of a part: a vector a replica, and their sum. */
static size_t
area_bytes(const struct collective_config *c, int part)
{
	return rounded((size_t)(c->total + 1) * c->floats[part] *
	    sizeof(float));
}

static uint64_t
hash(const struct collective_config *c)
{
	uint64_t	h = (uint64_t)c->total;
	int		i;

	for (i = 0; i < c->part_count; i++)
		h = (h ^ c->floats[i]) * 0x100000001b3u;
	return h;
}

/* 0, or -1 and why the job cannot go on. */
static int
report(const struct collective *c, struct error *e)
{
	const uint64_t	loss = atomic_load(&c->shared->loss);
	const int	replica = (int)(uint32_t)loss;
	const int	pid = atomic_load(&c->shared->members[replica].pid);

	switch ((enum loss)(loss >> 32)) {
	case LOSS_NONE:
		return 0;
	case LOSS_GONE:
		return error_set(e, "replica %d (process %d) is gone", replica,
		    pid);
	case LOSS_FAILED:
		return error_set(e, "replica %d (process %d) has failed",
		    replica, pid);
	case LOSS_LEFT:
		return error_set(e, "replica %d (process %d) ended before the "
		    "others", replica, pid);
	case LOSS_ABSENT:
		return error_set(e, "replica %d did not join within %d "
		    "seconds", replica, c->config.join_seconds);
	default:
		return error_set(e, "replica %d (process %d) trains another "
		    "model or another number of replicas", replica, pid);
	}
}

/* Write the loss down unless there is one already; -1 and the first one. */
static int
lose(struct collective *c, enum loss loss, int replica, struct error *e)
{
	uint64_t	none = LOSS_NONE;

	(void)atomic_compare_exchange_strong(&c->shared->loss, &none,
	    (uint64_t)loss << 32 | (uint32_t)replica);
	return report(c, e);
}

static void *
map(const struct collective_config *c, size_t size, struct error *e)
{
	int		 fd = -1, flags = MAP_SHARED;
	void		*memory;
	struct stat	 st;

	if (c->path == NULL) {
		flags |= MAP_ANONYMOUS;
	} else {
		fd = open(c->path, O_RDWR | O_CLOEXEC);
		if (fd == -1) {
			(void)error_set_errno(e, "%s: cannot open %s",
			    COLLECTIVE_VARIABLE, c->path);
			return NULL;
		}
		if (fstat(fd, &st) == -1 || (size_t)st.st_size < size) {
			(void)error_set(e, "%s: %s is smaller than the %zu "
			    "bytes that %d replicas need", COLLECTIVE_VARIABLE,
			    c->path, size, c->total);
			(void)close(fd);
			return NULL;
		}
	}
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (memory == MAP_FAILED) {
		(void)error_set_errno(e, "cannot map %zu bytes to share with "
		    "the other replicas", size);
		memory = NULL;
	}
	if (fd != -1)
		(void)close(fd);
	return memory;
}

struct collective *
collective_open(const struct collective_config *config, struct error *e)
{
	struct collective	*c = xcalloc(1, sizeof(*c));
	size_t			 offset = rounded(sizeof(*c->shared));
	struct member		*m;
	int			 i;

	assert(config->part_count <= COLLECTIVE_PARTS_MAX &&
	    config->first + config->local <= config->total);
	c->config = *config;
	c->sizes = hash(config);
	for (i = 0; i < config->part_count; i++)
		c->size += area_bytes(config, i);
	c->size += offset;
	if (config->total > COLLECTIVE_REPLICAS_MAX ||
	    c->size > COLLECTIVE_BYTES) {
		(void)error_set(e, "%d replicas are too many to share "
		    "gradients: at most %d, in %zu bytes", config->total,
		    COLLECTIVE_REPLICAS_MAX, COLLECTIVE_BYTES);
		free(c);
		return NULL;
	}
	if ((c->shared = map(config, c->size, e)) == NULL) {
		free(c);
		return NULL;
	}
	for (i = 0; i < config->part_count; i++) {
		c->area[i] = (float *)(void *)((char *)c->shared + offset);
		offset += area_bytes(config, i);
	}
	if (report(c, e) == -1) {
		(void)error_prefix(e, "an earlier program of this job ended");
		(void)munmap(c->shared, c->size);
		free(c);
		return NULL;
	}
	for (i = config->first; i < config->first + config->local; i++) {
		m = &c->shared->members[i];
		atomic_store(&m->pid, (int32_t)getpid());
		atomic_store(&m->sizes, c->sizes);
		c->session = atomic_fetch_add(&m->joined, 1) + 1;
	}
	return c;
}

static void
wake(_Atomic uint32_t *word)
{
	(void)syscall(SYS_futex, word, FUTEX_WAKE_SHARED, INT32_MAX, NULL,
	    NULL, 0);
}

void
collective_fail(struct collective *c)
{
	int	i;

	atomic_store(&c->failed, true);
	for (i = 0; i < c->config.part_count; i++)
		wake(&c->shared->parts[i].round);
}

void
collective_close(struct collective *c, bool failed)
{
	struct member	*m;
	int		 i;

	if (c == NULL)
		return;
	for (i = c->config.first; i < c->config.first + c->config.local; i++) {
		m = &c->shared->members[i];
		if (failed && atomic_load(&c->shared->loss) == LOSS_NONE)
			atomic_store(&m->failed, 1);
		atomic_store(&m->left, atomic_load(&m->joined));
	}
	(void)munmap(c->shared, c->size);
	free(c);
}

/* A process that has ended, although its parent may not have seen it yet. */
static bool
has_ended(int32_t pid)
{
	char	*path, text[512], *state;
	int	 fd;
	ssize_t	 len;

	if (kill(pid, 0) == -1)
		return errno == ESRCH;
	path = xasprintf("/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (fd == -1)
		return errno == ENOENT;
	len = read(fd, text, sizeof(text) - 1);
	(void)close(fd);
	if (len <= 0)
		return true;
	text[len] = '\0';
	/* "PID (NAME) STATE ..."; the name may hold anything. */
	state = strrchr(text, ')');
	return state != NULL && (strncmp(state, ") Z", 3) == 0 ||
	    strncmp(state, ") X", 3) == 0);
}

/* Whether a replica will never arrive, and why. */
static enum loss
look_at(const struct collective *c, int replica, long waited_ms)
{
	struct member	*m = &c->shared->members[replica];
	uint32_t	 joined = atomic_load(&m->joined);
	uint32_t	 left = atomic_load(&m->left);

	if (atomic_load(&m->failed) != 0)
		return LOSS_FAILED;
	if (joined != left && has_ended(atomic_load(&m->pid)))
		return LOSS_GONE;
	if (joined == c->session && left == joined)
		return LOSS_LEFT;
	if (joined < c->session && waited_ms > c->config.join_seconds * 1000L)
		return LOSS_ABSENT;
	return LOSS_NONE;
}

static int
wait_for_round(struct collective *c, struct part *p, uint32_t round,
    struct error *e)
{
	const struct timespec	patience = { 0, LOOK_AROUND_MS * 1000000L };
	long			waited_ms = 0;
	enum loss		loss;
	int			i;

	while (atomic_load(&p->round) == round) {
		if (atomic_load(&c->failed))
			return error_set(e, "another replica of this process "
			    "has failed");
		if (syscall(SYS_futex, &p->round, FUTEX_WAIT_SHARED, round,
		    &patience, NULL, 0) == 0 || errno != ETIMEDOUT)
			continue;
		waited_ms += LOOK_AROUND_MS;
		for (i = 0; i < c->config.total; i++) {
			loss = look_at(c, i, waited_ms);
			/* One that has left may have ended this round first. */
			if (loss != LOSS_NONE &&
			    atomic_load(&p->round) == round)
				return lose(c, loss, i, e);
		}
		if (report(c, e) == -1)
			return -1;
	}
	return 0;
}

static int
barrier(struct collective *c, struct part *p, struct error *e)
{
	const uint32_t	round = atomic_load(&p->round);

	if (atomic_fetch_add(&p->arrived, 1) + 1 <
	    (uint32_t)c->config.total)
		return wait_for_round(c, p, round, e);
	/* The last one. Nobody can arrive again before the round moves. */
	atomic_store(&p->arrived, 0);
	atomic_store(&p->round, round + 1);
	wake(&p->round);
	return 0;
}

/*
 * Every replica lays its vector out, sums its own share of the elements over
 * all vectors in the order of replicas, and takes the whole sum.  The next
 * round's vectors may be written as soon as the second barrier is passed; its
 * sums not before all have taken this one, which its first barrier proves.
 */
int
collective_sum(struct collective *c, int part, int replica, float *data,
    struct error *e)
{
	const size_t	 n = c->config.floats[part];
	const size_t	 total = (size_t)c->config.total;
	const size_t	 first = n * (size_t)replica / total;
	const size_t	 end = n * ((size_t)replica + 1) / total;
	float		*area = c->area[part], *sum = area + total * n;
	struct part	*p = &c->shared->parts[part];
	size_t		 r, i;

	memcpy(area + (size_t)replica * n, data, n * sizeof(float));
	if (barrier(c, p, e) == -1)
		return -1;
	for (r = 0; r < total; r++)
		if (atomic_load(&c->shared->members[r].sizes) != c->sizes)
			return lose(c, LOSS_SIZES, (int)r, e);
	memcpy(sum + first, area + first, (end - first) * sizeof(float));
	for (r = 1; r < total; r++)
		for (i = first; i < end; i++)
			sum[i] += area[r * n + i];
	if (barrier(c, p, e) == -1)
		return -1;
	memcpy(data, sum, n * sizeof(float));
	return 0;
}
