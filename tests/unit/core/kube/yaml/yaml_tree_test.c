/*
 * Trees that are made and changed, looking into them, comparing and copying
 * them; and the limits: a small text does not become a large tree, nor take
 * long.
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/yaml/yaml.h"
#include "tests/unit/tap.h"

/* Peak memory of a child that reads a bomb, and its processor time. */
enum {
#ifdef __SANITIZE_ADDRESS__
	BOMB_MEMORY_KIB = 1024 * 1024,
	BOMB_SECONDS = 60
#else
	BOMB_MEMORY_KIB = 128 * 1024,
	BOMB_SECONDS = 10
#endif
};

static struct yaml_node *
parse_one(struct yaml_arena *arena, const char *text)
{
	struct yaml_node **documents = NULL;
	struct error e = { .text = "" };

	if (yaml_parse(arena, "f.yaml", text, strlen(text), &documents, &e) !=
	    1) {
		printf("# %s\n", e.text);
		exit(1);
	}
	return documents[0];
}

static void
is_json(const struct yaml_node *n, const char *wanted, const char *name)
{
	struct memstream m;
	char *got;

	yaml_write_json_line(memstream_open(&m), n);
	got = memstream_close(&m, NULL);
	is_str(got, wanted, name);
	free(got);
}

static void
test_make(void)
{
	struct yaml_arena *a = yaml_arena_new();
	struct yaml_node *map = yaml_new_map(a), *list, *n;
	char text[] = "text";
	int i;

	yaml_set_text(a, map, "a", text);
	text[0] = 'n';
	yaml_set_text(a, map, "none", NULL);
	yaml_set_integer(a, map, "b", INT64_MIN);
	yaml_set_bool(a, map, "c", true);
	list = yaml_set(a, map, "d", yaml_new_list(a));
	for (i = 0; i < 6; i++)
		yaml_add(a, list, yaml_new_integer(a, i));
	is_json(map,
	    "{\"a\":\"text\",\"b\":-9223372036854775808,\"c\":true,\"d\":[0,1,"
	    "2,3,4,5]}",
	    "a tree is made, and texts are copied");
	n = yaml_new_bool(a, false);
	ok(yaml_set(a, map, "b", n) == n, "setting a node returns it");
	yaml_unset(map, "a");
	yaml_unset(map, "none");
	yaml_set_text(a, map, "e", "bad \xff");
	is_json(map,
	    "{\"b\":false,\"c\":true,\"d\":[0,1,2,3,4,5],\"e\":\"bad "
	    "\xef\xbf\xbd\"}",
	    "and changed; what is not UTF-8 is replaced");
	is_int(map->line, 0, "what is made stands in no line");
	is_str(yaml_get_text(map, "b"), "false", "and has a text");
	is_str(yaml_new_integer(a, -7)->text, "-7", "as numbers have");
	yaml_arena_free(a);
	yaml_arena_free(NULL);
}

/* What was read has room for more, and what merged it is another map. */
static void
test_change_what_was_read(void)
{
	struct yaml_arena *a = yaml_arena_new();
	struct yaml_node *root = parse_one(a,
			     "a: &x {b: [1]}\n"
			     "c: {<<: *x}\nd: *x\n"),
			 *copy = yaml_copy(a, root);

	yaml_set_text(a, yaml_get(root, "c"), "more", "yes");
	yaml_add(a, yaml_path(root, "a/b"), yaml_new_integer(a, 2));
	yaml_set_bool(a, yaml_get(root, "d"), "e", true);
	is_json(root,
	    "{\"a\":{\"b\":[1,2],\"e\":true},\"c\":{\"b\":[1,2],\"more\":"
	    "\"yes\"},\"d\":{\"b\":[1,2],\"e\":true}}",
	    "an alias is the node of its anchor");
	yaml_unset(yaml_get(copy, "a"), "b");
	yaml_add(a, yaml_path(copy, "d/b"), yaml_new_text(a, "x"));
	is_json(copy, "{\"a\":{},\"c\":{\"b\":[1]},\"d\":{\"b\":[1,\"x\"]}}",
	    "in a copy each stands for itself");
	is_int(yaml_path(copy, "d/b")->column, 11, "in its place");
	yaml_arena_free(a);
}

static void
test_get(void)
{
	static const struct {
		const char *path, *text;
		int64_t integer;
		bool yes;
	} rows[] = {
		{ "a/b/c", "0x10", 16, false },
		{ "a/b/d", "yes", -1, true },
		{ "a/real", "1e3", 1000, false },
		{ "a/half", "0.5", -1, false },
		{ "a/huge", "1e30", -1, false },
		{ "a/text", "12", -1, false },
		{ "a/no", "off", -1, false },
		{ "a/null", NULL, -1, false },
		{ "a/b", NULL, -1, false },
		{ "a/b/c/d", NULL, -1, false },
		{ "a/bb", NULL, -1, false },
		{ "a/", "empty", -1, false },
		{ "list/0", NULL, -1, false },
		{ "b", NULL, -1, false },
		{ "", NULL, -1, false },
	};
	struct yaml_arena *a = yaml_arena_new();
	struct yaml_node *root = parse_one(a,
	    "a:\n  b: {c: 0x10, d: yes}\n  real: 1e3\n  half: 0.5\n  huge: "
	    "1e30\n"
	    "  text: '12'\n  no: off\n  \"null\": ~\n"
	    "  \"\": empty\nlist: [1]\nx/y: slash\n");
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		is_str(yaml_get_text(root, rows[i].path), rows[i].text,
		    rows[i].path);
		is_int(yaml_get_integer(root, rows[i].path, -1),
		    rows[i].integer, "its number");
		ok(yaml_get_bool(root, rows[i].path, false) == rows[i].yes,
		    "whether it is yes");
	}
	ok(yaml_get_bool(root, "a/text", true),
	    "what is not yes or no is as wanted");
	ok(!yaml_get_bool(root, "a/no", true), "and no is no");
	is_str(yaml_get(root, "x/y")->text, "slash", "a key with a slash");
	ok(yaml_get(NULL, "a") == NULL && yaml_path(NULL, "a/b") == NULL &&
		yaml_get(yaml_get(root, "list"), "a") == NULL,
	    "nothing has nothing");
	yaml_arena_free(a);
}

static void
test_equal(void)
{
	static const struct {
		const char *a, *b;
		bool equal;
	} rows[] = {
		{ "a: 1\nb: [x, y]", "{b: [x, y], a: 0x1}", true },
		{ "a: 1", "a: 2", false },
		{ "a: 1", "b: 1", false },
		{ "a: 1", "{a: 1, b: 1}", false },
		{ "a: 1", "a: '1'", false },
		{ "[a, b]", "[b, a]", false },
		{ "[a]", "[a, a]", false },
		{ "[]", "{}", false },
		{ "[~]", "[null]", true },
		{ "[~]", "['']", false },
		{ "[yes]", "[true]", true },
		{ "[yes]", "[no]", false },
		{ "[1]", "[1.0]", true },
		{ "[1]", "[1.5]", false },
		{ "[.nan]", "[.NaN]", true },
		{ "[.nan]", "[1]", false },
		{ "[.inf]", "[-.inf]", false },
		{ "[9223372036854775807]", "[9223372036854775806]", false },
		{ "[&x {a: 1}, *x]", "[{a: 1}, {a: 1}]", true },
	};
	struct yaml_arena *a;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		a = yaml_arena_new();
		ok(yaml_equal(parse_one(a, rows[i].a),
		       parse_one(a, rows[i].b)) == rows[i].equal,
		    rows[i].a);
		ok(yaml_equal(parse_one(a, rows[i].b),
		       parse_one(a, rows[i].a)) == rows[i].equal,
		    rows[i].b);
		yaml_arena_free(a);
	}
}

/* The text is that of the refusal, or "N documents". */
static void
read_in_child(const char *text, int fd)
{
	struct yaml_arena *a = yaml_arena_new();
	struct yaml_node **documents;
	struct error e = { .text = "" };
	long count = yaml_parse(a, "f", text, strlen(text), &documents, &e);

	if (count < 0)
		dprintf(fd, "%s", e.text);
	else
		dprintf(fd, "%ld documents", count);
	yaml_arena_free(a);
	_exit(0);
}

static void
check_bomb(const char *text, const char *wanted, const char *name)
{
	struct rusage usage = { .ru_maxrss = 0 };
	char got[256] = "";
	int fds[2], status = -1;
	pid_t pid;

	if (pipe(fds) != 0 || (pid = fork()) < 0) {
		ok(false, "pipe and fork");
		return;
	}
	if (pid == 0)
		read_in_child(text, fds[1]);
	(void)close(fds[1]);
	if (read(fds[0], got, sizeof(got) - 1) < 0)
		got[0] = '\0';
	(void)close(fds[0]);
	ok(wait4(pid, &status, 0, &usage) == pid && status == 0,
	    "the child ends well");
	is_str(got, wanted, name);
	printf("# %ld KiB, %ld.%02ld s\n", usage.ru_maxrss,
	    (long)usage.ru_utime.tv_sec, (long)usage.ru_utime.tv_usec / 10000);
	ok(usage.ru_maxrss < BOMB_MEMORY_KIB, "in bounded memory");
	ok(usage.ru_utime.tv_sec < BOMB_SECONDS, "and time");
}

/* So many times; each '@' is the number of the time. */
static void
repeat(FILE *out, const char *piece, int times)
{
	const char *from, *at;
	int i;

	for (i = 0; i < times; i++) {
		for (from = piece; (at = strchr(from, '@')) != NULL;
		     from = at + 1)
			fprintf(out, "%.*s%d", (int)(at - from), from, i);
		fputs(from, out);
	}
}

#define NODES "more than 200000 values, with all aliases expanded"
#define DEPTH "more than 100 nested lists and maps"
#define TEXTS "more than 8388608 bytes of text, with all aliases expanded"

/* Each line has ten times what the line before it has. */
static void
test_laughs(void)
{
	struct memstream m;
	char *text, c;
	int i;

	memstream_open(&m);
	fputs("a: &a [lol]\n", m.file);
	for (c = 'b'; c <= 'z'; c++) {
		fprintf(m.file, "%c: &%c [", c, c);
		for (i = 0; i < 10; i++)
			fprintf(m.file, "*%c,", c - 1);
		fputs("]\n", m.file);
	}
	text = memstream_close(&m, NULL);
	check_bomb(text, "f:6:32: " NODES, "a billion laughs");
	free(text);
}

static void
test_bombs(void)
{
	static const struct {
		const char *before, *again, *wanted;
		int times;
		const char *behind;
		int behind_times;
	} rows[] = {
		{ "", "k@: @\n", "1 documents", 199999, "", 0 },
		{ "", "k@: @\n", "f:200000:10: " NODES, 200000, "", 0 },
		{ "- &a [x]\n", "- *a\n", "f:100000:3: " NODES, 99999, "", 0 },
		{ "- &a0 x\n", "- *a0\n- &a@ x\n", "f:200000:3: " NODES, 99999,
		    "- y\n", 1 },
		{ "[0", ",1", "f:1:400000: " NODES, 300000, "]", 1 },
		{ "a: &a {b: 1}\n", "k@: {<<: *a}\n", "f:66667:14: " NODES,
		    99999, "", 0 },
		{ "", "[", "1 documents", 100, "]", 100 },
		{ "", "[", "f:1:101: " DEPTH, 101, "]", 101 },
		{ "# YAML\n", "[", "1 documents", 100, "]", 100 },
		{ "# YAML\n", "[", "f:2:101: " DEPTH, 1000000, "", 0 },
		{ "", "{\"a\":", "f:1:501: " DEPTH, 101, "1}", 1 },
		{ "", "- ", "f:1:201: " DEPTH, 1000000, "", 0 },
		{ "", "? ", "f:1:201: " DEPTH, 1000000, "", 0 },
		{ "- &a [[a]]\n- ", "- ", "1 documents", 97, "*a", 1 },
		{ "- &a [[a]]\n- ", "- ", "f:2:199: " DEPTH, 98, "*a", 1 },
		{ "", "[]", "f:1:400001: " NODES, 2000000, "", 0 },
		{ "", "--- a\n", "f:200001:5: " NODES, 300000, "", 0 },
		{ "", "%TAG !a@! a\n", "f:17:1: more than 16 lines with %TAG",
		    250000, "--- a", 1 },
		{ "", "%TAG !a@! a\r", "f:17:1: more than 16 lines with %TAG",
		    250000, "--- a", 1 },
		{ "", "#", "0 documents", YAML_BYTES_MAX, "", 0 },
		{ "", "#",
		    "f:1:1: the text has 4194305 bytes, but at most 4194304 "
		    "are allowed",
		    YAML_BYTES_MAX + 1, "", 0 },
	};
	struct memstream m;
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memstream_open(&m);
		fputs(rows[i].before, m.file);
		repeat(m.file, rows[i].again, rows[i].times);
		repeat(m.file, rows[i].behind, rows[i].behind_times);
		text = memstream_close(&m, NULL);
		check_bomb(text, rows[i].wanted, rows[i].again);
		free(text);
	}
}

static void
test_long_texts(void)
{
	struct memstream m;
	char *text;

	memstream_open(&m);
	fputs("a: &a ", m.file);
	repeat(m.file, "x", 100000);
	fputs("\nb: [", m.file);
	repeat(m.file, "*a, ", 90);
	fputs("]\n", m.file);
	text = memstream_close(&m, NULL);
	check_bomb(text, "f:2:333: " TEXTS, "aliases of a long text");
	free(text);
}

int
main(void)
{
	test_make();
	test_change_what_was_read();
	test_get();
	test_equal();
	test_laughs();
	test_bombs();
	test_long_texts();
	return tap_done();
}
