/*
 * Mounts by descriptors: the system calls of Linux 5.2 and later, which C
 * libraries lack.
 *
 * A tree is a descriptor of mounts that are not attached yet, or that were
 * attached through it.  It is closed on exec, and works as a directory.
 * Closing it removes mounts that were never attached.  Paths are openat(2)'s.
 * Unless stated otherwise, functions return -1 on failure, and set errno or, if
 * they take one, the error.
 */
#ifndef CORE_KUBE_SANDBOX_MOUNT_CALL_H
#define CORE_KUBE_SANDBOX_MOUNT_CALL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/base/error.h"

/* Return a copy of the tree at the path, a file or a directory with all mounts
   below. */
int mount_call_copy(int at, const char *path);
/* Copy the entry itself: links are not followed, nor autofs triggered. */
int mount_call_copy_entry(int at, const char *name);

/* Create an empty file system in memory of size_bytes (0: the kernel's default)
   with that mode of its root.  Returns 0, or an errno value with *tree -1. */
int mount_call_memory(mode_t mode, uint64_t size_bytes, int *tree);

/* Return the tree of `upper`, which takes all changes, over `lower`; `work` is
   for the file system's use.  All are directories opened in this mount
   namespace; the caller closes them. */
int mount_call_overlay(int lower, int upper, int work, struct error *);
/* Permit this user to remove the leftovers of an overlay in its directory
   `work`, which the kernel creates without permissions. */
void mount_call_open_work(int work);

/* Attach the tree at a path. */
int mount_call_attach(int tree, int at, const char *path);

/* Make the top mount of a tree read-only, or `with_below` all its mounts.
   Before Linux 5.12 it fails with ENOSYS, or in a container with EPERM. */
int mount_call_seal(int tree, bool with_below);
/* Make the single mount at a path read-only, on all kernels. */
int mount_call_seal_path(const char *path);

/* In a new mount namespace, stop mount events to and from others. */
int mount_call_make_private(void);

/* Make the attached tree "/" and the working directory; drop the old root. */
int mount_call_pivot(int tree);

/* The mounts that a process sees, from /proc/PID/mountinfo (proc(5)). */
struct mountinfo {
	FILE *file;
	char *line;
	size_t room;
};

/* Open the mounts of a process (0: this one).  -1, errno: nothing to close. */
int mountinfo_open(struct mountinfo *, pid_t);
void mountinfo_close(struct mountinfo *);

/* Return the next mount's path, seen from the process's root, or NULL at the
   end.  It is valid until the next call. */
const char *mountinfo_next(struct mountinfo *);

/* Whether the process (0: this one) sees a mount at exactly that path; false
   also if that cannot be read. */
bool mountinfo_has(pid_t, const char *path);

#endif
