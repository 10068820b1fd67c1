/*
 * Changing the mirror: first the writer's private copy (mirror_copy.h), then
 * the file, record by record.  Private to core/state; every change is made
 * under the lock of the directory.
 *
 * A failed write to the file does not fail the change: the mark stays, and the
 * next process that takes the lock rebuilds the mirror from the INI files.
 */
#ifndef CORE_STATE_MIRROR_H
#define CORE_STATE_MIRROR_H

#include "core/state/mirror_copy.h"
#include "core/state/renumber.h"

/* Create a registry under `path`; it is renamed into place when complete. */
int mirror_create(const char *path, const char *directory, const struct store *,
    struct error *);

/* Refuse what mirror_create() would refuse now: this user may not replace the
   registry, or the disk has no room for it. */
int mirror_check_create(const char *path, const char *directory,
    const struct store *, struct error *);

/* Create a registry in memory that ends with this process.  Returns a
   descriptor, or -1. */
int mirror_create_private(const char *directory, const struct store *,
    struct error *);

/*
 * Bring the whole mirror file in step with the directory.  The file grows if
 * the pod needs it; the copy is remade.  The counters of IPUs follow their
 * machines as `moved` says.
 */
int mirror_fill(struct mirror *, struct registry *, const struct store *,
    const struct renumber *moved, struct error *);

/* Return the index of a free slot in the partition table, or the slot of that
   name, or -1; fill a slot, where NULL frees it. */
int mirror_free_slot(const struct mirror *);
int mirror_find(const struct mirror *, const char *name);
int mirror_set(struct mirror *, const struct registry *, int slot,
    const struct partition *);

/* Update a machine's condition, by its index in the pod. */
int mirror_set_agent(struct mirror *, const struct registry *, int index,
    const struct agent *);

/* Set or clear the mark that the INI files may be ahead of the mirror.  Failure
   to write the mark is an error. */
int mirror_mark(const struct registry *, bool dirty, struct error *);

/* Record the modification time of partitions/ as seen now. */
void mirror_set_stamp(const struct registry *, int64_t s, int64_t ns);

/*
 * Refuse a partition that breaks the mirror's rules: its name, or a place
 * outside the pod (both ERROR_INVALID), or a place of another slot
 * (ERROR_NO_ROOM).
 */
int mirror_check(const struct mirror *, const struct partition *, int slot,
    struct error *);

/* Notify processes that have the mirror's file open that it was replaced. */
void mirror_retire(int fd);

#endif
