/*
 * Kill -9 at every write, flush, rename, unlink and change of the mirror: no
 * acknowledged change is lost, no half one stays.  Then the same with a full
 * disk in place of the kill: what failed has changed nothing.
 */
#include <sys/wait.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/control/control.h"
#include "core/pod/document/document.h"
#include "core/state/state.h"
#include "core/state/store.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/fault_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static struct pod
embedded(const char *name)
{
	struct error e;
	struct pod pod;

	must(pod_file_parse(&pod, name, pod_embedded(name), &e), &e);
	return pod;
}

/* A pod64 with partitions a and b, and c where `with_c`. */
static void
prepare_partitions(bool with_c)
{
	struct partition p;
	struct error e;
	struct state s;

	use_state("partitions");
	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	(void)state_remove_partition(&s, "a", NULL);
	(void)state_remove_partition(&s, "b", NULL);
	(void)state_remove_partition(&s, "c", NULL);
	p = make_partition("a", 0, 4);
	must(state_add_partition(&s, &p, &e), &e);
	p = make_partition("b", 8, 8);
	must(state_add_partition(&s, &p, &e), &e);
	p = make_partition("c", 16, 16);
	if (with_c)
		must(state_add_partition(&s, &p, &e), &e);
	state_close(&s);
}

static void
prepare_without_c(void)
{
	prepare_partitions(false);
}

static void
prepare_with_c(void)
{
	prepare_partitions(true);
}

static int
inject(enum fault fault, struct error *e)
{
	const struct injection in = { .target = "ag05", .fault = fault };
	struct controller *c = embedded_controller_open(NULL, e);
	int status;

	if (c == NULL)
		return -1;
	status = inject_fault(c, &in, e);
	controller_close(c);
	return status;
}

/* Its machines are up, as they may not have been. */
static void
prepare_with_whole_c(void)
{
	struct error e;

	prepare_partitions(true);
	must(inject(FAULT_UP, &e), &e);
}

static void
prepare_without_registry(void)
{
	prepare_partitions(false);
	(void)unlink(test_paths.registry);
}

static void
prepare_nothing(void)
{
	static int count;
	char name[32];

	(void)snprintf(name, sizeof(name), "fresh%d", count++);
	use_state(name);
}

static void
prepare_pod4(void)
{
	struct pod pod = embedded("pod4");
	struct error e;

	use_state("pods");
	must(new_pod_init(&test_paths, &pod, &(struct new_pod){ .force = true },
		 &e),
	    &e);
	pod_release(&pod);
}

static void
prepare_pod4_with_a(void)
{
	struct partition p = make_partition("a", 0, 4);
	struct error e;
	struct state s;

	prepare_pod4();
	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	must(state_add_partition(&s, &p, &e), &e);
	state_close(&s);
}

static int act_init(struct error *);

/* An init to pod16 that was killed when it counted and was not in place. */
static void
prepare_half_init(void)
{
	static long n;
	struct store_identity identity = { .staged = false };
	struct error e;
	int status;
	pid_t pid;

	do {
		prepare_pod4();
		n += n == 0;
		if ((pid = fork()) == 0) {
			fault_arm(n, 0);
			(void)act_init(&e);
			_exit(0);
		}
		(void)waitpid(pid, &status, 0);
		must(store_identify(directory_at(test_paths.directory),
			 &identity, &e),
		    &e);
		if (!WIFSIGNALED(status)) {
			(void)error_set(&e, "never half done");
			must(-1, &e);
		}
	} while (!identity.staged && ++n > 0);
}

/* The change of partition c under the lock, as the controller does it. */
static int
change(struct error *e, int (*f)(struct state *, struct error *))
{
	struct state s;
	int status;

	if (state_open(&s, e) != 0)
		return -1;
	status = state_lock(&s, e);
	if (status == 0)
		status = f(&s, e);
	state_close(&s);
	return status;
}

static int
add_c(struct state *s, struct error *e)
{
	struct partition p = make_partition("c", 16, 16);

	return state_add_partition(s, &p, e);
}

static int
remove_c(struct state *s, struct error *e)
{
	return state_remove_partition(s, "c", e);
}

static int
update_c(struct state *s, struct error *e)
{
	struct partition p = make_partition("c", 16, 16);

	p.num_gcds = 4;
	return state_update_partition(s, &p, e);
}

static int
act_add(struct error *e)
{
	return change(e, add_c);
}
static int
act_remove(struct error *e)
{
	return change(e, remove_c);
}
static int
act_update(struct error *e)
{
	return change(e, update_c);
}
static int
act_inject(struct error *e)
{
	return inject(FAULT_DOWN, e);
}

/* The last machine leaves cluster cl0 of the pod: it becomes a half of it. */
static int
halve(struct state *s, struct error *e)
{
	struct inventory in;
	struct snapshot snap;
	int i, status;

	if (snapshot_take(&s->registry, &snap, e) != 0)
		return -1;
	snapshot_own(&snap);
	snap.pod.clusters[0].agent_count = 8;
	for (i = 8; i < 16; i++)
		snap.pod.agents[i].cluster = snap.pod.agents[i].allocation = -1;
	in = (struct inventory){ &snap.pod, snap.partitions,
		snap.partition_count };
	status = new_pod_replace(s, &in, e);
	snapshot_release(&snap);
	return status;
}

/* 64 machines are more than the registry has room for. */
static int
grow(struct state *s, struct error *e)
{
	struct inventory in;
	struct snapshot snap;
	struct agent *a;
	int i, status;

	if (snapshot_take(&s->registry, &snap, e) != 0)
		return -1;
	snapshot_own(&snap);
	snap.pod.agents = xreallocarray(snap.pod.agents, 80, sizeof(*a));
	for (i = 16; i < 80; i++) {
		a = &snap.pod.agents[i];
		*a = snap.pod.agents[0];
		a->cluster = a->allocation = -1;
		(void)snprintf(a->name, sizeof(a->name), "new%d", i);
		(void)snprintf(a->address, sizeof(a->address), "10.1.6.%d", i);
	}
	snap.pod.agent_count = 80;
	in = (struct inventory){ &snap.pod, snap.partitions,
		snap.partition_count };
	status = new_pod_replace(s, &in, e);
	snapshot_release(&snap);
	return status;
}

static int
act_halve(struct error *e)
{
	return change(e, halve);
}
static int
act_grow(struct error *e)
{
	return change(e, grow);
}

static void
prepare_pod64(void)
{
	struct pod pod = embedded("pod64");
	struct error e;

	use_state("partitions");
	must(new_pod_init(&test_paths, &pod, &(struct new_pod){ .force = true },
		 &e),
	    &e);
	pod_release(&pod);
	prepare_partitions(false);
}

static int
act_open(struct error *e)
{
	struct registry r;
	int status = state_open_reader(&r, e);

	if (status == 0)
		registry_close(&r);
	return status;
}

static int
act_init(struct error *e)
{
	struct pod pod = embedded("pod16");
	int status;

	status = new_pod_init(&test_paths, &pod,
	    &(struct new_pod){ .force = true }, e);
	pod_release(&pod);
	return status;
}

/* Whether the partition has IPUs first to first+size-1, all of them. */
static bool
owns(const struct snapshot *s, const char *name, int first, int size)
{
	int i, p = snapshot_find(s, name);

	if (p == -1)
		return false;
	for (i = 0; i < pod_ipu_count(&s->pod); i++)
		if ((s->owner[i] == p) != (i >= first && i < first + size))
			return false;
	return true;
}

static bool
a_and_b(const struct snapshot *s, struct error *e)
{
	if (owns(s, "a", 0, 4) && owns(s, "b", 8, 8) &&
	    pod_ipu_count(&s->pod) == 64)
		return true;
	(void)error_set(e, "a or b was lost");
	return false;
}

static int
judge_c(const struct snapshot *s, struct error *e)
{
	int i;

	if (!a_and_b(s, e))
		return 0;
	if (owns(s, "c", 16, 16) && s->partition_count == 3)
		return AFTER;
	for (i = 16; i < 64; i++)
		if (s->owner[i] != -1)
			(void)error_set(e, "IPU %d has an owner", i);
	return s->partition_count == 2 && s->owner[16] == -1 ? BEFORE : 0;
}

static int
judge_removed(const struct snapshot *s, struct error *e)
{
	int found = judge_c(s, e);

	return found == AFTER ? BEFORE : found == BEFORE ? AFTER : 0;
}

static int
judge_updated(const struct snapshot *s, struct error *e)
{
	int c = snapshot_find(s, "c");

	if (judge_c(s, e) != AFTER)
		return 0;
	return s->partitions[c].num_gcds == 4 ? AFTER : BEFORE;
}

/*
 * Whoever comes next lets happen what a machine's loss means for c, should
 * the one who injected it not have come to that.
 */
static int
judge_injected(const struct snapshot *before, struct error *e)
{
	struct registry r;
	struct snapshot s;
	int c, found = judge_c(before, e);

	if (found != AFTER || reader_open(&r, e) != 0)
		return 0;
	if (snapshot_take(&r, &s, e) == 0) {
		c = snapshot_find(&s, "c");
		found = s.pod.agents[4].state == MACHINE_DOWN &&
			s.partitions[c].state == PS_ERROR ?
		    AFTER :
		    s.pod.agents[4].state == MACHINE_UP &&
			s.partitions[c].state == PS_ACTIVE ?
		    BEFORE :
		    (error_set(e, "machine and partition disagree"), 0);
		snapshot_release(&s);
	}
	registry_close(&r);
	return found;
}

static int
judge_opened(const struct snapshot *s, struct error *e)
{
	return a_and_b(s, e) && s->partition_count == 2 ? BEFORE | AFTER : 0;
}

/* Whoever looks makes the pod, so there is no state before. */
static int
judge_first_use(const struct snapshot *s, struct error *e)
{
	if (pod_ipu_count(&s->pod) == 64 && s->partition_count == 0)
		return BEFORE | AFTER;
	(void)error_set(e, "not the default pod");
	return 0;
}

static int
judge_pod(const struct snapshot *s, struct error *e)
{
	if (s->partition_count != 0)
		(void)error_set(e, "%d partitions", s->partition_count);
	else if (strcmp(s->pod.name, "pod4") == 0 && s->pod.agent_count == 1)
		return BEFORE;
	else if (strcmp(s->pod.name, "pod16") == 0 && s->pod.agent_count == 4)
		return AFTER;
	return 0;
}

static int
judge_committed(const struct snapshot *s, struct error *e)
{
	return judge_pod(s, e) == AFTER ? BEFORE | AFTER : 0;
}

static bool
has_a_and_b(const struct snapshot *s, struct error *e)
{
	if (s->partition_count == 2 && owns(s, "a", 0, 4) && owns(s, "b", 8, 8))
		return true;
	(void)error_set(e, "a or b was lost");
	return false;
}

static int
judge_halved(const struct snapshot *s, struct error *e)
{
	if (!has_a_and_b(s, e) || s->pod.agent_count != 16)
		return 0;
	return s->pod.clusters[0].agent_count == 16 ? BEFORE :
	    s->pod.clusters[0].agent_count == 8	    ? AFTER :
						      0;
}

static int
judge_grown(const struct snapshot *s, struct error *e)
{
	if (!has_a_and_b(s, e))
		return 0;
	return s->pod.agent_count == 16 ? BEFORE :
	    s->pod.agent_count == 80	? AFTER :
					  0;
}

static int
judge_forced(const struct snapshot *s, struct error *e)
{
	if (strcmp(s->pod.name, "pod4") == 0 && owns(s, "a", 0, 4))
		return BEFORE;
	return judge_pod(s, e) == AFTER ? AFTER : 0;
}

static const struct scenario scenarios[] = {
	{ "first use", prepare_nothing, act_open, judge_first_use },
	{ "a registry made anew", prepare_without_registry, act_open,
	    judge_opened },
	{ "create", prepare_without_c, act_add, judge_c },
	{ "create without a registry", prepare_without_registry, act_add,
	    judge_c },
	{ "remove", prepare_with_c, act_remove, judge_removed },
	{ "update", prepare_with_c, act_update, judge_updated },
	{ "a machine goes down", prepare_with_whole_c, act_inject,
	    judge_injected },
	{ "init", prepare_pod4, act_init, judge_pod },
	{ "an init finished", prepare_half_init, act_open, judge_committed },
	{ "init over partitions", prepare_pod4_with_a, act_init, judge_forced },
	{ "a pod changed", prepare_pod64, act_halve, judge_halved },
	{ "a pod that needs more room", prepare_pod64, act_grow, judge_grown },
};

int
main(void)
{
	long kills = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scenarios); i++)
		kills += scenario_run(&scenarios[i]);
	printf("# %ld kills\n", kills);
	ok(kills > 250, "a few hundred kills");
	return state_util_done();
}
