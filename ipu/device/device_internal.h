/*
 * Shared by the files of this directory: locks on IPUs, the text about a
 * holder, and attaching through this host's registry or a server.
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

/* Attach to a device of this host's registry (see attach()).  Used by programs
   that may write the registry, and by servers for others. */
int attach_local(struct local_attachment *, const struct attach_request *,
    struct error *);
/* Give the IPUs back and close the registry.  _abandon is for a program that
   did not end in order: its holder text stays in the slots, as after a kill. */
void attach_local_end(struct local_attachment *);
void attach_local_abandon(struct local_attachment *);
/* See attach_check() and attach_check_siblings(). */
int attach_local_check(const struct local_attachment *, struct error *);
int attach_local_check_siblings(const struct local_attachment *,
    struct error *);
/* Return the slot of the device's IPU 0 to count-1. */
struct ipu_slot *attach_local_slot(const struct local_attachment *, int ipu);

/* The server to attach through: the one that the environment or a file names,
   or the one that serves this host's state. */
struct attach_server {
	struct rpc_client *client;	    /* owned; NULL: no server */
	char name[ATTACH_SERVER_NAME_SIZE]; /* for messages */
	struct caller caller;		    /* identity to show over TCP */
	struct rpc_metadata_row metadata[CALLER_METADATA_ROWS];
};

/* Connect to the server, if any; the caller owns the client.  -1: it is dead or
   refuses (ERROR_TIMED_OUT, in V-IPU's words), or the identity is not known. */
int attach_server_connect(struct attach_server *, const struct visible_name *,
    struct error *);

/* Open the registry to lock IPUs; create it if it is missing. */
int device_take_open(struct registry *, struct error *);
/*
 * Lock all IPUs of a device of the view's partition with one range lock, which
 * ends with the process.  *first_ipu is the number of its first IPU in the pod;
 * the others follow.  `words` describe the asking program.  Waits up to a
 * second for a server to notice that a holder has ended; not with `at_once`, as
 * this thread may be that server.
 * ERROR_NO_ROOM: a program, which is named, holds an IPU; ERROR_INVALID: the
 * IPUs lie in several IPU-Link domains.  Undone by registry_detach().
 */
int device_take(struct registry *, const struct visible_devices *,
    const struct device *, const struct ipu_slot *words, bool at_once,
    int *first_ipu, struct error *);
/* With the lock held, check that the view's partition still exists in its place
   (else ERROR_NOT_FOUND) and is active (else ERROR_UNAVAILABLE). */
int device_take_check(const struct registry *, const struct visible_devices *,
    const struct device *, int first_ipu, struct error *);
/* With the lock held, clear the errors of that IPU of the pod that an IPU reset
   clears (core/pod/soc_error.h).  Returns those that are left. */
uint32_t device_take_reset(struct registry *, int ipu);
/* Refuse a partition that is not active (ERROR_UNAVAILABLE). */
int device_take_check_state(const struct partition *, struct error *);
/* Write "partition p is in state ERROR: machine ag01 is down". */
const char *device_take_state(const struct partition *,
    char text[DEVICE_TAKE_STATE_SIZE]);

/* Do exclusive_begin() with this process's registry; `words`: the holder. */
int exclusive_begin_here(struct exclusive *, const struct visible_devices *,
    const struct device *, const struct ipu_slot *words, bool at_once,
    struct error *);

/* Describe this process; `command` must live as long. */
struct ipu_holder ipu_holder_own(const char *command);
/* Fill in the slot text for that program, this host and the GCD. */
void ipu_holder_describe(const struct ipu_holder *, int gcd,
    struct ipu_slot *words);
/* Write the holder's text into a slot, where a new session begins.  The caller
   holds the IPU's lock. */
void ipu_holder_write(struct ipu_slot *, const struct ipu_slot *words);
/* Set an error that names the IPU's holder, or says that it was in use a moment
   ago; `asker` describes the program that wants it, NULL: unknown.  Returns -1,
   ERROR_NO_ROOM. */
int ipu_holder_explain(const struct registry *, int ipu, int routing_id,
    const char *partition, const struct ipu_slot *asker, struct error *);
/* Whether the process that uses the IPU has ended while a server that locks the
   IPU for it has not yet noticed: the IPU will soon be free. */
bool ipu_holder_is_gone(const struct registry *, int ipu);

#endif
