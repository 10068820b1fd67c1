/*
 * One object of the pod as the text of its INI file, and back.  Private to
 * core/state.
 *
 * References are names in the files: a text is written and read with the pod
 * that the names are of.
 */
#ifndef CORE_STATE_OBJECT_H
#define CORE_STATE_OBJECT_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"
#include "core/pod/pod.h"

/*
 * The name of an agent's file without ".ini", "CLUSTER:NAME" or, in no
 * cluster, "NAME", into a text of 2 * NAME_SIZE.
 */
void object_agent_name(const struct pod *, const struct agent *, char *,
    size_t size);

/*
 * The whole text of an object's file; the caller frees it.  `place` is the
 * agent's index in the pod, which it keeps; `agent` may say other than the pod
 * does of how it fares.
 */
char *object_agent_text(const struct pod *, int place, const struct agent *);
char *object_cluster_text(const struct pod *, int cluster);
char *object_allocation_text(const struct pod *, int allocation);

/*
 * The directories agents/, clusters/, allocations/ in the directory as a pod,
 * which the caller releases; its name is left empty.  -1, with nothing to
 * release: a file is damaged, or the pod breaks a rule of its own
 * (ERROR_DAMAGED).
 */
int object_read_pod(const struct directory *, struct pod *, struct error *);

/* The same for a partition: the whole text of its file. */
char *object_partition_text(const struct pod *, const struct partition *);

/*
 * Read the partition `name` of the pod from a file of the directory.  0, or -1
 * and "FILE:LINE: text" where the file is damaged, is of another name, or
 * refers to what the pod does not have.  That its IPUs are free is not checked.
 */
int object_read_partition(const struct pod *, const struct directory *,
    const char *file, const char *name, struct partition *, struct error *);

#endif
