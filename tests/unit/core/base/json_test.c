#include "core/base/json.h"

#include <stdlib.h>

#include "core/base/array.h"
#include "tests/unit/tap.h"

#define BAD	"\xef\xbf\xbd"

static void
check(const char *bytes, const char *wanted, const char *name)
{
	yyjson_mut_doc	*doc = yyjson_mut_doc_new(NULL);
	char		*text;

	yyjson_mut_doc_set_root(doc, yyjson_mut_strcpy(doc, bytes));
	text = json_text(doc);
	is_str(text, wanted, name);
	free(text);
}

int
main(void)
{
	static const struct {
		const char	*name, *bytes, *wanted;
	} rows[] = {
		{ "plain", "a", "\"a\"\n" },
		{ "escaped", "a\"\n\x1b", "\"a\\\"\\n\\u001B\"\n" },
		{ "two, three and four bytes", "\xc3\xa4\xe2\x96\x88"
		    "\xf0\x9f\x98\x80", "\"\xc3\xa4\xe2\x96\x88"
		    "\xf0\x9f\x98\x80\"\n" },
		{ "a lone byte", "a\xff" "b", "\"a" BAD "b\"\n" },
		{ "a character cut off", "\xe2\x96", "\"" BAD BAD "\"\n" },
		{ "too long for its value", "\xc0\xaf", "\"" BAD BAD "\"\n" },
		{ "a surrogate", "\xed\xa0\x80", "\"" BAD BAD BAD "\"\n" },
		{ "over U+10FFFF", "\xf4\x90\x80\x80",
		    "\"" BAD BAD BAD BAD "\"\n" },
		{ "good beside bad", "\xc3\xa4\xfe",
		    "\"\xc3\xa4" BAD "\"\n" }
	};
	size_t	i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check(rows[i].bytes, rows[i].wanted, rows[i].name);
	return tap_done();
}
