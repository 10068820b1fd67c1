/*
 * Numbers with the suffixes of Kubernetes, exactly: no floating point, so that
 * 0.1Gi is 107,374,183 bytes on every machine.
 */
#include "core/kube/schema/schema.h"

#include <bsd/string.h>

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/base/alloc.h"

enum {
	DIGITS_MAX = 18,  /* 10 to this power fits, and so does its double */
	EXPONENT_MAX = 99 /* larger ones are clamped: the result is the same */
};

/* The suffixes after the digits. */
static const struct quantity_suffix {
	const char *text;
	int tens; /* times 10 to this power */
	int twos; /* times 2 to this power */
} suffixes[] = { { "", 0, 0 }, { "n", -9, 0 }, { "u", -6, 0 }, { "m", -3, 0 },
	{ "k", 3, 0 }, { "M", 6, 0 }, { "G", 9, 0 }, { "T", 12, 0 },
	{ "P", 15, 0 }, { "E", 18, 0 }, { "Ki", 0, 10 }, { "Mi", 0, 20 },
	{ "Gi", 0, 30 }, { "Ti", 0, 40 }, { "Pi", 0, 50 }, { "Ei", 0, 60 } };

/* digits * 10^tens * 2^twos */
struct quantity_parts {
	uint64_t digits;
	int tens;
	int twos;
};

static const struct quantity_suffix *
find_suffix(const char *text)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (strcmp(suffixes[i].text, text) == 0)
			return &suffixes[i];
	return NULL;
}

/* Read "e3", "E+3", "e-3"; a lone "E" is a suffix. */
static bool
read_exponent(const char *text, int *exponent)
{
	bool negative;
	int value = 0;

	if (tolower((unsigned char)*text) != 'e')
		return false;
	text++;
	negative = *text == '-';
	text += *text == '-' || *text == '+';
	if (*text == '\0' || text[strspn(text, "0123456789")] != '\0')
		return false;
	for (; *text != '\0'; text++)
		if (value <= EXPONENT_MAX)
			value = value * 10 + (*text - '0');
	*exponent = negative ? -value : value;
	return true;
}

/*
 * Guess the intended suffix: "GB", "gb", "GiB", "gi" and the like without the B
 * and with the right case; or a suffix after a space.
 */
static const struct quantity_suffix *
guess_suffix(const char *text)
{
	char letters[4];
	size_t length;

	if (strlcpy(letters, text, sizeof(letters)) >= sizeof(letters))
		return NULL;
	length = strlen(letters);
	if (length > 1 && tolower((unsigned char)letters[length - 1]) == 'b')
		letters[--length] = '\0';
	if (length == 0)
		return NULL;
	letters[0] = (char)toupper((unsigned char)letters[0]);
	if (length == 2)
		letters[1] = (char)tolower((unsigned char)letters[1]);
	if (strcmp(letters, "K") == 0)
		letters[0] = 'k';
	return find_suffix(letters);
}

static int
refuse_quantity(const char *text, const char *behind, struct error *e)
{
	const struct quantity_suffix *guess = NULL;

	(void)error_set_code(e, ERROR_INVALID,
	    "'%s' is not a quantity, such as 200Gi, 32 or 500m", text);
	if (behind > text)
		guess = guess_suffix(behind + strspn(behind, " "));
	if (guess != NULL)
		(void)error_append(e, " (did you mean %.*s%s?)",
		    (int)(behind - text), text, guess->text);
	return -1;
}

/*
 * Read the digits as one number: 1.50 is 150 and -2.  Returns the rest, or NULL
 * if digits are missing or too many.
 */
static const char *
read_quantity_digits(const char *text, struct quantity_parts *q, int *count)
{
	bool behind_point = false, any = false;

	*count = 0;
	for (;; text++) {
		if (*text == '.' && !behind_point) {
			behind_point = true;
			continue;
		}
		if (!isdigit((unsigned char)*text))
			return any ? text : NULL;
		any = true;
		q->tens -= behind_point;
		/* Leading zeros do not count as digits. */
		*count += *count > 0 || *text != '0' || behind_point;
		if (*count > DIGITS_MAX)
			return NULL;
		q->digits = q->digits * 10 + (uint64_t)(*text - '0');
	}
}

static int
read_quantity(const char *text, struct quantity_parts *q, struct error *e)
{
	const struct quantity_suffix *suffix;
	const char *behind;
	int count, exponent = 0;

	q->digits = 0;
	q->tens = q->twos = 0;
	if (*text == '-')
		return error_set_code(e, ERROR_INVALID, "'%s' is negative",
		    text);
	behind = read_quantity_digits(text + (*text == '+'), q, &count);
	if (behind == NULL && count > DIGITS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "'%s' has more than %d digits", text, DIGITS_MAX);
	if (behind == NULL)
		return refuse_quantity(text, text, e);
	suffix = find_suffix(behind);
	if (suffix != NULL) {
		q->tens += suffix->tens;
		q->twos = suffix->twos;
	} else if (read_exponent(behind, &exponent)) {
		q->tens += exponent;
	} else {
		return refuse_quantity(text, behind, e);
	}
	return 0;
}

/*
 * Compute the value, rounded up; false: it is too large.  A fraction is the
 * remainder of a division by a power of ten; each doubling includes it:
 *
 *	0.3Ki	3 / 10 = 0 remainder 3; doubled ten times: 307 remainder 2;
 *		rounded up 308
 */
static bool
quantity_value(const struct quantity_parts *q, int64_t *value)
{
	uint64_t divisor = 1, whole = q->digits, rest;
	int i;

	if (whole == 0 || q->tens < -DIGITS_MAX) {
		*value = whole != 0;
		return true;
	}
	for (i = 0; i < q->tens; i++)
		if (__builtin_mul_overflow(whole, (uint64_t)10, &whole))
			return false;
	for (i = q->tens; i < 0; i++)
		divisor *= 10;
	rest = whole % divisor;
	whole /= divisor;
	for (i = 0; i < q->twos; i++) {
		if (whole > INT64_MAX / 2)
			return false;
		rest *= 2;
		whole = whole * 2 + (rest >= divisor);
		rest %= divisor;
	}
	if (whole >= INT64_MAX)
		return false;
	*value = (int64_t)whole + (rest > 0);
	return true;
}

/* Compute the value times 10 to `tens`. */
static int
read_scaled(const char *text, int tens, int64_t *value, struct error *e)
{
	struct quantity_parts q;

	if (read_quantity(text, &q, e) != 0)
		return -1;
	q.tens += tens;
	if (!quantity_value(&q, value))
		return error_set_code(e, ERROR_INVALID, "'%s' is too large",
		    text);
	return 0;
}

int
quantity_parse(const char *text, int64_t *thousandths, struct error *e)
{
	return read_scaled(text, 3, thousandths, e);
}

int
quantity_parse_whole(const char *text, int64_t *value, struct error *e)
{
	return read_scaled(text, 0, value, e);
}
