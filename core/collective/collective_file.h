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
   until its descriptor is closed.  -1: still locked after `seconds`. */
int collective_file_lock_directory(int directory, int seconds, struct error *);

/* Open the file, or make it with `whole` bytes, the first `size` of them
   allocated.  Returns a descriptor, or -1 if the file is not private to this
   user or the space runs out. */
int collective_file_open(int directory, size_t size, size_t whole,
    struct error *);

/* Lock these replicas' bytes while the descriptor is open. */
int collective_file_lock(int fd, int first, int count, struct error *);

/* Return true if another descriptor has locked this replica. */
bool collective_file_is_locked(int fd, int replica);

/* Remove the file's name after all processes have joined. */
void collective_file_unlink(int directory);

#endif
