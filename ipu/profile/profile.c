/*
 * A profile from its first call to its files: trace.json grows in memory during
 * the run, and all files are written at its end.
 */
#include "ipu/profile/profile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "ipu/profile/profile_data.h"
#include "ipu/profile/profile_internal.h"

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
