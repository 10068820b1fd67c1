/*
 * The state layer as its users see it: first use, partitions, readers.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/files/file.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { WORKERS = 8, ROUNDS = 40 };

static void
test_first_use(void)
{
	struct registry reader;
	struct snapshot snap;
	struct stat st;
	struct error e = { .text = "" };
	char path[512];

	use_state("first");
	ok(registry_open(&reader, &test_paths, REGISTRY_READ, &e) == -1 &&
		e.code == ERROR_NOT_FOUND,
	    "no registry before the first use");
	is_int(state_open_reader(&reader, &e), 0, "a reader makes the pod");
	ok(snapshot_take(&reader, &snap, &e) == 0, "a snapshot");
	is_str(snap.pod.name, "pod64", "it is pod64");
	is_int(pod_ipu_count(&snap.pod), 64, "64 IPUs");
	is_str(snap.pod.clusters[0].name, "cl0", "cluster cl0");
	is_str(snap.pod.agents[15].name, "ag16", "machines to ag16");
	is_str(snap.pod.allocations[0].name, "default", "an allocation");
	is_int(snap.partition_count, 0, "no partition");
	is_int(snap.owner[63], -1, "all IPUs free");
	snapshot_release(&snap);
	registry_close(&reader);
	ok(stat(test_paths.directory, &st) == 0 && (st.st_mode & 0777) == 0700,
	    "the folder is the user's alone");
	ok(stat(test_paths.registry, &st) == 0 && (st.st_mode & 0777) == 0600,
	    "the registry is the user's alone");
	(void)snprintf(path, sizeof(path), "%s/agents/cl0:ag16.ini",
	    test_paths.directory);
	ok(access(path, R_OK) == 0, "an INI file an agent");
	(void)snprintf(path, sizeof(path), "%s/new", test_paths.directory);
	ok(access(path, F_OK) != 0, "nothing left over");
}

static void
test_partitions(void)
{
	struct state s;
	struct snapshot snap;
	struct partition p, q;
	struct error e = { .text = "" };
	int i;

	use_state("partitions");
	is_int(state_open(&s, &e), 0, "open");
	is_int(state_lock(&s, &e), 0, "lock");
	p = make_partition("zeta", 0, 4);
	p.id[0] = 1;
	(void)snprintf(p.ipuof_directory, sizeof(p.ipuof_directory),
	    " a ; b%%\n#\\ ");
	(void)snprintf(p.last_error, sizeof(p.last_error), "caf\xc3\xa9 = x");
	is_int(state_add_partition(&s, &p, &e), 0, "add zeta");
	q = make_partition("alpha", 8, 8);
	is_int(state_add_partition(&s, &q, &e), 0, "add alpha");
	q = make_partition("beta", 12, 4);
	is_int(state_add_partition(&s, &q, &e), -1, "an overlap is refused");
	is_str(e.text,
	    "partition beta: some of its IPUs belong to partition alpha",
	    "and says whose they are");
	q = make_partition("alpha", 16, 4);
	is_int(state_add_partition(&s, &q, &e), -1, "a name twice is refused");
	is_str(e.text, "partition alpha already exists", "and says so");
	q = make_partition("../x", 16, 4);
	is_int(state_add_partition(&s, &q, &e), -1, "a bad name is refused");
	q = make_partition("far", 62, 4);
	is_int(state_add_partition(&s, &q, &e), -1, "outside is refused");
	state_unlock(&s);
	ok(snapshot_take(&s.registry, &snap, &e) == 0, "snapshot");
	is_int(snap.partition_count, 2, "two partitions");
	is_str(snap.partitions[0].name, "alpha", "sorted by name");
	is_int(snap.owner[3], 1, "owner of IPU 3 is zeta");
	is_int(snap.owner[4], -1, "IPU 4 is free");
	is_int(snap.owner[15], 0, "owner of IPU 15 is alpha");
	is_int(snapshot_find(&snap, "zeta"), 1, "find");
	is_int(snapshot_find(&snap, "none"), -1, "find none");
	snapshot_release(&snap);
	state_close(&s);

	(void)unlink(test_paths.registry); /* as after a reboot */
	is_int(state_open(&s, &e), 0, "open without a registry");
	ok(snapshot_take(&s.registry, &snap, &e) == 0, "snapshot");
	i = snapshot_find(&snap, "zeta");
	ok(i == 1 && memcmp(&snap.partitions[i], &p, sizeof(p)) == 0,
	    "every field came back from the file, odd bytes too");
	snapshot_release(&snap);

	is_int(state_lock(&s, &e), 0, "lock");
	p.num_gcds = 4;
	is_int(state_update_partition(&s, &p, &e), 0, "update");
	is_int(state_remove_partition(&s, "alpha", &e), 0, "remove");
	is_int(state_remove_partition(&s, "alpha", &e), -1, "remove twice");
	is_str(e.text, "partition alpha does not exist", "says which");
	state_unlock(&s);
	ok(snapshot_take(&s.registry, &snap, &e) == 0, "snapshot");
	is_int(snap.partition_count, 1, "one is left");
	is_int(snap.partitions[0].num_gcds, 4, "the updated one");
	is_int(snap.owner[8], -1, "IPUs free again");
	snapshot_release(&snap);
	state_close(&s);
	check_in_step("after add, update, remove");
}

/* Eight processes at once find no pod: one makes it, all have the same. */
static void
test_first_use_race(void)
{
	struct state s;
	struct error e;
	struct stat st;
	int go[2], i, status, good = 0;
	char c;
	char path[512];

	use_state("race");
	if (pipe(go) != 0)
		exit(1);
	for (i = 0; i < WORKERS; i++) {
		if (fork() != 0)
			continue;
		(void)close(go[1]);
		(void)!read(go[0], &c, 1);
		_exit(state_open(&s, &e) == 0 &&
			    registry_ipu_count(&s.registry) == 64 ?
			0 :
			1);
	}
	(void)close(go[0]);
	(void)close(go[1]);
	for (i = 0; i < WORKERS; i++)
		if (wait(&status) > 0 && status == 0)
			good++;
	is_int(good, WORKERS, "eight first users at once");
	(void)snprintf(path, sizeof(path), "%s.new", test_paths.registry);
	ok(stat(path, &st) != 0, "no registry left half made");
	check_in_step("after a race to be first");
}

/* Each partition has its IPUs, all of them and no others. */
static bool
is_consistent(const struct snapshot *s)
{
	int *counts = calloc((size_t)s->partition_count + 1, sizeof(int));
	int i, ipus = pod_ipu_count(&s->pod);
	bool good = counts != NULL;

	for (i = 0; i < ipus && good; i++) {
		if (s->owner[i] < -1 || s->owner[i] >= s->partition_count)
			good = false;
		else if (s->owner[i] >= 0)
			counts[s->owner[i]]++;
	}
	for (i = 0; i < s->partition_count && good; i++)
		good = counts[i] == s->partitions[i].placement.per_ild &&
		    s->owner[s->partitions[i].placement.offset] == i;
	free(counts);
	return good;
}

/* Add and remove partitions on eight IPUs of its own. */
static int
work(int number)
{
	struct partition p;
	struct error e;
	struct state s;
	char name[32];
	int i, size;

	if (state_open(&s, &e) != 0)
		return 1;
	for (i = 0; i < ROUNDS; i++) {
		size = 1 << (i + number) % 4;
		(void)snprintf(name, sizeof(name), "w%d-%d", number, i);
		p = make_partition(name, number * 8, size);
		if (state_lock(&s, &e) != 0 ||
		    state_add_partition(&s, &p, &e) != 0)
			return 2;
		state_unlock(&s);
		if (state_lock(&s, &e) != 0 ||
		    state_remove_partition(&s, name, &e) != 0)
			return 3;
		state_unlock(&s);
	}
	state_close(&s);
	return 0;
}

static void
test_many_writers(void)
{
	struct registry r;
	struct snapshot snap;
	struct error e;
	int i, good = 0, bad = 0, status, ended = 0;

	use_state("writers");
	is_int(state_open_reader(&r, &e), 0, "a reader");
	for (i = 0; i < WORKERS; i++)
		if (fork() == 0)
			_exit(work(i));
	while (ended < WORKERS) {
		if (snapshot_take(&r, &snap, &e) != 0) {
			bad++;
		} else {
			bad += !is_consistent(&snap);
			snapshot_release(&snap);
		}
		while (waitpid(-1, &status, WNOHANG) > 0) {
			ended++;
			good += status == 0;
		}
	}
	is_int(good, WORKERS, "eight writers at once");
	is_int(bad, 0, "and every snapshot meanwhile consistent");
	is_int(snapshot_take(&r, &snap, &e), 0, "afterwards");
	is_int(snap.partition_count, 0, "all partitions gone");
	snapshot_release(&snap);
	registry_close(&r);
	check_in_step("after eight writers");
}

static void
write_partition_file(const char *name, const char *text)
{
	char path[512];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/partitions/%s.ini",
	    test_paths.directory, name);
	f = fopen(path, "w");
	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		exit(1);
}

/* A damaged file is named with its line; the others stay usable. */
static void
test_damaged_partition(void)
{
	struct state s;
	struct snapshot snap;
	struct partition p = make_partition("good", 0, 4);
	struct error e;
	char text[1024];

	use_state("damaged");
	is_int(state_open(&s, &e), 0, "open");
	is_int(state_lock(&s, &e), 0, "lock");
	is_int(state_add_partition(&s, &p, &e), 0, "add good");
	state_unlock(&s);
	write_partition_file("bad", "[partition]\nname = bad\nsize = 4\n");
	is_int(state_lock(&s, &e), 0, "the state is usable");
	is_int(snapshot_take(&s.registry, &snap, &e), 0, "a snapshot");
	is_int(snap.partition_count, 1, "with the other partition");
	is_int(snap.damaged, 1, "and one damaged");
	(void)snprintf(text, sizeof(text),
	    "%s/partitions/bad.ini:3: unknown key 'size' in [partition]",
	    test_paths.directory);
	is_str(snap.damage, text, "which is named with its line");
	snapshot_release(&snap);
	p = make_partition("other", 32, 4);
	is_int(state_add_partition(&s, &p, &e), -1, "no partition is added");
	ok(strstr(e.text, text) != NULL, "for that reason");
	is_int(state_remove_partition(&s, "good", &e), 0, "one can be removed");
	state_unlock(&s);
	(void)snprintf(text, sizeof(text), "%s/partitions/bad.ini",
	    test_paths.directory);
	(void)unlink(text);
	is_int(state_lock(&s, &e), 0, "the file is removed by hand");
	is_int(state_add_partition(&s, &p, &e), 0, "and all is well");
	state_close(&s);
	check_in_step("after damage");
}

/* Files that contradict each other: the one by its name later is damaged. */
static void
test_overlapping_files(void)
{
	struct state s;
	struct snapshot snap;
	struct partition p = make_partition("a", 0, 8);
	struct error e;
	char from[512], to[512], text[1024];
	char *file;
	size_t size;

	use_state("overlap");
	if (state_open(&s, &e) != 0 || state_lock(&s, &e) != 0 ||
	    state_add_partition(&s, &p, &e) != 0)
		is_str(e.text, "", "add");
	(void)snprintf(from, sizeof(from), "%s/partitions/a.ini",
	    test_paths.directory);
	file = file_read(from, 4096, &size, &e);
	write_partition_file("b", file);
	free(file);
	state_unlock(&s);
	is_int(state_lock(&s, &e), 0, "a copy under another name");
	is_int(snapshot_take(&s.registry, &snap, &e), 0, "a snapshot");
	(void)snprintf(text, sizeof(text),
	    "%s/partitions/b.ini:1: the file must be named after its "
	    "partition, 'a'",
	    test_paths.directory);
	is_str(snap.damage, text, "is no partition");
	snapshot_release(&snap);
	state_unlock(&s);
	(void)snprintf(to, sizeof(to), "%s/partitions/b.ini",
	    test_paths.directory);
	(void)unlink(to);
	if (state_lock(&s, &e) != 0)
		is_str(e.text, "", "lock");
	is_int(snapshot_take(&s.registry, &snap, &e), 0, "a snapshot");
	is_int(snap.damaged, 0, "good again");
	snapshot_release(&snap);
	state_close(&s);
}

/* pod.ini, an agent: without them there is no pod, and the file is named. */
static void
test_damaged_pod(void)
{
	struct state s;
	struct registry r;
	struct error e;
	char path[512], text[1024];

	use_state("pod-damage");
	is_int(state_open(&s, &e), 0, "open");
	state_close(&s);
	(void)snprintf(path, sizeof(path), "%s/agents/cl0:ag03.ini",
	    test_paths.directory);
	(void)unlink(path);
	is_int(state_open_reader(&r, &e), 0, "a reader needs no file");
	registry_close(&r);
	(void)unlink(test_paths.registry);
	is_int(state_open(&s, &e), -1, "an agent is gone, and the registry");
	ok(strstr(e.text,
	       "place 15: too large for the 15 files in agents; places are "
	       "counted from 0") != NULL,
	    "is refused, and says where");
	(void)snprintf(path, sizeof(path), "%s/pod.ini", test_paths.directory);
	(void)unlink(path);
	write_partition_file("left", "[partition]\n");
	is_int(state_open(&s, &e), -1, "pod.ini is gone, a partition is not");
	(void)snprintf(text, sizeof(text),
	    "%s/pod.ini is missing, but 1 partitions exist; restore the file, "
	    "or remove the partitions with vipu-admin init --force",
	    test_paths.directory);
	is_str(e.text, text, "no new pod is made over it");
}

/* A file of the state, with one text in place of another. */
static void
edit_file(const char *name, const char *from, const char *to)
{
	char path[512];
	char *at, *text;
	size_t size;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", test_paths.directory, name);
	text = file_read(path, 4096, &size, NULL);
	if (text == NULL || (at = strstr(text, from)) == NULL ||
	    (f = fopen(path, "w")) == NULL ||
	    fprintf(f, "%.*s%s%s", (int)(at - text), text, to,
		at + strlen(from)) < 0 ||
	    fclose(f) != 0)
		exit(1);
	free(text);
}

/* Files of a pod that contradict each other, and what is said. */
static const struct contradiction {
	const char *file, *from, *to, *reason;
} contradictions[] = {
	{ "clusters/cl0.ini", "ilds = 1", "ilds = 3",
	    "1: cluster cl0: 16 machines cannot be divided evenly among 3 "
	    "ILDs" },
	{ "clusters/cl0.ini", "ilds = 1", "ilds = 2",
	    "1: cluster cl0: 2 ILDs need 'gateway = looped' or 'gateway = "
	    "switched'" },
	{ "clusters/cl0.ini", "gateway = none", "gateway = looped",
	    "1: cluster cl0: gateway links join ILDs, but it has only one "
	    "ILD" },
	{ "clusters/cl0.ini", "ilds = 1", "ilds = 0",
	    "4: ilds '0': too small, must be 1 to 16384" },
	{ "clusters/cl0.ini", "name = cl0", "name = cl1",
	    "1: the file must be named clusters/cl1.ini, after its object; "
	    "rename it" },
	{ "allocations/default.ini", "cluster = cl0", "cluster = cl7",
	    "1: cluster 'cl7' does not exist" },
	{ "agents/cl0:ag07.ini", "cluster = cl0", "cluster = cl7",
	    "1: cluster 'cl7' does not exist" },
	{ "agents/cl0:ag07.ini", "name = ag07", "name = ag77",
	    "1: the file must be named agents/cl0:ag77.ini, after its object; "
	    "rename it" },
};

/*
 * The file is named with its line; who has the registry goes on; and when the
 * file is mended, all is there.
 */
static void
test_contradictions(void)
{
	const struct contradiction *c = contradictions;
	struct state s;
	struct error e;
	char text[1024];
	size_t i;

	make_state("contradictions");
	add_partition("kept", 0, 4);
	add_partition("too", 8, 8);
	for (i = 0; i < sizeof(contradictions) / sizeof(*c); i++, c++) {
		edit_file(c->file, c->from, c->to);
		is_int(count_partitions(&e), 2, c->to);
		(void)unlink(test_paths.registry);
		(void)snprintf(text, sizeof(text), "%s/%s:%s",
		    test_paths.directory, c->file, c->reason);
		is_int(state_open(&s, &e), -1, "is refused without a registry");
		is_str(e.text, text, "with the file and its line");
		is_int(count_partitions(&e), -1, "also to a reader");
		edit_file(c->file, c->to, c->from);
		is_int(count_partitions(&e), 2, "and nothing is lost");
		check_in_step("when it is mended");
	}
}

/* What a user may not write can still be read. */
static void
test_read_only(void)
{
	struct state s;
	struct registry r;
	struct partition p = make_partition("kept", 0, 4);
	struct error e = { .text = "" };
	int status;
	pid_t pid;

	if (geteuid() != 0) {
		tap_skip("a read-only folder", "needs root");
		return;
	}
	use_state("read-only");
	if (state_open(&s, &e) != 0 || state_lock(&s, &e) != 0 ||
	    state_add_partition(&s, &p, &e) != 0)
		is_str(e.text, "", "add");
	state_close(&s);
	allow_others();
	(void)unlink(test_paths.registry);
	pid = fork();
	if (pid == 0) {
		if (setresgid(4711, 4711, 4711) != 0 ||
		    setresuid(4711, 4711, 4711) != 0)
			_exit(2);
		if (state_open_reader(&r, &e) != 0) {
			printf("# %s\n", e.text);
			_exit(3);
		}
		if (state_open(&s, &e) != 0)
			_exit(4);
		p = make_partition("more", 8, 4);
		if (state_lock(&s, &e) == 0 || e.code != ERROR_DENIED)
			_exit(5);
		_exit(strstr(e.text, "cannot change the state in") == NULL ?
			6 :
			0);
	}
	(void)waitpid(pid, &status, 0);
	is_int(WEXITSTATUS(status), 0, "a read-only folder: read, no change");
}

int
main(void)
{
	test_first_use();
	test_first_use_race();
	test_partitions();
	test_many_writers();
	test_damaged_partition();
	test_overlapping_files();
	test_damaged_pod();
	test_contradictions();
	test_read_only();
	return state_util_done();
}
