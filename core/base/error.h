/*
 * Why something failed: a code for the caller and one sentence for a person.
 *
 * Functions of core/ and ipu/ neither print nor exit.  If a person needs the
 * reason they take a struct error as their last argument, fill it and return -1
 * (or NULL).  On success they leave it unchanged.  The text is lower case, has
 * no full stop, names the thing and says what would help.  Control characters
 * in quoted input are escaped (text_escape()), so it can be printed directly;
 * line breaks and tabs stay if the format itself has one, or is "%s".  A text
 * that is too long is cut.
 *
 * The caller owns the struct; NULL is allowed if the reason does not matter.
 * Callers branch on the code.  errno is only valid directly after a system
 * call.
 */
#ifndef CORE_BASE_ERROR_H
#define CORE_BASE_ERROR_H

#include <stdarg.h>

/*
 * The comments give each code's gRPC status (grpc.github.io, statuscodes.md).
 * All of them end a command with exit status 1; errors in the command line are
 * found earlier and end it with 2.  poprun's 127 and 126, for a program that is
 * missing or cannot be executed, are in core/process/process.h.
 */
enum error_code {
	ERROR_NONE,	       /* OK: no failure yet */
	ERROR_FAILED,	       /* UNKNOWN: only the text says more */
	ERROR_INVALID,	       /* INVALID_ARGUMENT: never possible as asked */
	ERROR_NOT_FOUND,       /* NOT_FOUND: no object of that name exists */
	ERROR_EXISTS,	       /* ALREADY_EXISTS: the name is taken */
	ERROR_DENIED,	       /* PERMISSION_DENIED: not for this caller */
	ERROR_UNAUTHENTICATED, /* UNAUTHENTICATED: the caller is unknown */
	ERROR_BUSY,	       /* FAILED_PRECONDITION: another user or object
				  must go first */
	ERROR_UNSAFE,	       /* FAILED_PRECONDITION: others may have put the
				  file there, so it is not used */
	ERROR_NO_ROOM,	       /* RESOURCE_EXHAUSTED: the requested things, such
				  as IPUs, are in use */
	ERROR_IO,	       /* INTERNAL: disk full, device error, or out of
				  system resources */
	ERROR_STALE,	       /* ABORTED: the open object was replaced; open it
				  again */
	ERROR_UNAVAILABLE,     /* UNAVAILABLE: try again later */
	ERROR_UNCONFIRMED,     /* UNKNOWN: done, perhaps, but the disk could not
				  confirm it */
	ERROR_TIMED_OUT,       /* DEADLINE_EXCEEDED: it may still happen */
	ERROR_INTERRUPTED,     /* CANCELLED: a signal or the caller ended it */
	ERROR_DAMAGED,	       /* DATA_LOSS: stored data cannot be read */
	ERROR_UNSUPPORTED      /* UNIMPLEMENTED: not in this ipubox or on this
				  system */
};

struct error {
	char text[1024];
	enum error_code code;
};

/* Return the code for an errno; ERROR_FAILED if it has none. */
enum error_code error_from_errno(int number);

/* Set the text and the code ERROR_FAILED.  Returns -1, so that `return
   error_set(e, ...)` works; so do all functions below. */
int error_set(struct error *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Do the same with a va_list. */
int error_set_list(struct error *, const char *, va_list)
    __attribute__((format(printf, 2, 0)));

/* Set the text and a code. */
int error_set_code(struct error *, enum error_code, const char *, ...)
    __attribute__((format(printf, 3, 4)));

/* Set the text followed by ": " and the text of errno, and its code. */
int error_set_errno(struct error *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Do the same with an errno that is passed. */
int error_set_number(struct error *, int number, const char *, ...)
    __attribute__((format(printf, 3, 4)));

/* Set only the text of errno and its code, for callers that add words with
   error_prefix(). */
int error_set_reason(struct error *, int number);

/* Append to the existing text; the code stays. */
int error_append(struct error *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Put "PREFIX: " before the existing text; the code stays. */
int error_prefix(struct error *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Replace the code of the existing text. */
int error_recode(struct error *, enum error_code);

/* Copy text and code. */
int error_copy(struct error *, const struct error *from);

#endif
