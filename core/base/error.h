/*
 * Why something failed, in one sentence for a person.
 *
 * Functions of core/ and ipu/ neither print nor exit.  Where a person must
 * learn the reason they take a struct error as their last argument, fill it
 * and return -1 (or NULL).  The text is lower case, has no full stop, names
 * the thing and says what would help.  The caller owns the struct; NULL is
 * allowed where the reason does not matter.
 */
#ifndef CORE_BASE_ERROR_H
#define CORE_BASE_ERROR_H

struct error {
	char	text[1024];
};

/* Set the text and return -1, so that `return error_set(e, ...)` reads well. */
int	error_set(struct error *, const char *, ...)
	    __attribute__((format(printf, 2, 3)));

/* As error_set(), with ": " and the text of errno behind it. */
int	error_set_errno(struct error *, const char *, ...)
	    __attribute__((format(printf, 2, 3)));

/* Put more behind a text that is already there, and return -1. */
int	error_append(struct error *, const char *, ...)
	    __attribute__((format(printf, 2, 3)));

/* Put "prefix: " before a text that is already there, and return -1. */
int	error_prefix(struct error *, const char *, ...)
	    __attribute__((format(printf, 2, 3)));

#endif
