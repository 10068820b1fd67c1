/*
 * Adopting a partition.  Each process that takes the writer's lock removes
 * partitions without owners (tick_abandoned()), so the owner's byte is taken
 * before it:
 *
 *	the registry	which identity has the partition of that name?
 *	its byte	from here on it has a living owner
 *	the lock	does it still exist, unchanged?
 *
 * Nothing is written: the owner's record also describes the new owner.
 */
#include "core/control/control.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "core/control/controller_internal.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/* A record may contain only the start of the text. */
static bool
adopt_fits(const struct partition *p, const struct partition_owner *owner)
{
	return p->owner_kind == owner->kind && p->owner == getuid() &&
	    strncmp(p->owner_text, owner->text, OWNER_TEXT_SIZE - 1) == 0;
}

static int
adopt_refuse(const char *name, const struct partition_owner *owner,
    struct error *e)
{
	return error_set_code(e, ERROR_NOT_FOUND,
	    "partition %s of %s does not exist", name, owner->text);
}

/* Find the partition in the registry, without a lock. */
static int
adopt_find(const struct controller *c, const char *name,
    const struct partition_owner *owner, struct partition *p, struct error *e)
{
	struct snapshot s;
	int found;

	if (snapshot_take(&c->state.registry, &s, e) != 0)
		return -1;
	found = snapshot_find(&s, name);
	if (found != -1)
		*p = s.partitions[found];
	snapshot_release(&s);
	return found != -1 && adopt_fits(p, owner) ?
	    0 :
	    adopt_refuse(name, owner, e);
}

/* Read the partition again, with its byte held, unless it is gone or going. */
static int
adopt_confirm(struct controller *c, const struct partition_owner *owner,
    struct partition *p, struct error *e)
{
	struct snapshot s;
	const struct partition *now;
	int found;

	if (transaction_begin(c, &s, e) != 0)
		return -1;
	found = login_find_change(c, &s, p->name, e);
	if (found != -1) {
		now = &s.partitions[found];
		if (!identity_is_same(now, p) || now->state == PS_REMOVED)
			found = adopt_refuse(p->name, owner, e);
		else
			*p = *now;
	}
	transaction_end(c, &s);
	return found != -1 ? 0 : -1;
}

int
adopt_partition(struct controller *c, const char *name,
    const struct partition_owner *owner, struct partition *adopted,
    struct error *e)
{
	return c->operations->adopt != NULL ?
	    c->operations->adopt(c, name, owner, adopted, e) :
	    adopt_refuse(name, owner, e);
}

int
adopt_embedded(struct controller *c, const char *name,
    const struct partition_owner *owner, struct partition *adopted,
    struct error *e)
{
	struct partition p;

	assert(owner_kind_has_lock(owner->kind));
	if (adopt_find(c, name, owner, &p, e) != 0)
		return -1;
	if (owner_lock_adopt(owner->lock, p.id, e) != 0)
		return error_prefix(e, "partition %s of %s", name, owner->text);
	if (adopt_confirm(c, owner, &p, e) != 0) {
		owner_lock_close(owner->lock);
		return -1;
	}
	if (adopted != NULL)
		*adopted = p;
	return 0;
}
