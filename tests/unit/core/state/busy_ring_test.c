/* The ring of seconds in which an IPU computed. */
#include "core/state/state.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

#define SECOND INT64_C(1000000000)
#define START (INT64_C(1700000000) * SECOND)

/* Half a second of work in the first, the third and the fourth second. */
static void
test_windows(void)
{
	static const struct {
		double now, window, busy; /* seconds */
	} rows[] = {
		{ 0.5, 1.0, 0.5 }, { 1.0, 1.0, 0.5 },
		{ 1.25, 1.0, 0.375 }, /* 3/4 of the second before */
		{ 1.75, 1.0, 0.125 }, { 4.0, 1.0, 0.5 }, { 4.5, 1.0, 0.25 },
		{ 4.0, 60.0, 1.5 }, { 60.0, 60.0, 1.5 }, { 60.5, 60.0, 1.25 },
		{ 63.0, 60.0, 0.5 }, { 64.0, 60.0, 0.0 },
		{ 64.5, 60.0, 0.0 }, /* the word of 64 seconds before */
		{ 128.0, 60.0, 0.0 },
		{ -5.0, 60.0, 0.0 }, /* a clock set back */
	};
	struct busy_ring ring;
	size_t i;

	memset(&ring, 0, sizeof(ring));
	busy_ring_add(&ring, START, START + SECOND / 2);
	busy_ring_add(&ring, START + 5 * SECOND / 2, START + 7 * SECOND / 2);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		is_near((double)busy_ring_window(&ring,
			    START + (int64_t)(rows[i].now * 1e9),
			    (int64_t)(rows[i].window * 1e9)) /
			1e9,
		    rows[i].busy, 1e-9, "at work in the window");
}

/* Steps that are shorter than a microsecond are not lost, and none is twice. */
static void
test_short_steps(void)
{
	struct busy_ring ring;
	int64_t at;

	memset(&ring, 0, sizeof(ring));
	for (at = START; at < START + 3 * SECOND; at += 300)
		busy_ring_add(&ring, at, at + 300);
	is_int(busy_ring_second(&ring, START / SECOND + 1), SECOND,
	    "a full second of short steps");
	is_int(busy_ring_window(&ring, START + 3 * SECOND, 60 * SECOND),
	    3 * SECOND, "and three in the minute");
}

static void
test_limits(void)
{
	struct busy_ring ring;
	int i;

	memset(&ring, 0, sizeof(ring));
	for (i = 0; i < 3; i++)
		busy_ring_add(&ring, START, START + SECOND);
	is_int(busy_ring_second(&ring, START / SECOND), SECOND,
	    "a second has no more than a second");
	busy_ring_add(&ring, 0, START);
	is_int(busy_ring_window(&ring, START, 60 * SECOND), 60 * SECOND,
	    "a step of years fills the ring and ends");
	busy_ring_add(&ring, START + 9 * SECOND, START);
	busy_ring_add(&ring, -9 * SECOND, -SECOND);
	is_int(busy_ring_second(&ring, START / SECOND + 8), 0,
	    "a step that ends before it begins is none");
	is_int(busy_ring_second(&ring, -1), 0, "nor is there time before 1970");
}

/* Whatever stands there, as a neighbour may write it, is 0 to 100 %. */
static void
test_foreign_words(void)
{
	struct busy_ring ring;
	uint32_t x = 1;
	int64_t busy;
	int i, k, wrong = 0;

	for (k = 0; k < 20000; k++) {
		for (i = 0; i < BUSY_RING_SECONDS; i++) {
			x ^= x << 13;
			x ^= x >> 17;
			x ^= x << 5;
			/* Half of them have the stamp of the time. */
			atomic_store(&ring.words[i],
			    x % 2 == 0 ? x :
					 (uint32_t)(START / SECOND / 64) << 20 |
				    (x >> 12));
		}
		busy = busy_ring_window(&ring, START + (int64_t)x, 60 * SECOND);
		wrong += busy < 0 || busy > 60 * SECOND;
		busy = busy_ring_window(&ring, (int64_t)(x >> 1) << 32, SECOND);
		wrong += busy < 0 || busy > SECOND;
	}
	is_int(wrong, 0, "never more than the window");
}

int
main(void)
{
	test_windows();
	test_short_steps();
	test_limits();
	test_foreign_words();
	return tap_done();
}
