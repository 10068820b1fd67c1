/*
 * A registry that a writer left in mid-change, or that another took the place
 * of.
 */
#include <sys/stat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/pod/document/document.h"
#include "core/state/registry_layout.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

/* A new pod: who has the old registry mapped is told. */
static void
test_replaced(void)
{
	struct registry r;
	struct snapshot snap;
	struct error e;
	struct holder h;
	struct pod pod;
	int who;

	make_state("replaced");
	open_registry(&r);
	is_int(pod_file_parse(&pod, "pod4", pod_embedded("pod4"), &e), 0,
	    "pod4");
	h = hold_ipus(0, 1);
	is_int(new_pod_init(&test_paths, &pod,
		   &(struct new_pod){ .force = true }, &e),
	    -1, "no new pod while a program is attached");
	release_ipus(&h, 0);
	is_int(new_pod_init(&test_paths, &pod,
		   &(struct new_pod){ .force = false }, &e),
	    0, "a new pod");
	is_int(snapshot_take(&r, &snap, &e), -1, "no snapshot of the old");
	is_int(e.code, ERROR_STALE, "stale");
	is_int(registry_attach(&r, 0, 1, &who, &e), -1, "no attachment either");
	is_int(e.code, ERROR_STALE, "stale");
	registry_close(&r);
	open_registry(&r);
	is_int(registry_ipu_count(&r), 4, "the new one has 4 IPUs");
	registry_close(&r);
	pod_release(&pod);
}

/* A writer was killed behind its mark and its odd number. */
static void
leave_half_written(const uint32_t *odd)
{
	static const uint32_t dirty = 1;

	scribble(offsetof(struct registry_header, dirty), &dirty, 4);
	scribble(offsetof(struct registry_header, sequence), odd, 4);
	scribble(offsetof(struct registry_header, partition_high), odd, 4);
}

/* A writer was killed in mid-change while this reader had the file mapped. */
static void
test_repair(void)
{
	const uint32_t odd = 7;
	struct registry r;
	struct snapshot snap;
	struct registry_header h;
	struct error e = { .text = "" };
	char moved[512];

	make_state("repair");
	add_partition("kept", 0, 8);
	is_int(registry_open(&r, &test_paths, REGISTRY_READ, &e), 0,
	    "a reader that only reads");
	leave_half_written(&odd);
	is_int(snapshot_take(&r, &snap, &e), 0, "repairs it");
	is_int(snap.partition_count, 1, "from the files");
	is_int(snap.owner[63], -1, "all of it");
	snapshot_release(&snap);
	is_int(registry_layout_read(&r, &h, &e), 0, "its header");
	is_int((int)h.dirty, 0, "and unmarks it");

	/* Without its directory it cannot, and says so. */
	leave_half_written(&odd);
	(void)snprintf(moved, sizeof(moved), "%s.moved", test_paths.directory);
	(void)rename(test_paths.directory, moved);
	is_int(snapshot_take(&r, &snap, &e), -1, "the folder is gone");
	ok(strstr(e.text, "was left half written and cannot be repaired: ") !=
		NULL,
	    "which is said");
	ok(access(test_paths.directory, F_OK) != 0, "and no new one is made");
	(void)rename(moved, test_paths.directory);
	registry_close(&r);
	is_int(count_partitions(&e), 1, "good again when it is back");
}

/* One registry by name, the directory under another path: it is the same. */
static void
test_moved(void)
{
	struct registry r;
	struct state s;
	struct error e;
	struct stat before, after;
	char moved[512];

	make_state("moved");
	add_partition("kept", 0, 8);
	(void)stat(test_paths.registry, &before);
	(void)snprintf(moved, sizeof(moved), "%s.elsewhere",
	    test_paths.directory);
	(void)rename(test_paths.directory, moved);
	(void)setenv("IPUBOX_STATE_DIR", moved, 1);
	is_int(count_partitions(&e), 1, "a folder under another path");
	is_int(state_open(&s, &e), 0, "also to change it");
	state_close(&s);
	(void)stat(test_paths.registry, &after);
	ok(before.st_ino == after.st_ino, "has the same registry");
	(void)setenv("IPUBOX_STATE_DIR", "/nonexistent", 1);
	is_int(state_open_reader(&r, &e), 0,
	    "and where it cannot be seen the registry is believed");
	registry_close(&r);
}

/* Another directory with the same registry named: that one's pod is made. */
static void
test_other_directory(void)
{
	struct error e;
	struct state s;
	char other[512];

	make_state("one");
	add_partition("kept", 0, 8);
	(void)snprintf(other, sizeof(other), "%s.two", test_paths.directory);
	(void)setenv("IPUBOX_STATE_DIR", other, 1);
	is_int(state_open(&s, &e), 0, "another folder takes the registry");
	state_close(&s);
	is_int(count_partitions(&e), 0, "and shows its own pod");
	(void)setenv("IPUBOX_STATE_DIR", test_paths.directory, 1);
	is_int(count_partitions(&e), 1, "a reader of the first takes it back");
}

int
main(void)
{
	test_replaced();
	test_repair();
	test_moved();
	test_other_directory();
	return state_util_done();
}
