/*
 * One thread per IPU: it waits for a call and runs its rows of the schedule.  A
 * step waits on rings for its input, computes, and passes its result on.
 */
#include "ipu/engine/worker.h"

#include <assert.h>
#include <stdatomic.h>

#include "core/base/clock.h"

/* Fail the call: end all waits in all replicas of the engine by closing its
   rings.  The first error (NULL: none) becomes that of engine_call(). */
static void
fail(struct engine *e, const struct error *error)
{
	int r, s;

	(void)pthread_mutex_lock(&e->lock);
	if (!e->failed && error != NULL)
		e->error = *error;
	e->failed = true;
	(void)pthread_mutex_unlock(&e->lock);
	for (r = 0; r < e->config.local_replicas; r++) {
		struct replica *p = &e->replicas[r];

		for (s = 0; s < e->config.stages; s++) {
			ring_close(&p->places[s].in);
			ring_close(&p->places[s].gradient);
		}
		atomic_store(&p->closed, true);
		eventcount_ring(&p->empty);
	}
}

/* Add to a counter that others read; the order does not matter. */
static void
worker_count(_Atomic uint64_t *counter, size_t more)
{
	(void)atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

/* Count busy time in the IPU's slot for gc-monitor. */
static void
count_busy(struct worker *w, int64_t ns)
{
	int64_t now_ns;

	if (w->slot == NULL)
		return;
	now_ns = clock_real_ns();
	busy_ring_count(w->slot, now_ns - ns, now_ns);
}

static void
count_exchange(struct worker *w, size_t floats)
{
	if (w->slot != NULL)
		worker_count(&w->slot->exchange_bytes, floats * sizeof(float));
}

static void
count_host(struct worker *w, size_t bytes)
{
	if (w->slot != NULL)
		worker_count(&w->slot->host_bytes, bytes);
}

/* Return the time if the trace is on. */
static int64_t
trace_clock(const struct worker *w)
{
	return w->trace.events == NULL ? 0 : clock_monotonic_ns();
}

/* Record an event; the trace has room for a whole call (engine.c). */
static void
record(struct worker *w, enum trace_kind kind, const struct step *step,
    size_t bytes, int64_t start_ns, int64_t end_ns)
{
	if (w->trace.events == NULL)
		return;
	assert(w->trace.count < w->trace.capacity);
	w->trace.events[w->trace.count++] = (struct trace_event){ .kind = kind,
		.replica = w->engine->config.first_replica + w->replica->index,
		.ipu = w->ipu,
		.step = *step,
		.iteration = w->iteration,
		.in_flight = step->stage < 0 ?
		    0 :
		    w->replica->places[step->stage].in_flight,
		.to_ipu = -1,
		.bytes = bytes,
		.start_ns = start_ns,
		.end_ns = end_ns };
}

/* Count and record the IPU's work from `start_ns` until now. */
static void
worker_finish(struct worker *w, enum trace_kind kind, const struct step *step,
    size_t bytes, int64_t start_ns)
{
	const int64_t end_ns = clock_monotonic_ns();

	count_busy(w, end_ns - start_ns);
	record(w, kind, step, bytes, start_ns, end_ns);
}

/* Record the transfer of a tensor to another IPU; within an IPU it stays. */
static void
hand_over(struct worker *w, const struct step *step, int to, size_t floats)
{
	const int ipu = schedule_ipu(&w->engine->schedule.config, to);
	const int64_t now_ns = trace_clock(w);

	if (ipu == w->ipu)
		return;
	count_exchange(w, floats);
	record(w, TRACE_EXCHANGE, step, floats * sizeof(float), now_ns, now_ns);
	if (w->trace.events != NULL)
		w->trace.events[w->trace.count - 1].to_ipu = ipu;
}

/* Return the samples of a micro-batch of this iteration. */
static const uint32_t *
samples_of(const struct worker *w, int micro_batch)
{
	const struct engine *e = w->engine;
	size_t n = (size_t)w->replica->index * (size_t)e->micro_batches +
	    (size_t)w->iteration * (size_t)e->schedule.config.micro_batches +
	    (size_t)micro_batch;

	return e->input.order + n * (size_t)e->config.micro_batch;
}

/* Load pixels from the host, normalised, to [block][pixel][lane].  Lanes after
   the last sample are never written and stay zero.  Returns the bytes. */
static size_t
load_pixels(struct worker *w, int micro_batch, float *to)
{
	const struct engine *e = w->engine;
	const uint32_t *samples = samples_of(w, micro_batch);
	const int lanes = e->config.kernels->lanes;
	const int pixels = layer_shape_elements(e->config.model->in);
	size_t bytes;
	int n, i;

	for (n = 0; n < e->config.micro_batch; n++) {
		const uint8_t *from = e->input.pixels +
		    (size_t)samples[n] * (size_t)pixels;
		float *lane = to + (ptrdiff_t)(n / lanes) * pixels * lanes +
		    n % lanes;

		for (i = 0; i < pixels; i++)
			lane[i * lanes] = e->pixel[from[i]];
	}
	bytes = (size_t)pixels * (size_t)e->config.micro_batch * sizeof(float);
	count_host(w, bytes);
	return bytes;
}

/* Load the labels at the last stage.  In training they come from the host and
   count; in inference the host keeps and compares them.  Returns the bytes. */
static size_t
load_labels(struct worker *w, int micro_batch)
{
	const struct engine *e = w->engine;
	const uint32_t *samples = samples_of(w, micro_batch);
	int n;

	for (n = 0; n < e->config.micro_batch; n++)
		w->replica->labels[n] = e->input.labels[samples[n]];
	if (!e->config.training)
		return 0;
	count_host(w, (size_t)e->config.micro_batch);
	return (size_t)e->config.micro_batch;
}

/* Return the number of this iteration's micro-batch in the call. */
static int
number_in_call(const struct worker *w, int micro_batch)
{
	return w->iteration * w->engine->schedule.config.micro_batches +
	    micro_batch;
}

/* Return results to the host if the output mode says so. */
static void
return_results(struct worker *w, const struct step *step,
    const struct outcome *outcome)
{
	struct engine *e = w->engine;
	const struct engine_config *c = &e->config;
	const int m = number_in_call(w, step->micro_batch);
	const int entry =
	    output_mode_entry(c->output_mode, c->output_return_period, m) *
		c->local_replicas +
	    w->replica->index;
	const bool add = c->output_mode == OUTPUT_SUM && m > 0;
	const bool now = output_mode_returned(c->output_mode,
	    c->output_return_period, m, e->micro_batches);
	const size_t floats = (size_t)c->micro_batch * (size_t)e->classes;
	const size_t bytes = (floats + 1) * sizeof(float); /* with the loss */
	const int64_t start_ns = trace_clock(w);
	float *outputs = e->outputs + (size_t)entry * floats;
	double loss = add ? e->outcomes[entry].loss : 0;

	if (!now && c->output_mode != OUTPUT_SUM)
		return;
	output_mode_copy(c->kernels->lanes, e->classes, c->micro_batch,
	    w->replica->outputs, outputs, add);
	e->outcomes[entry] = *outcome;
	e->outcomes[entry].loss += loss;
	if (!now)
		return;
	if (c->output_mode == OUTPUT_SUM)
		e->outcomes[entry].correct = output_mode_correct(outputs,
		    c->micro_batch, e->classes, w->replica->labels,
		    c->micro_batch);
	count_host(w, bytes);
	record(w, TRACE_HOST_OUT, step, bytes, start_ns, trace_clock(w));
}

/* Compute the loss of a micro-batch and in training its gradient (NULL in
   inference). */
static int
take_loss(struct worker *w, struct outcome *outcome)
{
	struct engine *e = w->engine;
	const struct model *m = e->config.model;
	const struct loss_target target = { .bytes = w->replica->labels };
	struct error error;

	if (loss_compute(&e->config.loss, e->config.kernels->lanes,
		m->layers[m->layer_count - 1].out, e->config.micro_batch,
		w->replica->outputs, &target, w->replica->gradient, outcome,
		&error) == 0)
		return 0;
	fail(e, &error);
	return -1;
}

/* Load the data from the host before a stage starts. */
static void
load_inputs(struct worker *w, const struct step *step, struct place *p,
    float *in)
{
	const int last = w->engine->config.stages - 1;
	size_t bytes;
	int64_t start_ns;

	if (step->stage == 0) {
		start_ns = trace_clock(w);
		bytes = load_pixels(w, step->micro_batch, in);
		record(w, TRACE_HOST_IN, step, bytes, start_ns, trace_clock(w));
		ring_publish(&p->in);
	}
	if (step->stage != last)
		return;
	start_ns = trace_clock(w);
	bytes = load_labels(w, step->micro_batch);
	if (bytes > 0)
		record(w, TRACE_HOST_IN, step, bytes, start_ns, trace_clock(w));
}

/* Return the input of a stage: loaded from the host in the first, else
   published by the previous stage. */
static float *
stage_input(struct worker *w, const struct step *step)
{
	struct place *p = &w->replica->places[step->stage];

	/* The ring is also the stash; its oldest buffer has just become
	   free. */
	if (step->stage == 0)
		return ring_reserve(&p->in);
	return ring_take(&p->in, w->number + (unsigned long)step->micro_batch);
}

/* Wait for the input and for room in the output, compute, pass on.  The trace
   shows the wait as sync.  Inference has no backward, so the input is released
   at once. */
static int
worker_forward(struct worker *w, const struct step *step)
{
	struct engine *e = w->engine;
	struct place *p = &w->replica->places[step->stage];
	const bool last = step->stage == e->config.stages - 1;
	float *in, *out;
	struct outcome outcome;
	int64_t start_ns = trace_clock(w);

	if ((in = stage_input(w, step)) == NULL)
		return -1;
	out = last ? w->replica->outputs : ring_reserve(&p[1].in);
	if (out == NULL)
		return -1;
	p->in_flight++;
	assert(p->in_flight <= p->depth);
	record(w, TRACE_SYNC, step, 0, start_ns, trace_clock(w));
	load_inputs(w, step, p, in);
	start_ns = clock_monotonic_ns();
	stage_forward(p->stage, step->micro_batch % p->depth, in, out);
	if (last && take_loss(w, &outcome) != 0)
		return -1;
	worker_finish(w, TRACE_FORWARD, step, 0, start_ns);
	if (last) {
		return_results(w, step, &outcome);
	} else {
		ring_publish(&p[1].in);
		hand_over(w, step, step->stage + 1, stage_out_floats(p->stage));
	}
	if (!e->config.training) {
		ring_release(&p->in);
		p->in_flight--;
	}
	return 0;
}

/* Run backward, the mirror of forward: the gradient comes from the next stage
   and goes to the previous one.  Release the input last, as the stash is in its
   ring. */
static int
backward(struct worker *w, const struct step *step)
{
	struct engine *e = w->engine;
	struct place *p = &w->replica->places[step->stage];
	const bool last = step->stage == e->config.stages - 1;
	const unsigned long number = w->number +
	    (unsigned long)step->micro_batch;
	float *in, *from, *to = NULL;
	int64_t start_ns = trace_clock(w);

	from = last ? w->replica->gradient : ring_take(&p->gradient, number);
	if (from == NULL || (in = ring_take(&p->in, number)) == NULL)
		return -1;
	if (step->stage > 0 && (to = ring_reserve(&p[-1].gradient)) == NULL)
		return -1;
	record(w, TRACE_SYNC, step, 0, start_ns, trace_clock(w));
	if (e->config.recompute && !last) {
		start_ns = clock_monotonic_ns();
		stage_recompute(p->stage, in);
		worker_finish(w, TRACE_RECOMPUTE, step, 0, start_ns);
	}
	start_ns = clock_monotonic_ns();
	stage_backward(p->stage, step->micro_batch % p->depth, in, from, to);
	worker_finish(w, TRACE_BACKWARD, step, 0, start_ns);
	if (step->stage > 0) {
		ring_publish(&p[-1].gradient);
		hand_over(w, step, step->stage - 1, stage_in_floats(p->stage));
	}
	if (!last)
		ring_release(&p->gradient);
	ring_release(&p->in);
	p->in_flight--;
	return 0;
}

/* The wait for an empty pipeline. */
struct flush_barrier {
	struct replica *replica;
	long updates; /* before this update */
};

/* For eventcount_wait(): whether the update was numbered, or a failure
   occurred. */
static bool
is_empty(void *argument)
{
	const struct flush_barrier *e = argument;

	return atomic_load(&e->replica->updates) > e->updates ||
	    atomic_load(&e->replica->closed);
}

/* Wait until all IPUs of the replica are here: the pipeline is empty.  Returns
   the number of the coming update, or -1 after a failure. */
static long
wait_until_empty(struct worker *w)
{
	struct replica *r = w->replica;
	struct flush_barrier e = { r, atomic_load(&r->updates) };

	if (atomic_fetch_add(&r->arrived, 1) + 1 == w->engine->schedule.ipus) {
		atomic_store(&r->arrived, 0);
		(void)atomic_fetch_add(&r->updates, 1);
		eventcount_ring(&r->empty);
	} else {
		eventcount_wait(&r->empty, is_empty, &e);
	}
	return atomic_load(&r->closed) ? -1 : e.updates + 1;
}

/* Whether a stage is on this worker's IPU. */
static bool
is_local_stage(const struct worker *w, int stage)
{
	return schedule_ipu(&w->engine->schedule.config, stage) == w->ipu;
}

/*
 * Sum the gradients of this IPU's stages over all replicas.
 *
 * Bytes count twice: each gradient goes out and its sum comes back.
 */
static int
sum_gradients(struct worker *w, const struct step *step)
{
	struct engine *e = w->engine;
	const struct engine_config *c = &e->config;
	const int replica = c->first_replica + w->replica->index;
	const int64_t start_ns = trace_clock(w);
	struct error error;
	float *gradients;
	size_t n, bytes = 0;
	int s;

	if (c->collective == NULL)
		return 0;
	for (s = 0; s < c->stages; s++) {
		if (!is_local_stage(w, s))
			continue;
		gradients = stage_gradients(w->replica->places[s].stage, &n);
		if (collective_sum(c->collective, s, replica, gradients,
			&error) != 0) {
			fail(e, &error);
			return -1;
		}
		count_exchange(w, 2 * n);
		bytes += 2 * n * sizeof(float);
	}
	record(w, TRACE_COLLECTIVE, step, bytes, start_ns, trace_clock(w));
	return 0;
}

/*
 * Update all stages of the IPU when the pipeline is empty.
 *
 * `scale` turns the sum over micro-batches and replicas into their mean.
 */
static int
update(struct worker *w, const struct step *step)
{
	const struct engine_config *c = &w->engine->config;
	const float scale = 1.0f /
	    ((float)c->gradient_accumulation * (float)c->total_replicas);
	int64_t start_ns = trace_clock(w);
	const long number = wait_until_empty(w);
	size_t bytes = 0;
	int s;

	if (number == -1)
		return -1;
	record(w, TRACE_SYNC, step, 0, start_ns, trace_clock(w));
	if (sum_gradients(w, step) != 0)
		return -1;
	start_ns = clock_monotonic_ns();
	for (s = 0; s < c->stages; s++)
		if (is_local_stage(w, s))
			bytes += stage_update(w->replica->places[s].stage,
			    &c->optimiser, number, scale);
	count_host(w, bytes);
	worker_finish(w, TRACE_UPDATE, step, bytes, start_ns);
	return 0;
}

/* Returns 0, or -1 if a failure ended the wait. */
static int
run_step(struct worker *w, const struct step *step)
{
	switch (step->kind) {
	case STEP_FORWARD:
		return worker_forward(w, step);
	case STEP_BACKWARD:
		return backward(w, step);
	default:
		return update(w, step);
	}
}

/* Whether the IPU is in order; if not, stop the whole engine. */
static bool
ipu_is_healthy(struct worker *w)
{
	struct error error;

	if (w->slot == NULL || !attach_local_in_trouble(w->slot))
		return true;
	if (attach_check(w->engine->config.attachment, &error) == 0)
		return true; /* it recovered meanwhile */
	fail(w->engine, &error);
	if (w->engine->config.collective != NULL)
		collective_fail(w->engine->config.collective);
	return false;
}

/* Run all device iterations of a call.  Micro-batches are numbered through all
   calls, like the rings' buffers. */
static void
run_call(struct worker *w)
{
	int i;

	w->trace.count = 0;
	for (w->iteration = 0; w->iteration < w->engine->iterations;
	     w->iteration++) {
		for (i = 0; i < w->step_count; i++)
			if (!ipu_is_healthy(w) || run_step(w, w->steps[i]) != 0)
				return;
		w->number +=
		    (unsigned long)w->engine->schedule.config.micro_batches;
	}
}

/* The lock guards the call's number; it is free while the call runs. */
void *
worker_main(void *argument)
{
	struct worker *w = argument;
	struct engine *e = w->engine;
	unsigned long done = 0;

	(void)pthread_mutex_lock(&e->lock);
	for (;;) {
		while (e->calls == done && !e->stopping)
			(void)pthread_cond_wait(&e->changed, &e->lock);
		if (e->stopping)
			break;
		done = e->calls;
		(void)pthread_mutex_unlock(&e->lock);
		run_call(w);
		(void)pthread_mutex_lock(&e->lock);
		if (--e->running == 0)
			(void)pthread_cond_broadcast(&e->changed);
	}
	(void)pthread_mutex_unlock(&e->lock);
	return NULL;
}
