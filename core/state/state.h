/*
 * The state of a pod: the durable directory of INI files and the live registry
 * that mirrors it, kept in step.
 *
 *	STATE/lock			locked by each change
 *	STATE/pod.ini			name, id, format version; written last
 *	STATE/agents/CLUSTER:NAME.ini
 *	STATE/clusters/NAME.ini
 *	STATE/allocations/NAME.ini
 *	STATE/users/NAME.ini		not in the registry
 *	STATE/partitions/NAME.ini
 *	STATE/waiting/NUMBER.ini	locked by a process that waits for IPUs
 *
 * The state belongs to its owner alone, or to a group to which the owner gave
 * the directory; anything else is refused, see ownership.h.
 *
 * A damaged partition file is reported with its line.  Its IPUs are then
 * unknown, so no partition is added until the file is repaired or removed; all
 * others stay usable.
 *
 * Read state_open() and state_lock() first, then the headers below.
 */
#ifndef CORE_STATE_STATE_H
#define CORE_STATE_STATE_H

#include "core/pod/edit/edit.h"
#include "core/state/gcda_options.h" /* how programs reach their IPUs */
#include "core/state/holder.h"	     /* the program that holds an IPU */
#include "core/state/lock.h"	     /* the writer's lock */
#include "core/state/owner_lock.h"   /* whether a partition's owner lives */
#include "core/state/paths.h"	     /* where the state is */
#include "core/state/registry.h"     /* its mirror, and the IPUs' slots */
#include "core/state/settings.h"     /* ipubox.conf */
#include "core/state/snapshot.h"     /* a copy of the mirror to look at */

struct mirror;

struct state {
	struct state_paths paths;
	struct directory directory; /* opened and checked once */
	struct registry registry;   /* opened for changes */
	struct mirror *kept;	    /* last copy of the mirror */
	/* `kept` while locked, when it equals the registry; else NULL */
	struct mirror *mirror;
	int lock_fd;		 /* -1: a read-only directory */
	struct error unwritable; /* why lock_fd is -1, in the system's words */
	struct error registry_error; /* if it is in memory: why */
	bool locked;		     /* by this process */
	/* Secure mode (only users may use the pod), from pod.ini. */
	bool secure;
	/* user of this host that refusals are written for, -1: none; at first
	   this process's */
	uid_t reader;
};

/*
 * Open the state for changes.  On first use make the default pod.  Make or
 * rebuild a registry that is missing, stale or half written; if that fails for
 * lack of room or rights, make it in memory and set registry_error.
 * ERROR_BUSY: a server has the state.  After -1 nothing is open.
 */
int state_open(struct state *, struct error *);
void state_close(struct state *);

/*
 * Open the registry for reading, until registry_close().  A sound mirror is
 * read without its INI files. A missing or half-written registry is made first,
 * as in state_open().  If that fails, as with a full /dev/shm, it is made in
 * this process's memory.
 */
int state_open_reader(struct registry *, struct error *);

/* Do the same, but never in memory, for a program that attaches to IPUs.
   ERROR_BUSY: a server has the state. */
int state_open_attacher(struct registry *, struct error *);

/*
 * Take the writer's lock, under which a change reads a snapshot and commits.
 * Brings the mirror in step after a crash, or after partitions/ was edited by
 * hand.  ERROR_TIMED_OUT: another process has held the lock for as long as this
 * one may wait.  ERROR_BUSY: a server has the state.
 */
int state_lock(struct state *, struct error *);
/* Do the same with a limit to the wait: see lock_take() (core/state/lock.h). */
int state_lock_within(struct state *, int64_t limit_ms, struct error *);
void state_unlock(struct state *);

/* Whether members of a group may have written the records, also before a
   server withdrew the directory from them.  True if the directory's mode is
   unknown. */
bool state_is_shared(const struct state *);

/*
 * Change a partition, under the lock.  0: the change is on the disk, except a
 * new `reset_ms` alone; a mirror that could not be written is rebuilt at the
 * next lock.  -1: nothing has changed; with ERROR_UNCONFIRMED the disk could
 * not confirm the change, and the files decide at the next lock.  Refused:
 * ERROR_EXISTS, ERROR_NOT_FOUND, ERROR_INVALID (a name, or a place outside the
 * pod), ERROR_NO_ROOM (a place of another partition, or too many partitions),
 * ERROR_DAMAGED (a file; only adding and moving), ERROR_STALE (registry and
 * files disagree; try again under a new lock).
 *
 * A partition without an identity gets one when added; an update keeps the
 * present one.
 */
int state_add_partition(struct state *, const struct partition *,
    struct error *);
int state_remove_partition(struct state *, const char *name, struct error *);
int state_update_partition(struct state *, const struct partition *,
    struct error *);
/* Update a machine's condition (the members after `allocation`); its other
   members must be those of the pod.  -1 as above. */
int state_update_agent(struct state *, int index, const struct agent *,
    struct error *);

/* ---- replacing the pod ---- */

enum new_pod_mode {
	NEW_POD_KEEP, /* secure if the old one was */
	NEW_POD_OPEN,
	NEW_POD_SECURE /* only users may use it */
};

struct new_pod {
	bool force; /* remove existing partitions */
	enum new_pod_mode mode;
	/* User to add to the others, with NEW_POD_SECURE; or NULL. */
	const struct user *user;
	bool secure; /* result: the mode of the pod */
};

/*
 * Make a new pod.  Refused while a program is attached to an IPU, while a
 * partition exists (unless `force`), and where this user may not replace the
 * old one; all checked before any change.  -1: the old pod is intact; with
 * ERROR_UNCONFIRMED the new one counts, or may count, and the next process that
 * opens the state finishes it.
 */
int new_pod_init(const struct state_paths *, const struct pod *,
    struct new_pod *, struct error *);

/*
 * Replace the pod and its partitions under the writer's lock, completely or not
 * at all; the pod keeps its id.  Programs stay attached: ERROR_BUSY if an IPU
 * in use would change its number.  Contents that reading the files would refuse
 * are refused, and all while a partition file is damaged (ERROR_DAMAGED).
 * Partitions without an identity get one, also in the inventory.  -1: nothing
 * has changed; ERROR_UNCONFIRMED as in state_add_partition().
 */
int new_pod_replace(struct state *, const struct inventory *, struct error *);

/* ---- users: a new pod keeps them ---- */

/* Read a user.  ERROR_NOT_FOUND: does not exist; ERROR_INVALID: not a valid
   name. */
int user_store_get(const struct state *, const char *name, struct user *,
    struct error *);

/* List users by name.  Returns their number, or -1 with *out NULL; the caller
   frees *out. */
int user_store_list(const struct state *, struct user **out, struct error *);

/* Add or replace, or remove, a user under the lock.  The caller checks that one
   to remove exists.  -1: nothing has changed; a change that the disk could not
   confirm was undone. */
int user_store_put(struct state *, const struct user *, struct error *);
int user_store_remove(struct state *, const char *name, struct error *);

/* ---- a server ---- */

/*
 * Become the server of the directory, which is created if missing.  The
 * server's lock is taken first, so that no new change begins; then a running
 * change is awaited.  A shared directory is withdrawn from its group, with a
 * new registry and lock, so that programs with the old ones open do no harm.
 *
 * Returns the lock's descriptor for served_end(), or -1.  ERROR_BUSY: another
 * server has it, or programs hold IPUs or own partitions by locks on replaced
 * files; ERROR_UNSUPPORTED: a later ipubox made the state; ERROR_DENIED: only
 * the owner and root can serve a shared one.
 */
int served_begin(const struct state_paths *, struct error *);

/* Give a shared directory back to its group, then the server's lock: a server's
   last step.  -1: the directory may stay withdrawn; the lock is given back all
   the same. */
int served_end(const struct state_paths *, int lock, struct error *);

/* ---- other views of a registry ---- */

/* An IPU to show in the image of a registry. */
struct registry_image_ipu {
	int ipu;      /* number in the snapshot's pod */
	bool is_held; /* `slot` describes its holder */
	struct ipu_slot slot;
};

/*
 * Open a registry in memory that shows a remote one as its server reports it,
 * for reading.  Readers use it like a registry of this host.  Messages call the
 * registry `where` (HOST:PORT).  The caller closes it with registry_close().
 * -1: out of memory.
 */
int registry_image_open(struct registry *, const char *where,
    const struct snapshot *, const struct registry_image_ipu *, int count,
    struct error *);

/*
 * Waiting for IPUs to be given back without polling.  IPUs are held through a
 * descriptor of the registry (registry_attach()), and the kernel reports when
 * it is closed, however its program ended.  The report comes a moment before
 * the locks are dropped, so the wait that follows one is short.
 */
struct registry_watch {
	int changes; /* descriptor of inotify(7), or -1 */
	bool ended;  /* a program closed the slots' file during the last wait */
};

/* Start watching, before checking whether the IPUs are free. */
void registry_watch_init(struct registry_watch *, const struct registry *);
void registry_watch_release(struct registry_watch *);

/* Wait until a process closes the slots' file, a signal is caught, or it is
   time (1 s) to look for unreported changes: a new partition, another
   registry. */
void registry_watch_wait(struct registry_watch *);

/* Adjacent IPUs that one program holds.  With slot.lost they were taken away
   from it, but it has not given them back. */
struct held_ipus {
	int first, count;     /* numbered in the pod */
	struct ipu_slot slot; /* copy of the first one's slot */
};

/* A view of a state that changes nothing: it creates, commits, repairs and
   locks nothing, whatever is wrong. */
struct inspection {
	struct state_paths paths;
	struct error place; /* why the paths are unknown, or "" */
	/* The directory: 0 if it exists, else errno: ENOENT for a state not
	   made yet, ENOTDIR, or that of stat(2). */
	int directory_errno;
	/* With ENOENT: errno why it could not be created, or 0. */
	int make_errno;
	uid_t owner;		/* of the directory, if it exists */
	bool writable;		/* by this process */
	struct error ownership; /* why it is refused, or "" */
	/* Contents of its files. */
	bool has_pod;		  /* `snapshot` shows it */
	bool secure;		  /* clients must be users */
	struct error pod;	  /* why it is unreadable; ERROR_NOT_FOUND: not
				     made yet; or ERROR_NONE */
	struct snapshot snapshot; /* owner[] may be NULL */
	struct error *damage;	  /* "FILE:LINE: text", each */
	int damage_count;
	/* The writer's lock. */
	bool locked; /* then by `holder` */
	struct lock_holder holder;
	bool served; /* then by `server` */
	struct lock_holder server;
	bool withdrawn; /* from its group */
	/* The registry. */
	struct error registry;	/* why it is unusable; ERROR_NOT_FOUND: missing;
				  or ERROR_NONE */
	bool foreign;		/* belongs to another state */
	bool half_written;	/* without a writer */
	uint32_t *soc_errors;	/* per IPU of the snapshot; NULL: unknown */
	struct held_ipus *held; /* owned; NULL: none */
	int held_count;
};

/* Inspect the state of this process; cannot fail.  inspect_release() frees what
   it holds. */
void inspect_state(struct inspection *);
void inspect_release(struct inspection *);

#endif
