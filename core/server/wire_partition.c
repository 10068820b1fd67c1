/*
 * Partitions, requests for them and their places on the wire.
 */
#include "core/server/wire.h"

#include <string.h>

#include "core/pod/pod.h"
#include "core/server/wire_field.h"

#define PLACEMENT(row, ...) \
	row(struct placement, ipubox_v1_Placement, __VA_ARGS__)
#define PARTITION(row, ...) \
	row(struct partition, ipubox_v1_Partition, __VA_ARGS__)
#define REQUEST(row, ...) \
	row(struct partition_request, ipubox_v1_PartitionRequest, __VA_ARGS__)
#define TICKET(row, ...) row(struct ticket, ipubox_v1_Waiting, __VA_ARGS__)

static const struct wire_field placement_fields[] = {
	PLACEMENT(WIRE_PLACE, cluster, POD_CLUSTERS_MAX - 1),
	PLACEMENT(WIRE_NUMBER, first_ild, 0, POD_AGENTS_MAX),
	PLACEMENT(WIRE_NUMBER, ild_count, 1, POD_AGENTS_MAX),
	PLACEMENT(WIRE_NUMBER, offset, 0, ILD_IPUS_MAX),
	PLACEMENT(WIRE_NUMBER, per_ild, 1, ILD_IPUS_MAX),
	WIRE_END,
};

/* All fields except identity and placement. */
static const struct wire_field partition_fields[] = {
	PARTITION(WIRE_NAME, name),
	PARTITION(WIRE_PLACE, allocation, POD_ALLOCATIONS_MAX - 1),
	PARTITION(WIRE_NUMBER, num_gcds, 1, POD_IPUS_MAX),
	PARTITION(WIRE_NUMBER, num_replicas, 0, POD_IPUS_MAX),
	PARTITION(WIRE_NUMBER, routing, 0, IRT_RINGSWNC),
	PARTITION(WIRE_NUMBER, gateway_routing, 0, GRT_SWRING),
	PARTITION(WIRE_NUMBER, sync_type, 0, ST_POD_NATIVE_REPLICATED_PIPELINE),
	PARTITION(WIRE_NUMBER, state, 0, PS_ERROR),
	PARTITION(WIRE_NUMBER, operation, 0, POS_FAILED),
	PARTITION(WIRE_NUMBER, owner, 0, UINT32_MAX),
	PARTITION(WIRE_NUMBER, owner_kind, 0, PO_IPUJOB),
	PARTITION(WIRE_TEXT, owner_text),
	PARTITION(WIRE_BOOL, reconfigurable),
	PARTITION(WIRE_BOOL, relocatable),
	PARTITION(WIRE_BOOL, no_auto_reset),
	PARTITION(WIRE_NUMBER, moves, 0, UINT8_MAX),
	PARTITION(WIRE_NUMBER, attempts, 0, INT32_MAX),
	PARTITION(WIRE_NUMBER, resets, 0, INT32_MAX),
	PARTITION(WIRE_NUMBER, created, 0, WIRE_TIME_MAX_MS / 1000),
	PARTITION(WIRE_TIME, changed_ms),
	PARTITION(WIRE_TIME, due_ms),
	PARTITION(WIRE_TIME, reset_ms),
	PARTITION(WIRE_TIME, error_ms),
	PARTITION(WIRE_TIME, expires_ms),
	PARTITION(WIRE_TEXT, last_error),
	PARTITION(WIRE_TEXT, ipuof_directory),
	PARTITION(WIRE_TEXT, user),
	WIRE_END,
};

/* request_check() checks the values. */
static const struct wire_field request_fields[] = {
	REQUEST(WIRE_TEXT, name),
	REQUEST(WIRE_TEXT, cluster),
	REQUEST(WIRE_TEXT, allocation),
	REQUEST(WIRE_TEXT, first_ipu),
	REQUEST(WIRE_TEXT, ipuof_directory),
	REQUEST(WIRE_NUMBER, size, 0, INT32_MAX),
	REQUEST(WIRE_PLACE, index, POD_IPUS_MAX),
	REQUEST(WIRE_NUMBER, num_gcds, 0, INT32_MAX),
	REQUEST(WIRE_NUMBER, num_replicas, 0, INT32_MAX),
	REQUEST(WIRE_NUMBER, num_ilds, 0, INT32_MAX),
	REQUEST(WIRE_NUMBER, routing, 0, IRT_RINGSWNC),
	REQUEST(WIRE_NUMBER, gateway_routing, 0, GRT_SWRING),
	REQUEST(WIRE_NUMBER, sync_type, 0, ST_POD_NATIVE_REPLICATED_PIPELINE),
	REQUEST(WIRE_BOOL, reconfigurable),
	REQUEST(WIRE_BOOL, relocatable),
	REQUEST(WIRE_BOOL, no_auto_reset),
	REQUEST(WIRE_NUMBER, ttl_ms, 0, WIRE_TIME_MAX_MS / 2),
	WIRE_END,
};

/* ---- place ---- */

void
wire_partition_put_placement(const struct placement *l, ipubox_v1_Placement *m)
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
	if (wire_field_copy_bytes("its id", m->id, p->id, sizeof(p->id), e) !=
		0 ||
	    wire_partition_get_placement(&m->placement, pod, &p->placement,
		e) != 0)
		return error_prefix(e, "partition %s", p->name);
	if (pod != NULL && p->allocation >= pod->allocation_count)
		return error_set_code(e, ERROR_INVALID,
		    "partition %s: is in an allocation that does not exist",
		    p->name);
	return 0;
}

/* ---- request ---- */

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
		return error_set_code(e, ERROR_INVALID,
		    "wait_ms must be a number from 0 to %lld",
		    (long long)WIRE_TIME_MAX_MS);
	*wait_ms = m->for_ever ? -1 : m->wait_ms;
	return 0;
}

static const struct wire_field ticket_fields[] = {
	TICKET(WIRE_NUMBER, number, 0, INT32_MAX),
	TICKET(WIRE_NUMBER, size, 0, POD_IPUS_MAX),
	TICKET(WIRE_TEXT, partition),
	TICKET(WIRE_TEXT, cluster),
	TICKET(WIRE_TEXT, allocation),
	TICKET(WIRE_TEXT, user),
	WIRE_END,
};

void
wire_partition_put_ticket(const struct ticket *t, ipubox_v1_Waiting *m)
{
	wire_field_put(ticket_fields, t, m);
}

int
wire_partition_get_ticket(const ipubox_v1_Waiting *m, struct ticket *t,
    struct error *e)
{
	memset(t, 0, sizeof(*t));
	t->fd = -1;
	t->live = true;
	return wire_field_get(ticket_fields, "a waiter", m, t, e);
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
		return error_set_code(e, ERROR_INVALID,
		    "the owner's kind is %u, the limit is %d",
		    (unsigned)m->kind, PO_IPUJOB);
	*kind = (int)m->kind;
	return wire_field_copy("the owner's text", m->text, text,
	    OWNER_TEXT_SIZE, e);
}
