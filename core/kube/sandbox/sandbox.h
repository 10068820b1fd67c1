/*
 * Runs a process in a place like a pod's container: over this host's root or an
 * image's, with volumes at their paths and a host name.
 *
 * It has a private mount namespace (mount_namespaces(7)); other processes see
 * none of its mounts.  A user without the right to mount also gets a user
 * namespace.  There the user keeps its number and group; all other numbers,
 * also root's, appear as 65534 (user_namespaces(7)).  Needs Linux 5.10 or
 * later.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_H
#define CORE_KUBE_SANDBOX_SANDBOX_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum sandbox_kind {
	SANDBOX_DIRECTORY, /* of this host, with all mounts below */
	SANDBOX_MEMORY	   /* an empty file system in memory */
};

struct sandbox_volume {
	enum sandbox_kind kind;
	const char *name; /* for messages: "volume data" */
	/* SANDBOX_DIRECTORY: its path here, not /proc/self/exe and the like.
	   In plan->volumes a symbolic link in any part of it is refused
	   (ERROR_UNSAFE), because the path had none when it was checked.  In
	   plan->kept links are followed. */
	const char *source;
	const char *target; /* its absolute path inside; NULL: `source`, only
			       for SANDBOX_DIRECTORY */
	bool is_read_only;
	uint64_t size_bytes; /* SANDBOX_MEMORY: size limit; 0: the kernel's
				default, half of the memory */
	/* For a directory in the volumes of a plan without a root: an empty
	   directory on the file system of `source`.  Then `source` takes the
	   changes to the directory at the target, whose files stay visible and
	   unchanged (an overlay).  Where the kernel refuses that, and where
	   this is NULL, `source` covers the target. */
	const char *work;
};

struct sandbox_plan {
	/* The pod's directory here, absolute and without symbolic links, or
	   NULL.  It has the same path inside, and identifies the pod's
	   processes (struct sandbox_mark). */
	const char *directory;
	/* The directory of an image that becomes "/"; NULL: this host's
	   root.  It stays unchanged: changes go below `upper`, which it
	   requires, a directory that no other process uses.  It can be used
	   again, and this user can remove it.  Inside, /proc, /dev and,
	   read-only, /sys are this host's.  So are /etc/resolv.conf,
	   /etc/hosts and, without `hostname`, /etc/hostname if the image
	   lacks them or has empty ones. */
	const char *root;
	const char *upper;
	const char *hostname; /* NULL: this host's */
	const struct sandbox_volume *volumes;
	size_t volume_count;
	/* Volumes that are mounted last, so that `volumes` and the image cannot
	   cover them.  A directory with files that rename(2) replaces, such as
	   the registry's, must be kept as a whole: give it a path below
	   `directory`, and tell the program in its environment. */
	const struct sandbox_volume *kept;
	size_t kept_count;
	/* The working directory inside, created if it is missing in an image or
	   a writable volume.  NULL: the present path, or else "/". */
	const char *working;
};

/*
 * Enter the place, in a process with one thread that is about to execute a
 * program (execve(2) drops the rights that a user namespace gave).  Descriptors
 * stay open.
 *
 * Volumes are mounted from the shortest path to the longest, so that one may
 * lie in another.  A missing mount point is created in an image or a writable
 * volume, as in other container runtimes.  On this host's root, and in
 * read-only places, nothing is created.  Instead the nearest existing directory
 * is covered by a copy in memory with the new entry and all the old ones, each
 * still the host's.  Files created directly in such a copy end with the
 * process.  Later changes of the host directly in that directory are not seen.
 * The copy of a directory that this user cannot read, such as root's home, is
 * empty.
 *
 * -1: the error names the volume and the reason; ERROR_INVALID for a wrong
 * plan; usually ERROR_DENIED or ERROR_UNSUPPORTED if this system refuses.  The
 * process may then be half inside and must end.
 */
int sandbox_enter(const struct sandbox_plan *, struct error *);

/* Enter the place of a running process, given by its pidfd: call pidfd_open(2)
   first, then check that it is still the right process.  The working directory
   becomes "/".  A process outside any sandbox changes nothing.  The caller has
   one thread.  -1: the process has ended (ERROR_NOT_FOUND), it is in another
   user's sandbox (ERROR_DENIED), or the system refuses. */
int sandbox_join(int pidfd, struct error *);

/* Whether sandboxes work here, tried in a child; if not, *why has the reason
   and the remedy.  It takes about a millisecond.  The answer does not change,
   so ask only once. */
bool sandbox_is_possible(struct error *why);

/* The variable in the environment of a pod's processes: it identifies them
   after their supervisors were killed. */
#define SANDBOX_MEMBER_VARIABLE "IPUBOX_POD"

/* The unique mark of a pod.  `text` must be random, because numbers are reused.
   Do not remove the directory while processes must be found by it: the kernel
   unmounts from a path that is removed. */
struct sandbox_mark {
	const char *text;      /* value of the variable */
	const char *directory; /* plan->directory, or NULL */
};

/* Whether the process belongs to the pod: it was started with IPUBOX_POD=TEXT,
   or sees the directory mounted at its path.  Descendants inherit the variable
   unless their environment is cleared, and keep the mount unless they change
   their root. false if that cannot be read. */
bool sandbox_member_is(pid_t, const struct sandbox_mark *);

/* Kill all processes of the pod (SIGKILL), repeatedly until none is left, for
   at most limit_ms.  This process and its ancestors are spared.  Signals go to
   pidfds, so that a reused number is never hit.  Returns the number of signals.
   -1: one of them cannot be killed (usually ERROR_DENIED), some are left at the
   end of the time (ERROR_TIMED_OUT), or this process also sees the directory
   mounted, like every process sees "/" (ERROR_INVALID; no signal was sent). */
int sandbox_member_kill(const struct sandbox_mark *, int64_t limit_ms,
    struct error *);

/*
 * The namespaces of a sandbox, and readable reasons for a system's refusal.
 */

struct sandbox_refusal {
	const char *step; /* refused call: "unshare(2)" */
	int number;	  /* with this errno */
	bool is_user;	  /* a user namespace was tried */
	/* Settings of the system, from sandbox_refusal_inspect(); -1:
	   unknown. */
	long long unprivileged; /* kernel.unprivileged_userns_clone */
	long long apparmor;	/* kernel.
				   apparmor_restrict_unprivileged_userns */
	long long users_max;	/* user.max_user_namespaces */
	long long mounts_max;	/* user.max_mnt_namespaces */
	bool is_filtered;	/* this process has a seccomp filter */
	bool is_chrooted;	/* its root is not a mount point */
};

/* Give this process, which has one thread, a private mount namespace and a host
   name (NULL: unchanged), in a user namespace if it lacks the right.  -1: the
   first three members describe the refusal and the others are 0.  Does not
   allocate memory. */
int sandbox_namespace_enter(const char *hostname, struct sandbox_refusal *);

/* Do the same with a host name, and try the mounts that every sandbox needs.
   Call it only in a child that then ends: it changes the root of the calling
   process. */
int sandbox_namespace_try(struct sandbox_refusal *);

/* Fill in all members but the first three. */
void sandbox_refusal_inspect(struct sandbox_refusal *);

/* Describe the refusal and the remedy, after sandbox_refusal_inspect():
   ERROR_DENIED if the system forbids it, ERROR_UNSUPPORTED if the kernel lacks
   a feature, else the error of `number`.  Returns -1. */
int sandbox_refusal_explain(const struct sandbox_refusal *, struct error *);

#endif
