/*
 * Making a pod what a document asks for: everything that could be refused is
 * checked before the first step, then removals, the change of the pod,
 * creations.
 */
#include "core/control/apply.h"

#include <string.h>

#include "core/control/controller_internal.h"
#include "core/control/create.h"
#include "core/control/ipuof.h"
#include "core/control/ipuof_files.h"
#include "core/control/pod_change.h"
#include "core/control/remove.h"
#include "core/control/transaction.h"
#include "core/pod/placement.h"
#include "core/state/holder.h"
#include "core/state/replace.h"

enum { NAMED = 5 };	/* partitions in a refusal */

/* A view of the snapshot, which keeps its arrays; they may be changed. */
static struct inventory
inventory_of(struct snapshot *s)
{
	snapshot_own(s);
	return (struct inventory){ .pod = &s->pod,
	    .partitions = s->partitions,
	    .partition_count = s->partition_count };
}

int
apply_plan(struct controller *c, const struct document *d,
    struct pod_plan *plan, struct error *e)
{
	struct snapshot		s;
	struct inventory	now;
	int			status;

	if (transaction_list(c, &s, e) != 0)
		return -1;
	now = inventory_of(&s);
	status = s.damaged > 0 ? error_set_code(e, ERROR_DAMAGED,
	    "nothing can be planned while a file is damaged, for nobody knows "
	    "which IPUs it has; repair or remove it: %s", s.damage) :
	    pod_plan_make(plan, d, &now, e);
	snapshot_release(&s);
	return status;
}

/* ---- may it be done? ---- */

/* The refusal names what would be removed. */
static int
ask_for_force(const struct pod_plan *plan, struct error *e)
{
	int	i, n = plan->removal_count;

	(void)error_set_code(e, ERROR_BUSY,
	    "%d partition%s would be removed (", n,
	    n == 1 ? "" : "s");
	for (i = 0; i < n && i < NAMED; i++)
		(void)error_append(e, "%s%s", i > 0 ? ", " : "",
		    plan->removals[i]);
	return error_append(e, "%s); --force does it", n > NAMED ? ", ..." :
	    "");
}

/* Whether a program is attached to an IPU of the partition. */
static int
check_holder(struct controller *c, const struct snapshot *s,
    const struct partition *p, struct error *e)
{
	const struct placement	*place = &p->placement;
	struct holder_place	 here;
	struct ipu_slot		 slot;
	char			 name[NAME_SIZE + 16];
	char			 who[HOLDER_TEXT_SIZE];
	int			 i, ipu;

	for (i = 0; i < place->ild_count; i++) {
		ipu = registry_held(&c->state.registry, placement_ipu(&s->pod,
		    place, i * place->per_ild), place->per_ild);
		if (ipu == -1 || !registry_holder(&c->state.registry, ipu,
		    &slot))
			continue;
		pod_ipu_name(&s->pod, ipu, name, sizeof(name));
		holder_place_init(&here);
		holder_text(&here, &slot, who);
		return error_set_code(e, ERROR_BUSY,
		    "partition %s would be removed, and is in use: %s is "
		    "attached to %s; end it first", p->name, who, name);
	}
	return 0;
}

static bool
is_removed(const struct pod_plan *plan, const char *name)
{
	int	i;

	for (i = 0; i < plan->removal_count; i++)
		if (strcmp(plan->removals[i], name) == 0)
			return true;
	return false;
}

/*
 * Whether the pod could change now, were the removals done: the snapshot,
 * which is not used for anything else any more, loses them.
 */
static int
check_change(struct controller *c, struct snapshot *s,
    struct pod_plan *plan, struct error *e)
{
	struct inventory	now = inventory_of(s);
	int			i, n = 0;

	for (i = 0; i < s->partition_count; i++)
		if (!is_removed(plan, s->partitions[i].name))
			now.partitions[n++] = now.partitions[i];
	now.partition_count = n;
	if (pod_change_check_users(c, &s->pod, &plan->pod, e) != 0 ||
	    pod_plan_change_pod(&now, plan, e) != 0)
		return -1;
	return replace_check(&c->state, &now, e);
}

/*
 * Of a server: what can be told from here.  Who has IPUs that would be others
 * it tells at that step.
 */
static int
check_elsewhere(struct controller *c, struct pod_plan *plan, struct error *e)
{
	struct snapshot		s;
	struct inventory	now;
	int			i, n = 0, status = 0;

	if (transaction_list(c, &s, e) != 0)
		return -1;
	for (i = 0; i < s.partition_count && status == 0; i++)
		if (is_removed(plan, s.partitions[i].name))
			status = remove_check(c, &s, &s.partitions[i], e);
	now = inventory_of(&s);
	for (i = 0; i < s.partition_count; i++)
		if (!is_removed(plan, s.partitions[i].name))
			now.partitions[n++] = now.partitions[i];
	now.partition_count = n;
	if (status == 0 && plan->pod_changes &&
	    (status = pod_change_check_users(c, &s.pod, &plan->pod, e)) == 0)
		status = pod_plan_change_pod(&now, plan, e);
	s.partitions = now.partitions;
	s.partition_count = now.partition_count;
	snapshot_release(&s);
	return status;
}

/* Under the lock, and given up again: each step takes the lock for itself. */
static int
apply_check(struct controller *c, struct pod_plan *plan, bool force,
    struct error *e)
{
	struct snapshot	s;
	int		i, status = 0;

	if (plan->removal_count > 0 && !force)
		return ask_for_force(plan, e);
	if (c->backend != NULL)
		return check_elsewhere(c, plan, e);
	if (transaction_begin(c, &s, e) != 0)
		return -1;
	for (i = 0; i < s.partition_count && status == 0; i++)
		if (is_removed(plan, s.partitions[i].name))
			status = check_holder(c, &s, &s.partitions[i], e);
	if (status == 0 && plan->pod_changes)
		status = check_change(c, &s, plan, e);
	transaction_end(c, &s);
	return status;
}

/* ---- the steps ---- */

/*
 * A file is written where the document says, else where the caller's files
 * go.
 */
static int
apply_create(struct controller *c, const struct partition_request *asked,
    bool files, struct error *e)
{
	struct partition_request	r = *asked;

	if (!files)
		r.ipuof_directory[0] = '\0';
	else if (!r.relocatable && ipuof_files_directory(r.ipuof_directory,
	    r.ipuof_directory,
	    sizeof(r.ipuof_directory), e) != 0)
		return -1;
	return create_partition(c, &r, NULL, e);
}

/* *what is what the step that failed was about. */
static int
do_steps(struct controller *c, struct pod_plan *plan, bool files, int *done,
    const char **what, struct error *e)
{
	int	i;

	for (i = 0; i < plan->removal_count; i++, ++*done) {
		*what = plan->removals[i];
		if (remove_partition(c, *what, false, NULL, e) != 0)
			return -1;
	}
	*what = NULL;
	if (plan->pod_changes && pod_change_run(c, pod_plan_change_pod,
	    plan, e) != 0)
		return -1;
	*done += plan->pod_changes;
	for (i = 0; i < plan->creation_count; i++, ++*done) {
		*what = plan->creations[i].name;
		if (apply_create(c, &plan->creations[i], files, e) != 0)
			return -1;
	}
	return 0;
}

int
apply_run(struct controller *c, struct pod_plan *plan,
    bool force, bool files, struct error *e)
{
	const char	*what = NULL;
	int		 steps, done = 0;

	steps = plan->removal_count + plan->pod_changes +
	    plan->creation_count;
	if (steps == 0)
		return 0;
	if (apply_check(c, plan, force, e) != 0)
		return -1;
	if (do_steps(c, plan, files, &done, &what, e) == 0)
		return 0;
	if (what != NULL)
		(void)error_prefix(e, "partition %s", what);
	return done == 0 ? -1 : error_append(e, " (%d of %d steps were done; "
	    "apply again to do the rest)", done, steps);
}
