/*
 * The sentence on both clocks: its shares held against the schedule and the
 * stages' cycles, column by column.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/engine/engine.h"
#include "ipu/profile/figures.h"
#include "tests/unit/tap.h"

static struct model_file file;

struct parts {
	double host, compute, sync, exchange; /* cycles */
	double busy;			      /* IPUs times cycles */
};

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

/* What one step adds to the longest of each part of its column. */
static void
see_step(struct parts *column, double *out, struct parts *all,
    const struct profile_data *d, const struct step *t)
{
	const struct cycles_stage *c = &d->cycles->stages[t->stage];
	const bool forward = t->kind == STEP_FORWARD;
	const double compute =
	    (double)(forward ? c->forward : c->recompute + c->backward);
	const bool crosses = d->ipus > 1 &&
	    (forward ? t->stage < d->config->stages - 1 : t->stage > 0);

	all->busy += compute;
	column->compute = larger(column->compute, compute);
	if (forward)
		column->host = larger(column->host,
		    (double)(c->host_in + c->labels_in));
	if (forward)
		*out = larger(*out, (double)c->host_out);
	if (crosses)
		column->exchange = larger(column->exchange,
		    (double)(forward ? c->send_forward : c->send_backward));
}

/* By the rules of ipubox-device(7), from the schedule alone. */
static struct parts
parts_of(const struct profile_data *d)
{
	const struct schedule *s = &d->schedule;
	struct parts all = { 0 };
	int i = 0;

	while (i < s->step_count && s->steps[i].kind != STEP_UPDATE) {
		const int column = s->steps[i].column;
		struct parts now = { 0 };
		double out = 0;

		for (; i < s->step_count && s->steps[i].column == column &&
		     s->steps[i].kind != STEP_UPDATE;
		     i++)
			see_step(&now, &out, &all, d, &s->steps[i]);
		all.host += now.host + out;
		all.compute += now.compute;
		all.exchange += now.exchange;
		all.sync += d->ipus > 1 ? ceil(d->cycles->target.sync_cycles) :
					  0;
	}
	return all;
}

/* The percentages of a text, in order. */
static int
read_shares(const char *text, double *shares, int most)
{
	int n = 0;
	const char *c;

	for (c = text; (c = strchr(c, '%')) != NULL && n < most; c++) {
		const char *from = c - 1;

		while (from > text && strchr(" 0123456789.", from[-1]) != NULL)
			from--;
		shares[n++] = strtod(from, NULL) / 100;
	}
	return n;
}

static void
check_text(enum strategy strategy, bool training, int g)
{
	const struct cycles_target clock = cycles_target_of(1330);
	const struct memory_target chip = memory_target(0);
	const struct profile_about about = {
		.program = "p",
		.command = "c",
		.model = "m",
		.engine = "e",
		.device = "d",
	};
	const struct engine_config base = { .local_replicas = 1,
		.total_replicas = 1 },
				   *c;
	const struct run_choices choices = { false, false };
	struct run_plan plan;
	struct profile_data d;
	struct memory memory;
	struct cycles cycles;
	struct parts parts;
	struct error e;
	char text[FIGURES_TEXT_SIZE];
	double s[8] = { 0 }, time;

	file.strategy = strategy;
	file.gradient_accumulation = g;
	if (run_plan_init(&plan, &file, &base, &choices, &e) != 0)
		abort();
	c = run_plan_engine(&plan, training);
	memory_init(&memory, c, &chip);
	cycles_init(&cycles, c, &clock);
	profile_data_init(&d, &about, c, &memory, &cycles);
	figures_clocks_text(&d, text, sizeof(text));
	is_int(read_shares(text, s, 8), training ? 8 : 7, text);
	parts = parts_of(&d);
	time = (double)(cycles.total - cycles.update);
	is_near(parts.host + parts.compute + parts.sync + parts.exchange, time,
	    0.5, "all of the time");
	is_near(s[0], figures_mean_utilisation(&d, PROFILE_CLOSED_FORM), 6e-4,
	    "closed form");
	is_near(s[1], parts.busy / d.ipus / time, 6e-4, "utilisation");
	is_near(s[2], parts.host / time, 6e-4, "host I/O");
	is_near(s[3], parts.exchange / time, 6e-4, "exchange");
	is_near(s[4], parts.sync / time, 6e-4, "sync");
	is_near(s[5], parts.compute / time, 6e-4, "computing");
	is_near(s[6], parts.busy / d.ipus / parts.compute, 6e-4, "busy");
	is_near(s[7], (double)cycles.update / (double)cycles.total, 6e-4,
	    "update");
	profile_data_release(&d);
	cycles_release(&cycles);
	memory_release(&memory);
}

int
main(void)
{
	static const char *const models[] = { "mnist", "lenet5", "mlp" };
	static const int counts[] = { 7, 10, 50 };
	struct error e;
	size_t m, k;
	int training, strategy;

	for (m = 0; m < ARRAY_SIZE(models); m++) {
		if (model_file_builtin(&file, models[m], &e) != 0)
			abort();
		for (strategy = STRATEGY_PIPELINED;
		     strategy <= STRATEGY_ONE_IPU; strategy++)
			for (k = 0; k < ARRAY_SIZE(counts); k++)
				for (training = 0; training <= 1; training++)
					check_text((enum strategy)strategy,
					    training == 1, counts[k]);
	}
	return tap_done();
}
