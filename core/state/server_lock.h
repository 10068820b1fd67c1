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

#include "core/state/lock.h"

enum { SERVER_LOCK_BYTE = 1 };

/* Become the server by locking STATE/lock, which must exist.  Returns a
   close-on-exec descriptor that holds the lock until server_lock_give_back(),
   or -1.  ERROR_BUSY: another process is the server, which the text names. */
int server_lock_take(const struct directory *, struct error *);
/* Become the server by locking an open file that will replace STATE/lock.
   Returns 0, and `fd` holds the lock; -1 as above, and `fd` stays open. */
int server_lock_take_file(int fd, const char *directory, struct error *);
/* Stop being the server, and close the descriptor. */
void server_lock_give_back(int fd);

/*
 * Return 0, or -1 if another process is the server (ERROR_BUSY; the text names
 * it and how to end it).  `fd` is any descriptor of STATE/lock.
 * server_lock_check_path() opens the file itself; if it cannot, it returns 0,
 * because the rights of the other files protect them.
 */
int server_lock_check(int fd, const char *directory, struct error *);
int server_lock_check_path(const char *directory, struct error *);

/* Whether any process is the server, also this one; but `fd` must not be the
   descriptor that holds the lock.  False if that cannot be determined. */
bool server_lock_is_held(int fd);
/* Whether this process is the server of any directory. */
bool server_lock_is_own(void);

/* Read the server's record.  Returns false, with the record all 0, without a
   server or if STATE/lock cannot be opened. */
bool server_lock_find_holder(const char *directory, struct lock_holder *);

#endif
