/*
 * The server of a job's collectives: a thread of poprun to which the instances'
 * programs connect (ipubox-link(7)).  It listens in the job's directory, is
 * told by the launch how instances end, and does the arithmetic.  The thread
 * starts with the first connection, since many programs have no collectives.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_SERVER_H
#define CORE_COLLECTIVE_COLLECTIVE_SERVER_H

#include <sys/types.h>

#include "core/base/error.h"

struct collective_server;

/* _new: listen at "collectives" in that directory, for a job of `instances`
   instances; NULL: failed.  Clients that connect wait until _start.  _fd: get
   the descriptor that becomes readable with the first client; -1 if the thread
   runs.  _start: start the thread; call it once, after the reaper was forked.
   Returns 0 or an errno; after that only _free may follow. */
struct collective_server *collective_server_new(const char *directory,
    int instances, struct error *);
int collective_server_fd(const struct collective_server *);
int collective_server_start(struct collective_server *);

/* Report that process pid, started as that instance, has ended with this status
   of waitpid(2).  The operations of members that wait for it fail at once.
   Only the thread that calls _start may call it. */
void collective_server_ended(struct collective_server *, int instance, pid_t,
    int status);

/* Take over the connection of a program on another host, which a relay forwards
   (collective_relay.h), and close it later.  The server must run.
   Thread-safe. */
void collective_server_adopt(struct collective_server *, int fd);

/* Close the listening socket in a forked process, which must not use the server
   afterwards.  NULL is fine. */
void collective_server_leave(struct collective_server *);

/* End the thread, close all connections, remove "collectives" and free.  NULL
   is fine. */
void collective_server_free(struct collective_server *);

#endif
