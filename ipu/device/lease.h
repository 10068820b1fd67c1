/*
 * A device of a V-IPU server, held for this program as long as its connection
 * lives.  A separate thread serves the connection: it reports the IPUs'
 * counters to the server and receives their condition.
 *
 * The program writes counters into slots, as with its own registry.  With the
 * server of this host the slots are shared memory.
 */
#ifndef IPU_DEVICE_LEASE_H
#define IPU_DEVICE_LEASE_H

#include <ipubox_lease.pb.h>

#include "ipu/device/device_internal.h"

/* Encode a holder's text (core/state/ipu_slot.h) as a message that points into
   it. */
ipubox_v1_LeaseHolder lease_holder_put(const struct ipu_slot *);
/* Decode the message, with texts made safe for a terminal. */
void lease_holder_get(const ipubox_v1_LeaseHolder *, struct ipu_slot *);

/*
 * Correct what a caller claims about itself.  A local caller gets the user that
 * the kernel reports and this host's name; its pid, if 0 or of this pid
 * namespace, is replaced by the peer's unless that process is the user's.  A
 * remote caller gets the name `user` (of its key) unless that is "", and no uid
 * (-1); it may use this host's name only over loopback.  Its flags say which
 * texts are only its claim.
 */
void lease_holder_check(struct ipu_slot *, const struct rpc_peer *,
    const char *user);

/* The counters of an IPU, as its program reports them. */
struct lease_counters {
	uint64_t busy_ns, exchange_bytes, host_bytes, last_busy_ns;
	uint64_t memory_bytes;
	uint32_t soc_error;		  /* set of errors (core/pod/pod.h) */
	uint32_t ring[BUSY_RING_SECONDS]; /* words of a struct busy_ring */
};

/* The counters accepted so far; begin with granted_ns set and the rest 0. */
struct lease_meter {
	int64_t granted_ns; /* start of the lease, CLOCK_REALTIME */
	uint64_t busy_ns, exchange_bytes, host_bytes; /* accepted */
	uint32_t soc_error;			      /* as last reported */
};

/* Copy the counters from a slot that the program writes. */
void lease_counters_read(struct lease_counters *, const struct ipu_slot *);
/* Add the plausible growth since the last call to the IPU's slot in the
   registry, and to the meter (lease_counters.c has the limits).  Times are ns
   of CLOCK_REALTIME. */
void lease_counters_take(const struct lease_counters *, struct lease_meter *,
    int64_t now_ns, struct ipu_slot *);

#define LEASE_MESSAGE_PATH "/ipubox.v1.LeaseService/AttachDevice"

/* A request for a lease, as received; nothing in it is trusted. */
struct lease_wish {
	struct visible_name name;
	struct popdist popdist; /* the instance in its job */
	int ipus, device_id;	/* as in struct attach_request */
	struct ipu_slot words;	/* the caller's claim about itself */
	bool wait, shares;	/* wait for held IPUs; can share memory */
};

struct lease_grant {
	struct taken_device taken;
	bool has_memory; /* the slots are memory shared with the server */
};

/* Encode a request; the caller frees it.  NULL, ERROR_INVALID: a text is not
   UTF-8. */
unsigned char *lease_message_wish(const struct attach_request *,
    const struct popdist *, size_t *size, struct error *);
/* Decode a request.  -1, ERROR_INVALID: it asks for a device that cannot exist,
   or is not a request. */
int lease_message_read_wish(const ipubox_v1_LeaseRequest *, struct lease_wish *,
    struct error *);
/* Fill in a grant; its texts point into the attachment. */
void lease_message_grant(const struct local_attachment *, bool has_memory,
    ipubox_v1_LeaseReply *);
/* Decode a grant.  -1, ERROR_DAMAGED: not a grant of a possible device. */
int lease_message_read_grant(const ipubox_v1_LeaseReply *, struct lease_grant *,
    struct error *);

/* Encode a report on the counters of all IPUs; the caller frees the bytes. */
unsigned char *lease_message_report(const struct lease_counters *, int count,
    size_t *size);
/* Decode the counters of one IPU. */
void lease_message_read_counters(const ipubox_v1_LeaseCounters *,
    struct lease_counters *);

struct lease;

/*
 * Ask the server for a device, and wait for its answer without limit.  The
 * request's `name` must be set.  The metadata, or NULL, identifies the caller.
 * Takes over the client, even on failure.  The caller ends the lease with
 * lease_close().  NULL: the server refused, with its reason and attach()'s
 * codes; ERROR_UNAVAILABLE: the connection is lost; ERROR_UNSUPPORTED: the
 * server has no leases.
 */
struct lease *lease_open(struct rpc_client *, const char *server,
    const struct rpc_metadata_row *metadata, const struct attach_request *,
    struct lease_grant *, struct error *);
/* Give the device back.  It is free on return if the server answers in 2 s. */
void lease_close(struct lease *);
/* Return the slot of the device's IPU 0 to count-1, for counters and errors. */
struct ipu_slot *lease_slot(const struct lease *, int ipu);
/* Like attach_check() and attach_check_siblings().  The first waits up to 2 s
   for the server's reason if an IPU has an error. */
int lease_check(struct lease *, struct error *);
int lease_check_siblings(struct lease *, struct error *);

#endif
