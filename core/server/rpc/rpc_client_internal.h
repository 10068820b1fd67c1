/*
 * Shared by the two files of a client: its connection (rpc_client.c) and its
 * calls (rpc_stream.c).
 */
#ifndef CORE_SERVER_RPC_RPC_CLIENT_INTERNAL_H
#define CORE_SERVER_RPC_RPC_CLIENT_INTERNAL_H

#include "core/process/process.h"
#include "core/server/rpc/rpc_frame.h"
#include "core/server/rpc/rpc_status.h"

enum { RPC_CLIENT_TEXT = 1024 }; /* bytes of a status, with the NUL */

/* Bytes in order: those from begin to end wait, of `room` allocated ones. */
struct rpc_client_bytes {
	unsigned char *bytes;
	size_t begin, end, room;
};

struct rpc_client;

struct rpc_stream {
	struct rpc_client *client;
	int32_t id;
	int64_t deadline_ms;		 /* INT64_MAX: none */
	struct rpc_client_bytes out, in; /* not yet sent; not yet read */
	bool is_half_closed;		 /* by us */
	bool is_closed;
	uint32_t reset;		/* code of RST_STREAM; 0: none */
	struct rpc_frame frame; /* the message being read */
	long long http_status;	/* 0: none came */
	bool has_status;	/* grpc-status came */
	enum rpc_status status;
	char text[RPC_CLIENT_TEXT];	   /* grpc-message, unescaped */
	char exact[RPC_STATUS_EXACT_SIZE]; /* the server's error code */
};

struct rpc_client {
	int fd;
	nghttp2_session *session;
	struct send_queue out;
	char *name;	      /* HOST:PORT, or the path */
	size_t message_bytes; /* limit of an answer */
	bool is_greeted;      /* the server's SETTINGS came */
	bool is_over;	      /* the connection is lost */
	struct error reason;  /* why it is over */
	int64_t silence_ms;   /* before a PING; 0: never */
	int64_t answer_ms;    /* time to answer it */
	int64_t heard_ms;     /* time of the server's last frame */
	int64_t asked_ms;     /* time of our unanswered PING, or -1 */
	int passed;	      /* received descriptor, or -1 */
};

/* Append bytes. */
void rpc_client_keep(struct rpc_client_bytes *, const void *bytes, size_t size);
/* Send as many of nghttp2's bytes as possible; a failure sets `is_over`. */
void rpc_client_flush(struct rpc_client *);
/* Do one turn: send, wait for an event, at most until that time of
   clock_monotonic_ms() (INT64_MAX: no limit), and receive once.  Also returns
   when a PING is due.  -1: the connection is lost, as `reason` says. */
int rpc_client_turn(struct rpc_client *, int64_t until_ms);

#endif
