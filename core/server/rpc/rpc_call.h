/*
 * A call at the server, as a service sees it.
 *
 * A service is a table of methods.  `take` gets the request and answers at
 * once, or keeps the call and answers from a timer, another call, or whatever
 * else this thread runs.  A call that is kept ends by rpc_call_reply(),
 * rpc_call_finish() or rpc_call_refuse(), or `end` is called because nobody
 * waits any more: behind each of them the pointer is of no more use.
 *
 *	static void
 *	version_take(struct rpc_call *call, const void *bytes, size_t size)
 *	{
 *		...
 *		if (rpc_message_decode(...) != 0)
 *			rpc_call_refuse(call, &e);
 *		else
 *			rpc_call_reply(call, answer, answer_size);
 *	}
 */
#ifndef CORE_SERVER_RPC_RPC_CALL_H
#define CORE_SERVER_RPC_RPC_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/server/rpc/rpc_status.h"

struct rpc_call;

/* Who calls. */
struct rpc_peer {
	bool is_local; /* through a unix socket: the kernel says who */
	uid_t uid;     /* these three only then */
	gid_t gid;
	pid_t pid;
	char text[64]; /* "10.1.3.101:40312", "[::1]:7", "uid 1000, pid 77": for
			  a log */
};

/* Why nobody waits for the answer any more. */
enum rpc_end {
	RPC_END_CANCELLED, /* the caller said so */
	RPC_END_DEADLINE,  /* its time is over; it is told */
	RPC_END_CLOSED,	   /* its connection is gone */
	RPC_END_STOPPED	   /* the server stops; it is told */
};

struct rpc_method {
	const char *path; /* "/virmgrpc.VersionService/GetVersion" */
	/* Messages may come and go as long as the call lasts.  Else one comes,
	   and one goes. */
	bool is_stream;
	/* A message is there; the bytes are until it returns. */
	void (*take)(struct rpc_call *, const void *bytes, size_t size);
	/* Of a stream: the caller sends no more.  NULL: the call ends well. */
	void (*half_close)(struct rpc_call *);
	/* Called at most once, for a call that `take` has seen and that has not
	   ended.  NULL: nothing to do; for methods that always answer at
	   once. */
	void (*end)(struct rpc_call *, enum rpc_end);
	void *context; /* for rpc_call_context() */
};

/* Answer and end well: OK.  The same with an answer that others give as well,
   of which there is one in memory; the caller keeps its hold. */
void rpc_call_reply(struct rpc_call *, const void *bytes, size_t size);
struct rpc_shared;
void rpc_call_reply_shared(struct rpc_call *, struct rpc_shared *);
/* A message of a stream. */
void rpc_call_send(struct rpc_call *, const void *bytes, size_t size);
/*
 * Pass a descriptor, which is the call's from now on, to a caller on a unix
 * socket; it is there before the next message is.  False: it is none, or
 * another descriptor is on its way to it; then this one is closed.
 */
bool rpc_call_pass(struct rpc_call *, int fd);
/* The bytes that the caller has not taken yet: more than some is too many. */
size_t rpc_call_waiting(const struct rpc_call *);
/* End, with a sentence that may be "". */
void rpc_call_finish(struct rpc_call *, enum rpc_status, const char *text);
/* End with the status and the text of the error. */
void rpc_call_refuse(struct rpc_call *, const struct error *);

/* What it is about. */
const struct rpc_peer *rpc_call_peer(const struct rpc_call *);
const char *rpc_call_path(const struct rpc_call *);
/* A value of its metadata, NULL: none; "-bin" names are still in base64. */
const char *rpc_call_metadata(const struct rpc_call *, const char *name);
/* Of clock_monotonic_ms(); INT64_MAX: it waits for ever. */
int64_t rpc_call_deadline_ms(const struct rpc_call *);

/* What stands in its row of the table. */
void *rpc_call_context(const struct rpc_call *);
/* A pointer of the service's own for this call, NULL at first. */
void *rpc_call_data(const struct rpc_call *);
void rpc_call_set_data(struct rpc_call *, void *);

#endif
