/*
 * The engine allocates nothing once it has started: calls of the tutorial's
 * model, pipelined and sharded, with replicas and with the trace on, are
 * counted by the linker's --wrap (see the Makefile).  So is a long wait.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "core/base/alloc.h"
#include "tests/unit/engine_util.h"
#include "tests/unit/tap.h"

enum {
	STAGES = ENGINE_UTIL_STAGES,
	SAMPLES = 1000,
	MICRO_BATCH = 8,
	ACCUMULATION = 7,
	ITERATIONS = 2,
	REPLICAS = 2
};

static atomic_long allocations;
static sem_t looked; /* a replica looked after another */

void *__real_malloc(size_t);
void *__wrap_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__wrap_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t);
void *__wrap_aligned_alloc(size_t, size_t);
int __real_posix_memalign(void **, size_t, size_t);
int __wrap_posix_memalign(void **, size_t, size_t);
long __real_syscall(long, ...);
long __wrap_syscall(long, ...);

void *
__wrap_malloc(size_t size)
{
	(void)atomic_fetch_add(&allocations, 1);
	return __real_malloc(size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
	(void)atomic_fetch_add(&allocations, 1);
	return __real_calloc(count, size);
}

void *
__wrap_realloc(void *old, size_t size)
{
	(void)atomic_fetch_add(&allocations, 1);
	return __real_realloc(old, size);
}

void *
__wrap_aligned_alloc(size_t align, size_t size)
{
	(void)atomic_fetch_add(&allocations, 1);
	return __real_aligned_alloc(align, size);
}

int
__wrap_posix_memalign(void **result, size_t align, size_t size)
{
	(void)atomic_fetch_add(&allocations, 1);
	return __real_posix_memalign(result, align, size);
}

/* Whose wait took too long looks around. */
long
__wrap_syscall(long number, ...)
{
	va_list ap;
	long arguments[6], result;
	int reason, i;

	va_start(ap, number);
	for (i = 0; i < 6; i++)
		arguments[i] = va_arg(ap, long);
	va_end(ap);
	result = __real_syscall(number, arguments[0], arguments[1],
	    arguments[2], arguments[3], arguments[4], arguments[5]);
	reason = errno;
	if (number == SYS_futex && result == -1 && reason == ETIMEDOUT)
		(void)sem_post(&looked);
	errno = reason;
	return result;
}

static struct engine_util set;

/* What three calls allocate; starting is not counted, but must be seen. */
static void
is_steady(struct engine_config c, const char *name)
{
	struct engine_input input = { set.digits.pixels, set.digits.labels,
		set.order };
	struct engine *e;
	long before = atomic_load(&allocations);
	int i;

	c.collective = engine_util_join(&set, c.local_replicas, 0,
	    c.local_replicas, NULL);
	e = engine_start(&c, NULL);
	ok(atomic_load(&allocations) > before + STAGES, "starting allocates");
	before = atomic_load(&allocations);
	for (i = 0; i < 3; i++)
		if (engine_call(e, &input, NULL) == -1)
			abort();
	is_int(atomic_load(&allocations) - before, 0, name);
	engine_stop(e);
	collective_close(c.collective, false);
}

/* A replica that comes only when the other has looked where it is. */
static void *
come_late(void *argument)
{
	float number = 2;

	(void)sem_wait(&looked);
	if (collective_sum(argument, 0, 1, &number, NULL) == -1)
		abort();
	return NULL;
}

/* The other one waits long enough to look around: on a busy machine it may. */
static void
waits_steadily(void)
{
	struct collective_config job = { .total = 2,
		.local = 2,
		.part_count = 1,
		.floats = { 1 },
		.join_seconds = 20 };
	struct collective *c = collective_open(&job, NULL);
	pthread_t late;
	float number = 1;
	long before;

	while (sem_trywait(&looked) == 0)
		; /* an earlier wait was long as well */
	if (c == NULL || pthread_create(&late, NULL, come_late, c) != 0)
		abort();
	before = atomic_load(&allocations);
	is_int(collective_sum(c, 0, 0, &number, NULL), 0,
	    "a sum with a late replica");
	is_int(atomic_load(&allocations) - before, 0, "a long wait");
	(void)pthread_join(late, NULL);
	is_int((int)number, 3, "the sum");
	collective_close(c, false);
}

int
main(void)
{
	struct engine_config c;

	(void)sem_init(&looked, 0, 0);
	engine_util_init(&set, SAMPLES, false);
	c = engine_util_config(&set, MICRO_BATCH);
	c.gradient_accumulation = ACCUMULATION;
	c.device_iterations = ITERATIONS;
	is_steady(c, "pipelined");
	c.trace = true;
	is_steady(c, "with the trace on");
	c.recompute = c.offload_optimiser = true;
	is_steady(c, "recomputed and off-loaded");
	c.strategy = STRATEGY_INTERLEAVED;
	is_steady(c, "interleaved");
	c.strategy = STRATEGY_SHARDED;
	is_steady(c, "sharded");
	c.strategy = STRATEGY_PIPELINED;
	c.local_replicas = c.total_replicas = REPLICAS;
	is_steady(c, "two replicas");
	c.local_replicas = c.total_replicas = 1;
	c.training = c.recompute = c.offload_optimiser = false;
	c.gradient_accumulation = 1;
	c.device_iterations = 20;
	is_steady(c, "inference");
	waits_steadily();
	engine_util_release(&set);
	return tap_done();
}
