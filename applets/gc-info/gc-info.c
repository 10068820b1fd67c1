/*
 * gc-info: list the IPU devices of a partition and describe them.  Lists,
 * attributes and counts only read the registry, so they work while programs
 * run.  Actions that inspect an IPU (silicon.c) attach to its device meanwhile.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include <yyjson.h>

#include "applets/gc-info/gc-info_internal.h"
#include "core/base/formats/json.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "ipu/device/device.h"

static const struct option_row gc_info_options[] = {
	{ 'l', "list-devices", NULL,
	    "list the devices of the partition that a program may attach to "
	    "now" },
	{ KEY_ALL, "all", NULL,
	    "with -l: also list devices in use or in trouble, with a mark" },
	{ KEY_ALL_PARTITIONS, "all-partitions", NULL,
	    "with -l: list the IPUs of every partition" },
	{ 'a', "list-all-devices", NULL,
	    "list all IPUs of the pod, also those outside partitions" },
	{ KEY_STYLE, "style", "old|mid|new",
	    "choose the layout of the list (default: $IPUBOX_GC_STYLE, else "
	    "that of the SDK)" },
	{ KEY_WIDE, "wide", NULL,
	    "do not cut lines to the width of the terminal" },
	{ KEY_COLOR, "color", "WHEN",
	    "colour states: auto, always or never (default: auto)" },
	{ 'd', "device-id", "N", "choose device N" },
	{ 'i', "device-info", NULL, "print the attributes of device N" },
	/* PopART's manual of SDK 1.4 to 2.0 has "gc-info -d 0 -I". */
	{ 'I', NULL, NULL, NULL },
	{ KEY_CHIP_ID, "chip-id", NULL,
	    "print the chip id of each IPU of device N (default: 0)" },
	{ KEY_IPU_ARCH, "ipu-arch", NULL,
	    "print the architecture of the IPUs" },
	{ KEY_IPU_COUNT, "ipu-count", NULL, "print the number of IPUs" },
	{ KEY_TILE_CLOCK, "tile-clock-speed", NULL,
	    "print the clock of device N (default: 0)" },
	{ KEY_TILE_OVERVIEW, "tile-overview", NULL,
	    "print the sync state of all tiles of device N (default: 0)" },
	{ KEY_TILE_STATUS, "tile-status", "TILE",
	    "print the registers of this tile; - means all tiles" },
	{ 'c', "context", "CONTEXT",
	    "with --tile-status: print only this context: SU, W0 to W5 or 0 to "
	    "5" },
	{ 'r', "register", "REGISTER",
	    "with --tile-status: print only this register, such as PC" },
	{ KEY_DUMP_MEM, "dump-mem", "TILE",
	    "print memory of this tile; ADDRESS and LENGTH follow" },
	{ KEY_XB_STATUS, "xb-status", NULL,
	    "print the state of the exchange block and its links" },
	{ KEY_NLC_STATUS, "nlc-status", NULL,
	    "print the state of the links alone" },
	{ KEY_GSP_STATUS, "gsp-status", NULL,
	    "print the state of the global sync peripheral" },
	{ KEY_PCI_STATUS, "pci-status", NULL,
	    "print the state of the PCIe link" },
	{ 'j', "json", NULL, "with a list or -i: print JSON" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static const struct option_values gc_info_values[] = {
	{ .key = 'r', .words = TILE_REGISTER_WORDS },
	{ 0 },
};

static int gc_info_main(int, char **);

const struct applet gc_info_applet = {
	.name = "gc-info",
	.purpose = "list IPU devices and their attributes",
	.synopsis =
	    "-l [-j] [--all] [--all-partitions] [--style old|mid|new] [--wide] "
	    "[--color WHEN] | -a [-j] | -i -d N [-j] | --chip-id [-d N] | "
	    "--ipu-arch | --ipu-count | --tile-clock-speed [-d N] | "
	    "--tile-overview [-d N] | --tile-status TILE [-c CONTEXT] [-r "
	    "REGISTER] [-d N] | --dump-mem TILE ADDRESS LENGTH [-d N] | "
	    "--xb-status [-d N] | --nlc-status [-d N] | --gsp-status [-d N] | "
	    "--pci-status [-d N]",
	.options = gc_info_options,
	.values = gc_info_values,
	.main = gc_info_main,
	.examples = "  gc-info -l\n"
		    "  gc-info -i -d 0",
};

static void
print_attributes_json(const struct attributes *a)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc);

	yyjson_mut_doc_set_root(doc, root);
	attributes_put_json(a, doc, root);
	json_print(stdout, doc);
}

/* Print a chip id per line, as in IPUoF files.  The real tool's form is not
   published; PopTorch's tutorial says only that it prints "the IPU chip IDs in
   this device". */
static void
print_chips(const struct visible_devices *v, const struct device *d)
{
	const struct pod *pod = &v->snapshot.pod;
	char chip[IPUOF_CHIP_SIZE];
	int i, ipu;

	for (i = d->first; i < d->first + d->count; i++) {
		ipu = placement_ipu(pod, &v->partition->placement, i);
		ipuof_chip_id(pod, ipu, chip);
		puts(chip);
	}
}

/* Print the answer to --device-info, --chip-id or --tile-clock-speed. */
static int
show_device(const struct info_request *r, const struct registry *registry,
    const struct visible_devices *v, struct error *e)
{
	struct attributes attributes;
	struct device device;

	if (request_device(r, v, &device, e) != 0)
		return -1;
	if (r->action == KEY_CHIP_ID) {
		print_chips(v, &device);
		return 0;
	}
	attributes_read(&attributes, registry, &v->snapshot.pod, v->partition,
	    &device, registry->frozen_ns, gcda_monitoring(), &r->versions);
	if (r->action == KEY_TILE_CLOCK)
		puts(attributes_get(&attributes, "clock"));
	else if (r->json)
		print_attributes_json(&attributes);
	else {
		puts("Device Info:");
		attributes_put(&attributes, stdout);
	}
	return 0;
}

/* Run the action.  The list and the count come first, because they also have an
   answer if no device is visible. */
static int
gc_info_answer(const struct info_request *r, const struct registry *registry,
    const struct visible_devices *v, struct error *e)
{
	if (r->action == 'l' || r->action == 'a')
		return devices_list(r, registry, v, e);
	if (r->action == KEY_IPU_COUNT) {
		devices_count(registry, v);
		return 0;
	}
	if (visible_devices_require(v, false, e) != 0)
		return -1;
	switch (r->action) {
	case KEY_IPU_ARCH:
		puts(IPU_ARCHITECTURE);
		return 0;
	case 'i':
	case KEY_CHIP_ID:
	case KEY_TILE_CLOCK:
		return show_device(r, registry, v, e);
	default:
		return silicon_show(r, v, e);
	}
}

static int
gc_info_run(const struct info_request *r, const struct registry *registry,
    const struct visible_devices *v)
{
	struct error e;

	if (v->warning[0] != '\0')
		fprintf(stderr, "gc-info: %s\n", v->warning);
	ipuof_log_view(r->log, registry, v);
	return gc_info_answer(r, registry, v, &e) == 0 ?
	    EXIT_DONE :
	    applet_failed(&gc_info_applet, &e);
}

static int
open_and_run(const struct info_request *r)
{
	struct device_look look;
	struct error error;
	int status;

	applet_check_gcda(&gc_info_applet);
	if (device_look_open(&look, r->all_partitions || r->action == 'a',
		&error) != 0)
		return applet_failed(&gc_info_applet, &error);
	status = gc_info_run(r, &look.registry, &look.view);
	device_look_close(&look);
	return status;
}

/* Refuse options that do not fit the action.  Returns EXIT_DONE if all fit,
   else the exit status of misuse. */
static int
check_request(const struct info_request *r)
{
	const struct applet *self = &gc_info_applet;
	struct error e;
	const bool list = r->action == 'l' || r->action == 'a';

	if (r->action == 0)
		return applet_misuse(self,
		    "nothing to do: -l lists the devices, -i -d N shows one");
	if (r->action == 'i' && r->device_id < 0)
		return applet_misuse(self, "--device-info needs --device-id N");
	if (r->all_partitions && r->action != 'l')
		return applet_misuse(self,
		    "--all-partitions needs --list-devices");
	if (r->all && r->action != 'l')
		return applet_misuse(self, "--all needs --list-devices");
	if (r->list_option != NULL && !list)
		return applet_misuse(self,
		    "%s needs --list-devices or --list-all-devices",
		    r->list_option);
	if (r->json && !list && r->action != 'i')
		return applet_misuse(self,
		    "--json needs --list-devices, --list-all-devices or "
		    "--device-info");
	if ((r->context != NULL || r->tile_register != NULL) &&
	    r->action != KEY_TILE_STATUS)
		return applet_misuse(self, "%s needs --tile-status",
		    r->context != NULL ? "--context" : "--register");
	return silicon_check(r, &e) == 0 ?
	    EXIT_DONE :
	    applet_misuse(self, "%s", e.text);
}

/* Set the action and its argument, or NULL; refuse a second, different
   action. */
static int
take_action(struct info_request *r, int key, const char *argument,
    struct error *e)
{
	if (r->action != 0 && r->action != key)
		return error_set(e, "only one action can be chosen at a time");
	r->action = key;
	r->tile = argument;
	return 0;
}

/* Apply one option to the request. */
static int
gc_info_take_option(struct info_request *r, int key, const char *argument,
    struct error *e)
{
	long long number;

	switch (key) {
	case 'd':
		if (parse_number("--device-id", argument, 0, INT_MAX, &number,
			e) != 0)
			return -1;
		r->device_id = (int)number;
		return 0;
	case KEY_ALL:
		r->all = true;
		return 0;
	case KEY_ALL_PARTITIONS:
		r->all_partitions = true;
		return 0;
	case KEY_STYLE:
		r->list_option = "--style";
		r->styled = true;
		return listing_style_parse("--style", argument, &r->style, e);
	case KEY_COLOR:
		r->list_option = "--color";
		return terminal_colour_parse("--color", argument, &r->colour,
		    e);
	case KEY_WIDE:
		r->wide = true;
		return 0;
	case 'c':
		r->context = argument;
		return 0;
	case 'r':
		r->tile_register = argument;
		return 0;
	case 'j':
		r->json = true;
		return 0;
	default:
		return take_action(r, key == 'I' ? 'i' : key, argument, e);
	}
}

/* Take the two operands of --dump-mem; other actions have none. */
static int
take_operands(struct info_request *r, char **operands, int count,
    struct error *e)
{
	const int wanted = r->action == KEY_DUMP_MEM ? 2 : 0;

	r->operands = operands;
	if (count < wanted)
		return error_set(e,
		    "--dump-mem: ADDRESS and LENGTH are missing");
	return count == wanted ?
	    0 :
	    error_set(e, "unexpected argument '%s'", operands[wanted]);
}

/* Parse $IPUBOX_GC_STYLE, then the command line, so that --style wins.  *key is
   what ended the parsing: 'h', KEY_VERSION or OPTIONS_END. */
static int
gc_info_parse(struct info_request *r, int argc, char **argv, int *key,
    struct error *e)
{
	struct option_parser parser;
	const char *style = variable_get("IPUBOX_GC_STYLE");
	int status = 0;

	r->styled = style != NULL;
	if (r->styled &&
	    listing_style_parse("IPUBOX_GC_STYLE", style, &r->style, e) != 0)
		return -1;
	options_init(&parser, gc_info_options, argc, argv, false);
	while (status == 0 && (*key = options_next(&parser, e)) >= 0) {
		if (*key == 'h' || *key == KEY_VERSION)
			break;
		status = gc_info_take_option(r, *key, parser.argument, e);
	}
	if (*key == OPTIONS_ERROR)
		status = -1;
	return status == 0 && *key == OPTIONS_END ?
	    take_operands(r, argv + parser.operand, argc - parser.operand, e) :
	    status;
}

/* Return the layout of the list in that release of the SDK. */
static enum listing_style
style_of(const struct versions *v)
{
	switch (v->gc_info) {
	case VERSIONS_OLD:
		return LISTING_OLD;
	case VERSIONS_MID:
		return LISTING_MID;
	default:
		return LISTING_NEW;
	}
}

static int
gc_info_main(int argc, char **argv)
{
	struct info_request request = { .device_id = -1 };
	struct error error;
	int key = OPTIONS_END, status;

	if (gc_info_parse(&request, argc, argv, &key, &error) != 0)
		return applet_misuse(&gc_info_applet, "%s", error.text);
	if (key == 'h')
		return applet_help(&gc_info_applet);
	if ((status = applet_versions(&gc_info_applet, &request.versions)) !=
	    EXIT_DONE)
		return status;
	if (key == KEY_VERSION) {
		printf("Poplar version: %s\n", request.versions.sdk);
		return EXIT_DONE;
	}
	if (!request.styled)
		request.style = style_of(&request.versions);
	if ((status = check_request(&request)) != EXIT_DONE)
		return status;
	request.log = ipuof_log_level();
	return open_and_run(&request);
}
