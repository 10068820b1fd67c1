/*
 * One connection of a program to the collectives of its job: bytes become
 * messages and answers become bytes, and the memory that the program gave is
 * mapped.  For collective_server.c, and collective_relay.c between two hosts;
 * nothing here waits.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_CONNECTION_H
#define CORE_COLLECTIVE_COLLECTIVE_CONNECTION_H

#include <sys/uio.h>

#include <bsd/sys/queue.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/collective/collective_message.h"
#include "core/process/process.h"

/* What a program waits for. */
struct collective_request {
	TAILQ_ENTRY(collective_request) link; /* of its connection */
	struct collective_connection *connection;
	uint32_t number;
	bool in_memory;
	const unsigned char *vector;
	unsigned char *result; /* NULL: in the answer */
	size_t data_bytes;
	unsigned char data[]; /* the vector, where it came in the message */
};

struct collective_connection {
	TAILQ_ENTRY(collective_connection) link;
	int fd;
	pid_t pid;
	struct collective_guest *guest; /* NULL: it has not said hello */
	bool over;			/* nothing more is read */
	bool is_far;			/* the program is on another host */
	int epoll;			/* where it is watched */
	bool is_watched;
	uint32_t events; /* what for */
	struct send_queue out;
	unsigned char *in;
	size_t begin, end, room;
	int passed;	       /* a descriptor that came; -1: none */
	unsigned char *memory; /* NULL: none */
	size_t memory_bytes;
	size_t users;		/* requests that use it */
	unsigned char *mailbox; /* shared memory; NULL: none */
	unsigned char *mail;	/* a copy of what was in it */
	uint64_t mail_number;
	bool mail_waits; /* to be answered */
	size_t held;	 /* bytes of vectors */
	TAILQ_HEAD(, collective_request) requests;
	TAILQ_HEAD(, collective_transfer) transfers;
};

/* The descriptor is the connection's from now on; epoll(7) watches it, with the
   connection as its data, unless that is -1. */
struct collective_connection *collective_connection_new(int fd, pid_t,
    int epoll);
void collective_connection_free(struct collective_connection *);

/* One read: whether more may come at once, or not, or never. */
enum collective_state {
	COLLECTIVE_ENDED = -1,
	COLLECTIVE_NOTHING,
	COLLECTIVE_PROGRESS
};
enum collective_state
collective_connection_receive(struct collective_connection *);

/*
 * The next whole message: 1, and its body until the next call of these two
 * functions; 0: none is whole; -1: what came is not a message.
 */
int collective_connection_next(struct collective_connection *,
    struct collective_head *, const unsigned char **body, struct error *);

/* The same of its mailbox, memory in which messages change hands without a
   system call (ipubox-link(7)); and whether the program has to wake poprun. */
int collective_connection_next_mail(struct collective_connection *,
    struct collective_head *, const unsigned char **body, struct error *);
void collective_connection_sleep(struct collective_connection *, bool);

/* Map the memory whose descriptor came, for vectors or as a mailbox.  -1: there
   is none, it is not as it has to be, or what was given before is in use. */
int collective_connection_map(struct collective_connection *,
    enum collective_kind, uint64_t size, struct error *);

/* A request, with room for a vector of so many bytes; and its end. */
struct collective_request *
collective_connection_ask(struct collective_connection *, uint32_t number,
    size_t data_bytes, bool in_memory);
void collective_connection_settle(struct collective_request *);

/* Send; so many bytes of a memory first; and when there is room. */
void collective_connection_put(struct collective_connection *, struct iovec *,
    size_t count);
void collective_connection_transfer(struct collective_connection *,
    const unsigned char *memory, uint64_t offset, uint64_t bytes,
    const void *message, size_t);
void collective_connection_flush(struct collective_connection *);
/* Much waits to be sent: who sends answers to more is not to be read. */
bool collective_connection_is_full(const struct collective_connection *);

/* Answers; by the mailbox where the message came by it. */
void collective_connection_done(struct collective_connection *, uint32_t number,
    struct iovec *result, size_t count);
void collective_connection_welcome(struct collective_connection *,
    uint32_t number);
void collective_connection_refuse(struct collective_connection *,
    uint32_t number, enum collective_code, const char *text);

#endif
