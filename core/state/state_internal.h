/*
 * What the other files of core/state ask of the state.  Private to core/state
 * and its tests.
 *
 * A reader that finds a registry half written asks whether its writer is alive,
 * and repairs it where it is not.
 */
#ifndef CORE_STATE_STATE_INTERNAL_H
#define CORE_STATE_STATE_INTERNAL_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/state/paths.h"
#include "core/state/state.h"

/*
 * Whether a program holds the lock of the state directory; as if one did where
 * that cannot be found out, false where there is no such directory.
 */
bool state_has_writer(const char *directory);

/*
 * Bring the registry `path` of the state directory in step with its files,
 * under the lock, which it waits for.
 */
int state_repair(const char *directory, const char *path, struct error *);

/*
 * A state on these paths with its directory made and open, nothing else done;
 * and its lock, for which it waits at most limit_ms (lock.h).
 */
int state_begin(struct state *, const struct state_paths *, struct error *);
int state_take_lock(struct state *, int64_t limit_ms, struct error *);

/*
 * One change of the files and of the mirror, in the one order that a kill at
 * any point leaves whole; under the writer's lock, after the checks of state.c:
 *
 *	mark the registry dirty	-> the INI file -> the mirror -> unmark
 *
 * A kill anywhere leaves the mark or nothing, and the mark has the mirror made
 * from the files again.
 *
 * The checks of mirror_copy.h keep a writer in its memory.  They do not keep a
 * neighbour from a lie that has the right checksum, as that a partition has
 * expired.  So a file is replaced or removed only where it says what the mirror
 * does, and no file is written over one that the mirror does not show.
 *
 * Write the partition's file and its slot, which may be free; remove those of
 * the partition in a slot; write how the machine of that index fares.  0: it is
 * on the disk.  -1: nothing has changed; but with ERROR_UNCONFIRMED it may
 * have.  ERROR_STALE: the mirror does not say what the file does;
 * then the registry is marked, and the next lock makes it again from the files.
 */
int change_put_partition(struct state *, int slot, const struct partition *,
    struct error *);
int change_remove_partition(struct state *, int slot, struct error *);
int change_put_agent(struct state *, int index, const struct agent *,
    struct error *);

/* ERROR_STALE, in the same way, where the files have a partition of a name that
   the mirror does not have, or not as many as the mirror. */
int change_check_absent(const struct state *, const char *name, struct error *);

/* A user's INI text, which the caller frees. */
char *user_store_text(const struct user *);

#endif
