/*
 * A process in a place of its own, as the containers of a pod are: over this
 * host's root or over an image's, with volumes at their paths and a host name.
 *
 * It sees mounts of its own (mount_namespaces(7)), nothing is mounted for
 * anybody else.  Who may not mount gets a user namespace as well, in which it
 * keeps its number and its group; all other numbers, also root's, look like
 * 65534 there (user_namespaces(7)).  Linux 5.10 and later.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_H
#define CORE_KUBE_SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"

enum { SANDBOX_HOSTNAME_MAX = 64 }; /* the kernel's, uname(2) */

enum sandbox_kind {
	SANDBOX_DIRECTORY, /* a directory or a file of this host, with all that
			      is mounted below it */
	SANDBOX_MEMORY	   /* a file system in memory, empty */
};

struct sandbox_volume {
	enum sandbox_kind kind;
	const char *name;   /* for messages: "volume data" */
	const char *source; /* SANDBOX_DIRECTORY: its path here, not
			       /proc/self/exe and the like */
	const char *target; /* its absolute path inside; NULL: the same as
			       here */
	bool is_read_only;
	uint64_t size_bytes; /* SANDBOX_MEMORY: at most; 0: what the kernel
				gives, half of the memory */
};

struct sandbox_plan {
	/*
	 * The pod's own directory here, absolute and without symbolic links:
	 * it keeps its path inside, and by it the pod's processes are known
	 * (struct sandbox_mark).  NULL: none.
	 */
	const char *directory;
	/*
	 * The directory that becomes "/", an image's; NULL: this host's.  It
	 * stays as it is: what is written goes below `upper`, a directory that
	 * may be used again later, that no other process uses, and that this
	 * user can remove.  Inside, /proc, /dev and /sys are this host's, and
	 * so are /etc/resolv.conf, /etc/hosts and /etc/hostname where the image
	 * has none or empty ones.
	 */
	const char *root;
	const char *upper;
	const char *hostname; /* NULL: this host's */
	const struct sandbox_volume *volumes;
	size_t volume_count;
	/*
	 * What is to be seen whatever the volumes and the image cover: mounted
	 * last.  A directory whose files are renewed by rename(2), as those of
	 * the registry are, has to be kept as a whole: give it a path below
	 * `directory`, and tell the program in its environment.
	 */
	const struct sandbox_volume *kept;
	size_t kept_count;
	/*
	 * The working directory inside, made where it is missing in an image or
	 * in a writable volume.  NULL: the path it has now, or "/" where there
	 * is none of that path.
	 */
	const char *working;
};

/*
 * Enter it, in a process with one thread that is about to execute a program
 * (execve(2) takes the rights away that a user namespace gave).  Descriptors
 * stay open.
 *
 * Volumes are mounted from the shortest path to the longest, so that one may
 * lie in another.  Where there is nothing yet at a path, an image or a writable
 * volume gets a directory there, as in other container runtimes.  On this
 * host's root, and in what is read-only, nothing is made: the nearest directory
 * above is shown as a copy in memory that has all the same entries, each still
 * the host's own, and the new one.  What is made directly in such a copy, and
 * not in one of its entries, ends with the process; and of what the host makes
 * or renames directly in that directory later nothing is seen.  Of a directory
 * that is closed to this user, as root's home is, the copy is empty.
 *
 * -1: the volume, what is wrong and what would help; ERROR_DENIED or
 * ERROR_UNSUPPORTED where this system refuses.  Then the process is half
 * inside, and has to end.
 */
int sandbox_enter(const struct sandbox_plan *, struct error *);

/*
 * Enter the place of a running process, which its pidfd names: by pidfd_open(2)
 * first, and then a look whether it is still the right one.  One that is in no
 * place of its own is fine.  The working directory is "/" there.  In a process
 * with one thread; -1: the other has ended (ERROR_NOT_FOUND), or it is another
 * user's (ERROR_DENIED).
 */
int sandbox_join(int pidfd, struct error *);

/*
 * Whether this process may do so here, tried in a child; if not, why, and what
 * would help.  It takes about a millisecond and the answer does not change, so
 * the caller keeps it.
 */
bool sandbox_is_possible(struct error *why);

/* The variable that a pod's processes are started with: by it they are found
   wherever they went, when those that watched over them were killed. */
#define SANDBOX_MEMBER_VARIABLE "IPUBOX_POD"

/*
 * What no other pod has; a mark is drawn, not counted.  Nobody removes the
 * directory while processes are to be found by it: the kernel takes away what
 * is mounted at a path that is removed.
 */
struct sandbox_mark {
	const char *text;      /* the variable's value */
	const char *directory; /* plan->directory, NULL: it had none */
};

/*
 * Whether the process was started with IPUBOX_POD=TEXT, or sees the directory
 * mounted at its path.  The first is said of all that it starts unless it
 * clears their environment, the second also then, but where they change their
 * root.  false where that cannot be read.
 */
bool sandbox_member_is(pid_t, const struct sandbox_mark *);

/*
 * Kill all members (SIGKILL), again and again until there is none, for limit_ms
 * at most; never this process and those above it.  Each is told by its pidfd,
 * so that no other process that comes to have its number is.  The number of
 * signals that were sent, or -1: some are left, of another user or in a call
 * that does not end, or this process sees the directory mounted as well
 * (ERROR_INVALID), as everybody would see "/".
 */
int sandbox_member_kill(const struct sandbox_mark *, int64_t limit_ms,
    struct error *);

#endif
