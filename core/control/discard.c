/*
 * A partition goes, and its IPUoF files with it: for a user (remove.c) or
 * because its time is over (tick.c).
 */
#include "core/control/controller_internal.h"
#include "core/control/ipuof_files.h"

/*
 * Who asked learns of it (controller_left()).  Of several partitions the first
 * one is named.
 */
static void
note_left(struct controller *c, const struct partition *p,
    const struct error *reason)
{
	if (c->left.text[0] != '\0')
		return;
	c->left = *reason;
	(void)error_prefix(&c->left,
	    "partition %s was removed, its IPUoF file stays", p->name);
}

/*
 * Its files first: a file that stands in a directory is of a partition that
 * exists, as create_store() has it.
 */
int
discard_partition(struct controller *c, const struct pod *pod,
    const struct partition *p, const struct partition *going, bool force,
    struct error *e)
{
	struct error reason, file;
	bool removed;
	int status = ipuof_files_remove(p, &removed, &file), result;

	if (status != 0 && !force) {
		ipuof_files_restore(pod, p, &c->versions, removed);
		(void)error_copy(e, &file);
		return error_append(e,
		    "; --force removes the partition without its file");
	}
	result = going != NULL ?
	    state_update_partition(&c->state, going, &reason) :
	    state_remove_partition(&c->state, p->name, &reason);
	if (result == 0) {
		if (status != 0)
			note_left(c, p, &file);
		return 0;
	}
	/* Unconfirmed: it may be gone, and then so must its files be. */
	if (reason.code != ERROR_UNCONFIRMED)
		ipuof_files_restore(pod, p, &c->versions, removed);
	return error_copy(e, &reason);
}
