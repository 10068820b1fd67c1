/*
 * Pods with the places of their partitions on the wire.
 */
#include "core/server/wire_inventory.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/server/rpc/rpc_message.h"
#include "core/server/wire_field.h"
#include "core/server/wire_partition.h"
#include "core/server/wire_pod.h"

static const struct wire_field seat_fields[] = {
	WIRE_NAME(struct partition, ipubox_v1_Seat, name),
	WIRE_PLACE(struct partition, ipubox_v1_Seat, allocation,
	    POD_ALLOCATIONS_MAX - 1),
	WIRE_END
};

void
wire_inventory_put(const struct inventory *v, ipubox_v1_Inventory *m)
{
	const struct partition	*p;
	ipubox_v1_Seat		*seat;
	int			 i;

	m->has_pod = true;
	wire_pod_put(v->pod, &m->pod);
	m->seats_count = (pb_size_t)v->partition_count;
	m->seats = xcalloc(m->seats_count + 1, sizeof(*m->seats));
	for (i = 0; i < v->partition_count; i++) {
		p = &v->partitions[i];
		seat = &m->seats[i];
		wire_field_put(seat_fields, p, seat);
		seat->id = wire_field_bytes(p->id, sizeof(p->id));
		seat->has_placement = true;
		wire_partition_put_placement(&p->placement, &seat->placement);
	}
}

void
wire_inventory_digest(const struct inventory *v,
    unsigned char digest[SHA512_DIGEST_LENGTH])
{
	ipubox_v1_Inventory	 m = ipubox_v1_Inventory_init_zero;
	SHA512_CTX		 sum;
	unsigned char		*bytes;
	size_t			 size;

	wire_inventory_put(v, &m);
	bytes = rpc_message_encode(ipubox_v1_Inventory_fields, &m, &size,
	    NULL);
	rpc_message_release(ipubox_v1_Inventory_fields, &m);
	SHA512Init(&sum);
	if (bytes != NULL)
		SHA512Update(&sum, bytes, size);
	SHA512Final(digest, &sum);
	free(bytes);
}

/* The partition of the seat, at its place in the wanted pod. */
static int
get_seat(const ipubox_v1_Seat *seat, const struct pod *pod,
    struct partition *p, struct error *e)
{
	struct partition	at = { .name = "" };

	if (wire_field_get(seat_fields, "seat", seat, &at, e) != 0 ||
	    wire_field_copy_bytes("the id of a seat", seat->id, at.id,
	    sizeof(at.id), e) != 0)
		return -1;
	if (strcmp(at.name, p->name) != 0 ||
	    memcmp(at.id, p->id, sizeof(p->id)) != 0)
		return error_set_code(e, ERROR_INVALID, "partition %s has no "
		    "place in the wanted pod", p->name);
	if (wire_partition_get_placement(&seat->placement, pod, &p->placement,
	    e) != 0)
		return error_prefix(e, "partition %s", p->name);
	if (at.allocation >= pod->allocation_count)
		return error_set_code(e, ERROR_INVALID, "partition %s: in an "
		    "allocation that is not there", p->name);
	p->allocation = at.allocation;
	return 0;
}

int
wire_inventory_get(const ipubox_v1_Inventory *m, struct inventory *v,
    struct error *e)
{
	const size_t		 count = (size_t)v->partition_count;
	struct partition	*moved;
	struct pod		 wanted;
	size_t			 i;
	int			 status = 0;

	if (m->seats_count != count)
		return error_set_code(e, ERROR_INVALID, "%u places for %zu "
		    "partitions", (unsigned)m->seats_count, count);
	if (wire_pod_get(&m->pod, &wanted, e) != 0)
		return -1;
	moved = xcalloc(count + 1, sizeof(*moved));
	for (i = 0; i < count && status == 0; i++) {
		moved[i] = v->partitions[i];
		status = get_seat(&m->seats[i], &wanted, &moved[i], e);
	}
	if (status == 0) {
		if (count > 0)
			memcpy(v->partitions, moved, count * sizeof(*moved));
		pod_release(v->pod);
		*v->pod = wanted;
	} else {
		pod_release(&wanted);
	}
	free(moved);
	return status;
}
