/*
 * Replicas: the same samples for each update, split in different ways over
 * replicas, micro-batches, device iterations and processes.
 *
 * Where the order of sums stays, so do the bits: gradients are added up by
 * micro-batch within a replica, then by replica.  Where it does not, as when
 * one replica does with 20 micro-batches what two do with 10 each, weights
 * differ by rounding.  Six updates change a weight by up to 5e-3; with SGD the
 * splits differ by 2e-8 at most (1e-7 is allowed).  AdamW divides a gradient by
 * its own size, so where one is nearly 0 rounding decides its sign, and an
 * update may differ by up to twice the learning rate: seen is 2e-4, and 63 of
 * 90,026 weights that differ by more than 1e-5 (900 are allowed).
 */
#include <math.h>
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
	UPDATES = 6,
	UPDATE = 240, /* samples */
	SAMPLES = UPDATES * UPDATE,
	RIVALS = 4, /* processes at most */
	JOIN_SECONDS = 20
};

/* How the samples of the updates are split. */
struct split {
	int replicas, accumulation, iterations, micro_batch;
	enum strategy strategy;
};

static struct engine_util set;

static struct engine_config
config_of(const struct split *s, struct optimiser optimiser)
{
	struct engine_config c = engine_util_config(&set, s->micro_batch);

	c.strategy = s->strategy;
	c.output_mode = OUTPUT_FINAL;
	c.gradient_accumulation = s->accumulation;
	c.device_iterations = s->iterations;
	c.local_replicas = c.total_replicas = s->replicas;
	c.optimiser = optimiser;
	return c;
}

/*
 * The samples of a call as [replica][iteration][accumulation][sample]; an
 * update takes its own, whatever the split: replica by replica.
 */
static uint32_t *
samples_of(const struct split *s, int call)
{
	const size_t each = (size_t)s->accumulation * (size_t)s->micro_batch;
	uint32_t *samples = xcalloc((size_t)s->iterations * UPDATE,
	    sizeof(*samples));
	int r, d;

	for (r = 0; r < s->replicas; r++)
		for (d = 0; d < s->iterations; d++)
			memcpy(samples +
				((size_t)r * (size_t)s->iterations +
				    (size_t)d) *
				    each,
			    set.order +
				(size_t)(call * s->iterations + d) * UPDATE +
				(size_t)r * each,
			    each * sizeof(*samples));
	return samples;
}

/* All updates in this process; the weights, which the caller frees. */
static float *
train(const struct split *s, struct optimiser optimiser)
{
	struct engine_config c = config_of(s, optimiser);
	struct engine *e;
	float *parameters;
	uint32_t *samples;
	int n, r;
	bool equal = true;

	if (s->replicas * s->accumulation * s->micro_batch != UPDATE ||
	    UPDATES % s->iterations != 0)
		abort();
	c.collective = engine_util_join(&set, s->replicas, 0, s->replicas,
	    NULL);
	e = engine_util_start(&c);
	is_int(engine_samples(e), UPDATE * s->iterations,
	    "a call takes batch x R x G x D samples");
	for (n = 0; n < UPDATES / s->iterations; n++) {
		samples = samples_of(s, n);
		engine_util_call(e, &set, samples);
		free(samples);
	}
	for (r = 1; r < s->replicas; r++)
		equal = equal && engine_checksum(e, r) == engine_checksum(e, 0);
	ok(equal, "all replicas hold the same bits");
	is_int(engine_updates(e), UPDATES, "updates");
	parameters = xcalloc(set.model.parameter_count, sizeof(float));
	engine_parameters(e, 0, parameters);
	engine_stop(e);
	collective_close(c.collective, false);
	return parameters;
}

static struct optimiser
sgd(void)
{
	return optimiser_defaults(OPTIMISER_SGD, 0.05);
}

static struct optimiser
adamw(void)
{
	return optimiser_defaults(OPTIMISER_ADAMW, 0.001);
}

static bool
same(const float *a, const float *b)
{
	return memcmp(a, b, set.model.parameter_count * sizeof(float)) == 0;
}

/* The order of sums is the same. */
static void
test_same_order(void)
{
	static const struct split rows[] = {
		{ 2, 10, 2, 12, STRATEGY_PIPELINED },
		{ 2, 10, 6, 12, STRATEGY_PIPELINED },
		{ 2, 10, 1, 12, STRATEGY_INTERLEAVED },
		{ 2, 10, 3, 12, STRATEGY_SHARDED },
		{ 2, 10, 1, 12, STRATEGY_ONE_IPU },
	};
	const struct split first = { 2, 10, 1, 12, STRATEGY_PIPELINED };
	float *wanted = train(&first, adamw()), *got;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		got = train(&rows[i], adamw());
		ok(same(got, wanted),
		    "other device iterations, another strategy: the same bits");
		free(got);
	}
	free(wanted);
}

struct difference {
	double largest; /* of any weight */
	double change;	/* the largest by training */
	long above;	/* weights that differ by more than 1e-5 */
};

static struct difference
compare(const float *a, const float *b)
{
	struct difference d = { 0, 0, 0 };
	float *before = xcalloc(set.model.parameter_count, sizeof(float));
	double by;
	size_t i;

	model_initialise(&set.model, ENGINE_UTIL_SEED, before);
	for (i = 0; i < set.model.parameter_count; i++) {
		by = fabs((double)a[i] - (double)b[i]);
		d.largest = fmax(d.largest, by);
		d.above += by > 1e-5;
		d.change = fmax(d.change,
		    fabs((double)a[i] - (double)before[i]));
	}
	free(before);
	return d;
}

/* The same samples an update, in another order of sums. */
static void
test_other_order(void)
{
	static const struct split rows[] = {
		{ 2, 10, 1, 12, STRATEGY_PIPELINED },
		{ 3, 8, 1, 10, STRATEGY_PIPELINED },
		{ 2, 20, 1, 6, STRATEGY_PIPELINED },
		{ 1, 1, 1, 240, STRATEGY_SHARDED },
		{ 8, 1, 1, 30, STRATEGY_ONE_IPU },
	};
	const struct split one = { 1, 20, 1, 12, STRATEGY_PIPELINED };
	float *wanted = train(&one, sgd());
	float *adam = train(&one, adamw()), *got;
	struct difference d;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		got = train(&rows[i], sgd());
		d = compare(got, wanted);
		printf("# %d replicas x G %d x batch %d, SGD: differ by %.2g, "
		       "of a change of %.2g\n",
		    rows[i].replicas, rows[i].accumulation, rows[i].micro_batch,
		    d.largest, d.change);
		ok(d.change > 1e-3 && d.largest < 1e-7, "SGD: within 1e-7");
		free(got);
		got = train(&rows[i], adamw());
		d = compare(got, adam);
		printf("# AdamW: differ by %.2g, of a change of %.2g, %ld of "
		       "%zu by more than 1e-5\n",
		    d.largest, d.change, d.above, set.model.parameter_count);
		ok(d.largest < UPDATES * 2 * 0.001 && d.above < 900,
		    "AdamW: 99 of 100 weights within 1e-5");
		free(got);
	}
	free(wanted);
	free(adam);
}

/* One replica of several processes, with a strategy of its own. */
static uint64_t
train_apart(const struct split *s, int replica, const char *path)
{
	static const enum strategy strategies[RIVALS] = { STRATEGY_PIPELINED,
		STRATEGY_SHARDED, STRATEGY_ONE_IPU, STRATEGY_INTERLEAVED };
	struct split mine = *s;
	struct engine_config c;
	struct engine *e;
	uint32_t *samples;
	uint64_t sum;
	int n;

	mine.replicas = 1;
	mine.strategy = strategies[replica];
	c = config_of(&mine, adamw());
	c.first_replica = replica;
	c.total_replicas = s->replicas;
	c.collective = engine_util_join(&set, s->replicas, replica, 1, path);
	e = engine_util_start(&c);
	for (n = 0; n < UPDATES / s->iterations; n++) {
		samples = samples_of(s, n);
		engine_util_call(e, &set,
		    samples +
			(ptrdiff_t)replica * s->iterations * s->accumulation *
			    s->micro_batch);
		free(samples);
	}
	sum = engine_checksum(e, 0);
	engine_stop(e);
	collective_close(c.collective, false);
	return sum;
}

/* As many processes as replicas, each with another strategy. */
static void
test_processes(int replicas, int accumulation)
{
	const struct split s = { replicas, accumulation, 2,
		UPDATE / replicas / accumulation, STRATEGY_PIPELINED };
	struct engine_config c = config_of(&s, adamw());
	char *path = shared_new();
	uint64_t *sums = mmap(NULL, RIVALS * sizeof(*sums),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t wanted;
	float *weights = train(&s, adamw());
	struct engine *e;
	pid_t pids[RIVALS];
	int r, status, good = 0;

	c.local_replicas = c.total_replicas = 1;
	e = engine_util_start(&c);
	engine_set_parameters(e, weights);
	wanted = engine_checksum(e, 0);
	engine_stop(e);
	if (sums == MAP_FAILED)
		abort();
	(void)fflush(stdout);
	for (r = 0; r < replicas; r++) {
		pids[r] = fork();
		if (pids[r] == 0) {
			sums[r] = train_apart(&s, r, path);
			_exit(0);
		}
	}
	for (r = 0; r < replicas; r++) {
		(void)waitpid(pids[r], &status, 0);
		good += status == 0 && sums[r] == wanted;
	}
	is_int(good, replicas,
	    "in processes of their own, each with another strategy: the same "
	    "bits");
	(void)munmap(sums, RIVALS * sizeof(*sums));
	free(weights);
	is_int(shared_remove(path), 0, "nothing is left of what they shared");
}

/* As many stages as there can be, each with its part of the sum. */
static void
test_many_stages(void)
{
	struct model deep;
	struct layer_spec spec = { .kind = LAYER_FLATTEN };
	struct collective_config cc = { .total = 2,
		.local = 2,
		.part_count = SCHEDULE_STAGES_MAX,
		.join_seconds = ENGINE_UTIL_JOIN_SECONDS };
	const struct split s = { 2, 1, 1, UPDATE / 2, STRATEGY_ONE_IPU };
	struct engine_config c = config_of(&s, sgd());
	struct engine *e;
	char name[BLOCK_NAME_SIZE];
	uint64_t before;
	int i;

	model_init(&deep, set.model.in);
	for (i = 0; i < SCHEDULE_STAGES_MAX; i++) {
		(void)snprintf(name, sizeof(name), "B%d", i);
		if (model_block(&deep, name, -1, NULL) == -1 ||
		    model_add(&deep, &spec, NULL) == -1)
			abort();
		spec = (struct layer_spec){ .kind = LAYER_LINEAR, .out = 10 };
		cc.floats[i] = deep.layers[i].weights + deep.layers[i].biases;
		c.stage_blocks[i] = 1;
		c.stage_ipu[i] = 0;
	}
	c.model = &deep;
	c.stages = SCHEDULE_STAGES_MAX;
	c.collective = collective_open(&cc, NULL);
	ok(c.collective != NULL, "64 stages, two replicas");
	e = engine_util_start(&c);
	before = engine_checksum(e, 0);
	engine_util_call(e, &set, set.order);
	ok(engine_checksum(e, 0) != before &&
		engine_checksum(e, 0) == engine_checksum(e, 1),
	    "trained, and hold the same bits");
	engine_stop(e);
	collective_close(c.collective, false);
}

int
main(void)
{
	engine_util_init(&set, SAMPLES, true);
	test_same_order();
	test_other_order();
	test_processes(2, 10);
	test_processes(4, 10);
	test_many_stages();
	engine_util_release(&set);
	return tap_done();
}
