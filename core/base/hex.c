/*
 * Bytes as hexadecimal digits, for identities and secrets in files.
 */
#include "core/base/text.h"

#include <string.h>

static const char hex_digits[] = "0123456789abcdef";

void
hex_text(const uint8_t *bytes, size_t count, char *text)
{
	size_t i;

	for (i = 0; i < count; i++) {
		*text++ = hex_digits[bytes[i] >> 4];
		*text++ = hex_digits[bytes[i] & 15];
	}
	*text = '\0';
}

/* Return the value of a digit that strspn(3) has accepted. */
static unsigned
hex_value(char digit)
{
	return (unsigned)(strchr(hex_digits, digit) - hex_digits);
}

int
hex_parse(const char *text, uint8_t *bytes, size_t count)
{
	size_t i;

	if (strlen(text) != 2 * count || strspn(text, hex_digits) != 2 * count)
		return -1;
	for (i = 0; i < count; i++)
		bytes[i] = (uint8_t)(hex_value(text[2 * i]) << 4 |
		    hex_value(text[2 * i + 1]));
	return 0;
}
