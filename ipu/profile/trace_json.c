/*
 * trace.json: Chrome's trace-event format.  One process per IPU and clock, with
 * the rows compute, exchange, sync, host I/O and collective; ipubox-profile(7)
 * describes the events.
 *
 * Writing is part of the observed run, so it is cheap: records are put together
 * by hand in one buffer.  A long run is cut: detail is limited to some calls
 * and steps, the rest is only summed.
 */
#include "ipu/profile/profile_internal.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/json.h"
#include "ipu/profile/figures.h"

enum trace_row {
	ROW_COMPUTE = 1,
	ROW_EXCHANGE,
	ROW_SYNC,
	ROW_HOST,
	ROW_COLLECTIVE,
	ROWS
};

static const char *const row_names[] = {
	[ROW_COMPUTE] = "compute",
	[ROW_EXCHANGE] = "exchange",
	[ROW_SYNC] = "sync",
	[ROW_HOST] = "host I/O",
	[ROW_COLLECTIVE] = "collective",
};

static const enum trace_row trace_json_rows[] = {
	[TRACE_FORWARD] = ROW_COMPUTE,
	[TRACE_RECOMPUTE] = ROW_COMPUTE,
	[TRACE_BACKWARD] = ROW_COMPUTE,
	[TRACE_UPDATE] = ROW_COMPUTE,
	[TRACE_COLLECTIVE] = ROW_COLLECTIVE,
	[TRACE_SYNC] = ROW_SYNC,
	[TRACE_HOST_IN] = ROW_HOST,
	[TRACE_HOST_OUT] = ROW_HOST,
	[TRACE_EXCHANGE] = ROW_EXCHANGE,
};

/* Return the process, from 1, as some viewers take 0 for the kernel's. */
static int
process_of(const struct trace_json *w, enum profile_clock clock,
    const struct time_span *s)
{
	const struct engine_config *c = w->data->config;

	if (clock == PROFILE_MODELLED)
		return 1 + c->local_replicas * w->data->ipus + s->ipu;
	return 1 + (s->replica - c->first_replica) * w->data->ipus + s->ipu;
}

static void
write_process(struct trace_json *w, int process, const char *name)
{
	int row;

	trace_record_name(w, "process_name", process, 0, "name", name);
	trace_record_sort(w, "process_sort_index", process, 0);
	for (row = ROW_COMPUTE; row < ROWS; row++) {
		trace_record_name(w, "thread_name", process, row, "name",
		    row_names[row]);
		trace_record_sort(w, "thread_sort_index", process, row);
	}
}

static void
write_processes(struct trace_json *w)
{
	const struct engine_config *c = w->data->config;
	struct time_span s = { 0 };
	char name[64];
	int r;

	for (r = 0; r < c->local_replicas && profile_data_has_steps(w->data);
	     r++) {
		s.replica = c->first_replica + r;
		for (s.ipu = 0; s.ipu < w->data->ipus; s.ipu++) {
			if (c->total_replicas > 1)
				(void)snprintf(name, sizeof(name),
				    "replica %d IPU %d (host time)", s.replica,
				    s.ipu);
			else
				(void)snprintf(name, sizeof(name),
				    "IPU %d (host time)", s.ipu);
			write_process(w, process_of(w, PROFILE_HOST, &s), name);
		}
	}
	for (s.ipu = 0; s.ipu < w->data->ipus; s.ipu++) {
		(void)snprintf(name, sizeof(name), "IPU %d (modelled cycles)",
		    s.ipu);
		write_process(w, process_of(w, PROFILE_MODELLED, &s), name);
	}
}

static void
write_other_data(struct trace_json *w)
{
	const struct profile_data *d = w->data;
	const struct engine_config *c = d->config;
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc);
	char why[FIGURES_WHY_SIZE];

	yyjson_mut_doc_set_root(doc, root);
#define TEXT(key, value) (void)yyjson_mut_obj_add_strcpy(doc, root, key, value)
#define NUMBER(key, value) (void)yyjson_mut_obj_add_int(doc, root, key, value)
	TEXT("host time",
	    d->about.host == NULL ?
		"CLOCK_MONOTONIC of the host that emulated "
		"the IPUs, from the start of the profile" :
		profile_data_has_steps(d) || d->about.host->activity_count > 0 ?
		"measured by the program that computed the model, from its "
		"first measurement" :
		"no steps were measured");
	TEXT("modelled cycles",
	    "estimate of one call on the chip, see ipubox-device(7); its times "
	    "are cycles / clock");
	(void)yyjson_mut_obj_add_real(doc, root, "clock_mhz",
	    d->cycles->target.clock_mhz);
	TEXT("version", IPUBOX_VERSION);
	TEXT("program", d->about.program);
	TEXT("command", d->about.command);
	TEXT("model", d->about.model);
	TEXT("engine", d->about.engine);
	TEXT("device", d->about.device);
	if (d->about.host != NULL)
		TEXT("computed by", d->about.host->computed_by);
	NUMBER("instance", d->about.instance);
	TEXT("strategy", model_file_strategy_words[c->strategy]);
	(void)yyjson_mut_obj_add_bool(doc, root, "training", c->training);
	(void)yyjson_mut_obj_add_bool(doc, root, "recompute", c->recompute);
	NUMBER("stages", c->stages);
	NUMBER("ipus", d->ipus);
	NUMBER("micro_batch_samples", c->micro_batch);
	NUMBER("gradient_accumulation", c->gradient_accumulation);
	NUMBER("device_iterations", c->device_iterations);
	NUMBER("replicas", c->total_replicas);
	NUMBER("calls", d->calls);
	NUMBER("calls_recorded", TRACE_CALLS);
	if (d->interrupted != NULL)
		TEXT("interrupted", figures_interruption(d, why));
#undef TEXT
#undef NUMBER
	json_print(w->file, doc);
}

/* Return nanoseconds from the trace's zero. */
static int64_t
trace_json_time_of(const struct trace_json *w, enum profile_clock clock,
    int64_t at)
{
	if (clock == PROFILE_HOST)
		return at - w->epoch_ns;
	return (int64_t)((double)at * 1e3 / w->data->cycles->target.clock_mhz +
	    0.5);
}

/* Displayed numbers begin with 1, except stages. */
static void
put_step(struct trace_json *w, struct trace_record *l,
    const struct time_span *s)
{
	const struct step *step = &s->step;
	const char *phase = figures_phase(w->data, step);

	trace_record_put(l, ",\"args\":{\"call\":");
	trace_record_number(l, s->call + 1);
	trace_record_field(l, "iteration", s->iteration + 1);
	trace_record_field(l, "column", step->column + 1);
	if (phase == NULL)
		return;
	trace_record_field(l, "stage", step->stage);
	trace_record_field(l, "micro_batch", step->micro_batch + 1);
	trace_record_put(l, ",\"phase\":\"");
	trace_record_put(l, phase);
	trace_record_put(l, "\"");
}

static void
write_slice(struct trace_json *w, enum profile_clock clock,
    const struct time_span *s)
{
	const int64_t from = trace_json_time_of(w, clock, s->from);
	struct trace_record l;

	trace_record_begin(w, &l, "X", figures_kind_name(s->kind),
	    process_of(w, clock, s));
	trace_record_field(&l, "tid", trace_json_rows[s->kind]);
	trace_record_time(&l, "ts", from);
	trace_record_time(&l, "dur",
	    trace_json_time_of(w, clock, s->to) - from);
	put_step(w, &l, s);
	if (s->bytes > 0)
		trace_record_field(&l, "bytes", (int64_t)s->bytes);
	if (s->kind == TRACE_EXCHANGE)
		trace_record_field(&l, "to_ipu",
		    profile_data_target(w->data, &s->step));
	if (clock == PROFILE_MODELLED) {
		trace_record_field(&l, "cycle_from", s->from);
		trace_record_field(&l, "cycle_to", s->to);
	} else if (s->in_flight > 0) {
		trace_record_field(&l, "in_flight", s->in_flight);
	}
	trace_record_put(&l, "}");
	trace_record_end(w, &l);
}

/* Return a tensor's number, equal at both ends: of this stage's output
   (forward) or of its input's gradient (backward). */
static int64_t
flow_id(const struct trace_json *w, enum profile_clock clock,
    const struct time_span *s, int stage)
{
	const struct profile_data *d = w->data;
	int64_t n = s->call;

	n = n * d->config->local_replicas + s->replica -
	    (clock == PROFILE_HOST ? d->config->first_replica : 0);
	n = n * d->iterations + s->iteration;
	n = n * d->schedule.config.micro_batches + s->step.micro_batch;
	n = n * d->config->stages + stage;
	return (n * 2 + (s->step.kind == STEP_BACKWARD)) * PROFILE_CLOCKS +
	    (int64_t)clock + 1;
}

static void
write_flow(struct trace_json *w, enum profile_clock clock,
    const struct time_span *s, bool starts, int stage)
{
	int64_t at = trace_json_time_of(w, clock, s->from);
	const int64_t to = trace_json_time_of(w, clock, s->to);
	struct trace_record l;

	/* Stay within the slice, which does not include its end. */
	if (starts && to > at)
		at = to - 1;
	trace_record_begin(w, &l, starts ? "s" : "f",
	    s->kind == TRACE_FORWARD ? "activations" : "gradients",
	    process_of(w, clock, s));
	trace_record_field(&l, "tid", ROW_COMPUTE);
	trace_record_put(&l, ",\"cat\":\"flow\",\"bp\":\"e\"");
	trace_record_field(&l, "id", flow_id(w, clock, s, stage));
	trace_record_time(&l, "ts", at);
	trace_record_end(w, &l);
}

/* Write the tensors that enter and leave a step. */
static void
write_flows(struct trace_json *w, enum profile_clock clock,
    const struct time_span *s)
{
	const int last = w->data->config->stages - 1;
	const int stage = s->step.stage;

	if (s->kind == TRACE_FORWARD) {
		if (stage > 0)
			write_flow(w, clock, s, false, stage - 1);
		if (stage < last)
			write_flow(w, clock, s, true, stage);
	} else if (s->kind == TRACE_BACKWARD) {
		if (stage < last)
			write_flow(w, clock, s, false, stage + 1);
		if (stage > 0)
			write_flow(w, clock, s, true, stage);
	}
}

static void
write_instant(struct trace_json *w, enum profile_clock clock,
    const struct time_span *s)
{
	struct trace_record l;

	trace_record_begin(w, &l, "i", "weight update",
	    process_of(w, clock, s));
	trace_record_field(&l, "tid", ROW_COMPUTE);
	trace_record_time(&l, "ts", trace_json_time_of(w, clock, s->to));
	trace_record_put(&l, ",\"s\":\"p\"");
	trace_record_end(w, &l);
}

static void
write_counter(struct trace_json *w, enum profile_clock clock,
    const struct time_span *s, int64_t at_ns, const char *name,
    const char *unit, int64_t value)
{
	struct trace_record l;

	trace_record_begin(w, &l, "C", name, process_of(w, clock, s));
	trace_record_time(&l, "ts", at_ns);
	trace_record_put(&l, ",\"args\":{\"");
	trace_record_put(&l, unit);
	trace_record_put(&l, "\":");
	trace_record_number(&l, value);
	trace_record_put(&l, "}");
	trace_record_end(w, &l);
}

/* Write the stash of an IPU's stages and its memory: the other bytes stay as
   long as the program. */
static void
write_stash(struct trace_json *w, enum profile_clock clock,
    const struct time_span *s, int64_t at_ns, int kept)
{
	const struct memory_ipu *m = &w->data->memory->ipus[s->ipu];
	const int64_t stash = (int64_t)m->kinds[MEMORY_STASH];
	const int planned = figures_stash_planned(w->data, s->ipu);

	write_counter(w, clock, s, at_ns, "stash", "micro_batches", kept);
	write_counter(w, clock, s, at_ns, "SRAM in use", "bytes",
	    (int64_t)m->total - stash + stash * kept / planned);
}

/* Write the program's arrival at the IPUs or its departure, when no stash is
   kept. */
static void
write_ends(struct trace_json *w, enum profile_clock clock, int64_t at_ns,
    bool loaded)
{
	const struct profile_data *d = w->data;
	const int replicas = clock == PROFILE_HOST ?
	    d->config->local_replicas :
	    1;
	struct time_span s = { 0 };
	int r;

	if (clock == PROFILE_HOST && !profile_data_has_steps(d))
		return;
	for (r = 0; r < replicas; r++) {
		s.replica = d->config->first_replica + r;
		for (s.ipu = 0; s.ipu < d->ipus; s.ipu++) {
			if (loaded) {
				write_stash(w, clock, &s, at_ns, 0);
				continue;
			}
			write_counter(w, clock, &s, at_ns, "stash",
			    "micro_batches", 0);
			write_counter(w, clock, &s, at_ns, "SRAM in use",
			    "bytes", 0);
		}
	}
}

/* Write one span with its flows and counters; *kept is its IPU's stash. */
static void
write_span(struct trace_json *w, enum profile_clock clock,
    const struct time_span *s, int *kept)
{
	write_slice(w, clock, s);
	if (s->kind == TRACE_UPDATE)
		write_instant(w, clock, s);
	if (s->kind != TRACE_FORWARD && s->kind != TRACE_BACKWARD)
		return;
	write_flows(w, clock, s);
	if (!w->data->config->training)
		return;
	if (s->kind == TRACE_FORWARD)
		write_stash(w, clock, s, trace_json_time_of(w, clock, s->from),
		    ++*kept);
	else
		write_stash(w, clock, s, trace_json_time_of(w, clock, s->to),
		    --*kept);
}

void
trace_json_open(struct trace_json *w, FILE *file,
    const struct profile_data *data, int64_t epoch_ns)
{
	*w = (struct trace_json){ .file = file,
		.data = data,
		.epoch_ns = epoch_ns };
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", file);
	write_processes(w);
	write_ends(w, PROFILE_HOST, 0, true);
	write_ends(w, PROFILE_MODELLED, 0, true);
}

/* Return how much of a call still fits: whole device iterations, but of a too
   long first one its first micro-batches. */
static int
iterations_left(const struct trace_json *w, long steps, int *micro_batches)
{
	const struct profile_data *d = w->data;
	const long one = (long)d->schedule.step_count;
	const long left = (TRACE_STEPS - steps) / one;

	*micro_batches = d->schedule.config.micro_batches;
	if (left == 0 && steps == 0) {
		*micro_batches = TRACE_STEPS / (2 * d->config->stages);
		return 1;
	}
	return left < d->iterations ? (int)left : d->iterations;
}

static void
write_call(struct trace_json *w, const struct trace *t, long call,
    int iterations, int micro_batches)
{
	struct time_span s;
	int kept = 0, i;

	for (i = 0; i < t->count; i++) {
		s = profile_data_span_host(&t->events[i], call);
		if (s.iteration >= iterations ||
		    s.step.micro_batch >= micro_batches)
			continue;
		write_span(w, PROFILE_HOST, &s, &kept);
		if (trace_json_time_of(w, PROFILE_HOST, s.to) > w->last_ns)
			w->last_ns = trace_json_time_of(w, PROFILE_HOST, s.to);
	}
}

void
trace_json_call(struct trace_json *w, const struct trace *const *traces,
    long call)
{
	const struct profile_data *d = w->data;
	int micro_batches, iterations, r, i;

	iterations = iterations_left(w, w->steps, &micro_batches);
	if (call >= TRACE_CALLS || iterations == 0)
		return;
	for (r = 0; r < d->config->local_replicas; r++)
		for (i = 0; i < d->ipus; i++)
			write_call(w, traces[r * d->ipus + i], call, iterations,
			    micro_batches);
	w->steps += (long)iterations * d->schedule.step_count *
	    d->config->local_replicas;
}

/* Write the first call by the modelled clock: its iterations are all equal. */
static void
write_modelled(struct trace_json *w, int iterations, int micro_batches)
{
	const struct cycles *c = w->data->cycles;
	struct time_span s;
	int kept = 0, d, i;

	for (d = 0; d < iterations; d++) {
		for (i = 0; i < c->event_count; i++) {
			if (i > 0 && c->events[i].ipu != c->events[i - 1].ipu)
				kept = 0;
			s = profile_data_span_modelled(&c->events[i]);
			if (s.step.micro_batch >= micro_batches)
				continue;
			s.iteration = d;
			s.from += d * c->total;
			s.to += d * c->total;
			write_span(w, PROFILE_MODELLED, &s, &kept);
		}
	}
}

/* Return the number after the IPUs' processes, at most two for each. */
static int
host_process(const struct trace_json *w)
{
	return 1 + (w->data->config->local_replicas + 1) * w->data->ipus;
}

/* Indexed by outline_activity_row(). */
static const char *const activity_rows[] = { "program", "calls", "iterations" };

static void
write_activity(struct trace_json *w, int process, const struct host_activity *a)
{
	const int64_t from = (int64_t)(a->from_s * 1e9);
	struct trace_record l;

	trace_record_begin(w, &l, "X", outline_activity_names[a->kind],
	    process);
	trace_record_field(&l, "tid", 1 + outline_activity_row(a->kind));
	trace_record_time(&l, "ts", from);
	trace_record_time(&l, "dur", (int64_t)(a->to_s * 1e9) - from);
	trace_record_put(&l, ",\"args\":{");
	if (a->call >= 0) {
		trace_record_put(&l, "\"call\":");
		trace_record_number(&l, a->call + 1);
	}
	if (a->iteration >= 0)
		trace_record_field(&l, "iteration", a->iteration + 1);
	trace_record_put(&l, "}");
	trace_record_end(w, &l);
}

/* Write the timeline of the host that computed an outline's model, as a
   separate process, if anything was measured. */
static void
write_host(struct trace_json *w, int process)
{
	const struct profile_host *h = w->data->about.host;
	int i;

	if (h == NULL || h->activity_count == 0)
		return;
	trace_record_name(w, "process_name", process, 0, "name",
	    "host (host time)");
	trace_record_sort(w, "process_sort_index", process, 0);
	for (i = 0; i < (int)ARRAY_SIZE(activity_rows); i++)
		trace_record_name(w, "thread_name", process, 1 + i, "name",
		    activity_rows[i]);
	for (i = 0; i < h->activity_count; i++)
		write_activity(w, process, &h->activities[i]);
}

void
trace_json_close(struct trace_json *w)
{
	const struct profile_data *d = w->data;
	int micro_batches, iterations;

	iterations = iterations_left(w, 0, &micro_batches);
	write_modelled(w, iterations, micro_batches);
	write_ends(w, PROFILE_HOST, w->last_ns, false);
	write_ends(w, PROFILE_MODELLED,
	    trace_json_time_of(w, PROFILE_MODELLED,
		iterations * d->cycles->total),
	    false);
	write_host(w, host_process(w));
	fputs("\n],\"otherData\":", w->file);
	write_other_data(w);
	fputs("}\n", w->file);
}
