/*
 * vipu create partition, also with --options, which lists the possible
 * placements.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/keys.h"
#include "applets/vipu/vipu_internal.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/slurm/slurm.h"
#include "core/state/state.h"

/* A free placement as --options shows it. */
struct offer {
	const struct placement *place;
	int index; /* number in its cluster */
	int routing;
};

/* All offers, and the request for them. */
struct offers {
	const struct pod *pod;
	const struct partition_request *request;
	struct offer *rows;
	int count;
	bool screen; /* as that of struct partition_range */
};

/* Return the GW-Link routing of a partition in that place. */
static const char *
offer_gateway(const struct offers *all, const struct offer *o)
{
	return partition_gateway_routing_name(routing_gateway_used(all->pod,
	    o->place, all->request->gateway_routing));
}

static void
placements_table(const void *source, struct table *t)
{
	static const char *const headers[] = { "Index", "Cluster", "ILDs",
		"GW Routing", "ILD Routing", "Size", "IPUs", NULL };
	static const struct fit_rule rules[] = { { 1, 5, 0, FIT_KEEP_START },
		{ 3, 7, 4, FIT_KEEP_END }, { 0, 0, 2, FIT_KEEP_START },
		{ 0, 0, 1, FIT_KEEP_START }, { 0, 0, 3, FIT_KEEP_START },
		{ 0, 0, 0, FIT_KEEP_START }, { 2, 30, 0, FIT_WRAP } };
	const struct offers *all = source;
	const struct offer *o;

	table_init(t, headers);
	t->rules = rules;
	for (o = all->rows; o < all->rows + all->count; o++) {
		table_add(t, "%d", o->index);
		table_add(t, "%s", all->pod->clusters[o->place->cluster].name);
		table_add(t, "%d", o->place->ild_count);
		table_add(t, "%s", offer_gateway(all, o));
		table_add(t, "%s", partition_link_routing_name(o->routing));
		table_add(t, "%d", all->request->size);
		format_table_ipus(t, all->pod, o->place, NUMBERS_LONG,
		    all->screen);
	}
}

static void
placements_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *array)
{
	const struct offers *all = source;
	const struct offer *o;
	yyjson_mut_val *v;

	for (o = all->rows; o < all->rows + all->count; o++) {
		v = yyjson_mut_arr_add_obj(doc, array);
		yyjson_mut_obj_add_int(doc, v, "index", o->index);
		yyjson_mut_obj_add_str(doc, v, "cluster_id",
		    all->pod->clusters[o->place->cluster].name);
		yyjson_mut_obj_add_int(doc, v, "size", all->request->size);
		yyjson_mut_obj_add_int(doc, v, "num_ipulink_segments",
		    o->place->ild_count);
		format_add_constant(doc, v, "gw_routing_type", "GRT_",
		    offer_gateway(all, o));
		format_add_constant(doc, v, "ipulink_routing_type", "IRT_",
		    partition_link_routing_name(o->routing));
		format_add_ipus(doc, v, o->place);
	}
}

static void
placements_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "index", "cluster_id", "size",
		"num_ipulink_segments", "gw_routing_type",
		"ipulink_routing_type", "ipus", NULL };
	const struct offers *all = source;
	const struct offer *o;

	table_init(t, headers);
	for (o = all->rows; o < all->rows + all->count; o++) {
		table_add(t, "%d", o->index);
		table_add(t, "%s", all->pod->clusters[o->place->cluster].name);
		table_add(t, "%d", all->request->size);
		table_add(t, "%d", o->place->ild_count);
		table_add(t, "GRT_%s", offer_gateway(all, o));
		table_add(t, "IRT_%s", partition_link_routing_name(o->routing));
		format_table_ipus(t, all->pod, o->place, NUMBERS_NONE, false);
	}
}

/* Number the placements within each cluster, as --index counts them. */
static void
make_placements(struct offers *all, const struct placement *places, int count)
{
	int i, gateway, index = 0, cluster = -1;

	all->rows = xcalloc((size_t)count + 1, sizeof(*all->rows));
	all->count = count;
	for (i = 0; i < count; i++) {
		index = places[i].cluster == cluster ? index + 1 : 0;
		cluster = places[i].cluster;
		all->rows[i].place = &places[i];
		all->rows[i].index = index;
		(void)routing_choose(all->pod, &places[i], all->request,
		    &all->rows[i].routing, &gateway, NULL);
	}
}

/* Print the places where the requested partition could lie now (create
   partition --options); nothing is created.  Returns the exit status. */
static int
placements_print(const struct call *call, enum output_format format,
    struct controller *c, const struct partition_request *r)
{
	static const struct output_view l = { placements_table, TABLE_SPACE,
		placements_json, placements_csv };
	struct partition_request asked = *r;
	struct offers all = { .request = &asked };
	struct table_screen screen;
	struct snapshot s;
	struct placement *places;
	struct error error;
	int count;

	/* Without a requested routing it depends on the chosen place. */
	if (request_check(&asked, &error) != 0 ||
	    (count = create_placements(c, &asked, &s, &places, &error)) == -1)
		return call_failed(call, &error);
	all.pod = &s.pod;
	make_placements(&all, places, count);
	output_screen(call, &screen);
	all.screen = screen.columns > 0;
	output_list(call, format, &l, &all);
	free(all.rows);
	free(places);
	snapshot_release(&s);
	return EXIT_DONE;
}

const struct option_row create_options[] = {
	{ KEY_SIZE, "size", "N", "reserve N IPUs, a power of 2; required" },
	{ KEY_RECONFIGURABLE, "reconfigurable", NULL,
	    "make a device of each aligned group of IPUs, not only of all "
	    "IPUs" },
	{ KEY_NUM_GCDS, "num-gcds", "N",
	    "make N graph compilation domains, one for each process (default: "
	    "1)" },
	{ KEY_NUM_GCDS, "gcds", "N", NULL },
	{ KEY_NUM_REPLICAS, "total-num-replicas", "N",
	    "make N replicas, counted over all GCDs (default: one for each "
	    "GCD)" },
	{ KEY_NUM_REPLICAS, "gcd-sync-replicas", "N", NULL },
	{ KEY_NUM_ILDS, "num-ilds", "N",
	    "use N IPU-Link domains (default: as few as possible)" },
	{ KEY_ALLOCATION, "allocation", "NAME",
	    "take IPUs of this allocation" },
	{ KEY_CLUSTER, "cluster", "NAME", "take IPUs of this cluster" },
	{ KEY_INDEX, "index", "I",
	    "use placement I of the list that --options prints; needs "
	    "--cluster" },
	{ KEY_OPTIONS, "options", NULL,
	    "list the free placements and create nothing" },
	{ KEY_ROUTING, "routing", "R",
	    "set the IPU-Link routing: dnc, swnc, btnc or ringswnc" },
	{ KEY_GATEWAY_ROUTING, "gateway-routing", "R",
	    "set the GW-Link routing: ring or swring" },
	{ KEY_GATEWAY_ROUTING, "gw-routing", "R", NULL },
	{ KEY_SYNC_TYPE, "sync-type", "T",
	    "set the sync type: c2-compatible, pod-native-default or "
	    "pod-native-replicated-pipeline (default: c2-compatible)" },
	{ KEY_RELOCATABLE, "relocatable", NULL,
	    "allow the partition to move to other IPUs, and write no IPUoF "
	    "file" },
	{ KEY_NO_AUTO_RESET, "no-auto-reset", NULL,
	    "leave the partition as it is after an error" },
	{ KEY_TTL, "ttl", "TIME",
	    "remove the partition after this time, when no program uses it: "
	    "seconds, or 15m, 2h, 7d" },
	{ KEY_IPUOF_LOCATION, "ipuof-config-location", "DIR",
	    "write the IPUoF files to this directory (default: "
	    "~/.ipuof.conf.d)" },
	{ KEY_IF_MISSING, "if-missing", NULL,
	    "do not fail if the same partition already exists" },
	{ KEY_WAIT, "wait", "[=SECONDS]",
	    "wait until the IPUs are free (default: for ever)" },
	OUTPUT_OPTIONS,
	{ 0 },
};

enum {
	WAIT_MAX_S = 366 * 24 * 3600,
	OPEN_RETRY_MS = 1000 /* between two tries to reach a server */
};

/* Take a word from a list; without the option the request keeps 0. */
static int
word_option(const struct call *call, int key, const char *name,
    int (*parse)(const char *), int *value)
{
	const char *text = call->values[key];
	struct error error;

	if (text == NULL)
		return 0;
	*value = parse(text);
	if (*value != -1)
		return 0;
	(void)suggest_refuse(name, text, values_words(key), &error);
	(void)call_misuse(call, "--%s", error.text);
	return -1;
}

/*
 * Take numbers within the bounds of any pod; the rules check them for this pod.
 */
static int
read_numbers(const struct call *call, struct partition_request *r)
{
	if (call_number(call, KEY_SIZE, 1, POD_IPUS_MAX, &r->size) != 0 ||
	    call_number(call, KEY_NUM_GCDS, 1, POD_IPUS_MAX, &r->num_gcds) !=
		0 ||
	    call_number(call, KEY_NUM_REPLICAS, 1, POD_IPUS_MAX,
		&r->num_replicas) != 0 ||
	    call_number(call, KEY_NUM_ILDS, 1, POD_IPUS_MAX, &r->num_ilds) !=
		0 ||
	    call_number(call, KEY_INDEX, 0, POD_IPUS_MAX, &r->index) != 0)
		return EXIT_USAGE;
	return EXIT_DONE;
}

/* Take the guides' words for routing and synchronisation. */
static int
read_words(const struct call *call, struct partition_request *r)
{
	if (word_option(call, KEY_ROUTING, "routing",
		partition_link_routing_parse, &r->routing) != 0 ||
	    word_option(call, KEY_GATEWAY_ROUTING, "gateway-routing",
		partition_gateway_routing_parse, &r->gateway_routing) != 0 ||
	    word_option(call, KEY_SYNC_TYPE, "sync-type",
		partition_sync_type_parse, &r->sync_type) != 0)
		return EXIT_USAGE;
	return EXIT_DONE;
}

/* Make the request from the command line. */
static int
read_request(const struct call *call, struct partition_request *r)
{
	struct error error;
	int status;

	request_init(r);
	if (call->values[KEY_SIZE] == NULL)
		return call_misuse(call, "create partition needs --size");
	if ((status = read_numbers(call, r)) != EXIT_DONE ||
	    (status = read_words(call, r)) != EXIT_DONE)
		return status;
	if (call->values[KEY_TTL] != NULL &&
	    parse_duration("--ttl", call->values[KEY_TTL], &r->ttl_ms,
		&error) != 0)
		return call_misuse(call, "%s", error.text);
	r->reconfigurable = call->values[KEY_RECONFIGURABLE] != NULL;
	r->relocatable = call->values[KEY_RELOCATABLE] != NULL;
	r->no_auto_reset = call->values[KEY_NO_AUTO_RESET] != NULL;
	if (name_parse("partition", call->name, r->name, &error) != 0)
		return call_failed(call, &error);
	if (call_name(call, KEY_CLUSTER, "cluster", r->cluster) != 0 ||
	    call_name(call, KEY_ALLOCATION, "allocation", r->allocation) != 0)
		return EXIT_FAILED;
	return EXIT_DONE;
}

/* Warn about conflicts that the original leaves to the user to find. */
static void
warn_of_others(const struct call *call, const struct partition *p)
{
	int others = ipuof_count_others(p);
	struct error text;

	/* Print the answer first, even if both streams are one. */
	(void)fflush(stdout);
	if (others == 0)
		return;
	(void)error_set(&text,
	    "warning: %s holds %d other file%s; programs ignore a directory "
	    "with several partitions (set IPUOF_VIPU_API_PARTITION_ID)",
	    p->ipuof_directory, others, others == 1 ? "" : "s");
	(void)applet_failed(call->applet, &text);
}

/* Messages during the wait go to stderr: stdout has only the answer. */
static void
create_notify(void *context, const char *text)
{
	const struct call *call = context;

	fprintf(stderr, "%s: %s\n", call->applet->name, text);
}

/* Create the partition now, or as soon as IPUs are free. */
static int
create(const struct call *call, struct controller *c,
    const struct partition_request *r, const struct wait_options *wait_options,
    struct partition *created, struct error *e)
{
	struct partition_request request = *r;
	char text[OWNER_TEXT_SIZE];
	const struct partition_owner job = { .kind = PO_SLURM, .text = text };
	const struct partition_owner *owner = NULL;
	int status = slurm_job_take(c, &request, text, e);

	if (status == -1)
		return -1;
	if (status == 1)
		owner = &job;
	status = call->values[KEY_WAIT] == NULL ?
	    create_owned_partition(c, &request, owner, created, e) :
	    queue_create(c, &request, owner, wait_options, created, e);

	/* It is created; the rest has no time limit. */
	lock_set_deadline(0);
	return status;
}

/*
 * Use an existing partition of that name if it matches the request.  *refusal
 * is the reason that no new one was created, and becomes the reason that the
 * existing one does not match.
 */
static int
take_existing(struct controller *c, const struct partition_request *asked,
    struct partition *p, struct error *refusal)
{
	struct partition_request r = *asked;
	struct snapshot s;
	struct error reason;
	int found, status = -1;

	if (refusal->code != ERROR_EXISTS || request_check(&r, NULL) != 0 ||
	    transaction_list_partitions(c, false, &s, &reason) != 0)
		return -1;
	if ((found = snapshot_find(&s, r.name)) != -1) {
		*p = s.partitions[found];
		status = request_is_met(&r, p, &reason);
		if (status != 0)
			(void)error_append(refusal, ", and %s", reason.text);
	}
	snapshot_release(&s);
	return status;
}

/*
 * With a wait, also wait for the server to answer: it may start at the same
 * time as its client.
 */
static struct controller *
open_waiting(const struct call *call, const struct wait_options *w,
    struct error *e)
{
	const int64_t end = w->wait_ms < 0 ?
	    INT64_MAX :
	    w->since_ms + w->wait_ms;
	struct controller *c;
	bool told = false;
	int64_t left;

	while ((c = call_open(call, e)) == NULL &&
	    call->values[KEY_WAIT] != NULL && e->code == ERROR_TIMED_OUT &&
	    (left = end - clock_monotonic_ms()) > 0) {
		if (!told)
			fprintf(stderr,
			    "%s: waiting for a V-IPU server at %s\n",
			    call->applet->name,
			    call->config.values[CONFIG_API_HOST]);
		told = true;
		clock_sleep_ms(left < OPEN_RETRY_MS ? left : OPEN_RETRY_MS);
	}
	return c;
}

/*
 * Read the options of the wait.  It starts before the state is opened, so the
 * limit includes the time that another program holds the state.
 */
static int
read_wait(const struct call *call, struct wait_options *wait_options)
{
	const char *text = call->values[KEY_WAIT];
	int wait_s = -1;

	wait_options->wait_ms = -1;
	wait_options->since_ms = clock_monotonic_ms();
	if (text == NULL)
		return EXIT_DONE;
	if (call->values[KEY_OPTIONS] != NULL)
		return call_misuse(call,
		    "--options lists what is free now: leave out --wait");
	if (call->values[KEY_INDEX] != NULL)
		return call_misuse(call,
		    "--index counts what is free now: leave out --index or "
		    "--wait");
	if (text[0] == '\0')
		return EXIT_DONE;
	if (call_number(call, KEY_WAIT, 0, WAIT_MAX_S, &wait_s) != 0)
		return EXIT_USAGE;
	wait_options->wait_ms = wait_s * (int64_t)1000;
	lock_set_deadline(wait_options->since_ms + wait_options->wait_ms);
	return EXIT_DONE;
}

/* The whole command line is checked before anything is opened. */
int
create_command(const struct call *call)
{
	bool options = call->values[KEY_OPTIONS] != NULL;
	struct partition_request r;
	struct partition created;
	enum output_format format;
	struct controller *c;
	struct call copy = *call;
	struct wait_options wait_options = { .notify = create_notify,
		.context = &copy };
	struct error error;
	int status;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	if (format != FORMAT_TABLE && !options)
		return call_misuse(call, "--format and --quiet need --options");
	if ((status = read_request(call, &r)) != EXIT_DONE ||
	    (status = read_wait(call, &wait_options)) != EXIT_DONE)
		return status;
	if (!options && !r.relocatable &&
	    ipuof_files_directory(call->config.values[CONFIG_IPUOF_LOCATION],
		r.ipuof_directory, sizeof(r.ipuof_directory), &error) != 0)
		return call_failed(call, &error);
	if ((c = open_waiting(call, &wait_options, &error)) == NULL)
		return call_failed(call, &error);
	if (options) {
		status = placements_print(call, format, c, &r);
	} else if (create(call, c, &r, &wait_options, &created, &error) != 0 &&
	    (call->values[KEY_IF_MISSING] == NULL ||
		take_existing(c, &r, &created, &error) != 0)) {
		status = call_failed(call, &error);
	} else {
		status = call_wait(call, c, &created);
		warn_of_others(call, &created);
	}
	call_close(call, c);
	return status;
}
