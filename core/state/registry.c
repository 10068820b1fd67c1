/*
 * The registry for readers and attaching programs: opening and checking both
 * files, finding holders of IPUs, and waiting until they give them back.
 */
#include "core/state/registry.h"

#include <sys/inotify.h>
#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fault.h"
#include "core/state/owner_lock.h"
#include "core/state/ownership.h"
#include "core/state/paths.h"
#include "core/state/registry_layout.h"
#include "core/state/state.h"
#include "core/state/state_internal.h"

/* Open the mirror by its path; -1 leaves no descriptor open. */
static int
open_mirror(struct registry *r, const struct state_paths *paths,
    struct error *e)
{
	struct registry_header h;
	struct stat st;

	/* O_NONBLOCK: a planted FIFO must not block us. */
	r->fd = open(r->path,
	    (r->use == REGISTRY_CHANGE ? O_RDWR : O_RDONLY) | O_CLOEXEC |
		O_NOFOLLOW | O_NONBLOCK);
	if (r->fd == -1 && errno == ELOOP)
		return error_set_code(e, ERROR_UNSAFE,
		    "registry %s is a symbolic link; remove it, or set "
		    "IPUBOX_REGISTRY",
		    r->path);
	if (r->fd == -1)
		return error_set_errno(e, "cannot open registry %s", r->path);
	if (fstat(r->fd, &st) != 0)
		(void)error_set_errno(e, "registry %s", r->path);
	else if (ownership_check_registry(paths, &st, e) == 0 &&
	    registry_layout_read(r, &h, e) == 0) {
		memcpy(r->id, h.id, sizeof(r->id));
		return 0;
	}
	(void)close(r->fd);
	r->fd = -1;
	return -1;
}

int
registry_open(struct registry *r, const struct state_paths *paths,
    enum registry_use use, struct error *e)
{
	struct error reason;

	memset(r, 0, sizeof(*r));
	r->fd = r->slots.fd = -1;
	r->use = use;
	(void)strlcpy(r->directory, paths->directory, sizeof(r->directory));
	if (strlcpy(r->path, paths->registry, sizeof(r->path)) >=
	    sizeof(r->path))
		return error_set_number(e, ENAMETOOLONG, "registry %s",
		    paths->registry);
	if (open_mirror(r, paths, e) != 0)
		return -1;
	if (slots_open(&r->slots, paths, use != REGISTRY_READ, &reason) == 0 ||
	    (use == REGISTRY_CHANGE &&
		(reason.code == ERROR_NOT_FOUND || reason.code == ERROR_STALE)))
		return 0;
	registry_close(r);
	return error_copy(e, &reason);
}

void
registry_close(struct registry *r)
{
	registry_thaw(r);
	slots_close(&r->slots);
	if (r->is_image && r->holders != -1)
		(void)close(r->holders);
	r->is_image = false;
	free(r->place);
	r->place = NULL;
	if (r->fd != -1)
		(void)close(r->fd);
	r->fd = -1;
}

int64_t
registry_due(const struct registry *r)
{
	int64_t due_ms;

	return pread(r->fd, &due_ms, sizeof(due_ms),
		   (off_t)offsetof(struct registry_header, due_ms)) ==
		(ssize_t)sizeof(due_ms) ?
	    due_ms :
	    0;
}

/* If it cannot be written, the next process finds the old time. */
void
registry_set_due(struct registry *r, int64_t due_ms)
{
	(void)!pwrite(r->fd, &due_ms, sizeof(due_ms),
	    (off_t)offsetof(struct registry_header, due_ms));
}

/* Part of the header that shows its last change. */
struct registry_moment {
	uint32_t sequence;
	uint32_t dirty;
	uint32_t retired;
	uint32_t reserved;
	int64_t due_ms;
};

_Static_assert(offsetof(struct registry_header, due_ms) -
	    offsetof(struct registry_header, sequence) ==
	offsetof(struct registry_moment, due_ms),
    "layout");
_Static_assert(offsetof(struct registry_header, retired) -
	    offsetof(struct registry_header, sequence) ==
	offsetof(struct registry_moment, retired),
    "layout");

uint32_t
registry_revision(const struct registry *r, int64_t *due_ms)
{
	struct registry_moment m;

	if (pread(r->fd, &m, sizeof(m),
		(off_t)offsetof(struct registry_header, sequence)) !=
		(ssize_t)sizeof(m) ||
	    m.sequence % 2 != 0 || m.dirty != 0 || m.retired != 0)
		return 0;
	*due_ms = m.due_ms;
	return m.sequence;
}

int
registry_ipu_count(const struct registry *r)
{
	struct registry_header h;

	return registry_layout_read(r, &h, NULL) != 0 ?
	    0 :
	    (int)h.agent_count * IPUS_PER_MACHINE;
}

struct ipu_slot *
registry_slot(const struct registry *r, int ipu)
{
	return slots_at(&r->slots, ipu);
}

uint32_t
registry_faults(const struct registry *r, int ipu)
{
	return r->frozen != NULL ? slots_frozen_faults(r->frozen, ipu) :
				   slots_faults(&r->slots, ipu);
}

void
registry_set_faults(struct registry *r, int ipu, uint32_t set)
{
	struct ipu_slot *slot = slots_at(&r->slots, ipu);

	if (slot != NULL)
		(void)atomic_fetch_or(&slot->soc_error, set);
}

void
registry_clear_faults(struct registry *r, int ipu, uint32_t set)
{
	struct ipu_slot *slot = slots_at(&r->slots, ipu);

	/* Most IPUs have none; a write would bring the slot's page into
	   memory. */
	if (slot != NULL && (slots_faults(&r->slots, ipu) & set) != 0)
		(void)atomic_fetch_and(&slot->soc_error, ~set);
}

void
registry_mark_lost(struct registry *r, int ipu)
{
	struct ipu_slot *slot = slots_at(&r->slots, ipu);

	if (slot != NULL)
		atomic_store(&slot->lost, 1);
}

int
registry_held(const struct registry *r, int first, int count)
{
	return slots_held(&r->slots, first, count);
}

bool
registry_is_current(const struct registry *r)
{
	return r->fd != -1 && slots_is_file(r->fd, r->path) &&
	    (r->slots.fd == -1 || slots_are_current(&r->slots));
}

int
registry_attach(struct registry *r, int first, int count, int *holder,
    struct error *e)
{
	int status;

	*holder = -1;
	if (first < 0 || count < 1 || count > registry_ipu_count(r) - first ||
	    count > r->slots.count - first)
		return error_set_reason(e, EINVAL);
	if (slots_take(&r->slots, first, count) != 0) {
		if (errno != EACCES && errno != EAGAIN)
			return error_set_reason(e, errno);
		*holder = registry_held(r, first, count);
		(void)error_set_reason(e, EAGAIN);
		return error_recode(e, ERROR_BUSY);
	}
	/* A new pod is put in place with all IPUs held, so a later attacher
	   sees another file here.  A process that changes the state has its
	   lock; for a program, a server may have started meanwhile. */
	if (registry_is_current(r))
		status = r->use == REGISTRY_ATTACH ?
		    server_lock_check_path(r->directory, e) :
		    0;
	else
		status = error_set_reason(e, ESTALE);
	if (status != 0) {
		(void)registry_detach(r, first, count);
		(void)error_recode(e, ERROR_STALE);
	}
	return status;
}

int
registry_detach(struct registry *r, int first, int count)
{
	return slots_give_back(&r->slots, first, count);
}

int
registry_announce(struct registry *r, int first, int count)
{
	return slots_announce(&r->slots, first, count);
}

void
registry_copy(const struct registry *r, int ipu, struct ipu_slot *copy)
{
	if (r->frozen != NULL)
		slots_frozen_read(r->frozen, ipu, copy);
	else
		slots_read(&r->slots, ipu, copy);
}

bool
registry_ring(const struct registry *r, int ipu, struct busy_ring *ring)
{
	static const struct busy_ring none;
	struct ipu_slot slot;

	if (r->frozen != NULL)
		return slots_frozen_ring(r->frozen, ipu, ring);
	slots_read(&r->slots, ipu, &slot);
	*ring = slot.ring;
	return memcmp(ring, &none, sizeof(none)) != 0;
}

/* A holder clears its slot before it drops the locks, so an empty slot means
   that the hold is ending. */
bool
registry_holder(const struct registry *r, int ipu, struct ipu_slot *copy)
{
	int first = ipu, count = 1;

	if (r->frozen != NULL ? !slots_frozen_is_held(r->frozen, ipu) :
				!slots_find_holder(&r->slots, &first, &count))
		return false;
	registry_copy(r, ipu, copy);
	return copy->pid != 0;
}

void
registry_freeze(struct registry *r, int64_t now_ns)
{
	registry_thaw(r);
	r->frozen = slots_frozen_new(&r->slots, registry_ipu_count(r), now_ns);
	r->frozen_ns = now_ns;
}

void
registry_thaw(struct registry *r)
{
	slots_frozen_free(r->frozen);
	r->frozen = NULL;
}

enum {
	LOOK_MS = 1000,	  /* without notification */
	LOCK_GONE_MS = 20 /* from the end of a program to the release of its
			     locks */
};

void
registry_watch_init(struct registry_watch *w, const struct registry *r)
{
	w->ended = false;
	w->changes = FAULT_POINT("inotify") != 0 ?
	    -1 :
	    inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (w->changes != -1)
		(void)inotify_add_watch(w->changes, r->slots.path,
		    IN_CLOSE_WRITE);
}

void
registry_watch_release(struct registry_watch *w)
{
	if (w->changes != -1)
		(void)close(w->changes);
	w->changes = -1;
}

/* The kernel notifies a moment before it drops the locks, so the wait after a
   notification is short. */
void
registry_watch_wait(struct registry_watch *w)
{
	struct pollfd fd = { .fd = w->changes, .events = POLLIN };
	char buffer[4096];
	int notified;

	/* A descriptor of -1 is never ready. */
	notified = poll(&fd, 1, w->ended ? LOCK_GONE_MS : LOOK_MS);
	w->ended = notified == 1;
	if (notified == 1)
		while (read(w->changes, buffer, sizeof(buffer)) > 0)
			;
}
