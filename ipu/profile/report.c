/*
 * report.html: config/report with the summary and the data of its pictures as
 * JSON.
 */
#include "ipu/profile/profile_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/embedded.h"
#include "core/base/formats/encoding.h"
#include "core/base/text.h"
#include "ipu/profile/figures.h"

enum { PAGE_MAX = 1 << 20 }; /* limit of config/report, in bytes */

void
report_page(FILE *f, const char *json)
{
	static const char mark[] = "@data@";
	size_t size;
	uint8_t *page = gzip_unpack("the page inside this file", embedded_page,
	    embedded_page_size, PAGE_MAX, &size, NULL);
	const uint8_t *at;

	/* The build has packed it. */
	assert(page != NULL);
	at = memmem(page, size, mark, strlen(mark));
	(void)fwrite(page, 1, (size_t)(at - page), f);
	for (; *json != '\0'; json++) {
		/* Only a JSON string can hold one. */
		if (*json == '<')
			fputs("\\u003c", f);
		else
			putc(*json, f);
	}
	at += strlen(mark);
	(void)fwrite(at, 1, size - (size_t)(at - page), f);
	free(page);
}

/* Return the separator before the next element of an array. */
static const char *
comma(bool *any)
{
	const char *text = *any ? ",\n" : "\n";

	*any = true;
	return text;
}

/* Print [kind, IPU, stage, micro-batch, column, phase or null]. */
static void
print_steps(FILE *f, const struct profile_data *d)
{
	const struct schedule *s = &d->schedule;
	bool any = false;
	int i;

	fputs("\"steps\": [", f);
	for (i = 0; i < s->step_count; i++) {
		const struct step *t = &s->steps[i];
		const char *phase = figures_phase(d, t);

		if (t->column >= PROFILE_COLUMNS)
			continue;
		fprintf(f, "%s[%d,%d,%d,%d,%d,", comma(&any), (int)t->kind,
		    t->ipu, t->stage, t->micro_batch + 1, t->column + 1);
		fprintf(f, phase == NULL ? "null]" : "\"%s\"]", phase);
	}
	fputs("]", f);
}

/* Return the columns with spans in the page: all, unless one device iteration
   has too many steps for both clocks. */
static int
columns_kept(const struct schedule *s)
{
	const int most = PROFILE_STEPS / PROFILE_CLOCKS;

	return s->step_count <= most ?
	    s->columns :
	    (int)((int64_t)s->columns * most / s->step_count);
}

/* Print [kind, IPU, stage, micro-batch, column, iteration, from, to]; stage -1:
   not a stage's step. */
static void
print_spans(FILE *f, const struct profile_data *d, enum profile_clock clock,
    int columns)
{
	const struct timing *t = &d->timings[clock];
	const int64_t zero = t->span_count == 0 || clock == PROFILE_MODELLED ?
	    0 :
	    t->spans[0].from;
	bool any = false;
	int i;

	fprintf(f, ",\n\"%s\": [", clock == PROFILE_HOST ? "host" : "modelled");
	for (i = 0; i < t->span_count; i++) {
		const struct time_span *s = &t->spans[i];

		if (columns < d->schedule.columns && s->step.column >= columns)
			continue;
		fprintf(f, "%s[%d,%d,%d,%d,%d,%d,%" PRId64 ",%" PRId64 "]",
		    comma(&any), (int)s->kind, s->ipu,
		    s->step.kind == STEP_UPDATE ? -1 : s->step.stage,
		    s->step.micro_batch + 1, s->step.column + 1, s->iteration,
		    s->from - zero, s->to - zero);
	}
	fputs("]", f);
}

/* Print for each IPU [bytes, adjacent tiles with as many]. */
static void
print_tiles(FILE *f, const struct profile_data *d)
{
	const int tiles = d->memory->target.tiles;
	bool any;
	int i, k, from;

	fputs(",\n\"tiles\": [", f);
	for (i = 0; i < d->ipus; i++) {
		const size_t *bytes = d->memory->ipus[i].tiles;

		fputs(i == 0 ? "[" : ",\n[", f);
		any = false;
		for (from = 0, k = 1; k <= tiles; k++) {
			if (k < tiles && bytes[k] == bytes[from])
				continue;
			fprintf(f, "%s[%zu,%d]", comma(&any), bytes[from],
			    k - from);
			from = k;
		}
		fputs("]", f);
	}
	fputs("]", f);
}

/* Print [name, row, call, iteration, from, to] in seconds; 0: no call or
   iteration. */
static void
print_activities(FILE *f, const struct profile_host *h)
{
	bool any = false;
	int i;

	fputs(",\n\"activities\": [", f);
	for (i = 0; h != NULL && i < h->activity_count; i++) {
		const struct host_activity *a = &h->activities[i];

		fprintf(f, "%s[\"%s\",%d,%ld,%d,%.9f,%.9f]", comma(&any),
		    outline_activity_names[a->kind],
		    outline_activity_row(a->kind), a->call + 1,
		    a->iteration + 1, a->from_s, a->to_s);
	}
	fputs("]", f);
}

void
report_print(FILE *f, const struct profile_data *d)
{
	const int columns = columns_kept(&d->schedule);
	struct memstream m;
	FILE *json = memstream_open(&m);
	char *text;

	fputs("{\n\"summary\": ", json);
	summary_print(json, d);
	fprintf(json,
	    ",\n\"pictures\": {\n\"iterations\": %d,\n"
	    "\"columns\": %d,\n",
	    profile_data_iterations_kept(d), columns);
	print_steps(json, d);
	print_spans(json, d, PROFILE_MODELLED, columns);
	print_spans(json, d, PROFILE_HOST, columns);
	print_tiles(json, d);
	print_activities(json, d->about.host);
	fputs("}\n}\n", json);
	text = memstream_close(&m, NULL);
	report_page(f, text);
	free(text);
}
