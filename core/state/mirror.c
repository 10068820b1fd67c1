/*
 * The mirror: what the registry shows of the pod, kept in step with the INI
 * files by whoever holds the lock of the directory.  Readers take no lock, so
 * every change stands between mirror_begin() and mirror_end().
 *
 *	begin: number odd     the change     end: number even, and 1 higher
 *	a reader copies only between two looks at the same even number
 */
#include "core/state/mirror.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/path.h"
#include "core/pod/placement.h"
#include "core/state/ownership.h"
#include "core/state/registry_layout.h"
#include "core/state/renumber.h"

void
mirror_pod(const struct mirror *m, struct pod *pod)
{
	const struct registry_header	*h = m->header;

	pod_init(pod);
	memcpy(pod->name, h->pod_name, sizeof(pod->name));
	pod->name[sizeof(pod->name) - 1] = '\0';
	pod->agents = m->agents;
	pod->agent_count = registry_layout_count(h->agent_count,
	    h->agent_capacity);
	pod->clusters = m->clusters;
	pod->cluster_count = registry_layout_count(h->cluster_count,
	    h->cluster_capacity);
	pod->allocations = m->allocations;
	pod->allocation_count = registry_layout_count(h->allocation_count,
	    h->allocation_capacity);
}

bool
mirror_fits(const struct mirror *m, const struct store *s)
{
	const struct registry_header	*h = m->header;

	return memcmp(h->id, s->identity.id, sizeof(h->id)) == 0 &&
	    h->agent_capacity >= (uint32_t)s->pod.agent_count &&
	    h->cluster_capacity >= (uint32_t)s->pod.cluster_count &&
	    h->allocation_capacity >= (uint32_t)s->pod.allocation_count &&
	    h->partition_capacity >= (uint32_t)s->partition_count;
}

/*
 * The sequence number is odd from here to mirror_end().  The fence keeps the
 * changes that follow from being seen before the odd number is.
 */
static void
mirror_begin(const struct mirror *m)
{
	uint32_t	n = atomic_load_explicit(&m->header->sequence,
	    memory_order_relaxed);

	/* It is odd already where a writer was killed in mid-change. */
	atomic_store_explicit(&m->header->sequence, n | 1,
	    memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	(void)FAULT_POINT("mirror");
}

/* Stored with release order: who sees the even number sees all the changes. */
static void
mirror_end(const struct mirror *m)
{
	uint32_t	n = atomic_load_explicit(&m->header->sequence,
	    memory_order_relaxed);

	(void)FAULT_POINT("mirror");
	atomic_store_explicit(&m->header->sequence, n + 1,
	    memory_order_release);
	(void)FAULT_POINT("mirror");
}

void
mirror_mark(const struct mirror *m, bool dirty)
{
	atomic_store_explicit(&m->header->dirty, dirty, memory_order_seq_cst);
	(void)FAULT_POINT("mark");
}

/*
 * The IPUs of a placement go from one owner to another, by their slots; -1 is
 * nobody.  What belongs to a third one is left alone: after a crash the owners
 * may say less than the slots do.
 */
static void
mirror_own(const struct mirror *m, const struct placement *l, int from, int to)
{
	const struct cluster	*c = &m->clusters[l->cluster];
	int			 first, i, n;

	for (n = 0; (first = placement_range(c, l, n)) != -1; n++)
		for (i = first; i < first + l->per_ild; i++)
			if (m->owner[i] == from)
				m->owner[i] = to;
}

int
mirror_conflict(const struct mirror *m, const struct placement *l, int slot)
{
	const struct cluster	*c = &m->clusters[l->cluster];
	int			 first, i, n;

	for (n = 0; (first = placement_range(c, l, n)) != -1; n++)
		for (i = first; i < first + l->per_ild; i++)
			if (m->owner[i] != -1 && m->owner[i] != slot)
				return m->owner[i];
	return -1;
}

/*
 * Free the slot and, with a partition, fill it again: its old IPUs go and its
 * new ones come.  partition_high stays just behind the last slot in use, so
 * that a reader copies no more than that.
 */
static void
set_slot(const struct mirror *m, int slot, const struct partition *p)
{
	struct partition	*at = &m->partitions[slot];
	struct registry_header	*h = m->header;

	if (at->name[0] != '\0') {
		mirror_own(m, &at->placement, slot, -1);
		(void)FAULT_POINT("mirror");
		memset(at, 0, sizeof(*at));
		h->partition_count--;
	}
	if (p != NULL) {
		*at = *p;
		(void)FAULT_POINT("mirror");
		mirror_own(m, &at->placement, -1, slot);
		h->partition_count++;
		if ((uint32_t)slot >= h->partition_high)
			h->partition_high = (uint32_t)slot + 1;
	}
	while (h->partition_high > 0 &&
	    m->partitions[h->partition_high - 1].name[0] == '\0')
		h->partition_high--;
}

void
mirror_set(const struct mirror *m, int slot, const struct partition *p)
{
	mirror_begin(m);
	set_slot(m, slot, p);
	mirror_end(m);
}

void
mirror_set_agent(const struct mirror *m, int index, const struct agent *a)
{
	mirror_begin(m);
	m->agents[index] = *a;
	mirror_end(m);
}

/* An array may be NULL where there is nothing in it. */
static void
put_array(void *to, const void *from, uint32_t count, size_t size)
{
	if (count > 0)
		memcpy(to, from, count * size);
}

void
mirror_fill(const struct mirror *m, const struct store *s)
{
	struct registry_header	*h = m->header;
	struct renumber		 moved;
	int			 i;

	renumber_find(&moved, m, &s->pod);
	mirror_begin(m);
	renumber_slots(&moved, m->slots, m->slots);
	h->agent_count = (uint32_t)s->pod.agent_count;
	h->cluster_count = (uint32_t)s->pod.cluster_count;
	h->allocation_count = (uint32_t)s->pod.allocation_count;
	put_array(m->agents, s->pod.agents, h->agent_count,
	    sizeof(struct agent));
	put_array(m->clusters, s->pod.clusters, h->cluster_count,
	    sizeof(struct cluster));
	(void)FAULT_POINT("mirror");
	put_array(m->allocations, s->pod.allocations, h->allocation_count,
	    sizeof(struct allocation));
	memset(m->partitions, 0,
	    h->partition_capacity * sizeof(struct partition));
	memset(m->owner, -1, registry_layout_ipu_capacity(h) * sizeof(int32_t));
	h->partition_high = h->partition_count = 0;
	for (i = 0; i < s->partition_count; i++)
		set_slot(m, i, &s->partitions[i]);
	h->stamp_s = s->stamp_s;
	h->stamp_ns = s->stamp_ns;
	h->damaged = (uint32_t)s->damaged;
	(void)strlcpy(h->damage, s->damage, sizeof(h->damage));
	(void)strlcpy(h->pod_name, s->pod.name, sizeof(h->pod_name));
	atomic_store(&h->due_ms, 1);	/* whoever opens it next looks */
	mirror_end(m);
	renumber_release(&moved);
}

int
mirror_free_slot(const struct mirror *m)
{
	uint32_t	i;

	/* Without a gap the slot behind the last one is free. */
	if (m->header->partition_count == m->header->partition_high)
		return m->header->partition_high <
		    m->header->partition_capacity ?
		    (int)m->header->partition_high : -1;
	for (i = 0; i < m->header->partition_high; i++)
		if (m->partitions[i].name[0] == '\0')
			return (int)i;
	return -1;
}

int
mirror_find(const struct mirror *m, const char *name)
{
	uint32_t	i;

	/* The name "" is that of the free slots. */
	for (i = 0; i < m->header->partition_high && name[0] != '\0'; i++)
		if (strcmp(m->partitions[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* An empty file of the right size, its memory reserved. */
static int
create_file(const char *path, uint64_t size, struct error *e)
{
	int	fd, error_number;

	/* What a killed attempt left; the directory's lock keeps others out. */
	(void)unlink(path);
	fd = FAULT_POINT("create") != 0 ? -1 : open(path, O_RDWR | O_CREAT |
	    O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd == -1)
		return error_set_errno(e, "cannot make registry %s", path);
	/* Reserved, not sparse: a full /dev/shm is an error here, and not a
	   signal at some later write. */
	error_number = posix_fallocate(fd, 0, (off_t)size);
	if (FAULT_POINT("fallocate") != 0)
		error_number = errno;
	if (error_number == 0)
		return fd;
	(void)close(fd);
	(void)unlink(path);
	return error_set_number(e, error_number, "cannot make registry %s of "
	    "%llu bytes", path, (unsigned long long)size);
}

/*
 * The system refused to map or to rename it.  In /dev/shm, which is sticky,
 * only its owner and root may replace a file.
 */
static int
refuse_registry(const char *path, int number, struct error *e)
{
	(void)error_set_number(e, number, "cannot make registry %s", path);
	return number != EPERM ? -1 : error_append(e, "; the old one is "
	    "another user's, who must make it anew, or root");
}

/*
 * What the IPUs of the same pod counted in another file.  Of another pod they
 * are other IPUs, and begin at 0.
 */
static void
carry_slots(const struct mirror *m, const struct mirror *old,
    const struct pod *pod)
{
	struct renumber	moved;

	if (old == NULL ||
	    memcmp(m->header->id, old->header->id, STORE_ID_SIZE) != 0)
		return;
	renumber_find(&moved, old, pod);
	renumber_slots(&moved, old->slots, m->slots);
	renumber_release(&moved);
}

/*
 * The file is complete under a temporary name before it is renamed: whoever
 * opens the registry by its path sees the old file or the whole new one.
 */
int
mirror_create(const char *path, const char *directory, const struct store *s,
    const struct mirror *old, struct error *e)
{
	struct registry_header	 h;
	struct mirror		 m;
	char			*temporary = xasprintf("%s.new", path);
	void			*map = MAP_FAILED;
	int			 fd, status = -1;

	registry_layout_shape(&h, s, directory);
	fd = create_file(temporary, h.file_size, e);
	if (fd == -1)
		goto out;
	if (ownership_share_registry(directory, fd, e) == 0 &&
	    (map = mmap(NULL, (size_t)h.file_size, PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0)) == MAP_FAILED)
		(void)refuse_registry(path, errno, e);
	if (map != MAP_FAILED) {
		memcpy(map, &h, sizeof(h));
		registry_layout_locate(&m, map);
		mirror_fill(&m, s);
		carry_slots(&m, old, &s->pod);
		(void)munmap(map, (size_t)h.file_size);
		status = FAULT_POINT("rename") != 0 ||
		    rename(temporary, path) != 0 ?
		    refuse_registry(path, errno, e) : 0;
	}
	(void)close(fd);
	if (status != 0)
		(void)unlink(temporary);
out:
	free(temporary);
	return status;
}

/*
 * A file of the right size is really made and removed again; the rename is
 * asked by the rule of sticky directories, for there is no way to try it.
 */
int
mirror_check_create(const char *path, const char *directory,
    const struct store *s, struct error *e)
{
	struct registry_header	 h;
	struct stat		 above, old;
	char			*temporary = xasprintf("%s.new", path);
	char			*folder = path_directory_name(path);
	int			 fd, status = 0;

	registry_layout_shape(&h, s, directory);
	fd = create_file(temporary, h.file_size, e);
	if (fd == -1) {
		status = -1;
	} else {
		(void)close(fd);
		(void)unlink(temporary);
		if (geteuid() != 0 && stat(folder, &above) == 0 &&
		    (above.st_mode & S_ISVTX) != 0 &&
		    above.st_uid != geteuid() && lstat(path, &old) == 0 &&
		    old.st_uid != geteuid())
			status = refuse_registry(path, EPERM, e);
	}
	free(folder);
	free(temporary);
	return status;
}
