/*
 * The registry for readers: a checked copy of the mirror (mirror_copy.h), with
 * partitions sorted by name.  An unusable mirror is repaired first.
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/pod/pod.h"
#include "core/state/commit.h"
#include "core/state/mirror_copy.h"
#include "core/state/paths.h"
#include "core/state/registry_layout.h"
#include "core/state/state.h"
#include "core/state/state_internal.h"

/* Limit of a change, unless its writer was stopped or killed. */
enum { CHANGE_MAX_MS = 500, LOOK_MS = 20 };

/* A removed directory is not made again; that is up to its user. */
static int
repair_existing(const struct registry *r, struct error *e)
{
	struct store_identity identity;
	struct directory d;
	int status;

	status = directory_open_resolved(&d, r->directory, e);
	if (status == 0)
		status = store_identify(&d, &identity, e);
	directory_close(&d);
	if (status == 0 && memcmp(identity.id, r->id, STORE_ID_SIZE) != 0)
		status = error_set(e, "%s is another state", r->directory);
	if (status != 0)
		return error_prefix(e,
		    "registry %s was left half written and cannot be repaired",
		    r->path);
	return state_repair(r->directory, r->path, e);
}

/* A read that ends as soon as no writer interferes. */
struct look {
	int64_t start_ms; /* 0: no interference yet */
	bool repaired;
};

/*
 * Handle interference; 0: reading again helps.  If the lock is free after
 * LOOK_MS, the writer was killed in mid-change, and a repair follows.  A
 * stopped writer is awaited for at most CHANGE_MAX_MS.
 */
static int
look_wait(struct look *l, const struct registry *r, struct error *e)
{
	int64_t waited;

	if (l->start_ms == 0)
		l->start_ms = clock_monotonic_ms();
	waited = clock_monotonic_ms() - l->start_ms;
	if (waited > LOOK_MS && !l->repaired) {
		l->repaired = true;
		if (!state_has_writer(r->directory) &&
		    repair_existing(r, e) != 0)
			return -1;
	}
	if (waited > CHANGE_MAX_MS)
		return error_set_code(e, ERROR_UNAVAILABLE,
		    "a program was stopped while it changed the state of %s",
		    r->directory);
	(void)sched_yield();
	return 0;
}

/* Handle an unusable copy; 0: repaired, and reading again helps.  Files private
   to this process are not repaired. */
static int
look_repair(struct look *l, const struct registry *r, const struct error *why,
    struct error *e)
{
	struct error reason;

	if (why->code != ERROR_STALE || l->repaired || r->is_private ||
	    state_has_writer(r->directory))
		return error_copy(e, why);
	l->repaired = true;
	if (repair_existing(r, &reason) == 0)
		return 0;
	(void)error_copy(e, why);
	return error_append(e,
	    "; any command of a user with write access to the state rebuilds "
	    "it (nothing is lost: the partitions are files)");
}

/* Make a good copy of the mirror in the open file, which may be retired. */
static int
copy_mirror(const struct registry *r, struct mirror *m, struct error *e)
{
	struct look look = { .start_ms = 0 };
	struct error reason;
	int status = 0;

	while (status == 0)
		switch (mirror_copy_again(m, r, &reason)) {
		case MIRROR_COPY_GOOD:
			return 0;
		case MIRROR_COPY_BUSY:
			status = look_wait(&look, r, e);
			break;
		case MIRROR_COPY_BAD:
			status = look_repair(&look, r, &reason, e);
			break;
		}
	return -1;
}

/* Find the registry and its files. */
static void
find_paths(const struct registry *r, struct state_paths *paths)
{
	memset(paths, 0, sizeof(*paths));
	(void)strlcpy(paths->directory, r->directory, sizeof(paths->directory));
	(void)strlcpy(paths->registry, r->path, sizeof(paths->registry));
}

/*
 * Read the files if the mirror is unusable and not repaired meanwhile, as while
 * its writer is stopped in mid-change.  *why has the reason for reading them,
 * and receives the reason of a failure.
 */
static int
copy_files(const struct registry *r, struct mirror *m, struct error *why)
{
	struct state_paths paths;
	struct registry of_files;
	struct error reason;
	int status;

	find_paths(r, &paths);
	if (rebuild_private(&of_files, &paths, r->id, &reason) != 0)
		return why->code == ERROR_STALE ? -1 : error_copy(why, &reason);
	status = copy_mirror(&of_files, m, why);
	registry_close(&of_files);
	return status;
}

/* Read the file that replaced the open one, if it is of the same pod. */
static int
copy_successor(const struct registry *r, struct mirror *m, struct error *e)
{
	struct state_paths paths;
	struct registry now;
	int status;

	find_paths(r, &paths);
	if (registry_open(&now, &paths, REGISTRY_READ, e) != 0)
		return -1;
	status = memcmp(now.id, r->id, sizeof(now.id)) == 0 ?
	    copy_mirror(&now, m, e) :
	    error_set_code(e, ERROR_STALE, "a new pod has replaced this one");
	registry_close(&now);
	return status;
}

/* Fill the snapshot from the mirror, which may be released afterwards. */
static void
snapshot_fill(struct snapshot *s, struct mirror *m)
{
	memset(s, 0, sizeof(*s));
	mirror_view_share(m, s);
	s->sequence = m->header.sequence;
	s->damaged = (int)m->header.damaged;
	memcpy(s->damage, m->header.damage, sizeof(s->damage));
}

/* Copy from elsewhere, because the mirror could not be copied (for that reason)
   or was replaced. */
static int
copy_elsewhere(const struct registry *r, struct mirror *m, bool is_retired,
    struct error *reason)
{
	int status = -1;

	if (is_retired ||
	    (reason->code == ERROR_STALE && !r->is_private &&
		!registry_is_current(r)))
		status = copy_successor(r, m, reason);
	if (status != 0 && !r->is_private &&
	    (reason->code == ERROR_UNAVAILABLE || reason->code == ERROR_STALE))
		status = copy_files(r, m, reason);
	return status;
}

int
snapshot_take(const struct registry *r, struct snapshot *s, struct error *e)
{
	struct mirror own, *m = r->kept != NULL ? r->kept : &own;
	struct error reason;
	int status;

	memset(s, 0, sizeof(*s));
	memset(&own, 0, sizeof(own));
	status = copy_mirror(r, m, &reason);
	if (status != 0 || m->header.retired != 0) {
		mirror_copy_release(m);
		m = &own;
		if (copy_elsewhere(r, m, status == 0, &reason) != 0)
			return error_copy(e, &reason);
	}
	snapshot_fill(s, m);
	mirror_copy_release(&own);
	return 0;
}

/*
 * In a state directory that a group shares, each member can write that root
 * owns a partition.  Root believes that of its own files alone: else the
 * partition belongs to the writer of the file.
 */
static void
check_root(const struct state *st, struct snapshot *s)
{
	struct directory d = DIRECTORY_NONE;
	struct stat file;
	char *name;
	int i;

	if (geteuid() != 0 || !state_is_shared(st) ||
	    directory_open_below(&st->directory, "partitions", &d, NULL) != 0) {
		directory_close(&d);
		return;
	}
	for (i = 0; i < s->partition_count; i++) {
		if (s->partitions[i].owner != 0)
			continue;
		name = xasprintf("%s.ini", s->partitions[i].name);
		if (fstatat(d.fd, name, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
		    file.st_uid != 0) {
			snapshot_own_partitions(s);
			s->partitions[i].owner = file.st_uid;
		}
		free(name);
	}
	directory_close(&d);
}

int
snapshot_take_locked(const struct state *st, struct snapshot *s,
    struct error *e)
{
	if (st->mirror != NULL)
		snapshot_fill(s, st->mirror);
	else if (snapshot_take(&st->registry, s, e) != 0)
		return -1;
	check_root(st, s);
	return 0;
}

void
snapshot_own_partitions(struct snapshot *s)
{
	mirror_view_own_table(s);
}

void
snapshot_own_pod(struct snapshot *s)
{
	mirror_view_own_machines(s);
}

void
snapshot_own(struct snapshot *s)
{
	mirror_view_copy_table(s);
	mirror_view_own_machines(s);
}

int
snapshot_add(struct snapshot *s, const struct partition *p)
{
	int i, n;

	mirror_view_own_table(s);
	n = s->partition_count++;
	if (s->table == NULL)
		s->partitions = xreallocarray(s->partitions,
		    (size_t)s->partition_count, sizeof(*s->partitions));
	s->partitions[n] = *p;
	for (i = 0; i < partition_size(p); i++)
		s->owner[placement_ipu(&s->pod, &p->placement, i)] = n;
	return n;
}

void
snapshot_release(struct snapshot *s)
{
	if (s->table == NULL) {
		free(s->partitions);
		free(s->owner);
	}
	mirror_view_drop_table(s->table);
	if (s->machines == NULL)
		pod_release(&s->pod);
	mirror_view_drop_machines(s->machines);
	memset(s, 0, sizeof(*s));
}

/* Whether the open file has not changed since the snapshot. */
static bool
snapshot_is_current(const struct snapshot *s, const struct registry *r)
{
	struct registry_header h;

	return registry_layout_read(r, &h, NULL) == 0 && h.retired == 0 &&
	    h.sequence == s->sequence;
}

/* Whether the IPU belongs to the same partition, by identity, in both. */
static bool
has_same_owner(const struct snapshot *a, const struct snapshot *b, int ipu)
{
	const int x = a->owner[ipu];
	const int y = ipu < pod_ipu_count(&b->pod) ? b->owner[ipu] : OWNER_FREE;

	return x >= 0 && y >= 0 &&
	    memcmp(a->partitions[x].id, b->partitions[y].id,
		sizeof(a->partitions[x].id)) == 0;
}

void
snapshot_freeze(const struct snapshot *s, struct registry *r, int64_t now_ns)
{
	struct snapshot now;
	bool known;
	int ipu;

	registry_freeze(r, now_ns);
	if (snapshot_is_current(s, r))
		return;
	known = snapshot_take(r, &now, NULL) == 0;
	for (ipu = 0; ipu < pod_ipu_count(&s->pod); ipu++)
		if (!known || !has_same_owner(s, &now, ipu))
			slots_frozen_forget(r->frozen, ipu);
	snapshot_release(&now);
}

/* Binary search by name. */
int
snapshot_find(const struct snapshot *s, const char *name)
{
	int low = 0, high = s->partition_count, middle, order;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = strcmp(s->partitions[middle].name, name);
		if (order == 0)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

int
snapshot_suggest(const struct snapshot *s, const char *partition,
    struct error *e)
{
	return nearest_place(&s->pod, partition, e) == 0 ?
	    -1 :
	    suggest_name(partition, s->partitions, (size_t)s->partition_count,
		sizeof(*s->partitions), offsetof(struct partition, name), e);
}

int
snapshot_look_up(const struct snapshot *s, const char *partition,
    struct error *e)
{
	const int found = snapshot_find(s, partition);

	if (found != -1)
		return found;
	(void)error_set_code(e, ERROR_NOT_FOUND,
	    "the partition does not exist; vipu list partitions shows the "
	    "existing ones");
	return snapshot_suggest(s, partition, e);
}
