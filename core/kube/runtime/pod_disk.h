/*
 * The directories and files of a container's plan on the disk.
 */
#ifndef CORE_KUBE_RUNTIME_POD_DISK_H
#define CORE_KUBE_RUNTIME_POD_DISK_H

#include <stdint.h>

#include "core/base/error.h"
#include "core/kube/runtime/container_plan.h"

/*
 * Make what the plan's volumes need, before the container starts, each time
 * that it does: volumes/NAME (0700) in the pod's directory; the files with
 * their modes, whatever the umask; and what subPaths and hostPaths name.  The
 * directory is there and is the plan's own (struct pod_host), absolute and
 * without symbolic links.  What an emptyDir and a claim hold already stays; a
 * volume of files has those of the plan afterwards, and nothing else.
 *
 * All goes by descriptors, and no symbolic link below a volume is followed,
 * also not in a subPath (ERROR_UNSAFE); those of a hostPath are, where they
 * stay below its root (ERROR_DENIED).  -1: "volume data: ...".
 */
int	pod_disk_make(const struct container_plan *, const char *directory,
	    struct error *);

enum {
	POD_DISK_DEPTH_MAX = 100,
	POD_DISK_ENTRIES_MAX = 1000000
};

/*
 * The bytes that a directory takes on its disk with all that is below it, as
 * du(1) has them; counted only until they are over the limit, 0: none.  What is
 * deeper than POD_DISK_DEPTH_MAX, behind POD_DISK_ENTRIES_MAX entries, on
 * another file system, or not to be read is not counted, and no symbolic link
 * is followed.  -1: the directory itself cannot be read.
 */
int	pod_disk_usage(const char *path, int64_t limit, int64_t *bytes,
	    struct error *);

#endif
