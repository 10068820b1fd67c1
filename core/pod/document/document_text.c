/*
 * Writing a pod and its partitions as a text, without the values that a reader
 * of the text assumes: see struct field.  Read document_text() and put_pod()
 * first.
 */
#include "core/pod/document/document.h"

#include <bsd/string.h>

#include <ctype.h>

#include "core/base/alloc.h"
#include "core/base/formats/ini.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/pod/pod.h"

enum { LIST_WIDTH = 72 }; /* columns of a line's names, after "agents = " */

/* ---- lists of agents ---- */

/* Names of the agents of a list, in order. */
struct chosen {
	const char **names;
	int count;
};

/* Write "agents = ag[01-16], spare".  A long list becomes several such
   lines. */
static void
put_agents(FILE *f, const struct chosen *c)
{
	char item[AGENT_ITEM_SIZE];
	size_t used = 0, len;
	int i;

	for (i = 0; i < c->count;) {
		i += agent_list_item(c->names + i, c->count - i, item);
		len = strlen(item);
		if (used > 0 && used + len > LIST_WIDTH) {
			putc('\n', f);
			used = 0;
		}
		used += len + 2;
		fprintf(f, "%s%s", used == len + 2 ? "agents = " : ", ", item);
	}
	if (c->count > 0)
		putc('\n', f);
}

/* ---- machines ---- */

/*
 * A property of machines.  If a section gives it, that is the value of the
 * section's first machine, and the others count from there.  Otherwise each
 * machine counts from `initial`, by its number in the whole text.  A machine
 * with another value is an exception, which gets a section [agent NAME].
 */
struct field {
	const char *key;
	/* Write the value of the n-th machine after the one with `first`; -1:
	   there is none. */
	int (*count)(const char *first, int n, char *text);
	const char *initial; /* value of the first machine of the text */
};

/* Write the n-th address after `first`, as agent_list_address() counts. */
static int
count_address(const char *first, int n, char *text)
{
	return agent_list_address(first, n, text, NULL);
}

/* Write the n-th serial number after `first`; -1: beyond SERIAL_MAX. */
static int
count_serial(const char *first, int n, char *text)
{
	long long serial;

	if (parse_number("serial", first, 0, SERIAL_MAX - n, &serial, NULL) !=
	    0)
		return -1;
	(void)snprintf(text, ADDRESS_SIZE, "%lld", serial + n);
	return 0;
}

/* Write `first` itself: all machines have the same value of this property. */
static int
document_text_keep(const char *first, int n, char *text)
{
	(void)n;
	(void)strlcpy(text, first, ADDRESS_SIZE);
	return 0;
}

enum {
	FIELD_MODEL,
	FIELD_ADDRESS,
	FIELD_HOST,
	FIELD_PORT,
	FIELD_SERIAL,
	FIELD_LOT,
	FIELDS
};

static const struct field fields[FIELDS] = {
	[FIELD_MODEL] = { "model", document_text_keep, "M2000" },
	[FIELD_ADDRESS] = { "address", count_address, "10.1.5.1" },
	[FIELD_HOST] = { "host", count_address, "10.1.2.1" },
	[FIELD_PORT] = { "port", document_text_keep, "8080" },
	[FIELD_SERIAL] = { "serial", count_serial, "8203321" },
	[FIELD_LOT] = { "lot", document_text_keep, "24" },
};

/* Write a machine's property as text, at most ADDRESS_SIZE bytes. */
static void
get_field(const struct agent *a, int field, char *text)
{
	const char *texts[] = { pod_machine_words[a->model], a->address,
		a->host };
	const uint32_t numbers[] = { a->port, a->serial, a->lot };

	if (field < FIELD_PORT)
		(void)strlcpy(text, texts[field], ADDRESS_SIZE);
	else
		(void)snprintf(text, ADDRESS_SIZE, "%u",
		    numbers[field - FIELD_PORT]);
}

/* Machines in the order of the text: by cluster, then spare ones. */
struct order {
	const struct agent **agents;
	int count;
};

/* The machines of a cluster, or the spare ones, and their section. */
struct machine_group {
	int first, count;   /* a range of struct order */
	bool given[FIELDS]; /* properties that the section gives */
};

/* Return true if machine `n` of the order has the value that a reader assumes
   if the section gives the property (`given`), or does not (struct field). */
static bool
as_expected(const struct order *o, const struct machine_group *g, int field,
    bool given, int n)
{
	const struct field *f = &fields[field];
	char base[ADDRESS_SIZE], wanted[ADDRESS_SIZE];
	char is[ADDRESS_SIZE];

	get_field(o->agents[g->first], field, base);
	get_field(o->agents[n], field, is);
	if (given ? f->count(base, n - g->first, wanted) != 0 :
		    f->count(f->initial, n, wanted) != 0)
		return false;
	return strcmp(is, wanted) == 0;
}

/* Choose the properties that the section gives, so that the fewest exceptions
   are left.  `gain` is how many more machines have the assumed value if the
   section gives the property. */
static void
choose_fields(const struct order *o, struct machine_group *g)
{
	int i, n, gain;

	for (i = 0; i < FIELDS; i++) {
		gain = 0;
		for (n = g->first; n < g->first + g->count; n++)
			gain += as_expected(o, g, i, true, n) -
			    as_expected(o, g, i, false, n);
		g->given[i] = gain > 0;
	}
}

/* Write the properties that the section gives: those of its first machine. */
static void
put_fields(FILE *f, const struct order *o, const struct machine_group *g)
{
	char text[ADDRESS_SIZE];
	int i;

	for (i = 0; i < FIELDS; i++) {
		if (!g->given[i])
			continue;
		get_field(o->agents[g->first], i, text);
		ini_text_put(f, fields[i].key, text);
	}
}

static void
put_members(FILE *f, const struct order *o, struct machine_group *g,
    struct chosen *c)
{
	int i;

	for (i = 0; i < g->count; i++)
		c->names[i] = o->agents[g->first + i]->name;
	c->count = g->count;
	choose_fields(o, g);
	put_agents(f, c);
	put_fields(f, o, g);
}

/* Return true if several machines of the pod have this name.  `sorted` has the
   names of all. */
static bool
is_ambiguous(const char **sorted, int count, const char *name)
{
	int low = 0, high = count, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (strcmp(sorted[middle], name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low + 1 < count && strcmp(sorted[low + 1], name) == 0;
}

/* Write a section [agent NAME] for each machine with values that a reader would
   not assume; [agent CLUSTER:NAME] if the name is ambiguous. */
static void
put_exceptions(FILE *f, const struct order *o, const struct machine_group *g,
    const char *cluster, const char **sorted)
{
	const struct agent *a;
	char text[ADDRESS_SIZE];
	bool begun;
	int n, i;

	for (n = g->first; n < g->first + g->count; n++) {
		a = o->agents[n];
		begun = false;
		for (i = 0; i < FIELDS; i++) {
			if (as_expected(o, g, i, g->given[i], n))
				continue;
			if (!begun && is_ambiguous(sorted, o->count, a->name))
				fprintf(f, "\n[agent %s:%s]\n", cluster,
				    a->name);
			else if (!begun)
				fprintf(f, "\n[agent %s]\n", a->name);
			begun = true;
			get_field(a, i, text);
			ini_text_put(f, fields[i].key, text);
		}
	}
}

/* ---- sections ---- */

static void
document_text_put_cluster(FILE *f, const struct pod *pod, int index,
    const struct order *o, struct machine_group *g, struct chosen *names)
{
	const struct cluster *c = &pod->clusters[index];

	fprintf(f, "\n[cluster %s]\n", c->name);
	put_members(f, o, g, names);
	if (c->ild_count > 1)
		fprintf(f, "ilds = %d\n", c->ild_count);
	fprintf(f, "topology = %s\n", pod_topology_words[c->topology]);
	if (c->gateway != GATEWAY_NONE)
		fprintf(f, "gateway = %s\n", pod_gateway_words[c->gateway]);
}

static void
document_text_put_allocation(FILE *f, const struct pod *pod, int index,
    struct chosen *names)
{
	const struct allocation *a = &pod->allocations[index];
	int i;

	fprintf(f, "\n[allocation %s]\ncluster = %s\n", a->name,
	    pod->clusters[a->cluster].name);
	names->count = 0;
	for (i = 0; i < pod->agent_count; i++)
		if (pod->agents[i].allocation == index)
			names->names[names->count++] = pod->agents[i].name;
	put_agents(f, names);
}

/* Write the word in lower case, as all words of the text.  The wire's are upper
   case. */
static void
put_lower(FILE *f, const char *key, const char *word)
{
	fprintf(f, "%s = ", key);
	for (; *word != '\0'; word++)
		putc(tolower((unsigned char)*word), f);
	putc('\n', f);
}

static void
put_partition(FILE *f, const struct pod *pod, const struct partition *p)
{
	char first[NAME_SIZE + 16];

	pod_ipu_name(pod, placement_ipu(pod, &p->placement, 0), first,
	    sizeof(first));
	fprintf(f, "\n[partition %s]\nsize = %d\n", p->name, partition_size(p));
	if (p->num_gcds != 1)
		fprintf(f, "gcds = %d\n", p->num_gcds);
	if (p->num_replicas != p->num_gcds)
		fprintf(f, "replicas = %d\n", p->num_replicas);
	if (p->placement.ild_count > 1)
		fprintf(f, "ilds = %d\n", p->placement.ild_count);
	fprintf(f, "cluster = %s\n", pod->clusters[p->placement.cluster].name);
	if (p->allocation != -1)
		fprintf(f, "allocation = %s\n",
		    pod->allocations[p->allocation].name);
	fprintf(f, "first-ipu = %s\n", first);
	put_lower(f, "routing", partition_link_routing_name(p->routing));
	if (p->gateway_routing > GRT_DEFAULT)
		put_lower(f, "gateway-routing",
		    partition_gateway_routing_name(p->gateway_routing));
	if (p->sync_type != ST_GS2_DEFAULT)
		put_lower(f, "sync-type",
		    partition_sync_type_name(p->sync_type));
	if (p->reconfigurable)
		fprintf(f, "reconfigurable = yes\n");
	if (p->relocatable)
		fprintf(f, "relocatable = yes\n");
	if (p->no_auto_reset)
		fprintf(f, "auto-reset = no\n");
}

/* Order the machines by cluster, spare ones last. */
static void
find_order(const struct pod *pod, struct order *o, struct machine_group *groups)
{
	const struct cluster *c = pod->clusters;
	struct machine_group *g = groups;
	int i;

	o->agents = xcalloc((size_t)pod->agent_count + 1, sizeof(*o->agents));
	o->count = 0;
	for (; g < groups + pod->cluster_count; g++, c++) {
		g->first = o->count;
		g->count = c->agent_count;
		for (i = 0; i < c->agent_count; i++)
			o->agents[o->count++] =
			    &pod->agents[c->first_agent + i];
	}
	g->first = o->count;
	for (i = 0; i < pod->agent_count; i++)
		if (pod->agents[i].cluster == -1)
			o->agents[o->count++] = &pod->agents[i];
	g->count = o->count - g->first;
}

static void
put_pod(FILE *f, const struct pod *pod)
{
	struct chosen names;
	struct machine_group *groups;
	struct order o;
	int i, n = pod->cluster_count;

	names.names = xcalloc((size_t)pod->agent_count + 1,
	    sizeof(*names.names));
	groups = xcalloc((size_t)n + 1, sizeof(*groups));
	find_order(pod, &o, groups);
	fprintf(f, "[pod]\nname = %s\n", pod->name);
	if (pod->allocation_count == 0)
		fprintf(f, "allocations = none\n");
	for (i = 0; i < n; i++)
		document_text_put_cluster(f, pod, i, &o, &groups[i], &names);
	if (groups[n].count > 0) {
		fprintf(f, "\n[spare]\n");
		put_members(f, &o, &groups[n], &names);
	}
	for (i = 0; i < pod->allocation_count; i++)
		document_text_put_allocation(f, pod, i, &names);
	for (i = 0; i < o.count; i++)
		names.names[i] = o.agents[i]->name;
	qsort(names.names, (size_t)o.count, sizeof(*names.names), text_compare);
	for (i = 0; i <= n; i++)
		put_exceptions(f, &o, &groups[i],
		    i < n ? pod->clusters[i].name : "", names.names);
	free(groups);
	free(names.names);
	free(o.agents);
}

char *
document_text(const struct pod *pod, const struct partition *partitions,
    int partition_count)
{
	struct memstream m;
	FILE *f = memstream_open(&m);
	int i;

	put_pod(f, pod);
	for (i = 0; i < partition_count; i++)
		put_partition(f, pod, &partitions[i]);
	return memstream_close(&m, NULL);
}
