/*
 * The thread that forwards the instances' output as tagged lines to poprun's
 * stdout and stderr.  It is a separate thread because these may block (a pager,
 * a full pipe) while poprun must still react to signals.
 */
#ifndef CORE_PROCESS_MUX_H
#define CORE_PROCESS_MUX_H

#include <sys/ioctl.h>

#include "core/process/tag_format.h"

enum {
	MUX_OUTPUTS = 2, /* stdout, stderr */
	MUX_COPIES = 2	 /* most copies of each output */
};

struct mux;

struct mux_options {
	const bool *shown; /* by instance, whether its output is shown; NULL:
			      all */
	/* Files that also get the output, or NULL; they must outlive the
	   mux. */
	const struct output_copy *copies[MUX_COPIES];
	/* The tag before a line, NULL: TAG_FORMAT_DEFAULT; and by instance the
	   values in it except the stream, NULL: the index alone.  The texts are
	   copied. */
	const char *tag_format;
	const struct tag_values *tags;
};

/* Return the columns of the job's widest tag. */
int mux_tag_columns(int instances, const struct mux_options *);

/* Get the size for the instances' pseudo terminals: that of the terminal `fd`,
   on which their lines appear after a tag, less the columns of the widest tag
   if it has more.  Returns false, with all zero, if `fd` is not a terminal. */
bool mux_terminal_size(int instances, const struct mux_options *, int fd,
    struct winsize *);

/* Make a mux for `instances` instances, without their pipes; never fails. */
struct mux *mux_new(int instances, const struct mux_options *);

/* Forward output `output` (0: stdout, 1: stderr) of an instance from fd, the
   read end of its pipe.  Call it once for each, after mux_start().  The mux
   takes over fd, even on failure.  Returns 0 or errno. */
int mux_add(struct mux *, int instance, int output, int fd);

/* Start the thread, which forwards to the descriptors `out` and `err`.  -1: it
   cannot be started; mux_free() follows in any case. */
int mux_start(struct mux *, int out, int err, struct error *);

/* Return a descriptor, or -1 before mux_start().  It is readable when the
   thread has ended, an output or a copy has failed, or the size was set. */
int mux_event_fd(const struct mux *);

/* Return the errno of a failed output (stdout before stderr), with its number
   in *which; 0: none. */
int mux_error(struct mux *, int *which);

/* Return the path of a copied file that could not be opened or written, which
   the caller frees, with the errno in *number; NULL: none.  Only the first
   failure of each of `copies` is reported, once. */
char *mux_copy_error(struct mux *, int *number);

/* Clear the event of mux_event_fd().  Returns true if the thread has ended. */
bool mux_ended(struct mux *);

/* Queue a copy of whole lines, not an instance's, for an output. */
void mux_note(struct mux *, int output, const char *, size_t);

/* Set the size of the instances' pseudo terminals, without waiting.
   mux_event_fd() is readable when that is done, and mux_resized() returns true
   once; the caller then sends SIGWINCH. */
void mux_resize(struct mux *, const struct winsize *);
bool mux_resized(struct mux *);

/* Note that the user has typed a line on the terminal, after a prompt. */
void mux_echoed(struct mux *);

/* Make the thread forward the bytes that are in the pipes, and end.  Does not
   wait for that.  Call it when all writers have ended. */
void mux_drain(struct mux *);

/* Return the last lines that an instance wrote to stderr, or if it wrote none
   there, to stdout, with their bytes in *size.  The caller frees them.  NULL:
   none, or the thread has not ended. */
char *mux_tail(const struct mux *, int instance, size_t *size);

/* Wait until the thread has ended, if it was started, and free everything.
   Call mux_drain() before, or this waits for all writers. */
void mux_free(struct mux *);

#endif
