/*
 * Comparing the mirror with the files that are about to change: see verify.h.
 */
#include "core/state/verify.h"

#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/state/mirror.h"
#include "core/state/mirror_view.h"
#include "core/state/partition_file.h"

/* Whether there is something under the name of the partition's file. */
static bool
verify_is_there(const struct directory *partitions, const char *name)
{
	char		*file = xasprintf("%s.ini", name);
	struct stat	 st;
	bool		 found = fstatat(partitions->fd, file, &st,
	    AT_SYMLINK_NOFOLLOW) == 0;

	free(file);
	return found;
}

/* Whether the partition's file says what the mirror does. */
static bool
verify_is_same(const struct state *st, const struct directory *partitions,
    const struct partition *p)
{
	char			*file = xasprintf("%s.ini", p->name);
	struct partition	 read;
	struct pod		 pod;
	bool			 same;

	mirror_view_pod(st->mirror, &pod);
	same = partition_file_read(&pod, partitions, file, p->name, &read,
	    NULL) == 0 && memcmp(&read, p, sizeof(read)) == 0;
	free(file);
	return same;
}

/* The mark stays, so the next one who locks makes the registry again. */
static int
verify_refuse(const struct state *st, const char *name, struct error *e)
{
	(void)mirror_mark(&st->registry, true, NULL);
	return error_set_code(e, ERROR_STALE, "registry %s does not say what "
	    "the files do of partition %s; try again: it is made again from "
	    "them", st->paths.registry, name);
}

int
verify_partition(const struct state *st, int slot, struct error *e)
{
	const struct partition	*p = &st->mirror->partitions[slot];
	struct directory	 partitions;
	int			 status = 0;

	if (directory_open_below(&st->directory, "partitions", &partitions,
	    NULL) == 0 && verify_is_there(&partitions, p->name) &&
	    !verify_is_same(st, &partitions, p))
		status = verify_refuse(st, p->name, e);
	directory_close(&partitions);
	return status;
}

/*
 * A copy that is kept needs it once: what changes the directory besides gives
 * it another stamp, and then the copy is made again.
 */
static bool
verify_count(const struct state *st)
{
	struct mirror	*m = st->mirror;
	uint32_t	 i;
	long		 count = 0;

	if (m->is_counted)
		return true;
	for (i = 0; i < m->header.partition_high; i++)
		count += m->partitions[i].name[0] != '\0';
	m->is_counted = store_count_partitions(&st->directory, NULL) == count;
	return m->is_counted;
}

int
verify_absent(const struct state *st, const char *name, struct error *e)
{
	struct directory	partitions;
	bool			found;

	found = directory_open_below(&st->directory, "partitions", &partitions,
	    NULL) == 0 && verify_is_there(&partitions, name);
	directory_close(&partitions);
	return !found && verify_count(st) ? 0 : verify_refuse(st, name, e);
}
