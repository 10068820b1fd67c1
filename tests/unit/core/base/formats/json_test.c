#include "core/base/formats/json.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

#define BAD "\xef\xbf\xbd"

static void
check(const char *bytes, const char *wanted, const char *name)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	char *text;

	yyjson_mut_doc_set_root(doc, yyjson_mut_strcpy(doc, bytes));
	text = json_text(doc);
	is_str(text, wanted, name);
	free(text);
}

/* An object with what must not be taken for the array's own lines. */
static yyjson_mut_val *
element(yyjson_mut_doc *doc, int number)
{
	yyjson_mut_val *o = yyjson_mut_obj(doc), *list;

	yyjson_mut_obj_add_int(doc, o, "number", number);
	yyjson_mut_obj_add_str(doc, o, "text", "two\nlines, ]\"");
	list = yyjson_mut_obj_add_arr(doc, o, "list");
	yyjson_mut_arr_add_int(doc, list, number);
	(void)yyjson_mut_obj_add_obj(doc, o, "empty");
	return o;
}

/* Element by element it is what the whole is. */
static void
check_array(int count, const char *name)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL), *one;
	yyjson_mut_val *all = yyjson_mut_arr(doc);
	char *wanted, *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);
	int i, printed = 0;

	yyjson_mut_doc_set_root(doc, all);
	for (i = 0; i < count; i++) {
		yyjson_mut_arr_append(all, element(doc, i));
		one = yyjson_mut_doc_new(NULL);
		yyjson_mut_doc_set_root(one, element(one, i));
		json_array_next(out, &printed, one);
	}
	json_array_end(out, printed);
	(void)fclose(out);
	wanted = json_text(doc);
	is_str(got, wanted, name);
	free(wanted);
	free(got);
}

int
main(void)
{
	static const struct {
		const char *name, *bytes, *wanted;
	} rows[] = {
		{ "plain", "a", "\"a\"\n" },
		{ "escaped", "a\"\n\x1b", "\"a\\\"\\n\\u001B\"\n" },
		{ "two, three and four bytes",
		    "\xc3\xa4\xe2\x96\x88"
		    "\xf0\x9f\x98\x80",
		    "\"\xc3\xa4\xe2\x96\x88"
		    "\xf0\x9f\x98\x80\"\n" },
		{ "a lone byte",
		    "a\xff"
		    "b",
		    "\"a" BAD "b\"\n" },
		{ "a character cut off", "\xe2\x96", "\"" BAD BAD "\"\n" },
		{ "too long for its value", "\xc0\xaf", "\"" BAD BAD "\"\n" },
		{ "a surrogate", "\xed\xa0\x80", "\"" BAD BAD BAD "\"\n" },
		{ "over U+10FFFF", "\xf4\x90\x80\x80",
		    "\"" BAD BAD BAD BAD "\"\n" },
		{ "good beside bad", "\xc3\xa4\xfe", "\"\xc3\xa4" BAD "\"\n" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check(rows[i].bytes, rows[i].wanted, rows[i].name);
	check_array(0, "an array of nothing");
	check_array(1, "of one");
	check_array(3, "of three");
	return tap_done();
}
