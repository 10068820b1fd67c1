/* remarks: their order, their bound and how they are printed. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/schema/schema.h"
#include "tests/unit/tap.h"

static char *
printed(const struct remarks *f)
{
	struct memstream m;

	memstream_open(&m);
	remarks_print(m.file, f);
	return memstream_close(&m, NULL);
}

/* What came, in the order of its coming, and how it is printed when sorted. */
static void
check_order(void)
{
	static const struct {
		enum remark_level level;
		const char *file;
		int line, column;
		const char *path, *text;
	} came[] = {
		{ REMARK_NOTE, "b.yaml", 9, 3, "spec.x", "ninth" },
		{ REMARK_ERROR, "a.yaml", 7, 1, "spec", "another file" },
		{ REMARK_WARNING, "b.yaml", 9, 1, "", "no path" },
		{ REMARK_ERROR, "b.yaml", 0, 0, "", "the whole file" },
		{ REMARK_ERROR, "b.yaml", 9, 3, "spec.y", "came later" },
		{ REMARK_ERROR, "a.yaml", 2, 4, "spec.\tz", "a\033[31mb" },
	};
	static const char wanted[] =
	    "b.yaml: error: the whole file\n"
	    "b.yaml:9:1: warning: no path\n"
	    "b.yaml:9:3: note: spec.x: ninth\n"
	    "b.yaml:9:3: error: spec.y: came later\n"
	    "a.yaml:2:4: error: spec.\\x09z: a\\x1b[31mb\n"
	    "a.yaml:7:1: error: spec: another file\n";
	struct remarks f = { .items = NULL };
	struct yaml_node node = { .kind = YAML_NULL };
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(came); i++) {
		node.line = came[i].line;
		node.column = came[i].column;
		remarks_add(&f, came[i].level, came[i].file,
		    came[i].line == 0 ? NULL : &node, came[i].path, "%s",
		    came[i].text);
	}
	remarks_sort(&f);
	text = printed(&f);
	is_str(text, wanted, "by file as they came, line and column");
	free(text);
	text = remarks_text(&f.items[3]);
	is_str(text, "b.yaml:9:3: spec.y: came later", "one as a text");
	free(text);
	text = remarks_text(&f.items[0]);
	is_str(text, "b.yaml: the whole file", "one without a place");
	free(text);
	is_int((long long)f.found[REMARK_ERROR], 4, "errors");
	is_int((long long)f.found[REMARK_WARNING], 1, "warnings");
	is_int((long long)f.found[REMARK_NOTE], 1, "notes");
	remarks_release(&f);
	is_int((long long)f.found[REMARK_ERROR], 0, "empty again");
	remarks_release(&f);
}

/* Where an error says itself where it is, it is there. */
static void
check_error(void)
{
	static const struct {
		const char *text, *printed;
	} rows[] = {
		{ "a.yaml:4:12: a tab", "a.yaml:4:12: error: a tab\n" },
		{ "a:b:4:1: x: y", "a:b:4:1: error: x: y\n" },
		{ "dir/b: c:1:2: a key: x:3:4: y",
		    "dir/b: c:1:2: error: a key: x:3:4: y\n" },
		{ "a.yaml:0:1: no line", "error: a.yaml:0:1: no line\n" },
		{ ":1: no file", "error: :1: no file\n" },
		{ "cannot open a: No such file",
		    "error: cannot open a: No such file\n" },
		{ "a.yaml:4: x", "error: a.yaml:4: x\n" },
		{ "a.yaml::4: x", "error: a.yaml::4: x\n" },
		{ ":1:2: x", "error: :1:2: x\n" },
		{ "a:1:99999999999: x", "error: a:1:99999999999: x\n" },
		{ "", "error: \n" },
	};
	struct remarks f = { .items = NULL };
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		remarks_add_error(&f, rows[i].text);
		text = printed(&f);
		is_str(text, rows[i].printed, rows[i].text);
		free(text);
		remarks_release(&f);
	}
}

/* Notes without end leave room for the errors behind them. */
static void
check_bound(void)
{
	struct remarks f = { .items = NULL };
	char *text;
	int i;

	for (i = 0; i < REMARKS_MAX - 1; i++)
		remarks_add(&f, REMARK_NOTE, "x", NULL, "", "n%d", i);
	ok(!remarks_are_full(&f, REMARK_NOTE), "room for one more");
	for (i = 0; i < 13; i++)
		remarks_add(&f, REMARK_NOTE, "x", NULL, "", "more");
	ok(remarks_are_full(&f, REMARK_NOTE), "full");
	ok(!remarks_are_full(&f, REMARK_ERROR), "each level by itself");
	remarks_add(&f, REMARK_ERROR, "x", NULL, "", "an error");
	is_int((long long)f.count, REMARKS_MAX + 1, "what is kept");
	is_int((long long)f.found[REMARK_NOTE], REMARKS_MAX + 12,
	    "all of them are counted");
	is_str(f.items[REMARKS_MAX].text, "an error", "the error is there");
	text = printed(&f);
	ok(strstr(text, "x: error: an error\nand 12 more notes\n") != NULL,
	    "the number of the others at the end");
	free(text);
	for (i = 0; i < REMARKS_MAX; i++)
		remarks_add(&f, REMARK_ERROR, "x", NULL, "", "more");
	text = printed(&f);
	ok(strstr(text, "\nand 1 more error\nand 12 more notes\n") != NULL,
	    "one is singular");
	free(text);
	remarks_release(&f);
}

/* Errors of this host alone are counted apart, the last that is kept too. */
static void
check_local(void)
{
	struct remarks f = { .items = NULL };
	int i;

	remarks_add(&f, REMARK_ERROR, "x", NULL, "", "wrong everywhere");
	remarks_add(&f, REMARK_ERROR, "x", NULL, "", "not to be had here");
	remarks_mark_local(&f);
	remarks_add(&f, REMARK_NOTE, "x", NULL, "", "a note");
	is_int((long long)f.found[REMARK_ERROR], 2, "errors");
	is_int((long long)f.local, 1, "of this host alone");
	ok(!f.items[0].is_local && f.items[1].is_local, "which one it is");
	for (i = 2; i < REMARKS_MAX; i++)
		remarks_add(&f, REMARK_ERROR, "x", NULL, "", "wrong");
	remarks_mark_local(&f);
	ok(f.items[f.count - 1].is_local, "the last one that is kept");
	remarks_add(&f, REMARK_ERROR, "x", NULL, "", "wrong");
	remarks_add(&f, REMARK_ERROR, "x", NULL, "", "not to be had here");
	remarks_mark_local(&f);
	is_int((long long)f.local, 3, "one that is not kept counts as well");
	remarks_release(&f);
}

/* What only this host refuses is a warning then. */
static void
check_yield(void)
{
	struct remarks f = { .items = NULL };
	char *text;

	remarks_add(&f, REMARK_ERROR, "x", NULL, "", "wrong everywhere");
	remarks_add(&f, REMARK_ERROR, "x", NULL, "nfs", "not here");
	remarks_mark_local(&f);
	remarks_yield_local(&f);
	text = printed(&f);
	is_str(text,
	    "x: error: wrong everywhere\n"
	    "x: warning: nfs: not here; create refuses it\n",
	    "yielded");
	free(text);
	is_int((long long)f.found[REMARK_ERROR], 1, "errors then");
	is_int((long long)f.found[REMARK_WARNING], 1, "warnings");
	is_int((long long)f.local, 0, "none of this host");
	remarks_yield_local(&f);
	is_int((long long)f.found[REMARK_WARNING], 1, "but once");
	remarks_release(&f);
}

int
main(void)
{
	check_yield();
	check_order();
	check_error();
	check_local();
	check_bound();
	return tap_done();
}
