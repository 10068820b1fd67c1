/*
 * A call at the server, as a service sees it.
 *
 * A service is a table of methods.  `take` gets the request.  It answers at
 * once, or keeps the call and answers from a timer, another call, or any other
 * event of this thread.  A kept call ends with rpc_call_reply(),
 * rpc_call_finish() or rpc_call_refuse(), or with `end` when the caller no
 * longer waits.  The pointer is invalid after each of them.
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
#include <sys/types.h>

#include "core/server/rpc/rpc_status.h"

struct rpc_call;

/* The caller. */
struct rpc_peer {
	bool is_local;	 /* through a unix socket: the kernel identifies it */
	uid_t uid;	 /* -1 unless local */
	gid_t gid;	 /* the same */
	pid_t pid;	 /* 0 unless local */
	uint64_t origin; /* its place, see link_address_origin() */
	char text[64];	 /* for a log: "10.1.3.101:40312", "[::1]:7", "uid 1000,
			  pid 77"; or "unknown" */
};

/* Reasons why a caller no longer waits. */
enum rpc_end {
	RPC_END_CANCELLED, /* by the caller, or for a fault of its request */
	RPC_END_DEADLINE,  /* its time is over; the caller is told */
	RPC_END_CLOSED,	   /* the connection is gone */
	RPC_END_STOPPED	   /* the server stops; the caller is told */
};

struct rpc_method {
	const char *path; /* "/virmgrpc.VersionService/GetVersion" */
	/* Any number of messages in both directions during the call; otherwise
	   one in each direction. */
	bool is_stream;
	/* The call only waits for news, so it does not keep its connection when
	   places are short. */
	bool is_watch;
	/* Limit of a message, for methods that are open to strangers; 0: the
	   server's. */
	size_t message_bytes;
	/* Limit of entries in the lists of a message; 0: the server's. */
	size_t entries;
	/* Handle a message; the bytes are valid until it returns. */
	void (*take)(struct rpc_call *, const void *bytes, size_t size);
	/* Stream: the caller sends no more.  Not called if `take` was not;
	   then, and if it is NULL, the call ends with OK. */
	void (*half_close)(struct rpc_call *);
	/* Called at most once, for a call that `take` kept and that has not
	   ended.  NULL: for methods that always answer at once. */
	void (*end)(struct rpc_call *, enum rpc_end);
	void *context; /* for rpc_call_context() */
};

/* Answer and end with OK.  _shared: with an answer that other calls share; adds
   a reference, so the service must still drop its own. */
void rpc_call_reply(struct rpc_call *, const void *bytes, size_t size);
struct rpc_shared;
void rpc_call_reply_shared(struct rpc_call *, struct rpc_shared *);
/* Queue a copy of a message of a stream for sending; does nothing if the call
   has ended, as the two above. */
void rpc_call_send(struct rpc_call *, const void *bytes, size_t size);
/*
 * Pass a descriptor, which the call then owns, to a caller on a unix socket; it
 * arrives before the next message.  False, with the descriptor closed: not a
 * unix socket, or another descriptor has not been sent yet, or sending failed.
 */
bool rpc_call_pass(struct rpc_call *, int fd);
/* End the call, with a text that may be ""; does nothing if it has ended. */
void rpc_call_finish(struct rpc_call *, enum rpc_status, const char *text);
/* The same, with the status and text of the error. */
void rpc_call_refuse(struct rpc_call *, const struct error *);

/* Note that the caller is a known user, so that its connection is not counted
   among those of strangers (rpc_connection.h). */
void rpc_call_trust(struct rpc_call *);

/* Return the caller and the method. */
const struct rpc_peer *rpc_call_peer(const struct rpc_call *);
const char *rpc_call_path(const struct rpc_call *);
/* Return the value of a header that the caller added, by its lower-case name,
   or NULL; values of "-bin" names are still base64. */
const char *rpc_call_metadata(const struct rpc_call *, const char *name);

/* Return the limit of entries in the lists of the call's request. */
size_t rpc_call_entries_max(const struct rpc_call *);

/* Return the context of the method's row in the table. */
void *rpc_call_context(const struct rpc_call *);
/* Return, or set, the service's own pointer for this call; at first NULL. */
void *rpc_call_data(const struct rpc_call *);
void rpc_call_set_data(struct rpc_call *, void *);

#endif
