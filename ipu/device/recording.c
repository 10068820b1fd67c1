/*
 * Recordings: writing and reading the looks of a file.  Read recording.h first,
 * then struct recording: writer and reader keep the same last look, and the
 * file has the differences.
 */
#include "ipu/device/recording.h"

#include <sys/stat.h>

#include <bsd/string.h>
#include <ipubox_v1.pb.h>

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/server/wire.h"

static const char magic[8] = { 'i', 'p', 'u', 'r', 'e', 'c', '1', '\n' };

enum {
	LOOK_BYTES_MAX = 1 << 28,
	RING_BYTES = 5, /* a word of a ring, with its place */
	/* The members of a slot that describe its holder. */
	HOLDER_FIRST = offsetof(struct ipu_slot, pid),
	HOLDER_BYTES = offsetof(struct ipu_slot, busy_ns) - HOLDER_FIRST
};

struct recording {
	char *path;
	int fd;
	bool commands; /* write whole command lines */
	int count;     /* number of looks so far */
	/* The last look. */
	int64_t now_ns;		  /* 0: none yet */
	struct snapshot snapshot; /* set when reading */
	unsigned char *pod;	  /* when writing: the encoded snapshot */
	size_t pod_size;
	struct registry_image_ipu *ipus; /* by number */
	int ipu_count;
	char partition[NAME_SIZE]; /* the active one, or "" */
	int gcd;		   /* -1: all */
	struct holder_place place;
};

static struct recording *
recording_new(const char *path)
{
	struct recording *r = xcalloc(1, sizeof(*r));

	r->path = xstrdup(path);
	r->fd = r->gcd = -1;
	return r;
}

void
recording_close(struct recording *r)
{
	if (r == NULL)
		return;
	if (r->fd != -1)
		(void)close(r->fd);
	snapshot_release(&r->snapshot);
	free(r->pod);
	free(r->ipus);
	free(r->path);
	free(r);
}

int64_t
recording_now_ns(const struct recording *r)
{
	return r->now_ns;
}

/* Begin with IPUs that show nothing, unless there are as many already. */
static void
make_ipus(struct recording *r, int count)
{
	int i;

	if (r->ipu_count == count && r->ipus != NULL)
		return;
	free(r->ipus);
	r->ipus = xcalloc((size_t)count + 1, sizeof(*r->ipus));
	r->ipu_count = count;
	for (i = 0; i < count; i++)
		r->ipus[i].ipu = i;
}

/* Copy or remove what describes the holder. */
static void
copy_holder(struct registry_image_ipu *to,
    const struct registry_image_ipu *from)
{
	to->is_held = from->is_held;
	memcpy((char *)&to->slot + HOLDER_FIRST,
	    (const char *)&from->slot + HOLDER_FIRST, HOLDER_BYTES);
	to->slot.flags = from->slot.flags;
}

/* ---- writing ---- */

struct recording *
recording_create(const char *path, bool commands, struct error *e)
{
	struct recording *r = recording_new(path);

	r->commands = commands;
	r->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (r->fd == -1 && errno == EEXIST)
		(void)error_set_code(e, ERROR_EXISTS,
		    "%s exists already; name a new file", path);
	else if (r->fd == -1 || file_put(r->fd, magic, sizeof(magic)) != 0)
		(void)error_set_errno(e, "cannot write %s", path);
	else
		return r;
	recording_close(r);
	return NULL;
}

/* Read an IPU of the look, with the command that the file may have. */
static void
read_slot(const struct recording *r, const struct registry *registry, int ipu,
    struct registry_image_ipu *out)
{
	char command[SLOT_COMMAND_SIZE];

	memset(out, 0, sizeof(*out));
	out->ipu = ipu;
	out->is_held = registry_holder(registry, ipu, &out->slot);
	if (!out->is_held)
		registry_copy(registry, ipu, &out->slot);
	atomic_store(&out->slot.sequence, 0);
	atomic_store(&out->slot.soc_error, registry_faults(registry, ipu));
	if (r->commands)
		holder_command(&out->slot, r->place.reader, command);
	else
		holder_program(out->slot.command, command, sizeof(command));
	memset(out->slot.command, 0, sizeof(out->slot.command));
	(void)strlcpy(out->slot.command, command, sizeof(out->slot.command));
}

/* Put the words of the ring that differ. */
static void
put_ring(const struct busy_ring *before, const struct busy_ring *now,
    ipubox_v1_LookIpu *m)
{
	unsigned char *at;
	uint32_t word;
	int i;

	m->ring = xcalloc(1,
	    PB_BYTES_ARRAY_T_ALLOCSIZE(RING_BYTES * BUSY_RING_SECONDS));
	for (i = 0; i < BUSY_RING_SECONDS; i++) {
		word = atomic_load(&now->words[i]);
		if (word == atomic_load(&before->words[i]))
			continue;
		at = m->ring->bytes + m->ring->size;
		at[0] = (unsigned char)i;
		bits_put_le32(at + 1, word);
		m->ring->size += RING_BYTES;
	}
}

/* Put the difference of an IPU, and keep it as the last. */
static void
put_ipu(struct registry_image_ipu *last, const struct registry_image_ipu *now,
    ipubox_v1_LookIpu *m)
{
	static const struct registry_image_ipu no_holder;
	struct registry_image_ipu plain = *now;

	put_ring(&last->slot.ring, &now->slot.ring, m);
	copy_holder(&plain, last);
	m->same_holder = memcmp(&plain, now, sizeof(plain)) == 0;
	copy_holder(&plain, m->same_holder ? &no_holder : now);
	memset(&plain.slot.ring, 0, sizeof(plain.slot.ring));
	m->has_ipu = true;
	wire_snapshot_put_ipu(&plain, &m->ipu);
	*last = *now;
}

static void
put_ipus(struct recording *r, const struct registry *registry,
    ipubox_v1_Look *m)
{
	struct registry_image_ipu now;
	int i;

	m->ipus = xcalloc((size_t)r->ipu_count + 1, sizeof(*m->ipus));
	for (i = 0; i < r->ipu_count; i++) {
		read_slot(r, registry, i, &now);
		if (memcmp(&now, &r->ipus[i], sizeof(now)) != 0)
			put_ipu(&r->ipus[i], &now, &m->ipus[m->ipus_count++]);
	}
}

/* Put the pod and its partitions if they have changed.  The numbers of a
   server's snapshots do not tell. */
static int
put_snapshot(struct recording *r, const struct snapshot *s, ipubox_v1_Look *m,
    struct error *e)
{
	unsigned char *pod;
	size_t size;

	wire_snapshot_put(s, 0, &m->snapshot);
	m->snapshot.sequence = 0;
	pod = rpc_message_encode(ipubox_v1_Snapshot_fields, &m->snapshot, &size,
	    e);
	if (pod == NULL)
		return -1;
	m->has_snapshot = size != r->pod_size || memcmp(pod, r->pod, size) != 0;
	free(r->pod);
	r->pod = pod;
	r->pod_size = size;
	make_ipus(r, pod_ipu_count(&s->pod));
	return 0;
}

/* Write the size and the bytes at once. */
static int
write_look(struct recording *r, const ipubox_v1_Look *m, struct error *e)
{
	unsigned char *bytes, *all;
	uint32_t head;
	size_t size;
	int status;

	bytes = rpc_message_encode(ipubox_v1_Look_fields, m, &size, e);
	if (bytes == NULL)
		return -1;
	head = htobe32((uint32_t)size);
	all = xmalloc(sizeof(head) + size);
	memcpy(all, &head, sizeof(head));
	memcpy(all + sizeof(head), bytes, size);
	free(bytes);
	status = file_put(r->fd, (const char *)all, sizeof(head) + size);
	free(all);
	return status == 0 ? 0 : error_set_errno(e, "cannot write %s", r->path);
}

int
recording_add(struct recording *r, const struct device_look *l, struct error *e)
{
	ipubox_v1_Look m = ipubox_v1_Look_init_zero;
	const struct visible_devices *v = &l->view;
	int status;

	holder_place_of(&r->place, &l->registry);
	m.now_ns = l->registry.frozen_ns;
	status = put_snapshot(r, &v->snapshot, &m, e);
	put_ipus(r, &l->registry, &m);
	m.partition =
	    text_to_utf8(v->partition != NULL ? v->partition->name : "");
	m.gcd = (uint32_t)(v->gcd + 1);
	m.host = text_to_utf8(r->place.host);
	m.pid_namespace = r->place.pid_namespace;
	m.uid = r->place.reader;
	if (status == 0)
		status = write_look(r, &m, e);
	m.has_snapshot = true; /* so that it is released */
	rpc_message_release(ipubox_v1_Look_fields, &m);
	r->count++;
	return status;
}

/* ---- reading ---- */

struct recording *
recording_open(const char *path, struct error *e)
{
	struct recording *r = recording_new(path);
	char head[sizeof(magic)];
	struct stat st;

	/* O_NONBLOCK: opening a FIFO does not wait for its writer. */
	r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (r->fd == -1 || fstat(r->fd, &st) != 0)
		(void)error_set_errno(e, "cannot read %s", path);
	else if (!S_ISREG(st.st_mode))
		(void)error_set_code(e, ERROR_INVALID,
		    "%s is not a regular file", path);
	else if (read(r->fd, head, sizeof(head)) != (ssize_t)sizeof(head) ||
	    memcmp(head, magic, sizeof(magic)) != 0)
		(void)error_set_code(e, ERROR_INVALID,
		    "%s is not a recording of this version of gc-monitor",
		    path);
	else
		return r;
	recording_close(r);
	return NULL;
}

/* Read that many bytes.  Returns the number that the file has. */
static size_t
read_bytes(int fd, unsigned char *bytes, size_t size)
{
	size_t done = 0;
	ssize_t n;

	while (done < size && (n = read(fd, bytes + done, size - done)) > 0)
		done += (size_t)n;
	return done;
}

/* Read the bytes of the next look, which the caller frees.  Returns 1, 0 at the
   end of the file, or -1. */
static int
read_look(int fd, unsigned char **bytes, size_t *size, struct error *e)
{
	uint32_t head = 0;
	const size_t n = read_bytes(fd, (unsigned char *)&head, sizeof(head));
	const off_t here = lseek(fd, 0, SEEK_CUR);
	struct stat st;

	if (n == 0)
		return 0;
	*size = be32toh(head);
	if (n == sizeof(head) && *size > LOOK_BYTES_MAX)
		return error_set(e, "is damaged: its size is %zu bytes", *size);
	if (n < sizeof(head) || here < 0 || fstat(fd, &st) != 0 ||
	    (off_t)*size > st.st_size - here)
		return error_set(e, "is cut off: the file ends in it");
	*bytes = xmalloc(*size + 1);
	return read_bytes(fd, *bytes, *size) == *size ?
	    1 :
	    error_set(e, "cannot be read");
}

/* Apply the words of the ring that differ. */
static int
get_ring(const ipubox_v1_LookIpu *m, struct busy_ring *ring, struct error *e)
{
	const unsigned char *at;
	size_t i;

	if (m->ring == NULL)
		return 0;
	if (m->ring->size % RING_BYTES != 0)
		return error_set(e, "a ring is incomplete");
	for (i = 0; i < m->ring->size; i += RING_BYTES) {
		at = m->ring->bytes + i;
		if (at[0] >= BUSY_RING_SECONDS)
			return error_set(e, "a ring has no second %d", at[0]);
		atomic_store(&ring->words[at[0]], bits_get_le32(at + 1));
	}
	return 0;
}

/* Apply the difference of an IPU. */
static int
get_ipu(struct recording *r, const ipubox_v1_LookIpu *m, struct error *e)
{
	struct registry_image_ipu now, *last;

	if (!m->has_ipu)
		return error_set(e, "an IPU is incomplete");
	if (wire_snapshot_get_ipu(&m->ipu, &r->snapshot.pod, &now, e) != 0)
		return -1;
	last = &r->ipus[now.ipu];
	if (m->same_holder)
		copy_holder(&now, last);
	now.slot.ring = last->slot.ring;
	if (get_ring(m, &now.slot.ring, e) != 0)
		return -1;
	*last = now;
	return 0;
}

static int
get_look(struct recording *r, const ipubox_v1_Look *m, struct error *e)
{
	struct snapshot s;
	pb_size_t i;

	if (m->now_ns <= 0 || m->gcd > POD_IPUS_MAX)
		return error_set(e, "it has no moment");
	if (!m->has_snapshot && r->count == 0)
		return error_set(e, "it has no pod");
	if (m->has_snapshot) {
		if (wire_snapshot_get(&m->snapshot, &s, e) != 0)
			return -1;
		snapshot_release(&r->snapshot);
		r->snapshot = s;
		make_ipus(r, pod_ipu_count(&s.pod));
	}
	for (i = 0; i < m->ipus_count; i++)
		if (get_ipu(r, &m->ipus[i], e) != 0)
			return -1;
	r->now_ns = m->now_ns;
	r->gcd = (int)m->gcd - 1;
	(void)strlcpy(r->partition, m->partition != NULL ? m->partition : "",
	    sizeof(r->partition));
	memset(&r->place, 0, sizeof(r->place));
	text_printable(m->host != NULL ? m->host : "", r->place.host,
	    sizeof(r->place.host));
	r->place.pid_namespace = m->pid_namespace;
	r->place.reader = m->uid;
	return 0;
}

int
recording_step(struct recording *r, struct error *e)
{
	ipubox_v1_Look m = ipubox_v1_Look_init_zero;
	unsigned char *bytes = NULL;
	struct error reason;
	size_t size;
	int status = read_look(r->fd, &bytes, &size, &reason);

	if (status == 1 &&
	    rpc_message_decode(ipubox_v1_Look_fields, bytes, size, &m, NULL) !=
		0)
		status = error_set(&reason, "is damaged: it is not a message");
	else if (status == 1) {
		if (get_look(r, &m, &reason) != 0)
			status = error_prefix(&reason, "is damaged");
		rpc_message_release(ipubox_v1_Look_fields, &m);
	}
	free(bytes);
	if (status == -1)
		return error_set_code(e, ERROR_INVALID, "%s: look %d %s",
		    r->path, r->count + 1, reason.text);
	r->count += status;
	return status;
}

/* Choose the partition: that of the environment, else the recorder's. */
static int
choose_partition(const struct recording *r, struct visible_name *name,
    struct error *e)
{
	if (variable_get("IPUOF_VIPU_API_PARTITION_ID") != NULL)
		return visible_devices_name(name, true, e);
	memset(name, 0, sizeof(*name));
	(void)strlcpy(name->source, r->path, sizeof(name->source));
	(void)strlcpy(name->reference.partition, r->partition,
	    sizeof(name->reference.partition));
	name->reference.gcd = r->gcd;
	return 0;
}

int
recording_look(const struct recording *r, bool all, struct device_look *l,
    struct error *e)
{
	struct visible_name name;
	int status;

	memset(l, 0, sizeof(*l));
	if (choose_partition(r, &name, e) != 0 ||
	    registry_image_open(&l->registry, r->path, &r->snapshot, r->ipus,
		r->ipu_count, e) != 0)
		return -1;
	l->registry.place = xcalloc(1, sizeof(r->place));
	*l->registry.place = r->place;
	if (all && snapshot_find(&r->snapshot, name.reference.partition) == -1)
		name.reference.partition[0] = '\0';
	status = visible_devices_open_name(&l->view, &l->registry, &name, e);
	if (status != 0)
		registry_close(&l->registry);
	else
		snapshot_freeze(&l->view.snapshot, &l->registry, r->now_ns);
	return status;
}
