/*
 * vipu list partitions, vipu get partition.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/vipu.h"
#include "core/base/alloc.h"
#include "core/base/table.h"
#include "core/control/controller.h"
#include "core/control/ipuof.h"
#include "core/pod/sync.h"

const struct option_row list_options[] = {
	{ KEY_STYLE, "style", "STYLE", "new (default), or old: as V-IPU up "
	    "to 1.16, without allocations" },
	{ 0 }
};

const struct option_row get_options[] = {
	{ KEY_IPUOF_CONFIGS, "ipuof-configs", NULL, "print the IPUoF "
	    "configuration as JSON, below a line that names it" },
	{ KEY_GCD, "gcd", "G", "with --ipuof-configs: that GCD's alone, and "
	    "nothing but JSON" },
	{ 0 }
};

/* All partitions now.  A damaged one is told of, the others are shown. */
static int
read_partitions(const struct call *call, struct snapshot *s)
{
	struct controller	*c;
	struct error		 error;
	int			 status;

	if ((c = controller_open_local(&error)) == NULL)
		return call_failed(call, &error);
	status = controller_list(c, s, &error);
	controller_close(c);
	if (status != 0)
		return call_failed(call, &error);
	if (s->damaged > 0)
		fprintf(stderr, "%s: warning: a partition is not shown: %s\n",
		    call->applet->name, s->damage);
	return EXIT_DONE;
}

static const char *
allocation_name(const struct pod *pod, int allocation)
{
	return allocation >= 0 ? pod->allocations[allocation].name : "";
}

static void
add_partition(struct table *t, const struct pod *pod,
    const struct partition *p, bool old)
{
	const char	*cluster = pod->clusters[p->placement.cluster].name;

	if (old) {
		table_add(t, "%s", p->name);
		table_add(t, "%s", cluster);
	} else {
		table_add(t, "%s", cluster);
		table_add(t, "%s", allocation_name(pod, p->allocation));
		table_add(t, "%s", p->name);
	}
	table_add(t, "%d", p->placement.ild_count);
	table_add(t, "%s", gateway_routing_name(p->gateway_routing));
	table_add(t, "%s", link_routing_name(p->routing));
	table_add(t, "%d", partition_size(p));
	table_add(t, "%d", p->num_gcds);
	table_add(t, "%s", partition_state_name(p->state));
}

int
list_partitions(const struct call *call)
{
	static const char *const new_headers[] = {
		"Cluster", "Allocation", "Partition", "ILDs", "GW Routing",
		"ILD Routing", "Size", "GCDs", "State", NULL
	};
	/* Without the first two, in another order. */
	static const char *const old_headers[] = {
		"Partition", "Cluster", "ILDs", "GW Routing", "ILD Routing",
		"Size", "GCDs", "State", NULL
	};
	const char	*style = call->values[KEY_STYLE];
	bool		 old = style != NULL && strcmp(style, "old") == 0;
	struct snapshot	 s;
	struct table	 t;
	int		 status, i;

	if (style != NULL && !old && strcmp(style, "new") != 0)
		return call_misuse(call, "--style '%s': must be new or old",
		    style);
	if ((status = read_partitions(call, &s)) != EXIT_DONE)
		return status;
	table_init(&t, old ? old_headers : new_headers);
	for (i = 0; i < s.partition_count; i++)
		add_partition(&t, &s.pod, &s.partitions[i], old);
	table_print(stdout, &t, old ? TABLE_BLANK : 0);
	table_release(&t);
	snapshot_release(&s);
	return EXIT_DONE;
}

/* "0=ag06:0 1=ag06:1"; over several ILDs "0.0=ag01:0 ... 1.4=ag17:0". */
static void
add_ipus(struct table *t, const struct pod *pod, const struct partition *p)
{
	const struct placement	*place = &p->placement;
	char			 name[NAME_SIZE + 16];
	char			*text = NULL;
	size_t			 size;
	FILE			*f = open_memstream(&text, &size);
	int			 i;

	for (i = 0; f != NULL && i < partition_size(p); i++) {
		ipu_name(pod, placement_ipu(pod, place, i), name,
		    sizeof(name));
		fprintf(f, "%s", i > 0 ? " " : "");
		if (place->ild_count > 1)
			fprintf(f, "%d.", i / place->per_ild);
		fprintf(f, "%d=%s", i, name);
	}
	if (f != NULL)
		(void)fclose(f);
	table_add(t, "%s", text != NULL ? text : "");
	free(text);
}

static void
print_partition(const struct pod *pod, const struct partition *p)
{
	struct table	t;
	char		gs1[32];

	sync_gs1_text(p, gs1, sizeof(gs1));
	table_init(&t, NULL);
#define ROW(key, format, value)						\
	table_add(&t, "%s", (key)), table_add(&t, format, (value))
	ROW("Partition ID", "%s", p->name);
	ROW("Cluster", "%s", pod->clusters[p->placement.cluster].name);
	ROW("GW-Link Routing", "%s", gateway_routing_name(p->gateway_routing));
	ROW("IPU-Link Routing", "%s", link_routing_name(p->routing));
	ROW("Number of ILDs", "%d", p->placement.ild_count);
	ROW("Number of IPUs", "%d", partition_size(p));
	ROW("Number of GCDs", "%d", p->num_gcds);
	ROW("Reconfigurable", "%s", p->reconfigurable ? "true" : "false");
	ROW("State", "%s", partition_state_name(p->state));
	ROW("Provisioning State", "%s", operation_state_name(p->operation));
	ROW("Intra-GCD Sync (GS1)", "%s", gs1);
	ROW("Inter-GCD Sync (GS2)", "%s", sync_gs2_text(p));
	ROW("Last Error", "%s", p->last_error);
#undef ROW
	table_add(&t, "IPUs");
	add_ipus(&t, pod, p);
	table_print(stdout, &t, TABLE_TOP_RULE);
	table_release(&t);
}

/*
 * The original prints one line above the JSON unless a GCD is named, and its
 * users cut it off with `tail -n +2`.
 */
static int
print_ipuof(const struct call *call, const struct pod *pod,
    const struct partition *p, int gcd)
{
	struct error	 error;
	char		*text;

	if (gcd >= p->num_gcds) {
		(void)error_set(&error, "gcd %d: the partition has %d GCD%s, "
		    "counted from 0", gcd, p->num_gcds,
		    p->num_gcds == 1 ? "" : "s");
		return call_failed(call, &error);
	}
	text = ipuof_text(pod, p, gcd);
	if (gcd == -1)
		printf("IPUoF configuration of partition %s:\n", p->name);
	fputs(text, stdout);
	free(text);
	return EXIT_DONE;
}

int
get_partition(const struct call *call)
{
	bool		ipuof = call->values[KEY_IPUOF_CONFIGS] != NULL;
	struct snapshot	s;
	struct error	error;
	int		status, found, gcd = -1;

	if (call_number(call, KEY_GCD, 0, POD_IPUS_MAX - 1, &gcd) != 0)
		return EXIT_USAGE;
	if (gcd != -1 && !ipuof)
		return call_misuse(call, "--gcd needs --ipuof-configs");
	if ((status = read_partitions(call, &s)) != EXIT_DONE)
		return status;
	found = snapshot_find(&s, call->name);
	if (found == -1) {
		(void)error_set(&error, "there is no partition of that name; "
		    "%s list partitions shows those there are",
		    call->applet->name);
		status = call_failed(call, &error);
	} else if (ipuof) {
		status = print_ipuof(call, &s.pod, &s.partitions[found], gcd);
	} else {
		print_partition(&s.pod, &s.partitions[found]);
	}
	snapshot_release(&s);
	return status;
}
