/*
 * Draws digits as pen strokes, for machines without the MNIST files, with
 * random slant, size, place, width and noise.
 */
#include "ipu/nn/nn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

enum { POINTS_MAX = 16, PIXELS = DATASET_SIDE * DATASET_SIDE };

/* Pen positions in a box of 10 x 14, x to the right, y down, "xy" with a for 10
   to e for 14.  Each digit has two forms of one stroke each. */
static const char *const strokes[DATASET_CLASSES][2] = {
	{ "50 12 05 09 1c 5e 9c a9 a5 92 50", "60 22 17 2c 5e 8c 97 82 60" },
	{ "50 54 59 5e", "23 50 57 5e" },
	{ "13 30 70 93 95 59 0e ae", "04 20 80 a4 78 2d 0e 3c ae" },
	{ "11 50 91 94 57 99 9c 5e 0d", "00 a0 46 89 9b 6e 1d" },
	{ "70 09 a9 79 70 7e", "10 18 98 90 9e" },
	{ "90 10 06 56 98 9c 5e 0d", "a0 30 26 77 9a 7e 1d" },
	{ "80 34 0a 2e 7e 9b 78 29 0a", "60 16 0b 4e 8d 99 58 1a" },
	{ "00 a0 66 4e", "03 00 90 76 5e" },
	{ "50 12 14 57 9a 9c 5e 0c 0a 57 94 92 50",
	    "80 20 13 8b 7e 2e 0b 93 80" },
	{ "93 60 22 05 37 85 93 9e", "82 50 12 15 57 93 90 8a 5e 1d" },
};

struct point {
	float x, y; /* pixels */
};

/* The style of one image: the map from box to pixels, and the pen. */
struct hand {
	float xx, xy, yx, yy; /* linear part */
	float x, y;	      /* middle, in pixels */
	float width;	      /* half of the pen's, in pixels */
};

/* Make a matrix of turn, slant and stretch: rotation x shear x scale.  The
   middle is within 2.5 pixels of the image's, 13.5. */
static struct hand
random_hand(struct rng *r)
{
	const float angle = rng_uniform(r, -0.3f, 0.3f);
	const float slant = rng_uniform(r, -0.35f, 0.35f);
	const float width = rng_uniform(r, 0.95f, 1.7f);
	const float height = rng_uniform(r, 1.1f, 1.55f);
	struct hand h;

	h.xx = width * cosf(angle);
	h.xy = height * (slant * cosf(angle) - sinf(angle));
	h.yx = width * sinf(angle);
	h.yy = height * (slant * sinf(angle) + cosf(angle));
	h.x = 13.5f + rng_uniform(r, -2.5f, 2.5f);
	h.y = 13.5f + rng_uniform(r, -2.5f, 2.5f);
	h.width = rng_uniform(r, 0.6f, 1.6f);
	return h;
}

static float
digits_place(char c)
{
	return (float)(c >= 'a' ? c - 'a' + 10 : c - '0');
}

/* Convert the pen's positions from the box, with middle (5, 7), to pixels, with
   jitter. */
static int
random_points(struct rng *r, const char *text, const struct hand *h,
    struct point *points)
{
	const float shake = 0.8f;
	int n = 0;

	for (;;) {
		float x = digits_place(text[0]) - 5 + shake * rng_normal(r);
		float y = digits_place(text[1]) - 7 + shake * rng_normal(r);

		points[n].x = h->x + h->xx * x + h->xy * y;
		points[n].y = h->y + h->yx * x + h->yy * y;
		n++;
		if (text[2] == '\0')
			return n;
		text += 3;
	}
}

/* Return the distance of a point from a segment.  Its foot on the line is at t
   from 0 (a) to 1 (b); outside, use the nearer end. */
static float
digits_distance(const struct point *a, const struct point *b, float x, float y)
{
	const float dx = b->x - a->x, dy = b->y - a->y;
	const float square = dx * dx + dy * dy;
	float t = 0;

	if (square > 0)
		t = ((x - a->x) * dx + (y - a->y) * dy) / square;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	x -= a->x + t * dx;
	y -= a->y + t * dy;
	return sqrtf(x * x + y * y);
}

static int
pixel(float x)
{
	return x < 0 ? 0 : x > DATASET_SIDE - 1 ? DATASET_SIDE - 1 : (int)x;
}

/* Draw a line of ink with a soft edge of one pixel; where lines cross, the
   darker one counts. */
static void
draw_line(float *ink, const struct point *a, const struct point *b, float width)
{
	const float reach = width + 1;
	const int left = pixel(fminf(a->x, b->x) - reach);
	const int right = pixel(fmaxf(a->x, b->x) + reach + 1);
	const int top = pixel(fminf(a->y, b->y) - reach);
	const int bottom = pixel(fmaxf(a->y, b->y) + reach + 1);
	int x, y;

	for (y = top; y <= bottom; y++) {
		for (x = left; x <= right; x++) {
			float *p = &ink[y * DATASET_SIDE + x];
			float v = width + 0.5f -
			    digits_distance(a, b, (float)x, (float)y);

			v = v > 1 ? 1 : v;
			*p = v > *p ? v : *p;
		}
	}
}

static void
draw(struct rng *r, int digit, uint8_t *to)
{
	const struct hand hand = random_hand(r);
	const float dark = rng_uniform(r, 150, 255);
	const float noise = rng_uniform(r, 10, 80);
	struct point points[POINTS_MAX];
	float ink[PIXELS] = { 0 };
	int i, n;

	n = random_points(r, strokes[digit][rng_below(r, 2)], &hand, points);
	for (i = 0; i + 1 < n; i++)
		draw_line(ink, &points[i], &points[i + 1], hand.width);
	for (i = 0; i < PIXELS; i++) {
		float v = dark * ink[i] + rng_uniform(r, -noise, noise);

		to[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
	}
}

/* Each image has a separate generator, so sets of any size begin alike, and
   training and test images differ: 2i and 2i + 1. */
void
digits_draw(struct dataset *d, enum dataset_part part, uint32_t count,
    uint64_t seed)
{
	struct rng rng;
	uint32_t i;

	d->count = count;
	d->pixels = xreallocarray(NULL, count, PIXELS);
	d->labels = xreallocarray(NULL, count, 1);
	for (i = 0; i < count; i++) {
		rng_init(&rng, seed, (uint64_t)i * 2 + (uint64_t)part);
		d->labels[i] = (uint8_t)rng_below(&rng, DATASET_CLASSES);
		draw(&rng, d->labels[i], d->pixels + (size_t)i * PIXELS);
	}
}
