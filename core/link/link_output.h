/*
 * The streams of a link at poprun.  An instance's output goes into a pipe;
 * bytes that the pipe has no room for wait here, at most a window.  An
 * instance's input goes from a descriptor into stream 0; it is looked at only
 * when there is credit, and read when the program has taken it.  epoll(7) tells
 * the hub when to continue.
 */
#ifndef CORE_LINK_LINK_OUTPUT_H
#define CORE_LINK_LINK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link;
struct link_message;

struct link_output {
	int epoll;     /* the hub's epoll(7) */
	uint64_t key;  /* in epoll */
	size_t window; /* most bytes granted and not yet passed on */
	bool counted;  /* set before _open, if link_output_taken() is needed;
			  cleared by it where the kernel cannot tell */
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

#endif
