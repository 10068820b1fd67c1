/*
 * Prints JSON documents, even with strings that are not UTF-8: yyjson(3)
 * refuses those, so then the raw text is written and repaired.
 */
#include "core/base/formats/json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

/* Write the document in one of yyjson's layouts, and free it. */
static char *
text_of(yyjson_mut_doc *doc, yyjson_write_flag flags)
{
	char *raw, *text, *fixed;

	raw = yyjson_mut_write(doc, flags, NULL);
	if (raw == NULL) {
		raw = yyjson_mut_write(doc,
		    flags | YYJSON_WRITE_ALLOW_INVALID_UNICODE, NULL);
		fixed = text_to_utf8(raw != NULL ? raw : "null");
		free(raw);
		raw = fixed;
	}
	text = xasprintf("%s\n", raw);
	free(raw);
	yyjson_mut_doc_free(doc);
	return text;
}

char *
json_text(yyjson_mut_doc *doc)
{
	return text_of(doc, YYJSON_WRITE_PRETTY_TWO_SPACES);
}

static void
print_text(FILE *out, char *text)
{
	fputs(text, out);
	free(text);
}

void
json_print(FILE *out, yyjson_mut_doc *doc)
{
	print_text(out, json_text(doc));
}

void
json_print_line(FILE *out, yyjson_mut_doc *doc)
{
	print_text(out, text_of(doc, YYJSON_WRITE_NOFLAG));
}

/* A line break in a string is "\n", so each line belongs to the layout. */
void
json_array_next(FILE *out, int *count, yyjson_mut_doc *doc)
{
	char *text = json_text(doc), *line = text, *end;

	fputs((*count)++ == 0 ? "[" : ",", out);
	for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		fputs("\n  ", out);
		fputs(line, out);
	}
	free(text);
}

void
json_array_end(FILE *out, int count)
{
	fputs(count == 0 ? "[]\n" : "\n]\n", out);
}

void
json_add_number_text(yyjson_mut_doc *doc, yyjson_mut_val *object,
    const char *key, int number)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%d", number);
	(void)yyjson_mut_obj_add_strcpy(doc, object, key, text);
}
