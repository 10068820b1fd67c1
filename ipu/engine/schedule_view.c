/*
 * The utilisation of a schedule's IPUs, and its table as a grid of text.
 */
#include "ipu/engine/schedule.h"

#include <stdbool.h>

/* Each step keeps its IPU busy for one column. */
double
schedule_view_utilisation(const struct schedule *s, int ipu)
{
	bool used[SCHEDULE_IPUS_MAX] = { false };
	int i, steps = 0, ipus = 0;

	for (i = 0; i < s->step_count; i++) {
		const struct step *t = &s->steps[i];

		if (t->kind == STEP_UPDATE || (ipu != -1 && t->ipu != ipu))
			continue;
		steps++;
		if (!used[t->ipu]) {
			used[t->ipu] = true;
			ipus++;
		}
	}
	return ipus == 0 ? 0 : (double)steps / ((double)ipus * s->columns);
}

/* Whether two stages share an IPU. */
static bool
schedule_view_is_shared(const struct schedule *s)
{
	bool used[SCHEDULE_IPUS_MAX] = { false };
	int stage, ipu;

	for (stage = 0; stage < s->config.stages; stage++) {
		ipu = schedule_ipu(&s->config, stage);
		if (used[ipu])
			return true;
		used[ipu] = true;
	}
	return false;
}

/* Return the printed width of a number. */
static int
schedule_view_digits(int number)
{
	return snprintf(NULL, 0, "%d", number);
}

/* Return the width of the longest cell with a space: " F10", " F3.1". */
static int
schedule_view_cell_width(const struct schedule *s)
{
	int width = 2 + schedule_view_digits(s->config.micro_batches);

	if (schedule_view_is_shared(s))
		width += 1 + schedule_view_digits(s->config.stages - 1);
	if (width < 1 + schedule_view_digits(s->columns))
		width = 1 + schedule_view_digits(s->columns);
	return width < 4 ? 4 : width;
}

/* Columns from `first` up to `end`, side by side. */
struct part {
	int first, end;
	int width; /* per column */
	int label; /* before the columns */
};

/* Print a row; spaces precede a cell, so that no line ends with one. */
static void
schedule_view_print_row(const struct schedule *s, const struct part *v, int ipu,
    FILE *f)
{
	const int width = v->width;
	const bool shared = schedule_view_is_shared(s);
	char cell[32];
	int i, column, spaces, next = 0;

	spaces = v->label - fprintf(f, "IPU%d", ipu);
	for (column = v->first; column < v->end; column++) {
		while (next < s->step_count &&
		    (s->steps[next].ipu != ipu ||
			s->steps[next].column < column))
			next++;
		if (next == s->step_count || s->steps[next].column != column) {
			fprintf(f, "%*s.", spaces + width - 2, "");
			spaces = 1;
			continue;
		}
		i = snprintf(cell, sizeof(cell), "%c%d",
		    s->steps[next].kind == STEP_FORWARD ? 'F' : 'B',
		    s->steps[next].micro_batch + 1);
		if (shared)
			i += snprintf(cell + i, sizeof(cell) - (size_t)i, ".%d",
			    s->steps[next].stage);
		fprintf(f, "%*s%s", spaces + 1, "", cell);
		spaces = width - 1 - i;
	}
	fputc('\n', f);
}

static void
schedule_view_print_columns(const struct schedule *s, const struct part *v,
    FILE *f)
{
	int column, ipu;

	fprintf(f, "%-*s", v->label - 1, "col");
	for (column = v->first + 1; column <= v->end; column++)
		fprintf(f, "%*d", v->width, column);
	fputc('\n', f);
	for (ipu = 0; ipu < s->ipus; ipu++)
		schedule_view_print_row(s, v, ipu, f);
}

void
schedule_view_print(const struct schedule *s, FILE *f, int columns)
{
	struct part v = {
		.width = schedule_view_cell_width(s),
		.label = 3 + schedule_view_digits(s->ipus - 1),
	};
	int step = s->columns;

	if (columns > 0 && step > (columns - v.label) / v.width)
		step = (columns - v.label) / v.width;
	for (step = step < 1 ? 1 : step; v.first < s->columns;
	     v.first = v.end) {
		if (v.first > 0)
			fputc('\n', f);
		v.end = v.first + step < s->columns ?
		    v.first + step :
		    s->columns;
		schedule_view_print_columns(s, &v, f);
	}
}
