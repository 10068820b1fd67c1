/*
 * Values from text, read whole or refused; names of objects; and variables of
 * the environment.  `what` names the value in the message, as "--size" or
 * "FILE:3: size".  0, or -1 and the reason.
 */
#ifndef CORE_BASE_PARSE_H
#define CORE_BASE_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

/*
 * A decimal number from min to max, with nothing before or behind it.
 * `what` names it in the message, as in "--size 0: too small, ...".
 */
int parse_number(const char *what, const char *text, long long min,
    long long max, long long *value, struct error *);

/*
 * A decimal number with or without a fraction, as 0.001 or 1e-3, from low to
 * high; not infinite and no NaN.
 */
int parse_real(const char *what, const char *text, double low, double high,
    double *value, struct error *);

/*
 * A duration in ms: seconds, or a number with s, m, h or d behind it.  From
 * one second to ten years.
 */
int parse_duration(const char *what, const char *text, int64_t *ms,
    struct error *);

/* yes/no, on/off, true/false, 1/0 in any case. */
int parse_bool(const char *what, const char *text, bool *value, struct error *);

/*
 * Whether the name may be that of a pod object (partition, cluster, agent,
 * allocation, user): 1 to NAME_LENGTH_MAX characters from A-Z a-z 0-9 . _ -,
 * the first a letter or a digit.  Names become file names, so this is the
 * only gate between a command line and the state directory.
 */
enum { NAME_LENGTH_MAX = 63 };
int name_check(const char *what, const char *name, struct error *);

/* The same, and a copy of the name, which is left as it was when refused. */
int name_parse(const char *what, const char *text,
    char name[NAME_LENGTH_MAX + 1], struct error *);

/*
 * Returns the text of a variable, which stays the environment's; NULL where it
 * is not set or is empty, as a script has it that passes on what it lacks.
 */
const char *variable_get(const char *name);

/*
 * Takes it out of the environment: a copy, to be freed, or NULL where it is not
 * set.  Its bytes are also gone from what others of this user read in /proc.
 */
char *variable_take(const char *name);

#endif
