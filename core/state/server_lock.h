/*
 * How a server shows that it owns a state directory: it holds byte
 * SERVER_LOCK_BYTE of STATE/lock (lock.h) for as long as it lives, whatever
 * ends it, and leaves a record of itself behind that of the writer.
 *
 * Whoever is about to change the state asks here whether it may: before it
 * takes the writer's lock, so that it does not wait for a server that hangs,
 * and again under it, so that no server has come meanwhile.
 */
#ifndef CORE_STATE_SERVER_LOCK_H
#define CORE_STATE_SERVER_LOCK_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"
#include "core/state/lock.h"

enum { SERVER_LOCK_BYTE = 1 };

/*
 * Take it in the directory's file, or in one that becomes the directory's file
 * under its lock: a descriptor, close-on-exec, which holds the lock until
 * server_lock_give_back().  This process is the server from now on.  -1:
 * ERROR_BUSY, another server has it, and the text says which.
 */
int server_lock_take(const struct directory *, struct error *);
int server_lock_take_file(int fd, const char *directory, struct error *);
void server_lock_give_back(int fd);

/*
 * Refuse what only the server may do, where another process is the server of
 * the directory (ERROR_BUSY); the text names it and what helps.  `fd` is any
 * descriptor of the file.  _path: the same where none is open; who may not even
 * open it is not refused here, for the rights of all other files do that.
 */
int server_lock_check(int fd, const char *directory, struct error *);
int server_lock_check_path(const char *directory, struct error *);

/* Whether any process is the server, this one as well; and whether this one
   is, of whatever directory. */
bool server_lock_is_held(int fd);
bool server_lock_is_own(void);

/* Who is the server, as its record says.  false: nobody is. */
bool server_lock_find_holder(const char *directory, struct lock_holder *);

#endif
