/*
 * The host's activities as SVG: a row of the program's, of its calls' parts,
 * and of device iterations, with one axis.
 */
#include "ipu/engine/profile/chart_host.h"

#include "ipu/engine/profile/chart.h"
#include "ipu/engine/profile/markup.h"
#include "ipu/engine/trace.h"

/* Pixels. */
enum {
	WIDTH = 1076,		/* of the page */
	LEFT = 72,
	RIGHT = 16,
	LANE = 26,
	ROW = 34,
	AXIS = 22,
	TICKS = 6
};

static const double	chart_host_thinnest = 0.35;

/* In the colours of what an IPU does. */
static const int	colours[HOST_ACTIVITIES] = {
	[HOST_COMPILE] = TRACE_UPDATE,
	[HOST_ATTACH] = TRACE_SYNC,
	[HOST_WEIGHTS_IN] = TRACE_COLLECTIVE,
	[HOST_WEIGHTS_OUT] = TRACE_COLLECTIVE,
	[HOST_DETACH] = TRACE_SYNC,
	[HOST_INPUT] = TRACE_HOST_IN,
	[HOST_RUN] = TRACE_FORWARD,
	[HOST_OUTPUT] = TRACE_HOST_OUT,
	[HOST_ITERATION] = TRACE_RECOMPUTE
};

/* When the last recorded call ends; 0: none was. */
static double
end_of_calls(const struct profile_host *h)
{
	double	end = 0;
	int	i;

	for (i = 0; i < h->activity_count; i++)
		if (h->activities[i].call >= 0 && h->activities[i].to_s > end)
			end = h->activities[i].to_s;
	return end;
}

static void
print_activity(FILE *f, const struct host_activity *a, double scale)
{
	const double	width = (a->to_s - a->from_s) * scale;
	char		text[MARKUP_SIZE];

	if (width < chart_host_thinnest)
		return;
	/* Two iterations in a row differ. */
	fprintf(f, "<rect class=\"k%d\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" "
	    "height=\"%d\"><title>", a->iteration % 2 == 1 ? TRACE_FORWARD :
	    colours[a->kind], LEFT + a->from_s * scale,
	    host_activity_row(a->kind) * ROW + 4, width, LANE);
	if (a->call >= 0)
		fprintf(f, "call %ld, ", a->call + 1);
	fputs(host_activity_names[a->kind], f);
	if (a->iteration >= 0)
		fprintf(f, " %d", a->iteration + 1);
	fprintf(f, ": %s</title></rect>\n", markup_ns(text,
	    (a->to_s - a->from_s) * 1e9));
}

void
chart_host(FILE *f, const struct profile_data *d)
{
	const struct profile_host	*h = d->about.host;
	const double	end_s = end_of_calls(h);
	const double	scale = (WIDTH - LEFT - RIGHT) / end_s;
	const int	height = HOST_ACTIVITY_ROWS * ROW + AXIS;
	const struct chart_axis	axis = {
		.length_ns = end_s * 1e9,
		.ticks = TICKS,
		.left = LEFT,
		.right = WIDTH - RIGHT,
		.bottom = HOST_ACTIVITY_ROWS * ROW
	};
	int		i;

	if (end_s <= 0)
		return;
	fputs("<p class=\"how between\">The first calls as they were measured. "
	    "In the rows, from above: compiling, attaching and copies of "
	    "weights; input, run and output of each call; and the device "
	    "iterations of its run.</p>\n", f);
	fprintf(f, "<div class=\"scroll\"><svg id=\"host-timeline\" class=\""
	    "chart\" role=\"img\" aria-label=\"What this host did, measured\" "
	    "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", WIDTH,
	    height, WIDTH, height);
	chart_axis(f, &axis);
	for (i = 0; i < HOST_ACTIVITY_ROWS; i++)
		fprintf(f, "<rect class=\"lane\" x=\"%d\" y=\"%d\" width=\""
		    "%d\" height=\"%d\"/><text x=\"0\" y=\"%d\">%s</text>\n",
		    LEFT, i * ROW + 4, WIDTH - LEFT - RIGHT, LANE,
		    i * ROW + 4 + LANE / 2 + 4, host_activity_row_names[i]);
	for (i = 0; i < h->activity_count; i++)
		if (h->activities[i].from_s < end_s)
			print_activity(f, &h->activities[i], scale);
	fputs("</svg></div>\n", f);
}
