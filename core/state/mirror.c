/*
 * The mirror: the registry's view of the pod, kept in step with the INI files
 * by the holder of the directory's lock.  Readers take no lock, so every change
 * of the file is between mirror_begin() and mirror_end().
 *
 *	begin: number odd     the change     end: number even, and 1 higher
 *	a reader copies only between two looks at the same even number
 *
 * The writer trusts its copy, never the file, and writes whole records at
 * offsets from the capacities that it has checked.
 */
#include "core/state/mirror.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/directory.h"
#include "core/base/parse.h"
#include "core/pod/pod.h"
#include "core/state/mirror_view.h"
#include "core/state/ownership.h"

/* Part of the header that changes with the arrays: the sum and the counts. */
enum {
	CHANGING_AT = offsetof(struct registry_header, checksum),
	CHANGING_SIZE = sizeof(struct registry_header) - CHANGING_AT
};

/* Write everything: a nearly full disk takes a part before it fails. */
static int
write_at(int fd, uint64_t at, const void *data, size_t size)
{
	const char *bytes = data;
	ssize_t n;

	for (; size > 0; size -= (size_t)n, bytes += n, at += (uint64_t)n)
		if ((n = pwrite(fd, bytes, size, (off_t)at)) <= 0)
			return -1;
	return 0;
}

static int
put_sequence(const struct mirror *m, int fd)
{
	return write_at(fd, offsetof(struct registry_header, sequence),
	    &m->header.sequence, sizeof(m->header.sequence));
}

/* Make the sequence number in the file odd until mirror_end(). */
static int
mirror_begin(struct mirror *m, int fd)
{
	m->header.sequence |= 1;
	if (put_sequence(m, fd) != 0)
		return -1;
	(void)FAULT_POINT("mirror");
	return 0;
}

static int
mirror_end(struct mirror *m, int fd)
{
	(void)FAULT_POINT("mirror");
	m->header.sequence++;
	if (put_sequence(m, fd) != 0)
		return -1;
	(void)FAULT_POINT("mirror");
	return 0;
}

int
mirror_mark(const struct registry *r, bool dirty, struct error *e)
{
	uint32_t mark = dirty;

	if (write_at(r->fd, offsetof(struct registry_header, dirty), &mark,
		sizeof(mark)) != 0)
		return error_set_errno(e, "cannot write registry %s", r->path);
	(void)FAULT_POINT("mark");
	return 0;
}

void
mirror_set_stamp(const struct registry *r, int64_t s, int64_t ns)
{
	int64_t stamp[2] = { s, ns };

	(void)write_at(r->fd, offsetof(struct registry_header, stamp_s), stamp,
	    sizeof(stamp));
}

void
mirror_retire(int fd)
{
	const uint32_t retired = 1;

	(void)write_at(fd, offsetof(struct registry_header, retired), &retired,
	    sizeof(retired));
}

/* Move the IPUs of a placement from one owner to another; -1: free. */
static void
mirror_own(const struct mirror *m, const struct placement *l, int from, int to)
{
	const struct cluster *c = &m->clusters[l->cluster];
	int first, i, n;

	for (n = 0; (first = placement_range(c, l, n)) != -1; n++)
		for (i = first; i < first + l->per_ild; i++)
			if (m->owner[i] == from)
				m->owner[i] = to;
}

/* Return the first other slot that owns one of the placement's IPUs, or -1. */
static int
conflict(const struct mirror *m, const struct placement *l, int slot)
{
	const struct cluster *c = &m->clusters[l->cluster];
	int first, i, n;

	for (n = 0; (first = placement_range(c, l, n)) != -1; n++)
		for (i = first; i < first + l->per_ild; i++)
			if (m->owner[i] != -1 && m->owner[i] != slot)
				return m->owner[i];
	return -1;
}

int
mirror_check(const struct mirror *m, const struct partition *p, int slot,
    struct error *e)
{
	struct pod pod;
	int other;

	mirror_view_pod(m, &pod);
	if (name_check("partition", p->name, e) != 0)
		return -1;
	if (placement_check(&pod, &p->placement, e) != 0)
		return error_prefix(e, "partition %s", p->name);
	other = conflict(m, &p->placement, slot);
	if (other != -1)
		return error_set_code(e, ERROR_NO_ROOM,
		    "partition %s: some of its IPUs belong to partition %s",
		    p->name, m->partitions[other].name);
	return 0;
}

/*
 * Free the slot in the copy and fill it again with the partition, if any; IPUs
 * change owners accordingly.  partition_high stays just after the last slot in
 * use, because a reader copies no more than that.
 */
static void
set_slot(struct mirror *m, int slot, const struct partition *p)
{
	struct registry_header *h = &m->header;

	for (; h->partition_high <= (uint32_t)slot; h->partition_high++)
		memset(&m->partitions[h->partition_high], 0,
		    sizeof(*m->partitions));
	m->sum -= mirror_copy_sum_slot(m, slot);
	if (m->partitions[slot].name[0] != '\0') {
		mirror_view_leave(m, slot);
		mirror_own(m, &m->partitions[slot].placement, slot, -1);
	}
	memset(&m->partitions[slot], 0, sizeof(*m->partitions));
	if (p != NULL) {
		m->partitions[slot] = *p;
		mirror_view_join(m, slot);
		mirror_own(m, &p->placement, -1, slot);
	}
	m->sum += mirror_copy_sum_slot(m, slot);
	while (h->partition_high > 0 &&
	    m->partitions[h->partition_high - 1].name[0] == '\0')
		h->partition_high--;
}

/* Write a record, and the parts of the header that follow from it. */
static int
mirror_write(struct mirror *m, int fd, uint64_t at, const void *record,
    size_t size)
{
	m->header.checksum = mirror_copy_checksum(&m->header, m->sum);
	if (mirror_begin(m, fd) != 0 || write_at(fd, at, record, size) != 0)
		return -1;
	(void)FAULT_POINT("mirror");
	return write_at(fd, CHANGING_AT, (char *)&m->header + CHANGING_AT,
		   CHANGING_SIZE) != 0 ?
	    -1 :
	    mirror_end(m, fd);
}

int
mirror_set(struct mirror *m, const struct registry *r, int slot,
    const struct partition *p)
{
	struct registry_places at;

	set_slot(m, slot, p);
	registry_layout_locate(&m->header, &at);
	return mirror_write(m, r->fd,
	    at.partitions + (uint64_t)slot * sizeof(*m->partitions),
	    &m->partitions[slot], sizeof(*m->partitions));
}

int
mirror_set_agent(struct mirror *m, const struct registry *r, int index,
    const struct agent *a)
{
	struct registry_places at;

	mirror_view_part(m);
	m->sum -= mirror_copy_sum_agent(m, index);
	m->agents[index] = *a;
	m->sum += mirror_copy_sum_agent(m, index);
	registry_layout_locate(&m->header, &at);
	return mirror_write(m, r->fd,
	    at.agents + (uint64_t)index * sizeof(*m->agents), &m->agents[index],
	    sizeof(*m->agents));
}

/* An empty array may be NULL. */
static void
mirror_put_array(void *to, const void *from, uint32_t count, size_t size)
{
	if (count > 0)
		memcpy(to, from, count * size);
}

/* Fill the copy from the store; the header's shape is set already. */
static void
mirror_take_store(struct mirror *m, const struct store *s)
{
	struct registry_header *h = &m->header;
	int i;

	h->agent_count = (uint32_t)s->pod.agent_count;
	h->cluster_count = (uint32_t)s->pod.cluster_count;
	h->allocation_count = (uint32_t)s->pod.allocation_count;
	mirror_put_array(m->agents, s->pod.agents, h->agent_count,
	    sizeof(struct agent));
	mirror_put_array(m->clusters, s->pod.clusters, h->cluster_count,
	    sizeof(struct cluster));
	mirror_put_array(m->allocations, s->pod.allocations,
	    h->allocation_count, sizeof(struct allocation));
	memset(m->owner, -1,
	    (size_t)h->agent_count * IPUS_PER_MACHINE * sizeof(*m->owner));
	for (i = 0; i < s->partition_count; i++)
		set_slot(m, i, &s->partitions[i]);
	h->stamp_s = s->stamp_s;
	h->stamp_ns = s->stamp_ns;
	h->damaged = (uint32_t)s->damaged;
	(void)strlcpy(h->damage, s->damage, sizeof(h->damage));
	(void)strlcpy(h->pod_name, s->pod.name, sizeof(h->pod_name));
	h->due_ms = 1; /* the next process that opens it acts */
	m->sum = mirror_copy_sum(m);
	h->checksum = mirror_copy_checksum(h, m->sum);
}

/* Write everything except the sequence number, the mark and `retired`. */
static int
write_all(const struct mirror *m, int fd)
{
	const struct registry_header *h = &m->header;
	const size_t due = offsetof(struct registry_header, due_ms);
	struct registry_places at;

	registry_layout_locate(h, &at);
	if (write_at(fd, 0, h, offsetof(struct registry_header, sequence)) !=
		0 ||
	    write_at(fd, due, (const char *)h + due, sizeof(*h) - due) != 0 ||
	    write_at(fd, at.agents, m->agents,
		h->agent_count * sizeof(*m->agents)) != 0 ||
	    write_at(fd, at.clusters, m->clusters,
		h->cluster_count * sizeof(*m->clusters)) != 0)
		return -1;
	(void)FAULT_POINT("mirror");
	return write_at(fd, at.allocations, m->allocations,
		   h->allocation_count * sizeof(*m->allocations)) != 0 ||
		write_at(fd, at.partitions, m->partitions,
		    h->partition_high * sizeof(*m->partitions)) != 0 ?
	    -1 :
	    0;
}

/* Refuse, with a remedy, because the file could not be made. */
static int
refuse_size(const char *path, uint64_t size, int number, struct error *e)
{
	(void)error_set_number(e, number,
	    "cannot make registry %s of %llu bytes", path,
	    (unsigned long long)size);
	return number != ENOSPC && number != EDQUOT ?
	    -1 :
	    error_append(e,
		"; make room there, or set IPUBOX_REGISTRY to a file "
		"elsewhere");
}

/* Allocate the file without holes, so that a full /dev/shm fails here. */
static int
reserve_file(int fd, const char *path, uint64_t size, struct error *e)
{
	int number = posix_fallocate(fd, 0, (off_t)size);

	if (FAULT_POINT("fallocate") != 0)
		number = errno;
	return number == 0 ? 0 : refuse_size(path, size, number, e);
}

int
mirror_fill(struct mirror *m, struct registry *r, const struct store *s,
    const struct renumber *moved, struct error *e)
{
	struct registry_header before, h;
	struct mirror new;

	if (registry_layout_read(r, &before, e) != 0)
		return -1;
	registry_layout_shape(&h, s, r->directory, &before);
	h.sequence = before.sequence;
	if (h.file_size > before.file_size &&
	    reserve_file(r->fd, r->path, h.file_size, e) != 0)
		return -1;
	mirror_copy_init(&new, &h);
	mirror_take_store(&new, s);
	mirror_copy_release(m);
	*m = new;
	mirror_copy_set_file(m, r);
	memcpy(r->id, h.id, sizeof(r->id));
	if (mirror_begin(m, r->fd) != 0)
		return error_set_errno(e, "cannot write registry %s", r->path);
	if (moved != NULL)
		renumber_slots(moved, &r->slots);
	if (write_all(m, r->fd) != 0 || mirror_end(m, r->fd) != 0)
		return error_set_errno(e, "cannot write registry %s", r->path);
	return 0;
}

/* Without a gap the slot after the last one is free. */
int
mirror_free_slot(const struct mirror *m)
{
	uint32_t i;

	for (i = 0; i < m->header.partition_high; i++)
		if (m->partitions[i].name[0] == '\0')
			return (int)i;
	return i < m->header.partition_capacity ? (int)i : -1;
}

int
mirror_find(const struct mirror *m, const char *name)
{
	uint32_t i;

	/* Free slots have the name "". */
	for (i = 0; i < m->header.partition_high && name[0] != '\0'; i++)
		if (strcmp(m->partitions[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* Allocate and write a whole mirror into an empty file. */
static int
write_new(int fd, const char *path, const char *directory,
    const struct store *s, struct error *e)
{
	struct registry_header h;
	struct mirror m;
	int status;

	registry_layout_shape(&h, s, directory, NULL);
	if (reserve_file(fd, path, h.file_size, e) != 0)
		return -1;
	mirror_copy_init(&m, &h);
	mirror_take_store(&m, s);
	status = write_all(&m, fd) == 0 ?
	    0 :
	    refuse_size(path, h.file_size, errno, e);
	mirror_copy_release(&m);
	return status;
}

/* Refuse because of rename(2).  In /dev/shm, which is sticky, only its owner
   and root may replace a file. */
static int
refuse_registry(const char *path, int number, struct error *e)
{
	(void)error_set_number(e, number, "cannot make registry %s", path);
	return number != EPERM ?
	    -1 :
	    error_append(e,
		"; the old one belongs to another user; that user or root must "
		"replace it");
}

/* Create the empty file under its temporary name.  -1: failed. */
static int
mirror_create_temporary(const char *temporary, struct error *e)
{
	int fd;

	/* A killed attempt may have left it; the directory's lock excludes
	   others. */
	(void)unlink(temporary);
	fd = FAULT_POINT("create") != 0 ?
	    -1 :
	    open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		0600);
	return fd != -1 ?
	    fd :
	    error_set_errno(e, "cannot make registry %s", temporary);
}

/* The file is complete under a temporary name before it is renamed, so the path
   always leads to the old file or the whole new one. */
int
mirror_create(const char *path, const char *directory, const struct store *s,
    struct error *e)
{
	char *temporary = xasprintf("%s.new", path);
	int fd = mirror_create_temporary(temporary, e), status = -1;

	if (fd == -1) {
		free(temporary);
		return -1;
	}
	if (write_new(fd, temporary, directory, s, e) == 0 &&
	    ownership_share_registry(directory, fd, e) == 0)
		status = FAULT_POINT("rename") != 0 ||
			rename(temporary, path) != 0 ?
		    refuse_registry(path, errno, e) :
		    0;
	(void)close(fd);
	if (status != 0)
		(void)unlink(temporary);
	free(temporary);
	return status;
}

/* A file of the right size is really created and removed again.  The rename
   cannot be tried, so the rule of sticky directories is checked. */
int
mirror_check_create(const char *path, const char *directory,
    const struct store *s, struct error *e)
{
	struct registry_header h;
	struct stat above, old;
	char *temporary = xasprintf("%s.new", path);
	char *folder = path_directory_name(path);
	int fd = mirror_create_temporary(temporary, e);
	int status = fd == -1 ? -1 : 0;

	registry_layout_shape(&h, s, directory, NULL);
	if (fd != -1) {
		status = reserve_file(fd, temporary, h.file_size, e);
		(void)close(fd);
		(void)unlink(temporary);
	}
	if (status == 0 && geteuid() != 0 && stat(folder, &above) == 0 &&
	    (above.st_mode & S_ISVTX) != 0 && above.st_uid != geteuid() &&
	    lstat(path, &old) == 0 && old.st_uid != geteuid())
		status = refuse_registry(path, EPERM, e);
	free(folder);
	free(temporary);
	return status;
}

int
mirror_create_private(const char *directory, const struct store *s,
    struct error *e)
{
	int fd = memfd_create("ipubox-registry", MFD_CLOEXEC);

	if (fd == -1)
		return error_set_errno(e, "no memory for a registry");
	if (write_new(fd, "in memory", directory, s, e) == 0)
		return fd;
	(void)close(fd);
	return -1;
}
