/*
 * A consistent, checked copy of the mirror.  Another user may write the
 * registry, which is shared memory.  Its contents must not lead a reader
 * outside its arrays, or a writer outside the state directory.
 *
 *	header -> arrays -> header again: the same number?
 *	-> checksum -> texts, indices, names -> owner[]
 *
 * The checksum detects foreign writes; the later checks hold for any contents.
 */
#include "core/state/mirror_copy.h"

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/pod/pod.h"

void
mirror_copy_init(struct mirror *m, const struct registry_header *h)
{
	memset(m, 0, sizeof(*m));
	m->header = *h;
	m->machines = mirror_view_new_machines(h->agent_capacity,
	    h->cluster_capacity, h->allocation_capacity);
	mirror_view_set_machines(m, m->machines);
	m->partitions = xreallocarray(NULL, (size_t)h->partition_capacity + 1,
	    sizeof(*m->partitions));
	m->owner = xreallocarray(NULL,
	    (size_t)h->agent_capacity * IPUS_PER_MACHINE + 1,
	    sizeof(*m->owner));
}

void
mirror_copy_release(struct mirror *m)
{
	mirror_view_drop_machines(m->machines);
	mirror_view_close(m);
	free(m->partitions);
	free(m->owner);
	free(m->order);
	memset(m, 0, sizeof(*m));
}

/* ---- the checksum ---- */

/* Add a word as FNV-1a does, but eight bytes at a time. */
static uint64_t
add_word(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x100000001b3;
	return sum ^ sum >> 32;
}

/* Add up a record in four parallel sums, which a processor overlaps. */
static uint64_t
sum_record(uint64_t seed, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	uint64_t sums[4], words[4];
	size_t i, k;

	for (k = 0; k < 4; k++)
		sums[k] = 0xcbf29ce484222325 + seed + k;
	for (i = 0; i + sizeof(words) <= size; i += sizeof(words)) {
		memcpy(words, bytes + i, sizeof(words));
		for (k = 0; k < 4; k++)
			sums[k] = add_word(sums[k], words[k]);
	}
	memset(words, 0, sizeof(words));
	memcpy(words, bytes + i, size - i);
	for (k = 0; k < 4; k++)
		sums[k] = add_word(sums[k], words[k]);
	return add_word(add_word(add_word(sums[0], sums[1]), sums[2]), sums[3]);
}

/* The sum depends on the place of the bytes. */
static uint64_t
sum_array(uint64_t kind, const void *array, uint32_t count, size_t size)
{
	const char *at = array;
	uint64_t sum = 0, i;

	for (i = 0; i < count; i++, at += size)
		sum += sum_record(kind << 56 | i << 16, at, size);
	return sum;
}

uint64_t
mirror_copy_sum_agent(const struct mirror *m, int index)
{
	return sum_record((uint64_t)1 << 56 | (uint64_t)index << 16,
	    &m->agents[index], sizeof(*m->agents));
}

/* The rest of a free slot is never read. */
uint64_t
mirror_copy_sum_slot(const struct mirror *m, int slot)
{
	const struct partition *p = &m->partitions[slot];

	return (uint32_t)slot >= m->header.partition_high ||
		p->name[0] == '\0' ?
	    0 :
	    sum_record((uint64_t)4 << 56 | (uint64_t)slot << 16, p, sizeof(*p));
}

uint64_t
mirror_copy_sum(const struct mirror *m)
{
	const struct registry_header *h = &m->header;
	uint64_t sum;
	uint32_t i;

	sum = sum_array(1, m->agents, h->agent_count, sizeof(*m->agents)) +
	    sum_array(2, m->clusters, h->cluster_count, sizeof(*m->clusters)) +
	    sum_array(3, m->allocations, h->allocation_count,
		sizeof(*m->allocations));
	for (i = 0; i < h->partition_high; i++)
		sum += mirror_copy_sum_slot(m, (int)i);
	return sum;
}

uint64_t
mirror_copy_checksum(const struct registry_header *h, uint64_t sum)
{
	const size_t at = offsetof(struct registry_header, agent_count);

	return sum + sum_record(0, (const char *)h + at, sizeof(*h) - at);
}

/* ---- copying ---- */

void
mirror_copy_set_file(struct mirror *m, const struct registry *r)
{
	struct stat st;

	m->device = 0;
	m->inode = 0;
	if (fstat(r->fd, &st) == 0) {
		m->device = st.st_dev;
		m->inode = st.st_ino;
	}
}

/* Read exactly that many bytes.  false: fewer. */
static bool
read_array(const struct registry *r, void *to, uint64_t at, size_t size)
{
	return pread(r->fd, to, size, (off_t)at) == (ssize_t)size;
}

/* Copy the arrays, still unchecked, as far as the counts say. */
static bool
read_arrays(const struct registry *r, struct mirror *m)
{
	const struct registry_header *h = &m->header;
	struct registry_places at;

	registry_layout_locate(h, &at);
	return read_array(r, m->agents, at.agents,
		   h->agent_count * sizeof(*m->agents)) &&
	    read_array(r, m->clusters, at.clusters,
		h->cluster_count * sizeof(*m->clusters)) &&
	    read_array(r, m->allocations, at.allocations,
		h->allocation_count * sizeof(*m->allocations)) &&
	    read_array(r, m->partitions, at.partitions,
		h->partition_high * sizeof(*m->partitions));
}

/* Whether a text is terminated. */
static bool
is_text(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

/* Whether a name is valid, because names become file names. */
static bool
is_name(const char name[NAME_SIZE])
{
	return memchr(name, '\0', NAME_SIZE) != NULL &&
	    name_check("", name, NULL) == 0;
}

/* Whether a number is an index into an array, or -1. */
static bool
in_range(int32_t index, int count)
{
	return index >= -1 && index < count;
}

static bool
agent_is_sound(const struct agent *a, const struct pod *pod)
{
	return is_name(a->name) && is_text(a->host, sizeof(a->host)) &&
	    is_text(a->address, sizeof(a->address)) &&
	    in_range(a->cluster, pod->cluster_count) &&
	    in_range(a->allocation, pod->allocation_count) && a->model >= 0 &&
	    a->model <= MACHINE_BOW2000 && a->state >= 0 &&
	    a->state <= MACHINE_REBOOTING;
}

static bool
cluster_is_sound(const struct cluster *c, const struct pod *pod)
{
	return is_name(c->name) && c->topology >= 0 &&
	    c->topology <= TOPOLOGY_TORUS && c->gateway >= 0 &&
	    c->gateway <= GATEWAY_SWITCHED && c->ild_count >= 1 &&
	    c->first_agent >= 0 && c->agent_count >= 0 &&
	    c->agent_count <= pod->agent_count - c->first_agent;
}

/* Whether every number of the pod stays inside it. */
static bool
pod_is_sound(const struct pod *pod)
{
	int i;

	for (i = 0; i < pod->agent_count; i++)
		if (!agent_is_sound(&pod->agents[i], pod))
			return false;
	for (i = 0; i < pod->cluster_count; i++)
		if (!cluster_is_sound(&pod->clusters[i], pod))
			return false;
	for (i = 0; i < pod->allocation_count; i++)
		if (!is_name(pod->allocations[i].name) ||
		    !in_range(pod->allocations[i].cluster, pod->cluster_count))
			return false;
	return true;
}

/* Words are looked up by these numbers. */
static bool
has_words(const struct partition *p)
{
	return p->routing >= 0 && p->routing <= IRT_RINGSWNC &&
	    p->gateway_routing >= 0 && p->gateway_routing <= GRT_SWRING &&
	    p->sync_type >= 0 &&
	    p->sync_type <= ST_POD_NATIVE_REPLICATED_PIPELINE &&
	    p->state >= 0 && p->state <= PS_ERROR && p->operation >= 0 &&
	    p->operation <= POS_FAILED && p->owner_kind >= 0 &&
	    p->owner_kind <= PO_IPUJOB && p->num_gcds > 0;
}

/* Take the IPUs of a partition; false if another one has any of them. */
static bool
mirror_copy_take_ipus(struct mirror *m, int slot)
{
	const struct placement *l = &m->partitions[slot].placement;
	const struct cluster *c = &m->clusters[l->cluster];
	int first, i, n;

	for (n = 0; (first = placement_range(c, l, n)) != -1; n++)
		for (i = first; i < first + l->per_ild; i++) {
			if (m->owner[i] != -1)
				return false;
			m->owner[i] = slot;
		}
	return true;
}

static bool
partition_is_sound(struct mirror *m, const struct pod *pod, int slot)
{
	const struct partition *p = &m->partitions[slot];

	if (p->name[0] == '\0')
		return true; /* a free slot: its rest is never read */
	return is_name(p->name) && has_words(p) &&
	    is_text(p->last_error, sizeof(p->last_error)) &&
	    is_text(p->owner_text, sizeof(p->owner_text)) &&
	    (p->user[0] == '\0' || is_name(p->user)) &&
	    is_text(p->ipuof_directory, sizeof(p->ipuof_directory)) &&
	    in_range(p->allocation, pod->allocation_count) &&
	    placement_check(pod, &p->placement, NULL) == 0 &&
	    partition_size(p) % p->num_gcds == 0 &&
	    mirror_copy_take_ipus(m, slot);
}

/* Check the whole copy, and make owner[] meanwhile. */
static bool
copy_is_sound(struct mirror *m)
{
	struct registry_header *h = &m->header;
	struct pod pod;
	uint32_t i;

	mirror_view_pod(m, &pod);
	m->sum = mirror_copy_sum(m);
	if (h->checksum != mirror_copy_checksum(h, m->sum) ||
	    !pod_is_sound(&pod) || !is_text(h->pod_name, sizeof(h->pod_name)))
		return false;
	memset(m->owner, -1, (size_t)pod_ipu_count(&pod) * sizeof(*m->owner));
	for (i = 0; i < h->partition_high; i++)
		if (!partition_is_sound(m, &pod, (int)i))
			return false;
	return true;
}

enum mirror_copy_result
mirror_copy_try(struct mirror *m, const struct registry *r, struct error *e)
{
	struct registry_header before, after;
	enum mirror_copy_result result = MIRROR_COPY_BAD;

	if (registry_layout_read(r, &before, e) != 0)
		return MIRROR_COPY_BAD;
	m->header.sequence = before.sequence;
	if (before.sequence % 2 != 0)
		return MIRROR_COPY_BUSY;
	mirror_copy_init(m, &before);
	if (!read_arrays(r, m)) {
		(void)error_set_code(e, ERROR_STALE,
		    "registry %s: damaged (too short)", r->path);
	} else if (registry_layout_read(r, &after, e) != 0) {
		;
	} else if (after.sequence != before.sequence) {
		result = MIRROR_COPY_BUSY;
	} else if (!copy_is_sound(m)) {
		(void)error_set_code(e, ERROR_STALE, "registry %s: damaged",
		    r->path);
	} else {
		m->header.retired = after.retired;
		mirror_copy_set_file(m, r);
		return MIRROR_COPY_GOOD;
	}
	mirror_copy_release(m);
	m->header.sequence = before.sequence;
	return result;
}

/*
 * Every change gives the mirror another number, so a mirror with the copy's
 * number is what was copied and checked.  Other fields of the header do not
 * follow the number.
 */
static bool
copy_is_current(struct mirror *m, const struct registry *r,
    const struct registry_header *h)
{
	struct stat st;

	if (m->partitions == NULL || h->sequence % 2 != 0 ||
	    h->sequence != m->header.sequence || fstat(r->fd, &st) != 0 ||
	    st.st_dev != m->device || st.st_ino != m->inode)
		return false;
	m->header.dirty = h->dirty;
	m->header.retired = h->retired;
	m->header.due_ms = h->due_ms;
	m->header.stamp_s = h->stamp_s;
	m->header.stamp_ns = h->stamp_ns;
	return true;
}

enum mirror_copy_result
mirror_copy_again(struct mirror *m, const struct registry *r, struct error *e)
{
	struct registry_header h;

	if (registry_layout_read(r, &h, e) == 0 && copy_is_current(m, r, &h))
		return MIRROR_COPY_GOOD;
	mirror_copy_release(m);
	return mirror_copy_try(m, r, e);
}
