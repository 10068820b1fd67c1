/*
 * INI files: what fills which field, what is refused and how it is said.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/formats/ini.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/tap.h"

static const char *const colours[] = { "red", "green", NULL };

struct thing {
	char text[32];
	char name[64];
	int8_t tiny;
	uint16_t small;
	int32_t number;
	int64_t big;
	bool flag;
	uint8_t byte_flag;
	int colour;
	int length;
	int line; /* of number */
	char list[32];
	float single;
	double real;
};

struct things {
	struct thing plain;
	struct thing named[4];
	char names[4][256];
	int lines[4];
	int count;
	int sections;
};

static int
parse_length(void *target, const char *value, struct error *e)
{
	struct thing *t = target;

	if (strspn(value, "x") != strlen(value))
		return error_set(e, "length: must be made of x");
	t->length = (int)strlen(value);
	return 0;
}

static int
parse_list(void *target, const char *value, struct error *e)
{
	struct thing *t = target;

	(void)e;
	(void)strlcat(t->list, value, sizeof(t->list));
	return 0;
}

#define FIELD(member) INI_FIELD(struct thing, member)

static const struct ini_row rows[] = {
	{ .section = "plain", .key = "text", .type = INI_TEXT, FIELD(text) },
	{ .section = "plain", .key = "name", .type = INI_NAME, FIELD(name) },
	{ .section = "plain",
	    .key = "tiny",
	    .type = INI_NUMBER,
	    FIELD(tiny),
	    .min = -128,
	    .max = 127 },
	{ .section = "plain",
	    .key = "small",
	    .type = INI_NUMBER,
	    FIELD(small),
	    .min = 0,
	    .max = UINT16_MAX },
	{ .section = "plain",
	    .key = "number",
	    .type = INI_NUMBER,
	    .required = true,
	    FIELD(number),
	    .min = 1,
	    .max = 100,
	    .line = offsetof(struct thing, line) },
	{ .section = "plain",
	    .key = "big",
	    .type = INI_NUMBER,
	    FIELD(big),
	    .min = INT64_MIN,
	    .max = INT64_MAX },
	{ .section = "plain", .key = "flag", .type = INI_BOOL, FIELD(flag) },
	{ .section = "plain",
	    .key = "byte-flag",
	    .type = INI_BOOL,
	    FIELD(byte_flag) },
	{ .section = "plain",
	    .key = "colour",
	    .type = INI_WORD,
	    FIELD(colour),
	    .words = colours },
	{ .section = "plain",
	    .key = "length",
	    .type = INI_CUSTOM,
	    .parse = parse_length },
	{ .section = "plain",
	    .key = "list",
	    .type = INI_CUSTOM,
	    .repeated = true,
	    .parse = parse_list },
	{ .section = "plain",
	    .key = "single",
	    .type = INI_REAL,
	    FIELD(single),
	    .low = 0,
	    .high = 1 },
	{ .section = "plain",
	    .key = "real",
	    .type = INI_REAL,
	    FIELD(real),
	    .low = -5,
	    .high = 5 },
	{ .section = "thing *",
	    .key = "number",
	    .type = INI_NUMBER,
	    FIELD(number),
	    .min = 0,
	    .max = 9 },
	{ .section = "later", .key = NULL },
	{ 0 },
};

static void *
begin(void *context, const struct ini_section *section, struct error *e)
{
	struct things *t = context;

	t->sections++;
	if (strcmp(section->kind, "plain") == 0 ||
	    strcmp(section->kind, "later") == 0)
		return &t->plain;
	if (strcmp(section->name, "bad") == 0) {
		(void)error_set(e, "a bad thing");
		return NULL;
	}
	(void)snprintf(t->names[t->count], sizeof(t->names[0]), "%s",
	    section->name);
	t->lines[t->count] = section->line;
	return &t->named[t->count++];
}

static int
read_things(struct things *t, const char *text, size_t size, struct error *e)
{
	struct ini_schema schema = { rows, begin, t };

	memset(t, 0, sizeof(*t));
	return ini_read_text(&schema, "f.ini", text, size, e);
}

static void
test_fields(void)
{
	static const char text[] =
	    "\xef\xbb\xbf; a comment\r\n"
	    "# another\n"
	    "\n"
	    "[plain]  ; of all types\n"
	    "text = a b=c: %3B %25 caf\xc3\xa9 ; a comment\n"
	    "name: n.1_2-3\n"
	    "  tiny = -128\n"
	    "small=65535\r\n"
	    "number\t=\t7;not a comment, so not a number\n"
	    "big = -9223372036854775808\n";
	static const char good[] =
	    "[plain]\n"
	    "text = a b=c: %3b %25 caf\xc3\xa9 ; a comment\n"
	    "name: n.1_2-3\n"
	    "  tiny = -128\n"
	    "small=65535\r\n"
	    "number\t=\t7 ; a comment\n"
	    "big = -9223372036854775808\n"
	    "flag = Yes\n"
	    "byte-flag = off\n"
	    "colour = green\n"
	    "length = xxx\n"
	    "single = 0.1307\n"
	    "real = -2.5e-1\n"
	    "[thing one]\n"
	    "number = 1\n"
	    "[later]\n"
	    "[ thing\ttwo ]\n"
	    "[thing three]\n"
	    "number = 3";
	struct things t;
	struct error e = { .text = "" };

	is_int(read_things(&t, text, sizeof(text) - 1, &e), -1,
	    "a semicolon without a blank is part of the value");
	is_str(e.text,
	    "f.ini:9: number '7;not a comment, so not a number': not a whole "
	    "number",
	    "line 9, behind a byte order mark and CRs");
	if (!ok(read_things(&t, good, sizeof(good) - 1, &e) == 0, "good"))
		printf("# %s\n", e.text);
	is_str(t.plain.text, "a b=c: ; % caf\xc3\xa9", "text");
	is_str(t.plain.name, "n.1_2-3", "name");
	is_int(t.plain.tiny, -128, "a number of one byte");
	is_int(t.plain.small, 65535, "of two");
	is_int(t.plain.number, 7, "of four");
	is_int(t.plain.big, LLONG_MIN, "of eight");
	ok(t.plain.flag, "yes");
	is_int(t.plain.byte_flag, 0, "off");
	is_int(t.plain.colour, 1, "a word");
	is_int(t.plain.length, 3, "a parser of its own");
	ok(memcmp(&t.plain.single, &(float){ 0.1307f }, sizeof(float)) == 0,
	    "a float");
	ok(memcmp(&t.plain.real, &(double){ -0.25 }, sizeof(double)) == 0,
	    "a double");
	is_int(t.count, 3, "named sections, the empty one too");
	is_str(t.names[1], "two", "a name between blanks");
	is_int(t.lines[2], 18, "the line of a section");
	is_int(t.plain.line, 6, "the line of a value");
	is_int(t.named[2].number, 3, "a last line without an end");
	is_int(read_things(&t, "", 0, &e), 0, "an empty file");
	is_int(t.sections, 0, "has no section");
}

struct refusal {
	const char *text;
	const char *message;
};

static const struct refusal refusals[] = {
	{ "number = 1\n", "f.ini:1: text before the first [section]" },
	{ "[plane]\n", "f.ini:1: unknown section [plane]" },
	{ "[plain x]\n", "f.ini:1: unknown section [plain x]" },
	{ "[thing]\n", "f.ini:1: unknown section [thing]" },
	{ "[]\n", "f.ini:1: unknown section []" },
	{ "[later]\nnumber = 1\n", "f.ini:2: unknown key 'number' in [later]" },
	{ "[later]\n= 1\n", "f.ini:2: unknown key '' in [later]" },
	{ "[later x]\n", "f.ini:1: unknown section [later x]" },
	{ "\n[plain\n", "f.ini:2: a section must end with ']'" },
	{ "[plain] x\n", "f.ini:1: text after the section's ']'" },
	{ "[plain]\n", "f.ini:1: [plain]: 'number' is missing" },
	{ "[thing a]\n[plain]\ntiny = 1\n[thing b]\n",
	    "f.ini:2: [plain]: 'number' is missing" },
	{ "[plain]\nnumber = 1\n[thing a]\n[plain]\n",
	    "f.ini:4: section [plain] is already in line 1" },
	{ "[thing a]\n[thing a]\n",
	    "f.ini:2: section [thing a] is already in line 1" },
	{ "[plain]\nnumber = 1\nnumber = 1\n",
	    "f.ini:3: 'number' is given twice in [plain]" },
	{ "[plain]\nnumbers = 1\n",
	    "f.ini:2: unknown key 'numbers' in [plain] (did you mean "
	    "number?)" },
	{ "[thing a]\ntext = 1\n", "f.ini:2: unknown key 'text' in [thing a]" },
	{ "[plain]\nnumber =\n", "f.ini:2: 'number' has no value" },
	{ "[plain]\nnumber = ; 5\n", "f.ini:2: 'number' has no value" },
	{ "[plain]\nnumber\n", "f.ini:2: must be [section] or key = value" },
	{ "[plain]\nnumber = 1\n  more\n",
	    "f.ini:3: must be [section] or key = value" },
	{ "[plain]\nnumber = 0\n",
	    "f.ini:2: number '0': too small, must be 1 to 100" },
	{ "[plain]\nnumber = 101\n",
	    "f.ini:2: number '101': too large, must be 1 to 100" },
	{ "[plain]\nnumber = 1e2\n",
	    "f.ini:2: number '1e2': not a whole number" },
	{ "[plain]\nflag = maybe\n",
	    "f.ini:2: flag 'maybe': must be yes or no (on/off, true/false and "
	    "1/0 mean the same)" },
	{ "[plain]\ncolour = blue\n",
	    "f.ini:2: colour 'blue': must be one of red, green" },
	{ "[plain]\nsingle = 1.5\n",
	    "f.ini:2: single '1.5': too large, must be 0 to 1" },
	{ "[plain]\nreal = five\n", "f.ini:2: real 'five': not a number" },
	{ "[plain]\nlength = xyx\n", "f.ini:2: length: must be made of x" },
	{ "[plain]\ntext = 12345678901234567890123456789012\n",
	    "f.ini:2: text: longer than 31 bytes" },
	{ "[plain]\ntext = 5%\n",
	    "f.ini:2: text: '%' must be followed by two hexadecimal digits "
	    "(write %25 for a '%')" },
	{ "[plain]\ntext = %4\n",
	    "f.ini:2: text: '%' must be followed by two hexadecimal digits "
	    "(write %25 for a '%')" },
	{ "[plain]\ntext = %00\n",
	    "f.ini:2: text: '%' must be followed by two hexadecimal digits "
	    "(write %25 for a '%')" },
	{ "[plain]\nname = a/b\n",
	    "f.ini:2: plain name 'a/b': only letters, digits and . _ - are "
	    "allowed, and the first must be a letter or a digit" },
	{ "[thing ok]\n[thing bad]\n", "f.ini:2: a bad thing" },
};

static void
test_refusals(void)
{
	const struct refusal *r;
	struct things t;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refusals); i++) {
		r = &refusals[i];
		e.text[0] = '\0';
		ok(read_things(&t, r->text, strlen(r->text), &e) == -1,
		    "refused");
		is_str(e.text, r->message, "with");
	}
}

/* What inih alone would take for something else. */
static void
test_raw_text(void)
{
	static char text[INI_LINE_MAX + 64];
	struct things t;
	struct error e;
	size_t head, i;

	is_int(read_things(&t, "[plain]\nnumber = 1\0002\n", 21, &e), -1,
	    "a NUL byte");
	is_str(e.text, "f.ini:2: must be a text file, but holds a NUL byte",
	    "is named");
	head = (size_t)snprintf(text, sizeof(text), "[plain]\nnumber = 1\n;");
	memset(text + head, 'x', INI_LINE_MAX - 1);
	is_int(read_things(&t, text, head + INI_LINE_MAX - 1, &e), 0,
	    "the longest line");
	text[head + INI_LINE_MAX - 1] = 'x';
	is_int(read_things(&t, text, head + INI_LINE_MAX, &e), -1,
	    "one byte more");
	is_str(e.text, "f.ini:3: the line has 4097 bytes, the limit is 4096",
	    "is named");
	/* inih cuts a section's name at 49 bytes; here it stays whole. */
	head = (size_t)snprintf(text, sizeof(text), "[thing %0*d]\n",
	    INI_SECTION_MAX - 6, 1);
	is_int(read_things(&t, text, head, &e), 0, "the longest section");
	is_int((int)strlen(t.names[0]), INI_SECTION_MAX - 6, "is whole");
	head = (size_t)snprintf(text, sizeof(text), "[thing %0*d]\n",
	    INI_SECTION_MAX - 5, 1);
	is_int(read_things(&t, text, head, &e), -1, "one byte more");
	is_str(e.text,
	    "f.ini:1: the section name has 161 bytes, the limit is 160",
	    "is refused");
	is_int(read_things(&t, "[plain]\nnumber = 1\nlist = a\nlist = b\n", 37,
		   &e),
	    0, "a key that may stand several times");
	is_str(t.plain.list, "ab", "is read each time");
	/* Lines of every length round inih's buffer, with and without end. */
	for (i = 400; i < 1100; i++) {
		memset(text, 'y', i);
		memcpy(text, "[plain]\nnumber = 5\n;", 20);
		if (read_things(&t, text, i, &e) != 0 || t.plain.number != 5)
			break;
		memcpy(text + i, "\ntiny = 3", 9);
		if (read_things(&t, text, i + 9, &e) != 0 || t.plain.tiny != 3)
			break;
	}
	is_int((int)i, 1100, "lines of 380 to 1080 bytes");
}

/* Every text that is written is read back the same. */
static void
test_round_trip(void)
{
	static const char *const texts[] = { "plain", " edge", "edge ", " ",
		"a ; b", ";", "#", "100%", "%41", "[x]", "a=b:c",
		"line\nbreak\r\t\x01\x7f", "\xff\xfe", "caf\xc3\xa9", "  two  ",
		"\\n", "\"quoted\"" };
	struct things t;
	struct error e;
	char *text;
	size_t i, size;
	FILE *f;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		f = open_memstream(&text, &size);
		fputs("[plain]\nnumber = 1\n", f);
		ini_text_put(f, "text", texts[i]);
		(void)fclose(f);
		e.text[0] = '\0';
		ok(read_things(&t, text, size, &e) == 0, "written and read");
		is_str(t.plain.text, texts[i], "the same");
		free(text);
	}
	f = open_memstream(&text, &size);
	ini_text_put(f, "text", "");
	(void)fclose(f);
	is_int((int)size, 0, "an empty text is left out");
	free(text);
}

static void
test_file(void)
{
	struct things t = { .count = 0 };
	struct ini_schema schema = { rows, begin, &t };
	struct error e;

	is_int(ini_read_file(&schema, directory_at("/"), "none.ini", &e), -1,
	    "no file");
	is_int(e.code, ERROR_NOT_FOUND, "with its code");
	is_str(e.text, "cannot open //none.ini: No such file or directory",
	    "says which");
	is_int(ini_read_file(&schema, directory_at("/"), ".", &e), -1,
	    "a folder");
}

struct section {
	uint8_t id[4];
	int8_t sign;
	uint16_t count;
	int word;
	bool flag;
	char text[8];
};

/* A file of one section is written and read by the same rows. */
static void
test_section(void)
{
	static const char *const words[] = { "no", "some", NULL };
#define ROW(k, t, member) \
	.section = "one", .key = (k), .type = (t), \
	INI_FIELD(struct section, member)
	static const struct ini_row one[] = {
		{ ROW("id", INI_HEX, id), .required = true },
		{ ROW("sign", INI_NUMBER, sign), .min = -9, .max = 9 },
		{ ROW("count", INI_NUMBER, count), .max = UINT16_MAX },
		{ ROW("word", INI_WORD, word), .words = words },
		{ ROW("flag", INI_BOOL, flag) },
		{ ROW("text", INI_TEXT, text) },
		{ 0 },
	};
#undef ROW
	static const struct section all = { { 0, 1, 0xfe, 255 }, -9, UINT16_MAX,
		1, true, " a;" };
	const struct directory *d = directory_at(tap_directory());
	struct section s = { .count = 0 };
	struct error e;
	char *text = ini_text(one, &s);

	is_str(text, "[one]\nid = 00000000\n", "what is 0 is left out");
	free(text);
	text = ini_text(one, &all);
	is_str(text,
	    "[one]\nid = 0001feff\nsign = -9\ncount = 65535\n"
	    "word = some\nflag = yes\ntext = %20a%3B\n",
	    "and all of it");
	(void)file_replace_at(d, "one.ini", text, strlen(text), &e);
	is_int(ini_read_section(one, d, "one.ini", &s, &e), 0, "read");
	ok(memcmp(s.id, all.id, sizeof(s.id)) == 0 && s.sign == all.sign &&
		s.count == all.count && s.word == all.word && s.flag &&
		strcmp(s.text, all.text) == 0,
	    "is read back");
	free(text);
	(void)file_replace_at(d, "one.ini", "\n", 1, &e);
	is_int(ini_read_section(one, d, "one.ini", &s, &e), -1, "no section");
	ok(e.code == ERROR_DAMAGED &&
		strstr(e.text, "/one.ini:1: the [one] section is missing") !=
		    NULL,
	    "is named");
	(void)file_replace_at(d, "one.ini", "[one]\nid = 0001fe\n", 18, &e);
	is_int(ini_read_section(one, d, "one.ini", &s, &e), -1, "short id");
	ok(strstr(e.text, "/one.ini:2: id: must be 8 digits 0-9 a-f") != NULL,
	    "is named with its line");
}

int
main(void)
{
	test_fields();
	test_refusals();
	test_raw_text();
	test_round_trip();
	test_file();
	test_section();
	return tap_done();
}
