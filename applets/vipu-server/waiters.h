/*
 * Calls that wait: for IPUs, for a configuration to end, for a partition to go.
 * Their callers are answered when that has happened, and nobody else waits
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

/* Each waiting creation has a ticket, and reads those of the others. */
enum { WAITERS_CREATIONS_MAX = 64 };

/* Zeroed there is none. */
struct waiters {
	TAILQ_HEAD(waiters_list, waiter) list;
	bool is_ready;
	bool is_stirred; /* one went: others may come first */
	bool is_tidy;	 /* each lease has its call */
	int creations;	 /* of those that wait */
	int64_t all_ms;	 /* when all were looked at */
};

/*
 * A partition that goes when the call does, whatever ends it; the text says to
 * a person what it belongs to.  A CreatePartitionReply tells of it at once.
 */
int waiters_lease(struct rpc_call *, const struct identity *,
    const struct partition_request *, const char *text, struct error *);

/*
 * A partition that is created as soon as there are IPUs for it, for wait_ms,
 * -1: as long as it takes; with a text, NULL: none, it is such a lease.  0: the
 * call has been answered, or waits; it is a stream of CreatePartitionReply.
 * ERROR_UNAVAILABLE: too many wait.
 */
int waiters_create(struct rpc_call *, const struct identity *,
    const struct partition_request *, const char *text, int64_t wait_ms,
    struct error *);

/*
 * A WaitPartitionReply when the partition, of which name and identity are said,
 * is configured, or cannot be.
 */
int waiters_configured(struct rpc_call *, const struct identity *,
    const struct partition *, int64_t wait_ms, struct error *);

/* A RemovePartitionReply when it is gone.  _empty: virmgrpc's, which has
   nothing in it. */
void waiters_gone(struct rpc_call *, const struct identity *,
    const struct partition *, const char *left);
void waiters_gone_empty(struct rpc_call *, const struct identity *,
    const struct partition *);

/* The `end` of their methods, for a call that may wait, and the `half_close`
   of a creation: a caller that says no more waits for the answer. */
void waiters_end(struct rpc_call *, enum rpc_end);
void waiters_half_close(struct rpc_call *);

/* Look whether something that they wait for has happened. */
struct daemon;
void waiters_look(struct daemon *);

/* The answers, also for who need not wait. */
void waiters_reply_created(struct rpc_call *, const struct partition *);
void waiters_reply_removed(struct rpc_call *, const struct partition *,
    const char *left);

#endif
