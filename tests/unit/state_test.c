/*
 * The state layer as its users see it: first use, partitions, readers.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/pod/embedded.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static void
test_first_use(void)
{
	struct registry	reader;
	struct snapshot	snap;
	struct stat	st;
	struct error	e = { "" };
	char		path[512];

	use_state("first");
	ok(registry_open(&reader, test_paths.registry, false, &e) == -1 &&
	    errno == ENOENT, "no registry before the first use");
	is_int(state_open_reader(&reader, &e), 0, "a reader makes the pod");
	ok(registry_snapshot(&reader, &snap, &e) == 0, "a snapshot");
	is_str(snap.pod.name, "pod64", "it is pod64");
	is_int(pod_ipu_count(&snap.pod), 64, "64 IPUs");
	is_str(snap.pod.clusters[0].name, "cl0", "cluster cl0");
	is_str(snap.pod.agents[15].name, "ag16", "machines to ag16");
	is_str(snap.pod.allocations[0].name, "default", "an allocation");
	is_int(snap.partition_count, 0, "no partition");
	is_int(snap.owner[63], -1, "all IPUs free");
	snapshot_release(&snap);
	registry_close(&reader);
	ok(stat(test_paths.folder, &st) == 0 && (st.st_mode & 0777) == 0700,
	    "the folder is the user's alone");
	ok(stat(test_paths.registry, &st) == 0 && (st.st_mode & 0777) == 0600,
	    "the registry is the user's alone");
	(void)snprintf(path, sizeof(path), "%s/agents/cl0:ag16.ini",
	    test_paths.folder);
	ok(access(path, R_OK) == 0, "an INI file an agent");
	(void)snprintf(path, sizeof(path), "%s/new", test_paths.folder);
	ok(access(path, F_OK) != 0, "nothing left over");
}

static void
test_partitions(void)
{
	struct state		s;
	struct snapshot		snap;
	struct partition	p, q;
	struct error		e = { "" };
	int			i;

	use_state("partitions");
	is_int(state_open(&s, &e), 0, "open");
	is_int(state_lock(&s, &e), 0, "lock");
	p = make_partition("zeta", 0, 4);
	(void)snprintf(p.ipuof_folder, sizeof(p.ipuof_folder),
	    " a ; b%%\n#\\ ");
	(void)snprintf(p.last_error, sizeof(p.last_error), "caf\xc3\xa9 = x");
	is_int(state_add_partition(&s, &p, &e), 0, "add zeta");
	q = make_partition("alpha", 8, 8);
	is_int(state_add_partition(&s, &q, &e), 0, "add alpha");
	q = make_partition("beta", 12, 4);
	is_int(state_add_partition(&s, &q, &e), -1, "an overlap is refused");
	is_str(e.text, "partition beta: some of its IPUs belong to partition "
	    "alpha", "and says whose they are");
	q = make_partition("alpha", 16, 4);
	is_int(state_add_partition(&s, &q, &e), -1, "a name twice is refused");
	is_str(e.text, "partition alpha exists already", "and says so");
	q = make_partition("../x", 16, 4);
	is_int(state_add_partition(&s, &q, &e), -1, "a bad name is refused");
	q = make_partition("far", 62, 4);
	is_int(state_add_partition(&s, &q, &e), -1, "outside is refused");
	state_unlock(&s);
	ok(registry_snapshot(&s.registry, &snap, &e) == 0, "snapshot");
	is_int(snap.partition_count, 2, "two partitions");
	is_str(snap.partitions[0].name, "alpha", "sorted by name");
	is_int(snap.owner[3], 1, "owner of IPU 3 is zeta");
	is_int(snap.owner[4], -1, "IPU 4 is free");
	is_int(snap.owner[15], 0, "owner of IPU 15 is alpha");
	is_int(snapshot_find(&snap, "zeta"), 1, "find");
	is_int(snapshot_find(&snap, "none"), -1, "find none");
	snapshot_release(&snap);
	state_close(&s);

	(void)unlink(test_paths.registry);	/* as after a reboot */
	is_int(state_open(&s, &e), 0, "open without a registry");
	ok(registry_snapshot(&s.registry, &snap, &e) == 0, "snapshot");
	i = snapshot_find(&snap, "zeta");
	ok(i == 1 && memcmp(&snap.partitions[i], &p, sizeof(p)) == 0,
	    "every field came back from the file, odd bytes too");
	snapshot_release(&snap);

	is_int(state_lock(&s, &e), 0, "lock");
	p.num_gcds = 4;
	is_int(state_update_partition(&s, &p, &e), 0, "update");
	is_int(state_remove_partition(&s, "alpha", &e), 0, "remove");
	is_int(state_remove_partition(&s, "alpha", &e), -1, "remove twice");
	is_str(e.text, "no partition alpha", "says which");
	state_unlock(&s);
	ok(registry_snapshot(&s.registry, &snap, &e) == 0, "snapshot");
	is_int(snap.partition_count, 1, "one is left");
	is_int(snap.partitions[0].num_gcds, 4, "the updated one");
	is_int(snap.owner[8], -1, "IPUs free again");
	snapshot_release(&snap);
	state_close(&s);
	check_in_step("after add, update, remove");
}

int
main(void)
{
	test_first_use();
	test_partitions();
	return state_util_done();
}
