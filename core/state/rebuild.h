/*
 * Making the registry: in its file, or a new file in place of what cannot be
 * used.  Private to core/state; under the lock of the directory.
 */
#ifndef CORE_STATE_REBUILD_H
#define CORE_STATE_REBUILD_H

#include "core/base/error.h"
#include "core/state/mirror.h"
#include "core/state/state.h"
#include "core/state/store.h"

/*
 * Bring the registry in step with the files; it may be closed, and is open.
 * The copy becomes that of the new mirror; it may be all 0 before.
 */
int rebuild_registry(struct registry *, struct mirror *,
    const struct state_paths *, const struct directory *, struct error *);
/*
 * The same where what they say is known, and which machines moved, or NULL.
 */
int rebuild_from(struct registry *, struct mirror *, const struct state_paths *,
    const struct store *, const struct renumber *moved, struct error *);

/*
 * A registry in the memory of this process, of what the files say, for who can
 * read them where no registry can be made, or its writer was stopped in the
 * middle of a change.  The slots are those of the state where they can be read,
 * else they are all 0.  ERROR_UNAVAILABLE: a new pod is half in place, or it is
 * another one than that of the id, unless that is NULL.
 */
int rebuild_private(struct registry *, const struct state_paths *,
    const uint8_t *id, struct error *);

/*
 * Hold the file under the path of the registry before another is put in its
 * place, whatever is in it: in version 3 it has the locks of the IPUs.  Refused
 * while a program is attached through it.  *fd is -1 where there is no file;
 * the locks last until it is closed.
 */
int rebuild_lock(const char *path, int *fd, struct error *);
void rebuild_unlock(int fd);

/* Mark the old registry, if there is one: who opens it looks at the files. */
void rebuild_mark(const struct state_paths *);

/*
 * A new mirror of the pod that is in the files, in place of what is there, and
 * the slots, which slots_reserve() gave: all of them begin at 0.
 */
int rebuild_new(const struct state_paths *, const struct directory *,
    struct slots *, struct error *);

/* Notify those who have the old file open that another took its place. */
void rebuild_retire(const char *path, int fd);

#endif
