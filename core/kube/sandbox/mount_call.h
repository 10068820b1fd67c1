/*
 * Mounts by descriptors: the system calls of Linux 5.2 and later, which C
 * libraries do not have.
 *
 * A tree is a descriptor of mounts that are attached nowhere yet, or that were
 * attached through it; it is closed in programs that are executed, and may be
 * used as a directory.  Closing it takes away what was never attached.  Paths
 * are openat(2)'s.  -1 and errno, unless there is a struct error.
 */
#ifndef CORE_KUBE_SANDBOX_MOUNT_CALL_H
#define CORE_KUBE_SANDBOX_MOUNT_CALL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/base/error.h"

/* A copy of what is at the path, with all that is mounted below. */
int mount_call_copy(int at, const char *path);
/* The same of the name itself: no link is followed, and nothing is mounted by
   looking at it (autofs). */
int mount_call_copy_entry(int at, const char *name);

/*
 * An empty file system in memory, of so many bytes (0: the kernel's choice),
 * whose root has the mode.  0, or the system's number of the reason why not.
 */
int mount_call_memory(mode_t mode, uint64_t size_bytes, int *tree);

/*
 * `lower` and above it `upper`, which takes all changes, with `work` for the
 * file system's own use: directories, by descriptors that were opened in this
 * mount namespace.
 */
int mount_call_overlay(int lower, int upper, int work, struct error *);

/* Attach the tree at a path. */
int mount_call_attach(int tree, int at, const char *path);

/* Make the tree read-only, with all below or by itself. ENOSYS before Linux
   5.12, also EPERM there in a container. */
int mount_call_seal(int tree, bool with_below);
/* The same for the mount at a path alone, on all kernels. */
int mount_call_seal_path(const char *path);

/* Nothing that is mounted here reaches other namespaces, or comes from them. */
int mount_call_make_private(void);

/* The tree, which is attached, becomes "/", and the working directory; what was
   there before is gone. */
int mount_call_pivot(int tree);

/* The mounts that a process sees, from /proc/PID/mountinfo (proc(5)). */
struct mountinfo {
	FILE *file;
	char *line;
	size_t room;
};

/* Opens those of the process, 0: of this one.  -1 and errno, and then it need
   not be closed. */
int mountinfo_open(struct mountinfo *, pid_t);
void mountinfo_close(struct mountinfo *);

/* The next one's path, as it is seen from the process's root, or NULL: that was
   all.  It stays until the next call. */
const char *mountinfo_next(struct mountinfo *);

/* Whether something is mounted at that very path, in the same eyes; false as
   well where it cannot be read. */
bool mountinfo_has(pid_t, const char *path);

#endif
