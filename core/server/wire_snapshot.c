/*
 * Snapshots on the wire.  The owner of an IPU follows from the partitions'
 * places; only IPUs that the caller may not see are sent separately.
 */
#include "core/server/wire.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"
#include "core/server/wire_field.h"

static const struct wire_field snapshot_fields[] = {
	WIRE_NUMBER(struct snapshot, ipubox_v1_Snapshot, sequence, 0,
	    UINT32_MAX),
	WIRE_NUMBER(struct snapshot, ipubox_v1_Snapshot, damaged, 0, INT32_MAX),
	WIRE_TEXT(struct snapshot, ipubox_v1_Snapshot, damage),
	WIRE_BOOL(struct snapshot, ipubox_v1_Snapshot, limited),
	WIRE_END,
};

/* The attached program. */
static const struct wire_field holder_fields[] = {
	WIRE_NUMBER(struct ipu_slot, ipubox_v1_Holder, pid, 0, INT32_MAX),
	WIRE_NUMBER(struct ipu_slot, ipubox_v1_Holder, uid, 0, UINT32_MAX),
	WIRE_NUMBER(struct ipu_slot, ipubox_v1_Holder, gcd, 0, POD_IPUS_MAX),
	WIRE_NUMBER(struct ipu_slot, ipubox_v1_Holder, attached_ns, 0,
	    INT64_MAX),
	WIRE_TEXT(struct ipu_slot, ipubox_v1_Holder, user),
	WIRE_TEXT(struct ipu_slot, ipubox_v1_Holder, host),
	WIRE_TEXT(struct ipu_slot, ipubox_v1_Holder, command),
	WIRE_NUMBER(struct ipu_slot, ipubox_v1_Holder, flags, 0, INT64_MAX),
	WIRE_END,
};

/* ---- sending ---- */

/* Count the adjacent IPUs from `ipu` on that have an unseen owner. */
static int
count_unseen(const struct snapshot *s, int ipu, int ipus)
{
	int end = ipu;

	while (end < ipus && s->owner[end] == OWNER_UNSEEN)
		end++;
	return end - ipu;
}

static void
put_unseen(const struct snapshot *s, ipubox_v1_Snapshot *m)
{
	const int ipus = pod_ipu_count(&s->pod);
	int ipu, count, n = 0;

	for (ipu = 0; ipu<ipus; ipu += count> 0 ? count : 1)
		n += (count = count_unseen(s, ipu, ipus)) > 0;
	m->unseen_count = (pb_size_t)n;
	m->unseen = xcalloc((size_t)n + 1, sizeof(*m->unseen));
	n = 0;
	for (ipu = 0; ipu<ipus; ipu += count> 0 ? count : 1) {
		count = count_unseen(s, ipu, ipus);
		if (count == 0)
			continue;
		m->unseen[n].first = (uint32_t)ipu;
		m->unseen[n++].count = (uint32_t)count;
	}
}

void
wire_snapshot_put(const struct snapshot *s, int64_t now_ms,
    ipubox_v1_Snapshot *m)
{
	int i;

	wire_field_put(snapshot_fields, s, m);
	m->now_ms = now_ms;
	m->has_pod = true;
	wire_pod_put(&s->pod, &m->pod);
	m->partitions_count = (pb_size_t)s->partition_count;
	m->partitions = xcalloc(m->partitions_count + 1,
	    sizeof(*m->partitions));
	for (i = 0; i < s->partition_count; i++)
		wire_partition_put(&s->partitions[i], &m->partitions[i]);
	put_unseen(s, m);
}

/* ---- receiving ---- */

/* Give IPUs from `first` on to the owner; -1: one is taken. */
static int
snapshot_give(struct snapshot *s, int first, int count, int32_t owner)
{
	int ipu;

	for (ipu = first; ipu < first + count; ipu++) {
		if (s->owner[ipu] != OWNER_FREE)
			return -1;
		s->owner[ipu] = owner;
	}
	return 0;
}

static int
give_partition(struct snapshot *s, int index, struct error *e)
{
	const struct partition *p = &s->partitions[index];
	const struct cluster *c = &s->pod.clusters[p->placement.cluster];
	int first, n;

	for (n = 0; (first = placement_range(c, &p->placement, n)) != -1; n++)
		if (snapshot_give(s, first, p->placement.per_ild, index) != 0)
			return error_set_code(e, ERROR_INVALID,
			    "partition %s: one of its IPUs belongs to another "
			    "partition",
			    p->name);
	return 0;
}

static int
get_partitions(const ipubox_v1_Snapshot *m, struct snapshot *s, struct error *e)
{
	pb_size_t i;

	if (m->partitions_count > PARTITIONS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "%u partitions, the limit is %d",
		    (unsigned)m->partitions_count, PARTITIONS_MAX);
	s->partitions = xcalloc((size_t)m->partitions_count + 1,
	    sizeof(*s->partitions));
	for (i = 0; i < m->partitions_count; i++) {
		if (wire_partition_get(&m->partitions[i], &s->pod,
			&s->partitions[i], e) != 0)
			return -1;
		if (i > 0 &&
		    strcmp(s->partitions[i - 1].name, s->partitions[i].name) >=
			0)
			return error_set_code(e, ERROR_INVALID,
			    "partition %s: is not in the order of names",
			    s->partitions[i].name);
		s->partition_count = (int)i + 1;
		if (give_partition(s, (int)i, e) != 0)
			return -1;
	}
	return 0;
}

static int
get_unseen(const ipubox_v1_Snapshot *m, struct snapshot *s, struct error *e)
{
	const uint32_t ipus = (uint32_t)pod_ipu_count(&s->pod);
	const ipubox_v1_IpuRange *r;
	pb_size_t i;

	for (i = 0; i < m->unseen_count; i++) {
		r = &m->unseen[i];
		if (r->first > ipus || r->count > ipus - r->first ||
		    snapshot_give(s, (int)r->first, (int)r->count,
			OWNER_UNSEEN) != 0)
			return error_set_code(e, ERROR_INVALID,
			    "the IPUs from %u on are listed twice, or do not "
			    "exist",
			    (unsigned)r->first);
	}
	return 0;
}

static int
snapshot_get(const ipubox_v1_Snapshot *m,
    int (*get_pod)(const ipubox_v1_Pod *, struct pod *, struct error *),
    struct snapshot *s, struct error *e)
{
	const size_t size = sizeof(*s->owner);
	size_t ipus;

	memset(s, 0, sizeof(*s));
	pod_init(&s->pod);
	if (get_pod(&m->pod, &s->pod, e) != 0 ||
	    wire_field_get(snapshot_fields, "snapshot", m, s, e) != 0) {
		snapshot_release(s);
		return -1;
	}
	ipus = (size_t)pod_ipu_count(&s->pod);
	s->owner = xreallocarray(NULL, ipus + 1, size);
	memset(s->owner, OWNER_FREE, (ipus + 1) * size);
	if (get_partitions(m, s, e) == 0 && get_unseen(m, s, e) == 0)
		return 0;
	snapshot_release(s);
	return -1;
}

int
wire_snapshot_get(const ipubox_v1_Snapshot *m, struct snapshot *s,
    struct error *e)
{
	return snapshot_get(m, wire_pod_get, s, e);
}

int
wire_snapshot_get_partitions(const ipubox_v1_Snapshot *m, struct snapshot *s,
    struct error *e)
{
	return snapshot_get(m, wire_pod_get_places, s, e);
}

/* ---- IPUs ---- */

bool
wire_snapshot_has_report(const struct registry_image_ipu *i)
{
	const struct ipu_slot *s = &i->slot;

	return s->pid != 0 || atomic_load(&s->soc_error) != 0 ||
	    atomic_load(&s->busy_ns) != 0 ||
	    atomic_load(&s->exchange_bytes) != 0 ||
	    atomic_load(&s->host_bytes) != 0;
}

static void
put_counters(const struct ipu_slot *s, ipubox_v1_IpuCounters *m)
{
	static const struct busy_ring none;

	m->busy_ns = atomic_load(&s->busy_ns);
	m->session_busy_ns = atomic_load(&s->session_busy_ns);
	m->exchange_bytes = atomic_load(&s->exchange_bytes);
	m->host_bytes = atomic_load(&s->host_bytes);
	m->memory_bytes = atomic_load(&s->memory_bytes);
	m->last_busy_ns = atomic_load(&s->last_busy_ns);
	if (memcmp(&s->ring, &none, sizeof(none)) != 0)
		m->ring = wire_field_bytes(&s->ring, sizeof(s->ring));
}

static int
get_counters(const ipubox_v1_IpuCounters *m, struct ipu_slot *s,
    struct error *e)
{
	atomic_store(&s->busy_ns, m->busy_ns);
	atomic_store(&s->session_busy_ns, m->session_busy_ns);
	atomic_store(&s->exchange_bytes, m->exchange_bytes);
	atomic_store(&s->host_bytes, m->host_bytes);
	atomic_store(&s->memory_bytes, m->memory_bytes);
	atomic_store(&s->last_busy_ns, m->last_busy_ns);
	return wire_field_copy_bytes("ring", m->ring, &s->ring, sizeof(s->ring),
	    e);
}

static void
put_holder(const struct ipu_slot *s, ipubox_v1_Holder *m)
{
	wire_field_put(holder_fields, s, m);
	m->pid_namespace = s->pid_namespace;
}

void
wire_snapshot_put_ipu(const struct registry_image_ipu *i, ipubox_v1_Ipu *m)
{
	m->number = (uint32_t)i->ipu;
	m->soc_errors = atomic_load(&i->slot.soc_error);
	m->has_holder = i->is_held;
	m->has_left = !i->is_held && i->slot.pid != 0;
	if (m->has_holder || m->has_left)
		put_holder(&i->slot, m->has_holder ? &m->holder : &m->left);
	m->has_counters = true;
	put_counters(&i->slot, &m->counters);
}

int
wire_snapshot_get_ipu(const ipubox_v1_Ipu *m, const struct pod *pod,
    struct registry_image_ipu *i, struct error *e)
{
	const ipubox_v1_Holder *source = m->has_holder ? &m->holder : &m->left;

	memset(i, 0, sizeof(*i));
	if (m->number >= (uint32_t)pod_ipu_count(pod))
		return error_set_code(e, ERROR_INVALID,
		    "IPU %u does not exist: the pod has %d",
		    (unsigned)m->number, pod_ipu_count(pod));
	i->ipu = (int)m->number;
	i->is_held = m->has_holder;
	atomic_store(&i->slot.soc_error, m->soc_errors);
	i->slot.pid_namespace = source->pid_namespace;
	if ((m->has_holder || m->has_left) &&
	    wire_field_get(holder_fields, "holder", source, &i->slot, e) != 0)
		return -1;
	return get_counters(&m->counters, &i->slot, e);
}
