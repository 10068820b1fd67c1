/*
 * Calls that wait: for IPUs, for a configuration to end, for the end of a
 * partition.  They are answered when that happens; other callers are served
 * meanwhile.
 */
#ifndef APPLETS_VIPU_SERVER_WAITERS_H
#define APPLETS_VIPU_SERVER_WAITERS_H

#include <bsd/sys/queue.h>

#include <stdbool.h>
#include <stdint.h>

#include "applets/vipu-server/identity.h"
#include "core/base/error.h"
#include "core/pod/pod.h"
#include "core/server/rpc/rpc.h"

struct waiter;

/* Each waiting creation has a ticket, and sees the tickets of the others. */
enum { WAITERS_CREATIONS_MAX = 64 };

/* The waiting calls; zeroed: none. */
struct waiters {
	TAILQ_HEAD(waiters_list, waiter) list;
	bool is_ready;	    /* the list is initialised */
	bool order_changed; /* a call left the list */
	bool is_tidy;	    /* no lease lacks its call */
	int creations;	    /* number of waiting creations */
	int64_t all_ms;	    /* when all were last checked */
};

/* Create a partition that is removed when the call ends for any reason.  The
   text tells people the owner.  Sends a CreatePartitionReply at once. */
int waiters_lease(struct rpc_call *, const struct identity *,
    const struct partition_request *, const char *text, struct error *);

/* Create a partition as soon as IPUs are free, within wait_ms (-1: no limit).
   With a text (not NULL) it is such a lease.  0: the call was answered or
   waits, with a stream of CreatePartitionReply.  ERROR_UNAVAILABLE: too many
   waiting. */
int waiters_create(struct rpc_call *, const struct identity *,
    const struct partition_request *, const char *text, int64_t wait_ms,
    struct error *);

/* Send a WaitPartitionReply when the partition of that name and identity is
   configured, or cannot be. */
int waiters_configured(struct rpc_call *, const struct identity *,
    const struct partition *, int64_t wait_ms, struct error *);

/* Send a RemovePartitionReply when it is gone.  left: an IPUoF file that could
   not be removed, or NULL.  _empty: virmgrpc's message. */
void waiters_gone(struct rpc_call *, const struct identity *,
    const struct partition *, const char *left);
void waiters_gone_empty(struct rpc_call *, const struct identity *,
    const struct partition *);

/* The `end` of methods with calls that may wait, and the `half_close` of a
   creation: a caller that sends no more still waits for the answer. */
void waiters_end(struct rpc_call *, enum rpc_end);
void waiters_half_close(struct rpc_call *);

/* Remove leases without calls, try the waiting creations, and answer the calls
   that need not wait any more. */
struct daemon;
void waiters_check(struct daemon *);

/* Refuse the calls of users that were removed or have another key. */
void waiters_recheck(struct daemon *);

/* Send the answers, also for calls that need not wait. */
void waiters_reply_created(struct rpc_call *, const struct partition *);
void waiters_reply_removed(struct rpc_call *, const struct partition *,
    const char *left);

#endif
