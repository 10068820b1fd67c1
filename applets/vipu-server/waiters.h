/*
 * Calls that wait: for IPUs, for a configuration to end, for the end of a
 * partition.  They are answered when that happens; other callers are served
 * meanwhile.
 */
#ifndef APPLETS_VIPU_SERVER_WAITERS_H
#define APPLETS_VIPU_SERVER_WAITERS_H

#include <virmgrpc.pb.h>

#include <bsd/sys/queue.h>

#include "applets/vipu-server/identity.h"
#include "core/state/state.h"

struct waiter;

/* The waiting calls; zeroed: none. */
struct waiters {
	TAILQ_HEAD(waiters_list, waiter) list;
	bool is_ready;	    /* the list is initialised */
	bool order_changed; /* a call left since the last check */
	bool is_tidy;	    /* each lease has its call: none to remove */
	int creations;	    /* number of waiting creations */
	int64_t all_ms;	    /* when all were last checked */
};

/* Create a lease: a partition that is removed after the end of the call, once
   no program is attached.  Its owner_text becomes "TEXT, " and the identity's
   text.  0: a CreatePartitionReply is sent, and the call stays open.  -1: the
   caller of this function must refuse the call. */
int waiters_lease(struct rpc_call *, const struct identity *,
    const struct partition_request *, const char *text, struct error *);

/* Create a partition as soon as IPUs are free, within wait_ms (-1: no limit).
   If `text` is not NULL, it becomes a lease as above.  0: the call was answered
   or waits, with a stream of CreatePartitionReply.  -1: not answered, so the
   caller must refuse it; ERROR_UNAVAILABLE: too many wait. */
int waiters_create(struct rpc_call *, const struct identity *,
    const struct partition_request *, const char *text, int64_t wait_ms,
    struct error *);

/* Send a WaitPartitionReply when the partition of that name and identity is no
   longer PS_PENDING; after wait_ms (-1: no limit) refuse the call
   (ERROR_TIMED_OUT).  0: the call was answered or waits; -1: not answered. */
int waiters_configured(struct rpc_call *, const struct identity *,
    const struct partition *, int64_t wait_ms, struct error *);

/* Send a RemovePartitionReply when the partition, which is being removed, is
   gone, without a time limit.  left: sentence about an IPUoF file that stays,
   or NULL.  _empty: send an empty message, as in virmgrpc. */
void waiters_gone(struct rpc_call *, const struct identity *,
    const struct partition *, const char *left);
void waiters_gone_empty(struct rpc_call *, const struct identity *,
    const struct partition *);

/* The `end` of methods with calls that may wait, and the `half_close` of a
   creation: a caller that sends no more still waits for the answer, but a call
   that does not wait is finished. */
void waiters_end(struct rpc_call *, enum rpc_end);
void waiters_half_close(struct rpc_call *);

/* Remove leases without calls, try the waiting creations, and answer the calls
   that need not wait any more. */
struct daemon;
void waiters_check(struct daemon *);

/* Refuse the calls of users that were removed, have another key or lost the
   allocation. */
void waiters_recheck(struct daemon *);

/* Send the answer and finish the call, also for calls that need not wait. */
void waiters_reply_created(struct rpc_call *, const struct partition *);
void waiters_reply_removed(struct rpc_call *, const struct partition *,
    const char *left);

/*
 * Conversion between the messages of virmgrpc.UserService and our structs.
 * Pure: they depend on a message, a snapshot and a request alone.
 *
 * The caller zeroes a message (_init_zero) before it is filled.
 * rpc_message_release() frees it, also after a failure to fill it.
 *
 * Source: config/sdk/proto/virmgrpc.proto; the V-IPU user guide, chapter 5.
 */

/* Fill the list with the partitions of an allocation, by its index (-1: all),
   each with the IPUoF server version of the release. */
void user_messages_list(virmgrpc_ListPartitionsReply *, const struct snapshot *,
    int allocation, const struct versions *);

/* Read the request for a new partition.  The pod is the caller's view; it may
   be NULL unless single IPUs are named.  -1, ERROR_INVALID: a number or a name
   that no partition can have, or IPUs that cannot form one. request_check()
   must still compare it with the pod. */
int user_messages_request(const virmgrpc_CreatePartitionRequest *,
    const struct pod *, struct partition_request *, struct error *);

/* Fill in the states, the last error and the automatic resets of a
   partition. */
void user_messages_status(virmgrpc_PartitionStatus *, const struct partition *);

/* Fill in what a program needs to find its IPUs, for one GCD (-1: all).  -1,
   ERROR_INVALID: the partition has no such GCD. */
int config_messages_fill(virmgrpc_PartitionConfig *, const struct pod *,
    const struct partition *, int64_t gcd, const struct versions *,
    struct error *);

#endif
