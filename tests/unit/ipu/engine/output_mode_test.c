/*
 * Output modes: the rules as tables, and what the engine really returns,
 * beside a run that returns everything.
 */
#include "ipu/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/engine_util.h"
#include "tests/unit/tap.h"

enum { TOTAL = 6 };

static const struct rule_row {
	enum output_mode mode;
	int period;
	int count;
	const char *returned; /* entries by micro-batch, - none */
} rule_rows[] = {
	{ OUTPUT_FINAL, 0, 1, "-----0" },
	{ OUTPUT_EVERY_N, 1, 6, "012345" },
	{ OUTPUT_EVERY_N, 2, 3, "-0-1-2" },
	{ OUTPUT_EVERY_N, 3, 2, "--0--1" },
	{ OUTPUT_EVERY_N, 4, 1, "---0--" },
	{ OUTPUT_EVERY_N, 6, 1, "-----0" },
	{ OUTPUT_ALL, 0, 6, "012345" },
	{ OUTPUT_SUM, 0, 1, "-----0" },
};

static void
test_rules(void)
{
	const struct rule_row *r;
	char got[TOTAL + 1] = "";
	size_t i;
	int m;

	for (i = 0; i < ARRAY_SIZE(rule_rows); i++) {
		r = &rule_rows[i];
		for (m = 0; m < TOTAL; m++)
			got[m] = output_mode_returned(r->mode, r->period, m,
				     TOTAL) ?
			    (char)('0' +
				output_mode_entry(r->mode, r->period, m)) :
			    '-';
		is_str(got, r->returned, "entries by micro-batch");
		is_int(output_mode_count(r->mode, r->period, TOTAL), r->count,
		    "so many entries");
	}
}

static void
test_refusals(void)
{
	static const struct {
		enum output_mode mode;
		int period;
		const char *text; /* NULL: fine */
	} rows[] = { { OUTPUT_FINAL, 0, NULL }, { OUTPUT_SUM, -1, NULL },
		{ OUTPUT_EVERY_N, 1, NULL }, { OUTPUT_EVERY_N, TOTAL, NULL },
		{ OUTPUT_EVERY_N, 0,
		    "EveryN anchor must have output_return_period set to valid "
		    "positive integer" },
		{ OUTPUT_EVERY_N, -3,
		    "EveryN anchor must have output_return_period set to valid "
		    "positive integer" },
		{ OUTPUT_EVERY_N, 7,
		    "Return period must be <= to the number of batches per "
		    "step: it is 7, a call has 6 micro-batches" } };
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		e.text[0] = '\0';
		is_int(output_mode_check(rows[i].mode, rows[i].period, TOTAL,
			   &e),
		    rows[i].text == NULL ? 0 : -1, "the check");
		is_str(e.text, rows[i].text == NULL ? "" : rows[i].text,
		    "and its reason");
	}
}

static void
test_accuracy(void)
{
	static const float predictions[] = {
		0.1f, 0.9f, 0.0f,    /* 1 */
		0.5f, 0.5f, 0.1f,    /* 0: the first of two */
		-3.0f, -2.0f, -1.0f, /* 2 */
		0.0f, 1.0f, 2.0f     /* 2 */
	};
	static const uint8_t right[] = { 1, 0, 2, 2 };
	static const uint8_t three[] = { 1, 0, 2, 0 };
	static const uint8_t none[] = { 0, 1, 1, 1 };
	static const uint8_t longer[] = { 2, 2, 2, 1, 0, 2, 0 };

	is_int(output_mode_correct(predictions, 4, 3, right, 4), 4, "all");
	is_int(output_mode_correct(predictions, 4, 3, three, 4), 3, "three");
	is_int(output_mode_correct(predictions, 4, 3, none, 4), 0, "none");
	is_int(output_mode_correct(predictions, 4, 3, longer, 7), 3,
	    "the last labels count");
	is_int(output_mode_correct(predictions, 1, 3, longer, 4), 1,
	    "one prediction, the last of four labels");
}

/* Lanes of 4, 6 samples of 2 classes: sample n has n and -n. */
static void
test_copy(void)
{
	float from[16], to[12];
	bool good = true, doubled = true;
	int n;

	for (n = 0; n < 8; n++) {
		from[n / 4 * 8 + n % 4] = (float)n;
		from[n / 4 * 8 + 4 + n % 4] = -(float)n;
	}
	output_mode_copy(4, 2, 6, from, to, false);
	for (n = 0; n < 6; n++)
		good = good && (int)to[2 * n] == n && (int)to[2 * n + 1] == -n;
	ok(good, "samples without lanes");
	output_mode_copy(4, 2, 6, from, to, true);
	for (n = 0; n < 6; n++)
		doubled = doubled && (int)to[2 * n] == 2 * n;
	ok(doubled, "added up");
}

/* Now the engine: 4 stages, 2 iterations of 7 micro-batches. */
enum {
	STAGES = ENGINE_UTIL_STAGES,
	MICRO_BATCH = 6,
	ACCUMULATION = 7,
	ITERATIONS = 2,
	MICRO_BATCHES = ACCUMULATION * ITERATIONS,
	CLASSES = 10,
	FLOATS = MICRO_BATCH * CLASSES,
	REPLICAS_MOST = 2,
	SAMPLES = MICRO_BATCHES * MICRO_BATCH * REPLICAS_MOST
};

static struct engine_util set;

struct results {
	int count;
	struct outcome outcomes[MICRO_BATCHES * REPLICAS_MOST];
	float outputs[MICRO_BATCHES * REPLICAS_MOST * FLOATS];
	int out_events; /* TRACE_HOST_OUT at the last stage */
	size_t out_bytes;
	int label_events; /* TRACE_HOST_IN there */
	size_t label_bytes;
	uint64_t checksum;
};

static struct engine_config
config_of(bool training, enum output_mode mode, int period, int replicas)
{
	struct engine_config c = engine_util_config(&set, MICRO_BATCH);

	c.training = training;
	c.output_mode = mode;
	c.output_return_period = period;
	c.gradient_accumulation = training ? ACCUMULATION : 1;
	c.device_iterations = training ? ITERATIONS : MICRO_BATCHES;
	c.local_replicas = c.total_replicas = replicas;
	c.optimiser = optimiser_defaults(OPTIMISER_SGD, 0.01);
	c.trace = true;
	return c;
}

static void
count_events(struct results *r, const struct trace *t)
{
	int i;

	for (i = 0; i < t->count; i++) {
		if (t->events[i].kind == TRACE_HOST_OUT) {
			r->out_events++;
			r->out_bytes += t->events[i].bytes;
		}
		if (t->events[i].kind == TRACE_HOST_IN) {
			r->label_events++;
			r->label_bytes += t->events[i].bytes;
		}
	}
}

static struct results *
run(bool training, enum output_mode mode, int period, int replicas,
    enum strategy strategy)
{
	struct engine_config c = config_of(training, mode, period, replicas);
	struct results *r = xcalloc(1, sizeof(*r));
	struct engine *e;
	const struct outcome *outcomes;
	const float *outputs;
	int i;

	c.strategy = strategy;
	if (training)
		c.collective = engine_util_join(&set, replicas, 0, replicas,
		    NULL);
	e = engine_util_start(&c);
	engine_util_call(e, &set, set.order);
	outcomes = engine_outcomes(e, &r->count);
	memcpy(r->outcomes, outcomes, sizeof(*outcomes) * (size_t)r->count);
	outputs = engine_outputs(e, &r->count);
	memcpy(r->outputs, outputs, sizeof(float) * FLOATS * (size_t)r->count);
	for (i = 0; i < replicas; i++)
		count_events(r,
		    engine_trace(e, i,
			strategy == STRATEGY_ONE_IPU ? 0 : STAGES - 1));
	r->checksum = engine_checksum(e, 0);
	engine_stop(e);
	collective_close(c.collective, false);
	return r;
}

static const uint8_t *
labels_of(int replica, int m)
{
	static uint8_t labels[MICRO_BATCH];
	int n;

	for (n = 0; n < MICRO_BATCH; n++)
		labels[n] =
		    set.digits.labels[set.order[(replica * MICRO_BATCHES + m) *
			    MICRO_BATCH +
			n]];
	return labels;
}

/* Entry `got` of one run is entry `wanted` of the run that returns all. */
static bool
same_entry(const struct results *a, int got, const struct results *all,
    int wanted)
{
	return memcmp(a->outputs + got * FLOATS, all->outputs + wanted * FLOATS,
		   FLOATS * sizeof(float)) == 0 &&
	    memcmp(&a->outcomes[got], &all->outcomes[wanted],
		sizeof(struct outcome)) == 0;
}

/* All entries are outputs of the samples that they should be of. */
static void
check_all(const struct results *all, int replicas)
{
	bool right = true;
	int m, r, entry;

	is_int(all->count, MICRO_BATCHES * replicas, "all: entries");
	for (m = 0; m < MICRO_BATCHES; m++) {
		for (r = 0; r < replicas; r++) {
			entry = m * replicas + r;
			right = right &&
			    output_mode_correct(all->outputs + entry * FLOATS,
				MICRO_BATCH, CLASSES, labels_of(r, m),
				MICRO_BATCH) == all->outcomes[entry].correct;
		}
	}
	ok(right, "all: outputs agree with what is right of each");
}

static void
check_sum(const struct results *sum, const struct results *all, int replicas)
{
	double loss;
	float wanted;
	bool equal = true;
	int m, r, i;

	is_int(sum->count, replicas, "sum: an entry a replica");
	for (r = 0; r < replicas; r++) {
		for (i = 0; i < FLOATS; i++) {
			for (wanted = 0, m = 0; m < MICRO_BATCHES; m++)
				wanted +=
				    all->outputs[(m * replicas + r) * FLOATS +
					i];
			equal = equal &&
			    memcmp(&wanted, &sum->outputs[r * FLOATS + i],
				sizeof(wanted)) == 0;
		}
		for (loss = 0, m = 0; m < MICRO_BATCHES; m++)
			loss += all->outcomes[m * replicas + r].loss;
		is_near(sum->outcomes[r].loss, loss, 1e-9, "sum: of losses");
		is_int(sum->outcomes[r].samples, MICRO_BATCH, "sum: samples");
		is_int(sum->outcomes[r].correct,
		    output_mode_correct(sum->outputs + r * FLOATS, MICRO_BATCH,
			CLASSES, labels_of(r, MICRO_BATCHES - 1), MICRO_BATCH),
		    "sum: the last labels decide");
	}
	ok(equal, "sum: of the outputs, in order");
}

/* Host I/O of the last stage: results out, and labels in where it trains. */
static void
check_bytes(const struct results *r, bool training, int replicas)
{
	is_int(r->out_events, r->count, "an event for what is returned");
	is_int((long long)r->out_bytes,
	    r->count * (FLOATS + 1) * (long long)sizeof(float),
	    "outputs and a loss each");
	is_int(r->label_events, training ? MICRO_BATCHES * replicas : 0,
	    "labels come when training");
	is_int((long long)r->label_bytes,
	    training ? MICRO_BATCHES * replicas * MICRO_BATCH : 0,
	    "a byte each");
}

static void
test_engine(bool training, int replicas)
{
	struct results *all, *final, *third, *sum;
	enum strategy p = STRATEGY_PIPELINED;
	bool same = true;
	int n, r;

	printf("# %s, %d replica(s)\n", training ? "training" : "inference",
	    replicas);
	all = run(training, OUTPUT_ALL, 0, replicas, p);
	final = run(training, OUTPUT_FINAL, 0, replicas, p);
	third = run(training, OUTPUT_EVERY_N, 3, replicas, p);
	sum = run(training, OUTPUT_SUM, 0, replicas, p);
	check_all(all, replicas);
	is_int(final->count, replicas, "final: entries");
	is_int(third->count, MICRO_BATCHES / 3 * replicas, "every 3: entries");
	for (r = 0; r < replicas; r++) {
		same = same &&
		    same_entry(final, r, all,
			(MICRO_BATCHES - 1) * replicas + r);
		for (n = 0; n < MICRO_BATCHES / 3; n++)
			same = same &&
			    same_entry(third, n * replicas + r, all,
				(3 * n + 2) * replicas + r);
	}
	ok(same, "final, every 3: entries of those that all returns");
	check_sum(sum, all, replicas);
	check_bytes(all, training, replicas);
	check_bytes(final, training, replicas);
	check_bytes(third, training, replicas);
	check_bytes(sum, training, replicas);
	ok(final->checksum == all->checksum &&
		third->checksum == all->checksum &&
		sum->checksum == all->checksum,
	    "the weights are the same");
	free(all);
	free(final);
	free(third);
	free(sum);
}

static void
test_strategies(void)
{
	struct results *wanted = run(true, OUTPUT_EVERY_N, 5, 1,
	    STRATEGY_PIPELINED);
	struct results *got;
	int s;

	for (s = STRATEGY_SHARDED; s <= STRATEGY_ONE_IPU; s++) {
		got = run(true, OUTPUT_EVERY_N, 5, 1, (enum strategy)s);
		ok(got->count == wanted->count &&
			memcmp(got->outputs, wanted->outputs,
			    sizeof(got->outputs)) == 0 &&
			memcmp(got->outcomes, wanted->outcomes,
			    sizeof(got->outcomes)) == 0,
		    "another strategy returns the same bits");
		free(got);
	}
	free(wanted);
}

static void
test_start(void)
{
	struct engine_config c = config_of(true, OUTPUT_EVERY_N, 0, 1);
	struct error e = { .text = "" };

	ok(engine_start(&c, &e) == NULL, "no period: no engine");
	is_str(e.text,
	    "EveryN anchor must have output_return_period set to valid "
	    "positive integer",
	    "and why");
	c.output_return_period = MICRO_BATCHES + 1;
	ok(engine_start(&c, &e) == NULL, "nor with one that is too long");
}

int
main(void)
{
	uint32_t i;

	test_rules();
	test_refusals();
	test_accuracy();
	test_copy();
	engine_util_init(&set, SAMPLES, false);
	for (i = 0; i < SAMPLES; i++)
		set.order[i] = (uint32_t)SAMPLES - 1 - i;
	test_engine(true, 1);
	test_engine(true, 2);
	test_engine(false, 1);
	test_engine(false, 2);
	test_strategies();
	test_start();
	engine_util_release(&set);
	return tap_done();
}
