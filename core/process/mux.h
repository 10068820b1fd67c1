/*
 * The thread that forwards what the instances write: tagged lines to poprun's
 * stdout and stderr.  A thread of its own, because poprun's outputs may block
 * (a pager, a full pipe) while poprun must still answer to signals.
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
	MUX_COPIES = 2	 /* of each of them, at most */
};

struct mux;

struct mux_options {
	const bool *shown; /* whose output is, NULL: everybody's */
	/* Files that what they write goes into as well; or NULL. */
	const struct output_copy *copies[MUX_COPIES];
	/* What stands before a line, NULL: TAG_FORMAT_DEFAULT; and by instance
	   what is in it, but for the stream, NULL: the index alone.  The texts
	   are copied. */
	const char *tag_format;
	const struct tag_values *tags;
};

/* Columns that the widest tag of such a job takes in front of a line. */
int mux_tag_columns(int instances, const struct mux_options *);

/*
 * The size for their pseudo terminals where their lines come out on the
 * terminal `fd`: the tags take some columns of it, as many for each instance.
 * False, and all zero: it is not a terminal.
 */
bool mux_terminal_size(int instances, const struct mux_options *, int fd,
    struct winsize *);

/* For so many instances, without their pipes; never fails. */
struct mux *mux_new(int instances, const struct mux_options *);

/*
 * Forward output `output` (0: stdout) of a process, whose pipe's read end is
 * the mux's from now on.  To be called while it runs.  0, or the system's
 * number of the reason why not.
 */
int mux_add(struct mux *, int instance, int output, int fd);

/* Start forwarding to the descriptors `out` and `err`. */
int mux_start(struct mux *, int out, int err, struct error *);

/*
 * Readable when the thread has ended, or an output has failed.  Which of them
 * failed and why: mux_error(), 0 while all is well.
 */
int mux_event_fd(const struct mux *);
int mux_error(struct mux *, int *which);

/*
 * A copy that could not be written any more, and ended there: the first of each
 * of the mux's copies, once.  The path is the caller's; NULL: there is none.
 */
char *mux_copy_error(struct mux *, int *number);

/* Whether the thread is through. Clears the event. */
bool mux_ended(struct mux *);

/* Queue text that is not an instance's, whole lines, for an output. */
void mux_note(struct mux *, int output, const char *, size_t);

/*
 * Give the instances' pseudo terminals this size.  mux_event_fd() tells when
 * that is done, and mux_resized() says so, once.
 */
void mux_resize(struct mux *, const struct winsize *);
bool mux_resized(struct mux *);

/* No process is left that could write: forward what there is and end. */
void mux_drain(struct mux *);

/*
 * The last lines that an instance wrote to stderr, or where it wrote nothing
 * there, to stdout.  NULL: none, or the thread is not through; the caller frees
 * it.
 */
char *mux_tail(const struct mux *, int instance, size_t *size);

/* Wait for the thread, and free everything. */
void mux_free(struct mux *);

#endif
