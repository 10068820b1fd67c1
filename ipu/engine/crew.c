/*
 * The threads of a crew, and the order in which they compute.  Read work()
 * first.
 */
#include "ipu/engine/crew.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "ipu/engine/dropout_numbers.h"
#include "ipu/engine/engine_config.h"
#include "ipu/engine/norm_statistics.h"
#include "ipu/engine/ring.h"
#include "ipu/nn/layer_shape.h"

enum {
	STACK_BYTES = 1 << 20, /* musl's default is 128 KiB */
	SPINS = 2000,	       /* about the time of a sleep */
	FREE_SAMPLES = 64,     /* limit for a unit without a loss */
	CACHE_LINE_FLOATS = 16
};

/* A thread. */
struct crew_member {
	struct crew *crew;
	int index;
	struct stage *stage;
	float *in, *out, *gradient;
	struct dropout_numbers
	    *numbers; /* a generator for each replica, or NULL */
	pthread_t thread;
};

struct crew {
	struct crew_config config;
	struct shape out;
	int elements, out_elements; /* numbers of a sample's input, output */
	bool has_loss;
	int targets; /* number of a sample's targets */
	size_t parameter_count;
	int unit_samples;
	int parts;    /* units of a micro-batch; 0: they ignore its borders */
	double *sums; /* sums of norms, for both turns of the team */
	struct norm_statistics statistics; /* the first replica's batch norms */
	struct stage_team team;
	struct outcome *outcomes; /* results of the call's units */
	struct crew_member *members;
	int started; /* threads */
	struct crew_call call;
	/* Meetings of all members. */
	struct eventcount met;
	atomic_int arrived;
	atomic_long meetings;
	/* Calls so far. */
	struct eventcount called;
	atomic_long calls;
	atomic_bool stopping;
};

struct meeting {
	struct crew *crew;
	long number;
};

static bool
is_over(void *argument)
{
	const struct meeting *m = argument;

	return atomic_load(&m->crew->meetings) > m->number;
}

/* Wait until all members are here. */
static void
meet(void *argument)
{
	struct crew *c = argument;
	struct meeting m = { c, atomic_load(&c->meetings) };

	if (atomic_fetch_add(&c->arrived, 1) + 1 == c->config.threads) {
		atomic_store(&c->arrived, 0);
		(void)atomic_fetch_add(&c->meetings, 1);
		eventcount_ring(&c->met);
	} else {
		eventcount_wait(&c->met, is_over, &m);
	}
}

/* Copy samples from [sample][element] to [block][element][lane]. */
static void
load_samples(const struct crew *c, const float *from, int samples, float *to)
{
	const int lanes = c->config.kernels->lanes;
	const int elements = c->elements;
	int first, n, i, lane;

	for (first = 0; first < samples; first += lanes) {
		n = samples - first < lanes ? samples - first : lanes;
		for (i = 0; i < elements; i++, to += lanes)
			for (lane = 0; lane < n; lane++)
				to[lane] = from[lane * elements + i];
		from += (ptrdiff_t)n * elements;
	}
}

/* Return the targets from a sample on. */
static struct loss_target
targets_from(const struct crew *c, size_t sample)
{
	const struct loss_target *t = &c->config.memory.targets;
	const size_t at = sample * (size_t)c->targets;

	return (struct loss_target){
		.integers = t->integers == NULL ? NULL : t->integers + at,
		.floats = t->floats == NULL ? NULL : t->floats + at
	};
}

/* Compute the loss of a unit, and in training its gradient. */
static void
take_unit_loss(struct crew_member *m, size_t unit, size_t first, int samples)
{
	const struct crew *c = m->crew;
	const struct loss_target targets = targets_from(c, first);

	/* check_targets() has found them to be valid. */
	(void)loss_compute(&c->config.loss, c->config.kernels->lanes, c->out,
	    samples, m->out, &targets, m->gradient, &c->outcomes[unit], NULL);
}

/* Run a unit forward.  The micro-batches of an accumulation step are those of
   all replicas, of which the first one's statistics are kept. */
static void
forward_unit(struct crew_member *m, size_t unit)
{
	const struct crew_config *g = &m->crew->config;
	const size_t replicas = (size_t)g->replicas;
	const struct crew *c = m->crew;
	struct dropout_numbers *n = NULL;
	size_t micro_batch, step;

	if (g->training) {
		micro_batch = unit / (size_t)c->parts -
		    (size_t)(c->call.first * g->micro_batches);
		step = micro_batch % (size_t)g->micro_batches;
		stage_record(m->stage,
		    step % replicas == 0 && unit % (size_t)c->parts == 0 ?
			norm_statistics_of(&c->statistics, step / replicas) :
			NULL);
		if (m->numbers != NULL) {
			n = &m->numbers[micro_batch % replicas];
			dropout_numbers_enter(n, m->stage,
			    micro_batch / replicas);
		}
	}
	stage_forward(m->stage, 0, m->in, m->out);
	if (n != NULL)
		dropout_numbers_leave(n, m->stage);
}

static void
run_unit(struct crew_member *m, size_t unit, size_t first, int samples)
{
	const struct crew *c = m->crew;
	const struct crew_memory *memory = &c->config.memory;

	load_samples(c, memory->inputs + first * (size_t)c->elements, samples,
	    m->in);
	forward_unit(m, unit);
	output_mode_copy(c->config.kernels->lanes, c->out_elements, samples,
	    m->out, memory->outputs + first * (size_t)c->out_elements, false);
	if (c->has_loss)
		take_unit_loss(m, unit, first, samples);
	if (c->config.training)
		stage_backward(m->stage, 0, m->in, m->gradient, NULL);
}

/* Run this member's units of some device iterations. */
static void
run_units(struct crew_member *m, int iteration, int count)
{
	const struct crew *c = m->crew;
	const size_t samples = (size_t)c->config.micro_batch *
	    (size_t)c->config.micro_batches;
	const size_t size = (size_t)c->unit_samples;
	const size_t end = samples * (size_t)(iteration + count);
	size_t unit = samples * (size_t)iteration / size + (size_t)m->index,
	       first;

	for (; (first = unit * size) < end; unit += (size_t)c->config.threads)
		run_unit(m, unit, first,
		    (int)(end - first < size ? end - first : size));
}

/* Return the slice of the parameters that this member updates. */
static size_t
slice_of(const struct crew_member *m, size_t *end)
{
	const struct crew *c = m->crew;
	const size_t threads = (size_t)c->config.threads;
	size_t size = (c->parameter_count + threads - 1) / threads, first;

	size = (size + CACHE_LINE_FLOATS - 1) / CACHE_LINE_FLOATS *
	    CACHE_LINE_FLOATS;
	first = size * (size_t)m->index;
	if (first > c->parameter_count)
		first = c->parameter_count;
	*end = c->parameter_count - first < size ?
	    c->parameter_count :
	    first + size;
	return first;
}

/* Sum a slice of all members' gradients into the memory, and zero them. */
static void
sum_slice(const struct crew_member *m)
{
	const struct crew *c = m->crew;
	float *sum = c->config.memory.gradients, *from;
	size_t i, end, first = slice_of(m, &end), unused;
	int k;

	for (k = 0; k < c->config.threads; k++) {
		from = stage_gradients(c->members[k].stage, &unused);
		for (i = first; i < end; i++)
			sum[i] = k == 0 ? from[i] : sum[i] + from[i];
		memset(from + first, 0, (end - first) * sizeof(*from));
	}
}

/* Update a slice, and give the new weights to all members. */
static void
update_slice(const struct crew_member *m, int done)
{
	const struct crew *c = m->crew;
	const struct crew_memory *memory = &c->config.memory;
	/* A mean is one of each part of a micro-batch. */
	const float parts = c->config.loss.sum ? 1 : (float)c->parts;
	size_t end, first = slice_of(m, &end), from, to, unused;
	float *state[OPTIMISER_STATES_MAX];
	int i, k;

	for (i = 0; i < c->call.range_count; i++) {
		const struct crew_range *r = &c->call.ranges[i];

		from = r->first > first ? r->first : first;
		to = r->first + r->count < end ? r->first + r->count : end;
		if (from >= to)
			continue;
		for (k = 0; k < OPTIMISER_STATES_MAX; k++)
			state[k] = memory->states +
			    (size_t)k * c->parameter_count + from;
		optimiser_update(&r->optimiser, r->updates + done + 1,
		    to - from, c->call.scale / parts, memory->gradients + from,
		    memory->parameters + from, state);
	}
	for (k = 0; k < c->config.threads; k++)
		memcpy(stage_parameters(c->members[k].stage, &unused) + first,
		    memory->parameters + first, (end - first) * sizeof(float));
}

/* Compute the losses of micro-batches, and note the time. */
static void
close_iterations(const struct crew *c, int first, int count)
{
	const struct crew_memory *memory = &c->config.memory;
	const int each = c->config.micro_batches;
	const double now = (double)clock_monotonic_ns() / 1e9;
	const struct outcome *o;
	double sum, losses;
	int i, k;

	for (i = first; i < first + count; i++)
		memory->times[i] = now;
	if (!c->has_loss)
		return;
	for (i = first * each; i < (first + count) * each; i++) {
		sum = losses = 0;
		for (k = 0; k < c->parts; k++) {
			o = &c->outcomes[i * c->parts + k];
			sum += o->loss;
			losses += o->losses;
		}
		memory->losses[i] =
		    (float)(c->config.loss.sum ? sum : sum / losses);
	}
}

/* Run a call as one of the members: inference in one go, training one device
   iteration after the other. */
static void
work(struct crew_member *m)
{
	struct crew *c = m->crew;
	/* A copy: after the last meeting the next call may begin. */
	const struct crew_call call = c->call;
	const bool draws = call.compute && c->config.memory.generator != NULL;
	int step = c->config.training ? 1 : c->config.iterations, i;
	size_t count, first;
	float *own;

	if (call.load) {
		own = stage_parameters(m->stage, &count);
		memcpy(own, c->config.memory.parameters, count * sizeof(*own));
	}
	if (draws)
		dropout_numbers_begin(m->numbers, c->config.replicas,
		    c->config.memory.generator);
	for (i = call.first; i < call.first + call.count; i += step) {
		if (call.compute) {
			run_units(m, i, step);
			meet(c);
		}
		if (call.compute && c->config.training) {
			sum_slice(m);
			first = slice_of(m, &count);
			norm_statistics_renew(&c->statistics, first, count,
			    c->config.memory.parameters);
		}
		if (call.update)
			update_slice(m, i - call.first);
		if (m->index == 0)
			close_iterations(c, i, step);
		if (draws && m->index == 0 &&
		    i + step == call.first + call.count)
			dropout_numbers_end(m->numbers, c->config.replicas,
			    m->stage,
			    (uint64_t)call.count *
				(uint64_t)c->config.micro_batches,
			    c->config.memory.generator);
		meet(c);
	}
}

struct next_call {
	struct crew *crew;
	long done;
};

static bool
is_called(void *argument)
{
	const struct next_call *n = argument;

	return atomic_load(&n->crew->calls) > n->done ||
	    atomic_load(&n->crew->stopping);
}

static void *
member_main(void *argument)
{
	struct crew_member *m = argument;
	struct next_call next = { m->crew, 0 };

	for (;; next.done++) {
		eventcount_wait(&m->crew->called, is_called, &next);
		if (atomic_load(&m->crew->stopping))
			return NULL;
		work(m);
	}
}

/* Whether a micro-batch can be computed in so many equal parts. */
static bool
can_part(const struct crew_config *g, int parts)
{
	return g->micro_batch % parts == 0 &&
	    (parts == 1 ||
		(!g->loss.ignores && g->loss.weight_count == 0 &&
		    g->micro_batch / parts >= g->kernels->lanes / 2));
}

/*
 * Choose the samples that are computed at once.  A loss needs equal parts of a
 * micro-batch, as few as give all threads the same number; one part where its
 * mean may be over fewer targets or of weights.  Norms in training need a
 * thread for each of several parts.  Without a loss borders do not matter.
 *
 *	4 micro-batches of 40, 2 threads	1 part: 2 x 40 each
 *	1 micro-batch of 64, 2 threads		2 parts: 32 each
 *	1 micro-batch of 5, 2 threads		1 part: one thread rests
 */
static void
choose_units(struct crew *c)
{
	struct crew_config *g = &c->config;
	const int all = g->micro_batch * g->micro_batches * g->iterations;
	int parts, lanes;

	if (!c->has_loss) {
		c->unit_samples = (all + g->threads - 1) / g->threads;
		g->kernels = kernels_fit(g->kernels, c->unit_samples);
		lanes = g->kernels->lanes;
		c->unit_samples = (c->unit_samples + lanes - 1) / lanes * lanes;
		if (c->unit_samples > FREE_SAMPLES)
			c->unit_samples = FREE_SAMPLES;
		return;
	}
	c->parts = 1;
	for (parts = g->threads; parts > 1; parts--)
		if (can_part(g, parts) && g->threads % parts == 0 &&
		    g->micro_batches * parts % g->threads == 0)
			c->parts = parts;
	/* Whole micro-batches are best, if all threads get as many. */
	if (g->micro_batches % g->threads == 0)
		c->parts = 1;
	else if (g->training && model_norm_sums(g->model) > 0) {
		while (!can_part(g, g->threads))
			g->threads--;
		c->parts = g->threads;
	}
	c->unit_samples = g->micro_batch / c->parts;
	g->kernels = kernels_fit(g->kernels, c->unit_samples);
	c->outcomes = xcalloc((size_t)(all / c->unit_samples),
	    sizeof(*c->outcomes));
}

/* Let the members' stages compute the parts of a micro-batch. */
static void
make_team(struct crew *c)
{
	const int lanes = c->config.kernels->lanes;
	const size_t blocks = (size_t)((c->unit_samples + lanes - 1) / lanes);
	const size_t sums = (size_t)c->parts * blocks *
	    model_norm_sums(c->config.model);

	c->sums = xcalloc(2 * sums + 1, sizeof(*c->sums));
	c->team = (struct stage_team){ .parts = c->parts,
		.sums = { c->sums, c->sums + sums },
		.meet = meet,
		.argument = c };
}

static void
make_member(struct crew *c, int index)
{
	struct crew_member *m = &c->members[index];
	const struct stage_config config = {
		.layer_count = c->config.model->layer_count,
		.micro_batch = c->unit_samples,
		.depth = 1,
		.training = c->config.training,
		.team = c->parts > 1 ? &c->team : NULL,
		.part = c->parts > 1 ? index % c->parts : 0,
	};
	size_t bytes;

	m->crew = c;
	m->index = index;
	m->numbers = c->config.memory.generator == NULL ?
	    NULL :
	    xcalloc((size_t)c->config.replicas, sizeof(*m->numbers));
	m->stage = stage_new(c->config.model, c->config.kernels, &config);
	m->in = xaligned(KERNEL_ALIGNMENT,
	    stage_in_floats(m->stage) * sizeof(float));
	bytes = stage_out_floats(m->stage) * sizeof(float);
	m->out = xaligned(KERNEL_ALIGNMENT, bytes);
	if (c->config.training)
		m->gradient = xaligned(KERNEL_ALIGNMENT, bytes);
}

static int
start_members(struct crew *c, struct error *e)
{
	pthread_attr_t attr;
	int status = 0;

	(void)pthread_attr_init(&attr);
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (c->started = 1; c->started < c->config.threads; c->started++) {
		status = pthread_create(&c->members[c->started].thread, &attr,
		    member_main, &c->members[c->started]);
		if (status != 0)
			break;
	}
	(void)pthread_attr_destroy(&attr);
	if (status != 0)
		return error_set_number(e, status,
		    "cannot start thread %d of %d", c->started,
		    c->config.threads);
	return 0;
}

struct crew *
crew_new(const struct crew_config *config, struct error *e)
{
	struct crew *c = xcalloc(1, sizeof(*c));
	const struct model *model = config->model;
	cpu_set_t cpus;
	int i, spins = SPINS;

	assert(config->threads >= 1 && config->threads <= CREW_THREADS_MAX);
	c->config = *config;
	c->out = model->layers[model->layer_count - 1].out;
	c->elements = layer_shape_elements(model->in);
	c->out_elements = layer_shape_elements(c->out);
	c->has_loss = config->memory.targets.integers != NULL ||
	    config->memory.targets.floats != NULL;
	c->targets = loss_targets(&config->loss, c->out);
	assert(!config->training || c->has_loss);
	c->parameter_count = model->parameter_count;
	choose_units(c);
	make_team(c);
	if (config->training)
		norm_statistics_init(&c->statistics, model,
		    config->micro_batches / config->replicas);
	if (sched_getaffinity(0, sizeof(cpus), &cpus) == -1 ||
	    CPU_COUNT(&cpus) < c->config.threads)
		spins = 0;
	eventcount_init(&c->met, spins);
	eventcount_init(&c->called, spins);
	c->members = xcalloc((size_t)c->config.threads, sizeof(*c->members));
	for (i = 0; i < c->config.threads; i++)
		make_member(c, i);
	if (start_members(c, e) != 0) {
		crew_free(c);
		return NULL;
	}
	return c;
}

void
crew_free(struct crew *c)
{
	int i;

	if (c == NULL)
		return;
	atomic_store(&c->stopping, true);
	eventcount_ring(&c->called);
	for (i = 1; i < c->started; i++)
		(void)pthread_join(c->members[i].thread, NULL);
	for (i = 0; i < c->config.threads; i++) {
		stage_free(c->members[i].stage);
		free(c->members[i].in);
		free(c->members[i].out);
		free(c->members[i].gradient);
		free(c->members[i].numbers);
	}
	eventcount_release(&c->met);
	eventcount_release(&c->called);
	free(c->outcomes);
	free(c->sums);
	norm_statistics_release(&c->statistics);
	free(c->members);
	free(c);
}

/* Refuses a target that is not a class before anything is computed. */
static int
check_targets(const struct crew *c, const struct crew_call *call,
    struct error *e)
{
	const struct loss *l = &c->config.loss;
	const int64_t *targets = c->config.memory.targets.integers;
	const int classes = layer_shape_axis(c->out, l->axis).count;
	const size_t each = (size_t)c->config.micro_batch *
	    (size_t)c->config.micro_batches * (size_t)c->targets;
	size_t i;

	if (targets == NULL || !call->compute)
		return 0;
	for (i = each * (size_t)call->first;
	     i < each * (size_t)(call->first + call->count); i++)
		if ((targets[i] < 0 || targets[i] >= classes) &&
		    !(l->ignores && targets[i] == l->ignore_index))
			return error_set_code(e, ERROR_INVALID,
			    "target %lld is out of bounds; it must be from 0 "
			    "to %d",
			    (long long)targets[i], classes - 1);
	return 0;
}

int
crew_run(struct crew *c, const struct crew_call *call, struct error *e)
{
	if (check_targets(c, call, e) != 0)
		return -1;
	c->call = *call;
	(void)atomic_fetch_add(&c->calls, 1);
	eventcount_ring(&c->called);
	work(&c->members[0]);
	return 0;
}
