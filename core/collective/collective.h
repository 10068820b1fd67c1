/*
 * The sum of float vectors over the replicas of one job, with a fixed order of
 * additions (replica 0, 1, 2, ...), so that every replica gets the same bits.
 *
 * The replicas of one process are threads.  Processes exchange data through
 * shared memory or, on any hosts, in a chain (collective_way.h).  Both give the
 * same bits.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_H
#define CORE_COLLECTIVE_COLLECTIVE_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/link/link.h"

enum { COLLECTIVE_REPLICAS_MAX = 1024, COLLECTIVE_PARTS_MAX = 65 };

/* How a sum travels between processes. */
enum collective_by { COLLECTIVE_BY_MEMORY, COLLECTIVE_BY_CHAIN };

struct collective_config {
	const char *directory; /* the job's; NULL: this process is the whole
				  job */
	int total;	       /* replicas of the job */
	int first;	       /* this process has replicas first .. */
	int local;	       /* .. first + local - 1 */
	int part_count;
	size_t floats[COLLECTIVE_PARTS_MAX]; /* of each part */
	enum collective_by by;		     /* ignored without a directory */
	uint64_t sizes;	  /* set by collective_open(): a hash of total and
			     parts */
	uint64_t begin;	  /* hash of the state at the start; a chain refuses
			     members that differ */
	int join_seconds; /* limit of the wait for a running process that has
			     not joined; in memory only */
	/* Asked every 100 ms while a replica waits; -1 ends the wait.  In
	   memory also asked when a process leaves, and when the wait begins,
	   then with the result ignored.  NULL: not asked. */
	int (*trouble)(const void *context, struct error *);
	const void *context;
};

struct collective;

/* The user's choice: "memory" or "chain". */
#define COLLECTIVE_VARIABLE "IPUBOX_COLLECTIVES"

/* Translate the variable's value; NULL means memory.  -1: another value; *by is
   memory. */
int collective_choose(const char *, enum collective_by *, struct error *);

/* Join the job without waiting for the others.  Returns NULL with the error
   set, for example if the directory is missing or not private to this user;
   in memory also for too many replicas or bytes, a replica that another
   process has, or a job that has failed already; in a chain if poprun does
   not answer. */
struct collective *collective_open(const struct collective_config *,
    struct error *);

/* Report that a replica of this process failed: collective_sum() of the other
   replicas here, running or later, fails too.  Other processes only learn it
   from collective_close(). */
void collective_fail(struct collective *);

/* Leave the job and free the collective; NULL is fine.  If `failed`,
   collective_sum() of the other processes fails too. */
void collective_close(struct collective *, bool failed);

/*
 * Replace `data` (floats[part] numbers) by the sum over all replicas, with the
 * same bits everywhere.  `replica` is the number in the job.  In each round,
 * each replica must call it once for each part.  Different threads may sum
 * independent parts at the same time.
 *
 * Returns -1, within about 100 ms, if a replica was killed, ended while others
 * wait, ended without joining, failed, or has other sizes; if the supervisor is
 * gone; or if trouble() returns -1.  In memory also if a running process has
 * not joined after join_seconds.  After -1 the collective can only be closed.
 */
int collective_sum(struct collective *, int part, int replica, float *data,
    struct error *);

/*
 * The client of a job's collectives (ipubox-link(7)), for ipubox's own
 * programs.  It is one connection, used by one thread at a time.
 */

struct collective_client;

struct collective_member {
	const char *directory; /* the job's; NULL: this member is alone and
				  needs no server */
	int instance;
	const char *group;   /* "": the group of all instances */
	int member, members; /* number in the group, from 0; size of it */
	int timeout_ms;	     /* limit for connecting and for each operation; 0:
				no limit */
	/* Called when an operation begins to wait, with error NULL and the
	   result ignored; then every 100 ms while it waits.  A result of -1
	   then ends the operation and the connection.  May be NULL. */
	int (*look)(const void *context, struct error *);
	const void *context;
};

/* Join without waiting for the other members.  NULL: poprun cannot be reached
   or refuses the member. */
struct collective_client *
collective_client_open(const struct collective_member *, struct error *);

/* Leave; `for_good`: this member will not come back.  NULL is fine. */
void collective_client_close(struct collective_client *, bool for_good);

/*
 * Each operation waits until all members have called it with the same id of 1
 * to 255 bytes.  Returns 0, or -1 with the reason: ERROR_TIMED_OUT if the
 * others or poprun took too long, ERROR_UNAVAILABLE if a member or poprun has
 * ended, ERROR_INVALID for arguments that are not valid or differ between
 * members.  Once the connection is lost, each operation fails.
 */
int collective_client_barrier(struct collective_client *, const char *id,
    struct error *);
/* Replace `count` elements, of an enum element_type, each by its sum over all
   members. */
int collective_client_sum(struct collective_client *, const char *id, int type,
    void *data, size_t count, struct error *);
/* Fill `out`, of count * members elements, with the `count` elements of each
   member, in member order. */
int collective_client_gather(struct collective_client *, const char *id,
    int type, const void *data, void *out, size_t count, struct error *);
/* Replace `data` of all members by that of the member number `root`. */
int collective_client_broadcast(struct collective_client *, const char *id,
    int type, void *data, size_t count, int root, struct error *);

/*
 * The server of a job's collectives: a thread of poprun to which the instances'
 * programs connect (ipubox-link(7)).  It listens in the job's directory, is
 * told by the launch how instances end, and does the arithmetic.  The thread
 * starts with the first connection, since many programs have no collectives.
 */

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
   (see below), and close it later.  The server must run.  Thread-safe. */
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
