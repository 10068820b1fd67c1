/*
 * YAML and JSON as trees: what each way to write something gives, where it
 * stands, and what is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/yaml/yaml.h"
#include "tests/unit/tap.h"

/* A text, and its documents as lines of JSON with " | " between or "NAME:". */
struct row {
	const char *text;
	const char *wanted;
};

#define BOM "\xef\xbb\xbf"

static char *
read_as_json(const char *text, size_t size)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents = NULL;
	struct error e = { .text = "" };
	struct memstream m;
	FILE *out = memstream_open(&m);
	long count, i;

	count = yaml_parse(arena, "f.yaml", text, size, &documents, &e);
	if (count < 0 && e.code == ERROR_INVALID)
		fputs(e.text, out);
	for (i = 0; i < count; i++) {
		fputs(i > 0 ? " | " : "", out);
		yaml_write_json_line(out, documents[i]);
	}
	yaml_arena_free(arena);
	return memstream_close(&m, NULL);
}

static void
check(const struct row *row, size_t size)
{
	char name[128], *got = read_as_json(row->text, size);

	text_printable(row->text, name, sizeof(name));
	is_str(got, row->wanted, name);
	free(got);
}

static void
check_rows(const struct row *rows, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		check(&rows[i], strlen(rows[i].text));
}

static void
test_documents(void)
{
	static const struct row rows[] = {
		{ "", "" },
		{ "\n \n# nothing\n", "" },
		{ "---\n---\n# nothing\n--- ~\n...\n", "" },
		{ "a", "\"a\"" },
		{ "a: 1", "{\"a\":1}" },
		{ "a: 1\n", "{\"a\":1}" },
		{ "a: 1\r\nb:\r\n- |\r\n  x\r\n  y\r\n",
		    "{\"a\":1,\"b\":[\"x\\ny\\n\"]}" },
		{ "a: 1\rb: 2\r", "{\"a\":1,\"b\":2}" },
		{ BOM "a: 1", "{\"a\":1}" },
		{ BOM, "" },
		{ "---\na: 1\n---\n---\nb: 2\n...\n# end\n---\n- c",
		    "{\"a\":1} | {\"b\":2} | [\"c\"]" },
		{ "%YAML 1.1\n--- a\n", "\"a\"" },
		{ "%YAML 1.2\n--- a\n", "\"a\"" },
		{ "a:\n- b\n- - c\n  - d: e\n    f: g\n",
		    "{\"a\":[\"b\",[\"c\",{\"d\":\"e\",\"f\":\"g\"}]]}" },
		{ "{a: [b, {c: d}, e: f], g: }",
		    "{\"a\":[\"b\",{\"c\":\"d\"},{\"e\":\"f\"}],\"g\":null}" },
		{ "a: b\n c\n\n d # e\n", "{\"a\":\"b c\\nd\"}" },
		{ "a: 'it''s\n  so'", "{\"a\":\"it's so\"}" },
		{ "a: \"\\x41\\u00e9\\U0001F600\\n\\/\\\n   b\"",
		    "{\"a\":\"A\xc3\xa9\xf0\x9f\x98\x80\\n/b\"}" },
		{ "a: >-\n  b\n  c\n\n  d\n", "{\"a\":\"b c\\nd\"}" },
		{ "a: |\n  b", "{\"a\":\"b\\n\"}" },
		{ "a: |-\n  b", "{\"a\":\"b\"}" },
		{ "a: |\r\n  b\r", "{\"a\":\"b\\n\"}" },
		{ "a: |2+\n   b\n\n", "{\"a\":\" b\\n\\n\"}" },
		{ "? a\n: b\n? |\n  c\n: d\n? e\n",
		    "{\"a\":\"b\",\"c\\n\":\"d\",\"e\":null}" },
		{ "a: http://b:80/#c", "{\"a\":\"http://b:80/#c\"}" },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void
test_json(void)
{
	static const struct row rows[] = {
		{ "{}", "{}" },
		{ BOM " \t\r\n[ ]\n", "[]" },
		{ "{\"a\": [1, -2, 2.5e3, true, false, null, \"b\"]}",
		    "{\"a\":[1,-2,2500,true,false,null,\"b\"]}" },
		{ "{\n\t\"a\":\n\t\t[ 1 ]\t}", "{\"a\":[1]}" },
		{ "[\"\\ud83d\\ude00 \\u00e9\\b\\f\\/\"]",
		    "[\"\xf0\x9f\x98\x80 \xc3\xa9\\b\\f/\"]" },
		{ "[\"\x7f\"]", "[\"\x7f\"]" },
		{ "[\"yes\", \"1\", \"\", \"<<\"]",
		    "[\"yes\",\"1\",\"\",\"\\u003c\\u003c\"]" },
		{ "[9223372036854775807, 9223372036854775808, -0, 1E2]",
		    "[9223372036854775807,9223372036854776000,0,100]" },
		{ "{\"a\":1}\n{\"b\":2}[3]\r", "{\"a\":1} | {\"b\":2} | [3]" },
		{ "[\"a\\\"]\", {\"b\": \"}\"}]",
		    "[\"a\\\"]\",{\"b\":\"}\"}]" },
		/* Not JSON, so YAML. */
		{ "{a: 1, \"b\": yes,}", "{\"a\":1,\"b\":true}" },
		{ "[1]\n---\n[2]", "[1] | [2]" },
		{ "[010]", "[8]" },
		/* Refused as YAML is. */
		{ "{\"a\": 1,\n \"b\": {},\n \"a\": 2}", "{\"b\":{},\"a\":2}" },
		{ "{\"a\": 1 \"b\": 2}",
		    "f.yaml:1:12: ',' or '}' is missing in the map (it began "
		    "in line 1)" },
		{ "[] x",
		    "f.yaml:1:4: the document has ended; begin another one "
		    "with '---'" },
		{ "[1e400]", "f.yaml:1:2: the number 1e400 is too large" },
		{ "[\"\\u0000\"]", "f.yaml:1:2: a text with a NUL character" },
		{ "{\"\\u0000\": 1}",
		    "f.yaml:1:2: a text with a NUL character" },
		{ "[\"\\ud83d\"]",
		    "f.yaml:1:5: an escape that is not a valid character" },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

/* A key of 1100 characters is more than libyaml reads without "? ". */
static void
test_long_key(void)
{
	enum { LENGTH = 1100 };
	char key[LENGTH + 1], *text;

	memset(key, 'k', LENGTH);
	key[LENGTH] = '\0';
	text = xasprintf("{\"%s\":1}", key);
	check(&(struct row){ text, text }, strlen(text));
	free(text);
}

static void
test_aliases(void)
{
	static const struct row rows[] = {
		{ "a: &x [1, 2]\nb: *x\n", "{\"a\":[1,2],\"b\":[1,2]}" },
		{ "- &x a\n- *x\n- &x b\n- *x\n", "[\"a\",\"a\",\"b\",\"b\"]" },
		{ "- &x a\n- *x : b", "[\"a\",{\"a\":\"b\"}]" },
		{ "&k a: *k", "{\"a\":\"a\"}" },
		/* The name is another's, while its first owner is open. */
		{ "&x [&x a, *x]", "[\"a\",\"a\"]" },
		{ "- &x [&x {a: b}]\n- *x", "[[{\"a\":\"b\"}],{\"a\":\"b\"}]" },
		/* Merges: what stands there itself counts, then the first. */
		{ "a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  x: 3\n",
		    "{\"a\":{\"x\":1,\"y\":2},\"b\":{\"y\":2,\"x\":3}}" },
		{ "- &a {x: 1}\n- {x: 2, <<: *a}\n", "[{\"x\":1},{\"x\":2}]" },
		{ "- &a {x: 1}\n- &b {x: 2, y: 3}\n- {<<: [*a, *b]}\n",
		    "[{\"x\":1},{\"x\":2,\"y\":3},{\"x\":1,\"y\":3}]" },
		{ "<<: {x: 1}\n<<: {x: 2, y: 3}\n", "{\"x\":1,\"y\":3}" },
		{ "- &a {x: 1}\n- &b {<<: *a, y: 2}\n- {<<: *b}\n",
		    "[{\"x\":1},{\"x\":1,\"y\":2},{\"x\":1,\"y\":2}]" },
		{ "{<<: {}, <<: []}", "{}" },
		{ "\"<<\": a", "{\"\\u003c\\u003c\":\"a\"}" },
		{ "<<: a",
		    "f.yaml:1:5: '<<' must have a map or a list of maps; put "
		    "it in quotes to use it as a key" },
		{ "<<: [{}, 1]",
		    "f.yaml:1:5: '<<' must have a map or a list of maps; put "
		    "it in quotes to use it as a key" },
		{ "a: *x", "f.yaml:1:4: *x has no anchor &x before it" },
		{ "--- &x a\n--- *x\n",
		    "f.yaml:2:5: *x has no anchor &x before it" },
		{ "a: &x\n  b: *x", "f.yaml:2:6: *x is inside its own anchor" },
		{ "&x [[*x]]", "f.yaml:1:6: *x is inside its own anchor" },
		{ "&x {<<: *x}", "f.yaml:1:9: *x is inside its own anchor" },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void
test_keys(void)
{
	static const struct row rows[] = {
		{ "1: a\n0x1: b\nyes: c\n1.5: d\n2001-01-01: e",
		    "{\"1\":\"a\",\"0x1\":\"b\",\"yes\":\"c\",\"1.5\":\"d\","
		    "\"2001-01-01\":\"e\"}" },
		{ "\"\": a\n'~': b\n!!str null: c",
		    "{\"\":\"a\",\"~\":\"b\",\"null\":\"c\"}" },
		{ "a: 1\nb: 2\n\na: 3", "{\"b\":2,\"a\":3}" },
		{ "- x:\n    1: 2\n    '1': 3", "[{\"x\":{\"1\":3}}]" },
		{ "b: 1\na: 1\nb: 2\na: 2\nb: 3\n", "{\"a\":2,\"b\":3}" },
		{ "m: &m {a: 1, b: 2}\nn: {a: 3, <<: *m, a: 4}",
		    "{\"m\":{\"a\":1,\"b\":2},\"n\":{\"b\":2,\"a\":4}}" },
		{ "[a]: b", "f.yaml:1:1: a key must be a string, not a list" },
		{ "? {a: b}\n: c",
		    "f.yaml:1:3: a key must be a string, not a map" },
		{ "a: 1\n?\n: b",
		    "f.yaml:2:2: a key must be a string, not null; put it in "
		    "quotes" },
		{ "~: b",
		    "f.yaml:1:1: a key must be a string, not null; put it in "
		    "quotes" },
		{ "{Null: b}",
		    "f.yaml:1:2: a key must be a string, not null; put it in "
		    "quotes" },
		{ "- &x [1]\n- *x : 1",
		    "f.yaml:2:3: a key must be a string, not a list" },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void
test_tags(void)
{
	static const struct row rows[] = {
		{ "[!!str 1, !!str, !!str yes, !!timestamp 2001-01-01]",
		    "[\"1\",\"\",\"yes\",\"2001-01-01\"]" },
		{ "[!!int \"0x10\", !!float 1, !!float 1.5, !!bool 'on', "
		  "!!null \"\"]",
		    "[16,1,1.5,true,null]" },
		{ "!!map\na: !!seq\n- b", "{\"a\":[\"b\"]}" },
		{ "!<tag:yaml.org,2002:str> 1", "\"1\"" },
		{ "%TAG !y! tag:yaml.org,2002:\n---\n!y!str 1", "\"1\"" },
		{ "a: !!int b",
		    "f.yaml:1:4: the tag '!!int' is unknown or does not suit "
		    "this value" },
		{ "!!bool 1",
		    "f.yaml:1:1: the tag '!!bool' is unknown or does not suit "
		    "this value" },
		{ "!!null a",
		    "f.yaml:1:1: the tag '!!null' is unknown or does not suit "
		    "this value" },
		{ "!!float a",
		    "f.yaml:1:1: the tag '!!float' is unknown or does not suit "
		    "this value" },
		{ "!!int 1.5",
		    "f.yaml:1:1: the tag '!!int' is unknown or does not suit "
		    "this value" },
		{ "!!map [a]",
		    "f.yaml:1:1: the tag '!!map' is unknown or does not suit "
		    "this value" },
		{ "!!seq {a: b}",
		    "f.yaml:1:1: the tag '!!seq' is unknown or does not suit "
		    "this value" },
		{ "!!binary aGk=",
		    "f.yaml:1:1: the tag '!!binary' is unknown or does not "
		    "suit this value" },
		{ "a: !mine b",
		    "f.yaml:1:4: the tag '!mine' is unknown or does not suit "
		    "this value" },
		{ "!mine [a]",
		    "f.yaml:1:1: the tag '!mine' is unknown or does not suit "
		    "this value" },
		{ "!x!y a", "f.yaml:1:1: an unknown tag" },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

/* What libyaml finds, in plain words, and where it is to be mended. */
static void
test_refused(void)
{
	static const struct row rows[] = {
		{ "a: 1\n b: 2",
		    "f.yaml:2:3: a second ':' in the line; put the value in "
		    "quotes, or the key on a line of its own" },
		{ "a: b: c",
		    "f.yaml:1:5: a second ':' in the line; put the value in "
		    "quotes, or the key on a line of its own" },
		{ "a: 1\nb\nc: 2", "f.yaml:2:1: a key without ':' after it" },
		{ "a:\n  b: 1\n c: 2",
		    "f.yaml:3:2: this is not a key of the map: wrong "
		    "indentation, or ':' or a quotation mark is missing (it "
		    "began in line 1)" },
		{ "a: b\n- c",
		    "f.yaml:2:1: this is not a key of the map: wrong "
		    "indentation, or ':' or a quotation mark is missing (it "
		    "began in line 1)" },
		{ "- a\nb: c",
		    "f.yaml:2:1: '-' is missing before an item of the list (it "
		    "began in line 1)" },
		{ "a: - b",
		    "f.yaml:1:4: a list cannot begin here; put '-' on a line "
		    "of its own" },
		{ "a: ? b", "f.yaml:1:4: '?' does not begin a key here" },
		{ "\ta: 1", "f.yaml:1:1: a tab does not indent; use spaces" },
		{ "a:\n\t- b",
		    "f.yaml:2:1: a tab does not indent; use spaces" },
		{ "a: |\n\tb",
		    "f.yaml:2:1: a tab does not indent; use spaces" },
		{ "a: @b",
		    "f.yaml:1:4: a value does not begin with '@'; put it in "
		    "quotes" },
		{ "a: `b`",
		    "f.yaml:1:4: a value does not begin with '`'; put it in "
		    "quotes" },
		{ "a: %b",
		    "f.yaml:1:4: a value does not begin with '%'; put it in "
		    "quotes" },
		{ "a: 1\nb: \"c\nd: 2\n",
		    "f.yaml:2:4: a text in quotes that does not end" },
		{ "a: 'b\n---\n",
		    "f.yaml:1:4: a text in quotes that does not end" },
		{ "a: \"\\q\"", "f.yaml:1:5: an unknown escape" },
		{ "a: \"\\u12\"",
		    "f.yaml:1:7: an escape without its hexadecimal digits" },
		{ "a: \"\\ud800\"",
		    "f.yaml:1:7: an escape that is not a valid character" },
		{ "a: \"\\0\"", "f.yaml:1:4: a text with a NUL character" },
		{ "a: [b\nc: d",
		    "f.yaml:2:2: ',' or ']' is missing in the list (it began "
		    "in line 1)" },
		{ "a: {b: c\n  d: e}",
		    "f.yaml:2:4: ',' or '}' is missing in the map (it began in "
		    "line 1)" },
		{ "a: ]", "f.yaml:1:4: a value is missing" },
		{ "a: *",
		    "f.yaml:1:4: '&' and '*' need a name of letters, digits, "
		    "'-' and '_' after them, or quotes around them" },
		{ "a: & b",
		    "f.yaml:1:4: '&' and '*' need a name of letters, digits, "
		    "'-' and '_' after them, or quotes around them" },
		{ "a: |0\n b",
		    "f.yaml:1:4: the number after '|' or '>' must be 1 to 9" },
		{ "a: | b\n",
		    "f.yaml:1:4: only a comment may follow on this line" },
		{ "%YAML 2.0\n---\na", "f.yaml:1:1: %YAML must be 1.1 or 1.2" },
		{ "%YAML 1.1\n%YAML 1.1\n---\na",
		    "f.yaml:2:1: %YAML must not occur twice" },
		{ "%TAG ! a\n%TAG ! b\n---\na",
		    "f.yaml:2:1: %TAG must not define a handle twice" },
		{ "%a\n---\nb", "f.yaml:1:1: an unknown directive" },
		{ "%\n", "f.yaml:1:1: an unknown directive" },
		{ "--- a\n... b",
		    "f.yaml:2:5: the document has ended; begin another one "
		    "with '---'" },
		/* The message is one line, whatever the text has in it. */
		{ "!<a%0A%1Bb> c",
		    "f.yaml:1:1: the tag 'a\\x0a\\x1bb' is unknown or does not "
		    "suit this value" },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void
test_bytes(void)
{
#define BYTES(text, wanted) \
	{ \
		{ text, wanted }, sizeof(text) - 1 \
	}
	static const struct {
		struct row row;
		size_t size;
	} rows[] = {
		BYTES("a: 1\nb: \0",
		    "f.yaml:2:4: a NUL byte; the file is not text"),
		BYTES("{\"a\0\": 1}",
		    "f.yaml:1:4: a NUL byte; the file is not text"),
		BYTES("\xc3\xa9: \xff",
		    "f.yaml:1:4: the byte 0xff is not UTF-8"),
		BYTES(BOM "\xe2\x82", "f.yaml:1:1: the byte 0xe2 is not UTF-8"),
		BYTES("a: \xc0\xaf", "f.yaml:1:4: the byte 0xc0 is not UTF-8"),
		BYTES("\r\n\r\xed\xa0\x80",
		    "f.yaml:3:1: the byte 0xed is not UTF-8"),
		BYTES("\xff\xfe"
		      "a\0",
		    "f.yaml:1:1: the byte 0xff is not UTF-8"),
		BYTES("a: \xc3\xa9\x01",
		    "f.yaml:1:5: a control character; write it as an escape in "
		    "double quotes"),
		BYTES(BOM "# \xf0\x9f\x98\x80\n\x7f",
		    "f.yaml:2:1: a control character; write it as an escape in "
		    "double quotes"),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check(&rows[i].row, rows[i].size);
}

/* "LINE:COLUMN" of each key and each value, in their order. */
static void
put_places(FILE *out, const struct yaml_node *n)
{
	size_t i;

	fprintf(out, " %d:%d", n->line, n->column);
	for (i = 0; i < n->count; i++) {
		if (n->items[i].key != NULL)
			fprintf(out, " %s@%d:%d", n->items[i].key,
			    n->items[i].line, n->items[i].column);
		put_places(out, n->items[i].node);
	}
}

static void
test_places(void)
{
	static const struct row rows[] = {
		{ "# x\n\na:\n  b: 1\n  c:\n  - 2\n  - {d: 3}\n",
		    " 3:1 a@3:1 4:3 b@4:3 4:6 c@5:3 6:3 6:5 7:5 d@7:6 7:9" },
		{ "\xc3\xa9: [\xf0\x9f\x98\x80, b]",
		    " 1:1 \xc3\xa9@1:1 1:4 1:5 1:8" },
		{ BOM "a: |\r\n  b\r\nc: d", " 1:1 a@1:1 1:4 c@3:1 3:4" },
		{ "a: &x b\nc: *x", " 1:1 a@1:1 1:4 c@2:1 1:4" },
		{ "{\"\xc3\xa9\": [1,\r\n\t\"b\\\"]\", {}],\n \"c\":null}",
		    " 1:1 \xc3\xa9@1:2 1:7 1:8 2:2 2:10 c@3:2 3:6" },
	};
	struct yaml_arena *arena;
	struct yaml_node **documents;
	struct memstream m;
	char *got;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		arena = yaml_arena_new();
		memstream_open(&m);
		if (yaml_parse(arena, "f", rows[i].text, strlen(rows[i].text),
			&documents, NULL) == 1)
			put_places(m.file, documents[0]);
		got = memstream_close(&m, NULL);
		is_str(got, rows[i].wanted, "each key and value has its place");
		free(got);
		yaml_arena_free(arena);
	}
}

int
main(void)
{
	test_documents();
	test_json();
	test_long_key();
	test_aliases();
	test_keys();
	test_tags();
	test_refused();
	test_bytes();
	test_places();
	return tap_done();
}
