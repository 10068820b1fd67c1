/*
 * The file in a job's directory that holds the replicas' shared memory.  The
 * first process makes it, and each live process locks a part.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_FILE_H
#define CORE_COLLECTIVE_COLLECTIVE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

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

/* Remove the file's name after all processes have joined. */
void collective_file_unlink(int directory);

#endif
