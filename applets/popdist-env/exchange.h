/*
 * PopDist's collectives from the shell: barrier, allreduce, broadcast, gather.
 */
#ifndef APPLETS_POPDIST_ENV_EXCHANGE_H
#define APPLETS_POPDIST_ENV_EXCHANGE_H

#include "applets/applet.h"
#include "core/job/job.h"

/* Options of the command line.  NULL: id "default", type double, root instance
   0, and the time limit of the environment. */
struct exchange_options {
	const char *id, *type, *root, *timeout;
	bool json;
};

/* Whether an option other than `json` is given: only collectives have these. */
bool exchange_has_options(const struct exchange_options *);

/* Whether a word names one of the four collectives. */
bool exchange_is_command(const char *);

/* Run the collective argv[0], which exchange_is_command() accepts, and print
   its result.  Waits until all instances run it, or the time limit is reached.
   Returns the exit status; the reason of a failure is on stderr. */
int exchange_run(const struct applet *, const struct popdist *,
    const struct exchange_options *, int argc, char **argv);

/* Elements of a vector as text, for a shell. */

enum { NUMBERS_TEXT_SIZE = 32 };

/* Parse one element of a type (core/base/formats/element.h), which must be one
   that can be summed.  -1: the text is not a number of that type. */
int numbers_read(int type, const char *text, void *element, struct error *);

/* Write an element as the shortest text that reads back as the same value:
   whole numbers below 2^53 without an exponent; "inf", "-inf", "nan". */
void numbers_format(int type, const void *element, char out[NUMBERS_TEXT_SIZE]);

#endif
