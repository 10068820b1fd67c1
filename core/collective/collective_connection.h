/*
 * A program's connection to its job's collectives: turns bytes into messages,
 * and answers into bytes, and maps the program's shared memory.  Used by
 * collective_server.c, and by collective_relay.c for two hosts.  Never waits.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_CONNECTION_H
#define CORE_COLLECTIVE_COLLECTIVE_CONNECTION_H

#include <bsd/sys/queue.h>

#include "core/collective/collective_message.h"
#include "core/process/process.h"

/* A request that a program waits for. */
struct collective_request {
	TAILQ_ENTRY(collective_request) link; /* in the connection's list */
	struct collective_connection *connection;
	uint32_t number;	     /* the message's and the answer's */
	bool in_memory;		     /* the vector is in the shared memory */
	const unsigned char *vector; /* in `data` or in shared memory */
	unsigned char *result;	     /* NULL: the result goes into the answer */
	size_t data_bytes;
	unsigned char data[]; /* the vector, if it came in the message */
};

struct collective_connection {
	TAILQ_ENTRY(collective_connection) link;
	int fd;
	pid_t pid;			/* 0: not known */
	struct collective_guest *guest; /* NULL: before hello, after leaving */
	bool over;			/* its message was rejected: end it */
	bool is_far;			/* on another host; set by the owner */
	int epoll;			/* epoll(7) descriptor watching it */
	bool is_watched;
	uint32_t events; /* the events it is watched for */
	struct send_queue out;
	unsigned char *in;	 /* `room` bytes; received and not yet */
	size_t begin, end, room; /* read are those from begin to end */
	int received_fd;	 /* received descriptor, or -1 */
	unsigned char *memory;	 /* vectors' shared memory, or NULL */
	size_t memory_bytes;
	size_t users;		/* requests that use the memory */
	unsigned char *mailbox; /* shared memory; NULL: none */
	unsigned char *mail;	/* private copy of the mailbox's message */
	uint64_t mail_number;
	bool mail_waits; /* it has not been answered */
	size_t held;	 /* bytes of stored vectors */
	TAILQ_HEAD(, collective_request) requests;
	TAILQ_HEAD(, collective_transfer) transfers;
};

/* Take over fd, the socket of the program `pid`.  `epoll` watches fd, with the
   connection as its data; -1: not watched.  _free() closes fd and frees the
   requests, about which nothing may be reported later. */
struct collective_connection *collective_connection_new(int fd, pid_t,
    int epoll);
void collective_connection_free(struct collective_connection *);

/* Read once; _next() must have returned 0 before.  Whole messages may have come
   with each result, so call _next().  Returns when to read again. */
enum collective_state {
	COLLECTIVE_ENDED = -1, /* never: end of input or a failure */
	COLLECTIVE_NOTHING,    /* later */
	COLLECTIVE_PROGRESS    /* at once: more may have come */
};
enum collective_state
collective_connection_receive(struct collective_connection *);

/* Return 1 with the next message, its body valid until the next call of this or
   _receive(); 0: no whole message yet; -1: the input is not a message. */
int collective_connection_next(struct collective_connection *,
    struct collective_head *, const unsigned char **body, struct error *);

/* Do the same for the mailbox, shared memory in which messages are exchanged
   without a system call (ipubox-link(7)); 0 also without a mailbox, and until
   its last message is answered.  _sleep(): true: the program must wake
   poprun. */
int collective_connection_next_mail(struct collective_connection *,
    struct collective_head *, const unsigned char **body, struct error *);
void collective_connection_sleep(struct collective_connection *, bool);

/* Map the received descriptor's memory, for vectors or as the mailbox; for a
   program on another host, allocate memory for vectors.  It replaces the
   earlier.  -1, with the earlier kept: ERROR_INVALID: descriptor or size;
   ERROR_BUSY: the earlier is in use, as a mailbox always is; or no memory. */
int collective_connection_map(struct collective_connection *,
    enum collective_kind, uint64_t size, struct error *);

/* Begin a request with room for a vector of data_bytes; vector and result are
   NULL.  _settle(): end and free it. */
struct collective_request *
collective_connection_ask(struct collective_connection *, uint32_t number,
    size_t data_bytes, bool in_memory);
void collective_connection_settle(struct collective_request *);

/* Send a message of `count` parts, which are copied if they must wait. */
void collective_connection_put(struct collective_connection *, struct iovec *,
    size_t count);
/* Send `bytes` of a memory that stays mapped, then a copy of the message.  A
   later _put() may overtake them. */
void collective_connection_transfer(struct collective_connection *,
    const unsigned char *memory, uint64_t offset, uint64_t bytes,
    const void *message, size_t);
/* Continue sending, when the socket has room. */
void collective_connection_flush(struct collective_connection *);
/* Return true if so much output waits that no more requests should be read. */
bool collective_connection_is_full(const struct collective_connection *);

/* Answer message `number`, the way it came: _done() with the `count` parts of a
   result (0: none), _welcome() a hello, _refuse() with a failure. */
void collective_connection_done(struct collective_connection *, uint32_t number,
    struct iovec *result, size_t count);
void collective_connection_welcome(struct collective_connection *,
    uint32_t number);
void collective_connection_refuse(struct collective_connection *,
    uint32_t number, enum collective_code, const char *text);

#endif
