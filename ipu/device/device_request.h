/*
 * The lines between a program and the child that holds devices for it, as
 * ipubox-link(7) describes them: requests read, answers written.  Pure.
 */
#ifndef IPU_DEVICE_DEVICE_REQUEST_H
#define IPU_DEVICE_DEVICE_REQUEST_H

#include <stdio.h>

#include "core/base/error.h"

/* The child's first line, with the version of the protocol. */
#define DEVICE_REQUEST_GREETING	"ipubox-device 1\n"

enum {
	DEVICE_REQUEST_MAX = 255,	/* bytes of a line */
	DEVICE_REQUEST_ANY = -1		/* a device that has no number */
};

enum device_verb {
	DEVICE_VERB_ID, DEVICE_VERB_ATTACH, DEVICE_VERB_ATTRIBUTES,
	DEVICE_VERB_CHECK, DEVICE_VERB_DETACH
};

struct device_request {
	enum device_verb	verb;
	int			ipus;	/* of id and attach; 0: not said */
	int			id;	/* of the others and attach, or
					   DEVICE_REQUEST_ANY */
};

/*
 * Read a line of `size` bytes, without its line break.  -1 with ERROR_INVALID:
 * too long, a byte that is not of a text, an unknown request, too few or too
 * many words, or one that is not a number.
 */
int	device_request_parse(struct device_request *, const char *line,
	    size_t size, struct error *);

/*
 * Print "error CODE TEXT", one line whatever is in the text, for the code that
 * the error has.
 */
void	device_request_refuse(FILE *, const struct error *);

#endif
