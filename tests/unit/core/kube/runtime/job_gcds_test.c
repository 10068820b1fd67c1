/* job_gcds: the instances of a poprun in a command, and the GCDs
   that follow from them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/runtime/runtime.h"
#include "tests/unit/tap.h"

/* The GCDs of a job of 16 IPUs with one worker, which has that container. */
static int
count_gcds(struct yaml_arena *arena, struct yaml_node *container)
{
	struct yaml_node *template = yaml_new_map(arena), *list;
	struct ipujob job = { .ipus = 16, .workers = 1, .template = template };

	list = yaml_set(arena,
	    yaml_set(arena, template, "spec", yaml_new_map(arena)),
	    "containers", yaml_new_list(arena));
	yaml_add(arena, list, container);
	return job_gcds_count(&job);
}

static void
test_containers(void)
{
	static const struct {
		const char *container;
		int gcds;
	} rows[] = {
		{ "{command: [poprun, --num-instances, '2', a]}", 2 },
		{ "{command: [/opt/bin/poprun, --num-instances=2, a]}", 2 },
		{ "{command: [bash, -c], args: [\"cd x; A=1 poprun -vv "
		  "--num-instances=16 --num-replicas 16 a\"]}",
		    16 },
		{ "{command: [/bin/bash, -c, --], args: [\"poprun "
		  "--num-instances 4 a\"]}",
		    4 },
		{ "{command: [sh, -ec, poprun --num-instances 2 a, x]}", 2 },
		{ "{command: [sh, script.sh, -c], args: [\"poprun "
		  "--num-instances 4 a\"]}",
		    1 },
		{ "{command: [sh, -c, 'poprun --num-replicas 4 a']}", 1 },
		{ "{command: [sh, -c, 'python a --num-instances 4']}", 1 },
		{ "{command: [sh, -c, 'poprun --num-instances 2 a; poprun "
		  "--num-instances 2 b']}",
		    2 },
		{ "{command: [sh, -c, 'poprun --num-instances 2 a; poprun b']}",
		    JOB_GCDS_RECONFIGURABLE },
		{ "{command: [sh, -c, 'poprun --num-instances $N a']}",
		    JOB_GCDS_RECONFIGURABLE },
		{ "{command: [sh, -c, 'poprun --num-instances 0 a']}",
		    JOB_GCDS_RECONFIGURABLE },
		{ "{command: [sh, -c, 'poprun --num-instances 3 a']}", 1 },
		{ "{command: [sh, -c]}", 1 },
		{ "{command: poprun}", 1 },
		{ "{command: [1, [a], {b: c}]}", 1 },
		{ "{}", 1 },
	};
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		is_int(yaml_parse(arena, "row", rows[i].container,
			   strlen(rows[i].container), &documents, NULL) == 1 ?
			count_gcds(arena, documents[0]) :
			-1,
		    rows[i].gcds, rows[i].container);
	yaml_arena_free(arena);
}

/* Texts of a shell; N stands for "poprun --num-instances 2". */
static void
test_texts(void)
{
	static const struct {
		const char *text;
		int gcds;
	} rows[] = {
		{ "", 1 },
		{ " \n;;\n# only a comment\n", 1 },
		{ "N", 2 },
		/* commands and their ends */
		{ "cd ;\nmkdir build;\ncd build ;\nN a", 2 },
		{ "a && N || c & d | e", 2 },
		{ "a | N a | N b", 2 },
		{ "(N a)", 2 },
		{ "echo `N a`", 2 },
		{ "echo $(N a)", 2 },
		{ "N a\r\nb\r\n", 2 },
		{ "echo N", 1 },
		{ "which poprun --num-instances 2", 1 },
		/* lines that go on, as in the guide, and one that does not */
		{ "x=1 y=1 \\\nN \\\n --a 1 \\\n  b\nc", 2 },
		{ "poprun \\\n  --allow-run-as-root 1 \\\n  --vv \\\n"
		  "  --num-instances 2 \\\n  "
		  "--mpi-global-args=\"--tag-output\" \\\npython3 a\n",
		    2 },
		{ "poprun \\  \n --num-instances 2\n", 1 },
		{ "\"pop\\\nrun\" --num-instances 2 a", 2 },
		{ "a\\", 1 },
		/* quotes and comments */
		{ "'poprun' --num-inst\"ances\" '2'", 2 },
		{ "\"N\"", 1 },
		{ "'a; N'", 1 },
		{ "\"a\\\"; N\"", 1 },
		{ "a 'open; N", 1 },
		{ "a # N", 1 },
		{ "a\n#N\n", 1 },
		{ "a b#c; N", 2 },
		{ "p\\oprun --num-instances 2 a", 2 },
		{ "poprun --num-instances '' a", JOB_GCDS_RECONFIGURABLE },
		/* what stands before a program */
		{ "A=1 B= exec N x", 2 },
		{ "if true; then time N x; fi", 2 },
		{ "while ! N; do b; done", 2 },
		{ "1A=1 N", 1 },
		{ "A=1", 1 },
		/* options and their values */
		{ "poprun -H a,b --num-instances 2 c", 2 },
		{ "poprun -v --num-instances=2 c", 2 },
		{ "poprun -v c --num-instances 2", 1 },
		{ "poprun --vv yes --num-instances 2 c", 2 },
		{ "poprun --vv --num-instances 2 c", 2 },
		{ "poprun --num-instances 4 --num-instances 2 c", 2 },
		{ "poprun --num-instances-of 2 c", 1 },
		{ "poprun --num-instances", 1 },
		{ "N a > b 2>&1", 2 },
	};
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *container, *command;
	struct memstream m;
	const char *c;
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memstream_open(&m);
		for (c = rows[i].text; *c != '\0'; c++)
			if (*c == 'N')
				fputs("poprun --num-instances 2", m.file);
			else
				fputc(*c, m.file);
		text = memstream_close(&m, NULL);
		container = yaml_new_map(arena);
		command = yaml_set(arena, container, "command",
		    yaml_new_list(arena));
		yaml_add(arena, command, yaml_new_text(arena, "bash"));
		yaml_add(arena, command, yaml_new_text(arena, "-c"));
		yaml_add(arena, command, yaml_new_text(arena, text));
		is_int(count_gcds(arena, container), rows[i].gcds,
		    rows[i].text);
		free(text);
	}
	yaml_arena_free(arena);
}

/* Workers share the IPUs unless a launcher's poprun says how many do. */
static void
test_workers(void)
{
	static const struct {
		const char *launcher; /* "" for none */
		int workers;
		int gcds;
	} rows[] = {
		{ "", 4, 4 },
		{ "", 3, 1 },
		{ "{command: [poprun, --num-instances=8, a]}", 2, 8 },
		{ "{command: [poprun, a]}", 2, 1 },
		{ "{command: [mpirun, a]}", 2, 2 },
		{ "{command: [bash, -c, 'poprun --num-instances $N a']}", 2,
		    JOB_GCDS_RECONFIGURABLE },
	};
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents;
	struct ipujob job = { .ipus = 16, .ttl_seconds = -1 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		job.workers = rows[i].workers;
		job.template = yaml_new_map(arena);
		job.launcher = NULL;
		if (yaml_parse(arena, "row", rows[i].launcher,
			strlen(rows[i].launcher), &documents, NULL) == 1)
			job.launcher = documents[0];
		is_int(job_gcds_count(&job), rows[i].gcds, rows[i].launcher);
	}
	yaml_arena_free(arena);
}

int
main(void)
{
	test_containers();
	test_texts();
	test_workers();
	return tap_done();
}
