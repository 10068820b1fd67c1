/*
 * The directory that a job's instances share on a host.  It is private to the
 * user (0700) and has an unguessable name, which IPUBOX_JOB_DIR passes on:
 * descriptors do not survive mpirun or Python's subprocess, and /proc may be
 * missing.
 *
 * poprun makes it and removes it at the end; its reaper and its supervisor
 * remove it if poprun was killed.  All hold a lock on a file in it.  If all
 * were killed, the lock is gone, and the user's next job removes the directory.
 */
#ifndef CORE_PROCESS_JOB_DIRECTORY_H
#define CORE_PROCESS_JOB_DIRECTORY_H

#include <sys/types.h>

#include <stddef.h>

#include "core/base/error.h"

#define JOB_DIRECTORY_VARIABLE "IPUBOX_JOB_DIR"

struct job_directory {
	char *path; /* absolute; NULL: not made */
	char *name; /* last part of the path */
	int above;  /* descriptor of the parent directory */
	int fd;	    /* descriptor of the directory */
	int owner;  /* descriptor of the file that is locked while the directory
		       is in use */
};

/* Begin without a directory; the functions below accept that. */
void job_directory_init(struct job_directory *);

/* Make a directory in the first of `count` places that allows it.  Skips a
   place that is NULL or not absolute.  -1: no place allows it; the reason is
   the last place's, and *d is without a directory. */
int job_directory_make(struct job_directory *, const char *const *places,
    size_t count, struct error *);

/* Return an unused path in `place` for job_directory_join(); the caller frees
   it.  Makes nothing on the disk. */
char *job_directory_new_path(const char *place);

/*
 * Join the processes of this host that share the directory of this path, or
 * leave them.  The first to join makes it and the last to leave removes it;
 * leaving also releases.  A forked child and its parent count as one: either
 * leaves for both.  Joining also removes stale directories, as below.  -1, *d
 * is without a directory: the path does not end with a job directory's name
 * (ERROR_INVALID), or it cannot be made, or is not private to this user.
 */
int job_directory_join(struct job_directory *, const char *path,
    struct error *);
void job_directory_leave(struct job_directory *);

/* Remove the directory with its contents from the disk, also while others use
   it.  Does nothing if it is gone. */
void job_directory_remove(const struct job_directory *);

/* Remove the directories beside it that killed jobs of this user left: the
   owner's file is not locked, or still missing after a minute. */
void job_directory_remove_stale(const struct job_directory *);

/* Close, which drops the lock, free, and begin again without a directory.  The
   directory stays on the disk. */
void job_directory_release(struct job_directory *);

/* For a program of a job: open `path`, the value of JOB_DIRECTORY_VARIABLE.
   Returns a close-on-exec descriptor; -1: it is gone, or others may use it. */
int job_directory_open(const char *path, struct error *);

/*
 * The running processes of a job: a file in the job's directory, in which the
 * supervisor holds one lock per process that it started, and one for itself.
 * The kernel drops the locks when the supervisor ends in any way, so a reused
 * process id is never mistaken for a live process.
 *
 *	pid of process 0, 1, 2 ...	32-bit integers, used only in messages
 *	byte N locked			process N has not been reaped
 *	byte ROSTER_SUPERVISOR locked	the supervisor runs
 *
 * Under mpirun the supervisor starts only its command, so the instances count
 * as running while that runs.
 */

enum { ROSTER_SUPERVISOR = 1 << 30 };

enum roster_state {
	ROSTER_RUNS,	     /* or was not started yet, or that is unknown */
	ROSTER_ENDED,	     /* the supervisor reaped it */
	ROSTER_NO_SUPERVISOR /* the supervisor has ended */
};

/* Make the file in the directory and lock all of it.  The supervisor must call
   it before it starts a process.  Returns a close-on-exec descriptor; or -1,
   which the functions below accept. */
int roster_make(int directory);

/* _started: record the pid of process `index`.  _ended: unlock its byte. */
void roster_started(int roster, int index, pid_t);
void roster_ended(int roster, int index);

/* Open the file for roster_look(); the descriptor is close-on-exec, or -1. */
int roster_open(int directory);

/* Return the state of process `index`, and set *pid to its pid; 0: unknown.
   `roster` is of roster_open(); with -1 the state is ROSTER_RUNS. */
enum roster_state roster_look(int roster, int index, pid_t *);

#endif
