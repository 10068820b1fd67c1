/*
 * The HCL reader: refused with file:line, or every value within its bounds and
 * the same after it was quoted and read again.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/hcl.h"
#include "tests/fuzz/fuzz.h"

struct values {
	char text[32];
	char number[8];
	int lines[2];
};

static int
read_values(struct values *v, const char *text, size_t size, struct error *e)
{
	const struct hcl_row rows[] = {
		{ "api-host", v->text, sizeof(v->text), &v->lines[0] },
		{ "api-port", v->number, sizeof(v->number), &v->lines[1] },
		{ NULL, NULL, 0, NULL },
	};

	memset(v, 0, sizeof(*v));
	return hcl_read_text(rows, "x.hcl", text, size, e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct values v, again;
	struct error e = { .text = "" };
	char *text = fuzz_text(data, size), *quoted, *file;

	if (read_values(&v, text, size, &e) != 0) {
		require(strncmp(e.text, "x.hcl:", 6) == 0);
	} else {
		require(memchr(v.text, '\0', sizeof(v.text)) != NULL);
		require(memchr(v.number, '\0', sizeof(v.number)) != NULL);
		quoted = hcl_quote(v.text);
		file = xasprintf("api-host=%s\n", quoted);
		require(read_values(&again, file, strlen(file), &e) == 0);
		require(strcmp(again.text, v.text) == 0);
		free(file);
		free(quoted);
	}
	free(text);
	return 0;
}
