/*
 * Where the instances of a job meet on a host: a directory that is the user's
 * alone (0700), with a name that nobody can guess.  It is found by that name,
 * in IPUBOX_JOB_DIR: descriptors do not survive mpirun or Python's subprocess,
 * and /proc may be missing.
 *
 * poprun makes it and removes it at the end; its reaper and its supervisor do
 * when poprun was killed.  All hold a lock in it, so that the next job of the
 * same user knows, and removes, what was left where all were killed.
 */
#ifndef CORE_PROCESS_JOB_DIRECTORY_H
#define CORE_PROCESS_JOB_DIRECTORY_H

#include <stddef.h>

#include "core/base/error.h"

#define JOB_DIRECTORY_VARIABLE "IPUBOX_JOB_DIR"

struct job_directory {
	char *path; /* absolute; NULL: none was made */
	char *name; /* its last part */
	int above;  /* descriptor of the directory it is in */
	int fd;	    /* its own */
	int owner;  /* of a file whose lock says that it is used */
};

/* No directory yet; remove and release take that as well. */
void job_directory_init(struct job_directory *);

/*
 * Make one in the first of `count` places where that can be done, and remove
 * what killed jobs of this user left there.  A place that is NULL or not an
 * absolute path is passed over.  -1: there is none; errno is that of the last.
 */
int job_directory_make(struct job_directory *, const char *const *places,
    size_t count, struct error *);

/* A path in `place` that is free for one, to be freed; it is not made. */
char *job_directory_new_path(const char *place);

/*
 * Be one of the processes of this host that share the directory of that path,
 * of which the first makes it; and no longer be one, where the last removes it
 * and all release it.  A forked child counts as one with its parent.  -1: it
 * cannot be made, or it is not this user's alone.
 */
int job_directory_join(struct job_directory *, const char *path,
    struct error *);
void job_directory_leave(struct job_directory *);

/* Remove it with all that is in it.  Also where it is already gone. */
void job_directory_remove(const struct job_directory *);

/* Close and free; what is on the disk stays. */
void job_directory_release(struct job_directory *);

/*
 * For an instance: a descriptor of the directory at `path`, closed in programs
 * that are executed.  -1: it is gone, or it is not a directory that is this
 * user's alone.
 */
int job_directory_open(const char *path, struct error *);

#endif
