/*
 * The ring of seconds in which an IPU computed; ipu_slot.h has the drawing.
 */
#include "core/state/ipu_slot.h"

#define RING_SECOND_NS INT64_C(1000000000)

enum {
	RING_STAMP_SHIFT = 20,
	RING_TIME_MASK = (1 << RING_STAMP_SHIFT) - 1,
	RING_SECOND_US = 1000000
};

/* Return the upper bits of a second's word. */
static uint32_t
ring_stamp(int64_t second)
{
	return (uint32_t)((uint64_t)second / BUSY_RING_SECONDS)
	    << RING_STAMP_SHIFT;
}

/* Return the microseconds of a word, or 0 if it is of another second. */
static uint32_t
ring_time(uint32_t word, int64_t second)
{
	uint32_t us = word & RING_TIME_MASK;

	if ((word & ~(uint32_t)RING_TIME_MASK) != ring_stamp(second))
		return 0;
	return us < RING_SECOND_US ? us : RING_SECOND_US;
}

static void
ring_add_second(struct busy_ring *r, int64_t second, int64_t us)
{
	_Atomic uint32_t *word =
	    &r->words[(uint64_t)second % BUSY_RING_SECONDS];
	uint32_t sum =
	    ring_time(atomic_load_explicit(word, memory_order_relaxed),
		second) +
	    (uint32_t)us;

	if (sum > RING_SECOND_US)
		sum = RING_SECOND_US;
	atomic_store_explicit(word, ring_stamp(second) | sum,
	    memory_order_relaxed);
}

/* Both ends are rounded down to microseconds, so that consecutive short steps
   add up exactly. */
void
busy_ring_add(struct busy_ring *r, int64_t start_ns, int64_t end_ns)
{
	const int64_t end = end_ns / 1000;
	int64_t at = start_ns / 1000, next, second;

	if (end_ns < 0 ||
	    end - at > (int64_t)BUSY_RING_SECONDS * RING_SECOND_US)
		at = end - (int64_t)BUSY_RING_SECONDS * RING_SECOND_US;
	if (at < 0)
		at = 0;
	for (; at < end; at = next) {
		second = at / RING_SECOND_US;
		next = (second + 1) * RING_SECOND_US;
		if (next > end)
			next = end;
		ring_add_second(r, second, next - at);
	}
}

void
busy_ring_count(struct ipu_slot *slot, int64_t start_ns, int64_t end_ns)
{
	const uint64_t ns = (uint64_t)(end_ns - start_ns);

	if ((slot->flags & SLOT_UNMEASURED) != 0 || end_ns <= start_ns)
		return;
	(void)atomic_fetch_add_explicit(&slot->busy_ns, ns,
	    memory_order_relaxed);
	(void)atomic_fetch_add_explicit(&slot->session_busy_ns, ns,
	    memory_order_relaxed);
	busy_ring_add(&slot->ring, start_ns, end_ns);
	atomic_store_explicit(&slot->last_busy_ns, (uint64_t)end_ns,
	    memory_order_relaxed);
}

int64_t
busy_ring_second(const struct busy_ring *r, int64_t second)
{
	if (second < 0)
		return 0;
	return (int64_t)ring_time(
		   atomic_load_explicit(&r->words[second % BUSY_RING_SECONDS],
		       memory_order_relaxed),
		   second) *
	    1000;
}

int64_t
busy_ring_window(const struct busy_ring *r, int64_t now_ns, int64_t window_ns)
{
	const int64_t from = now_ns - window_ns;
	const int64_t first = from / RING_SECOND_NS;
	const int64_t inside = (first + 1) * RING_SECOND_NS - from;
	int64_t second, sum;

	if (from < 0)
		return 0;
	/* 10^9 x 10^9 is less than 2^63. */
	sum = busy_ring_second(r, first) * inside / RING_SECOND_NS;
	for (second = first + 1; second <= now_ns / RING_SECOND_NS; second++)
		sum += busy_ring_second(r, second);
	return sum < window_ns ? sum : window_ns;
}
