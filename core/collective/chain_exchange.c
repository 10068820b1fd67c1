/*
 * A sum on its way through a chain.  Read chain_exchange_run() first.
 */
#include "core/collective/chain_exchange.h"

#include <sys/socket.h>

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/formats/element.h"

enum {
	EXCHANGE_LOOK_MS = 100,
	EXCHANGE_PATIENCE_NS = 50000,	/* more comes soon: to sleep and to be
					   woken takes as long */
	EXCHANGE_PIECE = 64 * 1024,	/* bytes that are added at once */
	EXCHANGE_VECTORS = 64		/* and vectors */
};

/* How far a sum has come, in bytes. */
struct exchange_progress {
	size_t	got;		/* from the process before */
	size_t	added;
	size_t	sent;		/* to the one behind */
	size_t	back;		/* the whole sum, from there */
	size_t	given;		/* to the members here */
	size_t	returned;	/* to the one before */
};

/* As many bytes as are there; -1: the connection is over. */
static int
exchange_read(int fd, void *to, size_t size, size_t *done)
{
	ssize_t	n = size == 0 ? 0 : recv(fd, to, size, 0);

	if (n > 0)
		*done += (size_t)n;
	return (n == 0 && size > 0) || (n == -1 && errno != EAGAIN &&
	    errno != EINTR) ? -1 : 0;
}

static int
exchange_write(int fd, const void *from, size_t size, size_t *done)
{
	ssize_t	n = size == 0 ? 0 : send(fd, from, size, MSG_NOSIGNAL);

	if (n > 0)
		*done += (size_t)n;
	return n == -1 && errno != EAGAIN && errno != EINTR ? -1 : 0;
}

/* Add these bytes of the members here to the sum, if there is one before. */
static void
exchange_add_piece(const struct chain_exchange *x, size_t begin, size_t bytes)
{
	const void	*vectors[1 + EXCHANGE_VECTORS];
	const size_t	 count = bytes / element_size(x->type);
	bool		 has_sum = x->before != -1;
	size_t		 n, i = 0;

	while (i < x->members) {
		n = 0;
		if (has_sum)
			vectors[n++] = x->sum + begin;
		while (n <= EXCHANGE_VECTORS && i < x->members)
			vectors[n++] = (const char *)x->vectors[i++] + begin;
		element_sum(x->type, vectors, n, count, x->sum + begin);
		has_sum = true;
	}
}

/* The next piece of what has come, in whole elements. */
static void
exchange_add(const struct chain_exchange *x, size_t got, size_t *added)
{
	const size_t	size = element_size(x->type);
	size_t		bytes = got / size * size - *added;

	if (bytes > EXCHANGE_PIECE)
		bytes = EXCHANGE_PIECE;
	if (bytes == 0)
		return;
	exchange_add_piece(x, *added, bytes);
	*added += bytes;
}

/* Give the members here what is whole: it is not added any more. */
static void
exchange_give(const struct chain_exchange *x, size_t back, size_t *given)
{
	size_t	i;

	for (i = 0; i < x->members; i++)
		memcpy((char *)x->results[i] + *given, x->sum + *given,
		    back - *given);
	*given = back;
}

/* One step of all that can be done without waiting. */
static int
exchange_step(const struct chain_exchange *x, struct exchange_progress *g)
{
	if (x->before == -1)
		g->got = x->bytes;
	else if (exchange_read(x->before, x->sum + g->got, x->bytes - g->got,
	    &g->got) != 0)
		return -1;
	exchange_add(x, g->got, &g->added);
	if (x->behind == -1)
		g->back = g->added;
	else if (exchange_write(x->behind, x->sum + g->sent,
	    g->added - g->sent, &g->sent) != 0 || exchange_read(x->behind,
	    x->sum + g->back, g->sent - g->back, &g->back) != 0)
		return -1;
	exchange_give(x, g->back, &g->given);
	return x->before == -1 ? 0 : exchange_write(x->before,
	    x->sum + g->returned, g->back - g->returned, &g->returned);
}

/* Until something can be done: what is waited for. */
static int
exchange_wait(const struct chain_exchange *x,
    const struct exchange_progress *g, struct error *e)
{
	struct pollfd	fds[2] = {
		{ .fd = x->before, .events = (short)(
		    (g->got < x->bytes ? POLLIN : 0) |
		    (g->returned < g->back ? POLLOUT : 0)) },
		{ .fd = x->behind, .events = (short)(
		    (g->back < g->sent ? POLLIN : 0) |
		    (g->sent < g->added ? POLLOUT : 0)) }
	};

	return poll(fds, 2, EXCHANGE_LOOK_MS) == 0 ? x->look(x->context, e) :
	    0;
}

/*
 * What has come is added and goes on while more comes, and the whole sum comes
 * back over the same connections meanwhile, into the same memory: it is never
 * ahead of what was sent.
 */
int
chain_exchange_run(const struct chain_exchange *x, struct error *e)
{
	struct exchange_progress	g = { .got = 0 }, last;
	int64_t				patient_until_ns = 0;

	while (g.given < x->bytes || (x->before != -1 &&
	    g.returned < x->bytes)) {
		last = g;
		if (exchange_step(x, &g) != 0)
			return 1;
		if (memcmp(&last, &g, sizeof(g)) != 0)
			patient_until_ns = clock_monotonic_ns() +
			    EXCHANGE_PATIENCE_NS;
		else if (clock_monotonic_ns() < patient_until_ns)
			(void)sched_yield();
		else if (exchange_wait(x, &g, e) != 0)
			return -1;
	}
	return 0;
}
