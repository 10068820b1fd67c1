/*
 * A member of the group of a shared state exchanges its directories for links
 * to somebody's directory while root uses the state: what the links lead to
 * keeps its group, its mode and its contents.  As root only.
 */
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/control/queue.h"
#include "core/pod/document/document.h"
#include "core/state/state.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum {
	GROUP = 64001,
	MEMBER = 64011, /* no user of this machine has them */
	ROUNDS = 400,
	PATIENCE_MS = 60000 /* with a member that hardly runs */
};

static char *victim; /* a directory of root's, with files */

static void
must_be(bool done, const char *what)
{
	if (done)
		return;
	perror(what);
	exit(1);
}

static char *
below(const char *name)
{
	return xasprintf("%s/%s", test_paths.directory, name);
}

/* The victim's file of that name, root's alone. */
static void
make_file(const char *name)
{
	char *path = xasprintf("%s/%s", victim, name);
	FILE *f = fopen(path, "w");

	must_be(f != NULL && fputs("precious\n", f) >= 0 && fclose(f) == 0 &&
		chmod(path, 0600) == 0,
	    path);
	free(path);
}

static bool
is_well(const char *name)
{
	char *path = xasprintf("%s/%s", victim, name);
	struct stat st = { .st_mode = 0 };
	bool well = lstat(path, &st) == 0 && st.st_uid == 0 && st.st_gid == 0 &&
	    (st.st_mode & 07777) == (S_ISDIR(st.st_mode) ? 0700 : 0600) &&
	    (S_ISDIR(st.st_mode) || st.st_size == 9);

	if (!well)
		printf("# %s: %o %u:%u\n", path, (unsigned)st.st_mode,
		    (unsigned)st.st_uid, (unsigned)st.st_gid);
	free(path);
	return well;
}

/* Its names are those of a state, for whoever would use it as one. */
static const char *const names[] = { "p.ini", "0000000001.ini", ".x.tmp" };

static void
make_victim(void)
{
	size_t i;

	victim = xasprintf("%s.victim", test_paths.directory);
	must_be(mkdir(victim, 0700) == 0 && chmod(victim, 0700) == 0, victim);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		make_file(names[i]);
}

/* Its files are what they were, none is gone, and none has come. */
static void
victim_is_well(const char *what)
{
	char **found = NULL;
	long count = directory_names(directory_at(victim), "", &found, NULL);
	size_t i;
	bool well = is_well(".") && count == ARRAY_SIZE(names) - 1;

	for (i = 0; !well && (long)i < count; i++)
		printf("# there is %s\n", found[i]);
	directory_names_free(found, count);

	for (i = 0; i < ARRAY_SIZE(names); i++)
		well = is_well(names[i]) && well;
	ok(well, what);
}

/* The member: it exchanges the directory and a link until it is killed. */
static pid_t
start_member(const char *directory, const char *spare)
{
	const gid_t group = GROUP;
	pid_t pid = fork();

	must_be(pid != -1, "fork");
	if (pid != 0)
		return pid;
	if (setgroups(1, &group) != 0 || setgid(GROUP) != 0 ||
	    setuid(MEMBER) != 0)
		_exit(1);
	/* Where one of them is gone it waits until it is there again. */
	for (;;)
		(void)syscall(SYS_renameat2, AT_FDCWD, directory, AT_FDCWD,
		    spare, 2 /* RENAME_EXCHANGE */);
}

/* What root's other commands do; any of it may be refused. */
static void
change_all(struct state *s)
{
	struct partition_request r = { .size = 1 };
	struct partition p = make_partition("root", 0, 4);
	struct user u = { .name = "root", .hash = "$pbkdf2-sha512$1$ab$cd" };
	struct ticket t;

	if (state_lock(s, NULL) != 0)
		return;
	(void)state_add_partition(s, &p, NULL);
	(void)state_remove_partition(s, p.name, NULL);
	(void)user_store_put(s, &u, NULL);
	(void)user_store_remove(s, u.name, NULL);
	if (ticket_take(&s->directory, NULL, 0, &r, "", &t, NULL) == 0)
		(void)ticket_drop(&s->directory, &t, NULL);
	state_unlock(s);
}

/* Root comes by, as `vipu list` does, to a state that was just shared. */
static int
come_by(struct error *e)
{
	char *last = below("partitions");
	struct state s;
	int status;

	(void)chmod(last, 0700);
	free(last);
	status = state_open(&s, e);
	if (status == 0) {
		change_all(&s);
		state_close(&s);
	}
	return status;
}

/* In a new pod every directory but waiting/ is another one. */
static void
init_again(void)
{
	struct new_pod n = { .force = true };
	struct pod pod;

	must_be(pod_file_parse(&pod, "pod4", pod_embedded("pod4"), NULL) == 0,
	    "pod4");
	(void)new_pod_init(&test_paths, &pod, &n, NULL);
	pod_release(&pod);
}

/*
 * In some rounds root finds the link and refuses it, in some it does not; what
 * it may never do is go through it.
 */
static void
test_exchange(const char *name)
{
	char *directory = below(name), *spare = below("spare");
	char *what = xasprintf("%s and a link are exchanged", name);
	struct error e;
	int64_t until_ms = clock_monotonic_ms() + PATIENCE_MS;
	int i, refused = 0;
	pid_t member;

	must_be(symlink(victim, spare) == 0, spare);
	member = start_member(directory, spare);
	for (i = 0;
	     i < ROUNDS || (refused == 0 && clock_monotonic_ms() < until_ms);
	     i++) {
		refused += come_by(&e) != 0;
		if (i % 20 == 0)
			init_again();
	}
	(void)kill(member, SIGKILL);
	(void)waitpid(member, NULL, 0);
	ok(refused > 0, "the member does exchange them");
	printf("# %s: %d of %d refused\n", name, refused, i);
	victim_is_well(what);
	/* Whichever of both is the link goes, the directory gets its name. */
	if (unlink(spare) != 0) {
		must_be(unlink(directory) == 0, directory);
		(void)rename(spare, directory);
	}
	e.text[0] = '\0';
	is_int(come_by(&e), 0, "afterwards all is well");
	if (e.text[0] != '\0')
		printf("# %s\n", e.text);
	free(what);
	free(spare);
	free(directory);
}

/* A pod that was staged before the state was shared goes to the group too. */
static void
test_staged(void)
{
	struct error e = { .text = "" };
	struct stat st;
	char *new = below("new"), *staged = below("new/agents");

	(void)mkdir(new, 0700);
	must_be(mkdir(staged, 0700) == 0 && chown(staged, 0, 0) == 0 &&
		chmod(staged, 0700) == 0,
	    staged);
	is_int(come_by(&e), 0, "a pod that is staged");
	ok(stat(staged, &st) == 0 && st.st_gid == GROUP &&
		(st.st_mode & 07777) == 02770,
	    "is the group's");
	is_str(e.text, "", "without a word");
	must_be(rmdir(staged) == 0, staged);
	free(staged);
	free(new);
}

/* A file with a second name elsewhere is not the pod's. */
static void
test_hard_links(void)
{
	static const char *const places[] = { "waiting/0000000001.ini",
		"users/eve.ini", "lock", "pod.ini", "partitions/p.ini" };
	char *path, *file, *kept = below("kept");
	struct error e;
	struct state s;
	struct snapshot snap;
	size_t i;

	file = xasprintf("%s/p.ini", victim);
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		path = below(places[i]);
		(void)rename(path, kept);
		must_be(link(file, path) == 0, path);
		ok(come_by(&e) == -1, places[i]);
		victim_is_well("and is not given to the group");
		must_be(unlink(path) == 0, path);
		(void)rename(kept, path);
		must_be(come_by(&e) == 0, e.text);
		free(path);
	}
	path = below("partitions/p.ini");
	must_be(link(file, path) == 0, path);
	is_int(state_open(&s, &e), 0, "in a state that was shared before");
	is_int(snapshot_take(&s.registry, &snap, &e), 0, "it is read");
	ok(snap.damaged == 1 && strstr(snap.damage, "p.ini") != NULL &&
		strstr(snap.damage, "precious") == NULL,
	    "without a word of it");
	snapshot_release(&snap);
	state_close(&s);
	must_be(unlink(path) == 0, path);
	free(path);
	free(file);
	free(kept);
}

int
main(void)
{
	static const char *const directories[] = { "waiting", "agents", "users",
		"new", "partitions" };
	struct error e;
	char *path;
	size_t i;

	if (geteuid() != 0) {
		tap_skip("a member against root", "needs root");
		return tap_done();
	}
	(void)alarm(120);
	use_state("exchange");
	make_victim();
	path = path_directory_name(test_paths.directory);
	must_be(chmod(path, 0711) == 0, path); /* the member passes */
	free(path);
	must_be(make_directory(test_paths.directory, &e) == 0 &&
		chown(test_paths.directory, 0, GROUP) == 0 &&
		chmod(test_paths.directory, 02770) == 0,
	    test_paths.directory);
	must_be(come_by(&e) == 0, "the first use");
	for (i = 0; i < ARRAY_SIZE(directories); i++) {
		path = below(directories[i]);
		(void)mkdir(path, 02770);
		must_be(chown(path, 0, GROUP) == 0 && chmod(path, 02770) == 0,
		    path);
		free(path);
		test_exchange(directories[i]);
	}
	test_staged();
	test_hard_links();
	free(victim);
	return state_util_done();
}
