/*
 * Partitions, requests for them and their places on the wire.
 */
#include "core/control/wire_partition.h"

#include <string.h>

#include "core/control/wire_field.h"
#include "core/pod/owner_kind.h"
#include "core/pod/placement.h"

static const struct wire_field placement_fields[] = {
	WIRE_PLACE(struct placement, ipubox_v1_Placement, cluster,
	    POD_CLUSTERS_MAX - 1),
	WIRE_NUMBER(struct placement, ipubox_v1_Placement, first_ild, 0,
	    POD_AGENTS_MAX),
	WIRE_NUMBER(struct placement, ipubox_v1_Placement, ild_count, 1,
	    POD_AGENTS_MAX),
	WIRE_NUMBER(struct placement, ipubox_v1_Placement, offset, 0,
	    ILD_IPUS_MAX),
	WIRE_NUMBER(struct placement, ipubox_v1_Placement, per_ild, 1,
	    ILD_IPUS_MAX),
	WIRE_END
};

/* All but its identity and its placement. */
static const struct wire_field partition_fields[] = {
	WIRE_NAME(struct partition, ipubox_v1_Partition, name),
	WIRE_PLACE(struct partition, ipubox_v1_Partition, allocation,
	    POD_ALLOCATIONS_MAX - 1),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, num_gcds, 1,
	    POD_IPUS_MAX),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, num_replicas, 0,
	    POD_IPUS_MAX),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, routing, 0,
	    IRT_RINGSWNC),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, gateway_routing, 0,
	    GRT_SWRING),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, sync_type, 0,
	    ST_POD_NATIVE_REPLICATED_PIPELINE),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, state, 0, PS_ERROR),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, operation, 0,
	    POS_FAILED),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, owner, 0,
	    UINT32_MAX),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, owner_kind, 0,
	    PO_IPUJOB),
	WIRE_TEXT(struct partition, ipubox_v1_Partition, owner_text),
	WIRE_BOOL(struct partition, ipubox_v1_Partition, reconfigurable),
	WIRE_BOOL(struct partition, ipubox_v1_Partition, relocatable),
	WIRE_BOOL(struct partition, ipubox_v1_Partition, no_auto_reset),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, moves, 0,
	    UINT8_MAX),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, attempts, 0,
	    INT32_MAX),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, resets, 0,
	    INT32_MAX),
	WIRE_NUMBER(struct partition, ipubox_v1_Partition, created, 0,
	    WIRE_TIME_MAX_MS / 1000),
	WIRE_TIME(struct partition, ipubox_v1_Partition, changed_ms),
	WIRE_TIME(struct partition, ipubox_v1_Partition, due_ms),
	WIRE_TIME(struct partition, ipubox_v1_Partition, reset_ms),
	WIRE_TIME(struct partition, ipubox_v1_Partition, error_ms),
	WIRE_TIME(struct partition, ipubox_v1_Partition, expires_ms),
	WIRE_TEXT(struct partition, ipubox_v1_Partition, last_error),
	WIRE_TEXT(struct partition, ipubox_v1_Partition, ipuof_directory),
	WIRE_END
};

/* What numbers and names may be, request_check() says. */
static const struct wire_field request_fields[] = {
	WIRE_TEXT(struct partition_request, ipubox_v1_PartitionRequest, name),
	WIRE_TEXT(struct partition_request, ipubox_v1_PartitionRequest,
	    cluster),
	WIRE_TEXT(struct partition_request, ipubox_v1_PartitionRequest,
	    allocation),
	WIRE_TEXT(struct partition_request, ipubox_v1_PartitionRequest,
	    first_ipu),
	WIRE_TEXT(struct partition_request, ipubox_v1_PartitionRequest,
	    ipuof_directory),
	WIRE_NUMBER(struct partition_request, ipubox_v1_PartitionRequest,
	    size, 0, INT32_MAX),
	WIRE_PLACE(struct partition_request, ipubox_v1_PartitionRequest,
	    index, POD_IPUS_MAX),
	WIRE_NUMBER(struct partition_request, ipubox_v1_PartitionRequest,
	    num_gcds, 0, INT32_MAX),
	WIRE_NUMBER(struct partition_request, ipubox_v1_PartitionRequest,
	    num_replicas, 0, INT32_MAX),
	WIRE_NUMBER(struct partition_request, ipubox_v1_PartitionRequest,
	    num_ilds, 0, INT32_MAX),
	WIRE_NUMBER(struct partition_request, ipubox_v1_PartitionRequest,
	    routing, 0, IRT_RINGSWNC),
	WIRE_NUMBER(struct partition_request, ipubox_v1_PartitionRequest,
	    gateway_routing, 0, GRT_SWRING),
	WIRE_NUMBER(struct partition_request, ipubox_v1_PartitionRequest,
	    sync_type, 0, ST_POD_NATIVE_REPLICATED_PIPELINE),
	WIRE_BOOL(struct partition_request, ipubox_v1_PartitionRequest,
	    reconfigurable),
	WIRE_BOOL(struct partition_request, ipubox_v1_PartitionRequest,
	    relocatable),
	WIRE_BOOL(struct partition_request, ipubox_v1_PartitionRequest,
	    no_auto_reset),
	WIRE_NUMBER(struct partition_request, ipubox_v1_PartitionRequest,
	    ttl_ms, 0, WIRE_TIME_MAX_MS / 2),
	WIRE_END
};

/* ---- where it lies ---- */

void
wire_partition_put_placement(const struct placement *l,
    ipubox_v1_Placement *m)
{
	wire_field_put(placement_fields, l, m);
}

int
wire_partition_get_placement(const ipubox_v1_Placement *m,
    const struct pod *pod, struct placement *l, struct error *e)
{
	if (wire_field_get(placement_fields, "placement", m, l, e) != 0)
		return -1;
	return pod != NULL ? placement_check(pod, l, e) : 0;
}

/* ---- a partition ---- */

void
wire_partition_put(const struct partition *p, ipubox_v1_Partition *m)
{
	wire_field_put(partition_fields, p, m);
	m->id = wire_field_bytes(p->id, sizeof(p->id));
	m->has_placement = true;
	wire_partition_put_placement(&p->placement, &m->placement);
}

int
wire_partition_get(const ipubox_v1_Partition *m, const struct pod *pod,
    struct partition *p, struct error *e)
{
	memset(p, 0, sizeof(*p));
	if (wire_field_get(partition_fields, "partition", m, p, e) != 0)
		return -1;
	if (wire_field_copy_bytes("its id", m->id, p->id, sizeof(p->id),
	    e) != 0 ||
	    wire_partition_get_placement(&m->placement, pod, &p->placement,
	    e) != 0)
		return error_prefix(e, "partition %s", p->name);
	if (pod != NULL && p->allocation >= pod->allocation_count)
		return error_set_code(e, ERROR_INVALID, "partition %s: in an "
		    "allocation that is not there", p->name);
	return 0;
}

/* ---- what is asked for ---- */

void
wire_partition_put_request(const struct partition_request *r,
    ipubox_v1_PartitionRequest *m)
{
	wire_field_put(request_fields, r, m);
}

int
wire_partition_get_request(const ipubox_v1_PartitionRequest *m,
    struct partition_request *r, struct error *e)
{
	request_init(r);
	return wire_field_get(request_fields, "the request", m, r, e);
}

void
wire_partition_put_wait(int64_t wait_ms, ipubox_v1_Wait *m)
{
	m->for_ever = wait_ms < 0;
	m->wait_ms = wait_ms < 0 ? 0 : wait_ms;
}

int
wire_partition_get_wait(const ipubox_v1_Wait *m, int64_t *wait_ms,
    struct error *e)
{
	if (m->wait_ms < 0 || m->wait_ms > WIRE_TIME_MAX_MS)
		return error_set_code(e, ERROR_INVALID, "wait_ms is outside "
		    "of 0 to %lld", (long long)WIRE_TIME_MAX_MS);
	*wait_ms = m->for_ever ? -1 : m->wait_ms;
	return 0;
}

void
wire_partition_put_owner(int kind, const char *text, ipubox_v1_Owner *m)
{
	m->kind = (ipubox_v1_OwnerKind)kind;
	m->text = wire_field_text(text);
}

int
wire_partition_get_owner(const ipubox_v1_Owner *m, int *kind,
    char text[OWNER_TEXT_SIZE], struct error *e)
{
	if ((unsigned)m->kind > PO_IPUJOB)
		return error_set_code(e, ERROR_INVALID, "the owner's kind is "
		    "%u, the limit is %d", (unsigned)m->kind, PO_IPUJOB);
	*kind = (int)m->kind;
	return wire_field_copy("the owner's text", m->text, text,
	    OWNER_TEXT_SIZE, e);
}
