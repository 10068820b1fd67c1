/*
 * Training runs of the tutorial's model on drawn digits: equal weights to the
 * bit whatever the strategy, several replicas in one process and in several,
 * and what the executor really ran.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "tests/unit/engine_util.h"
#include "tests/unit/shared_util.h"
#include "tests/unit/tap.h"

enum {
	SAMPLES = 2000,
	STAGES = ENGINE_UTIL_STAGES,
	MICRO_BATCH = 12, /* leaves lanes empty in every kernel */
	ACCUMULATION = 9,
	ITERATIONS = 2,
	A_CALL = MICRO_BATCH * ACCUMULATION * ITERATIONS
};

static struct engine_util set;

static struct engine_config
config_of(enum strategy strategy)
{
	struct engine_config c = engine_util_config(&set, MICRO_BATCH);

	c.strategy = strategy;
	c.gradient_accumulation = ACCUMULATION;
	c.device_iterations = ITERATIONS;
	return c;
}

static void
call(struct engine *e, int number, int replicas)
{
	engine_util_call(e, &set, set.order + number * A_CALL * replicas);
}

/* The weights after two calls. */
static uint64_t
trained(const struct engine_config *c)
{
	struct engine *e = engine_util_start(c);
	uint64_t sum;

	call(e, 0, c->local_replicas);
	call(e, 1, c->local_replicas);
	sum = engine_checksum(e, 0);
	engine_stop(e);
	return sum;
}

static void
test_strategies(void)
{
	struct engine_config c = config_of(STRATEGY_PIPELINED);
	const uint64_t wanted = trained(&c);

	ok(trained(&c) == wanted, "the same run twice: equal bits");
	c.strategy = STRATEGY_SHARDED;
	ok(trained(&c) == wanted, "sharded as pipelined: equal bits");
	c.strategy = STRATEGY_ONE_IPU;
	ok(trained(&c) == wanted, "one IPU as four: equal bits");
	c.strategy = STRATEGY_INTERLEAVED;
	ok(trained(&c) == wanted, "interleaved: equal bits");
	c.stage_ipu[2] = c.stage_ipu[3] = 0;
	ok(trained(&c) == wanted, "and three stages on an IPU: equal bits");
	c = config_of(STRATEGY_PIPELINED);
	c.stage_ipu[2] = 1;
	c.stage_ipu[3] = 0;
	ok(trained(&c) == wanted, "there and back on two IPUs: equal bits");
	c.strategy = STRATEGY_ONE_IPU;
	c.stages = 1;
	c.stage_blocks[0] = 4;
	ok(trained(&c) == wanted, "one stage as four: equal bits");
	c.strategy = STRATEGY_PIPELINED;
	c.stages = 2;
	c.stage_blocks[0] = 1;
	c.stage_blocks[1] = 3;
	ok(trained(&c) == wanted, "two unequal stages: equal bits");
	c = config_of(STRATEGY_PIPELINED);
	c.offload_optimiser = true;
	ok(trained(&c) == wanted, "optimiser off the chip: equal bits");
	c.recompute = true;
	ok(trained(&c) == wanted, "recomputation: equal bits");
	c.optimiser.learning_rate = 0.002;
	ok(trained(&c) != wanted, "another learning rate: other bits");
}

static bool
is_step(const struct trace_event *e)
{
	return e->kind == TRACE_FORWARD || e->kind == TRACE_BACKWARD ||
	    e->kind == TRACE_UPDATE;
}

/* One IPU's trace against its rows of the schedule. */
static bool
ran_as_planned(const struct trace *t, const struct schedule *s, int ipu)
{
	int d, i, n = 0;

	for (d = 0; d < ITERATIONS; d++) {
		for (i = 0; i < s->step_count; i++) {
			const struct trace_event *e;

			if (s->steps[i].ipu != ipu)
				continue;
			while (n < t->count && !is_step(&t->events[n]))
				n++;
			e = &t->events[n];
			if (n == t->count || e->iteration != d ||
			    e->ipu != ipu ||
			    memcmp(&e->step, &s->steps[i], sizeof(e->step)) !=
				0 ||
			    e->end_ns < e->start_ns ||
			    (n > 0 && e->start_ns < e[-1].end_ns))
				return false;
			n++;
		}
	}
	while (n < t->count && !is_step(&t->events[n]))
		n++;
	return n == t->count;
}

static const struct trace_event *
event(const struct engine *e, int stage, int m, int d, enum step_kind kind)
{
	const struct trace *t = engine_trace(e, 0, stage);
	int i;

	for (i = 0; i < t->count; i++)
		if (is_step(&t->events[i]) && t->events[i].step.kind == kind &&
		    t->events[i].step.micro_batch == m &&
		    t->events[i].iteration == d)
			return &t->events[i];
	return NULL;
}

/* By the clock: what needs another's result began after that one ended. */
static bool
clock_is_right(const struct engine *e)
{
	int d, m, s;

	for (d = 0; d < ITERATIONS; d++) {
		for (m = 0; m < ACCUMULATION; m++) {
			for (s = 0; s + 1 < STAGES; s++) {
				if (event(e, s + 1, m, d, STEP_FORWARD)
					->start_ns <
				    event(e, s, m, d, STEP_FORWARD)->end_ns)
					return false;
				if (event(e, s, m, d, STEP_BACKWARD)->start_ns <
				    event(e, s + 1, m, d, STEP_BACKWARD)
					->end_ns)
					return false;
			}
		}
		/* Updates only when the pipeline is empty. */
		for (s = 0; s < STAGES; s++)
			if (event(e, s, -1, d, STEP_UPDATE)->start_ns <
			    event(e, 0, ACCUMULATION - 1, d, STEP_BACKWARD)
				->end_ns)
				return false;
	}
	return true;
}

static int
deepest(const struct trace *t)
{
	int i, most = 0;

	for (i = 0; i < t->count; i++)
		if (t->events[i].in_flight > most)
			most = t->events[i].in_flight;
	return most;
}

static void
test_trace(void)
{
	struct engine_config c = config_of(STRATEGY_PIPELINED);
	struct schedule_config sc = { STRATEGY_PIPELINED, STAGES, true,
		ACCUMULATION, NULL };
	struct schedule s;
	struct engine *e;
	int ipu;
	bool planned = true, depth = true;

	c.trace = true;
	e = engine_util_start(&c);
	call(e, 0, 1);
	call(e, 1, 1);
	(void)schedule_init(&s, &sc, NULL);
	for (ipu = 0; ipu < STAGES; ipu++) {
		const struct trace *t = engine_trace(e, 0, ipu);

		planned = planned && ran_as_planned(t, &s, ipu);
		depth = depth && deepest(t) == 2 * (STAGES - 1 - ipu) + 1;
	}
	ok(planned, "each IPU ran its rows of the schedule, in order");
	ok(depth, "stashes were 7, 5, 3 and 1 deep, no more and no less");
	ok(clock_is_right(e), "nothing began before what it needs had ended");
	schedule_release(&s);
	engine_stop(e);
}

enum { REPLICAS = 3 };

/* Several replicas in this process. */
static uint64_t
train_together(bool *equal)
{
	struct engine_config c = config_of(STRATEGY_PIPELINED);
	struct engine *e;
	uint64_t sum;
	int n, r;

	c.collective = engine_util_join(&set, REPLICAS, 0, REPLICAS, NULL);
	c.local_replicas = c.total_replicas = REPLICAS;
	e = engine_util_start(&c);
	*equal = true;
	for (n = 0; n < 2; n++) {
		call(e, n, REPLICAS);
		for (r = 1; r < REPLICAS; r++)
			*equal = *equal &&
			    engine_checksum(e, r) == engine_checksum(e, 0);
	}
	sum = engine_checksum(e, 0);
	engine_stop(e);
	collective_close(c.collective, false);
	return sum;
}

/* One replica of several processes; its part of the same samples. */
static uint64_t
train_apart(int replica, const char *path)
{
	struct engine_config c = config_of(STRATEGY_PIPELINED);
	struct engine *e;
	uint64_t sum;
	int n;

	c.collective = engine_util_join(&set, REPLICAS, replica, 1, path);
	c.first_replica = replica;
	c.total_replicas = REPLICAS;
	e = engine_util_start(&c);
	for (n = 0; n < 2; n++)
		call(e, n * REPLICAS + replica, 1);
	sum = engine_checksum(e, 0);
	engine_stop(e);
	collective_close(c.collective, false);
	return sum;
}

static void
test_replicas(void)
{
	struct engine_config c = config_of(STRATEGY_PIPELINED);
	char *path = shared_new();
	uint64_t *sums, wanted;
	pid_t pids[REPLICAS];
	int r, status, good = 0;
	bool equal;

	wanted = train_together(&equal);
	ok(equal, "three replicas in one process: equal bits in each call");
	ok(wanted != trained(&c), "and not those of one replica alone");
	sums = mmap(NULL, REPLICAS * sizeof(*sums), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sums == MAP_FAILED)
		abort();
	(void)fflush(stdout);
	for (r = 0; r < REPLICAS; r++) {
		pids[r] = fork();
		if (pids[r] == 0) {
			sums[r] = train_apart(r, path);
			_exit(0);
		}
	}
	for (r = 0; r < REPLICAS; r++) {
		(void)waitpid(pids[r], &status, 0);
		good += status == 0 && sums[r] == wanted;
	}
	is_int(good, REPLICAS, "and in three processes: the same bits");
	(void)munmap(sums, REPLICAS * sizeof(*sums));
	is_int(shared_remove(path), 0, "nothing is left of what they shared");
}

int
main(void)
{
	engine_util_init(&set, SAMPLES, true);
	is_int((long long)set.model.parameter_count, 90026, "parameters");
	test_strategies();
	test_trace();
	test_replicas();
	engine_util_release(&set);
	return tap_done();
}
