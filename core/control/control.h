/*
 * Control: all operations on partitions, the pod and its users, through one
 * interface, struct controller.  The embedded controller works on the state
 * directory of this host.  Those in core/server work on a server;
 * server_open_controller() opens the right one.
 *
 * Read embedded_controller_open() and transaction_list() first, then
 * create_partition().
 */
#ifndef CORE_CONTROL_CONTROL_H
#define CORE_CONTROL_CONTROL_H

#include "core/control/administration.h" /* the pod and its users */
#include "core/control/config.h"	 /* options of its clients */
#include "core/control/ipuof.h"		 /* the text of IPUoF files */
#include "core/control/ipuof_files.h"	 /* their locations */
#include "core/control/lifecycle.h"	 /* states of a partition */
#include "core/control/queue.h"		 /* waiting for IPUs */
#include "core/state/state.h"

/* ---- creating a partition ---- */

struct controller;

/*
 * Check the request, choose a placement, store the partition and write its
 * IPUoF files.  Its configuration may still be running or have failed on
 * return: see wait_configured().  Refusals give a reason: a name in use
 * (ERROR_EXISTS), a size that does not fit now (ERROR_NO_ROOM, with the holders
 * and a fitting size) or never (ERROR_INVALID).  *created is filled if not
 * NULL.
 */
int create_partition(struct controller *, const struct partition_request *,
    struct partition *created, struct error *);

/* The owner of a partition; the partition is removed when its owner ends.  If
   the owner has a lock, the partition gets the identity of that lock.  After
   the last process with the lock's descriptor ends, the next process that acts
   on the state removes the partition.  At a server each owner is a lease
   without a lock, which only its host could see: see controller_hold(). */
struct partition_owner {
	int kind;		 /* PO_PROCESS, PO_IPUJOB or, managed by the
				    caller, PO_LEASE or PO_SLURM */
	struct owner_lock *lock; /* open, closed by the caller; gets a new
				    identity if a partition has the same; NULL
				    for those two */
	const char *text;	 /* description for people: "ipujob
				    default/mnist" */
};
/* Do the same as create_partition() for an owner, which may be NULL. */
int create_owned_partition(struct controller *,
    const struct partition_request *, const struct partition_owner *,
    struct partition *created, struct error *);

/* Find the free placements of a request as the caller sees them; indices
   restart at 0 in each cluster, as in placement_options().  Returns their
   number, and the caller then frees *out and releases the snapshot; or -1. */
int create_placements(struct controller *, const struct partition_request *,
    struct snapshot *, struct placement **out, struct error *);

/*
 * Adopt a partition: take the place of its dead owner before the partition is
 * removed.
 *
 * Pass a new owner whose lock is closed.  On success that lock is open with the
 * partition's identity; the caller closes it, and checks the partition's
 * condition.  *adopted is filled if not NULL.  On failure the lock is closed.
 *
 * ERROR_NOT_FOUND: no partition of this name has the owner's kind and text and
 * belongs to this user.  It may have been removed earlier, as every look at the
 * state removes partitions without owners.  ERROR_BUSY: its owner lives.
 * Partitions of a server are never found, as they end with their connections.
 */
int adopt_partition(struct controller *, const char *name,
    const struct partition_owner *, struct partition *adopted, struct error *);

struct controller;

/*
 * Open the embedded controller over this user's state directory on behalf of
 * the caller (config.h).  A caller of NULL means the one named by the
 * environment and the configuration files (config.h).  Close it by
 * controller_close().  Returns NULL if a setting is invalid, the state cannot
 * be opened or the caller is refused, by ERROR_UNAUTHENTICATED: no user in
 * secure mode, unknown user, missing or wrong key.
 */
struct controller *embedded_controller_open(const struct caller *,
    struct error *);
/* Close a controller.  NULL is fine. */
void controller_close(struct controller *);

enum { CONTROLLER_VERSION_SIZE = 64 };
/* Return the server's "HOST:PORT" or the path of its socket, which lives as
   long as the controller, or NULL for the embedded one. */
const char *controller_where(const struct controller *);
/* Get the server's version; the controller must be one of a server. */
int controller_version(struct controller *,
    char version[CONTROLLER_VERSION_SIZE], struct error *);

/* Block and serve the connection until `fd` is readable, and return 0.  The
   controller must be one of a server, and have created a partition with an
   owner: that lasts as long as the connection, and controller_close() ends
   both.  -1, ERROR_UNAVAILABLE: the connection was lost. */
int controller_hold(struct controller *, int fd, struct error *);
/* Close a controller of a server, which must not be NULL, in this process only:
   a forked process keeps the connection. */
void controller_leave(struct controller *);

/* Append the place that was searched, the state directory or the server, as a
   separate line to an error about a missing object.  Returns -1. */
int controller_append_place(const struct controller *, struct error *);

/* Set the directory of this host for the IPUoF files of partitions that the
   caller has on a server; they stay until it removes the partition.  "": see
   ipuof_files_directory().  The embedded controller ignores it: each of its
   partitions has its own directory. */
void controller_set_files(struct controller *, const char *directory);

/* Return a text about a removed partition's IPUoF file that could not be
   removed, or NULL if all were.  The text lives as long as the controller,
   which may be NULL. */
const char *controller_leftover(const struct controller *);

/*
 * Whether owners of that kind, which hold no lock, should be looked for: the
 * controller is embedded, a partition has such an owner, and no process looked
 * for `period_ms`.  True counts as a look.
 */
bool controller_owners_are_due(struct controller *, int kind,
    int64_t period_ms);

/* ---- reading ---- */

/* Take a consistent snapshot of everything the caller may see, after the events
   that are due have happened, if this process may change the state.  0: the
   caller releases it. */
int transaction_list(struct controller *, struct snapshot *, struct error *);

/* Do the same for callers that only need partitions.  A third-party server
   refuses the above and reports only these; the rest is derived from them.
   Without `agents` a server does not describe the pod's machines: their number
   is right, but they have no names, and the owners of IPUs that the caller may
   not see are missing. */
int transaction_list_partitions(struct controller *, bool agents,
    struct snapshot *, struct error *);

/* Let all due events of the embedded controller happen.  Waits only briefly for
   another process's change.  Events that cannot be stored, as on a full disk,
   stay due, and 0 is returned.  -1: the state could not be locked or read. */
int transaction_catch_up(struct controller *);

/* A third-party server's description of its IPUs (ListIPUAttributes of the
   published contract): arbitrary names and values, printable.  The embedded
   controller and vipu-server describe the pod itself, from which
   ipu/device/device.h derives the same. */
struct reported_attribute {
	char *key, *value;
};

struct reported_ipu {
	char agent[NAME_SIZE];
	uint32_t number; /* in its machine */
	size_t count;
	struct reported_attribute *attributes; /* by name */
};

/* Machines in the server's order, each with its IPUs by number. */
struct ipu_listing {
	size_t count;
	struct reported_ipu *ipus;
};

/* List the IPUs of the named machines; of all for an agent_count of 0.  1:
   listed, and the caller frees the listing with controller_free_ipus(); 0: not
   asked, and the listing is empty, because this controller describes the pod
   itself, see transaction_list(); -1: refused, or the answer is not valid
   (ERROR_DAMAGED). */
int controller_list_ipus(struct controller *, char **agents, size_t agent_count,
    struct ipu_listing *, struct error *);
void controller_free_ipus(struct ipu_listing *);

/* ---- reading the registry ---- */

/* Open the registry as state_open_reader() does, after due events have happened
   if this process may change the state.  The caller closes it with
   registry_close(). */
int reader_open(struct registry *, struct error *);

/* Open the registry of an embedded controller, sharing its copy; due events do
   not happen.  Close the registry before the controller. */
int reader_open_beside(struct controller *, struct registry *, struct error *);

/* Open the registry that a controller shows its caller, as reader_open() does.
   That of a server is a copy in this process's memory, made now. */
int reader_open_of(struct controller *, struct registry *, struct error *);

/* ---- the caller ---- */

/* Let the embedded controller act on behalf of another caller from now on, and
   forget controller_leftover().  -1: the caller is refused
   (ERROR_UNAUTHENTICATED) or cannot be looked up, and the controller must not
   be used before another login_switch(). */
int login_switch(struct controller *, const struct caller *, struct error *);

/* Check in the embedded controller's state that an admitted user may still act;
   its `hash` is that of the key that it showed ("": none).  -1: it cannot be
   read, or (ERROR_UNAUTHENTICATED) was removed, or lost that key or the
   partition's allocation ("": unchecked).  A caller without a user, and an
   administrator without a key, always pass. */
int login_recheck(struct controller *, const struct caller *,
    const char *partition, struct error *);

/* Return the hash of the key of the embedded controller's caller; "" without a
   user and for an administrator. */
const char *login_hash(const struct controller *);

/* Whether an embedded controller's pod is in secure mode, only for users. */
bool login_is_secure(const struct controller *);

/* Return the number of partitions that this caller can see; `secure` comes from
   the state's pod.ini.  -1: not admitted (ERROR_UNAUTHENTICATED), or the user's
   file cannot be read. */
int login_count_visible(const struct state_paths *, bool secure,
    const struct caller *, const struct snapshot *, struct error *);

/* ---- partitions ---- */

/* Wait until the creation or reset of a partition ends, successfully or not,
   and update the partition.  ERROR_TIMED_OUT after timeout_ms (-1: no limit),
   or if its end is 5 s overdue, as on a full disk.  ERROR_NOT_FOUND: the
   partition is gone; the text says if it expired or its name was reused. */
int wait_configured(struct controller *, int64_t timeout_ms, struct partition *,
    struct error *);

/* Update the partition without waiting.  1: it was being configured or removed,
   and still is; 0: it was neither, or its state has changed; -1: it is gone
   (ERROR_NOT_FOUND), or the state cannot be read. */
int wait_look(struct controller *, struct partition *, struct error *);

/* Wait until a partition being removed is gone; ERROR_TIMED_OUT if its end is 5
   s overdue. */
int wait_removed(struct controller *, const struct partition *, struct error *);

/*
 * Remove a partition, and wait for slow machines.  *removed, if not NULL, is
 * set to the old partition once the removal has begun, even if the wait then
 * fails.  ERROR_NOT_FOUND: the caller has no such partition.  ERROR_BUSY: a
 * program, which the text names with user, pid and command, is attached.
 * `force` removes the partition even then, at once, and leaves IPUoF files that
 * cannot be removed: see controller_leftover().
 */
int remove_partition(struct controller *, const char *name, bool force,
    struct partition *removed, struct error *);

/* Do the same without waiting.  Returns 1 if the partition will be removed
   later.  `removed` must not be NULL, and is filled in for 0 and 1. */
int remove_begin(struct controller *, const char *name, bool force,
    struct partition *removed, struct error *);
/* Do the same for exactly this partition (ERROR_NOT_FOUND: its name was
   reused). */
int remove_begin_same(struct controller *, const struct partition *, bool force,
    struct partition *removed, struct error *);

/* Remove exactly this partition as remove_partition() does, without force. */
int remove_same(struct controller *, const struct partition *, struct error *);

/* Return 0 if no program is attached, so that a removal is not refused for
   that; -1, ERROR_BUSY: the text names the program. */
int remove_check(struct controller *, const struct snapshot *,
    const struct partition *, struct error *);

/*
 * Begin to configure the partition again, forget its past failures, and write
 * missing IPUoF files again where possible.  `relocatable` makes it
 * relocatable, which removes those files.  ERROR_BUSY: it is being removed, or
 * a program is attached; with `force` that program loses its IPUs instead.
 * ERROR_NOT_FOUND: the caller has no such partition, or it expired just after
 * the reset.  *after, if not NULL, is the partition, perhaps still being
 * configured: see wait_configured().
 */
int reset_partition(struct controller *, const char *name, bool relocatable,
    bool force, struct partition *after, struct error *);

/* Whether a reset has something to do or report: the partition is not ACTIVE,
   its last operation had failures, a machine would fail or be slow to
   configure, or an IPU has an error or is held.  For embedded controllers. */
bool reset_is_needed(struct controller *, const struct snapshot *,
    const struct partition *);

#endif
