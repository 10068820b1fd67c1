/*
 * gc-info: list the IPU devices of a partition and what is known of each.
 *
 * Everything here may be asked while programs run.  The registry is mapped
 * read-only; nothing is attached to.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include <yyjson.h>

#include "applets/applet.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/options.h"
#include "core/base/parse.h"
#include "core/control/controller.h"
#include "core/control/reader.h"
#include "core/pod/placement.h"
#include "core/state/paths.h"
#include "core/state/state.h"
#include "ipu/attributes.h"
#include "ipu/device.h"
#include "ipu/gcda.h"
#include "ipu/listing.h"
#include "ipu/status.h"
#include "ipu/visible_devices.h"

enum {
	KEY_ALL_PARTITIONS = OPTIONS_LONG,
	KEY_IPU_ARCH,
	KEY_IPU_COUNT,
	KEY_STYLE,
	KEY_TILE_CLOCK,
	KEY_VERSION
};

static const struct option_row gc_info_options[] = {
	{ 'l', "list-devices", NULL, "list the devices of the partition" },
	{ KEY_ALL_PARTITIONS, "all-partitions", NULL,
	    "with -l: the IPUs of every partition" },
	{ KEY_STYLE, "style", "old|new",
	    "form of the list ($IPUBOX_GC_STYLE, else the SDK's)" },
	{ 'd', "device-id", "N", "the device that is meant" },
	{ 'i', "device-info", NULL, "print the attributes of device N" },
	{ KEY_IPU_ARCH, "ipu-arch", NULL, "print the IPUs' architecture" },
	{ KEY_IPU_COUNT, "ipu-count", NULL, "print the number of IPUs" },
	{ KEY_TILE_CLOCK, "tile-clock-speed", NULL,
	    "print the clock of device N (of 0)" },
	{ 'j', "json", NULL, "with -l or -i: print JSON" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 }
};

static int gc_info_main(int, char **);

const struct applet gc_info_applet = {
	.name = "gc-info",
	.purpose = "list IPU devices and their attributes",
	.synopsis = "-l [-j] [--all-partitions] [--style old|new] | "
	    "-i -d N [-j] | --ipu-arch | --ipu-count | "
	    "--tile-clock-speed [-d N]",
	.options = gc_info_options,
	.main = gc_info_main
};

/* The command line: one action, and what it is about. */
struct info_request {
	int			action;		/* key of its option, 0: none */
	int			device_id;	/* -1: none */
	enum listing_style	style;
	bool			styled;		/* the style was said */
	struct versions		versions;
	bool			all_partitions;
	bool			json;
};

/*
 * Said with what would help: the usual reason is that no partition was made
 * yet.
 */
static int
fail_without_partition(bool all)
{
	struct error	e;

	(void)error_set(&e, "%s: `vipu create partition NAME --size N` "
	    "makes one%s", all ? "there is no partition" :
	    "no partition is active",
	    all ? "" : ", IPUOF_VIPU_API_PARTITION_ID names one");
	(void)paths_append_place(&e);
	return applet_failed(&gc_info_applet, &e);
}

/* The devices of one partition in the list. */
struct device_group {
	const struct partition	*partition;
	struct device		*devices;	/* owned */
	int			 count;
	int			 first_id;
	bool			 active;
};

/*
 * What `-l` lists: the active partition as its environment shows it, or all
 * partitions, then without groups of IPUs and with ids that count on.
 */
static int
collect_groups(const struct visible_devices *v, bool all,
    struct device_group **out)
{
	const struct snapshot	*s = &v->snapshot;
	struct device_group		*g;
	int			 i, n = all ? s->partition_count : 1, next = 0;

	if (v->partition == NULL && !all)
		n = 0;
	*out = g = xcalloc((size_t)n + 1, sizeof(*g));
	for (i = 0; i < n; i++, g++) {
		g->partition = all ? &s->partitions[i] : v->partition;
		g->active = g->partition == v->partition;
		g->count = device_list(g->partition, all ? -1 : v->gcd,
		    &g->devices);
		g->first_id = next;
		if (all) {
			g->count = partition_size(g->partition);
			next += g->count;
		}
	}
	return n;
}

static void
free_groups(struct device_group *groups, int count)
{
	int	i;

	for (i = 0; i < count; i++)
		free(groups[i].devices);
	free(groups);
}

/*
 * The columns are as wide as all groups need, so all are measured before the
 * first line.
 */
static void
print_groups(const struct info_request *r, const struct pod *pod,
    const struct device_group *groups, int count)
{
	struct listing		 listing;
	const struct device_group	*g;

	listing_init(&listing, pod, r->style);
	for (g = groups; g < groups + count; g++)
		listing_measure(&listing, g->partition, g->devices, g->count,
		    g->first_id);
	listing_header(&listing, stdout);
	for (g = groups; g < groups + count; g++) {
		/* The guide's form has no line for the partition; several
		   cannot do without. */
		if (r->style == LISTING_NEW || r->all_partitions)
			listing_partition(stdout, g->partition, g->active);
		listing_devices(&listing, stdout, g->partition, g->devices,
		    g->count, g->first_id);
	}
}

/* All values of the tools' JSON are strings. */
static void
gc_info_add_number(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
    int number)
{
	char	text[16];

	(void)snprintf(text, sizeof(text), "%d", number);
	(void)yyjson_mut_obj_add_strcpy(doc, object, key, text);
}

/*
 * An IPU has two numbers: its place in the partition ("routing id") and the
 * IPU of its machine ("ipu#"), which counts the other way round.
 */
static yyjson_mut_val *
json_device(yyjson_mut_doc *doc, const struct pod *pod,
    const struct device_group *g, const struct device *d)
{
	const struct partition	*p = g->partition;
	yyjson_mut_val		*device = yyjson_mut_obj(doc);
	yyjson_mut_val		*ipus, *ipu;
	int			 i, number;

	gc_info_add_number(doc, device, "id", g->first_id + d->id);
	(void)yyjson_mut_obj_add_str(doc, device, "target",
	    d->count == 1 ? "Fabric" : "Multi IPU");
	(void)yyjson_mut_obj_add_strcpy(doc, device, "partition", p->name);
	(void)yyjson_mut_obj_add_str(doc, device, "active",
	    g->active ? "true" : "false");
	gc_info_add_number(doc, device, "gcd id", d->gcd);
	ipus = yyjson_mut_obj_add_arr(doc, device, "ipus");
	for (i = 0; i < d->count; i++) {
		number = placement_ipu(pod, &p->placement, d->first + i);
		ipu = yyjson_mut_arr_add_obj(doc, ipus);
		gc_info_add_number(doc, ipu, "id", g->first_id + d->first_id +
		    i);
		gc_info_add_number(doc, ipu, "routing id", d->first + i);
		(void)yyjson_mut_obj_add_strcpy(doc, ipu, "ipu-m host",
		    pod->agents[listing_ipu_machine(number)].address);
		gc_info_add_number(doc, ipu, "ipu#",
		    listing_ipu_number(number));
	}
	return device;
}

static void
print_groups_json(const struct pod *pod, const struct device_group *groups,
    int count)
{
	yyjson_mut_doc		*doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val		*root = yyjson_mut_obj(doc), *devices;
	const struct device_group	*g;
	int			 i;

	yyjson_mut_doc_set_root(doc, root);
	devices = yyjson_mut_obj_add_arr(doc, root, "devices");
	for (g = groups; g < groups + count; g++)
		for (i = 0; i < g->count; i++)
			(void)yyjson_mut_arr_append(devices, json_device(doc,
			    pod, g, &g->devices[i]));
	json_print(stdout, doc);
}

/* That there is no partition is an answer of its own, with status 1. */
static int
list_devices(const struct info_request *r, const struct visible_devices *v)
{
	struct device_group	*groups;
	int		 count = collect_groups(v, r->all_partitions, &groups);

	if (count > 0 && r->json)
		print_groups_json(&v->snapshot.pod, groups, count);
	else if (count > 0)
		print_groups(r, &v->snapshot.pod, groups, count);
	free_groups(groups, count);
	return count > 0 ? EXIT_DONE :
	    fail_without_partition(r->all_partitions);
}

/* "0-4", "0-1, 3": the ids of a list that ascends. */
static void
put_ids(FILE *out, const struct device *devices, int count)
{
	int	i, first = 0;

	for (i = 0; i < count; i++) {
		if (i + 1 < count && devices[i + 1].id == devices[i].id + 1)
			continue;
		fprintf(out, "%s%d", first > 0 ? ", " : "",
		    devices[first].id);
		if (first < i)
			fprintf(out, "-%d", devices[i].id);
		first = i + 1;
	}
}

/* The device, or -1 after a message that names the ids there are. */
static int
find_device(const struct visible_devices *v, int id, struct device *out)
{
	struct device	*devices;
	int		 count;

	if (device_by_id(v->partition, v->gcd, id, out) == 0)
		return 0;
	count = device_list(v->partition, v->gcd, &devices);
	fprintf(stderr, "gc-info: no device %d: partition %s has devices ",
	    id, v->partition->name);
	put_ids(stderr, devices, count);
	fputc('\n', stderr);
	free(devices);
	return -1;
}

static void
print_attributes(const struct attributes *a)
{
	int	i;

	puts("Device Info:");
	for (i = 0; i < a->count; i++)
		printf("  %s: %s\n", a->rows[i].key, a->rows[i].value);
}

static void
print_attributes_json(const struct attributes *a)
{
	yyjson_mut_doc	*doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val	*root = yyjson_mut_obj(doc);
	int		 i;

	yyjson_mut_doc_set_root(doc, root);
	for (i = 0; i < a->count; i++)
		(void)yyjson_mut_obj_add_str(doc, root, a->rows[i].key,
		    a->rows[i].value);
	json_print(stdout, doc);
}

/* --device-info and --tile-clock-speed */
static int
show_device(const struct info_request *r, const struct registry *registry,
    const struct visible_devices *v)
{
	struct attributes	attributes;
	struct device		device;

	if (find_device(v, r->device_id >= 0 ? r->device_id : 0,
	    &device) != 0)
		return EXIT_FAILED;
	attributes_read(&attributes, registry, &v->snapshot.pod, v->partition,
	    &device, clock_real_ns(), gcda_monitoring(), &r->versions);
	if (r->action == KEY_TILE_CLOCK)
		puts(attributes_get(&attributes, "clock"));
	else if (r->json)
		print_attributes_json(&attributes);
	else
		print_attributes(&attributes);
	return EXIT_DONE;
}

/* Of the GCD, where the environment chooses one. */
static int
gc_info_count_ipus(const struct visible_devices *v)
{
	if (v->partition == NULL)
		return 0;
	return v->gcd >= 0 ? partition_gcd_size(v->partition) :
	    partition_size(v->partition);
}

/* What needs a device comes last: a count of 0 is an answer. */
static int
gc_info_run(const struct info_request *r, const struct registry *registry,
    const struct visible_devices *v)
{
	if (v->warning[0] != '\0')
		fprintf(stderr, "gc-info: %s\n", v->warning);
	if (r->action == 'l')
		return list_devices(r, v);
	if (r->action == KEY_IPU_COUNT) {
		printf("%d\n", gc_info_count_ipus(v));
		return EXIT_DONE;
	}
	if (v->partition == NULL)
		return fail_without_partition(false);
	if (r->action == KEY_IPU_ARCH) {
		puts(IPU_ARCHITECTURE);
		return EXIT_DONE;
	}
	return show_device(r, registry, v);
}

/* Readers map the registry and take one consistent copy of it. */
static int
open_and_run(const struct info_request *r)
{
	struct registry	registry;
	struct visible_devices	view;
	struct error	error;
	int		status;

	if (reader_open(&registry, &error) != 0)
		return applet_failed(&gc_info_applet, &error);
	if (visible_devices_open(&view, &registry, &error) == 0) {
		status = gc_info_run(r, &registry, &view);
		visible_devices_release(&view);
	} else
		status = applet_failed(&gc_info_applet, &error);
	registry_close(&registry);
	return status;
}

/* What the actions do not go together with; EXIT_DONE when all is well. */
static int
check_request(const struct info_request *r)
{
	const struct applet	*self = &gc_info_applet;

	if (r->action == 0)
		return applet_misuse(self, "nothing to do: -l lists the "
		    "devices, -i -d N shows one");
	if (r->action == 'i' && r->device_id < 0)
		return applet_misuse(self, "--device-info: which device? "
		    "add --device-id N");
	if (r->all_partitions && r->action != 'l')
		return applet_misuse(self, "--all-partitions goes with "
		    "--list-devices only");
	if (r->json && r->action != 'l' && r->action != 'i')
		return applet_misuse(self, "--json goes with --list-devices "
		    "and --device-info only");
	return EXIT_DONE;
}

/* One option into the request. */
static int
gc_info_take_option(struct info_request *r, int key, const char *argument,
    struct error *e)
{
	long long	number;

	switch (key) {
	case 'd':
		if (parse_number("--device-id", argument, 0, INT_MAX, &number,
		    e) != 0)
			return -1;
		r->device_id = (int)number;
		return 0;
	case KEY_ALL_PARTITIONS:
		r->all_partitions = true;
		return 0;
	case KEY_STYLE:
		r->styled = true;
		return listing_style_parse("--style", argument, &r->style, e);
	case 'j':
		r->json = true;
		return 0;
	default:
		if (r->action != 0 && r->action != key)
			return error_set(e, "one action at a time");
		r->action = key;
		return 0;
	}
}

/*
 * The variable first, so that the option wins. *key is the key that ended it:
 * help, version, or the end.
 */
static int
gc_info_parse(struct info_request *r, int argc, char **argv, int *key,
    struct error *e)
{
	struct option_parser	 parser;
	const char		*style = getenv("IPUBOX_GC_STYLE");
	int			 status = 0;

	r->styled = style != NULL && *style != '\0';
	if (r->styled && listing_style_parse("IPUBOX_GC_STYLE", style,
	    &r->style, e) != 0)
		return -1;
	options_init(&parser, gc_info_options, argc, argv, false);
	while (status == 0 && (*key = options_next(&parser, e)) >= 0) {
		if (*key == 'h' || *key == KEY_VERSION)
			break;
		status = gc_info_take_option(r, *key, parser.argument, e);
	}
	if (*key == OPTIONS_ERROR)
		status = -1;
	if (status == 0 && *key == OPTIONS_END && parser.operand < argc)
		status = error_set(e, "unexpected argument '%s'",
		    argv[parser.operand]);
	return status;
}

static int
gc_info_main(int argc, char **argv)
{
	struct info_request	request = { .device_id = -1 };
	struct error	error;
	int		key = OPTIONS_END, status;

	if (gc_info_parse(&request, argc, argv, &key, &error) != 0)
		return applet_misuse(&gc_info_applet, "%s", error.text);
	if (key == 'h')
		return applet_help(&gc_info_applet);
	if ((status = applet_versions(&gc_info_applet,
	    &request.versions)) != EXIT_DONE)
		return status;
	if (key == KEY_VERSION) {
		printf("Poplar version: %s\n", request.versions.sdk);
		return EXIT_DONE;
	}
	if (!request.styled)
		request.style = request.versions.gc_info == VERSIONS_OLD ?
		    LISTING_OLD : LISTING_NEW;
	status = check_request(&request);
	return status == EXIT_DONE ? open_and_run(&request) : status;
}
