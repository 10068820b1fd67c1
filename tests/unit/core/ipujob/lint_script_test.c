/* core/ipujob/lint_script: the commands of a shell's text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/memstream.h"
#include "core/ipujob/lint_script.h"
#include "tests/unit/tap.h"

/* "LINE:PROGRAM word|word\n" per command; the caller frees it. */
static char *
dump_script(const struct lint_script *s)
{
	struct memstream	m;
	size_t			i, j;

	memstream_open(&m);
	for (i = 0; i < s->count; i++) {
		fprintf(m.file, "%d:%s ", s->commands[i].line,
		    lint_script_program(&s->commands[i]));
		for (j = 0; j < s->commands[i].words.count; j++)
			fprintf(m.file, "%s%s", j == 0 ? "" : "|",
			    s->commands[i].words.items[j]);
		fputc('\n', m.file);
	}
	if (s->cut_line > 0)
		fprintf(m.file, "cut %d\n", s->cut_line);
	return memstream_close(&m, NULL);
}

static void
test_texts(void)
{
	static const struct {
		const char	*text;
		const char	*wanted;
	} vectors[] = {
		{ "", "" },
		{ " \n;;\n# only a comment\n", "" },
		{ "ls", "1:ls ls\n" },
		{ "cd ;\nmkdir build;\ncd build ;\n",
		    "1:cd cd\n2:mkdir mkdir|build\n3:cd cd|build\n" },
		{ "a && b || c & d | e", "1:a a\n1:b b\n1:c c\n1:d d\n"
		    "1:e e\n" },
		/* quotes, and what stands in them */
		{ "a 'b c;' \"d $e\" f\"g\"'h'", "1:a a|b c;|d $e|fgh\n" },
		{ "a \"b\\\"c\\d\\$e\" ''", "1:a a|b\"c\\d$e|\n" },
		{ "a 'open\nb", "1:a a|open\nb\n" },
		{ "a \"open", "1:a a|open\n" },
		{ "a b\\ c \\;d", "1:a a|b c|;d\n" },
		/* lines that go on, and one that does not */
		{ "x=1 \\\npoprun \\\n --a 1 \\\n  b\nc",
		    "1:poprun x=1|poprun|--a|1|b\n5:c c\n" },
		{ "poprun \\  \n --a 1\n", "1:poprun poprun| \n"
		    "2:--a --a|1\ncut 1\n" },
		{ "a \"b\\\nc\"\nd", "1:a a|bc\n3:d d\n" },
		{ "a\\", "1:a a\n" },
		/* what stands before a program */
		{ "A=1 B= exec /opt/bin/poprun x", "1:poprun A=1|B=|exec|"
		    "/opt/bin/poprun|x\n" },
		{ "if true; then time poprun x; fi", "1:true if|true\n"
		    "1:poprun then|time|poprun|x\n1:fi fi\n" },
		{ "A=1", "1: A=1\n" },
		{ "1A=1 b", "1:1A=1 1A=1|b\n" },
		/* substitutions and redirections */
		{ "apt install $(< list.txt) -y ;", "1:apt apt|install|$\n"
		    "1:list.txt list.txt\n1:-y -y\n" },
		{ "a > b 2>&1 &> c", "1:a a|b|2|&1|&|c\n" },
		{ "a `b c`", "1:a a\n1:b b|c\n" },
		/* a '#' begins a comment, except in a word */
		{ "a b#c # d\ne", "1:a a|b#c\n2:e e\n" },
		{ "a\r\nb\r\n", "1:a a\n2:b b\n" },
	};
	struct lint_script	s = { .commands = NULL };
	char			*got, name[32];
	size_t			 i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		lint_script_read(&s, vectors[i].text);
		got = dump_script(&s);
		(void)snprintf(name, sizeof(name), "text %zu", i);
		is_str(got, vectors[i].wanted, name);
		free(got);
		lint_script_release(&s);
	}
}

static void
test_words(void)
{
	char			bash[] = "/bin/bash", script[] = "a; b";
	char			*words[] = { bash, script, NULL };
	char			*none[] = { NULL };
	struct lint_script	s = { .commands = NULL };
	char			*got;

	lint_script_add(&s, words);
	lint_script_add(&s, none);
	got = dump_script(&s);
	is_str(got, "1:bash /bin/bash|a; b\n", "words as they are");
	free(got);
	lint_script_release(&s);
	lint_script_release(&s);
}

int
main(void)
{
	test_texts();
	test_words();
	return tap_done();
}
