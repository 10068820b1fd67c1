/*
 * gc-reset: reset the IPUs of a device, or of all visible devices.
 *
 * It holds a device during the reset, like a program, so a device in use is
 * refused.  It never waits for a device.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "applets/applet.h"
#include "core/base/formats/json.h"
#include "core/base/options.h"
#include "core/base/parse.h"
#include "ipu/device/device.h"

enum { KEY_VERSION = OPTIONS_LONG };

static const struct option_row gc_reset_options[] = {
	{ 'd', "device-id", "N",
	    "reset device N, one IPU or a group (default: each IPU of the "
	    "partition)" },
	/* Source: the notes of a published driver, for which the SDK's tool was
	   traced: -m initialises the memory of all tiles. */
	{ 'm', NULL, NULL,
	    "clear the memory of the tiles, as every reset does" },
	{ 'j', "json-output", NULL, "print JSON" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static int gc_reset_main(int, char **);

const struct applet gc_reset_applet = {
	.name = "gc-reset",
	.purpose = "reset IPU devices",
	.synopsis = "[-d N] [-m] [-j] | version",
	.options = gc_reset_options,
	.main = gc_reset_main,
	.examples = "  gc-reset\n"
		    "  gc-reset -d 0",
};

/* A reset run, and its form of output. */
struct reset_job {
	yyjson_mut_doc *doc; /* NULL: lines */
	yyjson_mut_val *devices;
};

/* Report the result of one device as a line or an object.  Without a device:
   print a warning. */
static void
reset_report(void *context, const struct device *d, const char *reason)
{
	struct reset_job *job = context;
	yyjson_mut_val *device;

	if (d == NULL) {
		fprintf(stderr, "gc-reset: %s\n", reason);
		return;
	}
	if (job->doc == NULL) {
		printf("Resetting device %d... %s\n", d->id,
		    reason == NULL ? "done" : "failed");
		if (reason == NULL)
			return;
		(void)fflush(stdout);
		fprintf(stderr, "gc-reset: device %d: %s\n", d->id, reason);
		return;
	}
	device = yyjson_mut_arr_add_obj(job->doc, job->devices);
	json_add_number_text(job->doc, device, "id", d->id);
	(void)yyjson_mut_obj_add_str(job->doc, device, "result",
	    reason == NULL ? "passed" : "failed");
	if (reason != NULL)
		(void)yyjson_mut_obj_add_strcpy(job->doc, device, "error",
		    reason);
}

static void
reset_begin_json(struct reset_job *job)
{
	yyjson_mut_val *root;

	job->doc = yyjson_mut_doc_new(NULL);
	root = yyjson_mut_obj(job->doc);
	yyjson_mut_doc_set_root(job->doc, root);
	job->devices = yyjson_mut_obj_add_arr(job->doc, root, "devices");
}

/* Print the object, unless nothing was reset (-1). */
static void
reset_end_json(struct reset_job *job, int failed)
{
	if (failed == -1) {
		yyjson_mut_doc_free(job->doc);
		return;
	}
	(void)yyjson_mut_obj_add_str(job->doc,
	    yyjson_mut_doc_get_root(job->doc), "overall result",
	    failed == 0 ? "passed" : "failed");
	json_print(stdout, job->doc);
}

static int
open_and_reset(int id, bool json)
{
	struct reset_job job = { .doc = NULL };
	struct error error;
	int failed;

	if (json)
		reset_begin_json(&job);
	failed = device_ask_reset("gc-reset", id, reset_report, &job, &error);
	if (json)
		reset_end_json(&job, failed);
	if (failed == -1)
		return applet_failed(&gc_reset_applet, &error);
	return failed == 0 ? EXIT_DONE : EXIT_FAILED;
}

static int
gc_reset_main(int argc, char **argv)
{
	struct option_parser parser;
	struct versions versions;
	struct error error;
	const char *word;
	long long id = -1;
	bool json = false;
	int key, status;

	options_init(&parser, gc_reset_options, argc, argv, false);
	while ((key = options_next(&parser, &error)) >= 0) {
		if (key == 'h')
			return applet_help(&gc_reset_applet);
		if (key == KEY_VERSION)
			break;
		if (key == 'j')
			json = true;
		else if (key == 'd' &&
		    parse_number("--device-id", parser.argument, 0, INT_MAX,
			&id, &error) != 0)
			return applet_misuse(&gc_reset_applet, "%s",
			    error.text);
	}
	if (key == OPTIONS_ERROR)
		return applet_misuse(&gc_reset_applet, "%s", error.text);
	word = key == OPTIONS_END && parser.operand < argc ?
	    argv[parser.operand] :
	    NULL;
	if (word != NULL && strcmp(word, "version") != 0)
		return applet_misuse(&gc_reset_applet,
		    "unexpected argument '%s'", word);
	if ((status = applet_versions(&gc_reset_applet, &versions)) !=
	    EXIT_DONE)
		return status;
	if (key == KEY_VERSION || word != NULL) {
		printf("Poplar version: %s\n", versions.sdk);
		return EXIT_DONE;
	}
	return open_and_reset((int)id, json);
}
