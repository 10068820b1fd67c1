/*
 * Checks the counters that a program reports before others see them.  A program
 * may report anything, but a server must give plausible answers.
 *
 *	time at work		not more than the IPU was held
 *	bytes			not more than memory could move meanwhile
 *	work by seconds		of seconds in which it was held
 *	memory			not more than an IPU has
 *	errors			known ones, when they are new
 */
#include "ipu/device/lease.h"

#include <stdatomic.h>

#include "core/pod/pod.h"
#include "ipu/device/tile_state.h"

#define SECOND_NS INT64_C(1000000000)
/* More than any host's memory can move. */
#define BYTES_PER_S ((uint64_t)1 << 44)

#define IPU_BYTES ((uint64_t)TILE_COUNT * TILE_BYTES)

enum {
	/* Fields of a word of the ring: see ipu_slot.h. */
	RING_SHIFT = 20,
	RING_TURNS = 4096,
	RING_MAX_US = 1000000
};

void
lease_counters_read(struct lease_counters *c, const struct ipu_slot *slot)
{
	int i;

	c->busy_ns = atomic_load(&slot->busy_ns);
	c->exchange_bytes = atomic_load(&slot->exchange_bytes);
	c->host_bytes = atomic_load(&slot->host_bytes);
	c->memory_bytes = atomic_load(&slot->memory_bytes);
	c->last_busy_ns = atomic_load(&slot->last_busy_ns);
	c->soc_error = atomic_load(&slot->soc_error);
	for (i = 0; i < BUSY_RING_SECONDS; i++)
		c->ring[i] = atomic_load_explicit(&slot->ring.words[i],
		    memory_order_relaxed);
}

/* Return the growth over the accepted value, up to the limit; counters do not
   fall. */
static uint64_t
counters_more(uint64_t claimed, uint64_t limit, uint64_t *accepted)
{
	uint64_t more;

	if (claimed > limit)
		claimed = limit;
	if (claimed <= *accepted)
		return 0;
	more = claimed - *accepted;
	*accepted = claimed;
	return more;
}

/* Copy the words of the seconds in which the IPU was held; keep the others. */
static void
counters_take_ring(const struct lease_counters *c, int64_t from_ns,
    int64_t now_ns, struct busy_ring *ring)
{
	const int64_t last = now_ns / SECOND_NS;
	int64_t second = from_ns / SECOND_NS;
	uint32_t word, at;

	if (second < last - BUSY_RING_SECONDS + 1)
		second = last - BUSY_RING_SECONDS + 1;
	for (; second <= last; second++) {
		at = (uint32_t)(second % BUSY_RING_SECONDS);
		word = c->ring[at];
		if (word >> RING_SHIFT ==
			(uint32_t)(second / BUSY_RING_SECONDS % RING_TURNS) &&
		    (word & ((1U << RING_SHIFT) - 1)) <= RING_MAX_US)
			atomic_store_explicit(&ring->words[at], word,
			    memory_order_relaxed);
	}
}

void
lease_counters_take(const struct lease_counters *c, struct lease_meter *m,
    int64_t now_ns, struct ipu_slot *slot)
{
	const uint64_t known = SOC_BIT(SOC_ERRORS_END) - SOC_BIT(1);
	uint64_t held_ns = now_ns > m->granted_ns ?
	    (uint64_t)(now_ns - m->granted_ns) :
	    0;
	/* Limit of 2^19 seconds (six days): no overflow. */
	const uint64_t seconds = held_ns / SECOND_NS + 1;
	const uint64_t bytes = seconds < (UINT64_C(1) << 19) ?
	    seconds * BYTES_PER_S :
	    UINT64_MAX;
	uint64_t more;

	more = counters_more(c->busy_ns, held_ns, &m->busy_ns);
	(void)atomic_fetch_add(&slot->busy_ns, more);
	(void)atomic_fetch_add(&slot->session_busy_ns, more);
	(void)atomic_fetch_add(&slot->exchange_bytes,
	    counters_more(c->exchange_bytes, bytes, &m->exchange_bytes));
	(void)atomic_fetch_add(&slot->host_bytes,
	    counters_more(c->host_bytes, bytes, &m->host_bytes));
	if (c->memory_bytes <= IPU_BYTES)
		atomic_store(&slot->memory_bytes, c->memory_bytes);
	if (c->last_busy_ns > atomic_load(&slot->last_busy_ns) &&
	    c->last_busy_ns >= (uint64_t)m->granted_ns &&
	    c->last_busy_ns <= (uint64_t)now_ns)
		atomic_store(&slot->last_busy_ns, c->last_busy_ns);
	counters_take_ring(c, m->granted_ns, now_ns, &slot->ring);
	/* An error that was cleared meanwhile must not return by itself. */
	(void)atomic_fetch_or(&slot->soc_error,
	    (uint32_t)(c->soc_error & ~m->soc_error & known));
	m->soc_error = c->soc_error;
}
