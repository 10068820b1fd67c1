/*
 * Sets of small numbers, and the lists of them that Linux reads and writes.
 */
#include "core/base/bits.h"

#include <ctype.h>
#include <string.h>

#include "core/base/text.h"

static unsigned long
number_set_bit(int number)
{
	return 1UL << (unsigned int)(number % NUMBER_SET_WORD_BITS);
}

void
number_set_add(struct number_set *s, int number)
{
	if (number >= 0 && number < NUMBER_SET_SIZE)
		s->words[number / NUMBER_SET_WORD_BITS] |=
		    number_set_bit(number);
}

bool
number_set_has(const struct number_set *s, int number)
{
	return number >= 0 && number < NUMBER_SET_SIZE &&
	    (s->words[number / NUMBER_SET_WORD_BITS] &
		number_set_bit(number)) != 0;
}

int
number_set_next(const struct number_set *s, int number)
{
	while (number < NUMBER_SET_SIZE) {
		if (number_set_has(s, number))
			return number;
		/* Most words of a set have no bits: skip them. */
		if (s->words[number / NUMBER_SET_WORD_BITS] == 0)
			number |= NUMBER_SET_WORD_BITS - 1;
		number++;
	}
	return -1;
}

bool
number_set_is_empty(const struct number_set *s)
{
	return number_set_next(s, 0) == -1;
}

int
number_set_count(const struct number_set *s)
{
	int count = 0, n;

	for (n = number_set_next(s, 0); n != -1; n = number_set_next(s, n + 1))
		count++;
	return count;
}

/* Parse decimal digits; any larger number becomes NUMBER_SET_SIZE.  Returns
   false without digits. */
static bool
take_number(const char **at, int *number)
{
	const char *p = *at;

	*number = 0;
	for (; isdigit((unsigned char)*p); p++)
		if (*number < NUMBER_SET_SIZE)
			*number = *number * 10 + (*p - '0');
	if (*number > NUMBER_SET_SIZE)
		*number = NUMBER_SET_SIZE;
	if (p == *at)
		return false;
	*at = p;
	return true;
}

/* Parse "8" or "0-3". */
static bool
take_range(const char **at, struct number_set *s)
{
	int first, last;

	if (!take_number(at, &first))
		return false;
	last = first;
	if (**at == '-') {
		(*at)++;
		if (!take_number(at, &last) || last < first)
			return false;
	}
	for (; first <= last; first++)
		number_set_add(s, first);
	return true;
}

/* Parse ranges separated by commas; each comma is followed by one. */
static bool
take_ranges(const char **at, struct number_set *s)
{
	while (take_range(at, s)) {
		if (**at != ',')
			return true;
		(*at)++;
	}
	return false;
}

int
number_set_parse(struct number_set *s, const char *list)
{
	const char *end = list;

	memset(s, 0, sizeof(*s));
	if ((*end == '\0' || *end == '\n' || take_ranges(&end, s)) &&
	    (strcmp(end, "") == 0 || strcmp(end, "\n") == 0))
		return 0;
	memset(s, 0, sizeof(*s));
	return -1;
}

void
number_set_print(FILE *out, const struct number_set *s)
{
	const char *comma = "";
	int first, last;

	for (first = number_set_next(s, 0); first != -1;
	     first = number_set_next(s, last + 1)) {
		for (last = first; number_set_has(s, last + 1); last++)
			;
		fprintf(out, "%s%d", comma, first);
		if (last > first)
			fprintf(out, "-%d", last);
		comma = ",";
	}
}

char *
number_set_text(const struct number_set *s)
{
	struct memstream m;

	number_set_print(memstream_open(&m), s);
	return memstream_close(&m, NULL);
}
