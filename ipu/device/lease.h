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

#include "core/server/rpc/rpc_call.h"
#include "ipu/device/device_internal.h"

/* Encode a holder's text (core/state/ipu_slot.h) as a message that points into
   it, and decode it again, with texts made safe for a terminal. */
ipubox_v1_LeaseHolder lease_holder_put(const struct ipu_slot *);
void lease_holder_get(const ipubox_v1_LeaseHolder *, struct ipu_slot *);

/* Correct a caller's claim.  Local: the kernel's user and this host; a pid of
   this namespace must be that user's.  Remote: the user of the key that it
   showed, if not ""; no uid; this host's name only from loopback. */
void lease_holder_check(struct ipu_slot *, const struct rpc_peer *,
    const char *user);

/* The counters of an IPU, as its program reports them. */
struct lease_counters {
	uint64_t busy_ns, exchange_bytes, host_bytes, last_busy_ns;
	uint32_t soc_error;
	uint32_t ring[BUSY_RING_SECONDS];
};

/* The counters accepted so far; begin with granted_ns set and the rest 0. */
struct lease_meter {
	int64_t granted_ns;
	uint64_t busy_ns, exchange_bytes, host_bytes; /* accepted */
	uint32_t soc_error;			      /* as reported */
};

/* Copy the counters from a slot that the program writes. */
void lease_counters_read(struct lease_counters *, const struct ipu_slot *);
/* Put the plausible part into the IPU's slot in the registry (lease_counters.c
   has the limits).  Times are ns of CLOCK_REALTIME. */
void lease_counters_take(const struct lease_counters *, struct lease_meter *,
    int64_t now_ns, struct ipu_slot *);

#define LEASE_MESSAGE_PATH "/ipubox.v1.LeaseService/AttachDevice"

/* A request for a lease, as received; nothing in it is trusted. */
struct lease_wish {
	struct visible_name name;
	struct popdist popdist;
	int ipus, device_id;
	struct ipu_slot words; /* the caller, as it names itself */
	bool wait, shares;     /* wait for held IPUs; can share memory */
};

struct lease_grant {
	struct taken_device taken;
	bool has_memory; /* the slots are memory shared with the server */
};

/* Encode a request; the caller frees it.  NULL, ERROR_INVALID: not UTF-8. */
unsigned char *lease_message_wish(const struct attach_request *,
    const struct popdist *, size_t *size, struct error *);
/* Decode it.  -1, ERROR_INVALID: not a possible request. */
int lease_message_read_wish(const ipubox_v1_LeaseRequest *, struct lease_wish *,
    struct error *);
/* Fill in a grant, which points into the attachment. */
void lease_message_grant(const struct local_attachment *, bool has_memory,
    ipubox_v1_LeaseReply *);
/* Decode a grant.  -1, ERROR_DAMAGED: not a possible grant. */
int lease_message_read_grant(const ipubox_v1_LeaseReply *, struct lease_grant *,
    struct error *);

/* Encode a report on all IPUs; the caller frees the bytes. */
unsigned char *lease_message_report(const struct lease_counters *, int count,
    size_t *size);
/* Decode the counters of one IPU. */
void lease_message_read_counters(const ipubox_v1_LeaseCounters *,
    struct lease_counters *);

struct lease;

/*
 * Ask the server for a device.  The request's `name` must be set.  The
 * metadata, or NULL, identifies the caller.  Takes over the client, even on
 * failure.  NULL: the server's reason, with attach()'s codes;
 * ERROR_UNAVAILABLE: the connection is lost; ERROR_UNSUPPORTED: the server has
 * no leases.
 */
struct lease *lease_open(struct rpc_client *, const char *server,
    const struct rpc_metadata_row *metadata, const struct attach_request *,
    struct lease_grant *, struct error *);
/* Give the device back.  It is free on return if the server answers in 2 s. */
void lease_close(struct lease *);
/* Return the slot of the device's IPU 0 to count-1, for counters and errors. */
struct ipu_slot *lease_slot(const struct lease *, int ipu);
/* As attach_check(); in trouble, waits up to 2 s for the server's reason. */
int lease_check(struct lease *, struct error *);
int lease_check_siblings(struct lease *, struct error *);

#endif
