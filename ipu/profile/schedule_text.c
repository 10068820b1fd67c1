/*
 * schedule.txt: closed forms with their numbers, a line for each IPU, then the
 * grid.
 */
#include "ipu/profile/profile_internal.h"

#include "ipu/engine/engine.h"
#include "ipu/profile/figures.h"

/* Print a share: its closed form, its fraction and its value in percent. */
static void
print_share(FILE *f, const char *name, const char *form, int top, int bottom)
{
	fprintf(f, "%-12s %s = %d/%d = %.1f %%\n", name, form, top, bottom,
	    100.0 * top / bottom);
}

/* Print the closed forms of a pipeline.  Training has twice the columns of
   inference, because forward and backward passes are separate columns.  So its
   fractions are the same, with G in place of D. */
static void
print_pipeline(FILE *f, const struct profile_data *d)
{
	const struct schedule_config *c = &d->schedule.config;
	const int n = c->stages, g = c->micro_batches;
	const bool grouped = c->strategy == STRATEGY_PIPELINED;

	if (!c->training) {
		fprintf(f, "columns      D + N - 1 = %d\n", g + n - 1);
		print_share(f, "utilisation", "D / (D + N - 1)", g, g + n - 1);
		print_share(f, "bubble", "(N - 1) / (D + N - 1)", n - 1,
		    g + n - 1);
		fprintf(f, "full after   N - 1 = %d columns\n", n - 1);
		return;
	}
	fprintf(f, "columns      2 (G + N - 1) = %d, then the weight update\n",
	    2 * (g + n - 1));
	print_share(f, "utilisation", "G / (G + N - 1)", g, g + n - 1);
	print_share(f, "bubble", "(N - 1) / (G + N - 1)", n - 1, g + n - 1);
	fprintf(f, "full after   %s = %d columns\n",
	    grouped ? "3 (N - 1)" : "2 (N - 1)", (grouped ? 3 : 2) * (n - 1));
	if (grouped)
		fprintf(f,
		    "cycles       G + 2 N - 2 = %d: fill %d, main %d, flush "
		    "%d\n",
		    g + 2 * n - 2, 2 * n - 2, g - 2 * n + 2, 2 * n - 2);
}

/* Print the closed forms if one IPU works at a time: N steps per micro-batch,
   twice as many in training. */
static void
print_sequence(FILE *f, const struct profile_data *d)
{
	const struct schedule_config *c = &d->schedule.config;

	fprintf(f, "columns      %s = %d%s\n", c->training ? "2 N G" : "N D",
	    (c->training ? 2 : 1) * c->stages * c->micro_batches,
	    c->training ? ", then the weight update" : "");
	print_share(f, "utilisation", "1 / IPUs", 1, d->ipus);
	print_share(f, "bubble", "1 - 1 / IPUs", d->ipus - 1, d->ipus);
}

/* Print shares counted in the schedule, because the closed forms assume one IPU
   per stage. */
static void
print_counted(FILE *f, const struct profile_data *d)
{
	const double utilisation = schedule_view_utilisation(&d->schedule, -1);

	fprintf(f,
	    "columns      %d%s\nutilisation  %.1f %%\n"
	    "bubble       %.1f %%\n",
	    d->schedule.columns,
	    d->config->training ? ", then the weight update" : "",
	    100 * utilisation, 100 - 100 * utilisation);
}

void
schedule_text(FILE *f, const struct profile_data *d)
{
	const struct schedule_config *c = &d->schedule.config;
	char blocks[128];
	int i;

	fprintf(f,
	    "%s, %s: %s, N = %d stages on %d IPUs, %s = %d micro-batches",
	    d->about.model, d->about.engine,
	    model_file_strategy_words[c->strategy], c->stages, d->ipus,
	    c->training ? "G" : "D", c->micro_batches);
	if (c->training)
		fprintf(f, ", D = %d device iterations",
		    d->config->device_iterations);
	fputs("\n\n", f);
	if (d->ipus != c->stages && c->strategy != STRATEGY_ONE_IPU)
		print_counted(f, d);
	else if (c->strategy == STRATEGY_PIPELINED ||
	    c->strategy == STRATEGY_INTERLEAVED)
		print_pipeline(f, d);
	else
		print_sequence(f, d);
	for (i = 0; i < d->ipus; i++) {
		figures_ipu_blocks(d, i, blocks, sizeof(blocks));
		fprintf(f, "IPU %-8d %s; micro-batches kept: %d planned", i,
		    blocks, figures_stash_planned(d, i));
		if (profile_data_has_steps(d))
			fprintf(f, ", %d seen", d->stash_seen[i]);
		fputc('\n', f);
	}
	fputs("\n", f);
	schedule_view_print(&d->schedule, f, 0);
}
