/*
 * The services that hold devices (ipubox.v1.LeaseService), or reset and inspect
 * them, for programs that may not write the registry or run elsewhere.
 */
#ifndef IPU_DEVICE_LEASE_SERVICE_H
#define IPU_DEVICE_LEASE_SERVICE_H

#include "core/server/rpc/rpc.h"
#include "core/state/state.h"
#include "ipu/device/visible_devices.h"

enum {
	LEASE_SERVICE_METHODS = 1,
	LEASE_SERVICE_MAX = 960, /* with waiting ones; 2 descriptors each */
	LEASE_SERVICE_USER_MAX = 240,  /* of each local user except root */
	LEASE_SERVICE_REMOTE_MAX = 720 /* of all TCP callers together */
};

struct lease_service;

struct lease_service_options {
	void *owner; /* first argument of these functions */
	/* Returns 0 if the caller may use devices of the named partition and
	   fills in the caller (user "": unknown), or -1 with the reason.
	   Called before each look at the partition.  With a NULL name it
	   says only whether the caller is a user.  If `allows` is NULL,
	   every caller may. */
	int (*allows)(void *owner, struct rpc_call *,
	    const struct visible_name *, struct caller *, struct error *);
	/* Does login_recheck().  NULL: callers are not checked again. */
	int (*admits)(void *owner, const struct caller *, const char *partition,
	    struct error *);
	/* Logs a sentence about a lease that begins or ends, or a reset; may be
	   NULL. */
	void (*note)(void *owner, struct rpc_call *, const char *text);
};

/* Return true if the caller is a user, before its message is decoded; else
   refuse the call and return false. */
bool lease_service_knows(const struct lease_service_options *,
    struct rpc_call *);

/* Ask allows() whether the caller may use the partition, and fill in the struct
   caller.  Then correct *words, the caller's own claim about itself, by
   lease_holder_check().  Returns 0, or -1 with the reason. */
int lease_service_admit(const struct lease_service_options *, struct rpc_call *,
    const struct visible_name *, struct ipu_slot *words, struct caller *,
    struct error *);

/* Log the action `what` ("reset") on a device of the partition (-1: all);
   `words` describe the program that asked for it. */
void lease_service_note(const struct lease_service_options *, struct rpc_call *,
    const char *what, int device, const char *partition,
    const struct ipu_slot *words);

/* Make the service.  Copies the options, but not their owner. */
struct lease_service *lease_service_new(const struct lease_service_options *);
/* Free the service (NULL is fine).  The server that has its methods must be
   freed before. */
void lease_service_free(struct lease_service *);

/* Fill the lease service's row of the table of methods. */
void lease_service_methods(struct lease_service *,
    struct rpc_method[LEASE_SERVICE_METHODS]);

/* End the leases of users that were removed, got a new key or lost the
   allocation since. */
void lease_service_recheck(struct lease_service *);

/* Set the loop of the server.  Must be called before the server serves. */
void lease_service_use(struct lease_service *, struct rpc_loop *);

enum { DEVICE_SERVICE_METHODS = 2 };

/* Fill the device service's rows.  They point to the options, which must
   outlive the server. */
void device_service_methods(struct lease_service_options *,
    struct rpc_method[DEVICE_SERVICE_METHODS]);

#endif
