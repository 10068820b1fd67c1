/*
 * The server of a job's collectives: a thread of poprun to which the instances'
 * programs connect (ipubox-link(7)).  It listens in the job's directory, is
 * told by the launch how instances end, and does the arithmetic.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_SERVER_H
#define CORE_COLLECTIVE_COLLECTIVE_SERVER_H

#include <sys/types.h>

#include "core/base/error.h"

struct collective_server;

/* _new: listen at "collectives" in that directory, for a job of `instances`
   instances; NULL: failed.  Clients that connect wait until _start.  _start:
   start the thread.  It must be called once, after the reaper was forked.  -1:
   failed; only _free may follow. */
struct collective_server *collective_server_new(const char *directory,
    int instances, struct error *);
int collective_server_start(struct collective_server *, struct error *);

/* Report that process pid, started as that instance, has ended with this status
   of waitpid(2).  The operations of members that wait for it fail at once.
   Thread-safe, after collective_server_start(). */
void collective_server_ended(struct collective_server *, int instance, pid_t,
    int status);

/* Take over the connection of a program on another host, which a relay forwards
   (collective_relay.h), and close it later.  Thread-safe, after
   collective_server_start(). */
void collective_server_adopt(struct collective_server *, int fd);

/* Close the listening socket in a forked process, which must not use the server
   afterwards.  NULL is fine. */
void collective_server_leave(struct collective_server *);

/* End the thread, close all connections, remove "collectives" and free.  NULL
   is fine. */
void collective_server_free(struct collective_server *);

#endif
