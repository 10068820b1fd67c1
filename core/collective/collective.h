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

/* Most replicas of a sum in memory; most parts. */
enum { COLLECTIVE_REPLICAS_MAX = 1024, COLLECTIVE_PARTS_MAX = 65 };

/* How a sum travels between processes. */
enum collective_by { COLLECTIVE_BY_MEMORY, COLLECTIVE_BY_CHAIN };

struct collective_config {
	const char *directory; /* NULL: this process is the whole job */
	int total;	       /* replicas of the job */
	int first;	       /* this process has replicas first .. */
	int local;	       /* .. first + local - 1 */
	int part_count;
	size_t floats[COLLECTIVE_PARTS_MAX]; /* of each part */
	enum collective_by by;		     /* ignored if local == total */
	/* Set by collective_open() in its own copy: hash of total and parts. */
	uint64_t sizes;
	/* Hash of the state at the start.  In a chain the first sum fails if
	   members differ. */
	uint64_t begin;
	/* In memory: limit of the wait for the lock of the directory, and in a
	   sum for a running process that has not joined. */
	int join_seconds;
	/* Asked every 100 ms while a replica waits; -1, with the error set,
	   ends the wait.  Also asked when a wait begins, with error NULL and
	   the result ignored, and in memory when a process leaves.  Several
	   threads may ask at once.  NULL: not asked. */
	int (*trouble)(const void *context, struct error *);
	const void *context;
};

struct collective;

/* The user's choice: "memory" or "chain". */
#define COLLECTIVE_VARIABLE "IPUBOX_COLLECTIVES"

/* Translate the variable's value; NULL means memory.  -1: another value; *by is
   memory. */
int collective_choose(const char *, enum collective_by *, struct error *);

/* Join the job without waiting for the others.  `directory` and `context` must
   last until collective_close().  Returns NULL with the error set, for example
   if the directory is missing or not private to this user; in memory also for
   too many replicas or bytes, a replica that another process has, or a job that
   has failed already.  In a chain it waits for poprun's answer without limit;
   NULL if poprun ends or trouble() returns -1. */
struct collective *collective_open(const struct collective_config *,
    struct error *);

/* Report that a replica of this process failed: collective_sum() of the other
   replicas here, running or later, fails too.  Other processes only learn it
   from collective_close(). */
void collective_fail(struct collective *);

/* Leave the job and free the collective; NULL is fine.  If `failed`,
   collective_sum() of the other processes fails too; else only those that need
   this process.  In a chain it waits at most 5 s for poprun. */
void collective_close(struct collective *, bool failed);

/*
 * Wait until all replicas have called it for this part, then replace `data`
 * (floats[part] numbers) by the sum.  `replica` is the number in the job.  In
 * each round each replica, a thread of its own, must call it once for each
 * part.  Different threads may sum different parts at the same time.
 *
 * Returns -1, in memory within about 100 ms, in a chain within seconds, if a
 * replica was killed, ended while others wait, ended without joining, failed,
 * or has other sizes; if the supervisor is gone; or if trouble() returns -1.
 * Also if a running process has in memory not joined after join_seconds, or in
 * a chain does not connect within 30 s.  After -1 `data` is undefined, and the
 * collective can only be closed.
 */
int collective_sum(struct collective *, int part, int replica, float *data,
    struct error *);

/* The client of a job's collectives (ipubox-link(7)), for ipubox's own
   programs.  It is one connection, used by one thread at a time. */

struct collective_client;

struct collective_member {
	const char *directory; /* the job's; NULL: alone, needs no server */
	int instance;
	const char *group;   /* "": the group of all instances */
	int member, members; /* number in the group, from 0; size of it */
	int timeout_ms;	     /* to connect and per operation; 0: no limit */
	/* Called when an operation begins to wait, with error NULL and the
	   result ignored; then every 100 ms while it waits.  A result of -1
	   then ends the operation and the connection.  May be NULL. */
	int (*look)(const void *context, struct error *);
	const void *context;
};

/* Join: wait for poprun, not for the other members.  NULL: poprun cannot be
   reached or refuses the member, or look() returned -1. */
struct collective_client *
collective_client_open(const struct collective_member *, struct error *);

/* Leave and free; waits at most 5 s for poprun.  `for_good`: this member will
   not come back, so the others' later operations fail.  NULL is fine. */
void collective_client_close(struct collective_client *, bool for_good);

/*
 * Each operation waits until all members have called it with the same id of 1
 * to 255 bytes.  Returns 0, or -1 with the reason and the vectors unchanged:
 * ERROR_TIMED_OUT if the others or poprun took too long, ERROR_UNAVAILABLE if a
 * member or poprun has ended, ERROR_INVALID for arguments that are not valid or
 * differ between members, ERROR_NO_ROOM for too many elements, or what look()
 * set.  Once the connection is lost, each operation fails.
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

/* The server of a job's collectives: a thread of poprun to which the instances'
   programs connect (ipubox-link(7)).  It listens in the job's directory, is
   told by the launch how instances end, and does the arithmetic.  The thread
   starts with the first connection, since many programs have no collectives. */

struct collective_server;

/* _new: listen at "collectives" in that directory, for a job of `instances`
   instances; NULL: failed.  Clients that connect wait until _start.  _fd: get
   the descriptor that becomes readable with the first client; -1 if the thread
   runs.  _start: start the thread, and raise RLIMIT_NOFILE until _free; call it
   once, after the reaper was forked.  Returns 0 or an errno; after an errno
   only _free may follow. */
struct collective_server *collective_server_new(const char *directory,
    int instances, struct error *);
int collective_server_fd(const struct collective_server *);
int collective_server_start(struct collective_server *);

/* Report that process pid, started as that instance, has ended with this status
   of waitpid(2).  The operations of members that wait for it fail at once.
   Only the thread that calls _start may call it, before _start too. */
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
	bool chained;		     /* all members use relays: large sums go
					from relay to relay (relay_chain.h) */
	const char *directory;	     /* of the programs; private to the user */
	const char *address;	     /* of the job's link hub */
	const unsigned char *secret; /* of LINK_SECRET_BYTES */
	int instance;
};

/* Listen at "collectives" in the programs' directory, replacing the socket of
   an earlier relay, and fork a process that serves and is killed when the
   calling thread ends.  Returns its pid, which the caller reaps, or -1. */
pid_t collective_relay_start(const struct collective_relay *, struct error *);

#endif
