/*
 * A snapshot from the INI files: slower than the mirror, and there also while
 * a writer that was stopped leaves the mirror half changed.
 */
#include "core/state/snapshot_files.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/placement.h"
#include "core/state/store.h"

static int
snapshot_files_by_name(const void *a, const void *b)
{
	const struct partition	*x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Which IPU is whose: the files were checked, so no two claim the same one. */
static void
snapshot_files_own(struct snapshot *s)
{
	size_t	ipus = (size_t)pod_ipu_count(&s->pod);
	int	i, k;

	s->owner = xcalloc(ipus + 1, sizeof(*s->owner));
	memset(s->owner, -1, ipus * sizeof(*s->owner));
	for (i = 0; i < s->partition_count; i++)
		for (k = 0; k < partition_size(&s->partitions[i]); k++)
			s->owner[placement_ipu(&s->pod,
			    &s->partitions[i].placement, k)] = i;
}

int
snapshot_files_take(const char *directory, const uint8_t *id,
    struct snapshot *s, struct error *e)
{
	struct directory	d;
	struct store		store;
	int			status;

	memset(s, 0, sizeof(*s));
	status = directory_open_resolved(&d, directory, e);
	if (status == 0)
		status = store_look(&d, &store, e);
	directory_close(&d);
	if (status != 0)
		return -1;
	if (store.identity.staged ||
	    memcmp(store.identity.id, id, STORE_ID_SIZE) != 0) {
		store_release(&store);
		return error_set_code(e, ERROR_UNAVAILABLE, "a program that "
		    "replaces the pod of %s was stopped in the middle of it",
		    directory);
	}
	s->pod = store.pod;
	s->partitions = store.partitions;
	s->partition_count = store.partition_count;
	s->damaged = store.damaged;
	(void)strlcpy(s->damage, store.damage, sizeof(s->damage));
	qsort(s->partitions, (size_t)s->partition_count,
	    sizeof(*s->partitions), snapshot_files_by_name);
	snapshot_files_own(s);
	return 0;
}
