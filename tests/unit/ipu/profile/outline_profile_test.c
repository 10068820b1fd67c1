/*
 * The files of an outline's profile: those of an engine's, of which each figure
 * is measured or modelled, and none is made up.
 */
#include "ipu/profile/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/text.h"
#include "tests/unit/outline_util.h"
#include "tests/unit/report_util.h"
#include "tests/unit/tap.h"
#include "tests/unit/tutorial.h"

enum { TEXT_MAX = 16 * 1024 * 1024 };

static struct model tutorial;

static struct engine_config
config_of(void)
{
	return (struct engine_config){ .model = &tutorial,
		.stages = 4,
		.stage_blocks = { 1, 1, 1, 1 },
		.stage_ipu = { 0, 1, 2, 3 },
		.strategy = STRATEGY_PIPELINED,
		.training = true,
		.micro_batch = 8,
		.gradient_accumulation = 8,
		.device_iterations = 2,
		.total_replicas = 2,
		.optimiser = optimiser_defaults(OPTIMISER_ADAMW, 0.001) };
}

/* The steps of a call, one after the other, a millisecond each, from `at`. */
static void
print_steps(FILE *f, double at)
{
	int r, d, m, s;

	for (r = 0; r < 2; r++) {
		for (d = 0; d < 2; d++) {
			for (m = 0; m < 8; m++) {
				for (s = 0; s < 8; s++, at += 0.001)
					fprintf(f,
					    "%s{\"kind\": \"%s\", \"replica\": "
					    "%d, \"iteration\": %d, "
					    "\"micro_batch\": %d, \"stage\": "
					    "%d, \"from_s\": %.3f, \"to_s\": "
					    "%.3f}",
					    r + d + m + s > 0 ? "," : "",
					    s < 4 ? "forward" : "backward", r,
					    d, m, s < 4 ? s : 7 - s, at,
					    at + 0.001);
			}
			for (s = 0; s < 4; s++, at += 0.001)
				fprintf(f,
				    ",{\"kind\": \"update\", \"ipu\": %d, "
				    "\"replica\": %d, \"iteration\": %d, "
				    "\"from_s\": %.3f, \"to_s\": %.3f}",
				    s, r, d, at, at + 0.001);
		}
	}
}

/* What was measured: of a cold call nothing more, of one call its steps. */
static char *
host_text(bool steps)
{
	struct memstream s;
	FILE *f = memstream_open(&s);

	fputs("\"host\": {\"compile_s\": 1.5, \"calls\": [{\"input_s\": 0.25, "
	      "\"run_s\": 4, \"output_s\": 0.125}, {\"input_s\": 0.25, "
	      "\"run_s\": 2, \"output_s\": 0.125",
	    f);
	if (steps) {
		fputs(", \"steps\": [", f);
		print_steps(f, 1000);
		fputs("]", f);
	}
	fputs("}, {\"count\": 8, \"input_s\": 2, \"run_s\": 16}]}, ", f);
	return memstream_close(&s, NULL);
}

/* A file of the profile, which the caller frees. */
static char *
text_of(const char *name)
{
	char *path = xasprintf("%s/p/training/%s", tap_directory(), name);
	char *text;
	size_t size;

	text = file_read(path, TEXT_MAX, &size, NULL);
	ok(text != NULL, name);
	free(path);
	return text != NULL ? text : xstrdup("");
}

static void
write_profile(const char *more)
{
	const struct memory_target chip = memory_target(0);
	const struct cycles_target clock = cycles_target_of(1850);
	struct engine_config c = config_of();
	char *text = outline_util_text(&c, more);
	char *path = xasprintf("%s/p", tap_directory());
	struct outline o;
	struct memory m;
	struct cycles cycles;
	struct error e = { .text = "" };

	outline_util_read(&o, text);
	memory_init(&m, &o.config, &chip);
	cycles_init(&cycles, &o.config, &clock);
	(void)outline_profile_write(&o, &m, &cycles, path, &e);
	is_str(e.text, "", "it is written");
	cycles_release(&cycles);
	memory_release(&m);
	outline_release(&o);
	free(path);
	free(text);
}

static bool
has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/* Seconds that were measured, and all figures of the page. */
static void
check_host(yyjson_val *root, const char *report, bool ran)
{
	const double samples = 10 * 2 * 2 * 8 * 8;

	is_near(report_figure(root, "run.calls"), ran ? 10 : 0, 0, "calls");
	is_near(report_figure(root, "run.host_seconds"), ran ? 22 : 0, 0,
	    "seconds that it ran");
	is_near(report_figure(root, "run.host_compile_seconds"), ran ? 1.5 : 0,
	    0, "compiling");
	is_near(report_figure(root, "run.host_input_seconds"), ran ? 2.5 : 0, 0,
	    "input");
	is_near(report_figure(root, "run.host_output_seconds"), ran ? 0.25 : 0,
	    0, "output");
	is_near(report_figure(root, "run.host_first_run_seconds"), ran ? 4 : 0,
	    0, "the cold call");
	is_near(report_figure(root, "run.samples"), ran ? samples : 0, 0,
	    "samples");
	is_near(report_figure(root, "run.host_samples_per_second"),
	    ran ? samples / 22 : 0, 1e-6, "the host's rate");
	ok(report_figure(root, "run.modelled_samples_per_second") > 0,
	    "the chip's rate is known before it runs");
	yyjson_doc_free(report_check(report, root));
	is_int((long)yyjson_arr_size(yyjson_obj_get(root, "operations")), 10,
	    "operations");
	is_str(yyjson_get_str(yyjson_ptr_get(root, "/operations/0/operation")),
	    "aten::convolution", "the longest first");
}

static void
check_profile(const char *more, bool ran, bool steps)
{
	char *report, *summary, *schedule, *trace;
	yyjson_doc *doc;
	yyjson_val *root;

	write_profile(more);
	report = text_of("report.html");
	summary = text_of("summary.json");
	schedule = text_of("schedule.txt");
	trace = text_of("trace.json");
	doc = yyjson_read(summary, strlen(summary), 0);
	root = yyjson_doc_get_root(doc);
	check_host(root, report, ran);
	ok(has(schedule, ran && steps ? "7 planned, 1 seen" : "7 planned\n"),
	    "what was kept, where that is known");
	is_int(!has(report, "\"host\": []"), steps, "spans to draw");
	is_int(has(trace, "(host time)"), steps, "a process of the trace");
	is_int(yyjson_is_null(yyjson_ptr_get(root, "/utilisation/host")),
	    !steps, "what was not measured is null");
	if (steps) {
		/* Of 136 steps of a replica an IPU has 34, two of them
		   updates. */
		is_near(report_figure(root, "ipus.0.utilisation.host"),
		    32.0 / 134, 1e-6, "one IPU at a time");
		is_near(report_figure(root, "ipus.3.host.ns.update"), 4e6, 1e3,
		    "two updates of two replicas");
		is_int(report_count_text(trace, "\"name\":\"weight update\""),
		    4 * 2 * 2 + 4 * 2, "by both clocks");
	}
	yyjson_doc_free(doc);
	free(report);
	free(summary);
	free(schedule);
	free(trace);
}

/* What the host did has a process of its own, and a picture of its calls. */
static void
test_timeline(void)
{
	char *report, *trace, *weights;

	write_profile(
	    "\"host\": {\"calls\": [{\"run_s\": 3}], \"timeline\": [{\"kind\": "
	    "\"compile\", \"from_s\": 100, \"to_s\": 101.5}, {\"kind\": "
	    "\"weights_in\", \"from_s\": 101.5, \"to_s\": 102}, {\"kind\": "
	    "\"run\", \"call\": 0, \"from_s\": 102, \"to_s\": 105}, {\"kind\": "
	    "\"iteration\", \"call\": 0, \"iteration\": 1, \"from_s\": 103, "
	    "\"to_s\": 105}, {\"kind\": \"weights_out\", \"from_s\": 200, "
	    "\"to_s\": 201}]}, ");
	report = text_of("report.html");
	trace = text_of("trace.json");
	ok(has(trace, "\"args\":{\"name\":\"host (host time)\"}"),
	    "the host's process");
	ok(!has(trace, "IPU 0 (host time)"), "no step was measured");
	weights = strstr(trace, "\"name\":\"weights to the device\"");
	ok(weights != NULL &&
		strstr(weights,
		    "\"tid\":1,\"ts\":1500000,\"dur\":500000,\"args\":{}") !=
		    NULL,
	    "microseconds since the first beginning");
	ok(has(trace,
	       "\"tid\":3,\"ts\":3000000,\"dur\":2000000,\"args\":{\"call\":1,"
	       "\"iteration\":2}"),
	    "a device iteration");
	ok(has(report, "[\"device iteration\",2,1,2,3.000000000,5.000000000]"),
	    "and on the page");
	ok(has(report, "[\"compile\",0,0,0,0.000000000,1.500000000]"),
	    "what was before it");
	ok(has(trace, "\"name\":\"weights to the host\""),
	    "which is in the trace");
	free(report);
	free(trace);
}

/* A directory that is a file. */
static void
test_refused(void)
{
	struct engine_config c = config_of();
	const struct memory_target chip = memory_target(0);
	char *text = outline_util_text(&c, "");
	char *path = xasprintf("%s/p/training/report.html", tap_directory());
	struct outline o;
	struct memory m;
	struct error e = { .text = "" };

	outline_util_read(&o, text);
	memory_init(&m, &o.config, &chip);
	is_int(outline_profile_write(&o, &m, NULL, path, &e), -1, "refused");
	ok(has(e.text, "report.html"), e.text);
	memory_release(&m);
	outline_release(&o);
	free(path);
	free(text);
}

int
main(void)
{
	char *text;

	model_tutorial(&tutorial);
	check_profile("", false, false);
	text = host_text(false);
	check_profile(text, true, false);
	free(text);
	text = host_text(true);
	check_profile(text, true, true);
	free(text);
	test_timeline();
	test_refused();
	return tap_done();
}
