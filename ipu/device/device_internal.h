/*
 * Shared by the files of this directory: locks on IPUs, the text about a
 * holder, and attaching through this host's registry or a server.
 */
#ifndef IPU_DEVICE_DEVICE_INTERNAL_H
#define IPU_DEVICE_DEVICE_INTERNAL_H

#include "ipu/device/attach.h"
#include "ipu/device/tile_state.h"

enum {
	ATTACH_SERVER_NAME_SIZE = SERVER_ADDRESS_HOST_SIZE + 32,
	DEVICE_TAKE_STATE_SIZE = LAST_ERROR_SIZE + NAME_SIZE + 64
};

/* Attach to a device of this host's registry (see attach()).  Used by programs
   that may write the registry, and by servers for others. */
int attach_local(struct local_attachment *, const struct attach_request *,
    struct error *);
/* Give the IPUs back and close the registry. */
void attach_local_end(struct local_attachment *);
/* Do the same for a program that did not end in order: its text stays in the
   slots, as after a kill. */
void attach_local_abandon(struct local_attachment *);
/* See attach_check() and attach_check_siblings(). */
int attach_local_check(const struct local_attachment *, struct error *);
int attach_local_check_siblings(const struct local_attachment *,
    struct error *);
/* Return the slot of an IPU of the device; `ipu` must lie from 0 to count-1. */
struct ipu_slot *attach_local_slot(const struct local_attachment *, int ipu);

/* The server to attach through: the one that the environment or a file names,
   or the one that serves this host's state. */
struct attach_server {
	struct rpc_client *client;	    /* NULL: no server */
	char name[ATTACH_SERVER_NAME_SIZE]; /* for messages: an address */
	struct caller caller;		    /* identity to show over TCP */
	struct rpc_metadata_row metadata[CALLER_METADATA_ROWS];
};

/*
 * Connect to the server.  0: connected, and the caller must close the client;
 * or no server is to be used, and the client is NULL.  -1, with client NULL:
 * the server is dead or refuses (ERROR_TIMED_OUT, in V-IPU's words), or the
 * caller's identity is unknown.
 */
int attach_server_connect(struct attach_server *, const struct visible_name *,
    struct error *);

/* Do due work on the state, such as expiring partitions, then open the registry
   to lock IPUs.  A missing registry is created. */
int device_take_open(struct registry *, struct error *);
/*
 * Lock all IPUs of a device of the view's partition with one range lock, which
 * ends with the process or registry_detach().  *first_ipu is the number of its
 * first IPU in the pod; the others follow.  `words` describe the asking program
 * (NULL: unknown).  While an IPU is only held in passing, as by a server for a
 * program that has ended, tries again for up to a second; with `at_once` it
 * does not wait, as this thread may be that server.  ERROR_NO_ROOM: a program
 * holds an IPU, and the text names it if known; ERROR_INVALID: the IPUs lie in
 * several IPU-Link domains.
 */
int device_take(struct registry *, const struct visible_devices *,
    const struct device *, const struct ipu_slot *words, bool at_once,
    int *first_ipu, struct error *);
/* With the lock of device_take() held, and kept, check that the view's
   partition still exists in its place (else ERROR_NOT_FOUND) and is active
   (else ERROR_UNAVAILABLE). */
int device_take_check(const struct registry *, const struct visible_devices *,
    const struct device *, int first_ipu, struct error *);
/* With that lock held, clear those errors of the pod's IPU `ipu` that an IPU
   reset clears (core/pod/pod.h).  Returns the remaining errors. */
uint32_t device_take_reset(struct registry *, int ipu);
/* Return -1, ERROR_UNAVAILABLE, if the partition is not active. */
int device_take_check_state(const struct partition *, struct error *);
/* Write "partition p is in state ERROR: machine ag01 is down"; returns
   `text`. */
const char *device_take_state(const struct partition *,
    char text[DEVICE_TAKE_STATE_SIZE]);

/* Do exclusive_begin() in this host's registry; `words` describes the
   holder. */
int exclusive_begin_here(struct exclusive *, const struct visible_devices *,
    const struct device *, const struct ipu_slot *words, bool at_once,
    struct error *);

/* Return a description of this process.  `command` is not copied and must live
   as long. */
struct ipu_holder ipu_holder_own(const char *command);
/* Fill `words`, the text of a slot, about the holder, this host, the GCD, the
   time and GCDA_OPTIONS. */
void ipu_holder_describe(const struct ipu_holder *, int gcd,
    struct ipu_slot *words);
/* Write the holder's text into a slot, and begin a new session; text that is
   all 0 means no holder.  The caller must hold the IPU's lock. */
void ipu_holder_write(struct ipu_slot *, const struct ipu_slot *words);
/* Set an error that names the IPU's holder, or says that it was in use a moment
   ago; `asker` describes the program that wants it, NULL: this one.  The pid is
   only named where the asker can see that process.  Returns -1,
   ERROR_NO_ROOM. */
int ipu_holder_explain(const struct registry *, int ipu, int routing_id,
    const char *partition, const struct ipu_slot *asker, struct error *);
/* Whether the process that uses the IPU has ended while a server that locks the
   IPU for it has not yet noticed: the IPU will soon be free. */
bool ipu_holder_is_gone(const struct registry *, int ipu);

#endif
