/*
 * An object of the pod as the text of its INI file, and back, and the kinds of
 * objects.  Private to core/state.
 *
 * Files refer to other objects by name, so a text is written and read with its
 * pod.
 */
#ifndef CORE_STATE_OBJECT_H
#define CORE_STATE_OBJECT_H

#include "core/base/files/directory.h"
#include "core/pod/pod.h"

/* Write the name of an agent's file without ".ini": "CLUSTER:NAME", or "NAME"
   outside a cluster.  2 * NAME_SIZE bytes suffice. */
void object_agent_name(const struct pod *, const struct agent *, char *,
    size_t size);

/*
 * Return the text of an object's file; the caller frees it.  `place` is the
 * agent's index in the pod; its condition is taken from the given agent, not
 * from the pod.
 */
char *object_agent_text(const struct pod *, int place, const struct agent *);
char *object_cluster_text(const struct pod *, int cluster);
char *object_allocation_text(const struct pod *, int allocation);

/*
 * Read the directories agents/, clusters/ and allocations/ into a pod, which
 * the caller releases; the pod's name stays empty.  -1, with nothing to
 * release: ERROR_DAMAGED, if a file is damaged or the pod breaks a rule, or
 * another code, if a directory is missing or unreadable.
 */
int object_read_pod(const struct directory *, struct pod *, struct error *);

/* Return the text of a partition's file; the caller frees it. */
char *object_partition_text(const struct pod *, const struct partition *);

/*
 * Read the partition `name` from the directory's file `file`.  -1, with
 * "PATH:LINE: text": ERROR_INVALID, its place is outside the pod;
 * ERROR_DAMAGED, the file is damaged, has a partition of another name, or
 * refers to objects that the pod does not have.  Other codes: unreadable.  Does
 * not check that its IPUs are free.
 */
int object_read_partition(const struct pod *, const struct directory *,
    const char *file, const char *name, struct partition *, struct error *);

/* The kinds of objects in a pod.  Each has a directory below the state
   directory, with a file NAME.ini per object. */
enum { KIND_COUNT = 4, KIND_NAME_SIZE = 2 * NAME_SIZE };

struct store;

struct object_kind {
	const char *directory;
	int (*count)(const struct store *);
	/* File name of the object without ".ini", and its text, which the
	   caller frees. */
	void (*name)(const struct store *, int index,
	    char name[KIND_NAME_SIZE]);
	char *(*text)(const struct store *, int index);
	/* Address of the object in memory. */
	const void *(*at)(const struct store *, int index);
	size_t size;
};

extern const struct object_kind patch_kinds[KIND_COUNT];

#endif
