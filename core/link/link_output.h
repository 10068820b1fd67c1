/*
 * The streams of a link at poprun.  What an instance writes to a stream goes
 * into a pipe.  What the pipe has no room for waits here, a window at most.
 * What an instance is to read goes from a descriptor into stream 0.  It is read
 * when there is credit, and nothing is kept.  epoll(7) tells the hub when to go
 * on.
 */
#ifndef CORE_LINK_LINK_OUTPUT_H
#define CORE_LINK_LINK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link;

struct link_output {
	int epoll;
	uint64_t key;  /* for it */
	size_t window; /* bytes granted and not yet passed on, at most */
	bool made;     /* the pipe was */
	bool ended;    /* nothing more comes */
	bool watched;  /* until the pipe has room */
	bool broken;   /* the pipe has no reader */
	int fd;	       /* the pipe's write end, or -1 */
	char *rest;    /* of `window` bytes; these wait: */
	size_t begin, end;
	size_t passed; /* and not yet granted again */
};

/* No pipe yet.  It is watched under the key by this epoll(7) descriptor. */
void link_output_init(struct link_output *, int epoll, uint64_t key,
    size_t window);
void link_output_release(struct link_output *);

/* Make the pipe: its read end, the caller's, which ends when everything has
   gone through; -1 and errno. */
int link_output_open(struct link_output *);

/* Pass these on; no more than were granted. */
void link_output_take(struct link_output *, const void *, size_t);

/* The pipe has room again, or no reader: what comes is dropped then. */
void link_output_continue(struct link_output *);

/* Nothing more comes. */
void link_output_end(struct link_output *);

/* How much the instance may be granted again; 0 until that is worth while. */
size_t link_output_grant(struct link_output *);

struct link_input {
	int epoll;
	uint64_t key; /* for it */
	int fd;	      /* -1: none, or over */
	bool watched; /* until there is something to read */
};

/* None yet.  It is watched under the key by this epoll(7) descriptor. */
void link_input_init(struct link_input *, int epoll, uint64_t key);

/* Nobody reads it any more. */
void link_input_close(struct link_input *);

/* Send what is there, as far as there is credit, and the end. */
void link_input_continue(struct link_input *, struct link *);

#endif
