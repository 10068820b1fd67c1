/*
 * One change: the mirror is compared with the file, marked, and updated after
 * the file; see state_internal.h.
 */
#include "core/state/state_internal.h"

#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"
#include "core/state/mirror.h"
#include "core/state/mirror_view.h"
#include "core/state/object.h"

/* Whether the partition's file exists, whatever its type. */
static bool
has_file(const struct directory *partitions, const char *name)
{
	char *file = xasprintf("%s.ini", name);
	struct stat st;
	bool found = fstatat(partitions->fd, file, &st, AT_SYMLINK_NOFOLLOW) ==
	    0;

	free(file);
	return found;
}

/* Whether two records differ at most in the time of the last reset.  A reset
   that changes nothing else is only in the mirror, since each job makes one. */
static bool
is_same_but_reset(const struct partition *a, const struct partition *b)
{
	struct partition as_b = *a;

	as_b.reset_ms = b->reset_ms;
	return memcmp(&as_b, b, sizeof(as_b)) == 0;
}

/* Whether the partition's file agrees with the mirror. */
static bool
file_is_same(const struct state *st, const struct directory *partitions,
    const struct partition *p)
{
	char *file = xasprintf("%s.ini", p->name);
	struct partition read;
	struct pod pod;
	bool same;

	mirror_view_pod(st->mirror, &pod);
	same = object_read_partition(&pod, partitions, file, p->name, &read,
		   NULL) == 0 &&
	    is_same_but_reset(&read, p);
	free(file);
	return same;
}

/* The mark stays, so the next process that takes the lock rebuilds the
   registry. */
static int
refuse_stale(const struct state *st, const char *name, struct error *e)
{
	(void)mirror_mark(&st->registry, true, NULL);
	return error_set_code(e, ERROR_STALE,
	    "registry %s and the files disagree about partition %s; try again: "
	    "the registry is rebuilt from the files",
	    st->paths.registry, name);
}

static int
check_partition(const struct state *st, int slot, struct error *e)
{
	const struct partition *p = &st->mirror->partitions[slot];
	struct directory partitions;
	int status = 0;

	if (directory_open_below(&st->directory, "partitions", &partitions,
		NULL) == 0 &&
	    has_file(&partitions, p->name) && !file_is_same(st, &partitions, p))
		status = refuse_stale(st, p->name, e);
	directory_close(&partitions);
	return status;
}

/* A kept copy is counted only once: any other change of the directory gives it
   another stamp, and then the copy is made again. */
static bool
is_counted(const struct state *st)
{
	struct mirror *m = st->mirror;
	uint32_t i;
	long count = 0;

	if (m->is_counted)
		return true;
	for (i = 0; i < m->header.partition_high; i++)
		count += m->partitions[i].name[0] != '\0';
	m->is_counted = store_count_partitions(&st->directory, NULL) == count;
	return m->is_counted;
}

int
change_check_absent(const struct state *st, const char *name, struct error *e)
{
	struct directory partitions;
	bool found;

	found = directory_open_below(&st->directory, "partitions", &partitions,
		    NULL) == 0 &&
	    has_file(&partitions, name);
	directory_close(&partitions);
	return !found && is_counted(st) ? 0 : refuse_stale(st, name, e);
}

/*
 * End a change.  The mark stays if the disk did not confirm the change, or the
 * mirror does not show it; the next process that takes the lock then reads the
 * files.
 */
static void
change_finish(const struct state *st, bool certain)
{
	int64_t s, ns;

	if (certain) {
		store_stamp(&st->directory, &s, &ns);
		mirror_set_stamp(&st->registry, s, ns);
		(void)mirror_mark(&st->registry, false, NULL);
	}
}

/* End a change that failed, or may have; pass on the reason. */
static int
change_refuse(const struct state *st, const struct error *reason,
    struct error *e)
{
	change_finish(st, reason->code != ERROR_UNCONFIRMED);
	return error_copy(e, reason);
}

/* A partition without an identity gets one. */
int
change_put_partition(struct state *st, int slot, const struct partition *asked,
    struct error *e)
{
	const struct mirror *m = st->mirror;
	struct partition p = *asked;
	struct error reason;
	struct pod pod;

	if ((uint32_t)slot < m->header.partition_high &&
	    m->partitions[slot].name[0] != '\0' &&
	    check_partition(st, slot, e) != 0)
		return -1;
	if (!identity_is_set(p.id))
		identity_draw(m->partitions, m->header.partition_high, p.id);
	mirror_view_pod(m, &pod);
	if (mirror_mark(&st->registry, true, e) != 0)
		return -1;
	if (!is_same_but_reset(&m->partitions[slot], &p) &&
	    store_put_partition(&st->directory, &pod, &p, &reason) != 0)
		return change_refuse(st, &reason, e);
	change_finish(st, mirror_set(st->mirror, &st->registry, slot, &p) == 0);
	return 0;
}

int
change_remove_partition(struct state *st, int slot, struct error *e)
{
	struct error reason;
	char name[NAME_SIZE];

	if (check_partition(st, slot, e) != 0 ||
	    mirror_mark(&st->registry, true, e) != 0)
		return -1;
	memcpy(name, st->mirror->partitions[slot].name, sizeof(name));
	if (store_remove_partition(&st->directory, name, &reason) != 0)
		return change_refuse(st, &reason, e);
	change_finish(st,
	    mirror_set(st->mirror, &st->registry, slot, NULL) == 0);
	return 0;
}

int
change_put_agent(struct state *st, int index, const struct agent *agent,
    struct error *e)
{
	struct error reason;
	struct pod pod;
	bool shown;

	mirror_view_pod(st->mirror, &pod);
	if (mirror_mark(&st->registry, true, e) != 0)
		return -1;
	if (store_put_agent(&st->directory, &pod, index, agent, &reason) != 0)
		return change_refuse(st, &reason, e);
	shown = mirror_set_agent(st->mirror, &st->registry, index, agent) == 0;
	registry_set_due(&st->registry, 1); /* so that its events are found */
	change_finish(st, shown);
	return 0;
}
