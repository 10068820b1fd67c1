/*
 * Trees as YAML and JSON: the form is kubectl's (the rows were compared with
 * kubectl 1.32), and what is printed reads back equal.
 */
#include "core/kube/yaml/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

static char *
print(void (*printer)(FILE *, const struct yaml_node *),
    const struct yaml_node *n)
{
	struct memstream m;

	printer(memstream_open(&m), n);
	return memstream_close(&m, NULL);
}

/* The document of a text; NULL where there is not one document. */
static struct yaml_node *
parse_text(struct yaml_arena *arena, const char *text)
{
	struct yaml_node **documents = NULL;
	struct error e = { .text = "" };

	if (yaml_parse(arena, "f.yaml", text, strlen(text), &documents, &e) ==
	    1)
		return documents[0];
	printf("# %s\n", e.text);
	return NULL;
}

/* A text beside what it is printed as. */
struct printed {
	const char *text;
	const char *wanted;
};

static void
check_printed(void (*printer)(FILE *, const struct yaml_node *),
    const struct printed *rows, size_t count)
{
	struct yaml_arena *a;
	struct yaml_node *n;
	char *got, name[128];
	size_t i;

	for (i = 0; i < count; i++) {
		a = yaml_arena_new();
		text_printable(rows[i].text, name, sizeof(name));
		n = parse_text(a, rows[i].text);
		got = n != NULL ? print(printer, n) : xstrdup("");
		is_str(got, rows[i].wanted, name);
		free(got);
		yaml_arena_free(a);
	}
}

static void
test_layout(void)
{
	static const struct printed rows[] = {
		{ "{a: [1, [2, 3], {b: c, d: [e]}], f: {g: h}, i: {}, j: []}",
		    "a:\n- 1\n- - 2\n  - 3\n- b: c\n  d:\n  - e\n"
		    "f:\n  g: h\ni: {}\nj: []\n" },
		{ "[[], {}, [[a]]]", "- []\n- {}\n- - - a\n" },
		{ "{}", "{}\n" },
		{ "[]", "[]\n" },
		{ "a", "a\n" },
		{ "''", "\"\"\n" },
		{ "- &x {a: 1}\n- *x\n", "- a: 1\n- a: 1\n" },
		{ "a:\n- |\n  b\n  c\n- |\n   d\n",
		    "a:\n- |\n  b\n  c\n- |\n  d\n" },
		/* Nothing behind a text that ends with empty lines. */
		{ "a: |+\n  b\n\n", "a: |+\n  b\n\n" },
	};

	check_printed(yaml_write, rows, ARRAY_SIZE(rows));
}

/* The values as kubectl prints them, whatever form they had. */
static void
test_values(void)
{
	static const struct printed rows[] = {
		{ "[0x1F, 012, +1, 1_000, -9223372036854775808]",
		    "- 31\n- 10\n- 1\n- 1000\n- -9223372036854775808\n" },
		{ "[yes, Off, ~, null, ]",
		    "- true\n- false\n- null\n"
		    "- null\n" },
		{ "[1.5, 1e3, 1e6, 1.0, -0.0, 0.1, -.5]",
		    "- 1.5\n- 1000\n- 1000000\n- 1\n- 0\n- 0.1\n- -0.5\n" },
		{ "[1e-5, 1e-4, 1234567.5, 123456.5, 1e20, 1e21]",
		    "- 1e-05\n- 0.0001\n- 1.2345675e+06\n- 123456.5\n"
		    "- 1e+20\n- 1e+21\n" },
		{ "[9223372036854775808, -9223372036854775809, "
		  "0xffffffffffffffff]",
		    "- 9223372036854776000\n"
		    "- -9.223372036854776e+18\n- 1.8446744073709552e+19\n" },
		{ "[0.30000000000000004, 1.7976931348623157e308, 5e-324]",
		    "- 0.30000000000000004\n- 1.7976931348623157e+308\n"
		    "- 5e-324\n" },
		{ "[.inf, -.inf, .nan]", "- .inf\n- -.inf\n- .nan\n" },
	};

	check_printed(yaml_write, rows, ARRAY_SIZE(rows));
}

/* Texts, given as JSON, beside how they stand in a list. */
static void
test_texts(void)
{
	static const struct printed rows[] = {
		{ "[\"\", \"1\", \"yes\", \"y\", \"null\", \"~\", \"0x1\"]",
		    "- \"\"\n- \"1\"\n- \"yes\"\n- \"y\"\n- \"null\"\n"
		    "- \"~\"\n- \"0x1\"\n" },
		{ "[\"1e3\", \".5\", \"08\", \"2001-01-01\", \"12:30\", "
		  "\"<<\"]",
		    "- \"1e3\"\n- \".5\"\n- \"08\"\n"
		    "- \"2001-01-01\"\n- \"12:30\"\n- \"<<\"\n" },
		{ "[\"0x\", \"1k\", \"=\", \"it's\", \"a b\", \"a#b\", "
		  "\"a:b\", \"<a>\"]",
		    "- 0x\n- 1k\n- =\n- it's\n- a b\n"
		    "- a#b\n- a:b\n- <a>\n" },
		{ "[\" a\", \"a \", \" \", \"# a\", \"a #b\", \"a: b\", "
		  "\"a:\", \"- a\", \"-\", \"---\"]",
		    "- ' a'\n- 'a '\n- ' '\n- '# a'\n- 'a #b'\n- 'a: b'\n"
		    "- 'a:'\n- '- a'\n- '-'\n- '---'\n" },
		{ "[\"*a\", \"&a\", \"!a\", \"@a\", \"%a\", \"[a\", \"{a\", "
		  "\"'a\", \"\\\"a\", \"?\", \"| \"]",
		    "- '*a'\n- '&a'\n- '!a'\n- '@a'\n- '%a'\n- '[a'\n"
		    "- '{a'\n- '''a'\n- '\"a'\n- '?'\n- '| '\n" },
		{ "[\"a\\nb\", \"a\\nb\\n\", \"a\\n\\n\\nb\\n\\n\"]",
		    "- |-\n  a\n  b\n- |\n  a\n  b\n- |+\n  a\n\n\n  b\n\n" },
		{ "[\" a\\nb\", \"\\n\", \"\\n\\n\", \"\\n a\"]",
		    "- |2-\n   a\n  b\n- |2+\n\n- |2+\n\n\n- |2-\n\n   a\n" },
		{ "[\"a \\nb\", \"a\\nb \", \"a\\tb\", \"a\\r\\nb\", "
		  "\"a\\u0001b\"]",
		    "- \"a \\nb\"\n- \"a\\nb \"\n"
		    "- \"a\\tb\"\n- \"a\\r\\nb\"\n- \"a\\x01b\"\n" },
		{ "[\"\\u00e9\", \"\\ud83d\\ude00 \\u00e9\"]",
		    "- \xc3\xa9\n- \"\\U0001F600 \xc3\xa9\"\n" },
		{ "[\"a\\u2028b\", \"a\\u0085\\nb\", \"\\ufeffa\"]",
		    "- \"a\\Lb\"\n- \"a\\N\\nb\"\n- \"\\uFEFFa\"\n" },
		{ "{\"1\": 1, \"y\": 2, \"\": 3, \"<<\": 4, \"a b\": 5, \"a: "
		  "b\": 6, \"a\\nb\": 7, \"#\": 8}",
		    "\"1\": 1\n\"y\": 2\n\"\": 3\n\"<<\": 4\na b: 5\n"
		    "'a: b': 6\n? |-\n  a\n  b\n: 7\n'#': 8\n" },
	};

	check_printed(yaml_write, rows, ARRAY_SIZE(rows));
}

static void
test_json(void)
{
	static const struct printed rows[] = {
		{ "{a: [1, [], {}, {b: c}], d: ~, e: yes}",
		    "{\n    \"a\": [\n        1,\n        [],\n        {},\n"
		    "        {\n            \"b\": \"c\"\n        }\n    ],\n"
		    "    \"d\": null,\n    \"e\": true\n}\n" },
		{ "{}", "{}\n" },
		{ "a", "\"a\"\n" },
		{ "\"\\\"\\\\/\\b\\f\\n\\r\\t\\x01\\e\\x7f\\u0085\"",
		    "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001b\x7f\xc2\x85"
		    "\"\n" },
		{ "<&>", "\"\\u003c\\u0026\\u003e\"\n" },
		{ "\"\\u2027\\u2028\\u2029\\u202a\\U0001F600\"",
		    "\"\xe2\x80\xa7\\u2028\\u2029\xe2\x80\xaa"
		    "\xf0\x9f\x98\x80\"\n" },
		{ "1e-7", "1e-7\n" },
		{ "1e-6", "0.000001\n" },
		{ "1.5e-10", "1.5e-10\n" },
		{ "1e20", "100000000000000000000\n" },
		{ "1e21", "1e+21\n" },
		{ "1234567.5", "1234567.5\n" },
		{ "-0.0", "0\n" },
		{ ".inf", "null\n" },
		{ "0x7fffffffffffffff", "9223372036854775807\n" },
	};
	static const struct printed lines[] = {
		{ "{a: [1, [], {}, {b: c}], d: ~, e: yes}",
		    "{\"a\":[1,[],{},{\"b\":\"c\"}],\"d\":null,\"e\":true}" },
		{ "[\"a\\nb\"]", "[\"a\\nb\"]" },
	};

	check_printed(yaml_write_json, rows, ARRAY_SIZE(rows));
	check_printed(yaml_write_json_line, lines, ARRAY_SIZE(lines));
}

/* Whether the tree reads back equal in all forms. */
static bool
survives(struct yaml_arena *a, const struct yaml_node *n)
{
	void (*const printers[])(FILE *, const struct yaml_node *) = {
		yaml_write, yaml_write_json, yaml_write_json_line
	};
	struct yaml_node *back;
	char *text;
	bool good = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(printers) && good; i++) {
		text = print(printers[i], n);
		back = parse_text(a, text);
		good = back != NULL && yaml_equal(back, n);
		if (!good)
			printf("# %zu: '%s'\n", i, text);
		free(text);
	}
	return good;
}

/* The text wherever a text can stand. */
static bool
text_survives(const char *text)
{
	struct yaml_arena *a = yaml_arena_new();
	struct yaml_node *map = yaml_new_map(a), *list, *inner, *back;
	char *alone;
	bool good;

	yaml_set_text(a, map, "a", text);
	list = yaml_set(a, map, "b", yaml_new_list(a));
	yaml_add(a, list, yaml_new_text(a, text));
	inner = yaml_new_map(a);
	yaml_set_text(a, inner, text, text);
	yaml_set_text(a, inner, "z", text);
	yaml_add(a, list, inner);
	inner = yaml_new_list(a);
	yaml_add(a, inner, yaml_new_text(a, text));
	yaml_add(a, inner, yaml_new_text(a, "z"));
	yaml_add(a, list, inner);
	yaml_set(a, map, text, yaml_copy(a, list));
	yaml_set_text(a, map, "last", text);
	alone = print(yaml_write, yaml_new_text(a, text));
	back = parse_text(a, alone);
	good = back != NULL && yaml_equal(back, yaml_new_text(a, text)) &&
	    survives(a, map);
	free(alone);
	yaml_arena_free(a);
	return good;
}

/* All texts of three pieces of these, which are odd in some place. */
static void
test_odd_texts(void)
{
	static const char *const pieces[] = { "", "a", " ", "\n", "\t", "\r",
		":", "#", "-", "'", "\"", "\\", "?", "|", "{", "]", ",", "&",
		"*", "!", "%", "@", "~", "0", ".", "<<", "=", "y", "\xc2\x85",
		"\xe2\x80\xa8", "\xef\xbb\xbf", "\xf0\x9f\x98\x80", "\x7f",
		"\x01", "---", "...", "\xff", "\xef\xbf\xbe", "  ", "\n\n" };
	const size_t count = ARRAY_SIZE(pieces);
	const int step = tap_amount(61, 1);
	size_t i;
	int bad = 0;
	char text[16], name[64];

	for (i = 0; i < count * count * count; i += (size_t)step) {
		(void)snprintf(text, sizeof(text), "%s%s%s",
		    pieces[i / count / count], pieces[i / count % count],
		    pieces[i % count]);
		if (!text_survives(text)) {
			text_printable(text, name, sizeof(name));
			printf("# '%s'\n", name);
			bad++;
		}
	}
	is_int(bad, 0, "odd texts read back as they were");
}

static void
test_long_texts(void)
{
	enum { LENGTH = 50000 };
	static const char words[] = "a long line of words: ";
	char *text = xmalloc(LENGTH + 1);
	size_t i;

	for (i = 0; i < LENGTH; i++)
		text[i] = words[i % (sizeof(words) - 1)];
	text[LENGTH] = '\0';
	ok(text_survives(text), "a long line reads back");
	for (i = 0; i < LENGTH; i++)
		if (text[i] == ':')
			text[i] = '\n';
	ok(text_survives(text), "and so do many");
	free(text);
}

/* No line is folded: who looks for words with grep(1) finds them. */
static void
test_width(void)
{
	struct yaml_arena *a = yaml_arena_new();
	struct yaml_node *map = yaml_new_map(a);
	char *got;

#define WORDS "words and words and words and words and words"
	yaml_set_text(a, map, "a", WORDS " " WORDS " " WORDS);
	yaml_set_text(a, map, "b", WORDS " " WORDS ": " WORDS);
	yaml_set_text(a, map, "c", WORDS " " WORDS "\t" WORDS);
	got = print(yaml_write, map);
	is_str(got,
	    "a: " WORDS " " WORDS " " WORDS "\n"
	    "b: '" WORDS " " WORDS ": " WORDS "'\n"
	    "c: \"" WORDS " " WORDS "\\t" WORDS "\"\n",
	    "long lines stay one");
	free(got);
	yaml_arena_free(a);
}

int
main(void)
{
	test_layout();
	test_values();
	test_texts();
	test_json();
	test_odd_texts();
	test_long_texts();
	test_width();
	return tap_done();
}
