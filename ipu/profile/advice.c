/*
 * The search for advice: each kind has a function that makes changed copies of
 * the run's model file, and consider() tries them.
 */
#include "ipu/profile/advice.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "ipu/engine/engine.h"

#define ADVICE_IDLE_AIM 0.1

/* Updates from many more samples would change the learning. */
enum { ACCUMULATION_MAX_FACTOR = 4 };

/* A search under way. */
struct advice_search {
	struct advisor *a;
	struct advice *best;
	double tile_limit; /* bytes that may be filled */
	bool found;
};

static bool
advice_is_pipeline(enum strategy strategy)
{
	return strategy == STRATEGY_PIPELINED ||
	    strategy == STRATEGY_INTERLEAVED;
}

static bool
is_training(const struct advisor *a)
{
	return a->data->config->training;
}

/* Keep the better result; the gain must exceed rounding. */
static void
consider(struct advice_search *s, const struct model_file *f, bool auto_round)
{
	struct advisor *a = s->a;
	struct trial t;
	struct error ignored;

	a->tried++;
	if (trial_make(&t, a->run, &a->device, f, auto_round, is_training(a),
		&ignored) != 0 ||
	    (double)t.fullest_tile > s->tile_limit ||
	    (s->found && a->cycles / t.cycles < 1.001 * s->best->gain))
		return;
	s->found = true;
	s->best->file = *f;
	s->best->file.stages.model = &s->best->file.model;
	s->best->auto_round = auto_round;
	s->best->trial = t;
	s->best->gain = a->cycles / t.cycles;
}

/* Split the samples into the fewest micro-batches that divide them, but at
   least `least`: 400 samples in at least 7 are 8 of 50. */
static void
split_samples(int *batch, int *count, int least)
{
	const int samples = *batch * *count;
	int n;

	for (n = least; n <= samples; n++) {
		if (samples % n == 0) {
			*batch = samples / n;
			*count = n;
			return;
		}
	}
}

/* Keep the samples in a call of the test, whatever training has. */
static void
keep_test(const struct advisor *a, struct model_file *f)
{
	const int before = model_file_test_count(a->run->file);
	const int now = model_file_test_count(f);

	if (now != before && a->run->test_samples > 0 &&
	    (long)now * f->test_batch_size > a->run->test_samples)
		f->test_device_iterations = before;
}

/* Give a pipeline with too few micro-batches more, smaller ones: it needs 2N -
   1 in training, N in the test. */
static void
fill_pipeline(const struct advisor *a, struct model_file *f)
{
	const int n = f->stages.count;
	int count = model_file_test_count(f);

	if (!advice_is_pipeline(f->strategy))
		return;
	if (f->gradient_accumulation < 2 * n - 1)
		split_samples(&f->batch_size, &f->gradient_accumulation,
		    2 * n - 1);
	if (count < n) {
		split_samples(&f->test_batch_size, &count, n);
		f->test_device_iterations = count;
	}
	keep_test(a, f);
}

/* Apply the best cut into that many stages, on as many IPUs. */
static void
apply_best_cut(const struct advisor *a, struct model_file *f, int stages)
{
	struct engine_config c = *a->data->config;
	int i;

	c.strategy = f->strategy;
	if (is_training(a) &&
	    !(a->run->choices.script && f->strategy == STRATEGY_SHARDED)) {
		c.micro_batch = f->batch_size;
		c.gradient_accumulation = f->gradient_accumulation;
	}
	cuts_find(&c, &a->device.clock, stages, f->stages.blocks);
	f->stages.count = stages;
	for (i = 0; i < stages; i++)
		f->stages.ipu[i] = i;
}

static void
consider_cut(struct advice_search *s, enum strategy strategy, int stages)
{
	struct model_file *f = xmalloc(sizeof(*f));
	bool auto_round;

	*f = *s->a->run->file;
	f->strategy = strategy;
	auto_round = s->a->run->choices.auto_round ||
	    !bits_is_power_of_two((unsigned long)stages);
	f->stages.count = stages;
	fill_pipeline(s->a, f);
	apply_best_cut(s->a, f, stages);
	consider(s, f, auto_round);
	free(f);
}

/* Try fewer stages than IPUs too, which leaves some idle.  If half of the IPUs
   would do, that is another kind of advice. */
static void
try_cuts(struct advice_search *s)
{
	const struct advisor *a = s->a;
	const enum strategy strategy = a->run->file->strategy;
	const int blocks = a->run->file->model.block_count;
	int n;

	if (strategy == STRATEGY_ONE_IPU)
		return;
	for (n = a->ipus / 2 + 1; n <= a->ipus && n <= blocks; n++)
		consider_cut(s, strategy, n);
}

/* Make fewer updates in each call if it would take more samples than exist. */
static void
shorten_call(const struct advisor *a, struct model_file *f)
{
	const long have = a->run->train_samples > 0 ?
	    a->run->train_samples :
	    MODEL_COUNT_MAX;
	const long most = have /
	    ((long)f->batch_size * f->gradient_accumulation *
		a->run->base.total_replicas);

	if (most > 0 && f->device_iterations > most)
		f->device_iterations = (int)most;
}

/* Return the micro-batches at which a tenth is lost: to filling and flushing,
   (N - 1) / (G + N - 1) = 0.1, so G = 9 (N - 1), 27 for four stages; or to the
   weight update, U of T cycles for G micro-batches, G' = 9 G U / (T - U). */
static int
wanted_micro_batches(const struct advisor *a)
{
	const struct schedule_config *c = &a->data->schedule.config;
	const double aim = (1 - ADVICE_IDLE_AIM) / ADVICE_IDLE_AIM;
	const double update = (double)a->data->cycles->update;
	const double rest = (double)a->data->cycles->total - update;
	double wanted = 0, most;

	if (c->training && rest > 0) {
		most = (double)ACCUMULATION_MAX_FACTOR * c->micro_batches;
		wanted = ceil(aim * update / rest * c->micro_batches);
		if (wanted > most)
			wanted = most;
	}
	if (advice_is_pipeline(c->strategy) && wanted < aim * (c->stages - 1))
		wanted = aim * (c->stages - 1);
	return (int)(wanted + 0.5);
}

static void
try_accumulation(struct advice_search *s)
{
	const int wanted = wanted_micro_batches(s->a);
	struct model_file *f;

	if (wanted <= s->a->data->schedule.config.micro_batches ||
	    (s->a->run->choices.script &&
		s->a->run->file->strategy == STRATEGY_SHARDED))
		return;
	f = xmalloc(sizeof(*f));
	*f = *s->a->run->file;
	if (is_training(s->a)) {
		f->gradient_accumulation = wanted;
		shorten_call(s->a, f);
		keep_test(s->a, f);
	} else {
		f->test_device_iterations = wanted;
	}
	consider(s, f, s->a->run->choices.auto_round);
	free(f);
}

static void
try_strategies(struct advice_search *s)
{
	static const enum strategy others[] = { STRATEGY_PIPELINED,
		STRATEGY_INTERLEAVED, STRATEGY_SHARDED };
	const struct model_file *now = s->a->run->file;
	struct model_file *f;
	size_t i;

	if (now->strategy == STRATEGY_ONE_IPU || now->stages.count == 1)
		return;
	f = xmalloc(sizeof(*f));
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		if (others[i] == now->strategy)
			continue;
		*f = *now;
		f->strategy = others[i];
		fill_pipeline(s->a, f);
		consider(s, f, s->a->run->choices.auto_round);
	}
	free(f);
}

static void
consider_one_ipu(struct advice_search *s)
{
	struct model_file *f = xmalloc(sizeof(*f));

	*f = *s->a->run->file;
	f->strategy = STRATEGY_ONE_IPU;
	consider(s, f, s->a->run->choices.auto_round);
	free(f);
}

/* Consider a number of IPUs; one IPU by the strategy one-ipu, and as a single
   stage. */
static void
consider_ipus(struct advice_search *s, int ipus)
{
	const enum strategy now = s->a->run->file->strategy;

	if (ipus == 1)
		consider_one_ipu(s);
	if (now != STRATEGY_ONE_IPU)
		consider_cut(s, now, ipus);
	if (now != STRATEGY_PIPELINED && ipus > 1)
		consider_cut(s, STRATEGY_PIPELINED, ipus);
	if (now != STRATEGY_INTERLEAVED && ipus > 1)
		consider_cut(s, STRATEGY_INTERLEAVED, ipus);
}

static int
ipus_at_most(const struct advisor *a)
{
	const int blocks = a->run->file->model.block_count;
	const int most = a->run->ipus_max > 0 ? a->run->ipus_max : a->ipus;

	return most < blocks ? most : blocks;
}

static void
try_ipus(struct advice_search *s)
{
	int n;

	for (n = 1; n <= ipus_at_most(s->a); n *= 2)
		if (n != s->a->ipus)
			consider_ipus(s, n);
}

/* Find the fewest IPUs that are as fast. */
static void
try_fewer_ipus(struct advice_search *s)
{
	int n;

	for (n = 1; n < s->a->ipus && n <= ipus_at_most(s->a); n *= 2) {
		consider_ipus(s, n);
		if (s->found && s->best->gain >= ADVICE_SAME_GAIN)
			return;
	}
}

/* Consider every split of the same samples, up to four times as many
   micro-batches. */
static void
consider_splits(struct advice_search *s, const struct model_file *now)
{
	const bool training = is_training(s->a);
	const int batch = training ? now->batch_size : now->test_batch_size;
	const int count = training ? now->gradient_accumulation :
				     model_file_test_count(now);
	const int samples = batch * count;
	struct model_file *f = xmalloc(sizeof(*f));
	int n;

	for (n = 1; n <= samples && n <= ACCUMULATION_MAX_FACTOR * count; n++) {
		if (samples % n != 0 || n == count)
			continue;
		*f = *now;
		if (training) {
			f->batch_size = samples / n;
			f->gradient_accumulation = n;
			keep_test(s->a, f);
		} else {
			f->test_batch_size = samples / n;
			f->test_device_iterations = n;
		}
		consider(s, f, s->a->run->choices.auto_round);
	}
	free(f);
}

/* Leave out the tutorial's script, which itself makes one large micro-batch. */
static void
try_micro_batches(struct advice_search *s)
{
	if (!s->a->run->choices.script || !is_training(s->a) ||
	    s->a->run->file->strategy != STRATEGY_SHARDED)
		consider_splits(s, s->a->run->file);
}

static void
consider_switches(struct advice_search *s, bool recompute, bool offload)
{
	struct model_file *f = xmalloc(sizeof(*f));

	*f = *s->a->run->file;
	f->recompute = recompute;
	f->offload_optimiser = offload;
	consider(s, f, s->a->run->choices.auto_round);
	free(f);
}

static void
try_keep(struct advice_search *s)
{
	if (s->a->run->file->recompute && is_training(s->a))
		consider_switches(s, false, s->a->run->file->offload_optimiser);
}

static void
try_on_chip(struct advice_search *s)
{
	if (s->a->run->file->offload_optimiser && is_training(s->a))
		consider_switches(s, s->a->run->file->recompute, false);
}

/* Consider recomputation, off-loading, or both; and both with smaller
   micro-batches. */
static void
consider_less_memory(struct advice_search *s)
{
	struct model_file *f = xmalloc(sizeof(*f));

	consider_switches(s, true, false);
	consider_switches(s, false, true);
	consider_switches(s, true, true);
	*f = *s->a->run->file;
	f->recompute = f->offload_optimiser = true;
	consider_splits(s, f);
	free(f);
}

/* Find the cheapest way to fit, or to have a tenth of each tile free. */
static void
try_room(struct advice_search *s)
{
	const double tile = (double)s->a->device.chip.tile_bytes;
	const double limits[] = { ADVICE_TILE_FULL * tile, tile };
	size_t i;

	if ((double)s->a->fullest_tile <= limits[0])
		return;
	for (i = 0; i < ARRAY_SIZE(limits) && !s->found; i++) {
		if ((double)s->a->fullest_tile <= limits[i])
			return;
		s->tile_limit = limits[i];
		if (is_training(s->a))
			consider_less_memory(s);
		try_micro_batches(s);
		try_cuts(s);
		try_ipus(s);
	}
}

int
advice_begin(struct advisor *a, const struct profile_data *d)
{
	struct run_plan plan;
	struct error ignored;

	*a = (struct advisor){ .data = d, .run = d->about.run };
	if (a->run == NULL || d->cycles->total == 0 ||
	    run_plan_init(&plan, a->run->file, &a->run->base, &a->run->choices,
		&ignored) != 0)
		return -1;
	a->device = (struct trial_device){ d->cycles->target,
		d->memory->target };
	a->ipus = plan.ipus;
	a->cycles = trial_cycles(d->config, &a->device.clock);
	a->fullest_tile = memory_largest_tile(
	    &d->memory->ipus[memory_fullest_ipu(d->memory)]);
	return 0;
}

/* Return the gain of the other engine of the run. */
static double
other_gain(const struct advisor *a, const struct advice *best)
{
	const struct run_choices choices = { a->run->choices.script,
		best->auto_round };
	const bool training = !is_training(a);
	struct run_plan now, then;
	struct error ignored;

	if (run_plan_init(&now, a->run->file, &a->run->base, &a->run->choices,
		&ignored) != 0 ||
	    run_plan_init(&then, &best->file, &a->run->base, &choices,
		&ignored) != 0)
		return 1;
	return trial_cycles(run_plan_engine(&now, training), &a->device.clock) /
	    trial_cycles(run_plan_engine(&then, training), &a->device.clock);
}

bool
advice_find(struct advisor *a, enum advice_kind kind, struct advice *best)
{
	static void (*const searches[])(struct advice_search *) = {
		[ADVICE_CUT] = try_cuts,
		[ADVICE_ACCUMULATION] = try_accumulation,
		[ADVICE_STRATEGY] = try_strategies,
		[ADVICE_IPUS] = try_ipus,
		[ADVICE_FEWER_IPUS] = try_fewer_ipus,
		[ADVICE_MICRO_BATCH] = try_micro_batches,
		[ADVICE_KEEP] = try_keep,
		[ADVICE_ON_CHIP] = try_on_chip,
		[ADVICE_ROOM] = try_room,
	};
	const double tile = (double)a->device.chip.tile_bytes;
	struct advice_search s = { .a = a,
		.best = best,
		.tile_limit = ADVICE_TILE_FULL * tile };
	double least = ADVICE_LEAST_GAIN;

	/* If tiles are already fuller, they may stay as full. */
	if ((double)a->fullest_tile > s.tile_limit)
		s.tile_limit = (double)a->fullest_tile;
	searches[kind](&s);
	if (kind == ADVICE_FEWER_IPUS)
		least = ADVICE_SAME_GAIN;
	if (kind == ADVICE_ROOM)
		least = 0; /* room may cost time */
	if (!s.found || best->gain < least)
		return false;
	best->other = other_gain(a, best);
	return true;
}
