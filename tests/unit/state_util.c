#include "tests/unit/state_util.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ftw.h>
#include <unistd.h>

#include "core/state/mirror_copy.h"
#include "core/state/state.h"
#include "tests/unit/tap.h"

struct state_paths test_paths;

static const char *root;

void
must(int status, const struct error *e)
{
	if (status == 0)
		return;
	fprintf(stderr, "cannot prepare the test: %s\n", e->text);
	exit(1);
}

void
use_state(const char *name)
{
	struct error e;
	char path[512];

	root = tap_directory();
	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	(void)setenv("IPUBOX_STATE_DIR", path, 1);
	(void)snprintf(path, sizeof(path), "%s/%s.registry", root, name);
	(void)setenv("IPUBOX_REGISTRY", path, 1);
	if (paths_find(&test_paths, &e) != 0) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
}

struct partition
make_partition(const char *name, int first, int size)
{
	struct partition p;

	memset(&p, 0, sizeof(p));
	(void)snprintf(p.name, sizeof(p.name), "%s", name);
	p.placement.ild_count = 1;
	p.placement.offset = first;
	p.placement.per_ild = size;
	p.num_gcds = 1;
	p.num_replicas = 1;
	p.routing = IRT_DNC;
	p.gateway_routing = GRT_DEFAULT;
	p.sync_type = ST_POD_NATIVE_DEFAULT;
	p.state = PS_ACTIVE;
	p.operation = POS_IDLE;
	p.owner = 4242;
	p.created = 1234567890;
	return p;
}

/* A snapshot through a registry that is made for it. */
static int
load_again(struct snapshot *s, struct error *e)
{
	char path[512], slots[520];
	struct registry r;
	int status;

	(void)snprintf(path, sizeof(path), "%s/anew", root);
	(void)snprintf(slots, sizeof(slots), "%s.slots", path);
	(void)unlink(path);
	(void)setenv("IPUBOX_REGISTRY", path, 1);
	status = state_open_reader(&r, e);
	if (status == 0) {
		status = snapshot_take(&r, s, e);
		registry_close(&r);
	}
	(void)unlink(path);
	(void)unlink(slots);
	(void)setenv("IPUBOX_REGISTRY", test_paths.registry, 1);
	return status;
}

static bool
same(const struct snapshot *a, const struct snapshot *b, struct error *e)
{
	size_t n = (size_t)a->partition_count;
	size_t ipus = (size_t)pod_ipu_count(&a->pod);

	if (a->pod.agent_count != b->pod.agent_count ||
	    memcmp(a->pod.agents, b->pod.agents,
		(size_t)a->pod.agent_count * sizeof(*a->pod.agents)) != 0) {
		(void)error_set(e, "other agents");
		return false;
	}
	if (a->partition_count != b->partition_count) {
		(void)error_set(e,
		    "%d partitions in the mirror, %d in the files",
		    a->partition_count, b->partition_count);
		return false;
	}
	if (memcmp(a->partitions, b->partitions, n * sizeof(*a->partitions)) !=
		0 ||
	    memcmp(a->owner, b->owner, ipus * sizeof(*a->owner)) != 0) {
		(void)error_set(e, "the mirror is not what the files say");
		return false;
	}
	if (a->damaged != 0 || b->damaged != 0) {
		(void)error_set(e, "%s", b->damage);
		return false;
	}
	return true;
}

bool
in_step(struct error *e)
{
	struct registry r;
	struct snapshot mirror, files;
	bool good;

	if (state_open_reader(&r, e) != 0)
		return false;
	if (snapshot_take(&r, &mirror, e) != 0) {
		registry_close(&r);
		return false;
	}
	registry_close(&r);
	if (load_again(&files, e) != 0) {
		snapshot_release(&mirror);
		return false;
	}
	good = same(&mirror, &files, e);
	snapshot_release(&mirror);
	snapshot_release(&files);
	return good;
}

void
check_in_step(const char *name)
{
	struct error e = { .text = "" };
	bool good = in_step(&e);

	is_str(good ? "" : e.text, "", name);
}

void
open_registry(struct registry *r)
{
	struct error e;

	if (registry_open(r, &test_paths, REGISTRY_CHANGE, &e) == 0)
		return;
	fprintf(stderr, "%s\n", e.text);
	exit(1);
}

void
scribble(off_t at, const void *bytes, size_t size)
{
	int fd = open(test_paths.registry, O_WRONLY);

	if (fd == -1 || pwrite(fd, bytes, size, at) != (ssize_t)size)
		exit(1);
	(void)close(fd);
}

void
poke_mirror(void (*change)(struct mirror *))
{
	struct registry_places at;
	struct registry r;
	struct mirror m;

	open_registry(&r);
	if (mirror_copy_try(&m, &r, NULL) != MIRROR_COPY_GOOD)
		exit(1);
	registry_close(&r);
	change(&m);
	m.header.checksum = mirror_copy_checksum(&m.header,
	    mirror_copy_sum(&m));
	registry_layout_locate(&m.header, &at);
	scribble(0, &m.header, sizeof(m.header));
	scribble((off_t)at.agents, m.agents,
	    m.header.agent_count * sizeof(*m.agents));
	scribble((off_t)at.clusters, m.clusters,
	    m.header.cluster_count * sizeof(*m.clusters));
	scribble((off_t)at.allocations, m.allocations,
	    m.header.allocation_count * sizeof(*m.allocations));
	scribble((off_t)at.partitions, m.partitions,
	    m.header.partition_high * sizeof(*m.partitions));
	mirror_copy_release(&m);
}

void
make_state(const char *name)
{
	struct error e;
	struct state s;

	use_state(name);
	is_int(state_open(&s, &e), 0, "a state to work on");
	state_close(&s);
}

void
add_partition(const char *name, int first, int size)
{
	struct partition p = make_partition(name, first, size);
	struct error e = { .text = "" };
	struct state s;

	if (state_open(&s, &e) != 0 || state_lock(&s, &e) != 0 ||
	    state_add_partition(&s, &p, &e) != 0)
		is_str(e.text, "", "a partition is added");
	state_close(&s);
}

int
count_partitions(struct error *e)
{
	struct snapshot snap;
	struct registry r;
	int count = -1;

	if (state_open_reader(&r, e) != 0)
		return -1;
	if (snapshot_take(&r, &snap, e) == 0) {
		count = snap.partition_count;
		snapshot_release(&snap);
	}
	registry_close(&r);
	return count;
}

struct holder
hold_ipus(int first, int count)
{
	struct registry r;
	struct holder h;
	int to[2], from[2], who, i;
	char got = '-';

	if (pipe(to) != 0 || pipe(from) != 0 || (h.pid = fork()) == -1) {
		perror("fork");
		exit(1);
	}
	if (h.pid == 0) {
		(void)close(to[1]);
		open_registry(&r);
		got = registry_attach(&r, first, count, &who, NULL) == 0 ?
		    'y' :
		    'n';
		for (i = first; got == 'y' && i < first + count; i++)
			registry_slot(&r, i)->pid = (int32_t)getpid();
		(void)registry_announce(&r, first, count);
		if (write(from[1], &got, 1) != 1)
			_exit(1);
		(void)!read(to[0], &got, 1);
		_exit(0);
	}
	(void)close(to[0]);
	(void)close(from[1]);
	h.end = to[1];
	ok(read(from[0], &got, 1) == 1 && got == 'y', "a child attaches");
	(void)close(from[0]);
	return h;
}

void
release_ipus(struct holder *h, int signal)
{
	int status;

	if (signal != 0)
		(void)kill(h->pid, signal);
	(void)close(h->end);
	(void)waitpid(h->pid, &status, 0);
}

static int
allow_entry(const char *path, const struct stat *st, int type,
    struct FTW *where)
{
	(void)st;
	(void)where;
	return chmod(path, type == FTW_D || type == FTW_DP ? 0755 : 0644);
}

void
allow_others(void)
{
	(void)nftw(test_paths.directory, allow_entry, 8, FTW_PHYS);
	(void)chmod(root, 0777);
}

static int
remove_entry(const char *path, const struct stat *st, int type,
    struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

int
state_util_done(void)
{
	if (root != NULL)
		(void)nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	return tap_done();
}
