/*
 * What a process does in a place of its own is its own: nobody else sees it.
 */
#include "core/kube/sandbox/sandbox.h"

#include <sys/mount.h>
#include <sys/stat.h>

#include <sched.h>
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
#define MISSING "/ipubox-sandbox-test"

static bool
is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* Enter with this volume alone, over this host's root. */
static int
enter(const struct sandbox_volume *v)
{
	const struct sandbox_plan plan = { .volumes = v,
		.volume_count = v != NULL ? 1 : 0 };

	return sandbox_util_enter(&plan);
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

/* Also true of a user who may not. */
static bool
enters_in_a_child(const char *room, uid_t user)
{
	const struct sandbox_volume v = { .name = "v",
		.source = room,
		.target = MISSING };
	struct error e;
	const pid_t child = fork();

	if (child == 0)
		_exit(setresuid(user, user, user) == 0 &&
			    (!sandbox_is_possible(&e) || enter(&v) == 0) ?
			0 :
			1);
	return child != -1 && sandbox_util_wait(child);
}

/* As on most hosts: what is mounted in one namespace comes to the others,
   unless that is kept from it. */
static int
where_mounts_are_shared(const char *room)
{
	char *before, *after;

	REQUIRE(unshare(CLONE_NEWNS) == 0);
	REQUIRE(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
	REQUIRE(mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL) == 0);
	before = mounts();
	REQUIRE(enters_in_a_child(room, 0));
	after = mounts();
	REQUIRE(strcmp(before, after) == 0);
	REQUIRE(enters_in_a_child(room, SANDBOX_UTIL_USER));
	free(after);
	after = mounts();
	REQUIRE(strcmp(before, after) == 0);
	free(before);
	free(after);
	return 0;
}

static int
shared_memory(const char *room)
{
	const struct sandbox_volume v = { .name = "shm",
		.kind = SANDBOX_MEMORY,
		.target = "/dev/shm" };

	(void)room;
	REQUIRE(enter(&v) == 0);
	sandbox_util_write("/dev/shm" MISSING, "its own");
	REQUIRE(is_there("/dev/null"));
	return 0;
}

static int
shared_memory_is_unchanged(const char *room)
{
	(void)room;
	return is_there("/dev/shm" MISSING) ? 1 : 0;
}

static int
host_name(const char *room)
{
	const struct sandbox_plan plan = { .hostname = "worker-0" };
	char name[65];

	(void)room;
	REQUIRE(sandbox_util_enter(&plan) == 0);
	REQUIRE(gethostname(name, sizeof(name)) == 0);
	REQUIRE(strcmp(name, "worker-0") == 0);
	return 0;
}

static int
host_name_is_unchanged(const char *room)
{
	char name[65];

	(void)room;
	return gethostname(name, sizeof(name)) == 0 &&
		strcmp(name, "worker-0") != 0 ?
	    0 :
	    1;
}

static int
keeps_its_user(const char *room)
{
	const uid_t uid = geteuid();
	const gid_t gid = getegid();
	struct stat st;

	REQUIRE(enter(NULL) == 0);
	REQUIRE(getuid() == uid && geteuid() == uid && getegid() == gid);
	REQUIRE(stat(room, &st) == 0 && st.st_uid == uid);
	sandbox_util_write(at(room, "file"), "mine");
	return 0;
}

static int
file_is_the_users(const char *room)
{
	struct stat room_st, st;

	return stat(room, &room_st) == 0 && stat(at(room, "file"), &st) == 0 &&
		room_st.st_uid == st.st_uid ?
	    0 :
	    1;
}

static const struct sandbox_case cases[] = {
	{ "where mounts are shared", where_mounts_are_shared, NULL, NEEDS_ROOT,
	    NULL },
	{ "memory at /dev/shm", shared_memory, shared_memory_is_unchanged,
	    NEEDS_MOUNTS, NULL },
	{ "a host name", host_name, host_name_is_unchanged, NEEDS_MOUNTS,
	    NULL },
	{ "its user stays", keeps_its_user, file_is_the_users, NEEDS_MOUNTS,
	    NULL },
};

int
main(void)
{
	size_t i;

	(void)alarm(60);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (geteuid() == 0)
			sandbox_util_run(&cases[i], 0);
		if (geteuid() != 0 || (cases[i].needs & NEEDS_ROOT) == 0)
			sandbox_util_run(&cases[i],
			    geteuid() == 0 ? SANDBOX_UTIL_USER : geteuid());
	}
	sys_remove();
	return tap_done();
}
