/*
 * State shared by mux.c, the interface, and mux_thread.c; and the tail of a
 * process's output, which shows why it failed.
 */
#ifndef CORE_PROCESS_MUX_INTERNAL_H
#define CORE_PROCESS_MUX_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/base/strvec.h"
#include "core/process/mux.h"
#include "core/process/tagger.h"

enum { TAIL_BYTES = 4096, TAIL_LINES = 10 };

/* The last raw bytes, cut to lines when read.  All zero: empty. */
struct tail {
	char *data; /* room for 2 x TAIL_BYTES, or NULL */
	size_t used;
	bool cut; /* earlier bytes were dropped */
};

/* _add: append bytes.  _release: free them, which makes the tail empty. */
void tail_add(struct tail *, const char *, size_t);
void tail_release(struct tail *);

/*
 * Return the last TAIL_LINES lines of the last TAIL_BYTES, each with a newline,
 * and their bytes in *size; a line without its beginning is left out unless it
 * is the only one.  Text that was overwritten after "\r" is left out too.  The
 * caller frees the result; NULL: nothing was written.
 */
char *tail_text(const struct tail *, size_t *size);

/* An output of an instance. */
struct mux_stream {
	struct stream stream;
	struct tail tail;
	int copies[MUX_COPIES]; /* descriptors of files; -1: none */
	bool large;		/* its pipe was enlarged */
};

/* The first error of one of the options' copies. */
struct copy_error {
	int number;    /* errno, 0: none */
	size_t stream; /* index in `streams` */
	bool reported; /* by mux_copy_error() */
};

/* While the thread runs it owns the streams and sinks; atomic members and those
   below the lock are shared. */
struct mux {
	struct mux_options options;
	struct strvec texts; /* the tags' texts, because the thread may outlive
				the caller's */
	struct mux_stream *streams;
	size_t stream_count;
	size_t open; /* streams that have not ended */
	struct sink sinks[MUX_OUTPUTS];
	struct screen screens[MUX_OUTPUTS];
	int epoll[MUX_OUTPUTS];		/* by sink, watches its streams */
	int wake;			/* event to the thread */
	int news;			/* event from the thread */
	atomic_bool draining;		/* mux_drain() was called */
	atomic_bool ended;		/* the thread has ended */
	atomic_bool resized;		/* the size was set: mux_resized() */
	atomic_bool echoed;		/* mux_echoed() was called */
	atomic_int errors[MUX_OUTPUTS]; /* errno of each sink */
	pthread_t thread;
	bool running;	      /* the thread was started */
	pthread_mutex_t lock; /* protects the rest, and a stream's fd while it
				 is added */
	char *notes[MUX_OUTPUTS]; /* text of mux_note() */
	size_t notes_size[MUX_OUTPUTS];
	struct copy_error copy_errors[MUX_COPIES];
	struct winsize size; /* for pseudo terminals */
	bool resize;	     /* the size is to be set */
};

/* Run the thread; the argument is the mux. */
void *mux_thread_run(void *);

/* Write the notes queued for an output.  Called by the thread, and by
   mux_free() after its end. */
void mux_thread_put_notes(struct mux *, int output);

/* Close the file of a copy, if it is open. */
void mux_thread_close_copy(struct mux_stream *, int copy);

/* Close a copy after an error, an errno.  mux_copy_error() reports the first
   error of each of the options' copies. */
void mux_thread_end_copy(struct mux *, struct mux_stream *, int copy,
    int number);

/* Enlarge a pipe, so that its writer blocks less; it gets a share of a budget
   for `pipes` pipes.  Does nothing for another file. */
void mux_thread_enlarge_pipe(int fd, size_t pipes);

/* _signal: make an eventfd readable.  _clear: make it unreadable again. */
void mux_thread_signal(int fd);
void mux_thread_clear(int fd);

#endif
