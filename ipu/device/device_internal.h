/*
 * What the files of this directory share: locks on IPUs, the words of a holder,
 * and attaching by this host's registry or by a server.
 */
#ifndef IPU_DEVICE_DEVICE_INTERNAL_H
#define IPU_DEVICE_DEVICE_INTERNAL_H

#include "core/control/access.h"
#include "core/server/rpc/rpc_client.h"
#include "core/server/server.h"
#include "ipu/device/attach.h"
#include "ipu/device/tile_state.h"
#include "ipu/device/visible_devices.h"

enum {
	ATTACH_SERVER_NAME_SIZE = SERVER_ADDRESS_HOST_SIZE + 32,
	DEVICE_TAKE_STATE_SIZE = LAST_ERROR_SIZE + NAME_SIZE + 64
};

/* Attach to a device of this host's registry, as attach() says: for a program
   that may write the registry, and for a server that does so for others. */
int attach_local(struct local_attachment *, const struct attach_request *,
    struct error *);
/* Give the IPUs back and close the registry.  _abandon: for a program that did
   not end in order; its words stay, as those of one that was killed do. */
void attach_local_end(struct local_attachment *);
void attach_local_abandon(struct local_attachment *);
/* As attach_check() and attach_check_siblings(). */
int attach_local_check(const struct local_attachment *, struct error *);
int attach_local_check_siblings(const struct local_attachment *,
    struct error *);
/* The slot of the device's IPU 0 to count-1. */
struct ipu_slot *attach_local_slot(const struct local_attachment *, int ipu);

/* The server that a program attaches through, if any: the one that its
   environment names, or the one that owns the state of this host. */
struct attach_server {
	struct rpc_client *client;	    /* NULL: no server, use this host's
					       registry */
	char name[ATTACH_SERVER_NAME_SIZE]; /* for words */
	struct caller caller;		    /* who asks, over TCP */
	struct rpc_metadata_row metadata[CALLER_METADATA_ROWS];
};

/*
 * Connect to it; the name tells which.  -1: the server that is named is dead or
 * refuses (ERROR_TIMED_OUT), in V-IPU's words; or the caller's identity cannot
 * be found out.  The client is the caller's.
 */
int attach_server_connect(struct attach_server *, const struct visible_name *,
    struct error *);

/* Open the registry to lock IPUs through; where none exists it is made. */
int device_take_open(struct registry *, struct error *);
/*
 * Lock the IPUs of a device of the view's partition: one range lock, so all of
 * them or none, and free again the moment the process is gone.  *first_ipu is
 * the number of its first one in the pod; the others follow it.  `at_once`: do
 * not wait for the word of a program that has just ended, as for a caller that
 * is to hear it in the same thread.  ERROR_NO_ROOM: one of the IPUs is held,
 * and by which program; ERROR_INVALID: they lie in several IPU-Link domains.
 * Given back by registry_detach().
 */
int device_take(struct registry *, const struct visible_devices *,
    const struct device *, bool at_once, int *first_ipu, struct error *);
/*
 * With the lock: check that the partition still exists, where it was and in
 * order.  It may have been removed, its machines moved, or one of them lost,
 * between the look at it and the lock.  ERROR_NOT_FOUND, ERROR_UNAVAILABLE.
 */
int device_take_check(const struct registry *, const struct visible_devices *,
    const struct device *, int first_ipu, struct error *);
/* With the lock: reset that IPU of the pod.  Returns the errors that stay, as
   an IPU reset does not clear them (core/pod/soc_error.h). */
uint32_t device_take_reset(struct registry *, int ipu);
/* 0, or ERROR_UNAVAILABLE where the partition is not active. */
int device_take_check_state(const struct partition *, struct error *);
/* "partition p is in state ERROR: machine ag01 is down" */
const char *device_take_state(const struct partition *,
    char text[DEVICE_TAKE_STATE_SIZE]);

/* As exclusive_begin(), by this process's own registry, in the name of those
   words; at_once as of device_take(). */
int exclusive_begin_here(struct exclusive *, const struct visible_devices *,
    const struct device *, const struct ipu_slot *words, bool at_once,
    struct error *);

/* This process, with a command that lives as long. */
struct ipu_holder ipu_holder_own(const char *command);
/* The words of that program, of this host and of the GCD. */
void ipu_holder_describe(const struct ipu_holder *, int gcd,
    struct ipu_slot *words);
/* Write such words into a slot.  The caller has the IPU's lock. */
void ipu_holder_write(struct ipu_slot *, const struct ipu_slot *words);
/* Say which program holds the IPU, number `routing_id` of the partition, or
   that it is free by now.  Returns -1 with ERROR_NO_ROOM. */
int ipu_holder_explain(const struct registry *, int ipu, int routing_id,
    const char *partition, struct error *);
/* Whether the process that holds the IPU is gone, while another one holds the
   lock for it and has not heard yet: the IPU is about to be free. */
bool ipu_holder_is_gone(const struct registry *, int ipu);

#endif
