/*
 * Parses values as people write them, on a command line or in a file.
 */
#include "core/base/parse.h"

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include "core/base/alloc.h"

/* libbsd's strtonum(3) knows the range and reports "too small", "too large" or
   "invalid". */
int
parse_number(const char *what, const char *text, long long min, long long max,
    long long *value, struct error *e)
{
	const char *digits = text + (*text == '-');
	const char *reason;

	/* strtonum(3) alone would accept spaces and a '+' before the digits. */
	if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0')
		return error_set_code(e, ERROR_INVALID,
		    "%s '%s': not a whole number", what, text);
	*value = strtonum(text, min, max, &reason);
	if (reason != NULL)
		return error_set_code(e, ERROR_INVALID,
		    "%s '%s': %s, must be %lld to %lld", what, text, reason,
		    min, max);
	return 0;
}

int
parse_real(const char *what, const char *text, double low, double high,
    double *value, struct error *e)
{
	char *end = NULL;

	/* strtod(3) alone would accept spaces, hexadecimal digits, "nan". */
	if (*text != '\0' && text[strspn(text, "0123456789.eE+-")] == '\0' &&
	    *text != '+')
		*value = strtod(text, &end);
	if (end == NULL || end == text || *end != '\0')
		return error_set_code(e, ERROR_INVALID, "%s '%s': not a number",
		    what, text);
	if (*value >= low && *value <= high)
		return 0;
	return error_set_code(e, ERROR_INVALID,
	    "%s '%s': too %s, must be %g to %g", what, text,
	    *value < low ? "small" : "large", low, high);
}

/* Ten years are 3652 days.  The limit is divided by the unit before the number
   is read, so their product never overflows. */
int
parse_duration(const char *what, const char *text, int64_t *ms, struct error *e)
{
	static const struct {
		char suffix;
		int64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	const int64_t most = INT64_C(3652) * 86400;
	int64_t unit = 1;
	long long number;
	char digits[24];
	size_t i, len = strspn(text, "0123456789");

	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (text[len] == units[i].suffix) {
			unit = units[i].seconds;
			break;
		}
	if (len == 0 ||
	    (text[len] != '\0' &&
		(text[len + 1] != '\0' || i == ARRAY_SIZE(units))))
		return error_set_code(e, ERROR_INVALID,
		    "%s '%s': must be a time: seconds, or a number followed by "
		    "s, m, h or d",
		    what, text);
	(void)strlcpy(digits, text,
	    len + 1 < sizeof(digits) ? len + 1 : sizeof(digits));
	number = strtonum(digits, 1, most / unit, NULL);
	if (number == 0)
		return error_set_code(e, ERROR_INVALID,
		    "%s '%s': must be one second to ten years", what, text);
	*ms = number * unit * 1000;
	return 0;
}

/* The words at odd places mean yes. */
int
parse_bool(const char *what, const char *text, bool *value, struct error *e)
{
	static const char *const words[] = { "no", "yes", "off", "on", "false",
		"true", "0", "1" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcasecmp(text, words[i]) == 0) {
			*value = i % 2 == 1;
			return 0;
		}
	}
	return error_set_code(e, ERROR_INVALID,
	    "%s '%s': must be yes or no (on/off, true/false and 1/0 mean the "
	    "same)",
	    what, text);
}
