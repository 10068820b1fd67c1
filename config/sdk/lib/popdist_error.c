/*
 * The last error of each thread: a code and a text, for popdist.h and ipubox.h
 * alike.
 */
#include "popdist_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static __thread struct {
	int	code;
	char	word[16];
	char	text[1024];
} last;

static void
__attribute__((format(printf, 2, 0)))
set_text(int code, const char *format, va_list arguments)
{
	const char	*word = "failed";

	if (code == POPDIST_INVALID)
		word = "invalid";
	else if (code == POPDIST_UNAVAILABLE)
		word = "unavailable";
	last.code = code;
	(void)snprintf(last.word, sizeof(last.word), "%s", word);
	(void)vsnprintf(last.text, sizeof(last.text), format, arguments);
}

int
popdist_fail(int code, const char *format, ...)
{
	va_list	arguments;

	va_start(arguments, format);
	set_text(code, format, arguments);
	va_end(arguments);
	return -1;
}

int
popdist_fail_errno(int code, const char *format, ...)
{
	const int	number = errno;
	va_list		arguments;
	size_t		used;

	va_start(arguments, format);
	set_text(code, format, arguments);
	va_end(arguments);
	used = strlen(last.text);
	(void)snprintf(last.text + used, sizeof(last.text) - used, ": %s",
	    strerror(number));
	return -1;
}

int
popdist_fail_word(int code, const char *word, const char *text)
{
	(void)popdist_fail(code, "%s", text);
	(void)snprintf(last.word, sizeof(last.word), "%s", word);
	return -1;
}

const char *
popdist_error_text(void)
{
	return last.text;
}

int
popdist_error_code(void)
{
	return last.code;
}

const char *
ipubox_error_text(void)
{
	return last.text;
}

const char *
ipubox_error_word(void)
{
	return last.word;
}
