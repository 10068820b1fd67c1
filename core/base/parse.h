/*
 * Values from text, read whole or refused.  `what` names the value in the
 * message, as "--size" or "FILE:3: size".  0, or -1 and the reason.
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
int		 parse_number(const char *what, const char *text, long long min,
		    long long max, long long *value, struct error *);

/*
 * A decimal number with or without a fraction, as 0.001 or 1e-3, from low to
 * high; not infinite and no NaN.
 */
int		 parse_real(const char *what, const char *text, double low,
		    double high, double *value, struct error *);

/*
 * A duration in ms: seconds, or a number with s, m, h or d behind it.  From
 * one second to ten years.
 */
int		 parse_duration(const char *what, const char *text,
		    int64_t *ms, struct error *);

/* yes/no, on/off, true/false, 1/0 in any case. */
int		 parse_bool(const char *what, const char *text, bool *value,
		    struct error *);

#endif
