/*
 * What a system says where a process gets no mounts of its own: the words for
 * each reason, reasons that can be had here, and plans that are wrong.
 */

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/kube/sandbox/mount_call.h"
#include "core/kube/sandbox/sandbox.h"
#include "tests/unit/sandbox_util.h"
#include "tests/unit/sys_util.h"
#include "tests/unit/tap.h"

#define at sandbox_util_path
#define CANNOT "a process cannot have its own mounts here: "

/* ---- the words ---- */

static const struct row {
	struct sandbox_refusal r;
	enum error_code code;
	const char *text; /* behind CANNOT */
} rows[] = {
	{ { "unshare(2)", EPERM, true, 0, -1, 9, 9, false, false },
	    ERROR_DENIED,
	    "only root can, because kernel.unprivileged_userns_clone is 0; run "
	    "'sysctl kernel.unprivileged_userns_clone=1' as root to allow it" },
	{ { "writing /proc/self/uid_map", EPERM, true, 1, 1, 9, 9, true,
	      false },
	    ERROR_DENIED,
	    "AppArmor refuses it, because "
	    "kernel.apparmor_restrict_unprivileged_userns is 1; give this "
	    "program a profile with the rule 'userns,', or run 'sysctl "
	    "kernel.apparmor_restrict_unprivileged_userns=0' as root" },
	{ { "mount(2)", EACCES, true, -1, 1, 9, 9, false, false }, ERROR_DENIED,
	    "AppArmor refuses it, because "
	    "kernel.apparmor_restrict_unprivileged_userns is 1; give this "
	    "program a profile with the rule 'userns,', or run 'sysctl "
	    "kernel.apparmor_restrict_unprivileged_userns=0' as root" },
	{ { "unshare(2)", EPERM, true, -1, 0, 9, 9, false, true }, ERROR_DENIED,
	    "this process was started in a chroot(8) that is not a mount "
	    "point; make it one with 'mount --bind DIRECTORY DIRECTORY'" },
	{ { "mount(2)", EINVAL, false, -1, -1, 9, 9, false, true },
	    ERROR_DENIED,
	    "this process was started in a chroot(8) that is not a mount "
	    "point; make it one with 'mount --bind DIRECTORY DIRECTORY'" },
	{ { "unshare(2)", EPERM, true, 1, 0, 9, 9, true, false }, ERROR_DENIED,
	    "a seccomp filter, such as that of a container, refuses "
	    "unshare(2); start the container with --privileged, or with "
	    "--security-opt seccomp=unconfined" },
	/* The settings for users are not why root may not. */
	{ { "mount(2)", EACCES, false, 0, 1, 0, 9, false, false }, ERROR_DENIED,
	    "the system refuses mount(2) (a security module, such as AppArmor "
	    "or SELinux); run ipubox as root, or in a container that is "
	    "started with --privileged" },
	{ { "unshare(2)", EPERM, true, -1, -1, -1, -1, false, false },
	    ERROR_DENIED,
	    "the system refuses unshare(2); run ipubox as root, or in a "
	    "container that is started with --privileged" },
	{ { "unshare(2)", ENOSPC, true, -1, -1, 0, 9, false, false },
	    ERROR_DENIED,
	    "user.max_user_namespaces is 0; run 'sysctl "
	    "user.max_user_namespaces=10000' as root to allow it" },
	{ { "unshare(2)", EUSERS, true, -1, -1, 50, 9, false, false },
	    ERROR_DENIED,
	    "too many namespaces exist; end some of their processes, or raise "
	    "user.max_user_namespaces and user.max_mnt_namespaces (50 and 9) "
	    "with sysctl(8)" },
	{ { "open_tree(2)", ENOSYS, false, -1, -1, 9, 9, false, false },
	    ERROR_UNSUPPORTED,
	    "this kernel, or the container around it, lacks open_tree(2); use "
	    "Linux 5.10 or later" },
	{ { "unshare(2)", EINVAL, true, -1, -1, -1, -1, false, false },
	    ERROR_UNSUPPORTED,
	    "this kernel was built without user namespaces; run ipubox as "
	    "root" },
	{ { "pivot_root(2)", EINVAL, false, -1, -1, 9, 9, false, false },
	    ERROR_INVALID, "pivot_root(2): Invalid argument" },
};

static void
test_words(void)
{
	struct error e;
	char wanted[1024];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		is_int(sandbox_refusal_explain(&rows[i].r, &e), -1, "refused");
		(void)snprintf(wanted, sizeof(wanted), CANNOT "%s",
		    rows[i].text);
		is_str(e.text, wanted, rows[i].text);
		is_int(e.code, rows[i].code, "with its code");
	}
}

/* ---- reasons that can be had here ---- */

static int
by_a_filter(const char *room)
{
	struct error e = { .text = "" };

	(void)room;
	REQUIRE(sandbox_is_possible(&e) && e.text[0] == '\0');
	REQUIRE(sandbox_util_refuse(SYS_unshare, EPERM) == 0);
	REQUIRE(!sandbox_is_possible(&e));
	REQUIRE(strcmp(e.text,
		    CANNOT
		    "a seccomp filter, such as that of a container, refuses "
		    "unshare(2); start the container with --privileged, or "
		    "with --security-opt seccomp=unconfined") == 0);
	/* To enter meets the same. */
	REQUIRE(sandbox_enter(&(struct sandbox_plan){ .root = NULL }, &e) ==
	    -1);
	REQUIRE(e.code == ERROR_DENIED &&
	    strncmp(e.text, CANNOT "a seccomp filter",
		strlen(CANNOT "a seccomp filter")) == 0);
	return 0;
}

static int
by_an_old_kernel(const char *room)
{
	struct error e;

	(void)room;
	REQUIRE(sandbox_util_refuse(SYS_fsopen, ENOSYS) == 0);
	REQUIRE(!sandbox_is_possible(&e));
	REQUIRE(e.code == ERROR_UNSUPPORTED);
	return 0;
}

/* In a directory that is no mount, with a /proc. */
static int
by_a_chroot(const char *room)
{
	struct error e;

	sandbox_util_mkdir(at(room, "root"));
	sandbox_util_mkdir(at(room, "root/proc"));
	REQUIRE(unshare(CLONE_NEWNS) == 0 && mount_call_make_private() == 0);
	REQUIRE(mount("/proc", at(room, "root/proc"), NULL, MS_BIND | MS_REC,
		    NULL) == 0);
	REQUIRE(chroot(at(room, "root")) == 0 && chdir("/") == 0);
	REQUIRE(!sandbox_is_possible(&e));
	REQUIRE(strncmp(e.text, CANNOT "this process was started in a chroot",
		    strlen(CANNOT "this process was started in a chroot")) ==
	    0);
	return 0;
}

/* ---- plans that are wrong ---- */

static const struct wrong {
	const char *source; /* NULL: memory */
	const char *target;
	const char *text;
	enum error_code code;
} wrongs[] = {
	{ "source", "/", "volume v: a volume cannot be mounted at /",
	    ERROR_INVALID },
	{ NULL, "/././/", "volume v: a volume cannot be mounted at /",
	    ERROR_INVALID },
	{ "source", "/data/../etc",
	    "volume v: /data/../etc: must not contain '..'", ERROR_INVALID },
	{ "source", "data",
	    "volume v: 'data' is not an absolute path in the container",
	    ERROR_INVALID },
	{ NULL, NULL, "volume v: '' is not an absolute path in the container",
	    ERROR_INVALID },
	{ "gone", "/data",
	    "volume v: gone does not exist on this host; make it, or use "
	    "another path",
	    ERROR_NOT_FOUND },
	{ "link", "/data",
	    "volume v: link has become a symbolic link; remove it",
	    ERROR_UNSAFE },
	{ "link/file", "/data",
	    "volume v: link is a symbolic link, but must be a directory; "
	    "remove it",
	    ERROR_UNSAFE },
	{ "source", "/etc/passwd",
	    "volume v: /etc/passwd is a file in the container, and a directory "
	    "cannot be mounted over it",
	    ERROR_INVALID },
	{ "source", "/etc/passwd/new",
	    "volume v: /etc/passwd/new: Not a directory", ERROR_FAILED },
	{ "source/file", "/dev",
	    "volume v: /dev is a directory in the container, and a file cannot "
	    "be mounted over it",
	    ERROR_INVALID },
	{ "source", "/proc/ipubox/new",
	    "volume v: cannot add a mount point to /proc, which belongs to the "
	    "kernel",
	    ERROR_INVALID },
};

static const struct wrong *wrong; /* the one that is tried */

static int
try_wrong(const char *room)
{
	const struct sandbox_volume v = { .kind = wrong->source == NULL ?
		    SANDBOX_MEMORY :
		    SANDBOX_DIRECTORY,
		.name = "v",
		.source = wrong->source,
		.target = wrong->target };
	const struct sandbox_plan plan = { .volumes = &v, .volume_count = 1 };
	struct error e = { .text = "" };
	int status;

	REQUIRE(chdir(room) == 0);
	sandbox_util_mkdir("source");
	sandbox_util_write("source/file", "content");
	REQUIRE(symlink("source", "link") == 0);
	status = sandbox_enter(&plan, &e);
	REQUIRE(status == -1);
	errno = 0;
	if (strcmp(e.text, wrong->text) != 0)
		return sandbox_util_fail(__LINE__, e.text);
	return wrong->code == ERROR_FAILED || e.code == wrong->code ? 0 : 1;
}

static int
two_at_one_path(const char *room)
{
	const struct sandbox_volume v[] = {
		{ .kind = SANDBOX_MEMORY, .name = "a", .target = "/data/x" },
		{ .kind = SANDBOX_MEMORY, .name = "b", .target = "/data//x/" },
	};
	const struct sandbox_plan plan = { .volumes = v, .volume_count = 2 };
	struct error e;

	(void)room;
	REQUIRE(sandbox_enter(&plan, &e) == -1);
	REQUIRE(strcmp(e.text,
		    "volumes a and b have the same path in the container, "
		    "/data/x") == 0 ||
	    strcmp(e.text,
		"volumes b and a have the same path in the container, "
		"/data/x") == 0);
	return 0;
}

/* The directory of a pod has one name, and nothing mounted at it. */
static int
wrong_directory(const char *room)
{
	struct sandbox_plan plan = { .directory = at(room, "link") };
	struct error e;

	sandbox_util_mkdir(at(room, "own"));
	REQUIRE(symlink("own", at(room, "link")) == 0);
	REQUIRE(sandbox_enter(&plan, &e) == -1 && e.code == ERROR_INVALID);
	REQUIRE(strstr(e.text, "/link of the pod: use its real path, /") !=
	    NULL);
	REQUIRE(strcmp(e.text + strlen(e.text) - 4, "/own") == 0);
	plan.directory = at(room, "none");
	REQUIRE(sandbox_enter(&plan, &e) == -1 && e.code == ERROR_NOT_FOUND);
	plan.directory = "/proc";
	REQUIRE(sandbox_enter(&plan, &e) == -1 && e.code == ERROR_INVALID);
	REQUIRE(strcmp(e.text,
		    "/proc is a mount point of all processes, so it cannot "
		    "identify those of the pod; use a directory below it") ==
	    0);
	return 0;
}

static int
wrong_working(const char *room)
{
	struct sandbox_plan plan = { .working = at(room, "none/below") };
	struct error e;

	REQUIRE(sandbox_enter(&plan, &e) == -1 && e.code == ERROR_NOT_FOUND);
	REQUIRE(strncmp(e.text, "working directory: /", 20) == 0);
	REQUIRE(strstr(e.text,
		    "/none/below does not exist on this host; make it, or use "
		    "a directory in a writable volume") != NULL);
	REQUIRE(access(at(room, "none"), F_OK) != 0);
	plan.working = "relative";
	REQUIRE(sandbox_enter(&plan, &e) == -1 && e.code == ERROR_INVALID);
	plan.working = "/etc/passwd";
	REQUIRE(sandbox_enter(&plan, &e) == -1 && e.code == ERROR_INVALID);
	return 0;
}

static int
wrong_name(const char *room)
{
	char name[] =
	    "01234567890123456789012345678901234567890123456789012345678901234";
	struct sandbox_plan plan = { .hostname = name };
	struct error e;

	(void)room;
	REQUIRE(strlen(name) == 65 && sandbox_enter(&plan, &e) == -1);
	REQUIRE(strstr(e.text, ": must have 1 to 64 characters") != NULL);
	plan.hostname = "";
	REQUIRE(sandbox_enter(&plan, &e) == -1 && e.code == ERROR_INVALID);
	name[64] = '\0';
	plan.hostname = name;
	REQUIRE(sandbox_enter(&plan, &e) == 0);
	return 0;
}

static int
wrong_root(const char *room)
{
	struct sandbox_plan plan = { .root = at(room, "none") };
	struct error e;

	REQUIRE(sandbox_enter(&plan, &e) == -1 && e.code == ERROR_INVALID);
	REQUIRE(strcmp(e.text,
		    "an image's root needs a directory for the sandbox's "
		    "changes") == 0);
	plan.upper = room;
	REQUIRE(sandbox_enter(&plan, &e) == -1 && e.code == ERROR_NOT_FOUND);
	REQUIRE(strncmp(e.text, "cannot open the image's root /", 30) == 0);
	return 0;
}

static const struct sandbox_case cases[] = {
	{ "refused by a filter", by_a_filter, NULL, NEEDS_FILTER, NULL },
	{ "refused by an old kernel", by_an_old_kernel, NULL, NEEDS_FILTER,
	    NULL },
	{ "refused in a chroot", by_a_chroot, NULL, NEEDS_ROOT, NULL },
	{ "two volumes at one path", two_at_one_path, NULL, NEEDS_MOUNTS,
	    NULL },
	{ "a directory with two names", wrong_directory, NULL, NEEDS_MOUNTS,
	    NULL },
	{ "a working directory that is not there", wrong_working, NULL,
	    NEEDS_MOUNTS, NULL },
	{ "a host name that is too long", wrong_name, NULL, NEEDS_MOUNTS,
	    NULL },
	{ "an image that is not there", wrong_root, NULL, NEEDS_MOUNTS, NULL },
};

int
main(void)
{
	const uid_t user = geteuid() == 0 ? SANDBOX_UTIL_USER : geteuid();
	struct sandbox_case c;
	size_t i;

	(void)alarm(60);
	test_words();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (geteuid() == 0)
			sandbox_util_run(&cases[i], 0);
		if ((cases[i].needs & NEEDS_ROOT) == 0)
			sandbox_util_run(&cases[i], user);
	}
	for (i = 0; i < ARRAY_SIZE(wrongs); i++) {
		wrong = &wrongs[i];
		c = (struct sandbox_case){ .name = wrong->text,
			.act = try_wrong };
		sandbox_util_run(&c, user);
	}
	sys_remove();
	return tap_done();
}
