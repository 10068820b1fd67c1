/*
 * The status of an IPUJob: which words and conditions follow from how it
 * stands.
 */
#include "core/kube/runtime/runtime.h"

#include <string.h>

#include "core/base/clock.h"

enum { DELAY_MAX_MS = 300000 };

/* The words of a phase, and the condition that is true in it. */
static const struct {
	const char	*name;
	const char	*condition;
} job_status_phases[JOB_PHASES] = {
	[JOB_PENDING] = { "Pending", "Created" },
	[JOB_RUNNING] = { "Running", "Running" },
	[JOB_RESTARTING] = { "Restarting", "Restarting" },
	[JOB_COMPLETED] = { "Completed", "Succeeded" },
	[JOB_FAILED] = { "Failed", "Failed" }
};

enum job_phase
job_status_phase(const struct yaml_node *status)
{
	const char	*word = yaml_get_text(status, "launcherStatus");
	int		 i;

	for (i = 0; word != NULL && i < JOB_PHASES; i++)
		if (strcmp(word, job_status_phases[i].name) == 0)
			return (enum job_phase)i;
	return JOB_PENDING;
}

bool
job_status_is_over(const struct yaml_node *status)
{
	enum job_phase	phase = job_status_phase(status);

	return phase == JOB_COMPLETED || phase == JOB_FAILED;
}

/* One that never held is not listed. */
static void
set_condition(struct yaml_arena *arena, struct yaml_node *conditions,
    const char *type, bool holds, const struct job_progress *p,
    const char *now)
{
	struct yaml_node	*c = yaml_find(conditions, "type", type);
	const char		*before = yaml_get_text(c, "status");
	const char		*after = holds ? "True" : "False";

	if (c == NULL) {
		if (!holds)
			return;
		c = yaml_new_map(arena);
		yaml_set_text(arena, c, "type", type);
		yaml_add(arena, conditions, c);
	}
	if (before != NULL && strcmp(before, after) == 0 && !holds)
		return;
	yaml_set_text(arena, c, "status", after);
	if (holds) {
		yaml_set_text(arena, c, "reason", p->reason);
		yaml_set_text(arena, c, "message", p->message);
	}
	yaml_set_text(arena, c, "lastUpdateTime", now);
	if (before == NULL || strcmp(before, after) != 0)
		yaml_set_text(arena, c, "lastTransitionTime", now);
}

static void
update_conditions(struct yaml_arena *arena, struct yaml_node *status,
    const struct job_progress *p, const char *now)
{
	struct yaml_node	*conditions = yaml_get(status, "conditions");
	int			 i;

	if (conditions == NULL)
		conditions = yaml_set(arena, status, "conditions",
		    yaml_new_list(arena));
	/* A job that was created stays so. */
	if (p->phase == JOB_PENDING || yaml_find(conditions, "type",
	    job_status_phases[JOB_PENDING].condition) == NULL)
		set_condition(arena, conditions,
		    job_status_phases[JOB_PENDING].condition, true, p, now);
	for (i = JOB_PENDING + 1; i < JOB_PHASES; i++)
		set_condition(arena, conditions, job_status_phases[i].condition,
		    i == (int)p->phase, p, now);
}

struct yaml_node *
job_status_update(struct yaml_arena *arena, struct yaml_node *status,
    const struct job_progress *p)
{
	const bool		 over = p->phase == JOB_COMPLETED ||
	    p->phase == JOB_FAILED;
	struct yaml_node	*workers;
	char			 now[CLOCK_TEXT_SIZE];

	clock_text(p->now_s, now);
	if (status == NULL)
		status = yaml_new_map(arena);
	update_conditions(arena, status, p, now);
	yaml_set_integer(arena, status, "currentReplicas", p->current);
	yaml_set_integer(arena, status, "desiredReplicas", p->instances);
	yaml_set_bool(arena, status, "iPUPartitionCreated",
	    p->has_partition);
	yaml_set_text(arena, status, "lastMessage", p->message);
	yaml_set_text(arena, status, "lastReconcileTime", now);
	yaml_set_text(arena, status, "launcherStatus",
	    job_status_phases[p->phase].name);
	yaml_set_integer(arena, status, "restartCount", p->restarts);
	if (yaml_get(status, "startTime") == NULL)
		yaml_set_text(arena, status, "startTime", now);
	if (!over)
		yaml_unset(status, "completionTime");
	else if (yaml_get(status, "completionTime") == NULL)
		yaml_set_text(arena, status, "completionTime", now);
	workers = yaml_set(arena, status, "workersStatus",
	    yaml_new_map(arena));
	yaml_set_integer(arena, workers, "active", p->active);
	yaml_set_integer(arena, workers, "failed", p->failed);
	yaml_set_integer(arena, workers, "succeeded", p->succeeded);
	return status;
}

int64_t
job_status_delay_ms(int restarts, int64_t first_ms)
{
	while (restarts-- > 0 && first_ms < DELAY_MAX_MS)
		first_ms *= 2;
	return first_ms < DELAY_MAX_MS ? first_ms : DELAY_MAX_MS;
}
