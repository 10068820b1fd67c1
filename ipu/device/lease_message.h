/*
 * The messages of config/sdk/proto/ipubox_lease.proto and what they mean here.
 * Both sides check what comes: the other one may be anybody.
 */
#ifndef IPU_DEVICE_LEASE_MESSAGE_H
#define IPU_DEVICE_LEASE_MESSAGE_H

#include <ipubox_lease.pb.h>

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/job/job.h"
#include "ipu/device/attach_local.h"
#include "ipu/device/lease_counters.h"

#define LEASE_MESSAGE_PATH	"/ipubox.v1.LeaseService/AttachDevice"

enum {
	/* With more IPUs the work of single seconds is not told. */
	LEASE_MESSAGE_RINGS = 1024,
	/* Of memory that a server shares: a struct ipu_slot for each IPU. */
	LEASE_MEMORY_VERSION = 1
};

/* A wish as it was taken. */
struct lease_wish {
	struct visible_name	name;
	struct popdist		popdist;
	int			ipus, device_id;
	struct ipu_slot		words;	/* who, as it says itself */
	bool			wait;
	bool			shares;	/* it knows such memory as ours */
};

/* What was granted. */
struct lease_grant {
	struct taken_device	taken;
	bool			has_memory;
};

/* The bytes of a wish, which the caller frees.  NULL, ERROR_INVALID: a text in
   it is not UTF-8. */
unsigned char	*lease_message_wish(const struct attach_request *,
		    const struct popdist *, bool wait, size_t *size,
		    struct error *);
/* And back.  -1, ERROR_INVALID: it is none that can be. */
int	lease_message_read_wish(const ipubox_v1_LeaseRequest *,
	    struct lease_wish *, struct error *);

/* The grant within a reply that is not released before it. */
void	lease_message_grant(const struct local_attachment *, bool has_memory,
	    ipubox_v1_LeaseReply *);
/* -1, ERROR_DAMAGED: no server grants that. */
int	lease_message_read_grant(const ipubox_v1_LeaseReply *,
	    struct lease_grant *, struct error *);

/* A report of all IPUs, its bytes, which the caller frees. */
unsigned char	*lease_message_report(const struct lease_counters *,
		    int count, size_t *size);
/* The counters of one IPU in it. */
void	lease_message_read_counters(const ipubox_v1_LeaseCounters *,
	    struct lease_counters *);

#endif
