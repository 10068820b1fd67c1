/*
 * gc-inventory: print all devices with all of their attributes.
 *
 * The ids are those of gc-info.  The registry is mapped read-only; no device is
 * attached.
 */
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "applets/applet.h"
#include "core/base/formats/json.h"
#include "core/base/options.h"
#include "ipu/device/device.h"

enum { KEY_ALL_PARTITIONS = OPTIONS_LONG, KEY_VERSION };

static const struct option_row gc_inventory_options[] = {
	{ KEY_ALL_PARTITIONS, "all-partitions", NULL,
	    "show the IPUs of every partition, without groups" },
	/* Published scripts give -2; nothing published says what it does. */
	{ '2', NULL, NULL, "print the same as without it" },
	{ 'j', "json-output", NULL, "print JSON" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static int gc_inventory_main(int, char **);

const struct applet gc_inventory_applet = {
	.name = "gc-inventory",
	.purpose = "show all IPU devices with their attributes",
	.synopsis = "[-2] [-j] [--all-partitions] | version",
	.options = gc_inventory_options,
	.main = gc_inventory_main,
	.examples = "  gc-inventory -j\n"
		    "  gc-inventory --all-partitions",
};

/* Output for all devices, read at one moment. */
struct gc_inventory {
	const struct registry *registry;
	const struct pod *pod;
	const struct versions *versions;
	int64_t now_ns;
	bool monitor;
	yyjson_mut_doc *doc; /* NULL: text */
	yyjson_mut_val *devices;
};

/*
 * Add each attribute unchanged, and the "remote buffers" of the first releases
 * for programs that still read them.
 */
static void
inventory_add_json(struct gc_inventory *inventory, const struct attributes *a)
{
	yyjson_mut_doc *doc = inventory->doc;
	yyjson_mut_val *device = yyjson_mut_arr_add_obj(doc,
	    inventory->devices);
	const char *buffers = attributes_get(a, "remote buffers supported");

	attributes_put_json(a, doc, device);
	if (buffers != NULL)
		(void)yyjson_mut_obj_add_strcpy(doc, device, "remote buffers",
		    buffers);
}

static void
inventory_device(struct gc_inventory *inventory, const struct partition *p,
    const struct device *d)
{
	struct attributes a;

	attributes_read(&a, inventory->registry, inventory->pod, p, d,
	    inventory->now_ns, inventory->monitor, inventory->versions);
	if (inventory->doc != NULL) {
		inventory_add_json(inventory, &a);
		return;
	}
	puts("Device:");
	attributes_put(&a, stdout);
}

/* Print the devices of the active partition, as its environment shows it. */
static void
inventory_active(struct gc_inventory *inventory,
    const struct visible_devices *v)
{
	struct device *devices;
	int i, n = device_list(v->partition, v->gcd, &devices);

	for (i = 0; i < n; i++)
		inventory_device(inventory, v->partition, &devices[i]);
	free(devices);
}

/* Print all devices without groups, with continuous ids as in gc-info. */
static void
inventory_all(struct gc_inventory *inventory, const struct snapshot *s)
{
	const struct partition *p = s->partitions;
	struct device *devices;
	int i, n, next = 0;

	for (; p < s->partitions + s->partition_count; p++) {
		n = device_list(p, -1, &devices);
		for (i = 0; i < n && devices[i].count == 1; i++) {
			devices[i].id = next++;
			inventory_device(inventory, p, &devices[i]);
		}
		free(devices);
	}
}

static void
inventory_show(struct gc_inventory *inventory, const struct visible_devices *v,
    bool all, bool json)
{
	yyjson_mut_val *root;

	inventory->pod = &v->snapshot.pod;
	inventory->now_ns = inventory->registry->frozen_ns;
	inventory->monitor = gcda_monitoring();
	if (json) {
		inventory->doc = yyjson_mut_doc_new(NULL);
		root = yyjson_mut_obj(inventory->doc);
		yyjson_mut_doc_set_root(inventory->doc, root);
		inventory->devices = yyjson_mut_obj_add_arr(inventory->doc,
		    root, "devices");
	}
	if (all)
		inventory_all(inventory, &v->snapshot);
	else
		inventory_active(inventory, v);
	if (json)
		json_print(stdout, inventory->doc);
}

static int
inventory_open(const struct versions *versions, bool all, bool json)
{
	struct gc_inventory inventory = { .versions = versions };
	struct device_look look;
	struct error error;
	int status;

	applet_check_gcda(&gc_inventory_applet);
	if (device_look_open(&look, all, &error) != 0)
		return applet_failed(&gc_inventory_applet, &error);
	inventory.registry = &look.registry;
	if (look.view.warning[0] != '\0')
		fprintf(stderr, "gc-inventory: %s\n", look.view.warning);
	status = visible_devices_require(&look.view, all, &error);
	if (status == 0)
		inventory_show(&inventory, &look.view, all, json);
	device_look_close(&look);
	return status == 0 ? EXIT_DONE :
			     applet_failed(&gc_inventory_applet, &error);
}

static int
gc_inventory_main(int argc, char **argv)
{
	struct option_parser parser;
	struct versions versions;
	struct error error;
	const char *word;
	bool all = false, json = false;
	int key, status;

	options_init(&parser, gc_inventory_options, argc, argv, false);
	while ((key = options_next(&parser, &error)) >= 0) {
		if (key == 'h')
			return applet_help(&gc_inventory_applet);
		if (key == KEY_VERSION)
			break;
		if (key == 'j')
			json = true;
		else if (key == KEY_ALL_PARTITIONS)
			all = true;
	}
	if (key == OPTIONS_ERROR)
		return applet_misuse(&gc_inventory_applet, "%s", error.text);
	word = key == OPTIONS_END && parser.operand < argc ?
	    argv[parser.operand] :
	    NULL;
	if (word != NULL && strcmp(word, "version") != 0)
		return applet_misuse(&gc_inventory_applet,
		    "unexpected argument '%s'", word);
	if ((status = applet_versions(&gc_inventory_applet, &versions)) !=
	    EXIT_DONE)
		return status;
	if (key == KEY_VERSION || word != NULL) {
		printf("Poplar version: %s\n", versions.sdk);
		return EXIT_DONE;
	}
	return inventory_open(&versions, all, json);
}
