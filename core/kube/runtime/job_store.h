/*
 * The IPUJobs of this user and what they refer to, as objects in files:
 *
 *	jobs/lock				held while objects come and go
 *	jobs/NAMESPACE/KIND/NAME.json		a ConfigMap, a Secret, a claim
 *	jobs/NAMESPACE/claims/NAME/		what the claim's volume holds
 *	jobs/NAMESPACE/host/PATH		what a hostPath holds
 *	jobs/NAMESPACE/ipujobs/NAME/		an IPUJob (job_entry.h)
 *
 * It lies in the state directory where that is this user's own, else in
 * $XDG_STATE_HOME/ipubox-jobs (~/.local/state/ipubox-jobs): a job's processes
 * are its user's, and nobody else's to end.
 *
 * Names become file names: all that are given here were checked before
 * (core/base/parse.h), and so is each one that comes.
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

/* Opens it, to be closed in any case; a missing one is made, or refused with
   ERROR_NOT_FOUND.  Removes what a kill left half written in it. */
int job_store_open(struct job_store *, bool make, struct error *);
void job_store_close(struct job_store *);

/* Takes it, to add and remove objects; waits at most 30 s.  And gives it
   back. */
int job_store_take(struct job_store *, struct error *);
void job_store_drop(struct job_store *);

/* The object, in the arena; not of an IPUJob.  NULL: ERROR_NOT_FOUND, or why it
   cannot be read. */
struct yaml_node *job_store_read(const struct job_store *, struct yaml_arena *,
    const char *space, enum job_kind, const char *name, struct error *);

/* Writes it in place of the one of that name, for its owner alone (0600). */
int job_store_write(const struct job_store *, const char *space, enum job_kind,
    const char *name, const struct yaml_node *, struct error *);

/* Removes it, a claim with what it holds; -1: ERROR_NOT_FOUND. */
int job_store_remove(const struct job_store *, const char *space, enum job_kind,
    const char *name, struct error *);

/* All namespaces, and the names of the objects of a kind in one, sorted: their
   number, to be freed by directory_names_free(); or -1. */
long job_store_spaces(const struct job_store *, char ***names, struct error *);
long job_store_names(const struct job_store *, const char *space, enum job_kind,
    char ***names, struct error *);

/* The directory of a kind in a namespace, to be closed in any case. */
int job_store_directory(const struct job_store *, const char *space,
    enum job_kind, bool make, struct directory *, struct error *);

/*
 * The path, to be freed, of a directory that is made where it is missing: a
 * claim's volume; what stands for a volume from elsewhere, by the volume's
 * name; below which a namespace has what stands for paths of a host, without a
 * name.  NULL: why not.
 */
enum job_place { JOB_PLACE_CLAIM, JOB_PLACE_SERVED, JOB_PLACE_HOST };
char *job_store_place(const struct job_store *, const char *space,
    enum job_place, const char *name, struct error *);

/* A file of a directory as a tree, and the reverse; for job_entry.c too. */
struct yaml_node *job_store_read_in(const struct directory *,
    struct yaml_arena *, const char *file, struct error *);
int job_store_write_in(const struct directory *, const char *file,
    const struct yaml_node *, struct error *);

#endif
