/*
 * The link: one connection between poprun and a process of the job on any
 * host, over which messages and streams of bytes go both ways.
 *
 * First each end proves to the other that it knows the job's secret, without
 * sending it (link_proof.h); what follows is in clear.  A stream has credit,
 * the bytes that the other end has room for: who has none left waits, so that a
 * slow reader holds up that one stream, and never a message.
 *
 * A message is a head of 8 bytes, little endian: the size of the body (32
 * bits), the kind (16 bits), the stream (16 bits); then the body.  Stream 0
 * goes to the process, 1 and 2 come from it.
 *
 * Nothing but the last function waits: a caller of the others asks poll(2) and
 * sets the time limits.  The ends may be of different builds of ipubox: an end
 * passes over a kind that it does not know, unless LINK_VERSION differs.
 *
 * Read link_new() first, then the hub below, which has all links of a job at
 * poprun.
 */
#ifndef CORE_LINK_LINK_H
#define CORE_LINK_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/link/link_output.h" /* from a link into a pipe */
#include "core/process/process.h"

enum {
	LINK_VERSION = 1,
	LINK_SECRET_BYTES = 32,
	LINK_BODY_MAX = 64 * 1024,
	LINK_STREAMS = 3 /* 0: stdin, 1: stdout, 2: stderr */
};

enum link_side { LINK_POPRUN, LINK_PROCESS };

enum link_kind {
	LINK_DATA = 1, /* bytes of a stream */
	LINK_END_OF_STREAM,
	LINK_CREDIT, /* u32: more bytes that the stream may send */
	/* from poprun */
	LINK_START,	  /* parent.h says what is in it */
	LINK_SIGNAL,	  /* i32: pass it on to the program */
	LINK_END_TREE,	  /* i32: end the tree, with this signal first */
	LINK_RELEASE,	  /* the job is over: end what is left, and go */
	LINK_WINDOW_SIZE, /* i32 rows, i32 columns of the terminal */
	/* from the process */
	LINK_STARTED,	   /* i32 pid, then the host's name */
	LINK_CANNOT_START, /* i32: errno */
	LINK_ENDED,	   /* i32: its wait(2) status; i32: 1: on demand */
	LINK_OVER,	   /* nothing runs, and all output is sent */
	LINK_INPUT_CLOSED  /* nobody reads stream 0 any more */
};

struct link_message {
	int kind; /* enum link_kind, or unknown */
	int stream;
	const unsigned char *body; /* until the next link_receive() */
	size_t size;
};

struct link;

/*
 * A link over a connected socket, which the link closes.  The process says
 * which instance it is of; poprun learns it, and gives any number here.
 */
struct link *link_new(int fd, enum link_side,
    const unsigned char secret[LINK_SECRET_BYTES], int instance);
void link_free(struct link *);

/* For poll(2): the descriptor, and what it waits for. */
int link_fd(const struct link *);
short link_events(const struct link *);
/* Whether both ends have proved themselves; before, the instance is -1. */
bool link_is_open(const struct link *);
int link_instance(const struct link *);

/*
 * Go on: send what waits, receive.  1: a message, to be called again at once;
 * 0: poll(2) again; -1: the link is over, as it will be said from then on:
 * ERROR_UNAVAILABLE where the other end has closed it, ERROR_TIMED_OUT where
 * its host was silent too long, ERROR_UNAUTHENTICATED where it does not know
 * the secret, ERROR_UNSUPPORTED where it is of another version, ERROR_INVALID
 * where it breaks the rules above.  Credit is not returned as a message.  Who
 * always has more to receive gets a 0 after some 128 KiB: others have a turn.
 */
int link_receive(struct link *, struct link_message *, struct error *);

/*
 * Queue a message of an open link, and send what can be sent now; of a link
 * that is over it is dropped.  Its numbers are written with link_put(), and
 * read with link_get(), which says false where the body is too short.
 */
void link_send(struct link *, enum link_kind, int stream, const void *body,
    size_t size);
void link_put(unsigned char *body, size_t *used, uint32_t);
bool link_get(const struct link_message *, size_t *used, uint32_t *);

/* The bytes of the stream that may be sent now; send so many, not more. */
size_t link_room(const struct link *, int stream);
void link_send_data(struct link *, int stream, const void *, size_t);

/* The receiver has room for so many more bytes of the stream. */
void link_grant(struct link *, int stream, size_t);

/*
 * Connect for something else than a link, as a visitor of its hub: both ends
 * prove themselves by the deadline (clock_monotonic_ms()).  The descriptor, of
 * which nothing after the proof was read, or -1.
 */
int link_dial(const char *address, const unsigned char *secret, int instance,
    int64_t deadline_ms, struct error *);

/* Whether all that was queued has been sent. */
bool link_is_flushed(const struct link *);
/*
 * Connect for something else than a link, as a visitor of its hub: both ends
 * prove themselves by the deadline (clock_monotonic_ms()).  The descriptor, of
 * which nothing after the proof was read, or -1.
 */
int link_dial(const char *address, const unsigned char *secret, int instance,
    int64_t deadline_ms, struct error *);

/* ---- the hub ---- */

/*
 * All links of a job at poprun: it listens, lets in who knows the secret, one
 * connection per instance, and tells what arrives.  What an instance writes
 * goes into a pipe per stream, whose read end the caller gets: so the rest of
 * poprun sees no difference between an instance that it started itself and one
 * on another host.  What it reads comes from a descriptor as well.
 *
 * Who reads a pipe need not tell how far: the hub grants an instance as much as
 * went into the pipe, and keeps what the pipe has no room for, which is never
 * more than a stream's window.  So link_hub_continue() is to be called until
 * the pipes have been read to their ends.
 */

/* The variables by which a process finds its job: an address, and the secret as
   hexadecimal digits. */
#define LINK_ADDRESS_VARIABLE "IPUBOX_LINK"
#define LINK_SECRET_VARIABLE "IPUBOX_LINK_SECRET"

enum {
	LINK_HUB_GUESTS = 64,	  /* connections that have not proved
				     themselves, besides one for each
				     instance */
	LINK_HUB_GUEST_MS = 10000 /* the time they have for that */
};

enum link_hub_kind {
	LINK_HUB_OPEN,	  /* the instance's process is there */
	LINK_HUB_MESSAGE, /* `message`, of kinds from LINK_STARTED on */
	LINK_HUB_LOST,	  /* its link is over; `reason` */
	LINK_HUB_VISITOR  /* a connection of that instance that is no link:
			     `fd`, the caller's from now on */
};

/* A peer that proves to be instance N + LINK_HUB_VISITORS is a visitor of N.  A
   job without instances has visitors only, with any number. */
enum { LINK_HUB_VISITORS = 1 << 20 };

struct link_hub_event {
	enum link_hub_kind kind;
	int instance;
	const struct link_message *message;
	const struct error *reason;
	int fd;
};

struct link_hub;

/*
 * Listen on a socket in the job's directory; or, where `reach` is not NULL, so
 * that other hosts may connect (link_address_listen_reach()).  A secret is
 * made.  NULL: that cannot be done.  link_hub_free() also removes the socket.
 * Events come during link_hub_continue(); what they call may send, and ask for
 * outputs.  SIGPIPE has to be ignored.
 */
struct link_hub *link_hub_new(int instances, const char *directory,
    const struct link_reach *reach,
    void (*event)(void *context, const struct link_hub_event *), void *context,
    struct error *);
void link_hub_free(struct link_hub *);

/* The same in a forked process, where poprun goes on: the socket stays. */
void link_hub_forget(struct link_hub *);

/* As link_address_connect() takes it, and the secret's digits: for the
   variables above. */
const char *link_hub_address(const struct link_hub *);
const char *link_hub_secret(const struct link_hub *);

/* Use another secret; call it before anything else. */
void link_hub_set_secret(struct link_hub *, const unsigned char *);

/* Readable when there is something to do; and do it, without waiting. */
int link_hub_fd(const struct link_hub *);
void link_hub_continue(struct link_hub *);

/* Close the connections that have not proved themselves by `now_ms`, of
   clock_monotonic_ms().  link_hub_continue() does that. */
void link_hub_expire(struct link_hub *, int64_t now_ms);

/*
 * The read end of what the instance writes to stream 1 or 2, made when asked
 * for first, and the caller's from then on; it ends with the stream or the
 * link.  Until then the instance may write nothing.  -1 and errno.
 */
int link_hub_output(struct link_hub *, int instance, int stream);

/* Whether anything waits because its pipe is full. */
bool link_hub_holds_output(const struct link_hub *);

/*
 * The instance reads from this descriptor, the hub's from now on, at its own
 * pace; before it is there nothing is read.  Once for an instance.
 */
void link_hub_input(struct link_hub *, int instance, int fd);

/* To one instance, or to all that are there (-1). */
void link_hub_send(struct link_hub *, int instance, enum link_kind,
    const void *body, size_t);

#endif
