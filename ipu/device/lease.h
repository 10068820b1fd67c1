/*
 * A device of a V-IPU server, held for this program as long as the connection
 * to it lives.  A thread of its own serves the connection: it tells the server
 * what the IPUs counted, and hears how they fare.
 *
 * The program writes counters into slots as it does with its own registry; with
 * the server of this host they are shared memory.
 */
#ifndef IPU_DEVICE_LEASE_H
#define IPU_DEVICE_LEASE_H

#include <ipubox_lease.pb.h>

#include "core/server/rpc/rpc_call.h"
#include "ipu/device/device_internal.h"

/* A holder's words (core/state/ipu_slot.h) as a message, which lives no longer
   than they do, and back: texts are fit for a terminal then. */
ipubox_v1_LeaseHolder lease_holder_put(const struct ipu_slot *);
void lease_holder_get(const ipubox_v1_LeaseHolder *, struct ipu_slot *);

/*
 * Replace in a caller's words what is not believed.  A caller of this host has
 * what the kernel says of it and this host's name.  One of another host has the
 * user whose key it showed, or "", no pid, and never this host's name.
 */
void lease_holder_check(struct ipu_slot *, const struct rpc_peer *,
    const char *user);

/* What a program says that an IPU counted. */
struct lease_counters {
	uint64_t busy_ns, exchange_bytes, host_bytes, last_busy_ns;
	uint32_t soc_error;
	uint32_t ring[BUSY_RING_SECONDS];
};

/* What it has said by now; zeroed but for the time when an IPU is granted. */
struct lease_meter {
	int64_t granted_ns;
	uint64_t busy_ns, exchange_bytes, host_bytes; /* believed */
	uint32_t soc_error;			      /* as it was told */
};

/* Copy from a slot that the program writes. */
void lease_counters_read(struct lease_counters *, const struct ipu_slot *);
/* Put what can be true into the IPU's slot in the registry (lease_counters.c
   has the limits); times are ns of CLOCK_REALTIME. */
void lease_counters_take(const struct lease_counters *, struct lease_meter *,
    int64_t now_ns, struct ipu_slot *);

#define LEASE_MESSAGE_PATH "/ipubox.v1.LeaseService/AttachDevice"

/* A wish as it was taken. */
struct lease_wish {
	struct visible_name name;
	struct popdist popdist;
	int ipus, device_id;
	struct ipu_slot words; /* who, as it says itself */
	bool wait, shares;     /* it knows memory as ours */
};

struct lease_grant {
	struct taken_device taken;
	bool has_memory;
};

/* The bytes of a wish; the caller frees them.  NULL, ERROR_INVALID: a text is
   not UTF-8. */
unsigned char *lease_message_wish(const struct attach_request *,
    const struct popdist *, size_t *size, struct error *);
/* And back.  -1, ERROR_INVALID: no program can wish that. */
int lease_message_read_wish(const ipubox_v1_LeaseRequest *, struct lease_wish *,
    struct error *);
/* The grant within a reply that is not released before it. */
void lease_message_grant(const struct local_attachment *, bool has_memory,
    ipubox_v1_LeaseReply *);
/* -1, ERROR_DAMAGED: no server grants that. */
int lease_message_read_grant(const ipubox_v1_LeaseReply *, struct lease_grant *,
    struct error *);

/* The bytes of a report of all IPUs; the caller frees them. */
unsigned char *lease_message_report(const struct lease_counters *, int count,
    size_t *size);
/* Read the counters of one IPU of it. */
void lease_message_read_counters(const ipubox_v1_LeaseCounters *,
    struct lease_counters *);

struct lease;

/*
 * Ask the server for a device; the client is the lease's from now on, whatever
 * comes of it.  `name` is set in the request.  The metadata says who asks, or
 * is NULL.  NULL: the server's reason, with the codes of attach();
 * ERROR_UNAVAILABLE: the connection is lost; ERROR_UNSUPPORTED: it is a server
 * without leases.
 */
struct lease *lease_open(struct rpc_client *, const char *server,
    const struct rpc_metadata_row *metadata, const struct attach_request *,
    struct lease_grant *, struct error *);
/* Give the device back; it is free when this returns, where the server
   answers. */
void lease_close(struct lease *);
/* The slot of the device's IPU 0 to count-1, for its counters and errors. */
struct ipu_slot *lease_slot(const struct lease *, int ipu);
/* As attach_check() and attach_check_siblings(); the first waits a moment for
   the server's words. */
int lease_check(struct lease *, struct error *);
int lease_check_siblings(struct lease *, struct error *);

#endif
