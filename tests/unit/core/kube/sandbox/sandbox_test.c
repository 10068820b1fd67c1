/*
 * A process in a place of its own: each case in a child, as root and as a user
 * who needs a user namespace for it.
 */
#include "core/kube/sandbox/sandbox.h"

#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/sandbox/mount_call.h"
#include "tests/unit/sandbox_util.h"
#include "tests/unit/sys_util.h"
#include "tests/unit/tap.h"

#define at sandbox_util_path

/* A path that no machine has. */
#define MISSING_NAME "ipubox-sandbox-test"
#define MISSING "/" MISSING_NAME

static bool
is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static bool
is_same(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	    x.st_ino == y.st_ino;
}

/* 0, or errno. */
static int
try_write(const char *path)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	return fd == -1 ? errno : close(fd);
}

/* A volume of ROOM/source, which has a file in it. */
static struct sandbox_volume
a_volume(const char *room, const char *target)
{
	const char *source = at(room, "source");

	sandbox_util_mkdir(source);
	sandbox_util_write(at(source, "file"), "content");
	return (struct sandbox_volume){ .name = "v",
		.source = source,
		.target = target };
}

/* Enter with these volumes alone, over this host's root. */
static int
enter(const struct sandbox_volume *v, size_t count)
{
	const struct sandbox_plan plan = { .volumes = v,
		.volume_count = count };

	return sandbox_util_enter(&plan);
}

/* The entries of a directory with their numbers, sorted. */
static char *
listing(const char *path)
{
	struct dirent **names;
	struct memstream m;
	struct stat st;
	int i, n;

	n = scandir(path, &names, NULL, alphasort);
	memstream_open(&m);
	for (i = 0; i < n; i++) {
		if (lstat(at(path, names[i]->d_name), &st) != 0)
			st.st_ino = 0;
		fprintf(m.file, "%s %llu\n", names[i]->d_name,
		    S_ISLNK(st.st_mode) || names[i]->d_name[0] == '.' ?
			0 :
			(unsigned long long)st.st_ino);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return memstream_close(&m, NULL);
}

/* ---- over this host's root ---- */

static int
missing_at_the_top(const char *room)
{
	const struct sandbox_volume v = a_volume(room, MISSING "/deep");
	char *before, *after, *line;

	before = listing("/");
	REQUIRE(enter(&v, 1) == 0);
	REQUIRE(sandbox_util_reads(MISSING "/deep/file", "content"));
	sandbox_util_write(MISSING "/deep/written", "by it");
	/* The same as before, each entry as it was, and the new one. */
	after = listing("/");
	REQUIRE((line = strstr(after, MISSING_NAME)) != NULL);
	memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n')));
	REQUIRE(strcmp(before, after) == 0);
	REQUIRE(is_same("/proc/self", "/proc/self") && is_there("/dev/null"));
	free(before);
	free(after);
	return 0;
}

static int
volume_was_written(const char *room)
{
	return sandbox_util_reads(at(room, "source/written"), "by it") &&
		!is_there(MISSING) ?
	    0 :
	    1;
}

static int
missing_in_a_directory(const char *room)
{
	const struct sandbox_volume v = a_volume(room,
	    at(room, "host/new/deep"));
	char link[16] = "";
	struct stat before, now;

	sandbox_util_mkdir(at(room, "host"));
	sandbox_util_mkdir(at(room, "host/directory"));
	sandbox_util_write(at(room, "host/file"), "host's");
	REQUIRE(symlink("file", at(room, "host/link")) == 0);
	REQUIRE(mkfifo(at(room, "host/fifo"), 0600) == 0);
	REQUIRE(chmod(at(room, "host"), 0751) == 0);
	REQUIRE(stat(at(room, "host/file"), &before) == 0);
	REQUIRE(enter(&v, 1) == 0);
	REQUIRE(sandbox_util_reads(at(room, "host/new/deep/file"), "content"));
	/* What was there is there, and is the host's. */
	REQUIRE(stat(at(room, "host/file"), &now) == 0 &&
	    before.st_ino == now.st_ino && before.st_dev == now.st_dev);
	REQUIRE(readlink(at(room, "host/link"), link, sizeof(link)) == 4 &&
	    strcmp(link, "file") == 0);
	REQUIRE(stat(at(room, "host/fifo"), &now) == 0 &&
	    S_ISFIFO(now.st_mode));
	REQUIRE(stat(at(room, "host"), &now) == 0 &&
	    (now.st_mode & 07777) == 0751 && now.st_uid == geteuid());
	sandbox_util_write(at(room, "host/file"), "changed");
	sandbox_util_write(at(room, "host/directory/new"), "new");
	/* What is made beside it is not. */
	sandbox_util_write(at(room, "host/lost"), "lost");
	sandbox_util_write(at(room, "host/new/lost"), "lost");
	return 0;
}

static int
directory_is_unchanged(const char *room)
{
	REQUIRE(sandbox_util_reads(at(room, "host/file"), "changed"));
	REQUIRE(sandbox_util_reads(at(room, "host/directory/new"), "new"));
	REQUIRE(!is_there(at(room, "host/lost")));
	REQUIRE(!is_there(at(room, "host/new")));
	return 0;
}

/* Of whoever runs the test, who may be another one. */
static int
close_a_directory(const char *room)
{
	sandbox_util_mkdir(at(room, "closed"));
	sandbox_util_write(at(room, "closed/own"), "own");
	return chmod(at(room, "closed"), 0700);
}

static int
in_a_closed_directory(const char *room)
{
	struct sandbox_volume v[2];
	const bool is_open = is_there(at(room, "closed/own"));

	v[0] = a_volume(room, at(room, "closed/new/deep"));
	v[1] = v[0];
	v[1].source = at(room, "source/file");
	v[1].target = at(room, "closed/file");
	REQUIRE(enter(v, 2) == 0);
	REQUIRE(sandbox_util_reads(at(room, "closed/new/deep/file"),
	    "content"));
	REQUIRE(sandbox_util_reads(at(room, "closed/file"), "content"));
	REQUIRE(is_there(at(room, "closed/own")) == is_open);
	sandbox_util_write(at(room, "closed/lost"), "lost");
	return 0;
}

static int
closed_is_unchanged(const char *room)
{
	return sandbox_util_reads(at(room, "closed/own"), "own") &&
		!is_there(at(room, "closed/new")) &&
		!is_there(at(room, "closed/file")) &&
		!is_there(at(room, "closed/lost")) ?
	    0 :
	    1;
}

static int
two_in_one_copy(const char *room)
{
	struct sandbox_volume v[3];

	v[0] = a_volume(room, at(room, "host/one"));
	v[1] = v[2] = v[0];
	v[1].target = at(room, "host/two/below");
	v[2].target = at(room, "host/two/beside//./it/");
	sandbox_util_mkdir(at(room, "host"));
	REQUIRE(enter(v, 3) == 0);
	REQUIRE(sandbox_util_reads(at(room, "host/one/file"), "content"));
	REQUIRE(sandbox_util_reads(at(room, "host/two/below/file"), "content"));
	REQUIRE(sandbox_util_reads(at(room, "host/two/beside/it/file"),
	    "content"));
	return 0;
}

static int
through_a_link(const char *room)
{
	const struct sandbox_volume v = a_volume(room, at(room, "link/new"));

	sandbox_util_mkdir(at(room, "host"));
	REQUIRE(symlink("host", at(room, "link")) == 0);
	REQUIRE(enter(&v, 1) == 0);
	REQUIRE(sandbox_util_reads(at(room, "host/new/file"), "content"));
	return 0;
}

static int
files(const char *room)
{
	struct sandbox_volume v[2];

	v[0] = a_volume(room, at(room, "host/app.conf"));
	v[0].source = at(room, "source/file");
	v[1] = v[0];
	v[1].target = at(room, "host/etc/new.conf");
	sandbox_util_mkdir(at(room, "host"));
	sandbox_util_write(at(room, "host/app.conf"), "host's");
	REQUIRE(enter(v, 2) == 0);
	REQUIRE(sandbox_util_reads(at(room, "host/app.conf"), "content"));
	REQUIRE(sandbox_util_reads(at(room, "host/etc/new.conf"), "content"));
	return 0;
}

static int
file_is_unchanged(const char *room)
{
	return sandbox_util_reads(at(room, "host/app.conf"), "host's") &&
		!is_there(at(room, "host/etc")) ?
	    0 :
	    1;
}

/* With another file system mounted in it. */
static int
read_only(const char *room)
{
	struct sandbox_volume v[2];

	v[0] = a_volume(room, at(room, "host"));
	v[0].is_read_only = true;
	sandbox_util_mkdir(at(room, "source/below"));
	sandbox_util_mkdir(at(room, "host"));
	sandbox_util_mkdir(at(room, "inner"));
	v[1] = (struct sandbox_volume){ .name = "outer",
		.kind = SANDBOX_MEMORY,
		.target = at(room, "source/below") };
	REQUIRE(enter(&v[1], 1) == 0);
	sandbox_util_write(at(room, "source/below/file"), "below");
	/* Once more, from in there. */
	REQUIRE(enter(v, 1) == 0);
	REQUIRE(sandbox_util_reads(at(room, "host/file"), "content"));
	REQUIRE(sandbox_util_reads(at(room, "host/below/file"), "below"));
	REQUIRE(try_write(at(room, "host/file")) == EROFS);
	REQUIRE(try_write(at(room, "host/below/file")) == EROFS);
	/* Where it came from it can be written. */
	REQUIRE(try_write(at(room, "source/file")) == 0);
	REQUIRE(try_write(at(room, "source/below/file")) == 0);
	return 0;
}

/* As before Linux 5.12. */
static int
read_only_in_the_old_way(const char *room)
{
	REQUIRE(sandbox_util_refuse(SYS_mount_setattr, ENOSYS) == 0);
	return read_only(room);
}

static int
inside_what_is_read_only(const char *room)
{
	struct sandbox_volume v[2];

	v[0] = a_volume(room, at(room, "host"));
	v[0].is_read_only = true;
	v[1] = (struct sandbox_volume){ .name = "m",
		.kind = SANDBOX_MEMORY,
		.target = at(room, "host/new/deep") };
	sandbox_util_mkdir(at(room, "host"));
	REQUIRE(enter(v, 2) == 0);
	REQUIRE(sandbox_util_reads(at(room, "host/file"), "content"));
	REQUIRE(try_write(at(room, "host/new/deep/file")) == 0);
	REQUIRE(try_write(at(room, "host/new/file")) == EROFS);
	REQUIRE(try_write(at(room, "host/other")) == EROFS);
	REQUIRE(try_write(at(room, "host/file")) == EROFS);
	return 0;
}

static int
inside_in_the_old_way(const char *room)
{
	REQUIRE(sandbox_util_refuse(SYS_mount_setattr, EPERM) == 0);
	return inside_what_is_read_only(room);
}

static int
source_is_unchanged(const char *room)
{
	return is_there(at(room, "source/new")) ? 1 : 0;
}

static int
memory(const char *room)
{
	static const char block[1 << 16];
	const struct sandbox_volume v = { .name = "m",
		.kind = SANDBOX_MEMORY,
		.size_bytes = 1 << 20,
		.target = at(room, "memory") };
	struct stat st;
	struct statvfs fs;
	ssize_t n;
	size_t written = 0;
	int fd;

	REQUIRE(enter(&v, 1) == 0);
	REQUIRE(stat(v.target, &st) == 0 && (st.st_mode & 07777) == 0777);
	REQUIRE(statvfs(v.target, &fs) == 0 &&
	    fs.f_blocks * fs.f_frsize == 1 << 20);
	fd = open(at(v.target, "file"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	REQUIRE(fd != -1);
	while ((n = write(fd, block, sizeof(block))) > 0)
		written += (size_t)n;
	REQUIRE(errno == ENOSPC);
	REQUIRE(written == 1 << 20);
	return 0;
}

/* The inner one comes first in the list. */
static int
nested(const char *room)
{
	struct sandbox_volume v[2];

	v[1] = a_volume(room, at(room, "host"));
	v[0] = (struct sandbox_volume){ .name = "inner",
		.kind = SANDBOX_MEMORY,
		.target = at(room, "host/inner/most") };
	sandbox_util_mkdir(at(room, "host"));
	REQUIRE(enter(v, 2) == 0);
	sandbox_util_write(at(room, "host/inner/most/lost"), "lost");
	sandbox_util_write(at(room, "host/inner/stays"), "stays");
	sandbox_util_write(at(room, "host/beside"), "stays");
	return 0;
}

/* What is written beside the inner one is in the outer one, not in a copy. */
static int
outer_was_written(const char *room)
{
	REQUIRE(sandbox_util_reads(at(room, "source/beside"), "stays"));
	REQUIRE(sandbox_util_reads(at(room, "source/inner/stays"), "stays"));
	REQUIRE(!is_there(at(room, "source/inner/most/lost")));
	return 0;
}

/*
 * Memory in place of a directory with files that others renew: they are at
 * another path, and both see what the other puts there.
 */
static int
kept_under_another_path(const char *room)
{
	const char *own = at(room, "own");
	const struct sandbox_volume
	    v = { .name = "shm",
		    .kind = SANDBOX_MEMORY,
		    .target = at(room, "shm") },
	    kept[] = {
		    { .name = "registry",
			.source = v.target,
			.target = at(room, "own/shm") },
		    { .name = "state", .source = at(room, "shm/state") },
	    };
	const struct sandbox_plan plan = { .directory = own,
		.volumes = &v,
		.volume_count = 1,
		.kept = kept,
		.kept_count = 2 };
	struct stat before, now;

	sandbox_util_mkdir(own);
	sandbox_util_mkdir(v.target);
	sandbox_util_mkdir(at(room, "shm/state"));
	sandbox_util_mkdir(at(room, "own/shm"));
	sandbox_util_write(at(room, "shm/registry"), "old");
	sandbox_util_write(at(room, "shm/state/file"), "kept");
	REQUIRE(stat(at(room, "shm/registry"), &before) == 0);
	REQUIRE(sandbox_util_enter(&plan) == 0);
	REQUIRE(!is_there(at(room, "shm/registry")));
	REQUIRE(sandbox_util_reads(at(room, "shm/state/file"), "kept"));
	REQUIRE(stat(at(room, "own/shm/registry"), &now) == 0 &&
	    before.st_ino == now.st_ino);
	sandbox_util_write(at(room, "own/shm/new"), "new");
	REQUIRE(rename(at(room, "own/shm/new"), at(room, "own/shm/registry")) ==
	    0);
	sandbox_util_write(at(room, "shm/private"), "its own");
	return 0;
}

static int
kept_was_renewed(const char *room)
{
	return sandbox_util_reads(at(room, "shm/registry"), "new") &&
		!is_there(at(room, "shm/private")) &&
		!is_there(at(room, "own/shm/registry")) ?
	    0 :
	    1;
}

/* Where it works; descriptors and the umask stay. */
static int
working(const char *room)
{
	const struct sandbox_volume v = a_volume(room, at(room, "host/new"));
	struct sandbox_plan plan = { .volumes = &v,
		.volume_count = 1,
		.working = at(room, "host/new/made/there") };
	char path[PATH_MAX];
	int fd;

	sandbox_util_mkdir(at(room, "host"));
	sandbox_util_write(at(room, "open"), "open");
	REQUIRE((fd = open(at(room, "open"), O_RDONLY)) != -1);
	REQUIRE(chdir(at(room, "host")) == 0);
	(void)umask(077);
	REQUIRE(sandbox_util_enter(&plan) == 0);
	REQUIRE(getcwd(path, sizeof(path)) != NULL);
	REQUIRE(strcmp(path, plan.working) == 0);
	REQUIRE(read(fd, path, 4) == 4 && umask(022) == 077);
	/* The same path as before, where another directory may be now. */
	plan.working = NULL;
	REQUIRE(chdir(at(room, "host")) == 0);
	REQUIRE(sandbox_util_enter(&plan) == 0);
	REQUIRE(is_there("new/file"));
	return 0;
}

static int
working_was_made(const char *room)
{
	return is_there(at(room, "source/made/there")) ? 0 : 1;
}

/* All mounts of this process. */
static char *
mounts(void)
{
	struct memstream m;
	struct mountinfo all;
	const char *path;

	memstream_open(&m);
	if (mountinfo_open(&all, 0) == 0) {
		while ((path = mountinfo_next(&all)) != NULL)
			fprintf(m.file, "%s\n", path);
		mountinfo_close(&all);
	}
	return memstream_close(&m, NULL);
}

static const struct sandbox_case cases[] = {
	{ "a path that is missing at the top", missing_at_the_top,
	    volume_was_written, NEEDS_MOUNTS, NULL },
	{ "a path that is missing in a directory", missing_in_a_directory,
	    directory_is_unchanged, NEEDS_MOUNTS, NULL },
	{ "in a directory that is closed to the user", in_a_closed_directory,
	    closed_is_unchanged, NEEDS_MOUNTS, close_a_directory },
	{ "two in one directory", two_in_one_copy, NULL, NEEDS_MOUNTS, NULL },
	{ "through a symbolic link", through_a_link, NULL, NEEDS_MOUNTS, NULL },
	{ "files", files, file_is_unchanged, NEEDS_MOUNTS, NULL },
	{ "read-only", read_only, NULL, NEEDS_MOUNTS, NULL },
	{ "read-only, before Linux 5.12", read_only_in_the_old_way, NULL,
	    NEEDS_FILTER, NULL },
	{ "inside what is read-only", inside_what_is_read_only,
	    source_is_unchanged, NEEDS_MOUNTS, NULL },
	{ "the same before Linux 5.12", inside_in_the_old_way,
	    source_is_unchanged, NEEDS_FILTER, NULL },
	{ "memory, as much as was said", memory, NULL, NEEDS_MOUNTS, NULL },
	{ "one in another", nested, outer_was_written, NEEDS_MOUNTS, NULL },
	{ "kept under another path", kept_under_another_path, kept_was_renewed,
	    NEEDS_MOUNTS, NULL },
	{ "a working directory", working, working_was_made, NEEDS_MOUNTS,
	    NULL },
};

int
main(void)
{
	char *root, *mounted, *now;
	size_t i;

	(void)alarm(60);
	/* What others mount in the meantime does not count. */
	if (unshare(CLONE_NEWNS) == 0)
		(void)mount_call_make_private();
	root = listing("/");
	mounted = mounts();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (geteuid() == 0)
			sandbox_util_run(&cases[i], 0);
		if (geteuid() != 0 || (cases[i].needs & NEEDS_ROOT) == 0)
			sandbox_util_run(&cases[i],
			    geteuid() == 0 ? SANDBOX_UTIL_USER : geteuid());
	}
	now = listing("/");
	is_str(now, root, "this host's root is as it was");
	free(now);
	now = mounts();
	ok(mounted[0] == '/', "it has mounts");
	is_str(now, mounted, "and they are as they were");
	free(now);
	free(root);
	free(mounted);
	sys_remove();
	return tap_done();
}
