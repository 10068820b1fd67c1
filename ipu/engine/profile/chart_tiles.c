/*
 * The bytes on an IPU's tiles as SVG, with axes that end at a round figure.
 */
#include "ipu/engine/profile/chart_tiles.h"

#include "ipu/engine/profile/chart.h"
#include "ipu/engine/profile/markup.h"

/* Pixels. */
enum {
	TILES_WIDTH = 1076,
	TILES_LEFT = 68,
	TILES_RIGHT = 16,
	TILES_TOP = 18,
	TILES_HEIGHT = 96,
	TILES_AXIS = 22,
	TILES_TICKS = 4,	/* about, of bytes */
	TILES_NUMBERS = 8	/* about, of tiles */
};

/* From the tiles to the picture. */
struct tiles_view {
	const struct memory_ipu	*memory;
	int		 tiles;
	double		 step;		/* bytes between two ticks */
	double		 top;		/* bytes at the axis' end */
	double		 x_scale, y_scale;
};

/* Ticks at round figures of the unit that their labels have: 50 kB, 0.2 MB. */
static double
bytes_step(double bytes)
{
	const double	unit = bytes < 1024 ? 1 : bytes < 1024 * 1024 ? 1024 :
	    1024 * 1024;

	return chart_tick_step(bytes / unit, TILES_TICKS) * unit;
}

static struct tiles_view
tiles_view_of(const struct profile_data *d, int ipu)
{
	struct tiles_view	v = {
		.memory = &d->memory->ipus[ipu],
		.tiles = d->memory->target.tiles
	};
	double			most;

	most = (double)memory_largest_tile(v.memory);
	/* An IPU without any stage has an axis all the same. */
	if (most <= 0)
		most = (double)d->memory->target.tile_bytes;
	v.step = bytes_step(most);
	for (v.top = v.step; v.top < most; v.top += v.step)
		;
	v.x_scale = (double)(TILES_WIDTH - TILES_LEFT - TILES_RIGHT) / v.tiles;
	v.y_scale = TILES_HEIGHT / v.top;
	return v;
}

static void
print_bytes_axis(FILE *f, const struct tiles_view *v)
{
	const int	bottom = TILES_TOP + TILES_HEIGHT;
	char		text[MARKUP_SIZE];
	int		i;

	for (i = 0; i * v->step <= v->top * 1.001; i++) {
		const double	y = bottom - i * v->step * v->y_scale;

		fprintf(f, "<path class=\"grid\" d=\"M%d %.1fh%d\"/><text "
		    "class=\"axis\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s"
		    "</text>\n", TILES_LEFT, y,
		    TILES_WIDTH - TILES_LEFT - TILES_RIGHT, TILES_LEFT - 6,
		    y + 4, markup_bytes(text, i * v->step));
	}
}

/* Numbers of tiles; one too near to the last tile's is left out. */
static void
print_tiles_axis(FILE *f, const struct tiles_view *v)
{
	const int	y = TILES_TOP + TILES_HEIGHT + 15;
	const int	step = v->tiles < TILES_NUMBERS ? 1 :
	    (int)chart_tick_step(v->tiles, TILES_NUMBERS);
	int		tile;

	for (tile = 0; tile < v->tiles - step / 2; tile += step)
		fprintf(f, "<text class=\"axis\" x=\"%.1f\" y=\"%d\" "
		    "text-anchor=\"%s\">%s%d</text>\n",
		    TILES_LEFT + tile * v->x_scale, y,
		    tile == 0 ? "start" : "middle", tile == 0 ? "tile " : "",
		    tile);
	fprintf(f, "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"end\">"
	    "%d</text>\n", TILES_WIDTH - TILES_RIGHT, y, v->tiles - 1);
}

/* Steps of equal tiles as one line. */
static void
print_area(FILE *f, const struct tiles_view *v)
{
	const size_t	*bytes = v->memory->tiles;
	const int	 bottom = TILES_TOP + TILES_HEIGHT;
	int		 i, from = 0;

	fprintf(f, "<path class=\"area\" d=\"M%d %d", TILES_LEFT, bottom);
	for (i = 1; i <= v->tiles; i++) {
		if (i < v->tiles && bytes[i] == bytes[from])
			continue;
		fprintf(f, "V%.2fH%.2f",
		    bottom - (double)bytes[from] * v->y_scale,
		    TILES_LEFT + i * v->x_scale);
		from = i;
	}
	fprintf(f, "V%dZ\"/>\n", bottom);
}

void
chart_tiles(FILE *f, const struct profile_data *d, int ipu)
{
	const struct tiles_view	v = tiles_view_of(d, ipu);
	const double	limit = (double)d->memory->target.tile_bytes;
	const double	most = (double)memory_largest_tile(v.memory);
	const int	bottom = TILES_TOP + TILES_HEIGHT;
	char		a[MARKUP_SIZE], b[MARKUP_SIZE], c[MARKUP_SIZE];

	fprintf(f, "<p class=\"how\">The fullest tile, %d, holds %s of %s "
	    "(%s).</p>\n<div class=\"scroll\"><svg class=\"chart tiles\" "
	    "role=\"img\" aria-label=\"Bytes on each tile of IPU %d\" "
	    "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
	    v.memory->largest_tile, markup_bytes(a, most),
	    markup_bytes(b, limit), markup_share(c, most / limit), ipu,
	    TILES_WIDTH, bottom + TILES_AXIS, TILES_WIDTH,
	    bottom + TILES_AXIS);
	print_bytes_axis(f, &v);
	print_area(f, &v);
	if (limit <= v.top)
		fprintf(f, "<path class=\"limit\" d=\"M%d %.1fh%d\"/><text "
		    "class=\"axis\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">"
		    "limit %s</text>\n", TILES_LEFT,
		    bottom - limit * v.y_scale,
		    TILES_WIDTH - TILES_LEFT - TILES_RIGHT,
		    TILES_WIDTH - TILES_RIGHT, bottom - limit * v.y_scale - 4,
		    b);
	print_tiles_axis(f, &v);
	fputs("</svg></div>\n", f);
}
