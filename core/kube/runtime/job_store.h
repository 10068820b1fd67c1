/*
 * The IPUJobs of this user and what they refer to, as objects in files:
 *
 *	jobs/lock				held to add or remove objects
 *	jobs/NAMESPACE/KIND/NAME.json		a ConfigMap, a Secret, a claim
 *	jobs/NAMESPACE/claims/NAME/		the files of the claim's volume
 *	jobs/NAMESPACE/volumes/NAME/		the same of a foreign volume
 *	jobs/NAMESPACE/host/PATH		the files of a hostPath
 *	jobs/NAMESPACE/ipujobs/NAME/		an IPUJob (job_entry.h)
 *
 * The store lies in the state directory if that belongs to this user alone,
 * else in $XDG_STATE_HOME/ipubox-jobs (~/.local/state/ipubox-jobs): only its
 * user can end a job's processes.
 *
 * Names become file names: each function refuses an unsafe one (ERROR_INVALID).
 */
#ifndef CORE_KUBE_RUNTIME_JOB_STORE_H
#define CORE_KUBE_RUNTIME_JOB_STORE_H

#include "core/base/files/directory.h"
#include "core/kube/yaml/yaml.h"

enum job_kind { JOB_IPUJOB, JOB_CONFIG_MAP, JOB_SECRET, JOB_CLAIM, JOB_KINDS };

struct job_store {
	struct directory directory;
	int lock; /* -1: not held */
};

/* _open: open the store, without its lock, and tidy it.  A missing store is
   created if `make`, else refused with ERROR_NOT_FOUND.  _close: close and
   unlock it, also after _open returned -1.  _tidy: remove leftovers of killed
   processes unless the store is locked; give a process that is removing a job
   2 s to finish. */
int job_store_open(struct job_store *, bool make, struct error *);
void job_store_close(struct job_store *);
void job_store_tidy(const struct job_store *);

/* _lock: lock the store, which the caller must do before it adds, replaces or
   removes objects; waits at most 30 s, also if this store has the lock already.
   -1: not locked.  _unlock: unlock it; does nothing if it is not locked. */
int job_store_lock(struct job_store *, struct error *);
void job_store_unlock(struct job_store *);

/* Read an object other than an IPUJob into the arena.  NULL: it is missing
   (ERROR_NOT_FOUND), or cannot be read. */
struct yaml_node *job_store_read(const struct job_store *, struct yaml_arena *,
    const char *space, enum job_kind, const char *name, struct error *);

/* Write an object other than an IPUJob, replacing one of that name.  A missing
   namespace is created.  Only this user can read the file (0600). */
int job_store_write(const struct job_store *, const char *space, enum job_kind,
    const char *name, const struct yaml_node *, struct error *);

/* Remove an object other than an IPUJob, and the files of a claim's volume; -1,
   ERROR_NOT_FOUND: it is missing. */
int job_store_remove(const struct job_store *, const char *space, enum job_kind,
    const char *name, struct error *);

/* _spaces: list all namespaces, sorted.  _names: list the objects of a kind in
   one namespace, sorted; a missing namespace has 0.  Both return the number,
   and the caller frees the names with directory_names_free(); or -1, with
   nothing to free. */
long job_store_spaces(const struct job_store *, char ***names, struct error *);
long job_store_names(const struct job_store *, const char *space, enum job_kind,
    char ***names, struct error *);

/* Open the directory of a kind in a namespace; the caller closes it also after
   -1.  Without `make`, a missing one is ERROR_NOT_FOUND. */
int job_store_directory(const struct job_store *, const char *space,
    enum job_kind, bool make, struct directory *, struct error *);

/* Return the path of a directory, created if it is missing; the caller frees
   the path.  CLAIM: a claim's volume; SERVED: the substitute of a foreign
   volume of that name; HOST: the root for substitutes of hostPaths in a
   namespace, without a look at the name.  NULL: it cannot be created. */
enum job_place { JOB_PLACE_CLAIM, JOB_PLACE_SERVED, JOB_PLACE_HOST };
char *job_store_place(const struct job_store *, const char *space,
    enum job_place, const char *name, struct error *);

/* _read_in: read a file as a tree in the arena; NULL on failure (an empty file
   is ERROR_DAMAGED).  _write_in: replace a file by a tree. */
struct yaml_node *job_store_read_in(const struct directory *,
    struct yaml_arena *, const char *file, struct error *);
int job_store_write_in(const struct directory *, const char *file,
    const struct yaml_node *, struct error *);

#endif
