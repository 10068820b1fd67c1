/*
 * summary.json: each add_*() adds one object of it; ipubox-profile(7) lists
 * the names.
 */
#include "ipu/profile/profile_internal.h"

#include "core/base/formats/json.h"
#include "core/base/strvec.h"
#include "ipu/engine/engine.h"
#include "ipu/profile/advice.h"
#include "ipu/profile/figures.h"

enum { OPERATIONS = 20 }; /* operations with the most cycles */

/* An operation of an outline and its modelled cycles per micro-batch. */
struct costed_operation {
	const struct outline_operation *op;
	int ipu;
	double forward, backward;
};

/* An object under construction. */
struct summary_object {
	yyjson_mut_doc *doc;
	yyjson_mut_val *at;
};

static struct summary_object
object_in(struct summary_object o, const char *name)
{
	return (struct summary_object){ o.doc,
		yyjson_mut_obj_add_obj(o.doc, o.at, name) };
}

static struct summary_object
array_in(struct summary_object o, const char *name)
{
	return (struct summary_object){ o.doc,
		yyjson_mut_obj_add_arr(o.doc, o.at, name) };
}

static struct summary_object
element_of(struct summary_object array)
{
	return (struct summary_object){ array.doc,
		yyjson_mut_arr_add_obj(array.doc, array.at) };
}

static void
summary_add_text(struct summary_object o, const char *name, const char *text)
{
	(void)yyjson_mut_obj_add_strcpy(o.doc, o.at, name, text);
}

static void
add_int(struct summary_object o, const char *name, int64_t n)
{
	(void)yyjson_mut_obj_add_sint(o.doc, o.at, name, n);
}

static void
add_real(struct summary_object o, const char *name, double n)
{
	(void)yyjson_mut_obj_add_real(o.doc, o.at, name, n);
}

static void
add_bool(struct summary_object o, const char *name, bool value)
{
	(void)yyjson_mut_obj_add_bool(o.doc, o.at, name, value);
}

/* Write a name with '_' for each space: "host_in". */
static const char *
key_of(char out[FIGURES_SIZE], const char *name)
{
	size_t i;

	for (i = 0; name[i] != '\0' && i < FIGURES_SIZE - 1; i++)
		out[i] = name[i];
	out[i] = '\0';
	while (i-- > 0)
		if (out[i] == ' ')
			out[i] = '_';
	return out;
}

/* Add a figure of the host's steps: null if none were measured. */
static void
add_measured(struct summary_object o, const char *name,
    const struct profile_data *d, double n)
{
	if (profile_data_has_steps(d))
		add_real(o, name, n);
	else
		(void)yyjson_mut_obj_add_null(o.doc, o.at, name);
}

/* Add the other measured times of an outline's host. */
static void
add_host(struct summary_object run, const struct profile_host *h)
{
	summary_add_text(run, "host_computed_by", h->computed_by);
	add_bool(run, "host_steps", h->steps);
	add_real(run, "host_compile_seconds", h->compile_s);
	add_real(run, "host_input_seconds", h->input_s);
	add_real(run, "host_output_seconds", h->output_s);
	add_real(run, "host_first_run_seconds", h->first_run_s);
}

static long long
samples_of(const struct profile_data *d)
{
	const struct engine_config *c = d->config;

	return (long long)d->calls * c->local_replicas * c->device_iterations *
	    c->gradient_accumulation * c->micro_batch;
}

/* Return the seconds of all calls by that clock.  Replicas run in parallel, so
   their times are not summed. */
static double
seconds_of(const struct profile_data *d, enum profile_clock clock)
{
	const struct timing *t = &d->timings[clock];

	if (clock == PROFILE_MODELLED)
		return (double)t->total * d->iterations * (double)d->calls /
		    (d->cycles->target.clock_mhz * 1e6);
	if (d->about.host != NULL)
		return d->about.host->run_s;
	return (double)t->total / d->config->local_replicas / 1e9;
}

static double
modelled_rate(const struct profile_data *d)
{
	const double samples = (double)d->config->micro_batch *
	    d->schedule.config.micro_batches * d->config->local_replicas;

	return d->cycles->total == 0 ?
	    0 :
	    samples * d->cycles->target.clock_mhz * 1e6 /
		(double)d->cycles->total;
}

/* Keep the longest by an insertion sort: the shortest drops out at the end. */
static void
keep_operation(struct costed_operation *rows, int *count,
    const struct costed_operation *new)
{
	const double cycles = new->forward + new->backward;
	int i = *count;

	if (i == OPERATIONS) {
		if (cycles <= rows[i - 1].forward + rows[i - 1].backward)
			return;
		i--;
	} else {
		(*count)++;
	}
	for (; i > 0 && rows[i - 1].forward + rows[i - 1].backward < cycles;
	     i--)
		rows[i] = rows[i - 1];
	rows[i] = *new;
}

static double
find_operations(const struct profile_data *d,
    struct costed_operation rows[OPERATIONS], int *count)
{
	const struct outline *o = d->config->outline;
	const struct cycles_target *t = &d->cycles->target;
	struct costed_operation row;
	double sum = 0;
	int s, i;

	for (*count = s = 0; s < o->stage_count; s++) {
		row.ipu = schedule_ipu(&d->schedule.config, s);
		for (i = 0; i < o->stages[s].operation_count; i++) {
			row.op = &o->stages[s].operations[i];
			row.forward = cycles_stage_forward(o, t, row.ipu,
			    row.op);
			row.backward = d->config->training ?
			    cycles_stage_backward(o, t, row.ipu, row.op) :
			    0;
			sum += row.forward + row.backward;
			keep_operation(rows, count, &row);
		}
	}
	return sum;
}

/* Add the run's settings and its results by both clocks. */
static void
add_run(struct summary_object root, const struct profile_data *d)
{
	const struct engine_config *c = d->config;
	const double host = seconds_of(d, PROFILE_HOST);
	const double modelled = seconds_of(d, PROFILE_MODELLED);
	const double samples = (double)samples_of(d);
	struct summary_object o = object_in(root, "configuration");
	char why[FIGURES_WHY_SIZE];

	summary_add_text(o, "strategy", model_file_strategy_words[c->strategy]);
	add_bool(o, "training", c->training);
	add_bool(o, "recompute", c->recompute);
	add_bool(o, "offload_optimiser", c->offload_optimiser);
	add_int(o, "stages", c->stages);
	add_int(o, "ipus", d->ipus);
	add_int(o, "tiles", d->memory->target.tiles);
	add_int(o, "micro_batch", c->micro_batch);
	add_int(o, "gradient_accumulation", c->gradient_accumulation);
	add_int(o, "device_iterations", c->device_iterations);
	add_int(o, "replicas", c->total_replicas);
	add_int(o, "local_replicas", c->local_replicas);
	add_int(o, "parameters", (int64_t)engine_config_parameters(c));
	o = object_in(root, "run");
	add_int(o, "host_processors", d->processors);
	add_int(o, "calls", d->calls);
	if (d->about.calls > 0)
		add_int(o, "planned_calls", d->about.calls);
	add_bool(o, "complete", d->interrupted == NULL);
	if (d->interrupted != NULL)
		summary_add_text(o, "interrupted",
		    figures_interruption(d, why));
	add_int(o, "samples", samples_of(d));
	if (d->about.host != NULL)
		add_host(o, d->about.host);
	add_real(o, "host_seconds", host);
	add_real(o, "host_samples_per_second", host > 0 ? samples / host : 0);
	add_real(o, "modelled_seconds", modelled);
	add_real(o, "modelled_samples_per_second", modelled_rate(d));
}

/* Add three measures of utilisation; the bubble is the rest to 1. */
static void
add_utilisation(struct summary_object root, const struct profile_data *d)
{
	const double u[] = {
		figures_mean_utilisation(d, PROFILE_CLOSED_FORM),
		figures_mean_utilisation(d, PROFILE_MODELLED),
		figures_mean_utilisation(d, PROFILE_HOST),
	};
	struct summary_object o = object_in(root, "utilisation");
	char text[FIGURES_TEXT_SIZE];

	figures_clocks_text(d, text, sizeof(text));
	summary_add_text(o, "text", text);
	add_real(o, "closed_form", u[0]);
	add_real(o, "modelled", u[1]);
	add_measured(o, "host", d, u[2]);
	o = object_in(root, "bubble");
	add_real(o, "closed_form", 1 - u[0]);
	add_real(o, "modelled", 1 - u[1]);
	add_measured(o, "host", d, 1 - u[2]);
	o = object_in(root, "cycles");
	add_real(o, "clock_mhz", d->cycles->target.clock_mhz);
	add_int(o, "iteration", d->cycles->total);
	add_int(o, "update", d->cycles->update);
	add_int(o, "call", d->cycles->total * d->iterations);
	add_real(o, "per_sample",
	    (double)d->cycles->total /
		((double)d->config->micro_batch *
		    d->schedule.config.micro_batches));
	o = object_in(root, "schedule");
	add_int(o, "columns", d->schedule.columns);
	add_int(o, "micro_batches", d->schedule.config.micro_batches);
}

/* Add one object per stage: the modelled cycles of a micro-batch. */
static void
add_stages(struct summary_object root, const struct profile_data *d)
{
	struct summary_object array = array_in(root, "stages"), o;
	char blocks[128];
	int s;

	for (s = 0; s < d->cycles->stage_count; s++) {
		const struct cycles_stage *c = &d->cycles->stages[s];

		figures_stage_blocks(d, s, blocks, sizeof(blocks));
		o = element_of(array);
		add_int(o, "stage", s);
		add_int(o, "ipu", schedule_ipu(&d->schedule.config, s));
		summary_add_text(o, "blocks", blocks);
		add_int(o, "forward_cycles", c->forward);
		add_int(o, "recompute_cycles", c->recompute);
		add_int(o, "backward_cycles", c->backward);
		add_int(o, "update_cycles", c->update);
		add_int(o, "forward_bytes", (int64_t)c->forward_bytes);
		add_int(o, "backward_bytes", (int64_t)c->backward_bytes);
	}
}

/* Add an IPU's time by one clock: sums, and their shares of all time. */
static void
add_clock(struct summary_object ipu, const struct profile_data *d,
    enum profile_clock clock, int i)
{
	const bool host = clock == PROFILE_HOST;
	struct summary_object o = object_in(ipu, host ? "host" : "modelled");
	struct summary_object sums = object_in(o, host ? "ns" : "cycles");
	struct summary_object shares = object_in(o, "share");
	double rest = 1;
	char key[FIGURES_SIZE];
	int k;

	for (k = 0; k < TRACE_KINDS; k++) {
		const double share = figures_share(d, clock, i,
		    (enum trace_kind)k);
		yyjson_mut_val *name;

		name = yyjson_mut_strcpy(o.doc,
		    key_of(key, figures_kind_name((enum trace_kind)k)));
		(void)yyjson_mut_obj_add(sums.at, name,
		    yyjson_mut_sint(o.doc, d->timings[clock].sums[i][k]));
		name = yyjson_mut_strcpy(o.doc, key);
		(void)yyjson_mut_obj_add(shares.at, name,
		    yyjson_mut_real(o.doc, share));
		rest -= share;
	}
	add_real(shares, "idle", rest > 0 ? rest : 0);
}

static void
add_memory(struct summary_object ipu, const struct profile_data *d, int i)
{
	const struct memory_ipu *m = &d->memory->ipus[i];
	const int tiles = d->memory->target.tiles;
	const size_t most = memory_largest_tile(m);
	struct summary_object o = object_in(ipu, "memory"), kinds;
	char key[FIGURES_SIZE];
	int k;

	kinds = object_in(o, "kinds");
	for (k = 0; k < MEMORY_KINDS; k++)
		(void)yyjson_mut_obj_add(kinds.at,
		    yyjson_mut_strcpy(o.doc,
			key_of(key, memory_kind_name((enum memory_kind)k))),
		    yyjson_mut_sint(o.doc, (int64_t)m->kinds[k]));
	add_int(o, "total", (int64_t)m->total);
	add_int(o, "streaming", (int64_t)m->streaming);
	add_int(o, "fullest_tile", m->largest_tile);
	add_int(o, "fullest_tile_bytes", (int64_t)most);
	add_int(o, "tile_limit_bytes", (int64_t)d->memory->target.tile_bytes);
	add_real(o, "tile_balance",
	    most == 0 ? 1 : (double)m->total / ((double)most * tiles));
}

static void
add_ipus(struct summary_object root, const struct profile_data *d)
{
	struct summary_object array = array_in(root, "ipus"), ipu, o;
	char blocks[256];
	int i;

	for (i = 0; i < d->ipus; i++) {
		ipu = element_of(array);
		add_int(ipu, "ipu", i);
		figures_ipu_blocks(d, i, blocks, sizeof(blocks));
		summary_add_text(ipu, "blocks", blocks);
		o = object_in(ipu, "utilisation");
		add_real(o, "closed_form",
		    figures_utilisation(d, PROFILE_CLOSED_FORM, i));
		add_real(o, "modelled",
		    figures_utilisation(d, PROFILE_MODELLED, i));
		add_measured(o, "host", d,
		    figures_utilisation(d, PROFILE_HOST, i));
		o = object_in(ipu, "stash");
		add_int(o, "planned", figures_stash_planned(d, i));
		if (profile_data_has_steps(d))
			add_int(o, "seen", d->stash_seen[i]);
		if (profile_data_has_steps(d))
			add_clock(ipu, d, PROFILE_HOST, i);
		add_clock(ipu, d, PROFILE_MODELLED, i);
		add_memory(ipu, d, i);
	}
}

/* Add the notes of the memory's model, one sentence each. */
static void
add_notes(struct summary_object root, const struct profile_data *d)
{
	struct summary_object array = array_in(root, "notes");
	size_t n;

	for (n = 0; n < d->memory->notes.count; n++)
		(void)yyjson_mut_arr_add_strcpy(array.doc, array.at,
		    d->memory->notes.items[n]);
}

/* Add an outline's operations with the most modelled cycles. */
static void
add_operations(struct summary_object root, const struct profile_data *d)
{
	struct costed_operation rows[OPERATIONS];
	struct summary_object array, o;
	double sum;
	int count, i;

	if (d->config->outline == NULL)
		return;
	sum = find_operations(d, rows, &count);
	array = array_in(root, "operations");
	for (i = 0; i < count; i++) {
		const struct costed_operation *r = &rows[i];

		o = element_of(array);
		summary_add_text(o, "name", r->op->name);
		summary_add_text(o, "operation", r->op->op);
		summary_add_text(o, "class",
		    operation_class_words[r->op->class]);
		add_int(o, "ipu", r->ipu);
		add_int(o, "forward_cycles", (int64_t)r->forward);
		add_int(o, "backward_cycles", (int64_t)r->backward);
		add_real(o, "share",
		    sum > 0 ? (r->forward + r->backward) / sum : 0);
	}
}

static void
add_links(struct summary_object root, const struct profile_data *d)
{
	struct summary_object array = array_in(root, "links"), o;
	int i;

	for (i = 0; i < d->link_count; i++) {
		const struct stage_link *l = &d->links[i];

		o = element_of(array);
		add_int(o, "from", l->from);
		add_int(o, "to", l->to);
		add_int(o, "iteration_activation_bytes",
		    (int64_t)l->activations[PROFILE_MODELLED]);
		add_int(o, "iteration_gradient_bytes",
		    (int64_t)l->gradients[PROFILE_MODELLED]);
		add_int(o, "host_activation_bytes",
		    (int64_t)l->activations[PROFILE_HOST]);
		add_int(o, "host_gradient_bytes",
		    (int64_t)l->gradients[PROFILE_HOST]);
	}
}

static void
add_longest(struct summary_object root, const char *name,
    const struct timing *t, const char *unit)
{
	struct summary_object array = array_in(root, name), o;
	int i;

	for (i = 0; i < t->longest_count; i++) {
		const struct time_span *s = &t->longest[i];

		o = element_of(array);
		summary_add_text(o, "step", figures_kind_name(s->kind));
		add_int(o, "ipu", s->ipu);
		add_int(o, "stage", s->step.stage);
		add_int(o, "micro_batch", s->step.micro_batch + 1);
		add_int(o, "iteration", s->iteration + 1);
		add_int(o, "call", s->call + 1);
		add_int(o, unit, s->to - s->from);
	}
}

/* Add the command, its words and its predicted effect. */
static void
add_advice(struct summary_object o, const struct profile_finding *n)
{
	yyjson_mut_val *array;
	struct strvec words;
	size_t i;

	if (n->command == NULL)
		return;
	strvec_init(&words);
	(void)strvec_split(&words, n->command, NULL);
	summary_add_text(o, "command_line", n->command);
	array = yyjson_mut_obj_add_arr(o.doc, o.at, "command");
	for (i = 0; i < words.count; i++)
		(void)yyjson_mut_arr_add_strcpy(o.doc, array, words.items[i]);
	add_real(o, "gain", n->gain);
	add_real(o, "cycles_per_sample", n->cycles);
	add_int(o, "ipus", n->ipus);
	add_int(o, "fullest_tile_bytes", (int64_t)n->fullest_tile);
	strvec_release(&words);
}

static void
add_findings(struct summary_object root, const struct profile_data *d)
{
	struct summary_object array = array_in(root, "findings"), o;
	struct findings f;
	int i;

	findings_init(&f, d);
	for (i = 0; i < f.count; i++) {
		o = element_of(array);
		summary_add_text(o, "level",
		    findings_level_name(f.list[i].level));
		summary_add_text(o, "topic", f.list[i].topic);
		summary_add_text(o, "text", f.list[i].text);
		add_advice(o, &f.list[i]);
	}
	findings_release(&f);
}

void
summary_print(FILE *f, const struct profile_data *d)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	struct summary_object root = { doc, yyjson_mut_obj(doc) };

	yyjson_mut_doc_set_root(doc, root.at);
	summary_add_text(root, "version", IPUBOX_VERSION);
	summary_add_text(root, "program", d->about.program);
	summary_add_text(root, "command", d->about.command);
	summary_add_text(root, "model", d->about.model);
	summary_add_text(root, "engine", d->about.engine);
	summary_add_text(root, "device", d->about.device);
	add_int(root, "instance", d->about.instance);
	add_run(root, d);
	add_utilisation(root, d);
	add_stages(root, d);
	add_ipus(root, d);
	add_notes(root, d);
	add_operations(root, d);
	add_links(root, d);
	add_longest(root, "longest_host", &d->timings[PROFILE_HOST], "ns");
	add_longest(root, "longest_modelled", &d->timings[PROFILE_MODELLED],
	    "cycles");
	add_findings(root, d);
	json_print(f, doc);
}
