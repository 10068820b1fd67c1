/*
 * The layout of the registry file, and reading its header: see the drawing in
 * registry_layout.h first.
 *
 * Another user may write the file, which is shared memory.  So it is never
 * mapped: it is copied, the copy is checked, and the copy is used.
 */
#include "core/state/registry_layout.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <string.h>
#include <unistd.h>

/* The registry grows by whole racks of machines. */
enum { RACK_AGENTS = 16 };

static const char layout_magic[8] = { 'i', 'p', 'u', 'b', 'o', 'x', '\n', 0 };

/* Return the bytes of an array, rounded up so that the next one begins on a
   cache line: 3 clusters of 84 bytes are 252 bytes and take 256. */
static uint64_t
array_size(uint64_t count, uint64_t size)
{
	return (count * size + 63) / 64 * 64;
}

/* Each array begins where the one before it ends. */
void
registry_layout_locate(const struct registry_header *h,
    struct registry_places *p)
{
	p->agents = array_size(1, sizeof(*h));
	p->clusters = p->agents +
	    array_size(h->agent_capacity, sizeof(struct agent));
	p->allocations = p->clusters +
	    array_size(h->cluster_capacity, sizeof(struct cluster));
	p->partitions = p->allocations +
	    array_size(h->allocation_capacity, sizeof(struct allocation));
	p->end = p->partitions +
	    array_size(h->partition_capacity, sizeof(struct partition));
}

/* Return the smaller of the two: the count to trust. */
static int
registry_layout_count(uint32_t count, uint32_t capacity)
{
	return (int)(count < capacity ? count : capacity);
}

static uint64_t
file_size(const struct registry_header *h)
{
	struct registry_places p;

	registry_layout_locate(h, &p);
	return p.end;
}

/* Return whole racks, with one more than needed: 1 to 16 machines make room for
   32, 17 to 32 for 48. */
static uint32_t
agents_with_room(int count)
{
	uint32_t room = ((uint32_t)count + 2 * RACK_AGENTS - 1) / RACK_AGENTS *
	    RACK_AGENTS;

	return room < POD_AGENTS_MAX ? room : POD_AGENTS_MAX;
}

void
registry_layout_shape(struct registry_header *h, const struct store *s,
    const char *directory, const struct registry_header *before)
{
	uint32_t ipus;

	memset(h, 0, sizeof(*h));
	memcpy(h->magic, layout_magic, sizeof(h->magic));
	h->version = REGISTRY_VERSION;
	h->header_size = sizeof(*h);
	h->agent_size = sizeof(struct agent);
	h->cluster_size = sizeof(struct cluster);
	h->allocation_size = sizeof(struct allocation);
	h->partition_size = sizeof(struct partition);
	h->agent_capacity = agents_with_room(s->pod.agent_count);
	if (before != NULL && before->agent_capacity > h->agent_capacity)
		h->agent_capacity = before->agent_capacity;
	h->cluster_capacity = POD_CLUSTERS_MAX;
	h->allocation_capacity = POD_ALLOCATIONS_MAX;
	/* A partition has at least one IPU, so more slots would be useless. */
	ipus = h->agent_capacity * IPUS_PER_MACHINE;
	h->partition_capacity = ipus < PARTITIONS_MAX ? ipus : PARTITIONS_MAX;
	memcpy(h->id, s->identity.id, sizeof(h->id));
	(void)strlcpy(h->directory, directory, sizeof(h->directory));
	h->file_size = file_size(h);
}

/* Whether the sizes are this program's and the capacities within its limits, so
   that no sum in file_size() overflows. */
static bool
layout_is_sound(const struct registry_header *h)
{
	return h->header_size == sizeof(*h) &&
	    h->agent_size == sizeof(struct agent) &&
	    h->cluster_size == sizeof(struct cluster) &&
	    h->allocation_size == sizeof(struct allocation) &&
	    h->partition_size == sizeof(struct partition) &&
	    h->agent_capacity <= POD_AGENTS_MAX &&
	    h->cluster_capacity <= POD_CLUSTERS_MAX &&
	    h->allocation_capacity <= POD_ALLOCATIONS_MAX &&
	    h->partition_capacity <= PARTITIONS_MAX &&
	    h->file_size == file_size(h) &&
	    memchr(h->directory, '\0', sizeof(h->directory)) != NULL;
}

/* ERROR_STALE: the holder of the lock may rebuild the registry. */
static int
layout_refuse(struct error *e, const char *path, const char *why)
{
	return error_set_code(e, ERROR_STALE, "registry %s: %s", path, why);
}

/* The version comes first, because fields after it have other meanings in other
   versions. */
static int
check_header(const struct registry *r, const struct registry_header *h,
    uint64_t size, struct error *e)
{
	if (memcmp(h->magic, layout_magic, sizeof(layout_magic)) != 0)
		return layout_refuse(e, r->path, "not a registry of ipubox");
	if (h->version != REGISTRY_VERSION)
		return error_set_code(e, ERROR_STALE,
		    "registry %s: has version %u, but this ipubox knows "
		    "version %d",
		    r->path, h->version, REGISTRY_VERSION);
	if (!layout_is_sound(h) || h->file_size > size)
		return layout_refuse(e, r->path, "damaged");
	return 0;
}

/* Limit counts to their arrays, and terminate texts. */
static void
cut_counts(struct registry_header *h)
{
	h->agent_count = (uint32_t)registry_layout_count(h->agent_count,
	    h->agent_capacity);
	h->cluster_count = (uint32_t)registry_layout_count(h->cluster_count,
	    h->cluster_capacity);
	h->allocation_count =
	    (uint32_t)registry_layout_count(h->allocation_count,
		h->allocation_capacity);
	h->partition_high = (uint32_t)registry_layout_count(h->partition_high,
	    h->partition_capacity);
	h->damaged = (uint32_t)registry_layout_count(h->damaged, INT32_MAX);
	h->pod_name[sizeof(h->pod_name) - 1] = '\0';
	h->damage[sizeof(h->damage) - 1] = '\0';
}

int
registry_layout_read(const struct registry *r, struct registry_header *h,
    struct error *e)
{
	struct stat st;
	ssize_t n;

	if (fstat(r->fd, &st) != 0)
		return error_set_errno(e, "registry %s", r->path);
	if (!S_ISREG(st.st_mode))
		return layout_refuse(e, r->path, "not a regular file");
	n = pread(r->fd, h, sizeof(*h), 0);
	if (n == -1)
		return error_set_errno(e, "cannot read registry %s", r->path);
	if ((size_t)n != sizeof(*h))
		return layout_refuse(e, r->path, "damaged (too short)");
	if (check_header(r, h, (uint64_t)st.st_size, e) != 0)
		return -1;
	cut_counts(h);
	return 0;
}
