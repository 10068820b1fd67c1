/*
 * The client of a job's collectives (ipubox-link(7)), for ipubox's own
 * programs.  It is one connection, used by one thread at a time.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_CLIENT_H
#define CORE_COLLECTIVE_COLLECTIVE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

struct collective_client;

struct collective_member {
	const char *directory; /* the job's; NULL: this member is alone and
				  needs no server */
	int instance;
	const char *group;   /* "": the group of all instances */
	int member, members; /* number in the group, from 0; size of it */
	int timeout_ms;	     /* limit for connecting and for each operation; 0:
				no limit */
	/* Called when an operation begins to wait, with error NULL and the
	   result ignored; then every 100 ms while it waits.  A result of -1
	   then ends the operation and the connection.  May be NULL. */
	int (*look)(const void *context, struct error *);
	const void *context;
};

/* Join without waiting for the other members.  NULL: poprun cannot be reached
   or refuses the member. */
struct collective_client *
collective_client_open(const struct collective_member *, struct error *);

/* Leave; `for_good`: this member will not come back.  NULL is fine. */
void collective_client_close(struct collective_client *, bool for_good);

/*
 * Each operation waits until all members have called it with the same id of 1
 * to 255 bytes.  Returns 0, or -1 with the reason: ERROR_TIMED_OUT if the
 * others or poprun took too long, ERROR_UNAVAILABLE if a member or poprun has
 * ended, ERROR_INVALID for arguments that are not valid or differ between
 * members.  Once the connection is lost, each operation fails.
 */
int collective_client_barrier(struct collective_client *, const char *id,
    struct error *);
/* Replace `count` elements, of an enum element_type, each by its sum over all
   members. */
int collective_client_sum(struct collective_client *, const char *id, int type,
    void *data, size_t count, struct error *);
/* Fill `out`, of count * members elements, with the `count` elements of each
   member, in member order. */
int collective_client_gather(struct collective_client *, const char *id,
    int type, const void *data, void *out, size_t count, struct error *);
/* Replace `data` of all members by that of the member number `root`. */
int collective_client_broadcast(struct collective_client *, const char *id,
    int type, void *data, size_t count, int root, struct error *);

#endif
