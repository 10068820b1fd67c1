#include "core/base/json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

static const char	replacement[] = "\xef\xbf\xbd";	/* U+FFFD */

/*
 * Bytes of the UTF-8 character at s, 0 where there is none: no character, one
 * too long for its value, a surrogate, or over U+10FFFF (RFC 3629).
 */
static size_t
json_character_size(const unsigned char *s)
{
	size_t	size, i;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	size = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	for (i = 1; i < size; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return size;
}

/* A copy in which every odd byte is U+FFFD. */
static char *
json_repair(const char *text)
{
	const unsigned char	*s = (const unsigned char *)text;
	char			*copy, *to;
	size_t			 size;

	to = copy = xreallocarray(NULL, strlen(text) + 1,
	    sizeof(replacement));
	while (*s != '\0') {
		if ((size = json_character_size(s)) > 0) {
			memcpy(to, s, size);
			to += size;
			s += size;
			continue;
		}
		memcpy(to, replacement, sizeof(replacement) - 1);
		to += sizeof(replacement) - 1;
		s++;
	}
	*to = '\0';
	return copy;
}

char *
json_text(yyjson_mut_doc *doc)
{
	const yyjson_write_flag	 flags = YYJSON_WRITE_PRETTY_TWO_SPACES;
	char			*raw, *text, *fixed;

	raw = yyjson_mut_write(doc, flags, NULL);
	if (raw == NULL) {
		raw = yyjson_mut_write(doc, flags |
		    YYJSON_WRITE_ALLOW_INVALID_UNICODE, NULL);
		fixed = json_repair(raw != NULL ? raw : "null");
		free(raw);
		raw = fixed;
	}
	text = xasprintf("%s\n", raw);
	free(raw);
	yyjson_mut_doc_free(doc);
	return text;
}

void
json_print(FILE *out, yyjson_mut_doc *doc)
{
	char	*text = json_text(doc);

	fputs(text, out);
	free(text);
}
