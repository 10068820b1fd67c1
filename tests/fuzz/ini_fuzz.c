/*
 * The INI reader with one row of each type: refused with file:line, or every
 * value within its bounds.
 */
#include <string.h>

#include "core/base/formats/ini.h"
#include "core/base/parse.h"
#include "tests/fuzz/fuzz.h"

struct thing {
	char text[32];
	char name[NAME_LENGTH_MAX + 1];
	int number;
	bool flag;
	int word;
	float real;
};

static const char *const words[] = { "mesh", "torus", NULL };

static const struct ini_row rows[] = {
	{ .section = "thing",
	    .key = "text",
	    .type = INI_TEXT,
	    INI_FIELD(struct thing, text) },
	{ .section = "thing",
	    .key = "number",
	    .type = INI_NUMBER,
	    .required = true,
	    .min = -3,
	    .max = 70000,
	    INI_FIELD(struct thing, number) },
	{ .section = "part *",
	    .key = "name",
	    .type = INI_NAME,
	    INI_FIELD(struct thing, name) },
	{ .section = "part *",
	    .key = "flag",
	    .type = INI_BOOL,
	    INI_FIELD(struct thing, flag) },
	{ .section = "part *",
	    .key = "real",
	    .type = INI_REAL,
	    .low = -1,
	    .high = 2,
	    INI_FIELD(struct thing, real) },
	{ .section = "part *",
	    .key = "word",
	    .type = INI_WORD,
	    .words = words,
	    INI_FIELD(struct thing, word) },
	{ 0 },
};

static void *
begin(void *context, const struct ini_section *section, struct error *e)
{
	struct thing *things = context;

	(void)e;
	return strcmp(section->kind, "thing") == 0 ? &things[0] : &things[1];
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct thing things[2];
	struct error e = { .text = "" };
	struct ini_schema schema = { rows, begin, things };
	char *text = fuzz_text(data, size);

	memset(things, 0, sizeof(things));
	if (ini_read_text(&schema, "x.ini", text, size, &e) != 0) {
		require(strncmp(e.text, "x.ini:", 6) == 0);
	} else {
		require(things[0].number >= -3 && things[0].number <= 70000);
		require(memchr(things[0].text, '\0', sizeof(things[0].text)));
		require(things[1].real >= -1 && things[1].real <= 2);
		require(things[1].word == 0 || things[1].word == 1);
		require(things[1].name[0] == '\0' ||
		    name_check("part", things[1].name, NULL) == 0);
	}
	free(text);
	return 0;
}
