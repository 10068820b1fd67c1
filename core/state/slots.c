/*
 * The slots' file: opening and checking it, making and growing it, and finding
 * holders of IPUs.  Read slots.h first, which has a drawing.
 */
#include "core/state/slots.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fault.h"
#include "core/base/files/bus_guard.h"
#include "core/base/text.h"
#include "core/state/ownership.h"
#include "core/state/paths.h"
#include "core/state/registry.h"
#include "core/state/state_internal.h"

enum { SLOTS_VERSION = 5 };

/* Offset of the lock bytes: an IPU's is LOCK_IPUS plus its number.  Every
   version has the same, so that versions see each other's attachments. */
#define LOCK_IPUS ((int64_t)1 << 40)

/* Offset of the locks on the slots' descriptions.  An IPU's holder takes it
   once it has written the slot's fields.  The kernel drops both locks of an IPU
   at once when the holder dies.  So while this one is held, the fields are
   those of the living holder, not of a dead one before it. */
#define LOCK_WORDS (LOCK_IPUS + ((int64_t)1 << 32))

/*
 * Other users may write and truncate the file.  So counts are checked against
 * the file's size, readers copy, and processes that map the file have a guard
 * (core/base/files/bus_guard.h).
 */

static const char slots_magic[8] = { 'i', 'p', 'u', 's', 'l', 'o', 't', '\n' };

/* Kinds of contents: see look_at_header(). */
enum slots_kind {
	SLOTS_OURS,    /* of this version, of any state */
	SLOTS_DAMAGED, /* no valid header, or too short */
	SLOTS_OTHER_VERSION
};

/* Return the size of a file with that many slots.  It is also the offset of the
   slot with that number. */
static uint64_t
slots_size(int count)
{
	return sizeof(struct slots_header) +
	    (uint64_t)count * sizeof(struct ipu_slot);
}

/* Copy the paths, with that of the slots' file in place of the registry's. */
static int
slots_paths(const struct state_paths *paths, struct state_paths *out,
    struct error *e)
{
	*out = *paths;
	return strlcat(out->registry, ".slots", sizeof(out->registry)) <
		sizeof(out->registry) ?
	    0 :
	    error_set_number(e, ENAMETOOLONG, "registry %s", paths->registry);
}

/* Read the header, and check it against the file's size. */
static enum slots_kind
look_at_header(int fd, struct slots_header *h)
{
	struct stat st;

	if (pread(fd, h, sizeof(*h), 0) != (ssize_t)sizeof(*h) ||
	    fstat(fd, &st) != 0 ||
	    memcmp(h->magic, slots_magic, sizeof(slots_magic)) != 0)
		return SLOTS_DAMAGED;
	if (h->version != SLOTS_VERSION ||
	    h->slot_size != sizeof(struct ipu_slot))
		return SLOTS_OTHER_VERSION;
	return h->count <= POD_IPUS_MAX &&
		slots_size((int)h->count) <= (uint64_t)st.st_size ?
	    SLOTS_OURS :
	    SLOTS_DAMAGED;
}

/* Open the file and set s->fd and s->path.  With O_CREAT in `flags`, create it.
   Refuses what registry_open() refuses. */
static int
open_file(struct slots *s, const struct state_paths *paths, int flags,
    struct error *e)
{
	struct state_paths at;
	struct stat st;

	s->fd = -1;
	if (slots_paths(paths, &at, e) != 0)
		return -1;
	(void)strlcpy(s->path, at.registry, sizeof(s->path));
	/* O_NONBLOCK: a planted FIFO must not block us. */
	s->fd = open(s->path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
	    0600);
	if (s->fd == -1 && errno == ELOOP)
		return error_set_code(e, ERROR_UNSAFE,
		    "registry %s is a symbolic link; remove it, or set "
		    "IPUBOX_REGISTRY",
		    s->path);
	if (s->fd == -1)
		return error_set_errno(e, "cannot open registry %s", s->path);
	if (fstat(s->fd, &st) != 0)
		(void)error_set_errno(e, "registry %s", s->path);
	else if (!S_ISREG(st.st_mode))
		(void)error_set_code(e, ERROR_UNSAFE,
		    "registry %s is not a regular file; remove it, or set "
		    "IPUBOX_REGISTRY",
		    s->path);
	else if (ownership_check_registry(&at, &st, e) == 0)
		return 0;
	(void)close(s->fd);
	s->fd = -1;
	return -1;
}

/* Map the header and s->count slots for writing, with a guard against
   SIGBUS. */
static int
map_slots(struct slots *s, struct error *e)
{
	void *map;

	s->size = (size_t)slots_size(s->count);
	map = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	if (map == MAP_FAILED)
		return error_set_errno(e, "cannot map registry %s", s->path);
	if (bus_guard_add(map, s->size, e) != 0) {
		(void)munmap(map, s->size);
		return -1;
	}
	s->map = map;
	return 0;
}

static void
unmap_slots(struct slots *s)
{
	if (s->map == NULL)
		return;
	bus_guard_remove(s->map);
	(void)munmap(s->map, s->size);
	s->map = NULL;
}

int
slots_open(struct slots *s, const struct state_paths *paths, bool writable,
    struct error *e)
{
	struct slots_header h;
	enum slots_kind kind;
	int status = 0;

	memset(s, 0, sizeof(*s));
	s->writable = writable;
	if (open_file(s, paths, writable ? O_RDWR : O_RDONLY, e) != 0)
		return -1;
	kind = look_at_header(s->fd, &h);
	if (kind != SLOTS_OURS)
		status = error_set_code(e, ERROR_STALE, "registry %s: %s",
		    s->path,
		    kind == SLOTS_DAMAGED ? "damaged" : "of another version");
	s->count = (int)h.count;
	if (status == 0 && writable)
		status = map_slots(s, e);
	if (status != 0)
		slots_close(s);
	return status;
}

void
slots_close(struct slots *s)
{
	unmap_slots(s);
	if (s->fd != -1)
		(void)close(s->fd);
	s->fd = -1;
	s->count = 0;
}

bool
slots_fit(const struct slots *s, const uint8_t *id, int ipus)
{
	struct slots_header h;

	return s->fd != -1 && s->count >= ipus &&
	    look_at_header(s->fd, &h) == SLOTS_OURS &&
	    memcmp(h.id, id, sizeof(h.id)) == 0;
}

bool
slots_is_file(int fd, const char *path)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && stat(path, &b) == 0 &&
	    a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

bool
slots_are_current(const struct slots *s)
{
	return s->fd != -1 && slots_is_file(s->fd, s->path);
}

bool
slots_are_cut(const struct slots *s)
{
	return s->map != NULL && bus_guard_was_hit(s->map);
}

/* Lock all IPUs before the contents are replaced.  ERROR_BUSY: a program is
   attached, and must not lose its slot. */
static int
lock_or_refuse(const struct slots *s, struct error *e)
{
	if (slots_lock_all(s->fd) == 0)
		return 0;
	return error_set_code(e, ERROR_BUSY,
	    "registry %s must be rebuilt, but programs are attached to IPUs "
	    "through it; end them first (nothing is lost: the partitions are "
	    "files)",
	    s->path);
}

int
slots_reserve(struct slots *s, const struct state_paths *paths, struct error *e)
{
	struct error reason;

	memset(s, 0, sizeof(*s));
	s->writable = true;
	if (open_file(s, paths, O_RDWR, &reason) != 0)
		return reason.code == ERROR_NOT_FOUND ?
		    0 :
		    error_copy(e, &reason);
	if (lock_or_refuse(s, e) == 0)
		return 0;
	slots_close(s);
	return -1;
}

/* Allocate room for that many slots, without holes: writing to a hole on a full
   /dev/shm would raise SIGBUS. */
static int
slots_extend(const struct slots *s, int count, struct error *e)
{
	uint64_t size = slots_size(count);
	int number = posix_fallocate(s->fd, 0, (off_t)size);

	if (FAULT_POINT("fallocate") != 0)
		number = errno;
	if (number == 0)
		return 0;
	(void)error_set_number(e, number,
	    "cannot make registry %s of %llu bytes", s->path,
	    (unsigned long long)size);
	return number != ENOSPC && number != EDQUOT ?
	    -1 :
	    error_append(e,
		"; make room there, or set IPUBOX_REGISTRY to a file "
		"elsewhere");
}

/* Write the header for that many slots of the state with that id. */
static int
write_header(const struct slots *s, const uint8_t *id, int count,
    struct error *e)
{
	struct slots_header h = { .version = SLOTS_VERSION,
		.slot_size = sizeof(struct ipu_slot),
		.count = (uint32_t)count };

	memcpy(h.magic, slots_magic, sizeof(h.magic));
	memcpy(h.id, id, sizeof(h.id));
	return pwrite(s->fd, &h, sizeof(h), 0) == (ssize_t)sizeof(h) ?
	    0 :
	    error_set_errno(e, "cannot write registry %s", s->path);
}

/* Return the slots to allocate: whole racks, and one more, so that a pod can
   gain machines while programs have the slots mapped.  For 64 IPUs: 128. */
static int
room_for(int ipus)
{
	int count = (ipus + 2 * ILD_IPUS_MAX - 1) / ILD_IPUS_MAX * ILD_IPUS_MAX;

	return count < POD_IPUS_MAX ? count : POD_IPUS_MAX;
}

/* Make the open file the slots of the state, for at least `ipus` IPUs.  Slots
   of another state or version are reset to 0.  If only the header was damaged,
   locks and slots are kept, because their places do not depend on it. */
static int
bring_in_order(struct slots *s, const uint8_t *id, int ipus, struct error *e)
{
	struct slots_header h;
	enum slots_kind kind = look_at_header(s->fd, &h);
	int count = room_for(ipus);
	bool other = kind == SLOTS_OTHER_VERSION ||
	    (kind == SLOTS_OURS && memcmp(h.id, id, sizeof(h.id)) != 0);

	if (other && lock_or_refuse(s, e) != 0)
		return -1;
	if (kind == SLOTS_OURS && (int)h.count > count)
		count = (int)h.count;
	if (slots_extend(s, count, e) != 0 ||
	    write_header(s, id, count, e) != 0)
		return -1;
	unmap_slots(s);
	s->count = count;
	if (map_slots(s, e) != 0)
		return -1;
	if (other) {
		memset(slots_at(s, 0), 0,
		    (size_t)count * sizeof(struct ipu_slot));
		/* Free the pages in this process; the file keeps them. */
		(void)madvise(s->map, s->size, MADV_DONTNEED);
	}
	return other ? slots_give_back(s, 0, POD_IPUS_MAX) : 0;
}

/* Open the existing file, or make one. */
static int
open_or_make(struct slots *s, const struct state_paths *paths, struct error *e)
{
	struct error reason;

	memset(s, 0, sizeof(*s));
	s->writable = true;
	if (open_file(s, paths, O_RDWR, &reason) == 0)
		return 0;
	if (reason.code != ERROR_NOT_FOUND)
		return error_copy(e, &reason);
	if (open_file(s, paths, O_RDWR | O_CREAT | O_EXCL, e) != 0)
		return -1;
	s->made = true;
	return 0;
}

int
slots_make_room(struct slots *s, const struct state_paths *paths, int ipus,
    struct error *e)
{
	if (s->fd == -1 && open_or_make(s, paths, e) != 0)
		return -1;
	return slots_extend(s, room_for(ipus), e);
}

void
slots_take_back(struct slots *s)
{
	slots_close(s);
	if (s->made)
		(void)unlink(s->path);
	s->made = false;
}

int
slots_prepare(struct slots *s, const struct state_paths *paths,
    const uint8_t *id, int ipus, struct error *e)
{
	if (s->fd != -1 && s->map != NULL && slots_fit(s, id, ipus))
		return 0;
	if (s->fd == -1 && open_or_make(s, paths, e) != 0)
		return -1;
	if (bring_in_order(s, id, ipus, e) == 0 &&
	    ownership_share_registry(paths->directory, s->fd, e) == 0)
		return 0;
	slots_take_back(s);
	return -1;
}

struct ipu_slot *
slots_at(const struct slots *s, int ipu)
{
	if (s->map == NULL || ipu < 0 || ipu >= s->count)
		return NULL;
	return (struct ipu_slot *)((char *)s->map +
		   sizeof(struct slots_header)) +
	    ipu;
}

/* Terminate the text, and make it safe for a terminal. */
static void
clean_text(char *text, size_t size)
{
	char shown[SLOT_COMMAND_SIZE];
	size_t i;

	text[size - 1] = '\0';
	/* Return early for printable ASCII: nearly all texts are, and a large
	   pod has many. */
	for (i = 0; text[i] >= ' ' && text[i] <= '~'; i++)
		;
	if (text[i] == '\0')
		return;
	text_printable(text, shown, sizeof(shown));
	(void)strlcpy(text, shown, size);
}

void
slots_clean(struct ipu_slot *copy)
{
	clean_text(copy->user, sizeof(copy->user));
	clean_text(copy->host, sizeof(copy->host));
	clean_text(copy->command, sizeof(copy->command));
}

int
slots_create_private(const uint8_t *id, int ipus, struct error *e)
{
	struct slots_header h = { .version = SLOTS_VERSION,
		.slot_size = sizeof(struct ipu_slot),
		.count = (uint32_t)ipus };
	int fd = memfd_create("ipubox-slots", MFD_CLOEXEC);

	memcpy(h.magic, slots_magic, sizeof(h.magic));
	memcpy(h.id, id, sizeof(h.id));
	if (fd != -1 && pwrite(fd, &h, sizeof(h), 0) == (ssize_t)sizeof(h) &&
	    ftruncate(fd, (off_t)slots_size(ipus)) == 0)
		return fd;
	(void)error_set_errno(e, "no memory for slots");
	if (fd != -1)
		(void)close(fd);
	return -1;
}

int
slots_put(const struct slots *s, int ipu, const struct ipu_slot *slot,
    struct error *e)
{
	return pwrite(s->fd, slot, sizeof(*slot), (off_t)slots_size(ipu)) ==
		(ssize_t)sizeof(*slot) ?
	    0 :
	    error_set_errno(e, "no memory for slots");
}

/* Copy a slot with pread(2), which raises no SIGBUS if the file was
   truncated. */
static bool
copy_slot(const struct slots *s, int ipu, struct ipu_slot *copy)
{
	return s->fd != -1 && ipu >= 0 && ipu < s->count &&
	    pread(s->fd, copy, sizeof(*copy), (off_t)slots_size(ipu)) ==
	    (ssize_t)sizeof(*copy);
}

uint32_t
slots_faults(const struct slots *s, int ipu)
{
	uint32_t faults;

	return s->fd != -1 && ipu >= 0 && ipu < s->count &&
		pread(s->fd, &faults, sizeof(faults),
		    (off_t)(slots_size(ipu) +
			offsetof(struct ipu_slot, soc_error))) ==
		    (ssize_t)sizeof(faults) ?
	    faults :
	    0;
}

/*
 * Copy a slot whole.  `sequence`, its first member, is a seqlock: the holder
 * makes it odd while writing, so a copy with the same even number before and
 * after is whole.  A holder that was killed while writing may leave it odd,
 * with the IPU's lock in a child.  So after 1000 tries any copy is taken.
 */
void
slots_read(const struct slots *s, int ipu, struct ipu_slot *copy)
{
	uint32_t after;
	int tries = 0;

	do {
		if (!copy_slot(s, ipu, copy) ||
		    pread(s->fd, &after, sizeof(after),
			(off_t)slots_size(ipu)) != (ssize_t)sizeof(after)) {
			memset(copy, 0, sizeof(*copy));
			return;
		}
	} while ((atomic_load(&copy->sequence) != after || after % 2 != 0) &&
	    ++tries < 1000);
	slots_clean(copy);
}

/*
 * Call fcntl(2) for open-file-description locks (F_OFD_*).  They belong to the
 * open file, not to the process: an inheriting child keeps them, and closing
 * another descriptor of the same file does not drop them.
 */
static int
lock_range(int fd, int command, short type, int64_t first, int64_t count,
    struct flock *lock)
{
	memset(lock, 0, sizeof(*lock)); /* l_pid must be 0 */
	lock->l_type = type;
	lock->l_whence = SEEK_SET;
	lock->l_start = (off_t)first;
	lock->l_len = (off_t)count;
	return fcntl(fd, command, lock);
}

int
slots_lock_all(int fd)
{
	struct flock lock;

	return lock_range(fd, F_OFD_SETLK, F_WRLCK, LOCK_IPUS, POD_IPUS_MAX,
	    &lock);
}

int
slots_take(struct slots *s, int first, int count)
{
	struct flock lock;

	return lock_range(s->fd, F_OFD_SETLK, F_WRLCK, LOCK_IPUS + first, count,
	    &lock);
}

int
slots_announce(struct slots *s, int first, int count)
{
	struct flock lock;

	return lock_range(s->fd, F_OFD_SETLK, F_WRLCK, LOCK_WORDS + first,
	    count, &lock);
}

int
slots_give_back(struct slots *s, int first, int count)
{
	struct flock lock;

	/* Unlock the descriptions first: once an IPU is unlocked, the next
	   holder may lock both. */
	(void)lock_range(s->fd, F_OFD_SETLK, F_UNLCK, LOCK_WORDS + first, count,
	    &lock);
	return lock_range(s->fd, F_OFD_SETLK, F_UNLCK, LOCK_IPUS + first, count,
	    &lock);
}

/* Find the lowest held IPU, so that a refusal always names the same one. */
int
slots_held(const struct slots *s, int first, int count)
{
	struct flock lock;
	int held = -1;

	/* The kernel names any conflicting lock, not the lowest: look again in
	   the range before it until there is none. */
	while (count > 0) {
		if (lock_range(s->fd, F_OFD_GETLK, F_WRLCK, LOCK_IPUS + first,
			count, &lock) != 0 ||
		    lock.l_type == F_UNLCK)
			break;
		held = (int)(lock.l_start - (off_t)LOCK_IPUS);
		if (held <= first)
			return first; /* the lock begins before the range */
		count = held - first;
	}
	return held;
}

bool
slots_find_holder(const struct slots *s, int *first, int *count)
{
	const int64_t from = LOCK_WORDS + *first, end = from + *count;
	struct flock lock;
	int64_t held_from, held_end;

	if (*count < 1 ||
	    lock_range(s->fd, F_OFD_GETLK, F_WRLCK, from, *count, &lock) != 0 ||
	    lock.l_type == F_UNLCK)
		return false;
	/* The lock may be longer than the range, or extend to the end of the
	   file. */
	held_from = lock.l_start > from ? lock.l_start : from;
	held_end = lock.l_len == 0 || lock.l_start + lock.l_len > end ?
	    end :
	    lock.l_start + lock.l_len;
	*first += (int)(held_from - from);
	*count = (int)(held_end - held_from);
	return true;
}
