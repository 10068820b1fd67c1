/*
 * The implementations that collective_open() chooses from.  Each has a table of
 * functions, and a struct that begins with struct collective.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_WAY_H
#define CORE_COLLECTIVE_COLLECTIVE_WAY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/collective/collective.h"

/* collective_sum(), collective_fail(), collective_close() */
struct collective_way {
	int (*sum)(struct collective *, int part, int replica, float *data,
	    struct error *);
	void (*fail)(struct collective *);
	void (*close)(struct collective *, bool failed);
};

struct collective {
	const struct collective_way *way;
};

/*
 * Sums through shared memory.  The replicas of one process are threads;
 * instances share a file in the job's directory (core/process/job_directory.h).
 * The first process makes the file and the last one to join unlinks it.  The
 * kernel frees the nameless memory when the last process ends.  Each process
 * holds a lock for each of its replicas, which shows the others that it lives.
 * The supervisor's locks show whether a process may still join
 * (core/process/job_directory.h).
 */
struct collective *collective_memory_open(const struct collective_config *,
    struct error *);

/* Sums in a chain of the job's processes on any hosts (collective_lane.h).
   Each part has a lane.  The processes find each other through poprun
   (collective.h), with a secret that the first one draws; poprun reports lost
   processes.  Needs the job's directory. */
struct collective *collective_chain_open(const struct collective_config *,
    struct error *);

/* The file in a job's directory that holds the replicas' shared memory.  The
   first process makes it, and each live process locks a part. */

/* Lock the open directory for examining, making, joining or unlinking the file,
   until its descriptor is closed.  -1: it cannot be locked, or another process
   has had it locked for `seconds`. */
int collective_file_lock_directory(int directory, int seconds, struct error *);

/* Open the file, or make it with a size of `whole` bytes.  Then allocate the
   first `size` bytes.  Returns a descriptor that the caller closes, or -1 if
   the file cannot be opened, is not private to this user or the space runs
   out. */
int collective_file_open(int directory, size_t size, size_t whole,
    struct error *);

/* Lock the bytes of replicas first to first + count - 1 while the descriptor is
   open.  -1: another process has locked one of them. */
int collective_file_lock(int fd, int first, int count, struct error *);

/* Return true if another descriptor has locked this replica, or the lock cannot
   be read. */
bool collective_file_is_locked(int fd, int replica);

/* Remove the file's name; to be called after all processes have joined. */
void collective_file_unlink(int directory);

#endif
