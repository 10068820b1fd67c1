/*
 * Parsing values, names of objects and variables of the environment.  A text is
 * accepted whole or refused.  `what` names the value in the error, as "--size"
 * or "FILE:3: size".  Except for variables, the functions return 0, or -1 with
 * ERROR_INVALID.
 */
#ifndef CORE_BASE_PARSE_H
#define CORE_BASE_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

/* Parse a decimal number from min to max.  On failure *value may change. */
int parse_number(const char *what, const char *text, long long min,
    long long max, long long *value, struct error *);

/* Parse a finite decimal number, as 0.001 or 1e-3, from low to high.  On
   failure *value may change. */
int parse_real(const char *what, const char *text, double low, double high,
    double *value, struct error *);

/* Parse a duration from one second to ten years: a whole number of seconds, or
   one followed by s, m, h or d. */
int parse_duration(const char *what, const char *text, int64_t *ms,
    struct error *);

/* Parse yes/no, on/off, true/false or 1/0, ignoring case. */
int parse_bool(const char *what, const char *text, bool *value, struct error *);

/*
 * Check the name of a pod object (partition, cluster, agent, allocation, user):
 * 1 to NAME_LENGTH_MAX characters from A-Z a-z 0-9 . _ -, the first a letter or
 * a digit.  Names become file names, so this is the only gate between a command
 * line and the state directory.
 */
enum { NAME_LENGTH_MAX = 63 };
int name_check(const char *what, const char *name, struct error *);

/* Check the text as name_check() does, and copy it to `name`, which stays
   unchanged on failure. */
int name_parse(const char *what, const char *text,
    char name[NAME_LENGTH_MAX + 1], struct error *);

/* Return the value of a variable, owned by the environment; NULL if it is unset
   or empty, because scripts pass missing values as empty ones. */
const char *variable_get(const char *name);

/* Remove a variable from the environment and return a copy, which the caller
   frees; NULL if it is unset.  The value is also erased from /proc/PID/environ,
   where other processes of this user could read it. */
char *variable_take(const char *name);

#endif
