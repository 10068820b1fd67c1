/*
 * Tags from a format.  A table lists the words, and the longest value of each.
 */
#include "core/process/tag_format.h"

#include <bsd/string.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/text.h"

enum {
	SECOND_MS = 1000,
	VALUE_SIZE = TAG_FORMAT_HOST_MAX + 1,
	SHOWN_MAX = 100 /* most bytes of a format in a message */
};

struct tag_word {
	char letter;
	size_t longest; /* in bytes */
	int tick_ms;	/* 0: not a time */
};

static const struct tag_word tag_words[] = {
	{ 'i', sizeof("2147483647") - 1, 0 },
	{ 'l', sizeof("2147483647") - 1, 0 },
	{ 'h', TAG_FORMAT_HOST_MAX, 0 },
	{ 's', sizeof("stdout") - 1, 0 },
	{ 't', sizeof("10:30:00") - 1, SECOND_MS },
	{ 'T', sizeof("2026-11-22T10:30:00.250+01:00") - 1, 1 },
	{ 'c', sizeof("Sun Nov 22 10:30:00 2026") - 1, SECOND_MS },
	{ 'r', sizeof("2147483647") - 1, 0 },
	{ '%', 1, 0 },
	{ '\0', 0, 0 },
};

/* Return the word at a percent sign; NULL: unknown. */
static const struct tag_word *
tag_format_word(const char *percent)
{
	const struct tag_word *word = tag_words;

	while (word->letter != '\0' && word->letter != percent[1])
		word++;
	return word->letter != '\0' ? word : NULL;
}

/* Return the bytes of the word or character there; 0: not allowed in a tag. */
static size_t
tag_format_step(const char *c)
{
	const size_t size = text_character_size((const unsigned char *)c);
	char one[4 + 1] = "", shown[4 * 4 + 1];

	if (*c == '%')
		return tag_format_word(c) != NULL ? 2 : 0;
	if (size == 0)
		return 0;
	memcpy(one, c, size);
	text_printable(one, shown, sizeof(shown));
	return strcmp(one, shown) == 0 ? size : 0;
}

/* Refuse the character at `c`, the `number`th.  Only the beginning of a long
   format is shown. */
static int
tag_format_refuse(const char *what, const char *format, const char *c,
    int number, struct error *e)
{
	const size_t size = text_character_size((const unsigned char *)c + 1);

	if (*c != '%')
		return error_set(e,
		    "%s '%.*s': character %d is a control character or not "
		    "UTF-8, which a terminal may take for a command; leave it "
		    "out",
		    what, SHOWN_MAX, format, number);
	if (c[1] == '\0')
		return error_set(e,
		    "%s '%.*s': character %d, a percent sign, has nothing "
		    "after it; write %%%% for a percent sign",
		    what, SHOWN_MAX, format, number);
	return error_set(e,
	    "%s '%.*s': '%.*s' at character %d stands for nothing; use %%i, "
	    "%%l, %%h, %%s, %%t, %%T, %%c or %%r, or write %%%% for a percent "
	    "sign",
	    what, SHOWN_MAX, format, (int)(size > 0 ? size : 1) + 1, c, number);
}

int
tag_format_check(const char *what, const char *format, struct error *e)
{
	const char *c;
	size_t longest = 0, step;
	int number = 1;

	for (c = format; *c != '\0'; c += step, number++) {
		if ((step = tag_format_step(c)) == 0)
			return tag_format_refuse(what, format, c, number, e);
		longest += *c == '%' ? tag_format_word(c)->longest : step;
		if (longest > TAG_FORMAT_MAX)
			return error_set(e,
			    "%s: from character %d on, a tag could be longer "
			    "than %d bytes, because a host name has up to %d; "
			    "write a shorter format",
			    what, number, TAG_FORMAT_MAX, TAG_FORMAT_HOST_MAX);
		if (*c == '%')
			number++;
	}
	return 0;
}

/* A time outside of the calendar counts as its first moment. */
static void
tag_format_put_time(char letter, int64_t real_ms, char text[VALUE_SIZE])
{
	const time_t now_s = (time_t)(real_ms / SECOND_MS);
	struct tm tm;
	char date[64], zone[16];

	if (localtime_r(&now_s, &tm) == NULL)
		memset(&tm, 0, sizeof(tm));
	if (letter != 'T') {
		(void)strftime(text, VALUE_SIZE,
		    letter == 't' ? "%H:%M:%S" : "%a %b %e %H:%M:%S %Y", &tm);
		return;
	}
	(void)strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	/* "+0100" becomes "+01:00". */
	(void)strftime(zone, sizeof(zone), "%z", &tm);
	(void)snprintf(text, VALUE_SIZE, "%s.%03d%.3s:%.2s", date,
	    (int)(real_ms % SECOND_MS), zone, zone + 3);
}

/* Print the value of a word. */
static void
tag_format_put_value(char letter, const struct tag_values *v, int64_t real_ms,
    char text[VALUE_SIZE])
{
	int number = v->instance;

	switch (letter) {
	case 'h':
		text_printable(v->host, text, VALUE_SIZE);
		return;
	case 's':
		(void)strlcpy(text, v->stream, VALUE_SIZE);
		return;
	case 't':
	case 'T':
	case 'c':
		tag_format_put_time(letter, real_ms, text);
		return;
	case '%':
		(void)strlcpy(text, "%", VALUE_SIZE);
		return;
	case 'l':
		number = v->local_index;
		break;
	case 'r':
		number = v->restarts;
		break;
	default:
		break;
	}
	(void)snprintf(text, VALUE_SIZE, "%d", number);
}

/* The tag of a checked format fits; any other is cut. */
size_t
tag_format_expand(const char *format, const struct tag_values *v,
    int64_t real_ms, char tag[TAG_FORMAT_SIZE])
{
	const char *c = format;
	char text[VALUE_SIZE];
	size_t used = 0;

	while (*c != '\0' && used < TAG_FORMAT_MAX) {
		if (*c != '%' || c[1] == '\0') {
			tag[used++] = *c++;
			continue;
		}
		tag_format_put_value(c[1], v, real_ms, text);
		used += strlcpy(tag + used, text, TAG_FORMAT_SIZE - used);
		if (used > TAG_FORMAT_MAX)
			used = TAG_FORMAT_MAX;
		c += 2;
	}
	tag[used] = '\0';
	return used;
}

int
tag_format_tick_ms(const char *format)
{
	const struct tag_word *word;
	const char *c;
	int tick_ms = 0;

	for (c = format; (c = strchr(c, '%')) != NULL && c[1] != '\0'; c += 2) {
		word = tag_format_word(c);
		if (word != NULL && word->tick_ms != 0 &&
		    (tick_ms == 0 || word->tick_ms < tick_ms))
			tick_ms = word->tick_ms;
	}
	return tick_ms;
}

int
tag_format_columns(const char *format, const struct tag_values *v)
{
	char tag[TAG_FORMAT_SIZE];
	size_t size = tag_format_expand(format, v, 0, tag), i;
	int columns = 0, width;

	for (i = 0; i < size; columns += width)
		i += text_next(tag + i, &width);
	return columns;
}
