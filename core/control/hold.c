/*
 * Keeping programs off a partition that is about to change: the controller
 * attaches to its IPUs like a program, with one lock for each ILD.
 */
#include <stdio.h>

#include "core/control/controller_internal.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

bool
hold_describe(struct controller *c, const struct snapshot *s, int ipu,
    char text[HOLD_TEXT_SIZE])
{
	struct holder_place place;
	struct ipu_slot slot;
	char name[NAME_SIZE + 16];
	char program[HOLDER_TEXT_SIZE];

	if (ipu == -1 || !registry_holder(&c->state.registry, ipu, &slot))
		return false;
	pod_ipu_name(&s->pod, ipu, name, sizeof(name));
	holder_place_init(&place);
	place.reader = c->state.reader;
	holder_text(&place, &slot, program);
	(void)snprintf(text, HOLD_TEXT_SIZE, "%s is attached to %s", program,
	    name);
	return true;
}

/* Name the program in the way, which a person must end. */
static int
hold_in_use(struct controller *c, const struct snapshot *s, const char *name,
    int ipu, struct error *e)
{
	char text[HOLD_TEXT_SIZE];

	if (!hold_describe(c, s, ipu, text))
		return error_set_code(e, ERROR_BUSY,
		    "partition %s: a program was attached to it just now; try "
		    "again",
		    name);
	return error_set_code(e, ERROR_BUSY,
	    "partition %s is in use: %s; end it first", name, text);
}

int
hold_all(struct controller *c, const struct snapshot *s,
    const struct partition *p, struct error *e)
{
	struct error reason;
	int i, first, holder;

	for (i = 0; i < p->placement.ild_count; i++) {
		first = placement_ipu(&s->pod, &p->placement,
		    i * p->placement.per_ild);
		if (registry_attach(&c->state.registry, first,
			p->placement.per_ild, &holder, &reason) == 0)
			continue;
		if (reason.code == ERROR_BUSY)
			return hold_in_use(c, s, p->name, holder, e);
		(void)error_copy(e, &reason);
		return error_prefix(e, "cannot lock the IPUs of partition %s",
		    p->name);
	}
	return 0;
}

int
hold_check(struct controller *c, const struct snapshot *s,
    const struct partition *p, struct error *e)
{
	int i, held = -1;

	for (i = 0; i < p->placement.ild_count && held == -1; i++)
		held = registry_held(&c->state.registry,
		    placement_ipu(&s->pod, &p->placement,
			i * p->placement.per_ild),
		    p->placement.per_ild);
	return held == -1 ? 0 : hold_in_use(c, s, p->name, held, e);
}

void
hold_release(struct controller *c, const struct snapshot *s,
    const struct partition *p)
{
	int i;

	for (i = 0; i < p->placement.ild_count; i++)
		(void)registry_detach(&c->state.registry,
		    placement_ipu(&s->pod, &p->placement,
			i * p->placement.per_ild),
		    p->placement.per_ild);
}

void
hold_take_away(struct controller *c, const struct pod *pod,
    const struct partition *p)
{
	struct registry *r = &c->state.registry;
	int i, ipu;

	for (i = 0; i < partition_size(p); i++) {
		ipu = placement_ipu(pod, &p->placement, i);
		if (registry_held(r, ipu, 1) != -1)
			registry_mark_lost(r, ipu);
	}
}
