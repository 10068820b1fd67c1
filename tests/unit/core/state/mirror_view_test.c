/*
 * Snapshots that share what a kept copy of the mirror has: each shows its
 * moment, whoever changes the state, the snapshot or the file behind it.
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "core/pod/pod.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static struct state st;

static struct snapshot
take(void)
{
	struct snapshot s;
	struct error e;

	must(snapshot_take(&st.registry, &s, &e), &e);
	return s;
}

static void
lock(void)
{
	struct error e;

	must(state_lock(&st, &e), &e);
}

static void
add(const char *name, int first)
{
	struct partition p = make_partition(name, first, 4);
	struct error e;

	lock();
	must(state_add_partition(&st, &p, &e), &e);
	state_unlock(&st);
}

static void
drop(const char *name)
{
	struct error e;

	lock();
	must(state_remove_partition(&st, name, &e), &e);
	state_unlock(&st);
}

/* Its names in a row, and each has its IPUs. */
static void
shows(const struct snapshot *s, const char *wanted, const char *what)
{
	char names[256] = "";
	int i, k, wrong = 0;

	for (i = 0; i < s->partition_count; i++) {
		(void)snprintf(names + strlen(names),
		    sizeof(names) - strlen(names), "%s ",
		    s->partitions[i].name);
		for (k = 0; k < 4; k++)
			wrong += s->owner[placement_ipu(&s->pod,
				     &s->partitions[i].placement, k)] != i;
	}
	ok(strcmp(names, wanted) == 0, what);
	is_int(wrong, 0, "and whose the IPUs are");
}

/* Slots are filled in the order in which partitions come, and again. */
static void
test_order(void)
{
	struct snapshot a, b, c;

	add("m", 0);
	add("z", 4);
	a = take();
	add("a", 8);
	b = take();
	shows(&a, "m z ", "one of before");
	shows(&b, "a m z ", "one of now");
	drop("m");
	add("q", 12);
	drop("z");
	add("b", 0);
	c = take();
	shows(&b, "a m z ", "one of before, after four changes");
	shows(&c, "a b q ", "and one of now");
	snapshot_release(&a);
	snapshot_release(&c);
	c = take();
	shows(&c, "a b q ", "again, where another was");
	shows(&b, "a m z ", "beside one that stays");
	snapshot_release(&b);
	snapshot_release(&c);
}

/* Nobody else sees what somebody does with his own. */
static void
test_own(void)
{
	const struct partition p = make_partition("n", 20, 4);
	struct snapshot a = take(), b = take(), c;

	snapshot_own_partitions(&a);
	a.partitions[0].num_gcds = 77;
	is_int(snapshot_add(&a, &p), 3, "one more, at the end");
	shows(&a, "a b q n ", "the one that was changed");
	shows(&b, "a b q ", "one beside it");
	is_int(b.partitions[0].num_gcds == 77, 0, "nothing of it is there");
	snapshot_release(&b);
	c = take();
	snapshot_own_partitions(&c);
	c.partitions[0].num_gcds = 78;
	is_int(snapshot_add(&c, &p), 3, "of which only the copy had it");
	shows(&c, "a b q n ", "the one that was changed");
	b = take();
	shows(&b, "a b q ", "and one behind it");
	is_int(b.partitions[0].num_gcds == 78, 0, "nothing of it is there");
	snapshot_own(&c);
	shows(&c, "a b q n ", "all of it its own");
	snapshot_own_pod(&b);
	b.pod.agents[3].state = MACHINE_DOWN;
	is_int(a.pod.agents[3].state, MACHINE_UP, "a machine likewise");
	is_int(c.pod.agents[3].state, MACHINE_UP, "and for another");
	snapshot_release(&a);
	snapshot_release(&b);
	snapshot_release(&c);
}

static void
test_machine(void)
{
	struct snapshot before = take(), after;
	struct agent agent = before.pod.agents[3];
	struct error e;

	agent.state = MACHINE_DOWN;
	lock();
	must(state_update_agent(&st, 3, &agent, &e), &e);
	state_unlock(&st);
	after = take();
	is_int(before.pod.agents[3].state, MACHINE_UP, "before it failed");
	is_int(after.pod.agents[3].state, MACHINE_DOWN, "and behind");
	shows(&after, "a b q ", "the partitions are there");
	snapshot_release(&before);
	snapshot_release(&after);
}

/* What another process does is seen, and what is done by hand. */
static void
test_others(void)
{
	const struct timespec past[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	struct snapshot s = take(), now;
	char path[512];

	add_partition("o", 40, 4);
	now = take();
	shows(&now, "a b o q ", "another's partition");
	snapshot_release(&now);
	(void)snprintf(path, sizeof(path), "%s/partitions/o.ini",
	    test_paths.directory);
	ok(remove(path) == 0, "a file goes by hand");
	/* Some file systems count time in hundredths of a second. */
	(void)snprintf(path, sizeof(path), "%s/partitions",
	    test_paths.directory);
	ok(utimensat(AT_FDCWD, path, past, 0) == 0, "at another time");
	lock();
	state_unlock(&st);
	now = take();
	shows(&now, "a b q ", "it is seen under the lock");
	shows(&s, "a b q ", "one of before");
	snapshot_release(&now);
	state_close(&st);
	shows(&s, "a b q ", "which outlives the state");
	snapshot_release(&s);
}

int
main(void)
{
	struct error e;

	make_state("view");
	must(state_open(&st, &e), &e);
	test_order();
	test_own();
	test_machine();
	test_others();
	return tap_done();
}
