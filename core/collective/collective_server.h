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

/* Listen at "collectives" in that directory, for a job of `instances`
   instances; NULL: this failed.  Clients wait until collective_server_start()
   starts the thread.  Call that once, after the reaper was forked.  -1: the
   server does not run; free it. */
struct collective_server *collective_server_new(const char *directory,
    int instances, struct error *);
int collective_server_start(struct collective_server *, struct error *);

/* Report that the process started as the instance has ended, with this status
   of waitpid(2).  Members that wait for it fail at once.  Thread-safe, after
   collective_server_start(). */
void collective_server_ended(struct collective_server *, int instance, pid_t,
    int status);

/* Take over the connection of a program on another host, which a relay forwards
   (collective_relay.h), and close it later.  Thread-safe, after
   collective_server_start(). */
void collective_server_adopt(struct collective_server *, int fd);

/* Close the listening socket in a forked process, which then does not use the
   server.  NULL is fine. */
void collective_server_leave(struct collective_server *);

/* End the thread, close all connections, remove "collectives" and free.  NULL
   is fine. */
void collective_server_free(struct collective_server *);

#endif
