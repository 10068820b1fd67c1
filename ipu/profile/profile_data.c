/*
 * The data of a profile's files, from the modelled cycles and the executor's
 * trace, both as struct time_span.
 */
#include "ipu/profile/profile_data.h"

#include <assert.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"

struct time_span
profile_data_span_host(const struct trace_event *e, long call)
{
	return (struct time_span){ .kind = e->kind,
		.replica = e->replica,
		.ipu = e->ipu,
		.step = e->step,
		.iteration = e->iteration,
		.call = call,
		.in_flight = e->in_flight,
		.bytes = e->bytes,
		.from = e->start_ns,
		.to = e->end_ns };
}

struct time_span
profile_data_span_modelled(const struct cycles_event *e)
{
	return (struct time_span){ .kind = e->kind,
		.ipu = e->ipu,
		.step = e->step,
		.bytes = e->bytes,
		.from = e->from,
		.to = e->to };
}

/* Forward passes to the next stage, backward to the previous one. */
int
profile_data_target(const struct profile_data *d, const struct step *step)
{
	int stage = step->stage;

	if (step->kind == STEP_UPDATE)
		return -1;
	stage += step->kind == STEP_FORWARD ? 1 : -1;
	if (stage < 0 || stage >= d->config->stages)
		return -1;
	return schedule_ipu(&d->schedule.config, stage);
}

int
profile_data_iterations_kept(const struct profile_data *d)
{
	const int most = PROFILE_STEPS / d->schedule.step_count;

	return most >= d->iterations ? d->iterations : most < 1 ? 1 : most;
}

/* Whether an equal step is listed: by the model's clock all steps of a stage
   are equal. */
static bool
is_listed(const struct timing *t, const struct time_span *s)
{
	int i;

	for (i = 0; i < t->longest_count; i++)
		if (t->longest[i].kind == s->kind &&
		    t->longest[i].ipu == s->ipu &&
		    t->longest[i].step.stage == s->step.stage)
			return true;
	return false;
}

/*
 * Keep the longest computing steps.
 *
 * An insertion sort of ten: the shortest drops out at the end.
 */
static void
keep_longest(struct timing *t, const struct time_span *s)
{
	int i;

	if (s->kind > TRACE_UPDATE)
		return;
	i = t->longest_count;
	if (i == PROFILE_LONGEST) {
		if (s->to - s->from <=
		    t->longest[i - 1].to - t->longest[i - 1].from)
			return;
		i--;
	} else {
		t->longest_count++;
	}
	for (; i > 0 &&
	     t->longest[i - 1].to - t->longest[i - 1].from < s->to - s->from;
	     i--)
		t->longest[i] = t->longest[i - 1];
	t->longest[i] = *s;
}

/* Add an exchange to its link; the first one makes the link. */
static void
add_link(struct profile_data *d, const struct time_span *s,
    enum profile_clock clock)
{
	const int to = profile_data_target(d, &s->step);
	struct stage_link *l = d->links;
	int i;

	if (s->kind != TRACE_EXCHANGE || to == -1 || to == s->ipu)
		return;
	for (i = 0; i < d->link_count; i++, l++)
		if (l->from == s->ipu && l->to == to)
			break;
	if (i == d->link_count) {
		d->links = xreallocarray(d->links, (size_t)++d->link_count,
		    sizeof(*d->links));
		l = &d->links[i];
		*l = (struct stage_link){ .from = s->ipu, .to = to };
	}
	if (s->step.kind == STEP_FORWARD)
		l->activations[clock] += s->bytes;
	else
		l->gradients[clock] += s->bytes;
}

static void
add_span(struct profile_data *d, enum profile_clock clock,
    const struct time_span *s)
{
	struct timing *t = &d->timings[clock];

	t->sums[s->ipu][s->kind] += s->to - s->from;
	if (clock == PROFILE_HOST || !is_listed(t, s))
		keep_longest(t, s);
	add_link(d, s, clock);
}

/* Keep a span; double the room whenever the number is a power of two. */
static void
keep_span(struct timing *t, const struct time_span *s)
{
	if (bits_is_power_of_two((unsigned long)t->span_count) ||
	    t->span_count == 0)
		t->spans = xreallocarray(t->spans,
		    t->span_count == 0 ? 1 : 2 * (size_t)t->span_count,
		    sizeof(*t->spans));
	t->spans[t->span_count++] = *s;
}

static void
add_modelled(struct profile_data *d)
{
	struct timing *t = &d->timings[PROFILE_MODELLED];
	struct time_span s;
	int i;

	t->total = d->cycles->total;
	for (i = 0; i < d->cycles->event_count; i++) {
		s = profile_data_span_modelled(&d->cycles->events[i]);
		add_span(d, PROFILE_MODELLED, &s);
		keep_span(t, &s);
	}
}

/* Stands for a missing model: no cycles. */
static const struct cycles no_cycles = { .target.clock_mhz = 1330 };

static int
usable_processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == -1)
		return 1;
	return CPU_COUNT(&set);
}

/* Copy the texts, which the caller made only for profile_open(). */
static void
copy_about(struct profile_data *d, const struct profile_about *about)
{
	const char *const texts[ABOUT_TEXTS] = { about->program, about->command,
		about->model, about->engine, about->device };
	int i;

	for (i = 0; i < ABOUT_TEXTS; i++)
		d->texts[i] = xstrdup(texts[i]);
	d->about = (struct profile_about){ d->texts[0], d->texts[1],
		d->texts[2], d->texts[3], d->texts[4], about->instance,
		about->run, about->calls, about->host };
}

void
profile_data_init(struct profile_data *d, const struct profile_about *about,
    const struct engine_config *config, const struct memory *memory,
    const struct cycles *cycles)
{
	const struct schedule_config schedule = engine_config_schedule(config);
	int i;

	*d = (struct profile_data){ .config = config,
		.memory = memory,
		.cycles = cycles == NULL ? &no_cycles : cycles,
		.iterations =
		    config->training ? config->device_iterations : 1 };
	copy_about(d, about);
	d->processors = usable_processors();
	/* Cannot be refused, as the engine had the same schedule. */
	i = schedule_init(&d->schedule, &schedule, NULL);
	assert(i == 0);
	d->ipus = d->schedule.ipus;
	assert(memory->ipu_count >= d->ipus);
	for (i = 0; i < PROFILE_CLOCKS; i++)
		d->timings[i].sums = xcalloc((size_t)d->ipus,
		    sizeof(*d->timings[i].sums));
	d->stash_seen = xcalloc((size_t)d->ipus, sizeof(*d->stash_seen));
	add_modelled(d);
}

void
profile_data_release(struct profile_data *d)
{
	int i;

	for (i = 0; i < PROFILE_CLOCKS; i++) {
		free(d->timings[i].sums);
		free(d->timings[i].spans);
	}
	free(d->stash_seen);
	free(d->links);
	free(d->interrupted);
	for (i = 0; i < ABOUT_TEXTS; i++)
		free(d->texts[i]);
	schedule_release(&d->schedule);
}

/* Note the most micro-batches that an IPU's stages kept together. */
static void
note_stash(struct profile_data *d, int *now, const struct time_span *s)
{
	int stage, sum = 0;

	if (s->kind != TRACE_FORWARD && s->kind != TRACE_BACKWARD)
		return;
	now[s->step.stage] = s->in_flight;
	for (stage = 0; stage < d->config->stages; stage++)
		if (schedule_ipu(&d->schedule.config, stage) == s->ipu)
			sum += now[stage];
	if (sum > d->stash_seen[s->ipu])
		d->stash_seen[s->ipu] = sum;
	if (s->kind == TRACE_BACKWARD || !d->config->training)
		now[s->step.stage]--;
}

/* Add a trace; `draw`: keep device iterations for the charts. */
static void
add_trace(struct profile_data *d, const struct trace *t, bool draw,
    int64_t *first, int64_t *last)
{
	int now[SCHEDULE_STAGES_MAX] = { 0 };
	const int kept = draw ? profile_data_iterations_kept(d) : 0;
	struct time_span s;
	int i;

	for (i = 0; i < t->count; i++) {
		s = profile_data_span_host(&t->events[i], d->calls);
		add_span(d, PROFILE_HOST, &s);
		note_stash(d, now, &s);
		if (s.from < *first)
			*first = s.from;
		if (s.to > *last)
			*last = s.to;
		if (s.iteration < kept)
			keep_span(&d->timings[PROFILE_HOST], &s);
	}
}

/* The first call is cold: the second is drawn, if there is one. */
void
profile_data_add(struct profile_data *d, const struct trace *const *traces)
{
	struct timing *t = &d->timings[PROFILE_HOST];
	int64_t first, last;
	int r, i;

	if (d->traced <= 1)
		t->span_count = 0;
	for (r = 0; r < d->config->local_replicas; r++) {
		first = INT64_MAX;
		last = INT64_MIN;
		for (i = 0; i < d->ipus; i++)
			add_trace(d, traces[r * d->ipus + i],
			    r == 0 && d->traced <= 1, &first, &last);
		if (last > first)
			t->total += last - first;
	}
	d->calls++;
	d->traced++;
}

bool
profile_data_has_steps(const struct profile_data *d)
{
	return d->about.host == NULL || d->about.host->steps;
}
