/*
 * Standard input for a job.  A file or pipe for a single process is handed to
 * it.  Input for several processes is read here, and each gets a copy through a
 * pipe.  So is the keyboard, because the processes are not in the terminal's
 * foreground group and may not read from it.
 */
#ifndef CORE_PROCESS_STDIN_RELAY_H
#define CORE_PROCESS_STDIN_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/* The readers, instead of the index of one process. */
enum { STDIN_ALL = -1, STDIN_NONE = -2 };

struct stdin_relay {
	int source;    /* -1: nothing left to relay */
	bool terminal; /* the source is one */
	int room;      /* epoll(7): readable when a pipe has room */
	struct stdin_pipe {
		int fd;		/* -1: its reader is gone */
		size_t written; /* bytes of `data` written */
	} * pipes;
	int count;
	char *data; /* bytes that some pipes still need */
	size_t used;
	/* Set after stdin_relay_open(): called for a line from a terminal,
	   before it is passed on; or NULL. */
	void (*typed)(void *context);
	void *context;
};

/* Begin without work; release and poll accept that. */
void stdin_relay_init(struct stdin_relay *);

/* Distribute `input` to `count` processes: to the one of index `to`, or to
   STDIN_ALL or STDIN_NONE.  An input that cannot be read, as main() puts it in
   place of a closed one, is for none.  Sets inputs[] to a descriptor for each
   process, -1 for none; the caller closes those that are not `input`, also
   after a failure.  -1, errno: a pipe cannot be made; release the relay. */
int stdin_relay_open(struct stdin_relay *, int input, int to, int *inputs,
    int count);

/* Release the relay; the processes read the rest in their pipes, then the end.
   If the source is descriptor 0, calls stdin_relay_give_up(). */
void stdin_relay_release(struct stdin_relay *);

/* Return what to wait for (fd -1: nothing, also while poprun is in the
   background of its terminal).  _continue: relay, when that has come; at the
   end of the input or of all readers the relay is released. */
struct pollfd stdin_relay_poll(const struct stdin_relay *);
void stdin_relay_continue(struct stdin_relay *);

/* Replace this process's standard input by /dev/null, so that its writer learns
   when all readers are gone. */
void stdin_relay_give_up(void);

#endif
