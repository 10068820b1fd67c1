/*
 * Four letters encode three bytes; '=' fills up the last four.
 */
#include "core/base/formats/encoding.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

enum { NO_LETTER = 64 };

static unsigned int
letter_value(char c)
{
	static const char letters[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c == '\0' ? NULL : strchr(letters, c);

	return at == NULL ? NO_LETTER : (unsigned int)(at - letters);
}

/* Decode letters and padding in groups of four.  An incomplete group has two or
   three letters; their surplus bits are ignored. */
static int
decode_letters(const char *text, char *out, size_t *size)
{
	uint32_t bits = 0;
	size_t letters = 0, filled = 0, count = 0;

	for (; *text != '\0'; text++) {
		if (*text == '\n' || *text == '\r')
			continue;
		if (*text == '=') {
			filled++;
			continue;
		}
		if (letter_value(*text) == NO_LETTER || filled > 0)
			return -1;
		bits = bits << 6 | letter_value(*text);
		if (++letters % 4 == 0) {
			out[count++] = (char)(bits >> 16 & 0xff);
			out[count++] = (char)(bits >> 8 & 0xff);
			out[count++] = (char)(bits & 0xff);
		}
	}
	if ((letters + filled) % 4 != 0 || filled > 2)
		return -1;
	if (filled == 2) {
		out[count++] = (char)(bits >> 4 & 0xff);
	} else if (filled == 1) {
		out[count++] = (char)(bits >> 10 & 0xff);
		out[count++] = (char)(bits >> 2 & 0xff);
	}
	*size = count;
	return 0;
}

char *
base64_decode(const char *text, size_t *size)
{
	char *out = xmalloc(strlen(text) / 4 * 3 + 4);

	if (decode_letters(text, out, size) != 0) {
		free(out);
		return NULL;
	}
	out[*size] = '\0';
	return out;
}
