/*
 * What the tests of messages share.
 */
#include "tests/unit/wire_util.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "core/server/rpc/rpc.h"
#include "tests/unit/tap.h"

/* A message through its bytes: `to` is what a peer gets.  Both are released
   by the caller. */
void
wire_through(const pb_msgdesc_t *type, const void *from, void *to)
{
	struct error e = { .text = "" };
	unsigned char *bytes;
	size_t size;

	bytes = rpc_message_encode(type, from, &size, &e);
	if (bytes == NULL ||
	    rpc_message_decode(type, bytes, size, to, &e) != 0) {
		ok(false, e.text);
		exit(tap_done());
	}
	free(bytes);
}

/* Two clusters, the first over two ILDs, and a machine in none. */
void
wire_make_pod(struct pod *pod)
{
	struct error e;

	if (pod_file_parse(pod, "test",
		"[pod]\nname = p\n"
		"[cluster cl0]\nagents = ag[01-08]\nilds = 2\n"
		"topology = torus\ngateway = looped\naddress = 10.1.5.1\n"
		"[cluster cl1]\nagents = bg[01-02]\naddress = 10.1.6.1\n"
		"[spare]\nagents = spare\naddress = 10.1.7.1\n",
		&e) != 0) {
		ok(false, e.text);
		exit(tap_done());
	}
}

/*
 * A partition whose every byte says something: a field that the tables forget
 * comes back as 0.
 */
struct partition
wire_make_partition(const char *name, int first_ild, int ilds, int offset,
    int per_ild)
{
	struct partition p;
	const size_t hole = offsetof(struct partition, resets) +
	    sizeof(p.resets);

	memset(&p, 1, sizeof(p));
	memset((char *)&p + hole, 0,
	    offsetof(struct partition, created) - hole);
	memset(p.name, 0, sizeof(p.name));
	memcpy(p.name, name, strlen(name));
	memset(p.owner_text, 0, sizeof(p.owner_text));
	memcpy(p.owner_text, "poprun 77", 10);
	memset(p.user, 0, sizeof(p.user));
	memcpy(p.user, "ann", 3);
	memset(p.last_error, 0, sizeof(p.last_error));
	memcpy(p.last_error, "ag01 \xc3\xa9", 8);
	memset(p.ipuof_directory, 0, sizeof(p.ipuof_directory));
	memset(p.ipuof_directory, 'd', sizeof(p.ipuof_directory) - 1);
	p.id[0] = 0xff;
	p.placement = (struct placement){ 0, first_ild, ilds, offset, per_ild };
	p.allocation = 0;
	p.num_gcds = 2;
	p.num_replicas = 4;
	p.routing = IRT_RINGSWNC;
	p.gateway_routing = GRT_DEFAULT;
	p.sync_type = ST_POD_NATIVE_REPLICATED_PIPELINE;
	p.state = PS_ERROR;
	p.operation = POS_FAILED;
	p.owner_kind = PO_LEASE;
	p.owner = UINT32_MAX;
	p.moves = 255;
	p.created = 1700000000;
	p.changed_ms = 1700000000001;
	p.due_ms = 1700000000002;
	p.reset_ms = 1700000000003;
	p.error_ms = 1700000000004;
	p.expires_ms = 1700000000005;
	return p;
}

/* Put another text in place of one, which goes. */
void
wire_replace_text(char **text, const char *by)
{
	free(*text);
	*text = by != NULL ? xstrdup(by) : NULL;
}

/* Pods of the same names, machines and wires. */
bool
wire_pods_equal(const struct pod *a, const struct pod *b)
{
	return strcmp(a->name, b->name) == 0 &&
	    a->agent_count == b->agent_count &&
	    a->cluster_count == b->cluster_count &&
	    a->allocation_count == b->allocation_count &&
	    memcmp(a->agents, b->agents,
		(size_t)a->agent_count * sizeof(*a->agents)) == 0 &&
	    memcmp(a->clusters, b->clusters,
		(size_t)a->cluster_count * sizeof(*a->clusters)) == 0 &&
	    memcmp(a->allocations, b->allocations,
		(size_t)a->allocation_count * sizeof(*a->allocations)) == 0;
}

/* A snapshot of that pod with two partitions; the others' IPUs are unseen. */
void
wire_make_snapshot(struct snapshot *s)
{
	int i;

	memset(s, 0, sizeof(*s));
	wire_make_pod(&s->pod);
	s->partitions = xcalloc(2, sizeof(*s->partitions));
	s->partitions[0] = wire_make_partition("a", 0, 1, 0, 4);
	s->partitions[1] = wire_make_partition("b", 0, 2, 4, 4);
	s->partition_count = 2;
	s->owner = xcalloc((size_t)pod_ipu_count(&s->pod), sizeof(*s->owner));
	for (i = 0; i < pod_ipu_count(&s->pod); i++)
		s->owner[i] = i < 4		 ? 0 :
		    i < 8 || (i >= 20 && i < 24) ? 1 :
		    i == 9 || i >= 40		 ? OWNER_UNSEEN :
						   OWNER_FREE;
	s->sequence = 4242;
	s->damaged = 3;
	memcpy(s->damage, "p.ini:7: odd", 13);
	s->limited = true;
}
