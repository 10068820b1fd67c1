/*
 * The file in a job's directory that is the memory of its replicas: made by the
 * first that comes, locked by all that live.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_FILE_H
#define CORE_COLLECTIVE_COLLECTIVE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/*
 * The directory's lock: who has it looks, makes, joins and unlinks.  It goes
 * with the descriptor.
 */
int collective_file_lock_directory(int directory, int seconds, struct error *);

/*
 * A descriptor of the file, made where there is none with `whole` bytes, of
 * which the first `size` are there for sure.  -1: it is not this user's alone,
 * or there is no room.
 */
int collective_file_open(int directory, size_t size, size_t whole,
    struct error *);

/* Lock the bytes of these replicas, as long as the descriptor is open. */
int collective_file_lock(int fd, int first, int count, struct error *);

/* Whether another descriptor has that of this replica locked. */
bool collective_file_is_locked(int fd, int replica);

/* All are here: it needs no name any more. */
void collective_file_unlink(int directory);

#endif
