/*
 * Another pod under running programs: readers, attachments, slots.
 */
#include <sys/wait.h>

#include <bsd/string.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/state/commit.h"
#include "core/state/mirror.h"
#include "core/state/state.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { ROUNDS = 60 };

/* What a change does to a copy. */
typedef void edit(struct inventory *);

static uid_t reader; /* of refusals */

static int
change(edit *f, struct error *e)
{
	struct inventory in;
	struct snapshot snap;
	struct state s;
	int status = -1;

	e->text[0] = '\0';
	if (state_open(&s, e) != 0)
		return -1;
	s.reader = reader;
	if (state_lock(&s, e) == 0 &&
	    snapshot_take(&s.registry, &snap, e) == 0) {
		snapshot_own(&snap);
		in = (struct inventory){ &snap.pod, snap.partitions,
			snap.partition_count };
		f(&in);
		status = new_pod_replace(&s, &in, e);
		snap.partitions = in.partitions;
		snapshot_release(&snap);
	}
	state_close(&s);
	return status;
}

static void
add_machines(struct pod *pod, int count)
{
	struct agent *a;
	int i, n = pod->agent_count;

	pod->agents = xreallocarray(pod->agents, (size_t)(n + count),
	    sizeof(*a));
	for (i = n; i < n + count; i++) {
		a = &pod->agents[i];
		*a = pod->agents[0];
		a->cluster = a->allocation = -1;
		(void)snprintf(a->name, sizeof(a->name), "new%d", i);
		(void)snprintf(a->address, sizeof(a->address), "10.2.%d.%d",
		    i / 200, i % 200 + 1);
	}
	pod->agent_count += count;
}

static void
add_one(struct inventory *in)
{
	add_machines(in->pod, 1);
}

static void
add_many(struct inventory *in)
{
	add_machines(in->pod, 64);
}

static void
remove_last(struct inventory *in)
{
	in->pod->agent_count--;
}

/* The cluster's machines 8 to 15 are nobody's. */
static void
halve(struct inventory *in)
{
	int i;

	in->pod->clusters[0].agent_count = 8;
	for (i = 8; i < 16; i++)
		in->pod->agents[i].cluster = in->pod->agents[i].allocation = -1;
}

/* The machines of the cluster, turned round. */
static void
turn(struct inventory *in)
{
	struct agent keep, *a = in->pod->agents;
	int i, n = in->pod->clusters[0].agent_count;

	for (i = 0; i < n / 2; i++) {
		keep = a[i];
		a[i] = a[n - 1 - i];
		a[n - 1 - i] = keep;
	}
}

/* The last two of all change places. */
static void
swap_last(struct inventory *in)
{
	struct agent *a = in->pod->agents + in->pod->agent_count - 2;
	struct agent keep = a[0];

	a[0] = a[1];
	a[1] = keep;
}

static void
move_address(struct inventory *in)
{
	(void)snprintf(in->pod->agents[15].address, ADDRESS_SIZE, "10.9.9.9");
}

static void
overlap(struct inventory *in)
{
	in->partitions[0].placement.offset = in->partitions[1].placement.offset;
}

static void
drop_partition(struct inventory *in)
{
	in->partition_count--;
}

static void
tear_apart(struct inventory *in)
{
	in->pod->agents[3].cluster = -1;
	in->pod->agents[3].allocation = -1;
}

static void
twice(struct inventory *in)
{
	in->pod->agents[3] = in->pod->agents[4];
}

static void
small(struct inventory *in)
{
	halve(in);
	in->pod->clusters[0].agent_count = 4;
	in->pod->agents[4].cluster = in->pod->agents[5].cluster =
	    in->pod->agents[6].cluster = in->pod->agents[7].cluster = -1;
	in->pod->agents[4].allocation = in->pod->agents[5].allocation =
	    in->pod->agents[6].allocation = in->pod->agents[7].allocation = -1;
}

static void
same(struct inventory *in)
{
	(void)in;
}

struct refusal {
	const char *name;
	edit *edit;
	const char *reason;
};

static const struct refusal refusals[] = {
	{ "IPUs of two partitions", overlap,
	    "partition b: some of its IPUs belong to partition a" },
	{ "a partition outside its cluster", small,
	    "partition b: the placement is on IPUs 16 to 31 of an ILD, but "
	    "cluster cl0 has 16" },
	{ "machines that do not follow each other", tear_apart,
	    "cluster cl0: its machines must follow one another" },
	{ "a machine twice", twice,
	    "agent ag05 is named twice in cluster cl0" },
};

static void
test_refusals(void)
{
	struct error e;
	size_t i;

	make_state("refusals");
	add_partition("a", 0, 4);
	add_partition("b", 16, 16);
	for (i = 0; i < ARRAY_SIZE(refusals); i++) {
		is_int(change(refusals[i].edit, &e), -1, refusals[i].name);
		is_str(e.text, refusals[i].reason, "is refused");
		is_int(count_partitions(&e), 2, "and nothing changed");
		check_in_step("on the disk either");
	}
}

static int
agents(void)
{
	struct registry r;
	int ipus;

	open_registry(&r);
	ipus = registry_ipu_count(&r);
	registry_close(&r);
	return ipus / IPUS_PER_MACHINE;
}

static void
describe(struct ipu_slot *slot)
{
	slot->uid = 1000;
	(void)strlcpy(slot->user, "mia", sizeof(slot->user));
	(void)strlcpy(slot->host, "h", sizeof(slot->host));
	(void)strlcpy(slot->command, "train.py --token x",
	    sizeof(slot->command));
}

/* Programs run on: their lock and their slot are where they were. */
static void
test_in_place(void)
{
	struct registry r;
	struct holder h;
	struct error e;

	make_state("in-place");
	add_partition("a", 0, 4);
	add_partition("b", 16, 16);
	open_registry(&r);
	h = hold_ipus(0, 4);
	atomic_store(&registry_slot(&r, 1)->busy_ns, 77);
	atomic_store(&registry_slot(&r, 63)->busy_ns, 99);

	is_int(change(add_one, &e), 0, "a machine more");
	is_str(e.text, "", "without a word");
	is_int(agents(), 17, "is there");
	is_int(change(add_one, &e), 0, "and another");
	is_int(change(swap_last, &e), 0, "two that nobody uses change places");
	is_int(change(remove_last, &e), 0, "one goes");
	is_int(agents(), 17, "and is gone");
	is_int(change(move_address, &e), 0, "another address");
	ok(registry_is_current(&r), "the registry is the same file");
	is_int(registry_held(&r, 0, 64), 0, "the program holds its IPUs");
	is_int((int)atomic_load(&registry_slot(&r, 1)->busy_ns), 77,
	    "its slot is its own");
	is_int((int)atomic_load(&registry_slot(&r, 63)->busy_ns), 99,
	    "a machine keeps what its IPUs counted");
	is_int(count_partitions(&e), 2, "the partitions are there");
	check_in_step("in step");

	is_int(change(turn, &e), -1, "its IPUs as others' numbers");
	ok(strstr(e.text, "ag01:0 is in use by a program") == e.text,
	    "are refused");
	ok(strstr(e.text,
	       "and would become another IPU; end the program first") != NULL,
	    "with what would mend it");
	describe(registry_slot(&r, 0));
	is_int(change(turn, &e), -1, "root asks");
	ok(strstr(e.text, "(train.py --token x on h") != NULL,
	    "and sees the command line");
	reader = 1001;
	is_int(change(turn, &e), -1, "another user asks");
	ok(strstr(e.text, "(train.py on h") != NULL, "and sees the name");
	reader = 0;
	is_int(agents(), 17, "nothing changed");
	check_in_step("in step");
	release_ipus(&h, SIGKILL);
	is_int(registry_held(&r, 0, 64), -1, "nothing else was held");
	registry_close(&r);
}

/* The slots go with the machines. */
static void
test_slots(void)
{
	struct registry r;
	struct error e;

	make_state("slots");
	open_registry(&r);
	atomic_store(&registry_slot(&r, 2)->soc_error, 3);
	is_int(change(turn, &e), 0, "all machines turn round");
	is_int((int)atomic_load(&registry_slot(&r, 62)->soc_error), 3,
	    "and what their IPUs counted with them");
	is_int((int)atomic_load(&registry_slot(&r, 2)->soc_error), 0,
	    "no copy stays behind");
	is_int(registry_held(&r, 0, 64), -1, "nobody is held");
	registry_close(&r);
}

/* A pod that is too large for it makes the registry grow, under programs. */
static void
test_grown(void)
{
	struct registry r;
	struct snapshot snap;
	struct holder h;
	struct error e;

	make_state("grown");
	add_partition("a", 0, 4);
	open_registry(&r);
	atomic_store(&registry_slot(&r, 5)->soc_error, 2);
	h = hold_ipus(40, 1);
	is_int(change(add_many, &e), 0, "64 more while a program runs");
	is_str(e.text, "", "without a word");
	ok(registry_is_current(&r), "the files are the same");
	is_int(agents(), 80, "and have them");
	is_int(snapshot_take(&r, &snap, &e), 0, "who had it open");
	is_int(snap.pod.agent_count, 80, "sees them");
	snapshot_release(&snap);
	is_int(registry_held(&r, 0, 320), 40, "the program holds its IPU");
	ok(registry_slot(&r, 319) == NULL, "what was mapped before is short");
	registry_close(&r);
	release_ipus(&h, 0);
	open_registry(&r);
	is_int((int)atomic_load(&registry_slot(&r, 5)->soc_error), 2,
	    "what the IPUs counted is there");
	ok(registry_slot(&r, 319) != NULL, "and the new slots are");
	registry_close(&r);
	is_int(count_partitions(&e), 1, "the partition is there");
	check_in_step("in step");
	is_int(change(drop_partition, &e), 0, "a change without it");
	is_int(count_partitions(&e), 0, "takes it away");
	check_in_step("in step");
}

/*
 * The files have another pod, and who changed them was killed: the registry
 * follows when no program has an IPU that becomes another.
 */
static void
test_half_done(void)
{
	struct inventory in;
	struct registry r;
	struct holder h;
	struct store store;
	struct state s;
	struct error e;

	make_state("half-done");
	open_registry(&r);
	h = hold_ipus(0, 4);
	is_int(store_load(directory_at(test_paths.directory), &store, &e), 0,
	    "the files");
	in = (struct inventory){ &store.pod, store.partitions,
		store.partition_count };
	turn(&in);
	is_int(commit_pod(directory_at(test_paths.directory), &store, &e), 0,
	    "have another pod");
	store_release(&store);
	is_int(mirror_mark(&r, true, &e), 0, "the mark is left");
	is_int(state_open(&s, &e), -1, "the state, while a program runs");
	ok(strstr(e.text, "ag01:0 is in use by a program") == e.text,
	    "names the program");
	is_int(registry_held(&r, 4, 60), -1, "nothing else is held");
	release_ipus(&h, SIGKILL);
	is_int(state_open(&s, &e), 0, "and without it");
	state_close(&s);
	check_in_step("in step");
	is_int(registry_held(&r, 0, 64), -1, "nothing is held");
	registry_close(&r);
}

/* A damaged partition file: nobody knows what it has. */
static void
test_damaged(void)
{
	struct error e;
	char path[512];
	FILE *f;

	make_state("damaged");
	add_partition("a", 0, 4);
	(void)snprintf(path, sizeof(path), "%s/partitions/a.ini",
	    test_paths.directory);
	f = fopen(path, "w");
	if (f == NULL || fputs("garbage\n", f) < 0 || fclose(f) != 0)
		exit(1);
	(void)snprintf(path, sizeof(path), "%s/partitions/x.ini",
	    test_paths.directory);
	f = fopen(path, "w");
	if (f == NULL || fclose(f) != 0)
		exit(1);
	is_int(change(same, &e), -1, "a change while a file is damaged");
	ok(strncmp(e.text, "the pod cannot change while a file is damaged",
	       45) == 0,
	    "is refused");
	ok(access(path, F_OK) == 0, "and the file stays");
}

/* A writer changes the pod to and fro; every copy is one or the other. */
static void
test_readers(void)
{
	struct registry r;
	struct snapshot snap;
	struct error e;
	int i, copies = 0, mixed = 0, seen[2] = { 0, 0 }, status;
	pid_t pid;

	make_state("readers");
	add_partition("a", 0, 4);
	open_registry(&r);
	pid = fork();
	if (pid == 0) {
		for (i = 0; i < ROUNDS; i++)
			if (change(add_one, &e) != 0 ||
			    change(remove_last, &e) != 0)
				_exit(1);
		_exit(0);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (snapshot_take(&r, &snap, &e) != 0) {
			printf("# %s\n", e.text);
			mixed++;
			continue;
		}
		copies++;
		if (snap.pod.agent_count != 16 && snap.pod.agent_count != 17)
			mixed++;
		else
			seen[snap.pod.agent_count - 16]++;
		if (pod_check(&snap.pod, &e) != 0 || snap.partition_count != 1)
			mixed++;
		snapshot_release(&snap);
	}
	is_int(status, 0, "a writer changed the pod to and fro");
	is_int(mixed, 0, "no reader saw a mixture");
	ok(copies > 0 && seen[0] > 0, "and some looked");
	printf("# %d copies, %d with the machine\n", copies, seen[1]);
	registry_close(&r);
}

int
main(void)
{
	test_refusals();
	test_in_place();
	test_slots();
	test_grown();
	test_half_done();
	test_damaged();
	test_readers();
	return state_util_done();
}
