/*
 * What mux.c, which the rest of poprun talks to, and mux_thread.c share; and
 * the last lines of what a process wrote, which say why it failed.
 */
#ifndef CORE_PROCESS_MUX_INTERNAL_H
#define CORE_PROCESS_MUX_INTERNAL_H

#include <sys/ioctl.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/strvec.h"
#include "core/process/mux.h"
#include "core/process/tagger.h"

enum { TAIL_BYTES = 4096, TAIL_LINES = 10 };

/* Empty: all zero.  The bytes as they came, cut to lines when asked for. */
struct tail {
	char *data; /* room for 2 x TAIL_BYTES, or NULL */
	size_t used;
	bool cut; /* more came before it */
};

/* More bytes; and the end of it. */
void tail_add(struct tail *, const char *, size_t);
void tail_release(struct tail *);

/*
 * The last TAIL_LINES lines of the last TAIL_BYTES, each with its newline and
 * none in part if there is a whole one.  Of what was drawn over ("\r") the last
 * state counts.  The caller frees it; NULL: nothing was written.
 */
char *tail_text(const struct tail *, size_t *size);

/* What one instance writes to one of its outputs. */
struct mux_stream {
	struct stream stream;
	struct tail tail;
	int copies[MUX_COPIES]; /* files, -1: none */
	bool large;		/* its pipe was enlarged */
};

/* The first copy of a kind that could not be written. */
struct copy_error {
	int number; /* errno, 0: none */
	size_t stream;
	bool told;
};

/*
 * Streams and sinks belong to the thread while it runs; what is atomic or below
 * the lock is shared.
 */
struct mux {
	struct mux_options options;
	struct strvec texts; /* of the tags: where the last output is given up,
				the thread outlives what the caller has */
	struct mux_stream *streams;
	size_t stream_count;
	size_t open; /* not ended, or not begun */
	struct sink sinks[MUX_OUTPUTS];
	struct screen screens[MUX_OUTPUTS];
	int epoll[MUX_OUTPUTS]; /* the streams of each sink */
	int wake;		/* to the thread: see mux_forward() */
	int news;		/* from the thread */
	atomic_bool draining;
	atomic_bool ended;
	atomic_bool resized;
	atomic_int errors[MUX_OUTPUTS];
	pthread_t thread;
	bool running;
	pthread_mutex_t lock; /* of what follows, and a stream's fd when it is
				 added */
	char *notes[MUX_OUTPUTS];
	size_t notes_size[MUX_OUTPUTS];
	struct copy_error copy_errors[MUX_COPIES];
	struct winsize size; /* of pseudo terminals */
	bool resize;	     /* they are to get it */
};

/* The thread, whose argument is the mux. */
void *mux_thread_run(void *);

/* What was noted for an output goes out.  The thread's; and mux_free()'s after
   its end. */
void mux_thread_put_notes(struct mux *, int output);

/* The file of a copy, if there is one. */
void mux_thread_close_copy(struct mux_stream *, int copy);

/* A copy ends here; the first of its kind is told. */
void mux_thread_end_copy(struct mux *, struct mux_stream *, int copy,
    int number);

/* Large pipes keep the writers going, but a user's pipes have a budget. */
void mux_thread_enlarge_pipe(int fd, size_t pipes);

/* Add one to an eventfd: it is readable until somebody clears it. */
void mux_thread_signal(int fd);
void mux_thread_clear(int fd);

#endif
