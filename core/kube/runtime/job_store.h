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

enum job_kind {
	JOB_IPUJOB,
	JOB_CONFIG_MAP,
	JOB_SECRET,
	JOB_CLAIM,
	JOB_KINDS
};

struct job_store {
	struct directory	directory;
	int			lock;		/* -1: not held */
};

/*
 * Open it.  Where there is none it is made, or, where it is only to be looked
 * at, refused with ERROR_NOT_FOUND.  Its owner closes it in any case.
 * What a kill left half written in it is removed.
 */
int	job_store_open(struct job_store *, bool make, struct error *);
void	job_store_close(struct job_store *);

/* Be alone with it, for who adds and removes objects.  Waits 30 s at most. */
int	job_store_take(struct job_store *, struct error *);
void	job_store_drop(struct job_store *);

/*
 * The object, in the arena.  NULL: ERROR_NOT_FOUND where there is none, or why
 * it cannot be read.  Not for an IPUJob.
 */
struct yaml_node *job_store_read(const struct job_store *,
	    struct yaml_arena *, const char *space, enum job_kind,
	    const char *name, struct error *);

/* Put it in place of what has its name; it is its owner's alone (0600). */
int	job_store_write(const struct job_store *, const char *space,
	    enum job_kind, const char *name, const struct yaml_node *,
	    struct error *);

/* Remove it, a claim with what it holds; ERROR_NOT_FOUND where there is
   none. */
int	job_store_remove(const struct job_store *, const char *space,
	    enum job_kind, const char *name, struct error *);

/*
 * The namespaces there are, and the names of the objects of a kind in one,
 * sorted; the caller frees them by directory_names_free().  Their number, 0
 * also where there is none; or -1.
 */
long	job_store_spaces(const struct job_store *, char ***names,
	    struct error *);
long	job_store_names(const struct job_store *, const char *space,
	    enum job_kind, char ***names, struct error *);

/* The directory of a kind in a namespace, made or only opened; the caller
   closes it in any case. */
int	job_store_directory(const struct job_store *, const char *space,
	    enum job_kind, bool make, struct directory *, struct error *);

/*
 * The path, to be freed, of a directory that is made where it is missing: a
 * claim's volume; what stands for a volume from elsewhere, by the volume's
 * name; below which a namespace has what stands for paths of a host, without a
 * name.  NULL: why not.
 */
enum job_place { JOB_PLACE_CLAIM, JOB_PLACE_SERVED, JOB_PLACE_HOST };
char	*job_store_place(const struct job_store *, const char *space,
	    enum job_place, const char *name, struct error *);

/* A file of a directory as a tree, and the reverse; for job_entry.c too. */
struct yaml_node *job_store_read_in(const struct directory *,
	    struct yaml_arena *, const char *file, struct error *);
int	job_store_write_in(const struct directory *, const char *file,
	    const struct yaml_node *, struct error *);

#endif
