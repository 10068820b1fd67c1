/*
 * The IPUJobs of this user and what they refer to, as objects in files:
 *
 *	jobs/lock				held to add or remove objects
 *	jobs/NAMESPACE/KIND/NAME.json		a ConfigMap, a Secret, a claim
 *	jobs/NAMESPACE/claims/NAME/		the files of the claim's volume
 *	jobs/NAMESPACE/host/PATH		the files of a hostPath
 *	jobs/NAMESPACE/ipujobs/NAME/		an IPUJob (job_entry.h)
 *
 * It lies in the state directory if that belongs to this user, else in
 * $XDG_STATE_HOME/ipubox-jobs (~/.local/state/ipubox-jobs): only its user can
 * end a job's processes.
 *
 * Names become file names: callers check them first (core/base/parse.h), and
 * names that are read from directories are checked here.
 */
#ifndef CORE_KUBE_RUNTIME_JOB_STORE_H
#define CORE_KUBE_RUNTIME_JOB_STORE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"
#include "core/kube/yaml/yaml.h"

enum job_kind { JOB_IPUJOB, JOB_CONFIG_MAP, JOB_SECRET, JOB_CLAIM, JOB_KINDS };

struct job_store {
	struct directory directory;
	int lock; /* -1: not held */
};

/* Open it; the caller closes it in any case.  A missing store is created, or
   refused with ERROR_NOT_FOUND.  Leftovers of killed processes are removed. */
int job_store_open(struct job_store *, bool make, struct error *);
void job_store_close(struct job_store *);

/* Lock it, to add and remove objects, waiting at most 30 s; unlock it. */
int job_store_lock(struct job_store *, struct error *);
void job_store_unlock(struct job_store *);

/* Read an object other than an IPUJob into the arena.  NULL: ERROR_NOT_FOUND,
   or the reason. */
struct yaml_node *job_store_read(const struct job_store *, struct yaml_arena *,
    const char *space, enum job_kind, const char *name, struct error *);

/* Write an object, replacing one of that name, for its owner alone (0600). */
int job_store_write(const struct job_store *, const char *space, enum job_kind,
    const char *name, const struct yaml_node *, struct error *);

/* Remove an object, and the contents of a claim; -1: ERROR_NOT_FOUND. */
int job_store_remove(const struct job_store *, const char *space, enum job_kind,
    const char *name, struct error *);

/* List all namespaces, or the names of the objects of a kind in one, sorted.
   Returns their number, freed with directory_names_free(), or -1. */
long job_store_spaces(const struct job_store *, char ***names, struct error *);
long job_store_names(const struct job_store *, const char *space, enum job_kind,
    char ***names, struct error *);

/* Open the directory of a kind in a namespace; the caller always closes it. */
int job_store_directory(const struct job_store *, const char *space,
    enum job_kind, bool make, struct directory *, struct error *);

/* Return the path of a directory, created if it is missing; the caller frees
   it.  A claim's volume; the substitute of a foreign volume, by the volume's
   name; or (without a name) the root for substitutes of host paths in a
   namespace.  NULL: the reason. */
enum job_place { JOB_PLACE_CLAIM, JOB_PLACE_SERVED, JOB_PLACE_HOST };
char *job_store_place(const struct job_store *, const char *space,
    enum job_place, const char *name, struct error *);

/* Read a file of a directory as a tree, and write one; also for job_entry.c. */
struct yaml_node *job_store_read_in(const struct directory *,
    struct yaml_arena *, const char *file, struct error *);
int job_store_write_in(const struct directory *, const char *file,
    const struct yaml_node *, struct error *);

#endif
