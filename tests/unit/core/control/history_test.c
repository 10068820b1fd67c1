/*
 * Long random histories of a small pod, with machines that go, come back, fail
 * and are slow, through the real placement.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "core/control/tick.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

enum {
	EVENTS = 300000,
	PARTITIONS = 24,
	LOOK_EVERY = 150,
	COMMIT_EVERY = 2000
};

static struct world {
	struct pod pod;
	struct snapshot s;
	int64_t now_ms;
	uint64_t seed;
	unsigned in_use; /* machines with programs */
	int wrong;
	long states[PS_ERROR + 1][POS_FAILED + 1];
	long removals, moves;
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
	if (w.wrong++ < 5)
		printf("# at %lld: %s: %s %s/%s\n", (long long)w.now_ms, what,
		    p->name, partition_state_name(p->state),
		    partition_operation_name(p->operation));
}

static bool
is_used(const struct partition *p)
{
	int i;

	for (i = 0; i < partition_size(p); i++)
		if ((w.in_use >> placement_ipu(&w.s.pod, &p->placement, i) /
				IPUS_PER_MACHINE &
			1) != 0)
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
	int i, ipu;

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

/* The snapshot without what was removed, owner[] made again. */
static void
compact(void)
{
	const int ipus = pod_ipu_count(&w.s.pod);
	int i, k, n = 0, ipu;

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
	switch (p->state) {
	case PS_PENDING:
		return p->operation == POS_CREATING ||
		    p->operation == POS_RESETTING;
	case PS_ACTIVE:
		return p->operation == POS_IDLE;
	case PS_ERROR:
		return p->operation == POS_IDLE || p->operation == POS_FAILED;
	default:
		return false;
	}
}

/* Let happen what is due, and look whether all is well. */
static void
pass(void)
{
	const struct outside outside = { world_remove, world_move, NULL };
	const struct partition *p;
	struct advance a;
	struct machines m;

	advance_init(&a, &w.s, &outside, w.now_ms);
	if (advance_run(&a) != 0)
		w.wrong++;
	if (a.next_ms != 0 && a.next_ms <= w.now_ms)
		w.wrong++;
	advance_release(&a);
	compact();
	for (p = w.s.partitions; p < w.s.partitions + w.s.partition_count;
	     p++) {
		lifecycle_look(&w.s.pod, p, &m);
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
	struct partition_request r;
	struct partition *p;
	struct moment m = { .ms = w.now_ms };
	struct machines machines;
	struct placement place;
	static int count;
	int i;

	request_init(&r);
	(void)snprintf(r.name, sizeof(r.name), "p%d", count++);
	r.size = 1 << dice(4);
	if (w.s.partition_count == PARTITIONS || request_check(&r, NULL) != 0 ||
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
	lifecycle_look(&w.s.pod, p, &machines);
	m.takes_ms = machines.takes_ms;
	if (lifecycle_apply(p, EVENT_CREATE, &m) != 0)
		complain("cannot be created", p);
	w.s.partition_count++;
}

/* What a user does to a partition. */
static void
touch(enum partition_event event)
{
	struct partition *p;
	struct moment m = { .ms = w.now_ms };
	struct machines machines;

	if (w.s.partition_count == 0)
		return;
	p = &w.s.partitions[dice(w.s.partition_count)];
	lifecycle_look(&w.s.pod, p, &machines);
	m.takes_ms = machines.takes_ms;
	if (lifecycle_apply(p, event, &m) != 0)
		complain("a user is refused", p);
	compact();
}

static void
change_machine(void)
{
	struct agent *a = &w.s.pod.agents[dice(w.s.pod.agent_count)];
	int state = a->state;

	switch (dice(6)) {
	case 0:
		a->state = MACHINE_DOWN;
		break;
	case 1:
		a->state = MACHINE_REBOOTING;
		a->up_ms = w.now_ms + dice(30000);
		state = -1; /* once more */
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
	struct partition partitions[PARTITIONS];
	struct agent agents[4];
	int count;
	int64_t now_ms;
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
	static struct shelf begin, often;
	int64_t end_ms = w.now_ms + 200000;

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
commit(void)
{
	struct agent *a = w.s.pod.agents;
	struct partition *p;
	int i;

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
	for (p = w.s.partitions; p < w.s.partitions + w.s.partition_count;
	     p++) {
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
	for (p = w.s.partitions; p < w.s.partitions + w.s.partition_count; p++)
		if (p->state != PS_ACTIVE)
			complain("a reset did not help", p);
}

static void
happen(void)
{
	int what = dice(20);

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
	struct error e;
	size_t ipus;

	if (pod_file_parse(&w.s.pod, "pod16", pod_embedded("pod16"), &e) != 0) {
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
	int i, k, taken = 0;

	begin_world();
	for (i = 1; i <= EVENTS && w.wrong == 0; i++) {
		happen();
		if (i % LOOK_EVERY == 0)
			look_often_and_once();
		if (i % COMMIT_EVERY == 0)
			commit();
	}
	is_int(w.wrong, 0, "nothing went wrong");
	for (i = PS_PENDING; i <= PS_ERROR; i++)
		for (k = POS_IDLE; k <= POS_FAILED; k++)
			if (w.states[i][k] > 0)
				printf("# %s/%s: %ld\n",
				    partition_state_name(i),
				    partition_operation_name(k),
				    w.states[i][k]);
	printf("# %ld moves, %ld removals by themselves\n", w.moves,
	    w.removals);
	ok(w.states[PS_PENDING][POS_CREATING] > 1000, "creations were seen");
	ok(w.states[PS_PENDING][POS_RESETTING] > 1000, "resets");
	ok(w.states[PS_ERROR][POS_FAILED] > 1000, "failures");
	ok(w.states[PS_ERROR][POS_IDLE] > 1000, "losses");
	ok(w.moves > 1000, "moves");
	ok(w.removals > 1000, "ends of times");
	commit();
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
	test_histories();
	return tap_done();
}
