/*
 * Removing a partition and its IPUoF files, for a user (remove.c) or after its
 * expiry (tick.c).
 */
#include "core/control/controller_internal.h"
#include "core/control/ipuof_files.h"

/* Keep the first remaining file for controller_leftover(). */
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

/* Files first, so that every file belongs to an existing partition, as in
   create_store(). */
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
	/* Unconfirmed: the partition may be gone, and then its files must
	   be. */
	if (reason.code != ERROR_UNCONFIRMED)
		ipuof_files_restore(pod, p, &c->versions, removed);
	return error_copy(e, &reason);
}
