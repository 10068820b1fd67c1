/*
 * The status of an IPUJob: words and conditions that follow from its progress;
 * and its Events in the form of Kubernetes.
 */
#include "core/kube/runtime/runtime.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"

enum { DELAY_MAX_MS = 300000 };

/* The words of a phase, and the condition that is true in it. */
static const struct {
	const char *name;
	const char *condition;
} job_status_phases[JOB_PHASES] = {
	[JOB_PENDING] = { "Pending", "Created" },
	[JOB_RUNNING] = { "Running", "Running" },
	[JOB_RESTARTING] = { "Restarting", "Restarting" },
	[JOB_COMPLETED] = { "Completed", "Succeeded" },
	[JOB_FAILED] = { "Failed", "Failed" },
};

enum job_phase
job_status_phase(const struct yaml_node *status)
{
	const char *word = yaml_get_text(status, "launcherStatus");
	int i;

	for (i = 0; word != NULL && i < JOB_PHASES; i++)
		if (strcmp(word, job_status_phases[i].name) == 0)
			return (enum job_phase)i;
	return JOB_PENDING;
}

bool
job_status_is_over(const struct yaml_node *status)
{
	enum job_phase phase = job_status_phase(status);

	return phase == JOB_COMPLETED || phase == JOB_FAILED;
}

/* Set a condition; one that was never true is not listed. */
static void
set_condition(struct yaml_arena *arena, struct yaml_node *conditions,
    const char *type, bool holds, const struct job_progress *p, const char *now)
{
	struct yaml_node *c = yaml_find(conditions, "type", type);
	const char *before = yaml_get_text(c, "status");
	const char *after = holds ? "True" : "False";

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
	struct yaml_node *conditions = yaml_get(status, "conditions");
	int i;

	if (conditions == NULL)
		conditions = yaml_set(arena, status, "conditions",
		    yaml_new_list(arena));
	/* The condition Created stays true. */
	if (p->phase == JOB_PENDING ||
	    yaml_find(conditions, "type",
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
	const bool over = p->phase == JOB_COMPLETED || p->phase == JOB_FAILED;
	struct yaml_node *workers;
	char now[CLOCK_TEXT_SIZE];

	clock_text(p->now_s, now);
	if (status == NULL)
		status = yaml_new_map(arena);
	update_conditions(arena, status, p, now);
	yaml_set_integer(arena, status, "currentReplicas", p->current);
	yaml_set_integer(arena, status, "desiredReplicas", p->instances);
	yaml_set_bool(arena, status, "iPUPartitionCreated", p->has_partition);
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
	workers = yaml_set(arena, status, "workersStatus", yaml_new_map(arena));
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

/* ---- events ---- */

/* Source of events, shown under From: the process that runs a job. */
static const char event_source[] = "ipubox-runner";

/* Fields that must be equal in equal events. */
static const char *const event_same[] = { "type", "reason", "object",
	"message" };

/* Hash a line with FNV-1a, which is sufficient to make names differ. */
static uint32_t
event_hash(const struct yaml_node *line)
{
	uint32_t hash = 2166136261u;
	const char *text;
	size_t i;

	for (i = 0; i < sizeof(event_same) / sizeof(event_same[0]); i++) {
		text = yaml_get_text(line, event_same[i]);
		for (; text != NULL && *text != '\0'; text++)
			hash = (hash ^ (unsigned char)*text) * 16777619u;
		hash = (hash ^ 0xff) * 16777619u;
	}
	return hash;
}

/* Whether both are equal texts, or both missing. */
static bool
is_same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool
is_same_line(const struct yaml_node *a, const struct yaml_node *b)
{
	size_t i;

	for (i = 0; i < sizeof(event_same) / sizeof(event_same[0]); i++)
		if (!is_same_text(yaml_get_text(a, event_same[i]),
			yaml_get_text(b, event_same[i])))
			return false;
	return true;
}

/* Set OBJECT.SECONDS.HASH, which stays the same as long as its first line is
   kept. */
static void
set_event_name(struct yaml_arena *arena, struct yaml_node *metadata,
    const struct yaml_node *line, const char *object, int64_t first_s)
{
	char *name = xasprintf("%s.%" PRIx64 ".%08" PRIx32, object,
	    (uint64_t)first_s, event_hash(line));

	yaml_set_text(arena, metadata, "name", name);
	free(name);
}

static struct yaml_node *
make_event(struct yaml_arena *arena, const struct yaml_node *line,
    const char *first, int64_t count, const char *job, const char *space)
{
	struct yaml_node *event = yaml_new_map(arena), *in;
	const char *object = yaml_get_text(line, "object");
	const bool is_job = object == NULL || strcmp(object, job) == 0;

	if (object == NULL)
		object = job;
	yaml_set_text(arena, event, "apiVersion", "v1");
	yaml_set_integer(arena, event, "count", count);
	yaml_set_text(arena, event, "firstTimestamp", first);
	in = yaml_set(arena, event, "involvedObject", yaml_new_map(arena));
	yaml_set_text(arena, in, "apiVersion",
	    is_job ? "graphcore.ai/v1alpha1" : "v1");
	yaml_set_text(arena, in, "kind", is_job ? "IPUJob" : "Pod");
	yaml_set_text(arena, in, "name", object);
	yaml_set_text(arena, in, "namespace", space);
	yaml_set_text(arena, event, "kind", "Event");
	yaml_set_text(arena, event, "lastTimestamp",
	    yaml_get_text(line, "time"));
	yaml_set_text(arena, event, "message", yaml_get_text(line, "message"));
	in = yaml_set(arena, event, "metadata", yaml_new_map(arena));
	yaml_set_text(arena, in, "creationTimestamp", first);
	set_event_name(arena, in, line, object, pod_object_read_time(first));
	yaml_set_text(arena, in, "namespace", space);
	yaml_set_text(arena, event, "reason", yaml_get_text(line, "reason"));
	in = yaml_set(arena, event, "source", yaml_new_map(arena));
	yaml_set_text(arena, in, "component", event_source);
	yaml_set_text(arena, event, "type", yaml_get_text(line, "type"));
	return event;
}

/* Lines with their hashes, which usually suffice to tell them apart. */
struct event_lines {
	const struct yaml_node *list;
	uint32_t *hashes;
};

static bool
is_same_at(const struct event_lines *l, size_t a, size_t b)
{
	return l->hashes[a] == l->hashes[b] &&
	    is_same_line(l->list->items[a].node, l->list->items[b].node);
}

/* Whether no later line is equal. */
static bool
is_last(const struct event_lines *l, size_t at)
{
	size_t i;

	for (i = at + 1; i < l->list->count; i++)
		if (is_same_at(l, at, i))
			return false;
	return true;
}

struct yaml_node *
job_status_events(struct yaml_arena *arena, const struct yaml_node *lines,
    const char *job, const char *space)
{
	struct yaml_node *list = yaml_new_list(arena);
	struct event_lines l = { .list = lines,
		.hashes = xcalloc(lines->count + 1, sizeof(*l.hashes)) };
	const char *first;
	int64_t count;
	size_t i, k;

	for (i = 0; i < lines->count; i++)
		l.hashes[i] = event_hash(lines->items[i].node);
	for (i = 0; i < lines->count; i++) {
		if (!is_last(&l, i))
			continue;
		first = NULL;
		count = 0;
		for (k = 0; k <= i; k++) {
			if (!is_same_at(&l, i, k))
				continue;
			count++;
			if (first == NULL)
				first = yaml_get_text(lines->items[k].node,
				    "time");
		}
		yaml_add(arena, list,
		    make_event(arena, lines->items[i].node, first, count, job,
			space));
	}
	free(l.hashes);
	return list;
}

bool
job_status_is_about(const struct yaml_node *event, const char *kind,
    const char *name)
{
	return is_same_text(yaml_get_text(event, "involvedObject/kind"),
		   kind) &&
	    is_same_text(yaml_get_text(event, "involvedObject/name"), name);
}
