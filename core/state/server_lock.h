/*
 * How a server shows that it owns a state directory: it holds byte
 * SERVER_LOCK_BYTE of STATE/lock (lock.h) while it lives, and leaves a record
 * after the writer's.
 *
 * A process that wants to change the state checks this lock twice: before it
 * takes the writer's lock, so that it does not wait for a hanging server, and
 * again under it, in case a server has started meanwhile.
 */
#ifndef CORE_STATE_SERVER_LOCK_H
#define CORE_STATE_SERVER_LOCK_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"
#include "core/state/lock.h"

enum { SERVER_LOCK_BYTE = 1 };

/*
 * Become the server: lock the directory's file, or a file that will replace it.
 * Returns a close-on-exec descriptor that holds the lock until
 * server_lock_give_back().  -1: ERROR_BUSY, with a text that names the other
 * server.
 */
int server_lock_take(const struct directory *, struct error *);
int server_lock_take_file(int fd, const char *directory, struct error *);
void server_lock_give_back(int fd);

/*
 * Refuse what only the server may do if another process is the server
 * (ERROR_BUSY, naming it and the remedy).  `fd` is any descriptor of the file.
 * _path: for a file that is not open; one that cannot be opened is not refused
 * here, because the rights of the other files do that.
 */
int server_lock_check(int fd, const char *directory, struct error *);
int server_lock_check_path(const char *directory, struct error *);

/* Whether any process, including this one, is the server; whether this process
   is the server of any directory. */
bool server_lock_is_held(int fd);
bool server_lock_is_own(void);

/* Find the server's record.  Returns false without a server. */
bool server_lock_find_holder(const char *directory, struct lock_holder *);

#endif
