/*
 * A partition goes, and its IPUoF files with it: for a user (remove.c) or
 * because its time is over (tick.c).
 */
#include "core/control/controller_internal.h"
#include "core/control/ipuof_files.h"

/*
 * Its files first: a file that stands in a directory is of a partition that
 * exists, as create_store() has it.
 */
int
discard_partition(struct controller *c, const struct pod *pod,
    const struct partition *p, bool force, struct error *e)
{
	struct error	reason;
	bool		removed;

	if (ipuof_files_remove(p, &removed, e) != 0 && !force) {
		(void)error_append(e, "; --force removes the partition "
		    "without its file");
		ipuof_files_restore(pod, p, removed);
		return -1;
	}
	if (state_remove_partition(&c->state, p->name, &reason) == 0)
		return 0;
	/* Unconfirmed: it may be gone, and then so must its files be. */
	if (reason.code != ERROR_UNCONFIRMED)
		ipuof_files_restore(pod, p, removed);
	return error_copy(e, &reason);
}
