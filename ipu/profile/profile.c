/*
 * A profile from its first call to its files: trace.json grows in memory during
 * the run, and all files are written at its end.  schedule.txt has closed forms
 * with their numbers, a line for each IPU, then the grid.
 */
#include "ipu/profile/profile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "ipu/engine/engine.h"
#include "ipu/profile/figures.h"
#include "ipu/profile/profile_data.h"
#include "ipu/profile/profile_internal.h"

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

/* Print schedule.txt: the closed forms with their numbers, a line for each IPU,
   and the grid of schedule_view_print(). */
static void
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

struct profile {
	struct profile_data data;
	char *directory;       /* including the engine's name */
	struct memstream text; /* trace.json so far */
	struct trace_json trace;
};

/* Files in the order of writing, at the end of the run or its interruption.
   Files of an earlier run are removed in the reverse order, so that report.html
   never exists without the other files. */
static const struct {
	const char *name;
	void (*print)(FILE *, const struct profile_data *);
} files[] = {
	{ "trace.json", NULL }, /* printed during the run */
	{ "schedule.txt", schedule_text },
	{ "summary.json", summary_print },
	{ "report.html", report_print },
};

enum { FILES = ARRAY_SIZE(files) };

/* Make the directory and remove the files of an earlier run, because files of
   two runs must not be mixed.  First check that every file can be written: if
   not, the earlier profile stays unchanged. */
static int
prepare_files(const struct profile *p, struct error *e)
{
	size_t i;

	if (profile_files_make_directory(p->directory, e) != 0)
		return -1;
	for (i = 0; i < FILES; i++)
		if (profile_files_check(p->directory, files[i].name, e) != 0)
			return -1;
	for (i = FILES; i > 0; i--)
		profile_files_remove(p->directory, files[i - 1].name);
	return 0;
}

struct profile *
profile_open(const char *directory, const struct profile_about *about,
    const struct engine_config *config, const struct memory *memory,
    const struct cycles *cycles, struct error *e)
{
	struct profile *p = xcalloc(1, sizeof(*p));

	p->directory = xasprintf("%s/%s", directory, about->engine);
	if (prepare_files(p, e) != 0) {
		free(p->directory);
		free(p);
		return NULL;
	}
	profile_data_init(&p->data, about, config, memory, cycles);
	trace_json_open(&p->trace, memstream_open(&p->text), &p->data,
	    about->host != NULL ? 0 : clock_monotonic_ns());
	return p;
}

void
profile_call(struct profile *p, const struct engine *engine)
{
	const struct engine_config *c = p->data.config;
	const struct trace **traces;
	int r, i, n = 0;

	traces = xcalloc((size_t)(c->local_replicas * p->data.ipus),
	    sizeof(*traces));
	for (r = 0; r < c->local_replicas; r++)
		for (i = 0; i < p->data.ipus; i++)
			traces[n++] = engine_trace(engine, r, i);
	profile_traces(p, traces);
	free(traces);
}

void
profile_traces(struct profile *p, const struct trace *const *traces)
{
	trace_json_call(&p->trace, traces, p->data.calls);
	profile_data_add(&p->data, traces);
}

void
profile_untraced(struct profile *p, long calls)
{
	p->data.calls += calls;
}

long
profile_calls(const struct profile *p)
{
	return p->data.calls;
}

void
profile_interrupt(struct profile *p, const char *why)
{
	free(p->data.interrupted);
	p->data.interrupted = xstrdup(why);
}

/* Make the texts of all files first, then write them together. */
static int
write_files(struct profile *p, struct error *e)
{
	struct file_set_entry set[FILES];
	struct memstream m;
	char *texts[FILES];
	size_t i;
	int status;

	trace_json_close(&p->trace);
	for (i = 0; i < FILES; i++) {
		set[i] = (struct file_set_entry){ .path = files[i].name };
		if (files[i].print != NULL) {
			files[i].print(memstream_open(&m), &p->data);
			texts[i] = memstream_close(&m, &set[i].size);
		} else {
			texts[i] = memstream_close(&p->text, &set[i].size);
		}
		set[i].text = texts[i];
	}
	status = profile_files_write(p->directory, set, FILES, e);
	for (i = 0; i < FILES; i++)
		free(texts[i]);
	return status;
}

int
profile_close(struct profile *p, struct error *e)
{
	int status;

	if (p == NULL)
		return 0;
	status = write_files(p, e);
	profile_data_release(&p->data);
	free(p->directory);
	free(p);
	return status;
}
