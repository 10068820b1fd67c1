/*
 * Where the parts of the registry file lie, and the one way to map it: read
 * the drawing in registry.h first.
 *
 * The file comes from shared memory that a neighbour can write.  Its fixed
 * header is checked once, when it is mapped; the counts are cut to what their
 * arrays hold each time they are used.
 */
#include "core/state/registry_layout.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <bsd/string.h>

#include <string.h>

/* The registry grows by whole racks of machines. */
enum { RACK_AGENTS = 16 };

static const char	layout_magic[8] = { 'i', 'p', 'u', 'b', 'o', 'x', '\n',
    0 };

/*
 * Bytes of an array, rounded up so that the next one begins on a cache line:
 * 3 clusters of 84 bytes are 252 bytes and take 256.
 */
static uint64_t
array_size(uint64_t count, uint64_t size)
{
	return (count * size + 63) / 64 * 64;
}

uint64_t
registry_layout_ipu_capacity(const struct registry_header *h)
{
	return (uint64_t)h->agent_capacity * IPUS_PER_MACHINE;
}

/*
 * Each array begins where the one before it ends, as the drawing in registry.h
 * has them.  Only the capacities decide, which never change: a reader and a
 * writer that differ about the counts still agree where everything is.
 */
void
registry_layout_locate(struct mirror *m, void *map)
{
	char	*at = map;

	m->header = map;
	at += array_size(1, sizeof(struct registry_header));
	m->agents = (void *)at;
	at += array_size(m->header->agent_capacity, sizeof(struct agent));
	m->clusters = (void *)at;
	at += array_size(m->header->cluster_capacity, sizeof(struct cluster));
	m->allocations = (void *)at;
	at += array_size(m->header->allocation_capacity,
	    sizeof(struct allocation));
	m->partitions = (void *)at;
	at += array_size(m->header->partition_capacity,
	    sizeof(struct partition));
	m->owner = (void *)at;
	at += array_size(registry_layout_ipu_capacity(m->header),
	    sizeof(int32_t));
	m->slots = (void *)at;
}

int
registry_layout_count(uint32_t count, uint32_t capacity)
{
	return (int)(count < capacity ? count : capacity);
}

/* The end of the last array, in the same order as registry_layout_locate(). */
static uint64_t
file_size(const struct registry_header *h)
{
	return array_size(1, sizeof(*h)) +
	    array_size(h->agent_capacity, sizeof(struct agent)) +
	    array_size(h->cluster_capacity, sizeof(struct cluster)) +
	    array_size(h->allocation_capacity, sizeof(struct allocation)) +
	    array_size(h->partition_capacity, sizeof(struct partition)) +
	    array_size(registry_layout_ipu_capacity(h), sizeof(int32_t)) +
	    array_size(registry_layout_ipu_capacity(h),
	    sizeof(struct ipu_slot));
}

void
registry_layout_shape(struct registry_header *h, const struct store *s,
    const char *directory)
{
	memset(h, 0, sizeof(*h));
	memcpy(h->magic, layout_magic, sizeof(h->magic));
	h->version = REGISTRY_VERSION;
	h->header_size = sizeof(*h);
	h->agent_size = sizeof(struct agent);
	h->cluster_size = sizeof(struct cluster);
	h->allocation_size = sizeof(struct allocation);
	h->partition_size = sizeof(struct partition);
	h->slot_size = sizeof(struct ipu_slot);
	/*
	 * Whole racks, with room for one rack more than there is, so that
	 * machines can be added under running programs: 1 to 16 machines make
	 * room for 32, 17 to 32 for 48.
	 */
	h->agent_capacity = ((uint32_t)s->pod.agent_count +
	    2 * RACK_AGENTS - 1) / RACK_AGENTS * RACK_AGENTS;
	if (h->agent_capacity > POD_AGENTS_MAX)
		h->agent_capacity = POD_AGENTS_MAX;
	h->cluster_capacity = POD_CLUSTERS_MAX;
	h->allocation_capacity = POD_ALLOCATIONS_MAX;
	/* A partition has one IPU at least, so more slots are of no use. */
	h->partition_capacity = registry_layout_ipu_capacity(h) <
	    PARTITIONS_MAX ?
	    (uint32_t)registry_layout_ipu_capacity(h) : PARTITIONS_MAX;
	memcpy(h->id, s->identity.id, sizeof(h->id));
	(void)strlcpy(h->directory, directory, sizeof(h->directory));
	h->file_size = file_size(h);
}

/*
 * Whether the sizes are this program's and the capacities within its limits.
 * With them within limits no sum in file_size() overflows.  The counts change:
 * who copies them looks at them.
 */
static bool
layout_is_sound(const struct registry_header *h)
{
	return h->header_size == sizeof(*h) &&
	    h->agent_size == sizeof(struct agent) &&
	    h->cluster_size == sizeof(struct cluster) &&
	    h->allocation_size == sizeof(struct allocation) &&
	    h->partition_size == sizeof(struct partition) &&
	    h->slot_size == sizeof(struct ipu_slot) &&
	    h->agent_capacity <= POD_AGENTS_MAX &&
	    h->cluster_capacity <= POD_CLUSTERS_MAX &&
	    h->allocation_capacity <= POD_ALLOCATIONS_MAX &&
	    h->partition_capacity <= PARTITIONS_MAX &&
	    h->file_size == file_size(h) &&
	    memchr(h->directory, '\0', sizeof(h->directory)) != NULL;
}

/* ERROR_STALE: whoever holds the lock may make the registry again. */
static int
layout_refuse(struct error *e, const char *path, const char *why)
{
	return error_set_code(e, ERROR_STALE, "registry %s: %s", path, why);
}

/*
 * The version comes first: of another one nothing behind it can be trusted to
 * mean what it means here.
 */
static int
check_header(const struct registry *r, struct error *e)
{
	const struct registry_header	*h = r->map;

	if (memcmp(h->magic, layout_magic, sizeof(layout_magic)) != 0)
		return layout_refuse(e, r->path, "not a registry of ipubox");
	if (h->version != REGISTRY_VERSION)
		return error_set_code(e, ERROR_STALE, "registry %s: of version "
		    "%u, this ipubox knows version %d", r->path, h->version,
		    REGISTRY_VERSION);
	if (!layout_is_sound(h) || h->file_size != r->size)
		return layout_refuse(e, r->path, "damaged");
	return 0;
}

static int
layout_check_file(const struct registry *r, const struct stat *st,
    struct error *e)
{
	if (!S_ISREG(st->st_mode))
		return layout_refuse(e, r->path, "not a regular file");
	if ((uint64_t)st->st_size < sizeof(struct registry_header))
		return layout_refuse(e, r->path, "damaged (too short)");
	return 0;
}

int
registry_layout_map(struct registry *r, struct error *e)
{
	struct stat	 st;
	void		*map;

	if (fstat(r->fd, &st) != 0)
		return error_set_errno(e, "registry %s", r->path);
	if (layout_check_file(r, &st, e) != 0)
		return -1;
	r->size = (size_t)st.st_size;
	map = mmap(NULL, r->size, PROT_READ | (r->writable ? PROT_WRITE : 0),
	    MAP_SHARED, r->fd, 0);
	if (map == MAP_FAILED)
		return error_set_errno(e, "cannot map registry %s", r->path);
	r->map = map;
	if (check_header(r, e) != 0) {
		(void)munmap(map, r->size);
		r->map = NULL;
		return -1;
	}
	return 0;
}
