/*
 * The lines of --xb-status, --nlc-status, --gsp-status and --pci-status.  All
 * begin with CIUERRVR, the register of the SoC's errors: bit n is error number
 * n (core/pod/pod.h).  The layout is our own.
 */
#include "ipu/device/tile_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/pod/pod.h"
#include "ipu/device/device.h"
#include "ipu/device/listing.h"

enum { NAME_TEXT = NAME_SIZE + 16 };

static void
put_errors(const struct soc_view *v, FILE *out)
{
	const uint32_t errors = v->slot->soc_error;
	char text[SOC_TEXT_SIZE];

	soc_error_text(errors, "", text, sizeof(text));
	fprintf(out, "  CIUERRVR: 0x%08" PRIx32 "\n", errors);
	fprintf(out, "  errors: %s\n", errors != 0 ? text : "none");
}

static const char *
up_or_down(const struct soc_view *v, int machine)
{
	return machine == WIRING_SWITCH ||
		pod_machine_is_up(&v->pod->agents[machine], v->now_ms) ?
	    "up" :
	    "down";
}

/* Print the links, if the machine is in a cluster.  Links of a pair are
   adjacent and share a line.  A gateway link belongs to the machine and is
   shown from either end. */
static void
put_links(const struct soc_view *v, FILE *out)
{
	const int machine = listing_ipu_machine(v->ipu);
	struct wiring_link *links, *l;
	char name[NAME_TEXT];
	int count, i, n, other;

	if (v->pod->agents[machine].cluster < 0)
		return;
	count = wiring_links(v->pod, v->pod->agents[machine].cluster, &links);
	for (i = 0; i < count; i += n) {
		l = &links[i];
		for (n = 1; i + n < count && l[n].kind == l->kind &&
		     l[n].from == l->from && l[n].to == l->to;
		     n++)
			;
		if ((l->kind == LINK_INSIDE || l->kind == LINK_BETWEEN) &&
		    (l->from == v->ipu || l->to == v->ipu)) {
			other = l->from == v->ipu ? l->to : l->from;
			pod_ipu_name(v->pod, other, name, sizeof(name));
			fprintf(out, "  IPU-Links to %s: %d %s\n", name, n,
			    up_or_down(v, listing_ipu_machine(other)));
		} else if (l->kind == LINK_GATEWAY &&
		    (l->from == machine || l->to == machine)) {
			other = l->from == machine ? l->to : l->from;
			fprintf(out, "  GW-Links to %s: %d %s\n",
			    other == WIRING_SWITCH ? "the switch" :
						     v->pod->agents[other].name,
			    n, up_or_down(v, other));
		}
	}
	free(links);
}

void
soc_status_exchange(const struct soc_view *v, FILE *out)
{
	put_errors(v, out);
	fprintf(out, "  exchange bytes: %" PRIu64 "\n",
	    v->slot->exchange_bytes);
	put_links(v, out);
}

void
soc_status_links(const struct soc_view *v, FILE *out)
{
	put_errors(v, out);
	put_links(v, out);
}

void
soc_status_sync(const struct soc_view *v, FILE *out)
{
	const struct partition *p = v->partition;
	const int group = sync_gs1_group(p, v->routing_id);
	const int size = partition_size(p) / p->num_replicas;

	put_errors(v, out);
	fprintf(out, "  tiles: %s\n",
	    tile_state_of(v->slot) == TILE_IN_SYNC ?
		"waiting in a sync for a program that has ended" :
		"at rest");
	fprintf(out, "  partition sync type: %s\n",
	    partition_sync_type_name(p->sync_type));
	fprintf(out, "  GS1 group: %d\n", group);
	fprintf(out, "  GS1 IPUs: %d-%d\n", group * size,
	    (group + 1) * size - 1);
	fprintf(out, "  GS2: %s\n", sync_gs2_text(p));
	fprintf(out, "  GCD: %d of %d\n", v->routing_id / partition_gcd_size(p),
	    p->num_gcds);
}

void
soc_status_pci(const struct soc_view *v, FILE *out)
{
	put_errors(v, out);
	fprintf(out, "  pci id: %d\n", listing_ipu_number(v->ipu));
	fprintf(out, "  IPU-M host: %s\n",
	    v->pod->agents[listing_ipu_machine(v->ipu)].address);
	fprintf(out, "  link speed: %s\n", attributes_link_speed(v->versions));
	fprintf(out, "  link width: %s\n", ATTRIBUTES_LINK_WIDTH);
	fprintf(out, "  correctable errors: 0\n");
	fprintf(out, "  host bytes: %" PRIu64 "\n", v->slot->host_bytes);
}
