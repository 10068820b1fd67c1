/*
 * The thread that forwards the instances' output as tagged lines to poprun's
 * stdout and stderr.  It is a separate thread because these may block (a pager,
 * a full pipe) while poprun must still react to signals.
 */
#ifndef CORE_PROCESS_MUX_H
#define CORE_PROCESS_MUX_H

#include <sys/ioctl.h>

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/process/output_copy.h"
#include "core/process/tag_format.h"

enum {
	MUX_OUTPUTS = 2, /* stdout, stderr */
	MUX_COPIES = 2	 /* most copies of each output */
};

struct mux;

struct mux_options {
	const bool *shown; /* by instance, whether its output is shown; NULL:
			      all */
	/* Files that also get the output; or NULL. */
	const struct output_copy *copies[MUX_COPIES];
	/* The tag before a line, NULL: TAG_FORMAT_DEFAULT; and by instance the
	   values in it except the stream, NULL: the index alone.  The texts are
	   copied. */
	const char *tag_format;
	const struct tag_values *tags;
};

/* Return the columns of the job's widest tag. */
int mux_tag_columns(int instances, const struct mux_options *);

/* Get the size for the instances' pseudo terminals if their lines appear on the
   terminal `fd` after a tag: the same for all.  Returns false, with all zero,
   if `fd` is not a terminal. */
bool mux_terminal_size(int instances, const struct mux_options *, int fd,
    struct winsize *);

/* Make a mux for `instances` instances, without their pipes; never fails. */
struct mux *mux_new(int instances, const struct mux_options *);

/* Forward output `output` (0: stdout) of a process.  The mux takes over the
   read end of its pipe.  It may be called while the mux runs.  Returns 0 or
   errno. */
int mux_add(struct mux *, int instance, int output, int fd);

/* Start forwarding to the descriptors `out` and `err`. */
int mux_start(struct mux *, int out, int err, struct error *);

/* Return a descriptor that is readable when the thread has ended or an
   output has failed.  mux_error() returns the errno and which output failed;
   0: none. */
int mux_event_fd(const struct mux *);
int mux_error(struct mux *, int *which);

/* Return the path of a copy that has ended because of a write error, which the
   caller frees; NULL: none.  Only the first failure of each copy is reported,
   once. */
char *mux_copy_error(struct mux *, int *number);

/* Return true if the thread has ended.  Clears the event. */
bool mux_ended(struct mux *);

/* Queue whole lines of text that is not an instance's for an output. */
void mux_note(struct mux *, int output, const char *, size_t);

/* Set the size of the instances' pseudo terminals.  mux_event_fd() is readable
   when that is done, and mux_resized() returns true once. */
void mux_resize(struct mux *, const struct winsize *);
bool mux_resized(struct mux *);

/* Forward the remaining output and end, after all writers have ended. */
void mux_drain(struct mux *);

/* Return the last lines that an instance wrote to stderr, or if there are
   none to stdout.  The caller frees them.  NULL: none, or the thread has not
   ended. */
char *mux_tail(const struct mux *, int instance, size_t *size);

/* Wait for the thread and free everything. */
void mux_free(struct mux *);

#endif
