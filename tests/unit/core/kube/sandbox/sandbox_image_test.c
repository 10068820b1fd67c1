/*
 * A process whose root is the directory of an image: each case in a child, as
 * root and as a user who needs a user namespace for it.
 */
#include "core/kube/sandbox/sandbox.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "tests/unit/sandbox_util.h"
#include "tests/unit/sys_util.h"
#include "tests/unit/tap.h"

#define at sandbox_util_path

static bool
is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* ROOM/image, whose name has all that an overlay's options could mistake. */
#define IMAGE "image,a:b\\c"

static struct sandbox_plan
an_image(const char *room)
{
	sandbox_util_mkdir(at(room, IMAGE));
	sandbox_util_mkdir(at(room, IMAGE "/etc"));
	sandbox_util_mkdir(at(room, IMAGE "/data"));
	sandbox_util_write(at(room, IMAGE "/hello"), "image");
	sandbox_util_write(at(room, IMAGE "/data/old"), "image");
	sandbox_util_write(at(room, IMAGE "/etc/resolv.conf"), "image");
	sandbox_util_mkdir(at(room, "upper:1"));
	sandbox_util_mkdir(at(room, "own"));
	return (struct sandbox_plan){ .root = at(room, IMAGE),
		.upper = at(room, "upper:1"),
		.directory = at(room, "own") };
}

static int
written(const char *room)
{
	struct sandbox_plan plan = an_image(room);

	plan.working = "/made/there";
	REQUIRE(sandbox_util_enter(&plan) == 0);
	REQUIRE(sandbox_util_reads("/hello", "image"));
	sandbox_util_write("/hello", "changed");
	sandbox_util_write("/new", "new");
	REQUIRE(unlink("/data/old") == 0 && rmdir("/data") == 0);
	sandbox_util_mkdir("/data");
	REQUIRE(!is_there("/data/old"));
	/* In its working directory, and in /tmp. */
	sandbox_util_write("relative", "there");
	REQUIRE(sandbox_util_reads("/made/there/relative", "there"));
	sandbox_util_write("/tmp/file", "temporary");
	REQUIRE(chdir("/tmp/..") == 0 && is_there("hello"));
	/* Of the host's files only its own directory, and /dev. */
	sandbox_util_write(at(room, "own/file"), "own");
	REQUIRE(!is_there("/usr") && !is_there("/home"));
	return 0;
}

/* What was written is still there for the next one, and not in the image. */
static int
image_is_unchanged(const char *room)
{
	struct stat st;

	REQUIRE(sandbox_util_reads(at(room, IMAGE "/hello"), "image"));
	REQUIRE(sandbox_util_reads(at(room, IMAGE "/data/old"), "image"));
	REQUIRE(!is_there(at(room, IMAGE "/new")));
	REQUIRE(!is_there(at(room, IMAGE "/proc")));
	REQUIRE(sandbox_util_reads(at(room, "upper:1/upper/hello"), "changed"));
	REQUIRE(sandbox_util_reads(at(room, "own/file"), "own"));
	/* All can be removed by its user. */
	REQUIRE(stat(at(room, "upper:1/work/work"), &st) == 0 &&
	    (st.st_mode & 0700) == 0700);
	return 0;
}

static int
once_more(const char *room)
{
	const struct sandbox_plan plan = an_image(room);
	pid_t child = fork();

	if (child == 0) {
		if (sandbox_util_enter(&plan) != 0)
			_exit(1);
		sandbox_util_write("/hello", "changed");
		_exit(0);
	}
	REQUIRE(child != -1 && sandbox_util_wait(child));
	REQUIRE(sandbox_util_enter(&plan) == 0);
	REQUIRE(sandbox_util_reads("/hello", "changed"));
	return 0;
}

/* What each program expects. */
static int
furnished(const char *room)
{
	struct sandbox_plan plan = an_image(room);
	char self[16], pid[16];
	struct statvfs fs;
	struct stat st;
	const bool has_sys = is_there("/sys/kernel");
	const bool has_hosts = is_there("/etc/hosts");
	ssize_t n;
	int fd;

	REQUIRE(symlink("/run/nowhere", at(room, IMAGE "/etc/hosts")) == 0);
	plan.hostname = "worker-0";
	REQUIRE(sandbox_util_enter(&plan) == 0);
	n = readlink("/proc/self", self, sizeof(self));
	REQUIRE(n > 0 &&
	    n == snprintf(pid, sizeof(pid), "%ld", (long)getpid()) &&
	    memcmp(self, pid, (size_t)n) == 0);
	REQUIRE(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
	REQUIRE((fd = open("/dev/null", O_WRONLY | O_CLOEXEC)) != -1 &&
	    write(fd, "x", 1) == 1);
	REQUIRE(!has_sys ||
	    (is_there("/sys/kernel") && statvfs("/sys", &fs) == 0 &&
		(fs.f_flag & ST_RDONLY) != 0));
	REQUIRE(stat("/tmp", &st) == 0 && (st.st_mode & 07777) == 01777);
	/* The image's own stays, what is broken does not. */
	REQUIRE(sandbox_util_reads("/etc/resolv.conf", "image"));
	REQUIRE(!has_hosts || (stat("/etc/hosts", &st) == 0 && st.st_size > 0));
	REQUIRE(sandbox_util_reads("/etc/hostname", "worker-0\n"));
	return 0;
}

static int
host_is_unchanged(const char *room)
{
	struct stat st;

	REQUIRE(!sandbox_util_reads("/etc/hostname", "worker-0\n"));
	REQUIRE(lstat(at(room, IMAGE "/etc/hosts"), &st) == 0 &&
	    S_ISLNK(st.st_mode));
	REQUIRE(!is_there(at(room, IMAGE "/etc/hostname")));
	return 0;
}

/* Volumes, a program of the host's at a path of its own, a directory kept. */
static int
with_volumes(const char *room)
{
	const char *self = at(room, "program");
	const struct sandbox_volume	volumes[] = {
		{ .name = "v", .source = at(room, "source"),
		    .target = "/var/lib/v" },
		{ .name = "conf", .source = at(room, "source/file"),
		    .target = "/etc/resolv.conf" },
		{ .name = "tmp", .kind = SANDBOX_MEMORY, .target = "/tmp" },
		{ .name = "shm", .kind = SANDBOX_MEMORY,
		    .target = "/dev/shm" },
	}, kept[] = {
		{ .name = "program", .source = self,
		    .target = "/usr/bin/ipubox", .is_read_only = true },
		{ .name = "state", .source = at(room, "state") },
	};
	struct sandbox_plan plan = an_image(room);
	struct stat own, program;

	sandbox_util_mkdir(at(room, "source"));
	sandbox_util_write(at(room, "source/file"), "content");
	sandbox_util_mkdir(at(room, "state"));
	sandbox_util_write(at(room, "state/file"), "state");
	plan.volumes = volumes;
	plan.volume_count = ARRAY_SIZE(volumes);
	plan.kept = kept;
	plan.kept_count = ARRAY_SIZE(kept);
	plan.working = "/var/lib/v";
	sandbox_util_write(self, "the host's");
	REQUIRE(chmod(self, 0755) == 0 && stat(self, &own) == 0);
	REQUIRE(sandbox_util_enter(&plan) == 0);
	REQUIRE(sandbox_util_reads("file", "content"));
	REQUIRE(sandbox_util_reads("/etc/resolv.conf", "content"));
	REQUIRE(stat("/usr/bin/ipubox", &program) == 0);
	REQUIRE(own.st_ino == program.st_ino && own.st_dev == program.st_dev);
	REQUIRE(access("/usr/bin/ipubox", X_OK) == 0);
	REQUIRE(sandbox_util_reads(at(room, "state/file"), "state"));
	sandbox_util_write(at(room, "state/new"), "new");
	sandbox_util_write("/dev/shm/ipubox-sandbox-test", "its own");
	sandbox_util_write("/tmp/ipubox-sandbox-test", "its own");
	return 0;
}

static int
state_was_written(const char *room)
{
	REQUIRE(sandbox_util_reads(at(room, "state/new"), "new"));
	REQUIRE(!is_there("/dev/shm/ipubox-sandbox-test"));
	REQUIRE(!is_there("/tmp/ipubox-sandbox-test"));
	REQUIRE(!is_there(at(room, "upper:1/upper/tmp/ipubox-sandbox-test")));
	return 0;
}

/* By root, where root runs this: with names that its user cannot add. */
static int
make_image_of_another(const char *room)
{
	const struct sandbox_plan plan = an_image(room);

	sandbox_util_mkdir(at(room, IMAGE "/tmp"));
	sandbox_util_mkdir(at(room, IMAGE "/opt"));
	return chmod(plan.upper, 01777) + chmod(plan.directory, 0755);
}

static int
image_of_another(const char *room)
{
	const struct sandbox_volume v = { .name = "v",
		.kind = SANDBOX_MEMORY,
		.target = "/data/new/deep" };
	const struct sandbox_plan plan = { .root = at(room, IMAGE),
		.upper = at(room, "upper:1"),
		.directory = at(room, "own"),
		.hostname = "worker-0",
		.volumes = &v,
		.volume_count = 1,
		.working = "/opt" };
	char name[65];

	REQUIRE(sandbox_util_enter(&plan) == 0);
	REQUIRE(is_there("/dev/null") && is_there("/proc/self"));
	REQUIRE(sandbox_util_reads("/data/old", "image"));
	sandbox_util_write("/data/new/deep/file", "memory");
	sandbox_util_write("/tmp/file", "temporary");
	REQUIRE(sandbox_util_reads("/hello", "image"));
	REQUIRE(is_there(at(room, "own")));
	REQUIRE(gethostname(name, sizeof(name)) == 0 &&
	    strcmp(name, "worker-0") == 0);
	return 0;
}

static int
image_of_another_is_unchanged(const char *room)
{
	REQUIRE(!is_there(at(room, IMAGE "/data/new")));
	REQUIRE(!is_there(at(room, IMAGE "/tmp/file")));
	REQUIRE(!is_there(at(room, IMAGE "/dev")));
	return 0;
}

/* Changes that lie in an overlay themselves, as in many containers. */
static int
changes_in_an_overlay(const char *room)
{
	struct sandbox_plan plan = an_image(room);
	struct error e;
	pid_t child;

	if ((child = fork()) != 0)
		return sandbox_util_wait(child) ? 0 : 1;
	REQUIRE(sandbox_util_enter(&plan) == 0);
	plan.root = "/data";
	sandbox_util_mkdir("/changes");
	plan.upper = "/changes";
	plan.directory = NULL;
	_exit(sandbox_enter(&plan, &e) == -1 &&
		    strncmp(e.text,
			"cannot mount the sandbox's changes over its root (an "
			"overlay): Invalid argument; ",
			81) == 0 &&
		    strstr(e.text,
			"; the directory for the changes must be on a disk or "
			"in memory") != NULL ?
		0 :
		1);
}

/* A volume that takes the changes to ROOM/host, with a file in each. */
static int
enter_changes(const char *room)
{
	const struct sandbox_volume v = { .name = "home",
		.source = at(room, "changes"),
		.target = at(room, "host"),
		.work = at(room, "work") };
	const struct sandbox_plan plan = { .volumes = &v, .volume_count = 1 };

	sandbox_util_mkdir(at(room, "changes"));
	sandbox_util_mkdir(at(room, "work"));
	sandbox_util_mkdir(at(room, "host"));
	sandbox_util_write(at(room, "changes/own"), "own");
	sandbox_util_write(at(room, "host/file"), "host");
	return sandbox_util_enter(&plan);
}

static int
changes_over_a_directory(const char *room)
{
	REQUIRE(enter_changes(room) == 0);
	REQUIRE(sandbox_util_reads(at(room, "host/own"), "own"));
	REQUIRE(sandbox_util_reads(at(room, "host/file"), "host"));
	sandbox_util_write(at(room, "host/file"), "changed");
	return 0;
}

static int
directory_is_unchanged(const char *room)
{
	struct stat st;

	REQUIRE(sandbox_util_reads(at(room, "host/file"), "host"));
	REQUIRE(sandbox_util_reads(at(room, "changes/file"), "changed"));
	/* So that this user can remove it. */
	REQUIRE(stat(at(room, "work/work"), &st) == 0 &&
	    (st.st_mode & 0700) == 0700);
	return 0;
}

/* Without an overlay they cover it. */
static int
changes_cover_a_directory(const char *room)
{
	REQUIRE(sandbox_util_refuse(SYS_fsopen, EPERM) == 0);
	REQUIRE(enter_changes(room) == 0);
	REQUIRE(sandbox_util_reads(at(room, "host/own"), "own"));
	REQUIRE(!is_there(at(room, "host/file")));
	return 0;
}

static const struct sandbox_case cases[] = {
	{ "an image is written", written, image_is_unchanged, NEEDS_OVERLAY,
	    NULL },
	{ "once more with the same changes", once_more, NULL, NEEDS_OVERLAY,
	    NULL },
	{ "with what programs expect", furnished, host_is_unchanged,
	    NEEDS_OVERLAY, NULL },
	{ "with volumes", with_volumes, state_was_written, NEEDS_OVERLAY,
	    NULL },
	{ "an image of another user", image_of_another,
	    image_of_another_is_unchanged, NEEDS_OVERLAY,
	    make_image_of_another },
	{ "changes over a directory", changes_over_a_directory,
	    directory_is_unchanged, NEEDS_OVERLAY, NULL },
	{ "or a cover without an overlay", changes_cover_a_directory, NULL,
	    NEEDS_FILTER, NULL },
	{ "changes in an overlay are refused", changes_in_an_overlay, NULL,
	    NEEDS_OVERLAY, NULL },
};

int
main(void)
{
	size_t i;

	(void)alarm(60);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (geteuid() == 0)
			sandbox_util_run(&cases[i], 0);
		sandbox_util_run(&cases[i],
		    geteuid() == 0 ? SANDBOX_UTIL_USER : geteuid());
	}
	sys_remove();
	return tap_done();
}
