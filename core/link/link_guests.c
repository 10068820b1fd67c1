/*
 * Guests and the counters of their addresses, which some share by chance.
 */
#include "core/link/link_internal.h"

#include <bsd/stdlib.h>

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/process/process.h"

void
link_guests_init(struct link_guests *g, size_t places)
{
	*g = (struct link_guests){ .all = xcalloc(places, sizeof(*g->all)),
		.places = places };
	arc4random_buf(&g->seed, sizeof(g->seed));
}

void
link_guests_release(struct link_guests *g)
{
	size_t i;

	for (i = 0; i < g->places; i++)
		link_free(g->all[i].link);
	free(g->all);
}

struct link_guest *
link_guests_add(struct link_guests *g, int fd, const unsigned char *secret,
    int64_t now_ms)
{
	const uint64_t mixed = (link_address_origin(fd) ^ g->seed) *
	    0x9e3779b97f4a7c15;
	struct link_guest *guest = g->all;

	while (guest->link != NULL)
		guest++;
	guest->link = link_new(fd, LINK_POPRUN, secret, -1);
	guest->until_ms = now_ms + LINK_HUB_GUEST_MS;
	guest->events = link_events(guest->link);
	guest->origin = mixed >> 32 & (LINK_GUESTS_ORIGINS - 1);
	g->origins[guest->origin]++;
	g->count++;
	return guest;
}

void
link_guests_remove(struct link_guests *g, struct link_guest *guest)
{
	guest->link = NULL;
	g->origins[guest->origin]--;
	g->count--;
}

struct link_guest *
link_guests_leaving(struct link_guests *g)
{
	struct link_guest *guest, *worst = g->all;

	if (g->count < g->places)
		return NULL;
	for (guest = g->all + 1; guest < g->all + g->places; guest++)
		if (g->origins[guest->origin] > g->origins[worst->origin] ||
		    (g->origins[guest->origin] == g->origins[worst->origin] &&
			guest->until_ms < worst->until_ms))
			worst = guest;
	return worst;
}

int64_t
link_guests_full_ms(struct link_guests *g, int64_t now_ms)
{
	const struct link_guest *leaving = link_guests_leaving(g);
	const int64_t until_ms = leaving == NULL ?
	    0 :
	    leaving->until_ms - LINK_HUB_GUEST_MS + LINK_HUB_STAY_MS;

	return until_ms > now_ms ? until_ms : 0;
}

struct link_guest *
link_guests_late(struct link_guests *g, int64_t now_ms)
{
	size_t i;

	for (i = 0; i < g->places && g->count > 0; i++)
		if (g->all[i].link != NULL && g->all[i].until_ms <= now_ms)
			return &g->all[i];
	return NULL;
}

int64_t
link_guests_next_ms(const struct link_guests *g)
{
	int64_t next_ms = 0;
	size_t i;

	for (i = 0; i < g->places && g->count > 0; i++)
		if (g->all[i].link != NULL &&
		    (next_ms == 0 || g->all[i].until_ms < next_ms))
			next_ms = g->all[i].until_ms;
	return next_ms;
}
