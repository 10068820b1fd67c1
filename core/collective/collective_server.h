/*
 * The server of a job's collectives: a thread of poprun to which the instances'
 * programs connect (ipubox-link(7)).  It listens in the job's directory, is
 * told by the launch how instances end, and does the arithmetic.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_SERVER_H
#define CORE_COLLECTIVE_COLLECTIVE_SERVER_H

#include <sys/types.h>

#include "core/base/error.h"
#include "core/link/link.h"

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
   (see below), and close it later.  Thread-safe, after
   collective_server_start(). */
void collective_server_adopt(struct collective_server *, int fd);

/* Close the listening socket in a forked process, which must not use the server
   afterwards.  NULL is fine. */
void collective_server_leave(struct collective_server *);

/* End the thread, close all connections, remove "collectives" and free.  NULL
   is fine. */
void collective_server_free(struct collective_server *);

/*
 * Connects an instance's programs with a job's collectives, if poprun runs on
 * another host:
 *
 *	program --- socket in IPUBOX_JOB_DIR --- relay === TCP === poprun
 *
 * For each connection of a program the relay has one to poprun, where it proves
 * that it belongs to the job (core/link/link.h, visitors).  Messages pass
 * unchanged.  The contents of a program's memory travel as COLLECTIVE_BYTES
 * (collective_message.h): a vector before its call, a result before its answer.
 * Large sums bypass poprun: see `chained`.  A request for a mailbox is refused:
 * it is memory shared with poprun.  The libraries work without one.
 */

struct collective_relay {
	bool chained;		     /* all members use relays, so large sums go
					from relay to relay (relay_chain.h) */
	const char *directory;	     /* the programs' directory, private to this
					user */
	const char *address;	     /* of the job's link hub */
	const unsigned char *secret; /* of LINK_SECRET_BYTES */
	int instance;
};

/* Listen on the socket, replacing that of an earlier relay, and fork the
   process that serves.  That process is killed when the caller ends.  Returns
   its pid, which the caller reaps, or -1. */
pid_t collective_relay_start(const struct collective_relay *, struct error *);

#endif
