/*
 * The lists of gc-info: the devices that a program may attach to now; all
 * devices of the partition with their problems; and all IPUs of the pod.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yyjson.h>

#include "applets/gc-info/gc-info_internal.h"
#include "core/base/alloc.h"
#include "core/base/formats/json.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/device.h"

/* An IPU of a partition with its condition. */
struct listed_ipu {
	struct ipu_status status;
	struct condition condition;
};

/* The listed devices of one partition. */
struct device_group {
	const struct partition *partition;
	struct condition condition;   /* of the partition */
	struct device *devices;	      /* owned, like the next two */
	struct condition *conditions; /* of the devices */
	struct listed_ipu *ipus;      /* by routing id */
	struct listing_mark *device_marks;
	struct listing_mark *ipu_marks;
	int count;    /* number of shown devices */
	int left_out; /* number of devices not shown */
	int reason;   /* first IPU that makes one of those unavailable */
	int first_id;
	bool active;
};

/* The whole list. */
struct device_groups {
	const struct pod *pod;
	struct device_group *groups; /* owned */
	int count;
};

static struct listing_mark
mark_of(const struct condition *c)
{
	return (struct listing_mark){
		.word = c->kind == CONDITION_GOOD ? NULL : c->word,
		.tone = c->tone
	};
}

/* Find the condition of each IPU and each device. */
static void
group_look(struct device_group *g, const struct registry *registry,
    const struct pod *pod, int64_t now_ns)
{
	const struct partition *p = g->partition;
	const int size = partition_size(p);
	struct listed_ipu *one;
	const struct device *d;
	int i, k;

	condition_of_partition(&g->condition, p, pod, now_ns / 1000000);
	g->ipus = xcalloc((size_t)size, sizeof(*g->ipus));
	for (i = 0; i < size; i++) {
		one = &g->ipus[i];
		status_read(&one->status, registry, pod,
		    placement_ipu(pod, &p->placement, i), now_ns, false);
		condition_of_ipu(&one->condition, &one->status, p, pod,
		    now_ns / 1000000);
	}
	g->conditions = xcalloc((size_t)g->count + 1, sizeof(*g->conditions));
	for (i = 0; i < g->count; i++) {
		d = &g->devices[i];
		condition_init(&g->conditions[i]);
		for (k = d->first; k < d->first + d->count; k++)
			condition_join(&g->conditions[i],
			    &g->ipus[k].condition);
	}
}

/* Whether a program may attach to the device now (guide 5.2): all of it is free
   and answers, and attaching clears its errors. */
static bool
is_available(const struct condition *c)
{
	return c->kind == CONDITION_GOOD ||
	    (c->kind == CONDITION_ERROR &&
		soc_error_remedy(c->soc_errors) == REMEDY_IPU_RESET);
}

static void
group_leave_out(struct device_group *g)
{
	int i, kept = 0;

	for (i = 0; i < g->count; i++) {
		if (!is_available(&g->conditions[i])) {
			if (i == kept)
				g->reason = g->devices[i].first;
			continue;
		}
		g->devices[kept] = g->devices[i];
		g->conditions[kept++] = g->conditions[i];
	}
	g->left_out = g->count - kept;
	g->count = kept;
}

static void
group_mark(struct device_group *g)
{
	const int size = partition_size(g->partition);
	int i;

	g->device_marks = xcalloc((size_t)g->count + 1,
	    sizeof(*g->device_marks));
	g->ipu_marks = xcalloc((size_t)size, sizeof(*g->ipu_marks));
	for (i = 0; i < g->count; i++)
		g->device_marks[i] = mark_of(&g->conditions[i]);
	for (i = 0; i < size; i++)
		g->ipu_marks[i] = mark_of(&g->ipus[i].condition);
}

static void
group_release(struct device_group *g)
{
	free(g->devices);
	free(g->conditions);
	free(g->ipus);
	free(g->device_marks);
	free(g->ipu_marks);
}

/* Add a partition: its devices in the environment's view, or all of them
   without groups of IPUs.  Returns the next id. */
static int
groups_add(struct device_groups *all, const struct visible_devices *v,
    const struct partition *p, bool single, int next_id)
{
	struct device_group *g = &all->groups[all->count++];

	g->partition = p;
	g->active = p == v->partition;
	g->count = device_list(p, single ? -1 : v->gcd, &g->devices);
	g->first_id = next_id;
	if (single)
		g->count = partition_size(p);
	return g->count == 0 ? next_id :
			       next_id + g->devices[g->count - 1].id + 1;
}

/* Drop the partition's IPUs outside the environment's GCD. */
static void
group_leave_gcd(struct device_group *g, int gcd)
{
	int i, kept = 0;

	for (i = 0; i < g->count; i++)
		if (g->devices[i].gcd != gcd)
			g->devices[kept++] = g->devices[i];
	g->count = kept;
}

/*
 * Collect the groups to list: the active partition; or all partitions by name,
 * without groups and with continuous ids; or, for the whole pod, the active one
 * first, so that its devices keep their usual ids.  Returns the id after the
 * last.
 */
static int
groups_collect(struct device_groups *all, const struct info_request *r,
    const struct visible_devices *v)
{
	const struct snapshot *s = &v->snapshot;
	const struct partition *p;
	int next = 0;

	all->pod = &s->pod;
	all->count = 0;
	all->groups = xcalloc((size_t)s->partition_count + 2,
	    sizeof(*all->groups));
	if (!r->all_partitions && v->partition != NULL)
		next = groups_add(all, v, v->partition, false, 0);
	if (r->action != 'a' && !r->all_partitions)
		return next;
	for (p = s->partitions; p < s->partitions + s->partition_count; p++) {
		if (!r->all_partitions && p == v->partition && v->gcd < 0)
			continue;
		next = groups_add(all, v, p, true, next);
		if (!r->all_partitions && p == v->partition)
			group_leave_gcd(&all->groups[all->count - 1], v->gcd);
	}
	return next;
}

static void
groups_release(struct device_groups *all)
{
	int i;

	for (i = 0; i < all->count; i++)
		group_release(&all->groups[i]);
	free(all->groups);
}

/* Make room for IPUs outside all partitions, in a listing of the pod. */
static void
measure_free(struct listing *l, const struct snapshot *s, int first_id)
{
	int ipu;

	for (ipu = 0; ipu < pod_ipu_count(&s->pod); ipu++)
		if (s->owner[ipu] < 0)
			listing_measure_ipu(l, ipu, first_id++);
}

static void
print_free(const struct listing *l, const struct registry *registry,
    const struct snapshot *s, int first_id)
{
	const int64_t now_ns = registry->frozen_ns;
	struct ipu_status status;
	struct condition condition;
	struct listing_mark mark;
	bool titled = false;
	int ipu;

	for (ipu = 0; ipu < pod_ipu_count(&s->pod); ipu++) {
		if (s->owner[ipu] >= 0)
			continue;
		if (!titled)
			puts("No partition:");
		titled = true;
		status_read(&status, registry, &s->pod, ipu, now_ns, false);
		condition_of_ipu(&condition, &status, NULL, &s->pod,
		    now_ns / 1000000);
		mark = mark_of(&condition);
		listing_ipu(l, stdout, ipu, first_id++, &mark);
	}
}

/* All groups share the columns' widths, so all are measured before the first
   line. */
static void
print_groups(const struct info_request *r, const struct device_groups *all,
    const struct registry *registry, const struct snapshot *s, int next_id)
{
	const bool whole = r->action == 'a';
	struct listing l;
	const struct device_group *g;
	struct listing_marks marks;
	struct listing_mark mark;

	listing_init(&l, all->pod, r->style);
	l.columns = request_columns(r);
	l.colour = terminal_has_colour(STDOUT_FILENO, r->colour);
	for (g = all->groups; g < all->groups + all->count; g++) {
		marks = (struct listing_marks){ g->device_marks, g->ipu_marks };
		listing_measure(&l, g->partition, g->devices, g->count,
		    g->first_id, &marks);
	}
	if (whole)
		measure_free(&l, s, next_id);
	listing_header(&l, stdout);
	for (g = all->groups; g < all->groups + all->count; g++) {
		marks = (struct listing_marks){ g->device_marks, g->ipu_marks };
		mark = mark_of(&g->condition);
		/* The older forms have no line for the partition, but several
		   need one. */
		if (r->style == LISTING_NEW || r->all_partitions || whole)
			listing_partition(&l, stdout, g->partition, g->active,
			    &mark);
		listing_devices(&l, stdout, g->partition, g->devices, g->count,
		    g->first_id, &marks);
	}
	if (whole)
		print_free(&l, registry, s, next_id);
}

/* Print how many devices are left out, and why, on stderr: the lines on stdout
   are the devices.  The reason is the partition's, or that of the first
   unavailable IPU; a holder's program is given by its short name. */
static void
report_left_out(const struct device_group *g, const struct registry *registry)
{
	struct holder_place here;
	char text[HOLDER_TEXT_SIZE];
	const struct listed_ipu *one = &g->ipus[g->reason];

	if (g->left_out == 0)
		return;
	fprintf(stderr,
	    "gc-info: %d of %d devices of partition %s %s not available: ",
	    g->left_out, g->left_out + g->count, g->partition->name,
	    g->left_out == 1 ? "is" : "are");
	while (is_available(&one->condition))
		one++;
	if (one->condition.kind >= CONDITION_PARTITION)
		fputs(one->condition.text, stderr);
	else if (one->condition.kind == CONDITION_BUSY) {
		holder_place_of(&here, registry);
		here.reader = (uid_t)-1;
		holder_text(&here, &one->status.holder, text);
		fprintf(stderr, "IPU %d is in use by %s", (int)(one - g->ipus),
		    text);
	} else
		fprintf(stderr, "IPU %d has %s", (int)(one - g->ipus),
		    one->condition.text);
	fputs("; --all lists them too\n", stderr);
}

/* Print the IPUs of the partition or GCD that cannot be used as they are. */
static void
report_trouble(const struct device_group *g, int gcd)
{
	const int size = partition_gcd_size(g->partition);
	const int first = gcd >= 0 ? gcd * size : 0;
	const int count = gcd >= 0 ? size : partition_size(g->partition);
	const struct condition *c, *worst = NULL;
	int i, bad = 0;

	for (i = first; i < first + count; i++) {
		c = &g->ipus[i].condition;
		if (c->kind <= CONDITION_BUSY)
			continue;
		bad++;
		if (worst == NULL || c->kind > worst->kind)
			worst = c;
	}
	if (bad > 0)
		fprintf(stderr, "gc-info: %d of %d IPUs cannot be used: %s\n",
		    bad, count, worst->text);
}

/* Add the holder, with the process id only if it is meaningful here. */
static void
json_holder(yyjson_mut_doc *doc, yyjson_mut_val *ipu,
    const struct registry *registry, const struct ipu_slot *holder)
{
	struct holder_place here;
	char command[SLOT_COMMAND_SIZE];

	if (!holder_is_known(holder))
		return;
	holder_place_of(&here, registry);
	holder_program(holder->command, command, sizeof(command));
	(void)yyjson_mut_obj_add_strcpy(doc, ipu, "user name", holder->user);
	(void)yyjson_mut_obj_add_strcpy(doc, ipu, "user executable", command);
	(void)yyjson_mut_obj_add_strcpy(doc, ipu, "user host", holder->host);
	if (holder_is_here(&here, holder))
		json_add_number_text(doc, ipu, "user process id", holder->pid);
	if (holder_claims(holder)[0] != '\0')
		(void)yyjson_mut_obj_add_str(doc, ipu, "said by client",
		    holder_claims(holder));
}

/* Add the problem, if any. */
static void
json_condition(yyjson_mut_doc *doc, yyjson_mut_val *object,
    const struct condition *c)
{
	(void)yyjson_mut_obj_add_strcpy(doc, object, "state", c->word);
	if (c->kind != CONDITION_GOOD)
		(void)yyjson_mut_obj_add_strcpy(doc, object, "reason", c->text);
}

static void
json_ipu(yyjson_mut_doc *doc, yyjson_mut_val *object,
    const struct registry *registry, const struct pod *pod, int ipu,
    const struct condition *c, const struct ipu_status *status)
{
	(void)yyjson_mut_obj_add_strcpy(doc, object, "ipu-m host",
	    pod->agents[listing_ipu_machine(ipu)].address);
	json_add_number_text(doc, object, "ipu#", listing_ipu_number(ipu));
	json_condition(doc, object, c);
	if (status->attached)
		json_holder(doc, object, registry, &status->holder);
}

/* Return the object of a device.  Each of its IPUs has two numbers: its place
   in the partition ("routing id") and its IPU# in the machine, which counts in
   reverse. */
static yyjson_mut_val *
json_device(yyjson_mut_doc *doc, const struct registry *registry,
    const struct pod *pod, const struct device_group *g, int index)
{
	const struct device *d = &g->devices[index];
	yyjson_mut_val *device = yyjson_mut_obj(doc);
	yyjson_mut_val *ipus, *ipu;
	const struct listed_ipu *one;
	int i;

	json_add_number_text(doc, device, "id", g->first_id + d->id);
	(void)yyjson_mut_obj_add_str(doc, device, "target",
	    d->count == 1 ? "Fabric" : "Multi IPU");
	(void)yyjson_mut_obj_add_strcpy(doc, device, "partition",
	    g->partition->name);
	(void)yyjson_mut_obj_add_str(doc, device, "active",
	    g->active ? "true" : "false");
	json_condition(doc, device, &g->conditions[index]);
	json_add_number_text(doc, device, "gcd id", d->gcd);
	ipus = yyjson_mut_obj_add_arr(doc, device, "ipus");
	for (i = 0; i < d->count; i++) {
		one = &g->ipus[d->first + i];
		ipu = yyjson_mut_arr_add_obj(doc, ipus);
		json_add_number_text(doc, ipu, "id",
		    g->first_id + d->first_id + i);
		json_add_number_text(doc, ipu, "routing id", d->first + i);
		json_ipu(doc, ipu, registry, pod, one->status.ipu,
		    &one->condition, &one->status);
	}
	return device;
}

/* Add an IPU outside all partitions. */
static void
json_free(yyjson_mut_doc *doc, yyjson_mut_val *devices,
    const struct registry *registry, const struct snapshot *s, int first_id)
{
	const int64_t now_ns = registry->frozen_ns;
	struct ipu_status status;
	struct condition condition;
	yyjson_mut_val *device;
	int ipu;

	for (ipu = 0; ipu < pod_ipu_count(&s->pod); ipu++) {
		if (s->owner[ipu] >= 0)
			continue;
		status_read(&status, registry, &s->pod, ipu, now_ns, false);
		condition_of_ipu(&condition, &status, NULL, &s->pod,
		    now_ns / 1000000);
		device = yyjson_mut_arr_add_obj(doc, devices);
		json_add_number_text(doc, device, "id", first_id++);
		(void)yyjson_mut_obj_add_str(doc, device, "target", "Fabric");
		json_ipu(doc, device, registry, &s->pod, ipu, &condition,
		    &status);
	}
}

static void
print_json(const struct info_request *r, const struct device_groups *all,
    const struct registry *registry, const struct snapshot *s, int next_id)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *devices;
	const struct device_group *g;
	int i;

	yyjson_mut_doc_set_root(doc, root);
	devices = yyjson_mut_obj_add_arr(doc, root, "devices");
	for (g = all->groups; g < all->groups + all->count; g++)
		for (i = 0; i < g->count; i++)
			(void)yyjson_mut_arr_append(devices,
			    json_device(doc, registry, all->pod, g, i));
	if (r->action == 'a')
		json_free(doc, devices, registry, s, next_id);
	json_print(stdout, doc);
}

/* Counts the GCD that the environment chooses, including attached IPUs.  Always
   prints one number. */
void
devices_count(const struct registry *registry, const struct visible_devices *v)
{
	struct device_group g = { .partition = v->partition };

	if (v->partition == NULL) {
		puts("0");
		return;
	}
	printf("%d\n",
	    v->gcd >= 0 ? partition_gcd_size(v->partition) :
			  partition_size(v->partition));
	group_look(&g, registry, &v->snapshot.pod, registry->frozen_ns);
	report_trouble(&g, v->gcd);
	group_release(&g);
}

/* Refuses a list without a partition, except of all IPUs of the pod. */
int
devices_list(const struct info_request *r, const struct registry *registry,
    const struct visible_devices *v, struct error *e)
{
	const bool whole = r->action == 'a';
	const int64_t now_ns = registry->frozen_ns;
	struct device_groups all;
	struct device_group *g;
	int next_id = groups_collect(&all, r, v);

	if (!whole && visible_devices_require(v, r->all_partitions, e) != 0) {
		groups_release(&all);
		return -1;
	}
	for (g = all.groups; g < all.groups + all.count; g++) {
		group_look(g, registry, all.pod, now_ns);
		if (!r->all && !r->json && !whole)
			group_leave_out(g);
		group_mark(g);
	}
	if (r->json)
		print_json(r, &all, registry, &v->snapshot, next_id);
	else
		print_groups(r, &all, registry, &v->snapshot, next_id);
	for (g = all.groups; g < all.groups + all.count; g++)
		report_left_out(g, registry);
	groups_release(&all);
	return 0;
}
