/*
 * The registry: attaching, races for IPUs, damaged and foreign files.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/bus_guard.h"
#include "core/state/mirror_copy.h"
#include "core/state/state.h"
#include "core/state/state_internal.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { RACES = 200 };

static void
test_attach(void)
{
	struct registry r;
	struct ipu_slot slot;
	struct error e;
	struct holder h, lower;
	int who;

	make_state("attach");
	open_registry(&r);
	is_int(registry_ipu_count(&r), 64, "64 IPUs");
	is_int(registry_held(&r, 0, 64), -1, "none held");
	h = hold_ipus(8, 8);
	is_int(registry_attach(&r, 12, 8, &who, &e), -1,
	    "an overlap is refused");
	is_int(e.code, ERROR_BUSY, "as busy");
	is_int(who, 12, "and the lowest IPU that is held");
	is_int(registry_held(&r, 0, 64), 8, "held from 8");
	is_int(registry_held(&r, 16, 48), -1, "free from 16");
	lower = hold_ipus(2, 1);
	is_int(registry_held(&r, 0, 64), 2, "the lowest of two holders");
	is_int(registry_held(&r, 3, 61), 8, "the lowest behind the first");
	is_int(registry_attach(&r, 0, 64, &who, &e), -1,
	    "all at once: refused");
	is_int(registry_held(&r, 16, 48), -1, "and nothing half taken");
	is_int(registry_attach(&r, 16, 8, &who, &e), 0,
	    "the neighbours are free");
	is_int(registry_attach(&r, 4, 4, &who, &e), 0, "on both sides");
	is_int(registry_held(&r, 4, 4), -1, "own IPUs are not another's");
	release_ipus(&lower, 0);
	ok(registry_holder(&r, 9, &slot), "IPU 9 has a holder");
	ok(!registry_holder(&r, 2, &slot), "IPU 2 has none any more");
	release_ipus(&h, SIGKILL);
	is_int(registry_held(&r, 8, 8), -1, "free at once after kill -9");
	is_int(registry_attach(&r, 8, 8, &who, &e), 0, "and can be taken");
	h = hold_ipus(32, 1);
	is_int(registry_detach(&r, 8, 8), 0, "detach");
	release_ipus(&h, 0);
	is_int(registry_attach(&r, 60, 5, &who, &e), -1, "outside the pod");
	is_int(e.code, ERROR_INVALID, "is invalid");
	is_int(registry_attach(&r, 0, 0, &who, &e), -1, "no IPU");
	registry_close(&r);
	h = hold_ipus(0, 64);
	release_ipus(&h, 0);
}

/* A lock lives on in a child that inherits it, across exec. */
static void
test_inherited(void)
{
	struct registry r;
	struct holder h;
	int to[2], who, status;
	char number[16];
	pid_t pid;

	make_state("inherited");
	if (pipe(to) != 0)
		exit(1);
	h.pid = fork();
	if (h.pid == 0) {
		open_registry(&r);
		if (registry_attach(&r, 0, 4, &who, NULL) != 0 ||
		    fcntl(r.slots.fd, F_SETFD, 0) != 0)
			_exit(1);
		pid = fork();
		if (pid == 0) {
			(void)dup2(to[0], STDIN_FILENO);
			(void)close(to[1]);
			(void)snprintf(number, sizeof(number), "%d",
			    r.slots.fd);
			(void)execl("/bin/sh", "sh", "-c", "read x",
			    (char *)NULL);
			_exit(1);
		}
		_exit(0); /* the parent is gone, its child holds on */
	}
	(void)close(to[0]);
	(void)waitpid(h.pid, &status, 0);
	is_int(status, 0, "a parent attached and ended");
	open_registry(&r);
	is_int(registry_attach(&r, 0, 4, &who, NULL), -1,
	    "its exec'd child still holds the IPUs");
	(void)close(to[1]);
	while (registry_held(&r, 0, 4) != -1)
		(void)sched_yield();
	is_int(registry_attach(&r, 0, 4, &who, NULL), 0,
	    "until it ends as well");
	registry_close(&r);
}

/* Two processes run for overlapping groups: one has all, one nothing. */
static void
test_race(void)
{
	struct registry r;
	int start[2], result[2], done[2], i, k, who, winners;
	int good = 0;
	char got;
	pid_t pid[2];

	make_state("race");
	for (i = 0; i < RACES; i++) {
		if (pipe(start) != 0 || pipe(result) != 0 || pipe(done) != 0)
			exit(1);
		for (k = 0; k < 2; k++) {
			if ((pid[k] = fork()) != 0)
				continue;
			open_registry(&r);
			(void)close(start[1]);
			(void)close(done[1]);
			(void)!read(start[0], &got, 1);
			got = registry_attach(&r, k * 2, 4, &who, NULL) == 0;
			(void)!write(result[1], &got, 1);
			(void)!read(done[0], &got, 1);
			_exit(0);
		}
		(void)close(start[1]);
		winners = 0;
		for (k = 0; k < 2; k++)
			winners += read(result[0], &got, 1) == 1 && got == 1;
		(void)close(done[1]);
		good += winners == 1;
		for (k = 0; k < 2; k++)
			(void)waitpid(pid[k], NULL, 0);
		(void)close(start[0]);
		(void)close(done[0]);
		(void)close(result[0]);
		(void)close(result[1]);
	}
	is_int(good, RACES, "exactly one of two wins, each time");
}

static void
damage_version(void)
{
	const uint32_t older = REGISTRY_VERSION - 1;

	scribble(offsetof(struct registry_header, version), &older,
	    sizeof(older));
}

static void
damage_magic(void)
{
	scribble(0, "garbage", 8);
}

static void
damage_count(void)
{
	const uint32_t many = 0x40000000;

	scribble(offsetof(struct registry_header, agent_capacity), &many,
	    sizeof(many));
}

static void
damage_id(void)
{
	scribble(offsetof(struct registry_header, id), "another folder's", 16);
}

static void
damage_length(void)
{
	if (truncate(test_paths.registry, 5000) != 0)
		exit(1);
}

static void
damage_short(void)
{
	if (truncate(test_paths.registry, 3) != 0)
		exit(1);
}

static void
damage_empty(void)
{
	if (truncate(test_paths.registry, 0) != 0)
		exit(1);
}

static void
damage_missing(void)
{
	(void)unlink(test_paths.registry);
}

struct damage {
	const char *name;
	void (*make)(void);
	const char *refusal; /* behind "registry PATH: " */
};

static const struct damage damages[] = {
	{ "an older version", damage_version,
	    "has version 5, but this ipubox knows version 6" },
	{ "no registry", damage_magic, "not a registry of ipubox" },
	{ "a wild count", damage_count, "damaged" },
	{ "a cut file", damage_length, "damaged" },
	{ "three bytes", damage_short, "damaged (too short)" },
	{ "an empty file", damage_empty, "damaged (too short)" },
	{ "another folder's", damage_id, NULL },
	{ "none", damage_missing, NULL },
};

/* Whatever happens to the registry, the partitions are files. */
static void
test_damage(void)
{
	const struct damage *d;
	struct registry r;
	struct error e;
	struct state s;
	char text[512];
	size_t i;

	make_state("damage");
	add_partition("kept", 0, 8);
	for (i = 0; i < ARRAY_SIZE(damages); i++) {
		d = &damages[i];
		d->make();
		if (d->refusal != NULL) {
			(void)snprintf(text, sizeof(text), "registry %s: %s",
			    test_paths.registry, d->refusal);
			is_int(registry_open(&r, &test_paths, REGISTRY_READ,
				   &e),
			    -1, d->name);
			is_int(e.code, ERROR_STALE, "is stale");
			is_str(e.text, text, "with the reason");
		}
		/* A reader sees no wrong id; whoever changes does. */
		if (d->make == damage_id) {
			is_int(state_open(&s, &e), 0, "open for a change");
			state_close(&s);
		}
		is_int(count_partitions(&e), 1, "and made anew");
		check_in_step("in step with the files");
	}
}

/* No lock is on the mirror, so it is made again under running programs. */
static void
test_damage_in_use(void)
{
	struct registry r;
	struct holder h;
	struct error e;

	make_state("in-use");
	add_partition("kept", 0, 8);
	h = hold_ipus(4, 4);
	damage_version();
	is_int(count_partitions(&e), 1, "another version while IPUs are held");
	open_registry(&r);
	is_int(registry_held(&r, 0, 64), 4, "and they still are");
	registry_close(&r);
	damage_length();
	is_int(count_partitions(&e), 1, "a cut one as well");
	release_ipus(&h, SIGKILL);
}

/* A program of an ipubox of version 3 has its lock on the mirror. */
static void
test_older_in_use(void)
{
	struct error e;
	char text[512];
	int fd;

	make_state("older");
	add_partition("kept", 0, 8);
	damage_version();
	fd = open(test_paths.registry, O_RDWR | O_CLOEXEC);
	is_int(slots_lock_all(fd), 0, "an older program has IPUs");
	(void)snprintf(text, sizeof(text),
	    "registry %s must be rebuilt, but programs are attached to IPUs "
	    "through it; end them first (nothing is lost: the partitions are "
	    "files)",
	    test_paths.registry);
	is_int(count_partitions(&e), -1, "an older version that is in use");
	is_str(e.text, text, "is refused, and says what to do");
	(void)close(fd);
	is_int(count_partitions(&e), 1, "and made anew when it is not");
}

static void
poke_cluster(struct mirror *m)
{
	m->partitions[0].placement.cluster = 77;
}

static void
poke_ilds(struct mirror *m)
{
	m->clusters[0].ild_count = 0;
}

static void
poke_name(struct mirror *m)
{
	(void)snprintf(m->partitions[0].name, NAME_SIZE, "../pod");
}

static void
poke_end(struct mirror *m)
{
	memset(m->agents[3].host, 'x', sizeof(m->agents[3].host));
}

static void
poke_twice(struct mirror *m)
{
	m->partitions[m->header.partition_high] = m->partitions[0];
	m->header.partition_high++;
}

static void
poke_high(struct mirror *m)
{
	m->header.partition_high = 0;
}

struct poke {
	const char *name;
	void (*make)(struct mirror *);
};

static const struct poke pokes[] = {
	{ "a partition in no cluster", poke_cluster },
	{ "a cluster without ILDs", poke_ilds },
	{ "a name that is a path", poke_name },
	{ "a text that does not end", poke_end },
	{ "IPUs of two partitions", poke_twice },
};

/* Whoever changes the mirror cannot make others leave their memory. */
static void
test_contents(void)
{
	const struct poke *p;
	struct registry r;
	struct mirror m;
	struct error e;
	size_t i;

	make_state("contents");
	add_partition("p", 0, 8);
	for (i = 0; i < ARRAY_SIZE(pokes); i++) {
		p = &pokes[i];
		poke_mirror(p->make);
		open_registry(&r);
		is_int(mirror_copy_try(&m, &r, &e), MIRROR_COPY_BAD, p->name);
		ok(strstr(e.text, "damaged") != NULL, "is damage");
		registry_close(&r);
		is_int(count_partitions(&e), 1, "and made good from the files");
		check_in_step("all of it");
	}
	/* Sound, and not what the files say: the sum tells. */
	open_registry(&r);
	is_int(mirror_copy_try(&m, &r, &e), MIRROR_COPY_GOOD, "a sound one");
	registry_close(&r);
	poke_high(&m);
	scribble(offsetof(struct registry_header, partition_high),
	    &m.header.partition_high, sizeof(m.header.partition_high));
	mirror_copy_release(&m);
	is_int(count_partitions(&e), 1, "a count that hides a partition");
	check_in_step("is made good");
}

/* What is wrong with the slots, while nobody and while somebody holds some. */
static void
test_slots(void)
{
	const uint32_t many = 0x7fffffff;
	struct registry r;
	struct holder h;
	struct error e = { .text = "" };
	char path[SLOTS_PATH_SIZE];
	int fd;

	make_state("slots");
	add_partition("p", 0, 8);
	(void)snprintf(path, sizeof(path), "%s.slots", test_paths.registry);
	(void)unlink(path);
	is_int(count_partitions(&e), 1, "without slots they are made");
	open_registry(&r);
	ok(registry_slot(&r, 63) != NULL, "one per IPU");
	ok(registry_slot(&r, r.slots.count) == NULL &&
		registry_slot(&r, -1) == NULL,
	    "and none behind them");
	registry_close(&r);
	h = hold_ipus(4, 4);
	fd = open(path, O_RDWR | O_CLOEXEC);
	is_int((int)pwrite(fd, &many, 4, offsetof(struct slots_header, count)),
	    4, "a wild count");
	is_int(count_partitions(&e), 1, "is made good");
	is_int(ftruncate(fd, 3), 0, "a cut file");
	is_int(count_partitions(&e), 1, "is as well");
	open_registry(&r);
	is_int(registry_held(&r, 0, 64), 4, "and who is attached stays so");
	registry_close(&r);
	is_int((int)pwrite(fd, &many, 4,
		   offsetof(struct slots_header, version)),
	    4, "another version that is in use");
	is_int(count_partitions(&e), -1, "is refused");
	ok(strstr(e.text,
	       ".slots must be rebuilt, but programs are attached to IPUs "
	       "through it") != NULL,
	    "with the reason");
	release_ipus(&h, SIGKILL);
	is_int(count_partitions(&e), 1, "and else made anew");
	(void)close(fd);
}

/* Cut while it is mapped: the program goes on, and learns of it. */
static void
test_cut(void)
{
	struct registry r;
	struct ipu_slot copy;
	int who;

	make_state("cut");
	open_registry(&r);
	is_int(registry_attach(&r, 8, 4, &who, NULL), 0, "attached");
	atomic_store(&registry_slot(&r, 8)->busy_ns, 5);
	ok(!slots_are_cut(&r.slots), "nobody cut the slots");
	is_int(ftruncate(r.slots.fd, 0), 0, "somebody does");
	atomic_store(&registry_slot(&r, 8)->busy_ns, 7);
	is_int((int)atomic_load(&registry_slot(&r, 8)->busy_ns), 7,
	    "the program counts on");
	ok(slots_are_cut(&r.slots) && bus_guard_was_hit(registry_slot(&r, 9)),
	    "and can ask");
	slots_read(&r.slots, 8, &copy);
	is_int((int)atomic_load(&copy.busy_ns), 0, "a reader sees nothing");
	registry_close(&r);
}

static void
test_foreign(void)
{
	struct registry r;
	struct error e;
	struct state s;
	char text[512], target[512];
	int status;
	pid_t pid;

	make_state("link");
	(void)snprintf(target, sizeof(target), "%s.target",
	    test_paths.registry);
	(void)rename(test_paths.registry, target);
	(void)!symlink(target, test_paths.registry);
	is_int(state_open_reader(&r, &e), -1, "a symbolic link");
	is_int(e.code, ERROR_UNSAFE, "is unsafe");
	(void)snprintf(text, sizeof(text),
	    "registry %s is a symbolic link; remove it, or set IPUBOX_REGISTRY",
	    test_paths.registry);
	is_str(e.text, text, "with the reason");
	is_int(state_open(&s, &e), -1, "also for a change");

	(void)unlink(test_paths.registry);
	(void)mkdir(test_paths.registry, 0700);
	is_int(state_open(&s, &e), -1, "a folder in its place is refused");
	(void)rmdir(test_paths.registry);
	(void)mkfifo(test_paths.registry, 0600);
	is_int(state_open_reader(&r, &e), -1, "a fifo does not hang");
	(void)unlink(test_paths.registry);

	if (geteuid() != 0) {
		tap_skip("another user's registry", "needs root");
		return;
	}
	(void)rename(target, test_paths.registry);
	(void)chmod(test_paths.registry, 0666);
	(void)!chown(test_paths.registry, 4711, 4711);
	is_int(registry_open(&r, &test_paths, REGISTRY_READ, &e), -1,
	    "another user's, even to root");
	is_int(e.code, ERROR_UNSAFE, "is unsafe");
	(void)!chown(test_paths.registry, 0, 0);
	pid = fork();
	if (pid == 0) {
		if (setresgid(4711, 4711, 4711) != 0 ||
		    setresuid(4711, 4711, 4711) != 0)
			_exit(2);
		_exit(registry_open(&r, &test_paths, REGISTRY_READ, &e) == 0 ||
			    e.code == ERROR_DENIED ?
			0 :
			1);
	}
	(void)waitpid(pid, &status, 0);
	is_int(status, 0, "root's is trusted");
}

int
main(void)
{
	test_attach();
	test_inherited();
	test_race();
	test_damage();
	test_damage_in_use();
	test_older_in_use();
	test_contents();
	test_slots();
	test_cut();
	test_foreign();
	return state_util_done();
}
