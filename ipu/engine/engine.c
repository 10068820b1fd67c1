/*
 * Making an engine and running calls: memory and threads.  worker.c runs the
 * rows of the schedule.
 */
#include "ipu/engine/engine.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/engine/worker.h"

_Static_assert((int)COLLECTIVE_PARTS_MAX >= (int)SCHEDULE_STAGES_MAX,
    "each stage is a part of the replicas' sum");

enum {
	STACK_BYTES = 1 << 20, /* musl's default is 128 KiB */
	GRADIENT_SLOTS = 2,    /* between two IPUs: one being filled, one in
				  use */
	INFERENCE_SLOTS = 4,
	SPINS = 2000,	   /* about the time of a sleep */
	EVENTS_OF_STEP = 6 /* maximum per step in the trace */
};

/* Make a stage's ends.  The input ring has one buffer more than the stash, so
   that the previous stage can fill it while the stash is full. */
static void
make_place(struct engine *e, struct place *p, int replica, int stage)
{
	const struct engine_config *c = &e->config;
	struct stage_config config = {
		.micro_batch = c->micro_batch,
		.depth = schedule_stash_depth(&e->schedule.config, stage),
		.training = c->training,
		.input_gradient = stage > 0,
		.recompute = c->training && c->recompute &&
		    stage < c->stages - 1,
		.offload_optimiser = c->offload_optimiser,
		.optimiser_states = optimiser_states(&c->optimiser),
		.seed = c->seed + (uint64_t)(c->first_replica + replica),
	};
	int slots = config.depth + 1;

	engine_config_stage_layers(c, stage, &config.first_layer,
	    &config.layer_count);
	p->stage = stage_new(c->model, c->kernels, &config);
	p->depth = config.depth;
	if (!c->training &&
	    (c->strategy == STRATEGY_PIPELINED ||
		c->strategy == STRATEGY_INTERLEAVED))
		slots = INFERENCE_SLOTS;
	ring_init(&p->in, slots, stage_in_floats(p->stage), e->spins);
	ring_init(&p->gradient, GRADIENT_SLOTS,
	    c->training && stage < c->stages - 1 ? stage_out_floats(p->stage) :
						   0,
	    e->spins);
}

/* Make a worker with its rows of the schedule and room for its trace. */
static void
make_worker(struct engine *e, struct replica *r, int ipu)
{
	struct worker *w = &r->workers[ipu];
	const int ipus = e->config.replica_ipus > 0 ?
	    e->config.replica_ipus :
	    e->schedule.ipus;
	int i;

	w->engine = e;
	w->replica = r;
	w->ipu = ipu;
	if (e->config.attachment != NULL)
		w->slot = attach_slot(e->config.attachment,
		    r->index * ipus + ipu);
	w->steps = xcalloc((size_t)e->schedule.step_count, sizeof(*w->steps));
	for (i = 0; i < e->schedule.step_count; i++)
		if (e->schedule.steps[i].ipu == ipu)
			w->steps[w->step_count++] = &e->schedule.steps[i];
	if (e->config.trace) {
		w->trace.capacity = w->step_count * e->iterations *
		    EVENTS_OF_STEP;
		w->trace.events = xcalloc((size_t)w->trace.capacity,
		    sizeof(*w->trace.events));
	}
}

static void
make_replica(struct engine *e, int index)
{
	const struct engine_config *c = &e->config;
	struct replica *r = &e->replicas[index];
	size_t bytes;
	int i;

	r->index = index;
	eventcount_init(&r->empty, e->spins);
	r->places = xcalloc((size_t)c->stages, sizeof(*r->places));
	for (i = 0; i < c->stages; i++)
		make_place(e, &r->places[i], index, i);
	bytes = stage_out_floats(r->places[c->stages - 1].stage) *
	    sizeof(float);
	r->outputs = xaligned(KERNEL_ALIGNMENT, bytes);
	if (c->training)
		r->gradient = xaligned(KERNEL_ALIGNMENT, bytes);
	r->labels = xmalloc((size_t)c->micro_batch);
	r->workers = xcalloc((size_t)e->schedule.ipus, sizeof(*r->workers));
	for (i = 0; i < e->schedule.ipus; i++)
		make_worker(e, r, i);
}

/* Start the threads.  If one fails to start, the others wait for a call until
   engine_stop() ends them. */
static int
start_threads(struct engine *e, struct error *error)
{
	pthread_attr_t attr;
	int r, i, status = 0;

	(void)pthread_attr_init(&attr);
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (r = 0; r < e->config.local_replicas && status == 0; r++) {
		for (i = 0; i < e->schedule.ipus && status == 0; i++) {
			struct worker *w = &e->replicas[r].workers[i];

			status = pthread_create(&w->thread, &attr, worker_main,
			    w);
			if (status == 0)
				e->threads++;
		}
	}
	(void)pthread_attr_destroy(&attr);
	if (status != 0)
		return error_set_number(error, status,
		    "cannot start a thread for IPU %d of %d", e->threads,
		    e->config.local_replicas * e->schedule.ipus);
	return 0;
}

/* Allocate the results of a call. */
static void
make_results(struct engine *e)
{
	const struct engine_config *c = &e->config;
	const struct model *m = c->model;

	e->classes = layer_shape_elements(m->layers[m->layer_count - 1].out);
	e->returned = c->local_replicas *
	    output_mode_count(c->output_mode, c->output_return_period,
		e->micro_batches);
	e->outcomes = xcalloc((size_t)e->returned, sizeof(*e->outcomes));
	e->outputs = xcalloc((size_t)e->returned * (size_t)c->micro_batch,
	    (size_t)e->classes * sizeof(float));
}

/* Return the spins of a wait: 0 unless each thread has a processor and one is
   left. */
static int
spins_for(int threads)
{
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) == -1)
		return 0;
	return CPU_COUNT(&cpus) > threads ? SPINS : 0;
}

/* Fills e->pixel with the normalised value of each byte, for load_pixels(). */
struct engine *
engine_start(const struct engine_config *config, struct error *error)
{
	struct engine *e = xcalloc(1, sizeof(*e));
	struct schedule_config schedule;
	int i;

	assert(config->micro_batch > 0 && config->local_replicas > 0 &&
	    (config->training || config->gradient_accumulation == 1));
	e->config = *config;
	schedule = engine_config_schedule(&e->config);
	e->iterations = config->training ? config->device_iterations : 1;
	e->micro_batches = config->device_iterations *
	    config->gradient_accumulation;
	if (output_mode_check(config->output_mode, config->output_return_period,
		e->micro_batches, error) != 0 ||
	    schedule_init(&e->schedule, &schedule, error) != 0) {
		free(e);
		return NULL;
	}
	for (i = 0; i < 256; i++)
		e->pixel[i] = ((float)i / 255 - config->mean) /
		    config->deviation;
	(void)pthread_mutex_init(&e->lock, NULL);
	(void)pthread_cond_init(&e->changed, NULL);
	e->spins = spins_for(config->local_replicas * e->schedule.ipus);
	make_results(e);
	e->replicas = xcalloc((size_t)config->local_replicas,
	    sizeof(*e->replicas));
	for (i = 0; i < config->local_replicas; i++)
		make_replica(e, i);
	if (start_threads(e, error) != 0) {
		engine_stop(e);
		return NULL;
	}
	return e;
}

static void
free_replica(struct engine *e, struct replica *r)
{
	int i;

	for (i = 0; i < e->config.stages; i++) {
		stage_free(r->places[i].stage);
		ring_release_memory(&r->places[i].in);
		ring_release_memory(&r->places[i].gradient);
	}
	for (i = 0; i < e->schedule.ipus; i++) {
		free(r->workers[i].steps);
		free(r->workers[i].trace.events);
	}
	eventcount_release(&r->empty);
	free(r->places);
	free(r->workers);
	free(r->outputs);
	free(r->gradient);
	free(r->labels);
}

void
engine_stop(struct engine *e)
{
	int i;

	if (e == NULL)
		return;
	(void)pthread_mutex_lock(&e->lock);
	e->stopping = true;
	(void)pthread_cond_broadcast(&e->changed);
	(void)pthread_mutex_unlock(&e->lock);
	for (i = 0; i < e->threads; i++)
		(void)pthread_join(e->replicas[i / e->schedule.ipus]
				       .workers[i % e->schedule.ipus]
				       .thread,
		    NULL);
	for (i = 0; i < e->config.local_replicas; i++)
		free_replica(e, &e->replicas[i]);
	(void)pthread_cond_destroy(&e->changed);
	(void)pthread_mutex_destroy(&e->lock);
	schedule_release(&e->schedule);
	free(e->replicas);
	free(e->outcomes);
	free(e->outputs);
	free(e);
}

/* Each thread detects a call by its number, so it cannot miss or repeat one;
   the last to end wakes the caller. */
int
engine_call(struct engine *e, const struct engine_input *input,
    struct error *error)
{
	int status = 0;

	(void)pthread_mutex_lock(&e->lock);
	assert(!e->failed && e->running == 0);
	e->input = *input;
	e->calls++;
	e->running = e->threads;
	(void)pthread_cond_broadcast(&e->changed);
	while (e->running > 0)
		(void)pthread_cond_wait(&e->changed, &e->lock);
	if (e->failed)
		status = error_set(error, "%s", e->error.text);
	(void)pthread_mutex_unlock(&e->lock);
	return status;
}

int
engine_samples(const struct engine *e)
{
	return e->config.local_replicas * e->micro_batches *
	    e->config.micro_batch;
}

void
engine_parameters(const struct engine *e, int replica, float *to)
{
	size_t n;
	int s;

	for (s = 0; s < e->config.stages; s++) {
		struct stage *stage = e->replicas[replica].places[s].stage;
		const float *from = stage_parameters(stage, &n);

		memcpy(to + stage_first_parameter(stage), from,
		    n * sizeof(float));
	}
}

/* Stages have their parts of the model's array; all replicas get the same
   values. */
void
engine_set_parameters(struct engine *e, const float *from)
{
	size_t n;
	int r, s;

	for (r = 0; r < e->config.local_replicas; r++) {
		for (s = 0; s < e->config.stages; s++) {
			struct stage *stage = e->replicas[r].places[s].stage;
			float *to = stage_parameters(stage, &n);

			memcpy(to, from + stage_first_parameter(stage),
			    n * sizeof(float));
		}
	}
}

void
engine_state(const struct engine *e, int replica, int index, float *to)
{
	size_t n;
	int s;

	for (s = 0; s < e->config.stages; s++) {
		struct stage *stage = e->replicas[replica].places[s].stage;

		(void)stage_parameters(stage, &n);
		memcpy(to + stage_first_parameter(stage),
		    stage_state(stage, index), n * sizeof(float));
	}
}

void
engine_set_state(struct engine *e, int index, const float *from)
{
	size_t n;
	int r, s;

	for (r = 0; r < e->config.local_replicas; r++) {
		for (s = 0; s < e->config.stages; s++) {
			struct stage *stage = e->replicas[r].places[s].stage;

			(void)stage_parameters(stage, &n);
			memcpy(stage_state(stage, index),
			    from + stage_first_parameter(stage),
			    n * sizeof(float));
		}
	}
}

long
engine_updates(const struct engine *e)
{
	return atomic_load(&e->replicas[0].updates);
}

void
engine_set_updates(struct engine *e, long updates)
{
	const uint64_t micro_batches = (uint64_t)updates *
	    (uint64_t)e->config.gradient_accumulation;
	int r, s;

	for (r = 0; r < e->config.local_replicas; r++) {
		atomic_store(&e->replicas[r].updates, updates);
		for (s = 0; s < e->config.stages; s++)
			stage_skip(e->replicas[r].places[s].stage,
			    micro_batches);
	}
}

/* FNV-1a over the bytes of the weights, stage by stage, with the 64-bit offset
   basis and prime. */
uint64_t
engine_checksum(const struct engine *e, int replica)
{
	uint64_t sum = 0xcbf29ce484222325u;
	size_t n, i;
	int s;

	for (s = 0; s < e->config.stages; s++) {
		const unsigned char *bytes = (const unsigned char *)
		    stage_parameters(e->replicas[replica].places[s].stage, &n);

		for (i = 0; i < n * sizeof(float); i++)
			sum = (sum ^ bytes[i]) * 0x100000001b3u;
	}
	return sum;
}

const struct outcome *
engine_outcomes(const struct engine *e, int *count)
{
	*count = e->returned;
	return e->outcomes;
}

const float *
engine_outputs(const struct engine *e, int *count)
{
	*count = e->returned;
	return e->outputs;
}

/* One slot less than the depth: the last is the micro-batch in progress. */
size_t
engine_stash_bytes(const struct engine *e, int stage)
{
	const struct place *p = &e->replicas[0].places[stage];

	return (size_t)(p->depth - 1) *
	    (stage_in_floats(p->stage) * sizeof(float) +
		stage_stash_bytes(p->stage));
}

const struct trace *
engine_trace(const struct engine *e, int replica, int ipu)
{
	return &e->replicas[replica].workers[ipu].trace;
}
