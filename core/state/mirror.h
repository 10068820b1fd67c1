/*
 * Changing the mirror: first the private copy that the writer has of it
 * (mirror_copy.h), then the file, record by record.  Private to core/state;
 * every change is made under the lock of the directory.
 *
 * What cannot be written to the file is no failure of the change: the mark
 * stays, and whoever locks next makes the mirror again from the INI files.
 */
#ifndef CORE_STATE_MIRROR_H
#define CORE_STATE_MIRROR_H

#include "core/state/mirror_copy.h"
#include "core/state/renumber.h"

/*
 * A new registry under `path`, renamed into place when it is complete.
 */
int mirror_create(const char *path, const char *directory, const struct store *,
    struct error *);

/*
 * Refuse what mirror_create() would refuse at this moment: this user may not
 * replace the registry, or there is no room for it.
 */
int mirror_check_create(const char *path, const char *directory,
    const struct store *, struct error *);

/* A new one in memory that goes with this process: a descriptor, or -1. */
int mirror_create_private(const char *directory, const struct store *,
    struct error *);

/*
 * Bring the whole mirror in step with the directory, in its file, which grows
 * where the pod needs it; the copy is made anew.  What the IPUs counted goes
 * with their machines, where `moved` says that they moved.
 */
int mirror_fill(struct mirror *, struct registry *, const struct store *,
    const struct renumber *moved, struct error *);

/*
 * Slots of partitions, by their index in the table: a free one, the one of that
 * name, or -1; and setting one, where NULL frees it.
 */
int mirror_free_slot(const struct mirror *);
int mirror_find(const struct mirror *, const char *name);
int mirror_set(struct mirror *, const struct registry *, int slot,
    const struct partition *);

/* Set how a machine fares, by its index in the pod. */
int mirror_set_agent(struct mirror *, const struct registry *, int index,
    const struct agent *);

/*
 * Mark, and unmark, that the INI files may be ahead of the mirror.  A mark that
 * cannot be written is an error.
 */
int mirror_mark(const struct registry *, bool dirty, struct error *);

/* Set the time at which partitions/ was changed, as it was seen now. */
void mirror_set_stamp(const struct registry *, int64_t s, int64_t ns);

/*
 * Refuse a partition that breaks the mirror's rules: its name (ERROR_INVALID),
 * a place that the pod does not have (ERROR_INVALID), and one that is another
 * slot's (ERROR_NO_ROOM).
 */
int mirror_check(const struct mirror *, const struct partition *, int slot,
    struct error *);

/* Notify those who have a file of the mirror open that another took its
   place. */
void mirror_retire(int fd);

#endif
