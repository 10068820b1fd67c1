/*
 * The life of partitions: every event in every state; then long random
 * histories of a small pod, with machines that go, come back, fail and are
 * slow, through the real placement.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/control/advance.h"
#include "core/control/lifecycle.h"
#include "core/pod/embedded.h"
#include "core/pod/placement.h"
#include "tests/unit/tap.h"

/* ---- every pair ---- */

static const char *const event_names[EVENT_COUNT] = {
	"create", "configured", "failed", "lost", "back", "retry", "moved",
	"reset", "remove"
};

/* "PENDING/CREATING" */
static const char *
state_text(const struct partition *p, char text[64])
{
	(void)snprintf(text, 64, "%s/%s", partition_state_name(p->state),
	    operation_state_name(p->operation));
	return text;
}

#define N	"UNDEFINED/UNDEFINED"
#define C	"PENDING/CREATING"
#define R	"PENDING/RESETTING"
#define A	"ACTIVE/IDLE"
#define L	"ERROR/IDLE"
#define F	"ERROR/FAILED"
#define G	"REMOVED/REMOVING"

static const struct {
	int		state, operation;
	const char	*name;
	const char	*to[EVENT_COUNT];	/* NULL: it cannot happen */
} rows[] = {
	{ PS_UNDEFINED, POS_UNDEFINED, N,
	    { C, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL } },
	{ PS_PENDING, POS_CREATING, C,
	    { NULL, A, C, L, NULL, NULL, C, R, G } },
	{ PS_PENDING, POS_RESETTING, R,
	    { NULL, A, R, L, NULL, NULL, R, R, G } },
	{ PS_ACTIVE, POS_IDLE, A,
	    { NULL, NULL, NULL, L, NULL, NULL, NULL, R, G } },
	{ PS_ERROR, POS_IDLE, L,
	    { NULL, NULL, NULL, NULL, R, NULL, R, R, G } },
	{ PS_ERROR, POS_FAILED, F,
	    { NULL, NULL, NULL, L, NULL, R, NULL, R, G } },
	{ PS_REMOVED, POS_REMOVING, G,
	    { NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL } }
};

static void
test_pair(size_t row, int event)
{
	const struct moment	m = { .ms = 5000, .takes_ms = 70,
	    .reason = "no link" };
	struct partition	p, before;
	char			text[64], name[128];
	const char		*to = rows[row].to[event];
	int			status;

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
	is_int(p.due_ms, p.state == PS_PENDING ? 5070 : 0,
	    "a configuration ends, or nothing is due");
}

static void
test_pairs(void)
{
	size_t	row;
	int	event;

	for (row = 0; row < sizeof(rows) / sizeof(rows[0]); row++)
		for (event = 0; event < EVENT_COUNT; event++)
			test_pair(row, event);
}

static void
apply(struct partition *p, enum partition_event event, int64_t ms)
{
	const struct moment	m = { .ms = ms, .takes_ms = 10,
	    .reason = "no link" };

	is_int(lifecycle_apply(p, event, &m), 0, event_names[event]);
}

/* Ten retries, then an error; ten periodic resets, then nothing. */
static void
test_retries(void)
{
	struct partition	p = { .name = "p" };
	char			text[64];
	int64_t			ms = 1000;
	int			i;

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

/* What an automatic reset leaves to be read, and moves count anew. */
static void
test_traces(void)
{
	struct partition	p = { .name = "p", .relocatable = 1 };

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
	struct agent		agents[4];
	struct cluster		cluster = { .agent_count = 4, .ild_count = 1 };
	struct pod		pod = { .agent_count = 4, .cluster_count = 1,
	    .agents = agents, .clusters = &cluster };
	struct partition	p = { .placement = { 0, 0, 1, 4, 8 },
	    .state = PS_ACTIVE, .operation = POS_IDLE, .changed_ms = 500 };
	struct put_off		off = { 0, 0 };
	enum partition_event	event;
	struct machines		m;

	memset(agents, 0, sizeof(agents));
	agents[0].slow_ms = 900;	/* not one of its own */
	agents[0].state = MACHINE_DOWN;
	agents[1].slow_ms = 20;
	agents[2].slow_ms = 30;
	agents[2].fail_config = 1;
	machines_look(&pod, &p, &m);
	is_int(m.takes_ms, 30, "as slow as the slowest of its own");
	is_int(m.lost, -1, "all there");
	is_int(m.failing, 2, "one that fails");
	ok(lifecycle_next(&p, &m, &off, &event) == INT64_MAX, "nothing to come");

	agents[2].state = MACHINE_DOWN;
	agents[2].changed_ms = 700;
	agents[1].state = MACHINE_REBOOTING;
	agents[1].changed_ms = 600;
	agents[1].up_ms = 800;
	machines_look(&pod, &p, &m);
	is_int(m.lost, 1, "the first that went");
	is_int(lifecycle_next(&p, &m, &off, &event), 600, "when it did");
	is_int(event, EVENT_LOST, "is the loss");
	p.changed_ms = 800;
	machines_look(&pod, &p, &m);
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
	is_int(lifecycle_next(&p, &m, &off, &event), 5000, "it waits to its end");
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
	machines_look(&pod, &p, &m);
	is_int(lifecycle_next(&p, &m, &off, &event), 900, "all are up");
	is_int(event, EVENT_BACK, "and it is healed");
	p.no_auto_reset = 1;
	is_int(lifecycle_next(&p, &m, &off, &event), 7000, "unless forbidden");
}

/* ---- random histories ---- */

enum {
	EVENTS = 300000,
	PARTITIONS = 24,
	LOOK_EVERY = 150,
	SETTLE_EVERY = 2000
};

static struct world {
	struct pod		pod;
	struct snapshot		s;
	int64_t			now_ms;
	uint64_t		seed;
	unsigned		in_use;		/* machines with programs */
	int			wrong;
	long			states[PS_ERROR + 1][POS_FAILED + 1];
	long			removals, moves;
} w;

static int
dice(int sides)
{
	w.seed = w.seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (int)((w.seed >> 33) % (unsigned)sides);
}

static void
complain(const char *what, const struct partition *p)
{
	char	text[64];

	if (w.wrong++ < 5)
		printf("# at %lld: %s: %s %s\n", (long long)w.now_ms, what,
		    p->name, state_text(p, text));
}

static bool
is_used(const struct partition *p)
{
	int	i;

	for (i = 0; i < partition_size(p); i++)
		if ((w.in_use >> placement_ipu(&w.s.pod, &p->placement, i) /
		    IPUS_PER_MACHINE & 1) != 0)
			return true;
	return false;
}

static int
world_remove(void *context, const struct partition *p)
{
	(void)context;
	w.removals += !is_used(p);
	return is_used(p);
}

static int
world_move(void *context, const struct partition *from,
    const struct partition *to)
{
	int	i, ipu;

	(void)context;
	if (is_used(from))
		return 1;
	for (i = 0; i < partition_size(to); i++) {
		ipu = placement_ipu(&w.s.pod, &to->placement, i);
		if (w.s.owner[ipu] != -1)
			complain("moved to IPUs that are taken", to);
		if (w.s.pod.agents[ipu / 4].state != MACHINE_UP)
			complain("moved to a machine that is down", to);
	}
	w.moves++;
	return 0;
}

/* The snapshot without what was removed, owner[] made anew. */
static void
compact(void)
{
	const int	ipus = pod_ipu_count(&w.s.pod);
	int		i, k, n = 0, ipu;

	for (i = 0; i < ipus; i++)
		w.s.owner[i] = -1;
	for (i = 0; i < w.s.partition_count; i++) {
		if (w.s.partitions[i].state == PS_REMOVED)
			continue;
		w.s.partitions[n] = w.s.partitions[i];
		for (k = 0; k < partition_size(&w.s.partitions[n]); k++) {
			ipu = placement_ipu(&w.s.pod,
			    &w.s.partitions[n].placement, k);
			if (w.s.owner[ipu] != -1)
				complain("shares IPUs", &w.s.partitions[n]);
			w.s.owner[ipu] = n;
		}
		n++;
	}
	w.s.partition_count = n;
}

static bool
in_diagram(const struct partition *p)
{
	size_t	i;

	for (i = 1; i < sizeof(rows) / sizeof(rows[0]) - 1; i++)
		if (p->state == rows[i].state &&
		    p->operation == rows[i].operation)
			return true;
	return false;
}

/* Let happen what is due, and look whether all is well. */
static void
pass(void)
{
	const struct outside	outside = { world_remove, world_move, NULL };
	const struct partition	*p;
	struct advance		a;
	struct machines		m;

	advance_init(&a, &w.s, &outside, w.now_ms);
	if (advance_run(&a) != 0)
		w.wrong++;
	if (a.next_ms != 0 && a.next_ms <= w.now_ms)
		w.wrong++;
	advance_release(&a);
	compact();
	for (p = w.s.partitions;
	    p < w.s.partitions + w.s.partition_count; p++) {
		machines_look(&w.s.pod, p, &m);
		if (!in_diagram(p))
			complain("no such state", p);
		else
			w.states[p->state][p->operation]++;
		if (p->changed_ms > w.now_ms || p->error_ms > w.now_ms)
			complain("in the future", p);
		if (p->state == PS_ACTIVE && m.lost != -1)
			complain("active without a machine", p);
		if (p->state == PS_PENDING && p->due_ms <= w.now_ms)
			complain("overdue", p);
	}
}

static void
create(void)
{
	struct partition_request	r;
	struct partition		*p;
	struct moment			m = { .ms = w.now_ms };
	struct machines			machines;
	struct placement		place;
	static int			count;
	int				i;

	partition_request_init(&r);
	(void)snprintf(r.name, sizeof(r.name), "p%d", count++);
	r.size = 1 << dice(4);
	if (w.s.partition_count == PARTITIONS ||
	    partition_request_check(&r, NULL) != 0 ||
	    placement_choose(&w.s.pod, w.s.owner, &r, &place, NULL) != 0)
		return;
	p = &w.s.partitions[w.s.partition_count];
	memset(p, 0, sizeof(*p));
	(void)strlcpy(p->name, r.name, sizeof(p->name));
	p->placement = place;
	p->allocation = -1;
	p->num_gcds = p->num_replicas = 1;
	p->routing = IRT_DNC;
	p->relocatable = dice(2) == 0;
	p->no_auto_reset = dice(6) == 0;
	if (dice(5) == 0)
		p->expires_ms = w.now_ms + 1 + dice(60000);
	for (i = 0; i < partition_size(p); i++)
		w.s.owner[placement_ipu(&w.s.pod, &place, i)] =
		    w.s.partition_count;
	machines_look(&w.s.pod, p, &machines);
	m.takes_ms = machines.takes_ms;
	if (lifecycle_apply(p, EVENT_CREATE, &m) != 0)
		complain("cannot be created", p);
	w.s.partition_count++;
}

/* What a user does to a partition. */
static void
touch(enum partition_event event)
{
	struct partition	*p;
	struct moment		 m = { .ms = w.now_ms };
	struct machines		 machines;

	if (w.s.partition_count == 0)
		return;
	p = &w.s.partitions[dice(w.s.partition_count)];
	machines_look(&w.s.pod, p, &machines);
	m.takes_ms = machines.takes_ms;
	if (lifecycle_apply(p, event, &m) != 0)
		complain("a user is refused", p);
	compact();
}

static void
change_machine(void)
{
	struct agent	*a = &w.s.pod.agents[dice(w.s.pod.agent_count)];
	int		 state = a->state;

	switch (dice(6)) {
	case 0:
		a->state = MACHINE_DOWN;
		break;
	case 1:
		a->state = MACHINE_REBOOTING;
		a->up_ms = w.now_ms + dice(30000);
		state = -1;		/* once more */
		break;
	case 2:
		a->fail_config = dice(40);
		break;
	case 3:
		a->slow_ms = dice(2) * dice(5000);
		break;
	default:
		a->state = MACHINE_UP;
		break;
	}
	if (a->state != state)
		a->changed_ms = w.now_ms;
}

/* What there is, put aside; and whether it is the same again. */
struct shelf {
	struct partition	partitions[PARTITIONS];
	struct agent		agents[4];
	int			count;
	int64_t			now_ms;
};

static void
put_aside(struct shelf *shelf)
{
	memcpy(shelf->partitions, w.s.partitions, sizeof(shelf->partitions));
	memcpy(shelf->agents, w.s.pod.agents, sizeof(shelf->agents));
	shelf->count = w.s.partition_count;
	shelf->now_ms = w.now_ms;
}

static void
take_back(const struct shelf *shelf)
{
	memcpy(w.s.partitions, shelf->partitions, sizeof(shelf->partitions));
	memcpy(w.s.pod.agents, shelf->agents, sizeof(shelf->agents));
	w.s.partition_count = shelf->count;
	w.now_ms = shelf->now_ms;
	compact();
}

/* Whoever looks often sees at the end what somebody sees who looks once. */
static void
look_often_and_once(void)
{
	static struct shelf	begin, often;
	int64_t			end_ms = w.now_ms + 200000;

	w.in_use = 0;
	pass();
	put_aside(&begin);
	while (w.now_ms < end_ms) {
		w.now_ms += 1 + dice(9000);
		if (w.now_ms > end_ms)
			w.now_ms = end_ms;
		pass();
	}
	put_aside(&often);
	take_back(&begin);
	w.now_ms = end_ms;
	pass();
	if (w.s.partition_count != often.count ||
	    memcmp(w.s.partitions, often.partitions,
	    (size_t)often.count * sizeof(often.partitions[0])) != 0 ||
	    memcmp(w.s.pod.agents, often.agents, sizeof(often.agents)) != 0) {
		w.wrong++;
		printf("# at %lld: it matters who looks\n",
		    (long long)w.now_ms);
	}
}

/* All machines up, no program, no faults, and time passes. */
static void
settle(void)
{
	struct agent		*a = w.s.pod.agents;
	struct partition	*p;
	int			 i;

	w.in_use = 0;
	for (; a < w.s.pod.agents + w.s.pod.agent_count; a++) {
		if (a->state != MACHINE_UP)
			a->changed_ms = w.now_ms;
		a->state = MACHINE_UP;
		a->fail_config = a->slow_ms = 0;
	}
	/* In steps, or at once: it makes no difference. */
	for (i = 0; i < 60; i++) {
		w.now_ms += dice(2) * 10000;
		pass();
	}
	w.now_ms += 120000;
	pass();
	for (p = w.s.partitions;
	    p < w.s.partitions + w.s.partition_count; p++) {
		if (p->state == PS_ACTIVE)
			continue;
		if (!p->no_auto_reset && p->operation != POS_FAILED)
			complain("did not heal", p);
		if (p->operation == POS_FAILED && p->due_ms != 0)
			complain("was not tried again", p);
		if (lifecycle_apply(p, EVENT_RESET,
		    &(struct moment){ .ms = w.now_ms }) != 0)
			complain("cannot be reset", p);
	}
	pass();
	for (p = w.s.partitions;
	    p < w.s.partitions + w.s.partition_count; p++)
		if (p->state != PS_ACTIVE)
			complain("a reset did not help", p);
}

static void
happen(void)
{
	int	what = dice(20);

	if (what < 4)
		create();
	else if (what < 6)
		touch(EVENT_REMOVE);
	else if (what < 7)
		touch(EVENT_RESET);
	else if (what < 10)
		change_machine();
	else if (what < 12)
		w.in_use ^= 1U << dice(w.s.pod.agent_count);
	else
		w.now_ms += dice(what == 19 ? 100000 : 2000);
	/* Not after each: what is due waits for whoever looks. */
	if (dice(3) != 0)
		pass();
}

static void
begin_world(void)
{
	struct error	e;
	size_t		ipus;

	if (pod_parse(&w.s.pod, "pod16", pod_embedded("pod16"), &e) != 0) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	ipus = (size_t)pod_ipu_count(&w.s.pod);
	w.s.partitions = xcalloc(PARTITIONS, sizeof(*w.s.partitions));
	w.s.owner = xcalloc(ipus, sizeof(*w.s.owner));
	w.now_ms = 1000000000;
	w.seed = 20261121;
	compact();
}

static void
test_histories(void)
{
	int	i, k, taken = 0;

	begin_world();
	for (i = 1; i <= EVENTS && w.wrong == 0; i++) {
		happen();
		if (i % LOOK_EVERY == 0)
			look_often_and_once();
		if (i % SETTLE_EVERY == 0)
			settle();
	}
	is_int(w.wrong, 0, "nothing went wrong");
	for (i = PS_PENDING; i <= PS_ERROR; i++)
		for (k = POS_IDLE; k <= POS_FAILED; k++)
			if (w.states[i][k] > 0)
				printf("# %s/%s: %ld\n",
				    partition_state_name(i),
				    operation_state_name(k), w.states[i][k]);
	printf("# %ld moves, %ld removals by themselves\n", w.moves,
	    w.removals);
	ok(w.states[PS_PENDING][POS_CREATING] > 1000, "creations were seen");
	ok(w.states[PS_PENDING][POS_RESETTING] > 1000, "resets");
	ok(w.states[PS_ERROR][POS_FAILED] > 1000, "failures");
	ok(w.states[PS_ERROR][POS_IDLE] > 1000, "losses");
	ok(w.moves > 1000, "moves");
	ok(w.removals > 1000, "ends of times");
	settle();
	for (i = 0; i < w.s.partition_count; i++)
		w.s.partitions[i].expires_ms = w.now_ms;
	pass();
	for (i = 0; i < pod_ipu_count(&w.s.pod); i++)
		taken += w.s.owner[i] != -1;
	is_int(w.s.partition_count, 0, "all partitions went");
	is_int(taken, 0, "and all IPUs are free");
	snapshot_release(&w.s);
}

int
main(void)
{
	test_pairs();
	test_retries();
	test_traces();
	test_machines();
	test_histories();
	return tap_done();
}
