/*
 * Keeping programs off a partition that is about to change.
 */
#include <errno.h>

#include "core/control/embedded.h"

/* Who is in the way, for a person who has to end it. */
static int
in_use(struct controller *c, const struct snapshot *s, const char *name,
    int ipu, struct error *e)
{
	struct ipu_slot	slot;
	char		text[NAME_SIZE + 16];

	if (ipu < 0 || !registry_holder(&c->state.registry, ipu, &slot)) {
		(void)error_set(e, "partition %s: a program was attached to "
		    "it just now; try again", name);
	} else {
		ipu_name(&s->pod, ipu, text, sizeof(text));
		(void)error_set(e, "partition %s is in use: user %s, pid %ld "
		    "(%s on %s) is attached to %s; end it first", name,
		    slot.user, (long)slot.pid, slot.command, slot.host, text);
	}
	errno = EBUSY;
	return -1;
}

int
hold_all(struct controller *c, const struct snapshot *s,
    const struct partition *p, struct error *e)
{
	int	i, first, holder;

	for (i = 0; i < p->placement.ild_count; i++) {
		first = placement_ipu(&s->pod, &p->placement,
		    i * p->placement.per_ild);
		if (registry_attach(&c->state.registry, first,
		    p->placement.per_ild, &holder) == 0)
			continue;
		if (errno == EAGAIN)
			return in_use(c, s, p->name, holder, e);
		return error_set_errno(e, "cannot lock the IPUs of partition "
		    "%s", p->name);
	}
	return 0;
}

void
hold_none(struct controller *c, const struct snapshot *s,
    const struct partition *p)
{
	int	i, saved = errno;

	for (i = 0; i < p->placement.ild_count; i++)
		(void)registry_detach(&c->state.registry,
		    placement_ipu(&s->pod, &p->placement,
		    i * p->placement.per_ild), p->placement.per_ild);
	errno = saved;
}
