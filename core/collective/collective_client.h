/*
 * Taking part in the collectives of a job (ipubox-link(7)), for the programs
 * in this file.  One connection, which one thread uses at a time.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_CLIENT_H
#define CORE_COLLECTIVE_COLLECTIVE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

struct collective_client;

struct collective_member {
	const char *directory; /* of the job; NULL: this is the only member, and
				  nobody is asked */
	int instance;
	const char *group; /* "": the instances */
	int member, members;
	int timeout_ms; /* of connecting and of each operation, 0: none */
	/* Asked when an operation begins to wait, and no matter what it says;
	   then, while it lasts, every 100 ms: -1 ends it, and the client is
	   of no more use.  NULL: nothing to ask. */
	int (*look)(const void *context, struct error *);
	const void *context;
};

/* Join; does not wait for the others. */
struct collective_client *
collective_client_open(const struct collective_member *, struct error *);

/* `for_good`: nobody else of this member will come.  NULL is fine. */
void collective_client_close(struct collective_client *, bool for_good);

/*
 * The operations wait until all members have called them with this id, of 1 to
 * 255 bytes.  -1: the server's sentence; or ERROR_UNAVAILABLE where poprun has
 * ended, after which the client is of no more use.
 */
int collective_client_barrier(struct collective_client *, const char *id,
    struct error *);
/* Replace `count` elements of this enum element_type by the sum of all. */
int collective_client_sum(struct collective_client *, const char *id, int type,
    void *data, size_t count, struct error *);
/* `out` gets `count` elements of each member, in their order. */
int collective_client_gather(struct collective_client *, const char *id,
    int type, const void *data, void *out, size_t count, struct error *);
/* Everyone gets the root's. */
int collective_client_broadcast(struct collective_client *, const char *id,
    int type, void *data, size_t count, int root, struct error *);

#endif
