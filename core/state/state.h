/*
 * The state of a pod: the durable directory of INI files and the live registry
 * that mirrors it, kept in step.
 *
 *	STATE/lock			whoever changes the state locks it
 *	STATE/pod.ini			name, id, format version; written last
 *	STATE/agents/CLUSTER:NAME.ini
 *	STATE/clusters/NAME.ini
 *	STATE/allocations/NAME.ini
 *	STATE/users/NAME.ini		no user stands in the registry
 *	STATE/partitions/NAME.ini
 *	STATE/waiting/NUMBER.ini	whoever waits for IPUs locks one
 *
 * All of it is its owner's alone, or that of a group that the directory was
 * given to; any other is refused, see ownership.h.
 *
 * A partition file that is damaged is reported with its line.  Nobody knows
 * then which IPUs it has, so no partition is added until it is repaired or
 * removed; all others stay usable.
 *
 * Read state_open() and state_lock() first, then the headers below: each says
 * what it offers.
 */
#ifndef CORE_STATE_STATE_H
#define CORE_STATE_STATE_H

#include <sys/types.h>

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"
#include "core/pod/edit/edit.h"
#include "core/pod/pod.h"
#include "core/state/gcda_options.h" /* how programs reach their IPUs */
#include "core/state/holder.h"	     /* the program that holds an IPU */
#include "core/state/lock.h"	     /* the writer's lock */
#include "core/state/owner_lock.h"   /* whether a partition's owner lives */
#include "core/state/paths.h"	     /* where the state is */
#include "core/state/registry.h"     /* its mirror, and the IPUs' slots */
#include "core/state/server_lock.h"  /* whether a server has the state */
#include "core/state/settings.h"     /* ipubox.conf */
#include "core/state/snapshot.h"     /* a copy of the mirror to look at */

struct mirror;

struct state {
	struct state_paths paths;
	struct directory directory; /* opened once, and checked */
	struct registry registry;   /* for a change */
	struct mirror *kept;	    /* the last copy of it */
	struct mirror *mirror;	    /* that, while it is locked: what the
				       registry shows; else NULL */
	int lock_fd;		    /* -1: a read-only directory */
	struct error unwritable;    /* why, in the system's words */
	struct error unmade;	    /* why it is in memory */
	bool locked;
	bool secure; /* as pod.ini says */
};

/*
 * Open the state for change: on first use make the default pod, make or
 * rebuild the registry where it is missing, stale or was left half written.
 */
int state_open(struct state *, struct error *);
void state_close(struct state *);

/*
 * Open the registry for reading, the fast way: no INI file is touched when the
 * mirror is sound.  Where there is no registry yet, or it was left half
 * written, this does what state_open() does first.  Where that cannot be made,
 * as behind a full /dev/shm, it is one in the memory of this process.
 */
int state_open_reader(struct registry *, struct error *);

/* The same for a program that attaches to IPUs: it needs the real one. */
int state_open_attacher(struct registry *, struct error *);

/*
 * The writer's lock.  A change reads a snapshot and commits under it.  Taking
 * it brings the mirror in step where it is not: after a crash, or where
 * somebody changed the directory partitions/ by hand.  ERROR_TIMED_OUT:
 * somebody else holds it, for as long as this process is ready to wait.
 */
int state_lock(struct state *, struct error *);
/* The same, with a limit to the wait for whoever else changes the state: see
   lock_take() in core/state/lock.h. */
int state_lock_within(struct state *, int64_t limit_ms, struct error *);
void state_unlock(struct state *);

/*
 * Under the lock.  0: the change is on the disk and in the mirror.  -1: nothing
 * has changed; but ERROR_UNCONFIRMED says that the disk could not confirm the
 * change, and then the files decide when the lock is taken next.  Refused:
 * ERROR_EXISTS, ERROR_NOT_FOUND, ERROR_INVALID (a place that the pod does not
 * have), ERROR_NO_ROOM (a place that is another's), ERROR_DAMAGED (a file).
 */
int state_add_partition(struct state *, const struct partition *,
    struct error *);
int state_remove_partition(struct state *, const char *name, struct error *);
int state_update_partition(struct state *, const struct partition *,
    struct error *);
/* How a machine fares (the members below `allocation`); its place in the pod
   and its names stay as they are. */
int state_update_agent(struct state *, int index, const struct agent *,
    struct error *);

/* ---- a whole new pod, and another pod ---- */

enum new_pod_mode {
	NEW_POD_KEEP, /* secure where the old one was */
	NEW_POD_OPEN,
	NEW_POD_SECURE /* only users may use it */
};

struct new_pod {
	bool force; /* the partitions go */
	enum new_pod_mode mode;
	const struct user *user; /* joins those there are; with NEW_POD_SECURE,
				    or NULL */
	bool secure;		 /* set: the mode of the pod */
};

/*
 * Make the pod.  Refused while a program is attached to an IPU, unless `force`
 * while a partition exists, and where this user may not replace what there is:
 * all of that is asked before anything changes.  -1: the old pod is still
 * there; but with ERROR_UNCONFIRMED the new one is, and whoever opens the state
 * next finishes it.
 */
int new_pod_init(const struct state_paths *, const struct pod *,
    struct new_pod *, struct error *);

/*
 * Under the writer's lock: another pod with these partitions in place of what
 * there is, all of it or nothing; the pod's id stays.  Programs stay attached:
 * refused (ERROR_BUSY) where an IPU in use would become another one's number.
 * Refused as well is what reading the files would refuse.
 * -1: nothing has changed; but ERROR_UNCONFIRMED says that the disk could not
 * confirm the change, as state_add_partition() has it.
 */
int new_pod_replace(struct state *, const struct inventory *, struct error *);

/* ---- users: a new pod keeps those there are ---- */

/*
 * Read one.  ERROR_NOT_FOUND where there is none of that name, ERROR_INVALID
 * where that is not a name.
 */
int user_store_get(const struct state *, const char *name, struct user *,
    struct error *);

/* All users, by name. Returns their number or -1; the caller frees *out. */
int user_store_list(const struct state *, struct user **out, struct error *);

/*
 * Add or replace, and remove, under the lock.  -1: nothing has changed; where
 * the disk could not confirm the change it was taken back.
 */
int user_store_put(struct state *, const struct user *, struct error *);
int user_store_remove(struct state *, const char *name, struct error *);

/* ---- a server ---- */

/*
 * Become the server of the directory, which is made where there is none: the
 * server's lock first, so that no change begins any more, then the wait for a
 * change that has begun.  A shared one is withdrawn from its group, and the
 * registry and the lock are new files then, so that it does not matter which
 * programs have the old ones open or mapped.
 *
 * The descriptor of the lock, for served_end(); or -1: ERROR_BUSY, another
 * server has it, or programs hold IPUs or own partitions by locks on the files
 * that go; ERROR_UNSUPPORTED, a later ipubox made the state; ERROR_DENIED, it
 * is shared, and only its owner and root can serve it.
 */
int served_begin(const struct state_paths *, struct error *);

/*
 * Give a shared directory back to its group, and the lock: the last thing that
 * a server does.  -1: it stays withdrawn, and the lock is given back.
 */
int served_end(const struct state_paths *, int lock, struct error *);

/* ---- other looks at a registry ---- */

/* An IPU that has something to show in the image of a registry. */
struct registry_image_ipu {
	int ipu;      /* of the snapshot's pod */
	bool is_held; /* by who stands in the slot */
	struct ipu_slot slot;
};

/*
 * A registry in the memory of this process that shows what another one does,
 * as a server tells it: open for reading, so that its readers need not know
 * where it is.  `where` is what messages call it: HOST:PORT.  The
 * caller closes it with registry_close().  -1: there is no memory.
 */
int registry_image_open(struct registry *, const char *where,
    const struct snapshot *, const struct registry_image_ipu *, int count,
    struct error *);

/*
 * Waiting until IPUs are given back, without asking again and again.  IPUs are
 * held through a descriptor of the registry (registry_attach()), so the kernel
 * notifies of its end, whatever ended its program.  It does so a moment before
 * it drops the locks, so a wait that follows one is short.
 */
struct registry_watch {
	int changes; /* inotify(7), -1: there is none */
	bool ended;  /* a program that could hold IPUs just did */
};

/* To be made before one looks whether the IPUs are free. */
void registry_watch_init(struct registry_watch *, const struct registry *);
void registry_watch_release(struct registry_watch *);

/*
 * Until somebody closes the registry, a signal was caught, or it is time to
 * look for what nobody notifies of: a new partition, another registry.
 */
void registry_watch_wait(struct registry_watch *);

/*
 * A look at a state that changes nothing, whatever is wrong with it: nothing is
 * made, committed, repaired or locked.
 */
struct inspection {
	struct state_paths paths;
	struct error place; /* why there are none, or "" */
	/* The directory: errno of stat(2), which the reader's text needs; 0, or
	   ENOENT where no state was made yet. */
	int directory_errno;
	int make_errno; /* why the first command could not make it, or 0 */
	uid_t owner;
	bool writable;		/* by this process */
	struct error ownership; /* why it is refused, or "" */
	/* What its files say. */
	bool has_pod;
	bool secure;		  /* who asks must be a user */
	struct error pod;	  /* why not, or ERROR_NONE; ERROR_NOT_FOUND:
				     none was made yet */
	struct snapshot snapshot; /* owner[] may be NULL */
	struct error *damage;	  /* "FILE:LINE: text", each */
	int damage_count;
	/* The writer's lock. */
	bool locked; /* and by whom: */
	struct lock_holder holder;
	bool served; /* a server has it: */
	struct lock_holder server;
	bool withdrawn; /* from its group */
	/* The registry. */
	struct error registry; /* why it cannot be used, or ERROR_NONE;
				  ERROR_NOT_FOUND: there is none */
	bool foreign;	       /* of another state */
	bool half_written;     /* and nobody writes */
	uint32_t *soc_errors;  /* per IPU, as the snapshot has them; NULL:
				  unknown */
};

/*
 * Look at the state of this process, and fill the inspection whatever is found:
 * it cannot fail.  inspect_release() frees what it holds.
 */
void inspect_state(struct inspection *);
void inspect_release(struct inspection *);

#endif
