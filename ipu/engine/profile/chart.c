/*
 * The charts of report.html as SVG: time to scale, one row per IPU, of one
 * device iteration or of all in a call.
 */
#include "ipu/engine/profile/chart.h"

#include <math.h>
#include <stdbool.h>

#include "core/base/array.h"
#include "ipu/engine/profile/figures.h"
#include "ipu/engine/profile/markup.h"

/* Pixels. */
enum {
	WIDTH = 1076,		/* of the page */
	WIDTH_MAX = 16000,	/* of what scrolls */
	ITERATION_WIDTH = 360,	/* there, of one of many */
	COLUMN_WIDTH = 10,	/* there, of a column of one */
	LEFT = 56,
	RIGHT = 16,
	LANE = 26,
	ROW = 34,
	AXIS = 22,
	MARKS = 18,		/* above the rows, where iterations are named */
	MARK_LONG = 150,	/* room for a name with its time */
	MARK_SHORT = 26,
	TICK_WIDTH = 170	/* about */
};

static const double	thinnest = 0.35;	/* what is still drawn */

/* What is drawn, and where. */
struct chart_view {
	const struct profile_data	*data;
	enum profile_clock		 clock;
	int		 iterations;	/* that many of the call's */
	int		 copies;	/* of them, one behind the other: the
					   modelled ones are all alike */
	int		 columns;
	int64_t		 from, to;	/* by the clock, of one copy */
	double		 scale;		/* pixels per tick of the clock */
	int		 width;
	int		 top;		/* of the first row */
};

double
chart_tick_step(double length, int ticks)
{
	const double	raw = length / ticks;
	const double	power = pow(10, floor(log10(raw)));

	return power * (raw <= power ? 1 : raw <= 2 * power ? 2 :
	    raw <= 5 * power ? 5 : 10);
}

void
chart_axis(FILE *f, const struct chart_axis *a)
{
	const double	pixels = (a->right - a->left) / a->length_ns;
	const double	step = chart_tick_step(a->length_ns, a->ticks);
	const struct markup_unit	unit = markup_time_unit(a->length_ns);
	char		text[MARKUP_SIZE];
	int		i;

	for (i = 0; i * step <= a->length_ns; i++) {
		const double	x = a->left + i * step * pixels;

		fprintf(f, "<path class=\"grid\" d=\"M%.1f %dv%d\"/>"
		    "<text class=\"axis\" x=\"%.1f\" y=\"%d\" text-anchor="
		    "\"%s\">%s</text>\n", x, a->top, a->bottom - a->top, x,
		    a->bottom + 15, i == 0 ? "start" : x > a->right - 30 ?
		    "end" : "middle", markup_tick(text, i * step, step, &unit));
	}
}

static bool
is_drawn(const struct chart_view *v, const struct time_span *s)
{
	return s->iteration < v->iterations && s->step.column <= v->columns;
}

/* From the first span's begin to the last one's end.  false: nothing is. */
static bool
chart_find_ends(struct chart_view *v)
{
	const struct timing	*t = &v->data->timings[v->clock];
	int			 i;

	v->from = INT64_MAX;
	v->to = INT64_MIN;
	for (i = 0; i < t->span_count; i++) {
		if (!is_drawn(v, &t->spans[i]))
			continue;
		if (t->spans[i].from < v->from)
			v->from = t->spans[i].from;
		if (t->spans[i].to > v->to)
			v->to = t->spans[i].to;
	}
	/* A copy begins where the one before it ends. */
	if (v->copies > 1) {
		v->from = 0;
		v->to = t->total;
	}
	if (v->to <= v->from)
		return false;
	v->scale = (v->width - LEFT - RIGHT) /
	    ((double)(v->to - v->from) * v->copies);
	return true;
}

static double
x_of(const struct chart_view *v, int64_t at)
{
	return LEFT + (double)(at - v->from) * v->scale;
}

static void
print_axis(FILE *f, const struct chart_view *v)
{
	const struct chart_axis	axis = {
		.length_ns = figures_ns(v->data, v->clock,
		    (double)(v->to - v->from) * v->copies),
		.ticks = v->width / TICK_WIDTH,
		.left = LEFT,
		.right = v->width - RIGHT,
		.top = v->top,
		.bottom = v->top + v->data->ipus * ROW
	};

	chart_axis(f, &axis);
}

/* What a pointer shows above a span. */
static void
print_hint(FILE *f, const struct chart_view *v, const struct time_span *s)
{
	const double	time = (double)(s->to - s->from);
	char		text[MARKUP_SIZE];

	fprintf(f, "<title>IPU %d, %s", s->ipu, figures_kind_name(s->kind));
	if (s->step.kind != STEP_UPDATE && s->step.stage >= 0)
		fprintf(f, ", stage %d, micro-batch %d", s->step.stage,
		    s->step.micro_batch + 1);
	fprintf(f, ": %s", markup_ns(text, figures_ns(v->data, v->clock,
	    time)));
	if (v->clock == PROFILE_MODELLED)
		fprintf(f, ", %s cycles", markup_number(text, llround(time)));
	fputs("</title>", f);
}

/* Spans narrower than `thinnest` are left out: there may be thousands. */
static void
print_spans(FILE *f, const struct chart_view *v)
{
	const struct timing	*t = &v->data->timings[v->clock];
	int			 i;

	for (i = 0; i < t->span_count; i++) {
		const struct time_span	*s = &t->spans[i];
		const double	width = (double)(s->to - s->from) * v->scale;

		if (!is_drawn(v, s) || width < thinnest)
			continue;
		fprintf(f, "<rect class=\"k%d\" x=\"%.2f\" y=\"%d\" "
		    "width=\"%.2f\" height=\"%d\">", (int)s->kind,
		    x_of(v, s->from), v->top + s->ipu * ROW + 4, width, LANE);
		print_hint(f, v, s);
		fputs("</rect>\n", f);
	}
}

/* An IPU's spans of a kind as one path, a tenth of the size. */
static void
print_path(FILE *f, const struct chart_view *v, int ipu, enum trace_kind kind)
{
	const struct timing	*t = &v->data->timings[v->clock];
	bool			 any = false;
	int			 i;

	for (i = 0; i < t->span_count; i++) {
		const struct time_span	*s = &t->spans[i];
		const double	width = (double)(s->to - s->from) * v->scale;

		if (s->ipu != ipu || s->kind != kind || !is_drawn(v, s) ||
		    width < thinnest)
			continue;
		if (!any)
			fprintf(f, "<path class=\"k%d\" d=\"", (int)kind);
		any = true;
		fprintf(f, "M%.1f %dh%.1fv%dh-%.1fz", x_of(v, s->from),
		    v->top + ipu * ROW + 4, width, LANE, width);
	}
	if (any)
		fprintf(f, "\"><title>IPU %d, %s</title></path>\n", ipu,
		    figures_kind_name(kind));
}

static void
print_paths(FILE *f, const struct chart_view *v)
{
	const double	width = (double)(v->to - v->from) * v->scale;
	int		ipu, kind, i;

	fprintf(f, "<g id=\"call-%d\">\n", (int)v->clock);
	for (ipu = 0; ipu < v->data->ipus; ipu++)
		for (kind = 0; kind < TRACE_KINDS; kind++)
			print_path(f, v, ipu, (enum trace_kind)kind);
	fputs("</g>\n", f);
	for (i = 1; i < v->copies; i++)
		fprintf(f, "<use href=\"#call-%d\" x=\"%.2f\"/>\n",
		    (int)v->clock, i * width);
}

/* Where iteration `i` begins and ends by the clock. */
static void
find_iteration(const struct chart_view *v, int i, int64_t *from, int64_t *to)
{
	const struct timing	*t = &v->data->timings[v->clock];
	int			 k;

	if (v->copies > 1) {
		*from = i * t->total;
		*to = (i + 1) * t->total;
		return;
	}
	*from = INT64_MAX;
	*to = INT64_MIN;
	for (k = 0; k < t->span_count; k++) {
		if (t->spans[k].iteration != i)
			continue;
		if (t->spans[k].from < *from)
			*from = t->spans[k].from;
		if (t->spans[k].to > *to)
			*to = t->spans[k].to;
	}
}

/*
 * A line at the begin of each iteration, with as much of its number and time as
 * there is room for up to the next one.
 */
static void
print_marks(FILE *f, const struct chart_view *v)
{
	const int	n = v->iterations * v->copies;
	char		text[MARKUP_SIZE];
	int64_t		from, to, next = 0, end = 0;
	double		room;
	int		i;

	find_iteration(v, 0, &from, &to);
	for (i = 0; i < n; i++, from = next, to = end) {
		room = v->width - RIGHT - x_of(v, from);
		if (i + 1 < n) {
			find_iteration(v, i + 1, &next, &end);
			room = x_of(v, next) - x_of(v, from);
		}
		fprintf(f, "<path class=\"mark\" d=\"M%.1f 0v%d\"/>",
		    x_of(v, from), v->top + v->data->ipus * ROW);
		if (room < MARK_SHORT)
			continue;
		fprintf(f, "<text class=\"axis\" x=\"%.1f\" y=\"12\">",
		    x_of(v, from) + 4);
		if (room >= MARK_LONG)
			fprintf(f, "iteration %d: %s</text>\n", i + 1,
			    markup_ns(text, figures_ns(v->data, v->clock,
			    (double)(to - from))));
		else
			fprintf(f, "%d</text>\n", i + 1);
	}
}

/* The frame of it and the IPUs' rows. */
static void
chart_print_rows(FILE *f, const struct chart_view *v, const char *class,
    const char *label)
{
	const int	height = v->top + v->data->ipus * ROW + AXIS;
	int		i;

	fprintf(f, "<div class=\"scroll\"><svg class=\"%s\" role=\"img\" "
	    "aria-label=\"%s, %s\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
	    "%d\">\n", class, label, v->clock == PROFILE_HOST ? "host time" :
	    "modelled time", v->width, height, v->width, height);
	print_axis(f, v);
	for (i = 0; i < v->data->ipus; i++)
		fprintf(f, "<rect class=\"lane\" x=\"%d\" y=\"%d\" "
		    "width=\"%d\" height=\"%d\"/><text x=\"0\" y=\"%d\">IPU %d"
		    "</text>\n", LEFT, v->top + i * ROW + 4,
		    v->width - LEFT - RIGHT, LANE,
		    v->top + i * ROW + 4 + LANE / 2 + 4, i);
}

/* Of a long schedule only the columns that the timeline has as well. */
void
chart_iteration(FILE *f, const struct profile_data *d, enum profile_clock clock)
{
	struct chart_view	v = {
		.data = d,
		.clock = clock,
		.iterations = 1,
		.copies = 1,
		.columns = d->schedule.columns <= PROFILE_COLUMNS ?
		    d->schedule.columns : PROFILE_COLUMNS - 1,
		.width = WIDTH
	};

	if (!chart_find_ends(&v)) {
		fputs("<p>Nothing was recorded.</p>\n", f);
		return;
	}
	chart_print_rows(f, &v, "chart", "One device iteration");
	print_spans(f, &v);
	fputs("</svg></div>\n", f);
}

/* All that was kept; by the model's clock one iteration stands for all. */
static struct chart_view
view_of_call(const struct profile_data *d, enum profile_clock clock)
{
	const bool		host = clock == PROFILE_HOST;
	struct chart_view	v = {
		.data = d,
		.clock = clock,
		.iterations = host ? profile_data_iterations_kept(d) : 1,
		.copies = host ? 1 : profile_data_iterations_kept(d),
		.columns = d->schedule.columns,
		.top = MARKS
	};
	const int		n = v.iterations * v.copies;
	const long		wide = n > 1 ? (long)n * ITERATION_WIDTH :
	    (long)d->schedule.columns * COLUMN_WIDTH;

	v.width = wide < WIDTH ? WIDTH : wide > WIDTH_MAX ? WIDTH_MAX :
	    (int)wide;
	return v;
}

void
chart_call(FILE *f, const struct profile_data *d, enum profile_clock clock)
{
	struct chart_view	v = view_of_call(d, clock);
	const int		n = v.iterations * v.copies;

	if ((n == 1 && d->schedule.columns <= PROFILE_COLUMNS) ||
	    !chart_find_ends(&v))
		return;
	fputs("<details><summary>", f);
	if (d->iterations == 1)
		fprintf(f, "All %d columns", d->schedule.columns);
	else if (n == d->iterations)
		fprintf(f, "All %d device iterations of the call", n);
	else
		fprintf(f, "The first %d of %d device iterations of the call",
		    n, d->iterations);
	fputs("</summary>\n", f);
	chart_print_rows(f, &v, "chart whole", "Device iterations of a call");
	print_paths(f, &v);
	print_marks(f, &v);
	fputs("</svg></div></details>\n", f);
}

void
chart_legend(FILE *f, const struct profile_data *d)
{
	static const struct {
		enum trace_kind	kind;
		const char	*text;
	} entries[] = {
		{ TRACE_FORWARD, "forward" },
		{ TRACE_RECOMPUTE, "recompute" },
		{ TRACE_BACKWARD, "backward" },
		{ TRACE_UPDATE, "weight update" },
		{ TRACE_COLLECTIVE, "collective" },
		{ TRACE_EXCHANGE, "exchange" },
		{ TRACE_HOST_IN, "host I/O" },
		{ TRACE_SYNC, "sync: waiting for other IPUs" }
	};
	size_t	i;

	fputs("<div class=\"legend\">", f);
	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		const enum trace_kind	k = entries[i].kind;

		if (((k == TRACE_BACKWARD || k == TRACE_UPDATE) &&
		    !d->config->training) ||
		    (k == TRACE_RECOMPUTE && !d->config->recompute) ||
		    (k == TRACE_COLLECTIVE && d->config->total_replicas == 1))
			continue;
		fprintf(f, "<span><i class=\"k%d\"></i>%s</span>", (int)k,
		    entries[i].text);
	}
	fputs("</div>\n", f);
}
