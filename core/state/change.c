/*
 * One change, from the mark to the mirror: see change.h.
 */
#include "core/state/change.h"

#include <string.h>

#include "core/pod/pod.h"
#include "core/state/mirror.h"
#include "core/state/mirror_view.h"
#include "core/state/verify.h"

/*
 * After the files were changed, or not.  A change that the disk did not
 * confirm, or that the mirror does not show, leaves the mark: the next one who
 * locks reads the files again.
 */
static void
change_finish(const struct state *st, bool certain)
{
	int64_t	s, ns;

	if (certain) {
		store_stamp(&st->directory, &s, &ns);
		mirror_set_stamp(&st->registry, s, ns);
		(void)mirror_mark(&st->registry, false, NULL);
	}
}

/* The files were not changed, or perhaps; hand on why. */
static int
change_refuse(const struct state *st, const struct error *reason,
    struct error *e)
{
	change_finish(st, reason->code != ERROR_UNCONFIRMED);
	return error_copy(e, reason);
}

/* One that has no identity gets one. */
int
change_put_partition(struct state *st, int slot, const struct partition *asked,
    struct error *e)
{
	const struct mirror	*m = st->mirror;
	struct partition	 p = *asked;
	struct error		 reason;
	struct pod		 pod;

	if ((uint32_t)slot < m->header.partition_high &&
	    m->partitions[slot].name[0] != '\0' &&
	    verify_partition(st, slot, e) != 0)
		return -1;
	if (!identity_is_set(p.id))
		identity_draw(m->partitions, m->header.partition_high, p.id);
	mirror_view_pod(m, &pod);
	if (mirror_mark(&st->registry, true, e) != 0)
		return -1;
	if (store_put_partition(&st->directory, &pod, &p, &reason) != 0)
		return change_refuse(st, &reason, e);
	change_finish(st, mirror_set(st->mirror, &st->registry, slot, &p) ==
	    0);
	return 0;
}

int
change_remove_partition(struct state *st, int slot, struct error *e)
{
	struct error	reason;
	char		name[NAME_SIZE];

	if (verify_partition(st, slot, e) != 0 ||
	    mirror_mark(&st->registry, true, e) != 0)
		return -1;
	memcpy(name, st->mirror->partitions[slot].name, sizeof(name));
	if (store_remove_partition(&st->directory, name, &reason) != 0)
		return change_refuse(st, &reason, e);
	change_finish(st, mirror_set(st->mirror, &st->registry, slot, NULL) ==
	    0);
	return 0;
}

int
change_put_agent(struct state *st, int index, const struct agent *agent,
    struct error *e)
{
	struct error	reason;
	struct pod	pod;
	bool		shown;

	mirror_view_pod(st->mirror, &pod);
	if (mirror_mark(&st->registry, true, e) != 0)
		return -1;
	if (store_put_agent(&st->directory, &pod, index, agent,
	    &reason) != 0)
		return change_refuse(st, &reason, e);
	shown = mirror_set_agent(st->mirror, &st->registry, index, agent) == 0;
	registry_set_due(&st->registry, 1);	/* for its partitions */
	change_finish(st, shown);
	return 0;
}
