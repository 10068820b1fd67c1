/*
 * Cases in processes of their own, as root and as another user.
 */
#include "tests/unit/sandbox_util.h"

#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/kube/sandbox/sandbox.h"
#include "tests/unit/tap.h"

/* What the child says, in memory that it shares. */
struct outcome {
	int line;
	int number; /* errno */
	char what[256];
	char error[1024];
};

static struct outcome *shared;

int
sandbox_util_fail(int line, const char *what)
{
	shared->number = errno;
	shared->line = line;
	(void)snprintf(shared->what, sizeof(shared->what), "%s", what);
	return 1;
}

int
sandbox_util_enter(const struct sandbox_plan *plan)
{
	struct error e = { .text = "" };
	const int status = sandbox_enter(plan, &e);

	if (status != 0)
		(void)snprintf(shared->error, sizeof(shared->error), "%s",
		    e.text);
	return status;
}

const char *
sandbox_util_path(const char *room, const char *name)
{
	static char paths[256][512];
	static size_t next;
	char *path = paths[next++ % ARRAY_SIZE(paths)];

	(void)snprintf(path, sizeof(paths[0]), "%s%s%s",
	    name[0] == '/' ? "" : room, name[0] == '/' ? "" : "/", name);
	return path;
}

static void
util_stop(const char *path)
{
	(void)sandbox_util_fail(0, path);
	_exit(1);
}

void
sandbox_util_mkdir(const char *path)
{
	if (mkdir(path, 0755) != 0)
		util_stop(path);
}

void
sandbox_util_write(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
	    0644);

	if (fd == -1 ||
	    write(fd, text, strlen(text)) != (ssize_t)strlen(text) ||
	    close(fd) != 0)
		util_stop(path);
}

bool
sandbox_util_reads(const char *path, const char *text)
{
	char got[256];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd == -1 ? -1 : read(fd, got, sizeof(got) - 1);

	if (fd != -1)
		(void)close(fd);
	if (n == -1)
		return false;
	got[n] = '\0';
	return strcmp(got, text) == 0;
}

bool
sandbox_util_wait(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) == -1)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Of linux/filter.h and linux/seccomp.h. */
struct util_step {
	uint16_t code;
	uint8_t yes, no;
	uint32_t value;
};

int
sandbox_util_refuse(int call, int number)
{
	struct util_step steps[] = {
		{ 0x20, 0, 0, 0 },		/* its number */
		{ 0x15, 0, 1, (uint32_t)call }, /* is this one */
		{ 0x06, 0, 0, 0x00050000U | (uint32_t)number },
		{ 0x06, 0, 0, 0x7fff0000U }, /* allowed */
	};
	const struct {
		unsigned short length;
		struct util_step *steps;
	} program = { ARRAY_SIZE(steps), steps };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(SYS_seccomp, 1, 0, &program);
}

/* ---- what this machine has ---- */

/* An overlay by the old mount(2), in mounts of its own. */
static int
try_overlay(const char *room)
{
	struct sandbox_refusal r;
	char *options;

	sandbox_util_mkdir(sandbox_util_path(room, "lower"));
	sandbox_util_mkdir(sandbox_util_path(room, "upper"));
	sandbox_util_mkdir(sandbox_util_path(room, "work"));
	sandbox_util_mkdir(sandbox_util_path(room, "at"));
	options =
	    xasprintf("lowerdir=%s/lower,upperdir=%s/upper,workdir=%s/work",
		room, room, room);
	REQUIRE(sandbox_namespace_enter(NULL, &r) == 0);
	REQUIRE(mount("overlay", sandbox_util_path(room, "at"), "overlay", 0,
		    options) == 0);
	free(options);
	return 0;
}

static int
try_mounts(const char *room)
{
	struct error e;

	(void)room;
	if (sandbox_is_possible(&e))
		return 0;
	(void)snprintf(shared->error, sizeof(shared->error), "%s", e.text);
	return 1;
}

/* Root may do less in a container. */
static int
try_root(const char *room)
{
	(void)room;
	REQUIRE(unshare(CLONE_NEWNS) == 0);
	return 0;
}

static int
try_filter(const char *room)
{
	(void)room;
	return sandbox_util_refuse(SYS_acct, EPERM);
}

/* ---- a child with a room ---- */

static bool
become(uid_t user)
{
	const gid_t group = (gid_t)user;

	return user == geteuid() ||
	    (setgroups(0, NULL) == 0 && setresgid(group, group, group) == 0 &&
		setresuid(user, user, user) == 0);
}

static bool
run_in_child(int (*act)(const char *), const char *room, uid_t user)
{
	pid_t child;

	memset(shared, 0, sizeof(*shared));
	if ((child = fork()) == 0) {
		(void)umask(022);
		if (!become(user))
			util_stop("become the user");
		_exit(act(room));
	}
	return child != -1 && sandbox_util_wait(child);
}

static char *
make_room(const char *name, uid_t user)
{
	static int count;
	char *room = xasprintf("%s/%d-%u", tap_directory(), count++,
	    (unsigned)user);

	if (chmod(tap_directory(), 0755) != 0 || mkdir(room, 0755) != 0 ||
	    (user != geteuid() && chown(room, user, (gid_t)user) != 0)) {
		perror(name);
		exit(1);
	}
	return room;
}

/* The reason of a skip, or "". */
static const char *
find_lack(int needs, uid_t user)
{
	static const struct {
		int need;
		int (*act)(const char *);
		const char *what;
	} tries[] = {
		{ 0, try_mounts, "no mounts" },
		{ NEEDS_OVERLAY, try_overlay, "no overlay" },
		{ NEEDS_ROOT, try_root, "root may not mount" },
		{ NEEDS_FILTER, try_filter, "no seccomp filter" },
	};
	static int known[ARRAY_SIZE(tries)][2];
	static char why[1200];
	int *answer;
	char *room;
	size_t i;

	if ((needs & NEEDS_ROOT) != 0 && user != 0)
		return "needs root";
	for (i = 0; i < ARRAY_SIZE(tries); i++) {
		if ((needs & tries[i].need) != tries[i].need)
			continue;
		answer = &known[i][user == 0];
		if (*answer == 0) {
			room = make_room(tries[i].what, user);
			*answer = run_in_child(tries[i].act, room, user) ?
			    1 :
			    -1;
			(void)snprintf(why, sizeof(why), "%s: %s",
			    tries[i].what,
			    shared->error[0] != '\0' ?
				shared->error :
				strerror(shared->number));
			free(room);
		}
		if (*answer == -1)
			return why;
	}
	return "";
}

void
sandbox_util_run(const struct sandbox_case *c, uid_t user)
{
	char *name = xasprintf("%s, as %s", c->name,
		 user == 0 ? "root" : "a user"),
	     *room;
	const char *lack;
	bool good;

	if (shared == NULL)
		shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	lack = find_lack(c->needs, user);
	if (lack[0] != '\0') {
		tap_skip(name, lack);
		free(name);
		return;
	}
	room = make_room(name, user);
	good = (c->before == NULL || c->before(room) == 0) &&
	    run_in_child(c->act, room, user);
	if (good && c->after != NULL)
		good = c->after(room) == 0;
	if (!ok(good, name))
		printf("# line %d: %s (%s)\n# %s\n", shared->line, shared->what,
		    strerror(shared->number), shared->error);
	free(room);
	free(name);
}
