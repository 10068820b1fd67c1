/*
 * PopDist's collectives from the shell: barrier, allreduce, broadcast, gather.
 */
#ifndef APPLETS_POPDIST_ENV_EXCHANGE_H
#define APPLETS_POPDIST_ENV_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "applets/applet.h"
#include "core/base/error.h"
#include "core/job/job.h"

/* As given; NULL: not given. */
struct exchange_options {
	const char *id, *type, *root, *timeout;
	bool json;
};

/* Whether an option is given that only collectives have. */
bool exchange_is_meant(const struct exchange_options *);

/* Whether a word is one of the four. */
bool exchange_is_command(const char *);

/* Call the one that argv[0] names, and print; the exit status. */
int exchange_run(const struct applet *, const struct popdist *,
    const struct exchange_options *, int argc, char **argv);

/* Elements of a vector as text: what a shell has, and what it gets back. */

enum { NUMBERS_TEXT_SIZE = 32 };

/* One element of the type, which can be added up, from text. */
int numbers_read(int type, const char *text, void *element, struct error *);

/* As text: the shortest that reads back as the same value, whole numbers below
   2^53 without an exponent; "inf", "-inf", "nan". */
void numbers_format(int type, const void *element, char out[NUMBERS_TEXT_SIZE]);

#endif
