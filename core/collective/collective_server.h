/*
 * The collectives of a job: a thread of poprun, at which the programs of the
 * instances meet (ipubox-link(7)).  It listens in the job's directory, learns
 * from the launch how instances end, and does the arithmetic.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_SERVER_H
#define CORE_COLLECTIVE_COLLECTIVE_SERVER_H

#include <sys/types.h>

#include "core/base/error.h"

struct collective_server;

/*
 * Listen at "collectives" in that directory, for a job of so many instances.
 * Nothing runs before collective_server_start(), which starts the thread, once:
 * after the fork of the reaper.  Until then who connects waits.
 */
struct collective_server *collective_server_new(const char *directory,
    int instances, struct error *);
int collective_server_start(struct collective_server *, struct error *);

/*
 * The process that was started as the instance has ended, with this status of
 * waitpid(2).  Any thread may call; those who wait for it learn it at once.
 */
void collective_server_ended(struct collective_server *, int instance, pid_t,
    int status);

/* A program on another host, for which a relay speaks (collective_relay.h).
   The descriptor is the server's from now on.  Any thread may call. */
void collective_server_adopt(struct collective_server *, int fd);

/*
 * In a forked process, which does not serve: close its copy of what only
 * poprun may listen at.  NULL is fine.
 */
void collective_server_leave(struct collective_server *);

/* End the thread, close all connections and free.  NULL is fine. */
void collective_server_free(struct collective_server *);

#endif
