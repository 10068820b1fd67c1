/*
 * The charts of report.html as SVG: time to scale, one row per IPU, and the
 * bytes on an IPU's tiles.
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
	LEFT = 56,
	RIGHT = 16,
	LANE = 26,
	ROW = 34,
	AXIS = 22,
	TICKS = 6,		/* about */
	TILES_LEFT = 60,
	TILES_TOP = 14,
	TILES_HEIGHT = 96
};

static const double	thinnest = 0.35;	/* what is still drawn */

/* 1, 2 or 5 times a power of ten, so that about TICKS fit. */
static double
tick_step(double length)
{
	const double	raw = length / TICKS;
	const double	power = pow(10, floor(log10(raw)));

	return power * (raw < 2 * power ? 2 : raw < 5 * power ? 5 : 10);
}

static void
print_axis(FILE *f, enum profile_clock clock, double length, double scale,
    int rows)
{
	const double	step = tick_step(length);
	const int	bottom = rows * ROW;
	char		text[MARKUP_SIZE];
	double		at;

	for (at = 0; at <= length; at += step) {
		const double	x = LEFT + at * scale;

		fprintf(f, "<path class=\"grid\" d=\"M%.1f 0v%d\"/>"
		    "<text class=\"axis\" x=\"%.1f\" y=\"%d\" text-anchor="
		    "\"%s\">%s%s</text>\n", x, bottom, x, bottom + 15,
		    at + step > length ? "end" : at <= 0 ? "start" : "middle",
		    clock == PROFILE_HOST ? markup_ns(text, at) :
		    markup_number(text, (long long)at),
		    clock == PROFILE_MODELLED && at <= 0 ? " cycles" : "");
	}
}

/* What a pointer shows above a span. */
static void
print_hint(FILE *f, enum profile_clock clock, const struct time_span *s)
{
	char	text[MARKUP_SIZE];

	fprintf(f, "<title>IPU %d, %s", s->ipu, figures_kind_name(s->kind));
	if (s->step.kind != STEP_UPDATE && s->step.stage >= 0)
		fprintf(f, ", stage %d, micro-batch %d", s->step.stage,
		    s->step.micro_batch + 1);
	fprintf(f, ": %s%s</title>", clock == PROFILE_HOST ?
	    markup_ns(text, (double)(s->to - s->from)) :
	    markup_number(text, s->to - s->from),
	    clock == PROFILE_HOST ? "" : " cycles");
}

/*
 * Spans narrower than `thinnest` pixels are left out: there may be thousands.
 */
static void
print_span(FILE *f, enum profile_clock clock, const struct time_span *s,
    int64_t zero, double scale)
{
	const double	width = (double)(s->to - s->from) * scale;

	if (width < thinnest)
		return;
	fprintf(f, "<rect class=\"k%d\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" "
	    "height=\"%d\">", (int)s->kind,
	    LEFT + (double)(s->from - zero) * scale, s->ipu * ROW + 4, width,
	    LANE);
	print_hint(f, clock, s);
	fputs("</rect>\n", f);
}

/*
 * Where the schedule is long, only the columns that the timeline has as well.
 */
static bool
is_drawn(const struct profile_data *d, const struct time_span *s)
{
	return s->step.column < PROFILE_COLUMNS ||
	    d->schedule.columns <= PROFILE_COLUMNS;
}

/*
 * From the first span's begin to the last one's end over the width of the
 * page.
 */
void
chart_iteration(FILE *f, const struct profile_data *d, enum profile_clock clock)
{
	const struct timing	*t = &d->timings[clock];
	const char		*name = clock == PROFILE_HOST ? "host time" :
	    "modelled cycles";
	int64_t			 first = INT64_MAX, last = INT64_MIN;
	double			 scale;
	int			 i;

	for (i = 0; i < t->span_count; i++) {
		if (!is_drawn(d, &t->spans[i]))
			continue;
		if (t->spans[i].from < first)
			first = t->spans[i].from;
		if (t->spans[i].to > last)
			last = t->spans[i].to;
	}
	if (last <= first) {
		fputs("<p>Nothing was recorded.</p>\n", f);
		return;
	}
	scale = (WIDTH - LEFT - RIGHT) / (double)(last - first);
	fprintf(f, "<div class=\"scroll\"><svg class=\"chart\" role=\"img\" "
	    "aria-label=\"One device iteration, %s\" width=\"%d\" "
	    "height=\"%d\" viewBox=\"0 0 %d %d\">\n", name, WIDTH,
	    d->ipus * ROW + AXIS, WIDTH, d->ipus * ROW + AXIS);
	print_axis(f, clock, (double)(last - first), scale, d->ipus);
	for (i = 0; i < d->ipus; i++)
		fprintf(f, "<rect class=\"lane\" x=\"%d\" y=\"%d\" "
		    "width=\"%d\" height=\"%d\"/><text x=\"0\" y=\"%d\">IPU %d"
		    "</text>\n", LEFT, i * ROW + 4, WIDTH - LEFT - RIGHT,
		    LANE, i * ROW + 4 + LANE / 2 + 4, i);
	for (i = 0; i < t->span_count; i++)
		if (is_drawn(d, &t->spans[i]))
			print_span(f, clock, &t->spans[i], first, scale);
	fputs("</svg></div>\n", f);
}

/* The axis of bytes goes to the limit, or to what is used beyond it. */
static double
most_bytes(const struct profile_data *d)
{
	double	most = (double)d->memory->target.tile_bytes;
	int	i;

	for (i = 0; i < d->ipus; i++) {
		const struct memory_ipu	*m = &d->memory->ipus[i];

		if ((double)m->tiles[m->largest_tile] > most)
			most = (double)m->tiles[m->largest_tile];
	}
	return most * 1.04;
}

/* Steps of equal tiles as one line. */
static void
print_area(FILE *f, const struct profile_data *d, int ipu, double x_scale,
    double y_scale)
{
	const size_t	*bytes = d->memory->ipus[ipu].tiles;
	const int	 tiles = d->memory->target.tiles;
	const int	 bottom = TILES_TOP + TILES_HEIGHT;
	int		 i, from = 0;

	fprintf(f, "<path class=\"area\" d=\"M%d %d", TILES_LEFT, bottom);
	for (i = 1; i <= tiles; i++) {
		if (i < tiles && bytes[i] == bytes[from])
			continue;
		fprintf(f, "V%.2fH%.2f", bottom - (double)bytes[from] * y_scale,
		    TILES_LEFT + i * x_scale);
		from = i;
	}
	fprintf(f, "V%dZ\"/>\n", bottom);
}

/* Bytes upwards, tiles to the right; the limit is a line across. */
void
chart_tiles(FILE *f, const struct profile_data *d, int ipu)
{
	const struct memory_target	*target = &d->memory->target;
	const double	most = most_bytes(d);
	const double	step = tick_step(most / 1024) * 1024;
	const double	x_scale = (double)(WIDTH - TILES_LEFT - RIGHT) /
	    target->tiles;
	const double	y_scale = TILES_HEIGHT / most;
	const int	bottom = TILES_TOP + TILES_HEIGHT;
	const double	limit = bottom - (double)target->tile_bytes * y_scale;
	char		text[MARKUP_SIZE];
	double		at;
	int		tile;

	fprintf(f, "<div class=\"scroll\"><svg class=\"chart tiles\" "
	    "role=\"img\" aria-label=\"Bytes on each tile of IPU %d\" "
	    "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", ipu, WIDTH,
	    bottom + AXIS, WIDTH, bottom + AXIS);
	for (at = 0; at < most; at += 2 * step)
		fprintf(f, "<path class=\"grid\" d=\"M%d %.1fh%d\"/><text "
		    "class=\"axis\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s"
		    "</text>\n", TILES_LEFT, bottom - at * y_scale,
		    WIDTH - TILES_LEFT - RIGHT, TILES_LEFT - 6,
		    bottom - at * y_scale + 4, markup_bytes(text, at));
	print_area(f, d, ipu, x_scale, y_scale);
	fprintf(f, "<path class=\"limit\" d=\"M%d %.1fh%d\"/><text "
	    "class=\"axis\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">limit %s"
	    "</text>\n", TILES_LEFT, limit, WIDTH - TILES_LEFT - RIGHT,
	    WIDTH - RIGHT, limit - 4,
	    markup_bytes(text, (double)target->tile_bytes));
	for (tile = 0; tile < target->tiles; tile += (target->tiles + 5) / 6)
		fprintf(f, "<text class=\"axis\" x=\"%.1f\" y=\"%d\">%s%d"
		    "</text>\n", TILES_LEFT + tile * x_scale, bottom + 15,
		    tile == 0 ? "tile " : "", tile);
	fputs("</svg></div>\n", f);
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
