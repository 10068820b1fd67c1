/*
 * The schedule as SVG: one box for each step, in a grid of columns and IPUs.
 */
#include "ipu/engine/profile/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/memstream.h"
#include "ipu/engine/profile/figures.h"
#include "ipu/engine/profile/markup.h"

/* Pixels. */
enum {
	CELL = 36,		/* a column's width */
	BOX = 34,
	ROW = 34,
	BOX_HEIGHT = 28,
	LEFT = 56,		/* of the first column: the IPUs' names */
	AXIS = 24,		/* above the rows: the columns' numbers */
	PHASES = 26,		/* below them */
	LEGEND = 24,		/* a line of it */
	MARGIN = 16,
	TITLE = 22,		/* a line of it */
	LETTER = 8,		/* that the widest fonts take of 12 pixels */
	TITLE_LETTER = 9,	/* of 15, bold */
	TITLE_LINES = 8,
	SWATCH = 20,
	WIDTH_MIN = 560		/* of a file, for its title and legend */
};

/* The colours of the steps, and what they mean. */
static const struct {
	char		 class;
	const char	*text;
} timeline_colours[] = {
	{ 'f', "forward" },
	{ 'b', "backward" },
	{ 'r', "recompute" },
	{ 'u', "weight update" },
	{ ' ', "blank: idle" }
};

static const char style[] =
    ".tl{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',"
    "sans-serif;--ink:#1b2430;--faint:#66707d;--line:#e3e7ec;--paper:#fff}\n"
    "@media(prefers-color-scheme:dark){.tl{--ink:#e8ebf0;--faint:#98a2af;"
    "--line:#2b333d;--paper:#12171d}}\n"
    ".tl text{fill:var(--ink)}"
    ".tl .axis,.tl .axis text{fill:var(--faint);font-size:11px}\n"
    ".tl .paper{fill:var(--paper)}"
    ".tl .track{fill:none;stroke:var(--line)}"
    ".tl .title{font-size:15px;font-weight:600}\n"
    ".tl .phase{stroke:var(--faint);fill:none}\n"
    ".tl .f rect{fill:#2f6fde}.tl .r rect,.tl rect.again{fill:#a9c8f7}"
    ".tl .b rect{fill:#cf3a3a}.tl .u rect{fill:#f2bd1d}\n"
    ".tl .box text{fill:#fff;font-weight:600;text-anchor:middle}"
    ".tl-legend .f{background:#2f6fde}.tl-legend .r{background:#a9c8f7}"
    ".tl-legend .b{background:#cf3a3a}.tl-legend .u{background:#f2bd1d}\n"
    ".tl .u text{fill:#3a2c00}.tl .of{font-size:9px;font-weight:400}\n";

void
timeline_style(FILE *f)
{
	fputs(style, f);
}

/* A picture of more columns than PROFILE_COLUMNS cannot be read. */
static int
shown_columns(const struct profile_data *d)
{
	return d->schedule.columns < PROFILE_COLUMNS ? d->schedule.columns :
	    PROFILE_COLUMNS;
}

/* Columns with the update's, which stands there where all of them do. */
static int
drawn_columns(const struct profile_data *d)
{
	const int	n = shown_columns(d);

	return n + (d->config->training && n == d->schedule.columns);
}

/*
 *	LEFT + column x CELL, AXIS + IPU x ROW: the box's upper left corner
 *
 * Where forward is computed again, a lighter strip stands at the box's left.
 */
static void
print_box(FILE *f, const struct profile_data *d, const struct step *s)
{
	const bool	again = s->kind == STEP_BACKWARD &&
	    d->config->recompute && s->stage < d->config->stages - 1;
	const int	x = LEFT + s->column * CELL, y = AXIS + s->ipu * ROW;
	const char	letter = "FBU"[s->kind];
	char		blocks[128];

	fprintf(f, "<g class=\"box %c\"", "fbu"[s->kind]);
	if (s->kind == STEP_UPDATE) {
		fprintf(f, "><title>IPU %d, weight update</title>", s->ipu);
	} else {
		figures_stage_blocks(d, s->stage, blocks, sizeof(blocks));
		fprintf(f, " data-m=\"%d\"><title>IPU %d, stage %d (",
		    s->micro_batch + 1, s->ipu, s->stage);
		markup_text(f, blocks);
		fprintf(f, "), column %d: %s%s of micro-batch %d</title>",
		    s->column + 1, again ? "recompute and " : "",
		    s->kind == STEP_FORWARD ? "forward" : "backward",
		    s->micro_batch + 1);
	}
	fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
	    "rx=\"4\"/>", x, y, BOX, BOX_HEIGHT);
	if (again)
		fprintf(f, "<rect class=\"again\" x=\"%d\" y=\"%d\" "
		    "width=\"%d\" height=\"%d\" rx=\"2\"/>", x, y, 5,
		    BOX_HEIGHT);
	fprintf(f, "<text x=\"%d\" y=\"%d\">%c", x + BOX / 2 + (again ? 2 : 0),
	    y + BOX_HEIGHT / 2 + 4, letter);
	if (s->kind != STEP_UPDATE)
		fprintf(f, "%d", s->micro_batch + 1);
	if (s->kind != STEP_UPDATE && d->ipus < d->config->stages)
		fprintf(f, "<tspan class=\"of\">.%d</tspan>", s->stage);
	fputs("</text></g>\n", f);
}

static void
print_rows(FILE *f, const struct profile_data *d)
{
	const int	columns = drawn_columns(d);
	int		i;

	for (i = 0; i < d->ipus; i++)
		fprintf(f, "<text x=\"0\" y=\"%d\">IPU %d</text>"
		    "<path class=\"track\" d=\"M%d %dh%d\"/>\n",
		    AXIS + i * ROW + BOX_HEIGHT / 2 + 4, i, LEFT,
		    AXIS + i * ROW + BOX_HEIGHT + 3, columns * CELL - 2);
	fputs("<g class=\"axis\" text-anchor=\"middle\">", f);
	for (i = 0; i < shown_columns(d); i++)
		fprintf(f, "<text x=\"%d\" y=\"14\">%d</text>",
		    LEFT + i * CELL + BOX / 2, i + 1);
	fputs("</g>\n", f);
}

/* The phase of each run of columns: fill, main, flush. */
static void
print_phases(FILE *f, const struct profile_data *d)
{
	const struct schedule	*s = &d->schedule;
	const int	y = AXIS + d->ipus * ROW + 4;
	const char	*phase = NULL, *now;
	int		 i, from = 0, to = 0;

	fputs("<g class=\"axis\" text-anchor=\"middle\">", f);
	for (i = 0; i <= s->step_count; i++) {
		now = i == s->step_count || s->steps[i].column >=
		    shown_columns(d) ? NULL : figures_phase(d, &s->steps[i]);
		if (phase != NULL && (now == NULL ||
		    strcmp(now, phase) != 0)) {
			fprintf(f, "<path class=\"phase\" d=\"M%d %dv4h%dv-4\""
			    "/><text x=\"%d\" y=\"%d\">%s</text>",
			    LEFT + from * CELL + 2, y,
			    (to - from + 1) * CELL - 6,
			    LEFT + (from + to + 1) * CELL / 2, y + 17, phase);
			phase = NULL;
		}
		if (now == NULL)
			break;
		if (phase == NULL)
			from = s->steps[i].column;
		phase = now;
		to = s->steps[i].column;
	}
	fputs("</g>\n", f);
}

static bool
is_in_legend(const struct profile_data *d, size_t i)
{
	const char	class = timeline_colours[i].class;

	return class == 'r' ? d->config->recompute : class == 'b' ||
	    class == 'u' ? d->config->training : true;
}

/*
 * The legend of a file, in as many lines as the width needs; with f NULL it is
 * only measured.  Returns the height of it.
 */
static int
timeline_print_legend(FILE *f, const struct profile_data *d, int y, int width)
{
	const int	top = y;
	int		x = 0;
	size_t		i;

	for (i = 0; i < ARRAY_SIZE(timeline_colours); i++) {
		const char	*text = timeline_colours[i].text;
		const char	 class = timeline_colours[i].class;
		const int	 left = class == ' ' ? 0 : SWATCH;
		const int	 wide = left + LETTER * (int)strlen(text);

		if (!is_in_legend(d, i))
			continue;
		if (x > 0 && x + wide > width) {
			x = 0;
			y += LEGEND;
		}
		if (f != NULL && left > 0)
			fprintf(f, "<g class=\"%c\"><rect x=\"%d\" y=\"%d\" "
			    "width=\"14\" height=\"14\" rx=\"3\"/></g>",
			    class, x, y);
		if (f != NULL)
			fprintf(f, "<text x=\"%d\" y=\"%d\">%s</text>\n",
			    x + left, y + 12, text);
		x += wide + 2 * LETTER;
	}
	return y + LEGEND - top;
}

void
timeline_legend(FILE *f, const struct profile_data *d)
{
	size_t	i;

	fputs("<div class=\"legend tl-legend\">", f);
	for (i = 0; i < ARRAY_SIZE(timeline_colours); i++) {
		if (!is_in_legend(d, i))
			continue;
		fputs("<span>", f);
		if (timeline_colours[i].class != ' ')
			fprintf(f, "<i class=\"%c\"></i>",
			    timeline_colours[i].class);
		fprintf(f, "%s</span>", timeline_colours[i].text);
	}
	fputs("</div>\n", f);
}

static void
print_title(FILE *f, const struct profile_data *d)
{
	const struct schedule_config	*c = &d->schedule.config;

	markup_text(f, d->about.model);
	fprintf(f, ", %s: %s, N = %d stages, %s = %d micro-batches",
	    d->about.engine, figures_strategy_name(c->strategy), c->stages,
	    c->training ? "G" : "D", c->micro_batches);
}

static void
print_description(FILE *f, const struct profile_data *d)
{
	char	share[MARKUP_SIZE];

	fprintf(f, "A row for each of %d IPUs, %d columns, a box for each "
	    "micro-batch; utilisation %s.", d->ipus, d->schedule.columns,
	    markup_share(share, figures_mean_utilisation(d,
	    PROFILE_CLOSED_FORM)));
	if (shown_columns(d) < d->schedule.columns)
		fprintf(f, " Columns 1 to %d are drawn.", shown_columns(d));
}

/* Bytes of the next letter of markup: "&lt;" is one. */
static size_t
title_letter(const char *c)
{
	size_t	n = 1;

	if (*c == '&')
		return strcspn(c, ";") + 1;
	while (((unsigned char)c[n] & 0xc0) == 0x80)
		n++;
	return n;
}

/* Bytes of a text of markup that fill so many letters, up to a blank where
   there is one. */
static size_t
title_part(const char *c, size_t room)
{
	size_t	n = 0, blank = 0;

	for (; c[n] != '\0' && room > 0; room--) {
		if (c[n] == ' ')
			blank = n;
		n += title_letter(c + n);
	}
	return c[n] == '\0' || c[n] == ' ' || blank == 0 ? n : blank;
}

/*
 * The title of a file, cut into lines between words: a name may be long.
 * Returns its lines; with f NULL they are only counted.
 */
static int
print_title_lines(FILE *f, const struct profile_data *d, int top, int width)
{
	const size_t	room = (size_t)(width / TITLE_LETTER);
	struct memstream m;
	char		*title, *c;
	size_t		 size;
	int		 line = 0;

	print_title(memstream_open(&m), d);
	c = title = memstream_close(&m, NULL);
	while (*c != '\0' && line < TITLE_LINES) {
		size = title_part(c, room);
		if (f != NULL)
			fprintf(f, "<text class=\"title\" x=\"0\" y=\"%d\">"
			    "%.*s</text>\n", top + 15 + line * TITLE, (int)size,
			    c);
		line++;
		c += size;
		c += strspn(c, " ");
	}
	free(title);
	return line;
}

void
timeline_print(FILE *f, const struct profile_data *d, bool alone)
{
	const int	below = AXIS + d->ipus * ROW + PHASES;
	const int	margin = alone ? MARGIN : 0;
	int		width = LEFT + drawn_columns(d) * CELL, height = below;
	int		top = 0, i;

	if (alone) {
		if (width < WIDTH_MIN)
			width = WIDTH_MIN;
		top = MARGIN + 12 + TITLE * print_title_lines(NULL, d, 0,
		    width);
		height += timeline_print_legend(NULL, d, 0, width) + MARGIN +
		    8;
	}
	height += top;
	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tl\" "
	    "role=\"img\" aria-labelledby=\"tl-title tl-desc\" width=\"%d\" "
	    "height=\"%d\" viewBox=\"%d %d %d %d\">\n<title id=\"tl-title\">",
	    width + 2 * margin, height, -margin, -top, width + 2 * margin,
	    height);
	print_title(f, d);
	fputs("</title>\n<desc id=\"tl-desc\">", f);
	print_description(f, d);
	fputs("</desc>\n", f);
	if (alone) {
		fprintf(f, "<style>\n%s</style>\n<rect class=\"paper\" "
		    "x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", style,
		    -margin, -top, width + 2 * margin, height);
		(void)print_title_lines(f, d, MARGIN - top, width);
	}
	print_rows(f, d);
	print_phases(f, d);
	for (i = 0; i < d->schedule.step_count; i++)
		if (d->schedule.steps[i].column < drawn_columns(d))
			print_box(f, d, &d->schedule.steps[i]);
	if (alone)
		(void)timeline_print_legend(f, d, below + 8, width);
	fputs("</svg>\n", f);
}
