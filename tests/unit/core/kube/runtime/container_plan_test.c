/*
 * container_plan: commands, the pod's own fields, and what is too
 * much.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "tests/unit/container_util.h"
#include "tests/unit/tap.h"

static void
test_commands(void)
{
	static const struct container_row rows[] = {
		{ "command: [python3, -m, train]", "[python3][-m][train]" },
		{ "command: [sh, -c], args: ['sync; date', '']",
		    "[sh][-c][sync; date][]" },
		{ "command: [echo, 1, true, 010]", "[echo][1][true][010]" },
		{ "command: [a], workingDir: /mnt/my data/.",
		    "[a] in /mnt/my data/." },
		{ "command: [a], workingDir: ''", "[a]" },
		{ "command: [a], workingDir: /", "[a] in /" },
		{ "args: [train.py]",
		    INVALID "containers[0]: command is missing, and args alone "
			    "are not enough; name it, because the command of "
			    "the image is not known here" },
		{ "image: x",
		    INVALID
		    "containers[0]: command is missing; name it, because the "
		    "command of the image is not known here" },
		{ "command: []",
		    INVALID
		    "containers[0]: command is missing; name it, because the "
		    "command of the image is not known here" },
		{ "command: python3",
		    INVALID
		    "containers[0]: command is missing; name it, because the "
		    "command of the image is not known here" },
		{ "command: ['']",
		    INVALID "containers[0]: command[0] is empty" },
		{ "command: [a, null]",
		    INVALID "containers[0]: command[1]: must be a string" },
		{ "command: [a], args: [b, [c]]",
		    INVALID "containers[0]: args[1]: must be a string" },
		{ "command: [a], workingDir: data",
		    INVALID
		    "containers[0]: workingDir data: must begin with '/'" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), " ",
	    container_show_command);
}

static void
test_pods(void)
{
	static const struct container_row rows[] = {
		{ "  containers: [{command: [a]}]", "[a]" },
		{ "  terminationGracePeriodSeconds: 0\n"
		  "  containers: [{command: [a]}]",
		    "[a] grace 0" },
		{ "  terminationGracePeriodSeconds: 600\n"
		  "  containers: [{command: [a]}]",
		    "[a] grace 600" },
		{ "  terminationGracePeriodSeconds: -1\n"
		  "  containers: [{command: [a]}]",
		    "[a]" },
		{ "  initContainers: [{command: [init, '$(A)'], env: [{name: "
		  "A, value: x}]}]\n  containers: [{command: [a]}]",
		    "[init][x]" },
		{ "  initContainers: [{}]\n  containers: [{command: [a]}]",
		    INVALID
		    "initContainers[0]: command is missing; name it, because "
		    "the command of the image is not known here" },
		{ "  initContainers: [{command: [a], env: [{name: A, "
		  "valueFrom: {secretKeyRef: {name: no, key: k}}}]}]",
		    NOT_FOUND
		    "initContainers[0].env[0] A: secret no not found" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "",
	    container_show_command);
}

/* One that is not in the pod's lists is called by its name. */
static void
test_stranger(void)
{
	static const char text[] = "{name: helper}\n";
	const struct pod_host h = container_host();
	struct yaml_arena *arena = yaml_arena_new();
	struct error e = { .text = "", .code = ERROR_NONE };
	struct container_plan plan;
	struct yaml_node **documents;

	is_int(yaml_parse(arena, "text", text, strlen(text), &documents, &e), 1,
	    "a container without a pod");
	is_int(container_plan_make(NULL, documents[0], &h, &plan, &e), -1,
	    "it has no command");
	is_str(e.text,
	    "container helper: command is missing; name it, because the "
	    "command of the image is not known here",
	    "and this name");
	container_plan_release(&plan);
	yaml_arena_free(arena);
}

/* A text of so many bytes between two others, to be freed. */
static char *
long_text(const char *before, char c, size_t length, const char *behind)
{
	struct memstream m;

	(void)memstream_open(&m);
	(void)fprintf(m.file, "%s", before);
	while (length-- > 0)
		(void)fputc(c, m.file);
	(void)fprintf(m.file, "%s", behind);
	return memstream_close(&m, NULL);
}

/* What execve(2) takes is 131071 bytes, with the name of a variable. */
static void
test_lengths(void)
{
	static const struct {
		const char *before;
		char c;
		size_t length;
		const char *behind;
		const char *wanted;
	} rows[] = {
		{ "command: [a", 'b', 131070, "]", "" },
		{ "command: [a", 'b', 131071, "]",
		    "containers[0]: command[0]: is longer than 131071 bytes, "
		    "the limit for arguments and variables" },
		{ "command: [a], args: [x, '$(IPUS)", 'b', 131070, "']", "" },
		{ "command: [a], args: [x, '$(IPUS)", 'b', 131071, "']",
		    "containers[0]: args[1]: is longer than 131071 bytes, the "
		    "limit for arguments and variables" },
		{ "command: ['", '$', 262142, "']", "" },
		{ "command: ['", '$', 262143, "']",
		    "containers[0]: command[0]: is longer than 131071 bytes, "
		    "the limit for arguments and variables" },
		{ "command: [a], env: [{name: AB, value: c", 'b', 131067, "}]",
		    "" },
		{ "command: [a], env: [{name: AB, value: c", 'b', 131068, "}]",
		    "containers[0].env[0] AB: is longer than 131071 bytes, the "
		    "limit for arguments and variables" },
	};
	const struct pod_host h = container_host();
	struct yaml_arena *arena;
	struct container_plan plan;
	struct error e;
	char *text, *spec;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		e.text[0] = '\0';
		arena = yaml_arena_new();
		text = long_text(rows[i].before, rows[i].c, rows[i].length,
		    rows[i].behind);
		spec = xasprintf("  containers: [{%s}]", text);
		(void)container_make(arena, spec, &h, &plan, &e);
		is_str(e.text, rows[i].wanted, rows[i].before);
		container_plan_release(&plan);
		free(spec);
		free(text);
		yaml_arena_free(arena);
	}
}

static void
test_host_variable(void)
{
	static const struct container_row row = { "command: [a]",
		INVALID "environment BIG: is longer than 131071 bytes, the "
			"limit for arguments and variables" };
	struct pod_host h = container_host();
	char *variables[] = { NULL, NULL };

	variables[0] = long_text("BIG=", 'x', 131072, "");
	h.environment = variables;
	container_check(&row, " ", container_show_command, &h);
	free(variables[0]);
}

/* A value that grows with each variable is stopped at what execve(2) takes. */
static void
test_growth(void)
{
	const struct pod_host h = container_host();
	struct yaml_arena *arena = yaml_arena_new();
	struct error e = { .text = "", .code = ERROR_NONE };
	struct container_plan plan;
	struct memstream m;
	char *spec;
	int i;

	(void)memstream_open(&m);
	(void)fprintf(m.file,
	    "  containers: [{command: [a], env: [{name: A0, value: "
	    "0123456789abcdef}");
	for (i = 1; i <= 40; i++)
		(void)fprintf(m.file, ", {name: A%d, value: $(A%d)$(A%d)}", i,
		    i - 1, i - 1);
	(void)fprintf(m.file, "]}]");
	spec = memstream_close(&m, NULL);
	is_int(container_make(arena, spec, &h, &plan, &e), -1, "A0 to A40");
	is_str(e.text,
	    "containers[0].env[13] A13: is longer than 131071 bytes, the limit "
	    "for arguments and variables",
	    "the first that is too long");
	container_plan_release(&plan);
	free(spec);
	yaml_arena_free(arena);
}

/* One more than is taken; each list is `count` times the piece. */
static void
check_limit(const char *before, const char *piece, const char *behind,
    int count, const char *wanted)
{
	const struct pod_host h = container_host();
	struct yaml_arena *arena = yaml_arena_new();
	struct error e = { .text = "", .code = ERROR_NONE };
	struct container_plan plan;
	struct memstream m;
	char *spec;
	int i;

	(void)memstream_open(&m);
	(void)fprintf(m.file, "%s", before);
	for (i = 0; i < count; i++)
		(void)fprintf(m.file, "%s%s%d}", i > 0 ? ", " : "", piece, i);
	(void)fprintf(m.file, "%s", behind);
	spec = memstream_close(&m, NULL);
	(void)container_make(arena, spec, &h, &plan, &e);
	is_str(e.text, wanted, piece);
	container_plan_release(&plan);
	free(spec);
	yaml_arena_free(arena);
}

static void
test_limits(void)
{
	static const char env
	    [] = "  containers: [{command: [a], env: [",
	 mounts[] = "  volumes: [{name: v}]\n  containers: [{command: [a], "
		    "volumeMounts: [",
	 files[] =
	     "  containers: [{command: [a], volumeMounts: [{name: v, "
	     "mountPath: /m}]}]\n  volumes: [{name: v, downwardAPI: {items: [";

	/* Two of the 4096 are the host's. */
	check_limit(env, "{name: A", "]}]", 4094, "");
	check_limit(env, "{name: A", "]}]", 4095,
	    "containers[0].env[4094] A4094: more than 4096 variables");
	check_limit(mounts, "{name: v, mountPath: /m", "]}]", 1024, "");
	check_limit(mounts, "{name: v, mountPath: /m", "]}]", 1025,
	    "containers[0].volumeMounts: has more than 1024 items");
	check_limit(files, "{fieldRef: {fieldPath: metadata.name}, path: f",
	    "]}}]", 4096, "");
	check_limit(files, "{fieldRef: {fieldPath: metadata.name}, path: f",
	    "]}}]", 4097, "volumes[0] v: items[4096]: more than 4096 files");
}

int
main(void)
{
	test_commands();
	test_pods();
	test_stranger();
	test_lengths();
	test_host_variable();
	test_growth();
	test_limits();
	return tap_done();
}
