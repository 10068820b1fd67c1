/*
 * Why something failed: a code for the caller and one sentence for a person.
 *
 * Functions of core/ and ipu/ neither print nor exit.  Where somebody must
 * learn the reason they take a struct error as their last argument, fill it
 * and return -1 (or NULL).  A function that succeeds leaves it as it was.
 * The text is lower case, has no full stop, names the thing and says what
 * would help.  Control characters in what it quotes are escaped
 * (text_escape()), so it can be printed as it is.  The caller owns the struct.
 *
 * Who asks why one of our functions failed asks the code, and gives a struct
 * of its own for that.  NULL is allowed where the reason does not matter.
 * errno counts only directly behind a system call.
 */
#ifndef CORE_BASE_ERROR_H
#define CORE_BASE_ERROR_H

#include <stdarg.h>

/*
 * Behind each code: its status in gRPC (grpc.github.io, statuscodes.md).  Every
 * one of them ends a command with exit status 1; a mistake in the command line
 * is found before, and ends it with 2.  poprun says 127 and 126 of a program
 * that is not there or cannot be executed: see core/process/process.h.
 */
enum error_code {
	ERROR_NONE,	       /* OK: nothing failed yet */
	ERROR_FAILED,	       /* UNKNOWN: the text says all there is */
	ERROR_INVALID,	       /* INVALID_ARGUMENT: never possible as asked */
	ERROR_NOT_FOUND,       /* NOT_FOUND: there is none of that name */
	ERROR_EXISTS,	       /* ALREADY_EXISTS: there is one of that name */
	ERROR_DENIED,	       /* PERMISSION_DENIED: not for this caller */
	ERROR_UNAUTHENTICATED, /* UNAUTHENTICATED: nobody knows the caller */
	ERROR_BUSY,	       /* FAILED_PRECONDITION: somebody or something
				  that is there has to go first */
	ERROR_UNSAFE,	       /* FAILED_PRECONDITION: others could have put the
				  file there, so it is not used */
	ERROR_NO_ROOM,	       /* RESOURCE_EXHAUSTED: what is asked for is taken
				  now, as IPUs are */
	ERROR_IO,	       /* INTERNAL: the disk is full, a device fails,
				  the system has no more */
	ERROR_STALE,	       /* ABORTED: another took the place of what is
				  open; opening it once more helps */
	ERROR_UNAVAILABLE,     /* UNAVAILABLE: trying again later helps */
	ERROR_UNCONFIRMED,     /* UNKNOWN: it is done, or may be, and the disk
				  could not confirm it */
	ERROR_TIMED_OUT,       /* DEADLINE_EXCEEDED: it may happen later */
	ERROR_INTERRUPTED,     /* CANCELLED: a signal or the caller ended it */
	ERROR_DAMAGED,	       /* DATA_LOSS: what is stored cannot be read */
	ERROR_UNSUPPORTED      /* UNIMPLEMENTED: this ipubox, or this system,
				  does not know how */
};

struct error {
	char text[1024];
	enum error_code code;
};

/* What the code of a system call's errno is. */
enum error_code error_from_errno(int number);

/*
 * Set the text, and the code ERROR_FAILED; return -1, so that
 * `return error_set(e, ...)` reads well.
 */
int error_set(struct error *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* The same with the arguments of a function that takes such a list. */
int error_set_list(struct error *, const char *, va_list)
    __attribute__((format(printf, 2, 0)));

/* As error_set(), with a code of the caller's choice. */
int error_set_code(struct error *, enum error_code, const char *, ...)
    __attribute__((format(printf, 3, 4)));

/* As error_set(), with ": " and the text of errno behind it, and its code. */
int error_set_errno(struct error *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* The same where the system's number is not in errno, or is chosen. */
int error_set_number(struct error *, int number, const char *, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * The words of the system alone, and their code: for who puts his own before
 * them with error_prefix().
 */
int error_set_reason(struct error *, int number);

/* Put more behind a text that is already there, and return -1. */
int error_append(struct error *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Put "prefix: " before a text that is already there, and return -1. */
int error_prefix(struct error *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Another code for a text that is already there; return -1. */
int error_recode(struct error *, enum error_code);

/* Hand on a reason, text and code, and return -1. */
int error_copy(struct error *, const struct error *from);

#endif
