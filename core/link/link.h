/*
 * The link: one connection between poprun and a process of the job on any host,
 * which carries messages and streams of bytes in both directions.
 *
 * First each end proves that it knows the job's secret, without sending it
 * (link_internal.h).  What follows is not encrypted.  A stream has credit: the
 * bytes that the other end has room for.  A sender without credit waits, so a
 * slow reader holds up only its stream, never a message.
 *
 * A message is a head of 8 bytes, little endian: the size of the body (32
 * bits), the kind (16 bits), the stream (16 bits); then the body.  Stream 0
 * goes to the process, 1 and 2 come from it.
 *
 * Only link_dial() waits: callers of the other functions use poll(2) and set
 * the time limits.  The ends may be different builds of ipubox: an end skips a
 * kind that it does not know, unless LINK_VERSION differs.
 *
 * Read link_new() first, then the hub below, which holds all links of a job at
 * poprun.
 */
#ifndef CORE_LINK_LINK_H
#define CORE_LINK_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/process/process.h"

/*
 * The streams of a link at poprun.  An instance's output goes into a pipe;
 * bytes that the pipe has no room for wait here, at most a window.  An
 * instance's input goes from a descriptor into stream 0; it is looked at only
 * when there is credit, and read when the program has taken it.  epoll(7) tells
 * the hub when to continue.
 */

struct link;
struct link_message;

struct link_output {
	int epoll;     /* the hub's epoll(7) */
	uint64_t key;  /* in epoll */
	size_t window; /* most bytes granted and not yet passed on */
	bool counted;  /* set before _open, if link_output_taken() is needed;
			  _open clears it if the kernel cannot tell */
	bool made;     /* the pipe was made */
	bool ended;    /* the stream has ended */
	bool watched;  /* in epoll: it waits for room in the pipe */
	bool broken;   /* the pipe has lost its reader */
	int fd;	       /* the pipe's write end, or -1 */
	char *rest;    /* room for `window` bytes; begin to end wait */
	size_t begin, end;
	size_t ungranted; /* passed on and not yet granted again */
	size_t written;	  /* into the pipe, in all */
};

/* Begin without a pipe: bytes taken before link_output_open() are dropped.  The
   epoll(7) descriptor watches the pipe under this key. */
void link_output_init(struct link_output *, int epoll, uint64_t key,
    size_t window);
/* Close the pipe, which ends for its reader, and drop waiting bytes. */
void link_output_release(struct link_output *);

/* Make the pipe; must be called only once.  Returns the read end, which the
   caller closes and which ends after the last byte; or -1 with errno set. */
int link_output_open(struct link_output *);

/* Write received bytes into the pipe, and keep those that it has no room for.
   They must not be more than were granted. */
void link_output_take(struct link_output *, const void *, size_t);

/* Continue when the pipe has room; if it has lost its reader, drop bytes from
   then on. */
void link_output_continue(struct link_output *);

/* Mark the end of the stream; the pipe is closed after the waiting bytes. */
void link_output_end(struct link_output *);

/* Return how many bytes the reader of a `counted` pipe has taken from it in
   all.  link_output_continue() is due when it has taken everything. */
size_t link_output_taken(const struct link_output *);

/* Return how many bytes to grant again, counted as granted from then on; 0
   until it is worth a message, and after the end. */
size_t link_output_grant(struct link_output *);

struct link_input {
	int epoll;     /* the hub's epoll(7) */
	uint64_t key;  /* in epoll */
	int fd;	       /* -1: none, or ended */
	bool watched;  /* in epoll: it waits for bytes to read */
	bool counted;  /* the other end tells how much the program takes */
	size_t peeked; /* sent, and not read before the program takes it */
};

/* Begin without a descriptor; the caller sets `fd`.  The epoll(7) descriptor
   watches it under this key. */
void link_input_init(struct link_input *, int epoll, uint64_t key);

/* Close the descriptor, if any, because the input has lost its reader. */
void link_input_close(struct link_input *);

/* Take LINK_INPUT_TAKEN, or LINK_INPUT_CLOSED. */
void link_input_take(struct link_input *, const struct link_message *);

/* Send available bytes within the credit, and the end, at which the descriptor
   is closed. */
void link_input_continue(struct link_input *, struct link *);

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
	LINK_START,	  /* see parent.h and struct parent_start */
	LINK_SIGNAL,	  /* i32: pass it on to the program */
	LINK_END_TREE,	  /* i32: end the tree, with this signal first */
	LINK_RELEASE,	  /* the job is over: end the rest and exit */
	LINK_WINDOW_SIZE, /* i32 rows, i32 columns of the terminal */
	/* from the process */
	LINK_STARTED,	   /* i32 pid, then the host's name */
	LINK_CANNOT_START, /* i32: errno */
	LINK_ENDED,	   /* i32: status of waitpid(2); i32: 1 if poprun told
			      it to end */
	LINK_OVER,	   /* nothing runs, and all output is sent */
	LINK_INPUT_CLOSED, /* stream 0 has lost its reader */
	LINK_INPUT_TAKEN   /* u32: more bytes of stream 0 that the program
			      took; 0 comes first, before any credit */
};

struct link_message {
	int kind; /* enum link_kind, or unknown */
	int stream;
	const unsigned char *body; /* valid until the next link_receive() */
	size_t size;
};

struct link;

/* Make a link over a connected socket, which link_free() closes.  LINK_PROCESS
   passes the number of its instance.  LINK_POPRUN passes any number: it learns
   the instance from the other end. */
struct link *link_new(int fd, enum link_side,
    const unsigned char secret[LINK_SECRET_BYTES], int instance);
void link_free(struct link *);

/* Return the descriptor and the events for poll(2), after which
   link_receive() is called. */
int link_fd(const struct link *);
short link_events(const struct link *);
/* Return true after both ends have proved themselves.  At poprun
   link_instance() is -1 until then. */
bool link_is_open(const struct link *);
int link_instance(const struct link *);

/*
 * Send queued bytes and receive.  Returns 1 with a message, when it should be
 * called again at once; or 0 to poll(2) again, also after some 128 KiB, so that
 * others get a turn.  Credit is not returned as a message.  Returns -1 when the
 * link is over, and on every later call: ERROR_UNAVAILABLE if the other end
 * closed it or reads nothing, ERROR_TIMED_OUT if its host was silent too long
 * or cannot be reached, ERROR_UNAUTHENTICATED if it does not know the secret,
 * ERROR_UNSUPPORTED if its version differs, ERROR_INVALID if it broke the rules
 * above.
 */
int link_receive(struct link *, struct link_message *, struct error *);

/* Queue a message and send as much as possible now.  link_is_open() must be
   true.  After the end of the link the message is dropped.  The body has at
   most LINK_BODY_MAX bytes.  Write its numbers with link_put() and read them
   with link_get(), which returns false if the body is too short.  Both start at
   *used and move it on. */
void link_send(struct link *, enum link_kind, int stream, const void *body,
    size_t size);
void link_put(unsigned char *body, size_t *used, uint32_t);
bool link_get(const struct link_message *, size_t *used, uint32_t *);

/* Return how many bytes of the stream one link_send_data() may send now, at
   most; 0 until the link is open and when it is over.  More must not be
   sent. */
size_t link_room(const struct link *, int stream);
void link_send_data(struct link *, int stream, const void *, size_t);

/* Give the other end of an open link credit for that many more bytes. */
void link_grant(struct link *, int stream, size_t);

/* Connect as a visitor of the hub, for something other than a link: `instance`
   is N + LINK_HUB_VISITORS (below).  Both ends prove themselves before the
   deadline (clock_monotonic_ms()).  Returns the descriptor, from which nothing
   after the proof was read, or -1. */
int link_dial(const char *address, const unsigned char *secret, int instance,
    int64_t deadline_ms, struct error *);

/* Return true if nothing queued waits to be sent. */
bool link_is_flushed(const struct link *);

/* ---- the hub ---- */

/*
 * All links of a job at poprun.  The hub listens, accepts one connection per
 * instance from a process that knows the secret, and reports what arrives.  An
 * instance's output goes into a pipe per stream, and the caller gets the read
 * ends, so the rest of poprun treats local and remote instances alike.  An
 * instance's input comes from a descriptor as well.
 *
 * Readers of the pipes need not report progress: the hub grants an instance as
 * much as went into the pipe, and keeps what the pipe has no room for, at most
 * a stream's window.  So link_hub_continue() must be called until the pipes
 * have been read to their ends.
 */

/* The variables by which a process finds its job: an address, and the secret as
   hexadecimal digits. */
#define LINK_ADDRESS_VARIABLE "IPUBOX_LINK"
#define LINK_SECRET_VARIABLE "IPUBOX_LINK_SECRET"

enum link_hub_kind {
	LINK_HUB_OPEN,	  /* the instance's process has connected */
	LINK_HUB_MESSAGE, /* `message`, of kinds from LINK_STARTED on but
			     none of LINK_INPUT_..., or unknown */
	LINK_HUB_LOST,	  /* its link is over; `reason` */
	LINK_HUB_VISITOR  /* a connection that is not a link: `fd`, owned by the
			     caller */
};

/* A peer that proves to be instance N + LINK_HUB_VISITORS is a visitor for N.
   A job without instances has only visitors, with any number. */
enum { LINK_HUB_VISITORS = 1 << 20 };

/* Valid until the handler returns; fields of other kinds are NULL or 0. */
struct link_hub_event {
	enum link_hub_kind kind;
	int instance; /* of a visitor, the N above */
	const struct link_message *message;
	const struct error *reason;
	int fd;
};

struct link_hub;

/*
 * Make a secret and listen on a socket in the job's directory, or at `reach` if
 * it is not NULL, for other hosts (link_address_listen_reach()).  Returns NULL
 * on failure.  link_hub_free() also removes the socket.  link_hub_continue()
 * calls `event`, which may send and ask for outputs.  The caller must ignore
 * SIGPIPE.
 */
struct link_hub *link_hub_new(int instances, const char *directory,
    const struct link_reach *reach,
    void (*event)(void *context, const struct link_hub_event *), void *context,
    struct error *);
void link_hub_free(struct link_hub *);

/* In a forked process, free its copy of the hub; poprun's socket stays. */
void link_hub_forget(struct link_hub *);
/* Return the values of the variables above. */
const char *link_hub_address(const struct link_hub *);
const char *link_hub_secret(const struct link_hub *);

/* Use another secret, of LINK_SECRET_BYTES; call it before anything else. */
void link_hub_set_secret(struct link_hub *, const unsigned char *);

/* _fd: readable when _continue has work.  Neither waits. */
int link_hub_fd(const struct link_hub *);
void link_hub_continue(struct link_hub *);

/* Close the connections that had to prove themselves by `now_ms`, of
   clock_monotonic_ms(), and have not.  link_hub_continue() calls it. */
void link_hub_expire(struct link_hub *, int64_t now_ms);

/* Make the pipe for the instance's stream 1 or 2, before which the instance may
   send nothing.  Returns its read end, which the caller owns and which ends
   with the stream or the link; or -1 with errno set.  Call it at most once per
   stream. */
int link_hub_output(struct link_hub *, int instance, int stream);

/* Return true if output waits because its pipe is full. */
bool link_hub_holds_output(const struct link_hub *);

/* Feed the instance's input from this descriptor, which the hub takes over and
   reads at the instance's pace, once the instance has connected.  Call it at
   most once per instance. */
void link_hub_input(struct link_hub *, int instance, int fd);

/* Send a message to one instance, or to all (-1), where they are connected. */
void link_hub_send(struct link_hub *, int instance, enum link_kind,
    const void *body, size_t);

#endif
