/*
 * The guests of a hub: connections that have not proved themselves.  A stranger
 * may open any number and say nothing.  So each guest gets one of a fixed
 * number of places; if all are taken, the address with the most guests gives up
 * its oldest one.  For link_hub.c only.
 */
#ifndef CORE_LINK_LINK_GUESTS_H
#define CORE_LINK_LINK_GUESTS_H

#include "core/link/link.h"

enum { LINK_GUESTS_ORIGINS = 256 }; /* counters of addresses, a power of two */

struct link_guest {
	struct link *link; /* NULL: unused */
	int64_t until_ms;  /* when its time to prove itself is over */
	short events;	   /* that epoll(7) watches for */
	unsigned origin;   /* index of the counter of its address */
};

struct link_guests {
	struct link_guest *all;
	size_t places, count;
	unsigned origins[LINK_GUESTS_ORIGINS];
	uint64_t seed;
};

/* _init: make the places.  _release: close the links of all guests and free the
   places. */
void link_guests_init(struct link_guests *, size_t places);
void link_guests_release(struct link_guests *);

/* Give a connection, which its link then owns, a free place.  A place must be
   free: call link_guests_leaving() before. */
struct link_guest *link_guests_add(struct link_guests *, int fd,
    const unsigned char *secret, int64_t now_ms);
/* Free the place of a guest.  The caller must have taken or closed its link. */
void link_guests_remove(struct link_guests *, struct link_guest *);

/* Return the guest that must be removed before link_guests_add().  NULL: a
   place is free. */
struct link_guest *link_guests_leaving(struct link_guests *);
/* Return a guest that has used up its time, or NULL. */
struct link_guest *link_guests_late(struct link_guests *, int64_t now_ms);
/* Return when the first guest's time is over; 0: no guest exists. */
int64_t link_guests_next_ms(const struct link_guests *);

#endif
