/*
 * The service ipubox.v1.LeaseService: a server that holds devices for programs
 * that may not write the registry, or run elsewhere.
 */
#ifndef IPU_DEVICE_LEASE_SERVICE_H
#define IPU_DEVICE_LEASE_SERVICE_H

#include "core/server/rpc/rpc.h"
#include "core/state/state.h"
#include "ipu/device/visible_devices.h"

enum {
	LEASE_SERVICE_METHODS = 1,
	LEASE_SERVICE_MAX = 960,       /* leases, each with two descriptors */
	LEASE_SERVICE_USER_MAX = 240,  /* of a user of this host, but root */
	LEASE_SERVICE_REMOTE_MAX = 720 /* over TCP */
};

struct lease_service;

struct lease_service_options {
	void *owner;
	/* Whether the caller is let in, and may have devices of the partition
	   of that name: -1 with the reason.  It is asked before anything is
	   looked at.  `user` is who it is, "" where that is not known.  NULL:
	   everybody may. */
	int (*allows)(void *owner, struct rpc_call *,
	    const struct visible_name *, char user[SLOT_USER_SIZE],
	    struct error *);
	/* A lease begins or ends, in a sentence for a log; NULL: nobody wants
	   to know. */
	void (*note)(void *owner, struct rpc_call *, const char *text);
};

/* Whether the caller is let in, as `allows` says; then make of its words what
   others are shown (lease_holder.c). */
int lease_service_let_in(const struct lease_service_options *,
    struct rpc_call *, const struct visible_name *, struct ipu_slot *words,
    struct error *);

/* Note what is done to a device of the partition, -1: to all, and for whom. */
void lease_service_note(const struct lease_service_options *, struct rpc_call *,
    const char *what, int device, const char *partition,
    const struct ipu_slot *words);

struct lease_service *lease_service_new(const struct lease_service_options *);
/* The server that has its method is gone before.  NULL is fine. */
void lease_service_free(struct lease_service *);

/* Fill its row of the table of methods. */
void lease_service_methods(struct lease_service *,
    struct rpc_method[LEASE_SERVICE_METHODS]);

/* The loop of the server, before it serves. */
void lease_service_use(struct lease_service *, struct rpc_loop *);

enum { DEVICE_SERVICE_METHODS = 2 };

/* Fill its rows of the table of methods; the options live as long as they. */
void device_service_methods(struct lease_service_options *,
    struct rpc_method[DEVICE_SERVICE_METHODS]);

#endif
