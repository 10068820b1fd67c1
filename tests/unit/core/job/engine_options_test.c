/* POPLAR_ENGINE_OPTIONS: what is read, what is refused, and who wins. */
#include "core/job/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

/*
 * Settings as text: all, graph, execution, out of memory, profiling,
 * directory.
 */
static const char *
settings_text(const struct engine_settings *s)
{
	static const char letters[] = "-ft";
	static char text[ENGINE_OPTIONS_PATH_SIZE + 16];

	(void)snprintf(text, sizeof(text), "%c%c%c%c%c %s", letters[s->all],
	    letters[s->graph], letters[s->execution], letters[s->out_of_memory],
	    s->profiling ? 'p' : '-', s->directory);
	return text;
}

static void
test_read(void)
{
	static const struct {
		const char *text, *wanted;
	} rows[] = {
		{ NULL, "----- " },
		{ "", "----- " },
		{ "{}", "----- " },
		{ "{\"autoReport.all\":\"true\"}", "t---p " },
		{ "{\"autoReport.all\":true}", "t---p " },
		{ "{\"autoReport.all\":\"false\"}", "f---p " },
		{ "{\"autoReport.all\":\"true\", "
		  "\"autoReport.directory\":\"./dir\"}",
		    "t---p ./dir" },
		{ "{\"autoReport.directory\":\"d\"}", "----- d" },
		{ "{\"autoReport.outputGraphProfile\":\"true\",\"autoReport."
		  "outputExecutionProfile\":\"false\"}",
		    "-tf-p " },
		{ "{\"debug.allowOutOfMemory\":\"false\"}", "---f- " },
		{ "{\"allowOutOfMemory\":\"true\"}", "---t- " },
		{ "{\"autoReport.outputDebugInfo\":\"true\"}", "----p " },
		{ "{\"autoReport.executionProfileProgramRunCount\":\"2\"}",
		    "----p " },
		{ "{\"target.hostSyncTimeout\":300,\"debug.trace\":false,\"opt."
		  "maxCompilationThreads\":\"4\"}",
		    "----- " },
	};
	struct engine_settings s;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		e.text[0] = '\0';
		memset(&s, 1, sizeof(s));
		is_int(engine_options_parse_settings(&s, rows[i].text, &e), 0,
		    rows[i].text == NULL ? "unset" : rows[i].text);
		is_str(settings_text(&s), rows[i].wanted, "as it says");
		is_str(e.text, "", "no reason");
	}
}

static void
test_refused(void)
{
	static const struct {
		const char *text, *wanted; /* after the variable's name */
	} rows[] = {
		{ "true",
		    "must be a JSON object, such as "
		    "{\"autoReport.all\":\"true\"}" },
		{ "[]",
		    "must be a JSON object, such as "
		    "{\"autoReport.all\":\"true\"}" },
		{ "{\"autoReport.al\":\"true\"}",
		    "invalid_option: Unrecognised option 'autoReport.al'" },
		{ "{\"invalidFlag\":\"true\"}",
		    "invalid_option: Unrecognised option 'invalidFlag'" },
		{ "{\"\":\"true\"}", "invalid_option: Unrecognised option ''" },
		{ "{\"target.\":\"true\"}",
		    "invalid_option: Unrecognised option 'target.'" },
		{ "{\"autoReport.all\":\"yes\"}",
		    "autoReport.all: must be \"true\" or \"false\"" },
		{ "{\"autoReport.all\":1}",
		    "autoReport.all: must be \"true\" or \"false\"" },
		{ "{\"autoReport.all\":null}",
		    "autoReport.all: must be \"true\" or \"false\"" },
		{ "{\"autoReport.directory\":\"\"}",
		    "autoReport.directory: must name a directory" },
		{ "{\"autoReport.directory\":true}",
		    "autoReport.directory: must name a directory" },
		{ "{\"autoReport.directory\":\"a\\u0000b\"}",
		    "autoReport.directory: must name a directory" },
		{ "{\"target.x\\u0000\":\"a\"}",
		    "the name of an option holds a NUL byte" },
		{ "{\"target.x\":{}}", "target.x: must be a string" },
		{ "{\"autoReport.all\":\"true\",\"autoReport.all\":\"true\"}",
		    "autoReport.all: is given twice" },
	};
	struct engine_settings s;
	struct error e;
	char wanted[256], *text, *path;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		is_int(engine_options_parse_settings(&s, rows[i].text, &e), -1,
		    rows[i].text);
		(void)snprintf(wanted, sizeof(wanted),
		    "POPLAR_ENGINE_OPTIONS: %s", rows[i].wanted);
		is_str(e.text, wanted, "the reason");
		is_str(settings_text(&s), "----- ", "nothing is set");
	}
	is_int(engine_options_parse_settings(&s,
		   "{\"autoReport.all\":\"true\",}", &e),
	    -1, "a comma too many");
	ok(strncmp(e.text, "POPLAR_ENGINE_OPTIONS: is not valid JSON: ", 42) ==
		0,
	    "is no JSON");
	is_int(engine_options_parse_settings(&s, "{autoReport.all:true}", NULL),
	    -1, "names without quotes are none");
	path = xasprintf("%01024d", 0);
	text = xasprintf("{\"autoReport.directory\":\"%s\"}", path);
	is_int(engine_options_parse_settings(&s, text, &e), -1, "1024 bytes");
	is_str(e.text,
	    "POPLAR_ENGINE_OPTIONS: autoReport.directory: longer than 1023 "
	    "bytes",
	    "are too many");
	free(text);
	path[1023] = '\0';
	text = xasprintf("{\"autoReport.directory\":\"%s\"}", path);
	is_int(engine_options_parse_settings(&s, text, &e), 0,
	    "1023 bytes are not");
	is_str(s.directory, path, "and all there");
	free(text);
	free(path);
}

static const struct popdist alone = { .uniform = true,
	.num_total_replicas = 1,
	.num_local_replicas = 1,
	.num_instances = 1 };
static const struct popdist second = { .is_set = true,
	.uniform = true,
	.num_total_replicas = 4,
	.num_local_replicas = 2,
	.num_instances = 2,
	.instance_index = 1,
	.replica_index_offset = 2 };
static const struct popdist only = { .is_set = true,
	.uniform = true,
	.num_total_replicas = 2,
	.num_local_replicas = 2,
	.num_instances = 1 };
static const struct popdist uneven = { .is_set = true,
	.num_total_replicas = 5,
	.num_local_replicas = 2,
	.replica_index_offset = 3 };

struct who_row {
	const char *name;
	const char *text; /* POPLAR_ENGINE_OPTIONS */
	const char *asked, *parent;
	const struct popdist *popdist;
	const char *directory; /* NULL: none */
	const char *wanted;    /* graph, execution, out of memory, overridden */
};

#define ALL(value) "{\"autoReport.all\":\"" value "\"}"
#define THERE "{\"autoReport.directory\":\"there\"}"

static const struct who_row who_rows[] = {
	{ "nothing", NULL, NULL, NULL, &alone, NULL, "--m-" },
	{ "--profile", NULL, "dir", NULL, &alone, "dir", "gem-" },
	{ "--profile, second instance", NULL, "dir", NULL, &second, "dir/1",
	    "gem-" },
	{ "--profile, one instance of poprun", NULL, "dir", NULL, &only, "dir",
	    "gem-" },
	{ "the environment", ALL("true"), NULL, NULL, &alone, ".", "gem-" },
	{ "the environment, second instance", ALL("true"), NULL, NULL, &second,
	    "./1", "gem-" },
	{ "a folder alone", THERE, NULL, NULL, &alone, NULL, "--m-" },
	{ "it forbids", ALL("false"), "dir", NULL, &alone, NULL, "--mo" },
	{ "it moves", THERE, "dir", NULL, &alone, "there", "gemo" },
	{ "it says the same", ALL("true"), "dir", NULL, &alone, "dir", "gemo" },
	{ "it speaks of other things", "{\"opt.x\":\"1\"}", "dir", NULL, &alone,
	    "dir", "gem-" },
	{ "one kind alone", "{\"autoReport.outputGraphProfile\":\"true\"}",
	    NULL, NULL, &alone, ".", "g-m-" },
	{ "all but one kind",
	    "{\"autoReport.all\":\"true\",\"autoReport."
	    "outputExecutionProfile\":\"false\"}",
	    NULL, NULL, &alone, ".", "g-m-" },
	{ "no memory, no report", "{\"debug.allowOutOfMemory\":\"false\"}",
	    "dir", NULL, &alone, "dir", "ge-o" },
	{ "--autoreport-dir", NULL, NULL, "p", &second, "p/1", "gem-" },
	{ "--autoreport-dir, one instance", NULL, NULL, "p", &only, "p/0",
	    "gem-" },
	{ "--autoreport-dir, uneven shares", NULL, NULL, "p", &uneven, "p/3",
	    "gem-" },
	{ "--autoreport-dir and --profile", NULL, "dir", "p", &second, "p/1",
	    "gem-" },
	{ "--autoreport-dir, no profiling", ALL("false"), NULL, "p", &second,
	    NULL, "--m-" },
	{ "--autoreport-dir, a key of profiling",
	    "{\"autoReport.outputDebugInfo\":\"true\"}", NULL, "p", &second,
	    NULL, "--m-" },
	{ "--autoreport-dir, another key", "{\"allowOutOfMemory\":\"true\"}",
	    NULL, "p", &second, "p/1", "gem-" },
	{ "--autoreport-dir, a folder all the same", THERE, NULL, "p", &second,
	    "there", "gem-" },
};

static void
test_who(void)
{
	const struct who_row *r;
	struct engine_settings s;
	struct engine_options o;
	struct error e = { .text = "" };
	char got[8];
	const char *directory;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(who_rows); i++) {
		r = &who_rows[i];
		ok(engine_options_parse_settings(&s, r->text, &e) == 0 &&
			engine_options_resolve(&o, &s, r->asked, r->parent,
			    r->popdist, &e) == 0,
		    r->name);
		(void)snprintf(got, sizeof(got), "%c%c%c%c",
		    o.graph_profile ? 'g' : '-',
		    o.execution_profile ? 'e' : '-',
		    o.allow_out_of_memory ? 'm' : '-',
		    o.overridden ? 'o' : '-');
		is_str(got, r->wanted, "what is to be done");
		directory = engine_options_directory(&o);
		is_str(directory == NULL ? "none" : directory,
		    r->directory == NULL ? "none" : r->directory, "and where");
	}
}

static void
test_environment(void)
{
	struct engine_options o;
	struct error e = { .text = "" };
	char *path = xasprintf("%01022d", 0);

	(void)unsetenv("POPLAR_ENGINE_OPTIONS");
	(void)setenv("POPDIST_AUTOREPORT_DIRECTORY", "p", 1);
	ok(engine_options_read(&o, NULL, &alone, &e) == 0 &&
		engine_options_directory(&o) == NULL,
	    "PopDist does nothing outside poprun");
	ok(engine_options_read(&o, NULL, &second, &e) == 0, "under poprun");
	is_str(engine_options_directory(&o), "p/1", "its instance's folder");
	(void)setenv("POPDIST_AUTOREPORT_DIRECTORY", "", 1);
	ok(engine_options_read(&o, NULL, &second, &e) == 0 &&
		engine_options_directory(&o) == NULL,
	    "an empty name is none");
	(void)setenv("POPLAR_ENGINE_OPTIONS", ALL("true"), 1);
	ok(engine_options_read(&o, NULL, &alone, &e) == 0, "the environment");
	is_str(engine_options_directory(&o), ".", "here");
	(void)setenv("POPLAR_ENGINE_OPTIONS", "{", 1);
	is_int(engine_options_read(&o, NULL, &alone, &e), -1, "no JSON");
	(void)unsetenv("POPLAR_ENGINE_OPTIONS");
	ok(engine_options_read(&o, path, &alone, &e) == 0, "a long path fits");
	is_int(engine_options_read(&o, path, &second, &e), -1,
	    "not with the instance behind it");
	ok(strstr(e.text,
	       "the directory of profiles has a name of more than 1023 bytes: "
	       "000") == e.text,
	    "so it says");
	free(path);
}

/* The guide's command lines, as the shell leaves them. */
static void
test_conflict(void)
{
	ok(engine_options_set_directory(
	       "POPLAR_ENGINE_OPTIONS={\"autoReport.directory\":\"/tmp/d\"}"),
	    "with quotes");
	ok(engine_options_set_directory(
	       "POPLAR_ENGINE_OPTIONS={autoReport.directory:/tmp/d}"),
	    "without");
	ok(!engine_options_set_directory("POPLAR_ENGINE_OPTIONS=" ALL("true")),
	    "another key");
	ok(!engine_options_set_directory(NULL), "nothing");
}

int
main(void)
{
	test_read();
	test_refused();
	test_who();
	test_environment();
	test_conflict();
	return tap_done();
}
