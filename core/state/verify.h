/*
 * What the mirror says of one partition beside what its file says.  Private to
 * core/state; under the writer's lock.
 *
 * The checks of mirror_copy.h keep a writer in its memory.  They do not keep a
 * neighbour from a lie that has the right checksum, as that a partition has
 * expired.  So a file is replaced or removed only where it says what the mirror
 * does, and no file is written over one that the mirror does not show.
 */
#ifndef CORE_STATE_VERIFY_H
#define CORE_STATE_VERIFY_H

#include "core/base/error.h"
#include "core/state/mirror_copy.h"
#include "core/state/state.h"

/*
 * Whether the file of the partition in that slot says the same; 0 also where
 * there is no such file.  ERROR_STALE where it does not: then the registry is
 * marked, and whoever locks next makes it again from the files.
 */
int	verify_partition(const struct state *, int slot, struct error *);

/* The same for a name that the mirror does not have, and for all together. */
int	verify_absent(const struct state *, const char *name, struct error *);

#endif
