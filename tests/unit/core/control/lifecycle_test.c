/*
 * The life of a partition: every event in every state, what is counted, and
 * what happens when.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "tests/unit/tap.h"

/* ---- every pair ---- */

static const char *const event_names[EVENT_COUNT] = { "create", "configured",
	"failed", "lost", "back", "retry", "moved", "reset", "remove" };

/* "PENDING/CREATING" */
static const char *
state_text(const struct partition *p, char text[64])
{
	(void)snprintf(text, 64, "%s/%s", partition_state_name(p->state),
	    partition_operation_name(p->operation));
	return text;
}

#define N "UNDEFINED/UNDEFINED"
#define C "PENDING/CREATING"
#define R "PENDING/RESETTING"
#define A "ACTIVE/IDLE"
#define L "ERROR/IDLE"
#define F "ERROR/FAILED"
#define G "REMOVED/REMOVING"

static const struct {
	int state, operation;
	const char *name;
	const char *to[EVENT_COUNT]; /* NULL: it cannot happen */
} rows[] = {
	{ PS_UNDEFINED, POS_UNDEFINED, N,
	    { C, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL } },
	{ PS_PENDING, POS_CREATING, C, { NULL, A, C, L, NULL, NULL, C, R, G } },
	{ PS_PENDING, POS_RESETTING, R,
	    { NULL, A, R, L, NULL, NULL, R, R, G } },
	{ PS_ACTIVE, POS_IDLE, A,
	    { NULL, NULL, NULL, L, NULL, NULL, NULL, R, G } },
	{ PS_ERROR, POS_IDLE, L, { NULL, NULL, NULL, NULL, R, NULL, R, R, G } },
	{ PS_ERROR, POS_FAILED, F,
	    { NULL, NULL, NULL, L, NULL, R, NULL, R, G } },
	{ PS_REMOVED, POS_REMOVING, G,
	    { NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, G } },
};

static void
test_pair(size_t row, int event)
{
	const struct moment m = { .ms = 5000,
		.takes_ms = 70,
		.reason = "no link" };
	struct partition p, before;
	char text[64], name[128];
	const char *to = rows[row].to[event];
	int status;

	memset(&p, 0, sizeof(p));
	p.state = rows[row].state;
	p.operation = rows[row].operation;
	p.changed_ms = 1000;
	before = p;
	status = lifecycle_apply(&p, (enum partition_event)event, &m);
	(void)snprintf(name, sizeof(name), "%s in %s", event_names[event],
	    rows[row].name);
	is_int(status, to == NULL ? -1 : 0, name);
	is_str(state_text(&p, text), to == NULL ? rows[row].name : to, name);
	if (to == NULL) {
		ok(memcmp(&p, &before, sizeof(p)) == 0,
		    "a refusal changes nothing");
		return;
	}
	is_int(p.changed_ms, strcmp(to, rows[row].name) == 0 ? 1000 : 5000,
	    "changed when it became another");
	is_int(p.due_ms,
	    p.state == PS_PENDING || p.state == PS_REMOVED ? 5070 : 0,
	    "what takes time ends, or nothing is due");
}

static void
test_pairs(void)
{
	size_t row;
	int event;

	for (row = 0; row < ARRAY_SIZE(rows); row++)
		for (event = 0; event < EVENT_COUNT; event++)
			test_pair(row, event);
}

static void
apply(struct partition *p, enum partition_event event, int64_t ms)
{
	const struct moment m = { .ms = ms,
		.takes_ms = 10,
		.reason = "no link" };

	is_int(lifecycle_apply(p, event, &m), 0, event_names[event]);
}

/* Ten retries, then an error; ten periodic resets, then nothing. */
static void
test_retries(void)
{
	struct partition p = { .name = "p" };
	char text[64];
	int64_t ms = 1000;
	int i;

	apply(&p, EVENT_CREATE, ms);
	is_int(p.created, 1, "created, in seconds");
	for (i = 1; i <= LIFECYCLE_RETRIES; i++) {
		apply(&p, EVENT_FAILED, ms += 10);
		is_int(p.attempts, i, "counted");
		is_str(state_text(&p, text), C, "begun again");
		is_str(p.last_error, "", "and no error yet");
	}
	apply(&p, EVENT_FAILED, ms += 10);
	is_str(state_text(&p, text), F, "the eleventh is too much");
	is_str(p.last_error, "no link", "the reason");
	is_int(p.error_ms, ms, "its time");
	for (i = 1; i <= LIFECYCLE_PERIODICS; i++) {
		is_int(p.due_ms, ms + LIFECYCLE_PERIOD_MS, "in ten seconds");
		apply(&p, EVENT_RETRY, ms = p.due_ms);
		is_int(p.resets, i, "an automatic reset");
		is_int(p.reset_ms, ms, "now");
		apply(&p, EVENT_FAILED, ms += 10);
		is_str(state_text(&p, text), F, "one attempt each");
	}
	is_int(p.due_ms, 0, "then it stays");
	apply(&p, EVENT_RESET, ms);
	is_int(p.attempts, 0, "a user begins anew");
	is_str(p.last_error, "", "without the old error");
	is_int(p.error_ms, 0, "nor its time");
	is_int(p.resets, LIFECYCLE_PERIODICS, "automatic resets stay counted");

	p.no_auto_reset = 1;
	for (i = 0; i <= LIFECYCLE_RETRIES; i++)
		apply(&p, EVENT_FAILED, ms);
	is_str(state_text(&p, text), F, "retries it has as well");
	is_int(p.due_ms, 0, "but no automatic reset");
}

/* What an automatic reset leaves to be read, and moves count again. */
static void
test_traces(void)
{
	struct partition p = { .name = "p", .relocatable = 1 };

	apply(&p, EVENT_CREATE, 1000);
	apply(&p, EVENT_FAILED, 1010);
	apply(&p, EVENT_MOVED, 1020);
	is_int(p.attempts, 0, "retries begin anew in another place");
	is_int(p.moves, 1, "which is counted");
	is_int(p.resets, 0, "and is no reset");
	apply(&p, EVENT_CONFIGURED, 1030);
	apply(&p, EVENT_LOST, 2000);
	apply(&p, EVENT_MOVED, 2010);
	is_int(p.moves, 0, "a new operation");
	is_int(p.resets, 1, "of its own accord");
	apply(&p, EVENT_CONFIGURED, 2020);
	is_str(p.last_error, "no link", "the error stays after it");
	is_int(p.error_ms, 2000, "and its time");
	apply(&p, EVENT_RESET, 3000);
	apply(&p, EVENT_CONFIGURED, 3010);
	is_str(p.last_error, "", "not after a user's reset");
}

/* ---- when, and what ---- */

static void
test_machines(void)
{
	struct agent agents[4];
	struct cluster cluster = { .agent_count = 4, .ild_count = 1 };
	struct pod pod = { .agent_count = 4,
		.cluster_count = 1,
		.agents = agents,
		.clusters = &cluster };
	struct partition p = { .placement = { 0, 0, 1, 4, 8 },
		.state = PS_ACTIVE,
		.operation = POS_IDLE,
		.changed_ms = 500 };
	struct backoff off = { 0, 0 };
	enum partition_event event;
	struct machines m;

	memset(agents, 0, sizeof(agents));
	agents[0].slow_ms = 900; /* not one of its own */
	agents[0].state = MACHINE_DOWN;
	agents[1].slow_ms = 20;
	agents[2].slow_ms = 30;
	agents[2].fail_config = 1;
	lifecycle_look(&pod, &p, &m);
	is_int(m.takes_ms, 30, "as slow as the slowest of its own");
	is_int(m.lost, -1, "all there");
	is_int(m.failing, 2, "one that fails");
	ok(lifecycle_next(&p, &m, &off, &event) == INT64_MAX,
	    "nothing to come");

	agents[2].state = MACHINE_DOWN;
	agents[2].changed_ms = 700;
	agents[1].state = MACHINE_REBOOTING;
	agents[1].changed_ms = 600;
	agents[1].up_ms = 800;
	lifecycle_look(&pod, &p, &m);
	is_int(m.lost, 1, "the first that went");
	is_int(lifecycle_next(&p, &m, &off, &event), 600, "when it did");
	is_int(event, EVENT_LOST, "is the loss");
	p.changed_ms = 800;
	lifecycle_look(&pod, &p, &m);
	is_int(m.lost, 2, "one that was back before its last change counts");
	is_int(lifecycle_next(&p, &m, &off, &event), 800, "none before that");

	p.state = PS_PENDING;
	p.operation = POS_RESETTING;
	p.due_ms = 750;
	is_int(lifecycle_next(&p, &m, &off, &event), 750, "what ended before");
	is_int(event, EVENT_FAILED, "comes before the loss");
	p.due_ms = 800;
	(void)lifecycle_next(&p, &m, &off, &event);
	is_int(event, EVENT_LOST, "not at the same time");

	p.state = PS_ERROR;
	p.operation = POS_IDLE;
	p.expires_ms = 5000;
	is_int(lifecycle_next(&p, &m, &off, &event), 5000,
	    "it waits to its end");
	is_int(event, EVENT_REMOVE, "which is its removal");
	off.remove_ms = 7000;
	is_int(lifecycle_next(&p, &m, &off, &event), 7000, "or is put off");
	p.relocatable = 1;
	is_int(lifecycle_next(&p, &m, &off, &event), 800, "unless it may move");
	is_int(event, EVENT_MOVED, "elsewhere");
	off.move_ms = 2000;
	is_int(lifecycle_next(&p, &m, &off, &event), 2000, "where is room");
	agents[1].state = agents[2].state = MACHINE_UP;
	agents[2].changed_ms = 900;
	lifecycle_look(&pod, &p, &m);
	is_int(lifecycle_next(&p, &m, &off, &event), 900, "all are up");
	is_int(event, EVENT_BACK, "and it is healed");
	p.no_auto_reset = 1;
	is_int(lifecycle_next(&p, &m, &off, &event), 7000, "unless forbidden");
}

/* A removal that takes time ends when it is due, and nothing else happens. */
static void
test_removal(void)
{
	const struct machines machines = { .lost = 0,
		.failing = 0,
		.lost_ms = 10 };
	const struct moment slow = { .ms = 1000, .takes_ms = 70 };
	const struct moment end = { .ms = 1070 };
	struct backoff off = { 0 };
	struct partition p;
	enum partition_event event;

	memset(&p, 0, sizeof(p));
	p.state = PS_ACTIVE;
	p.operation = POS_IDLE;
	p.expires_ms = 1010;
	is_int(lifecycle_apply(&p, EVENT_REMOVE, &slow), 0, "it begins");
	is_int(lifecycle_next(&p, &machines, &off, &event), 1070,
	    "it ends as the slowest machine does");
	is_int(event, EVENT_REMOVE, "and then it goes");
	is_int(lifecycle_apply(&p, EVENT_RESET, &slow), -1, "for good");
	off.remove_ms = 1500;
	is_int(lifecycle_next(&p, &machines, &off, &event), 1500,
	    "or later, where it cannot be done");
	is_int(lifecycle_apply(&p, EVENT_REMOVE, &end), 0, "it is over");
	is_int(lifecycle_next(&p, &machines, &off, &event), INT64_MAX,
	    "nothing comes behind that");
}

int
main(void)
{
	test_removal();
	test_pairs();
	test_retries();
	test_traces();
	test_machines();
	return tap_done();
}
