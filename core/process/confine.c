/*
 * Landlock and seccomp by their system calls.  The C library has no headers for
 * them, and the kernel headers of the build are older than the kernel at run
 * time, so the needed definitions are here.
 */
#include "core/process/process.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/alloc.h"

/* Calls that this C library may lack; the numbers are the same on all
   machines. */
enum { CALL_QUOTACTL_FD = 443, CALL_MEMFD_SECRET = 447 };

/* ---- files and signals: linux/landlock.h ---- */

/* Rights to files, as bits. */
enum landlock_right {
	RIGHT_WRITE_FILE = 1 << 1,
	RIGHT_READ_FILE = 1 << 2,
	RIGHT_READ_DIR = 1 << 3,
	RIGHT_REMOVE_DIR = 1 << 4,
	RIGHT_REMOVE_FILE = 1 << 5,
	RIGHT_MAKE_DIR = 1 << 7,
	RIGHT_MAKE_REG = 1 << 8,
	RIGHT_REFER = 1 << 13, /* a name in another directory */
	RIGHT_TRUNCATE = 1 << 14
};

enum {
	RIGHTS_READ = RIGHT_READ_FILE | RIGHT_READ_DIR,
	RIGHTS_WRITE = RIGHTS_READ | RIGHT_WRITE_FILE | RIGHT_REMOVE_DIR |
	    RIGHT_REMOVE_FILE | RIGHT_MAKE_DIR | RIGHT_MAKE_REG | RIGHT_REFER |
	    RIGHT_TRUNCATE,
	/* The rights to a file that is not a directory. */
	RIGHTS_FILE = RIGHT_READ_FILE | RIGHT_WRITE_FILE | RIGHT_TRUNCATE
};

/* Everything in it is refused unless a rule allows it; older kernels accept its
   shorter form. */
struct landlock_ruleset {
	uint64_t files, ports, scopes;
};

struct landlock_place {
	uint64_t rights;
	int32_t fd;
} __attribute__((packed));

/* The rights of each version: all rights to files, all to ports, and scopes. */
static const struct landlock_version {
	int version;
	struct landlock_ruleset refused;
} landlock_versions[] = {
	{ 1, { (1 << 13) - 1, 0, 0 } }, { 2, { (1 << 14) - 1, 0, 0 } },
	{ 3, { (1 << 15) - 1, 0, 0 } },
	{ 4, { (1 << 15) - 1, 3, 0 } }, /* TCP: bind, connect */
	{ 5, { (1 << 16) - 1, 3, 0 } }, /* ioctl(2) of devices */
	{ 6, { (1 << 16) - 1, 3, 2 } }, /* signals */
};

enum { LANDLOCK_ASK_VERSION = 1, LANDLOCK_PATH_BENEATH = 1 };

/* A place that cannot be opened cannot be used by the process either. */
static void
landlock_add(int ruleset, const struct confine_place *p, uint64_t known)
{
	struct landlock_place rule = { .rights = known &
		    (uint64_t)(p->is_written ? RIGHTS_WRITE : RIGHTS_READ) };
	struct stat st;

	if (p->path == NULL ||
	    (rule.fd = open(p->path, O_PATH | O_CLOEXEC)) == -1)
		return;
	if (fstat(rule.fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.rights &= RIGHTS_FILE;
	(void)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_PATH_BENEATH,
	    &rule, 0);
	(void)close(rule.fd);
}

/* Allow only these places.  Returns the version that is in force; 0: none. */
static int
landlock_apply(const struct confine_place *places, size_t count)
{
	const struct landlock_version *v = landlock_versions;
	long version;
	size_t i;
	int ruleset, status;

	version = syscall(SYS_landlock_create_ruleset, NULL, 0,
	    LANDLOCK_ASK_VERSION);
	if (version < 1)
		return 0;
	for (i = 0; i < ARRAY_SIZE(landlock_versions); i++)
		if (landlock_versions[i].version <= version)
			v = &landlock_versions[i];
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &v->refused,
	    v->version < 4     ? sizeof(uint64_t) :
		v->version < 6 ? 2 * sizeof(uint64_t) :
				 sizeof(v->refused),
	    0);
	if (ruleset == -1)
		return 0;
	for (i = 0; i < count; i++)
		landlock_add(ruleset, &places[i], v->refused.files);
	status = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
	(void)close(ruleset);
	return status == 0 ? v->version : 0;
}

/* ---- calls: linux/seccomp.h, linux/filter.h, linux/audit.h ---- */

struct filter_step {
	uint16_t code;
	uint8_t yes, no; /* steps to skip */
	uint32_t value;
};

struct filter_program {
	unsigned short length;
	struct filter_step *steps;
};

enum filter_code {
	FILTER_LOAD = 0x20, /* loads a word of struct seccomp_data */
	FILTER_EQUALS = 0x15,
	FILTER_ABOVE = 0x25,
	FILTER_HAS = 0x45, /* tests for any of these bits */
	FILTER_RETURN = 0x06
};

enum {
	FILTER_CALL = 0, /* offset of the call's number */
	FILTER_MACHINE = 4,
	FILTER_ARGUMENTS = 16, /* 8 bytes each, the low word first */
	FILTER_ALLOW = 0x7fff0000,
	FILTER_REFUSE = 0x00050000, /* with this errno */
	FILTER_STEPS_MAX = 512,
	SECCOMP_FILTER_MODE = 1, /* of seccomp(2) */
	X32_CALL = 0x40000000	 /* the third kind of calls of x86 */
};

#if defined(__x86_64__)
#define FILTER_THIS_MACHINE 0xc000003eU
#elif defined(__aarch64__)
#define FILTER_THIS_MACHINE 0xc00000b7U
#else
#define FILTER_THIS_MACHINE 0U /* no filter */
#endif

enum {
	NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
	    CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
};

/* Calls that this process never makes: */
static const int filter_calls[] = {
	/* executing programs and foreign code, */
	SYS_execve, SYS_execveat, SYS_personality, CALL_MEMFD_SECRET,
	/* access to other processes, */
	SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
	SYS_process_madvise, SYS_pidfd_getfd, SYS_kcmp, SYS_perf_event_open,
	SYS_move_pages, SYS_migrate_pages,
	/* another view of the system, */
	SYS_unshare, SYS_setns, SYS_chroot, SYS_pivot_root, SYS_mount,
	SYS_umount2, SYS_mount_setattr, SYS_move_mount, SYS_open_tree,
	SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
	SYS_open_by_handle_at, SYS_name_to_handle_at,
	/* the system itself, */
	SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
	SYS_kexec_file_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct,
	SYS_quotactl, CALL_QUOTACTL_FD, SYS_settimeofday, SYS_clock_settime,
	SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname,
	SYS_syslog, SYS_vhangup,
#if defined(__x86_64__)
	SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
	/* unused parts of the kernel with many past faults. */
	SYS_bpf, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter,
	SYS_io_uring_register, SYS_add_key, SYS_keyctl, SYS_request_key
};

/* Arguments that it never uses in other calls: code, namespaces, kernel
   sockets, and input for the terminal that it was started from. */
static const struct filter_rule {
	int call;
	enum filter_code test;
	int argument;
	uint32_t value;
} filter_rules[] = {
	{ SYS_mmap, FILTER_HAS, 2, PROT_EXEC },
	{ SYS_mprotect, FILTER_HAS, 2, PROT_EXEC },
	{ SYS_pkey_mprotect, FILTER_HAS, 2, PROT_EXEC },
	{ SYS_clone, FILTER_HAS, 0, NAMESPACES },
	{ SYS_socket, FILTER_ABOVE, 0, AF_INET6 },
	{ SYS_ioctl, FILTER_EQUALS, 1, TIOCSTI },
	{ SYS_ioctl, FILTER_EQUALS, 1, TIOCLINUX },
};

static void
filter_put(struct filter_program *p, enum filter_code code, int yes, int no,
    uint32_t value)
{
	p->steps[p->length++] = (struct filter_step){ .code = (uint16_t)code,
		.yes = (uint8_t)yes,
		.no = (uint8_t)no,
		.value = value };
}

static void
filter_refuse(struct filter_program *p, int number)
{
	filter_put(p, FILTER_RETURN, 0, 0, FILTER_REFUSE | (uint32_t)number);
}

/* Refuse a call; its number was loaded before. */
static void
filter_put_call(struct filter_program *p, int call, int number)
{
	filter_put(p, FILTER_EQUALS, 0, 1, (uint32_t)call);
	filter_refuse(p, number);
}

/* Refuse a call with that argument; then load the number again. */
static void
filter_put_rule(struct filter_program *p, const struct filter_rule *r)
{
	filter_put(p, FILTER_EQUALS, 0, 4, (uint32_t)r->call);
	filter_put(p, FILTER_LOAD, 0, 0,
	    (uint32_t)(FILTER_ARGUMENTS + 8 * r->argument));
	filter_put(p, r->test, 0, 1, r->value);
	filter_refuse(p, EPERM);
	filter_put(p, FILTER_LOAD, 0, 0, FILTER_CALL);
}

static bool
filter_apply(void)
{
	struct filter_step steps[FILTER_STEPS_MAX];
	struct filter_program p = { .length = 0, .steps = steps };
	size_t i;

	_Static_assert(2 * ARRAY_SIZE(filter_calls) +
		    5 * ARRAY_SIZE(filter_rules) + 16 <
		FILTER_STEPS_MAX,
	    "all of them have room");
	/* Calls for another machine have other numbers. */
	filter_put(&p, FILTER_LOAD, 0, 0, FILTER_MACHINE);
	filter_put(&p, FILTER_EQUALS, 1, 0, FILTER_THIS_MACHINE);
	filter_refuse(&p, EPERM);
	filter_put(&p, FILTER_LOAD, 0, 0, FILTER_CALL);
	filter_put(&p, FILTER_ABOVE, 0, 1, X32_CALL - 1);
	filter_refuse(&p, EPERM);
	/* Its flags are in memory, which filters cannot see; C libraries fall
	   back to clone(2). */
	filter_put_call(&p, SYS_clone3, ENOSYS);
	for (i = 0; i < ARRAY_SIZE(filter_calls); i++)
		filter_put_call(&p, filter_calls[i], EPERM);
	for (i = 0; i < ARRAY_SIZE(filter_rules); i++)
		filter_put_rule(&p, &filter_rules[i]);
	filter_put(&p, FILTER_RETURN, 0, 0, FILTER_ALLOW);
	return FILTER_THIS_MACHINE != 0 &&
	    syscall(SYS_seccomp, SECCOMP_FILTER_MODE, 0, &p) == 0;
}

/* ---- both ---- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CONFINE_WHOLLY = false };
#else
enum { CONFINE_WHOLLY = true };
#endif

void
confine_apply(const struct confine_place *places, size_t count,
    struct confinement *out)
{
	*out = (struct confinement){ .landlock = 0 };
	/* The kernel requires it for the other two. */
	out->no_new_privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
	if (!out->no_new_privileges || !CONFINE_WHOLLY)
		return;
	out->landlock = landlock_apply(places, count);
	out->seccomp = filter_apply();
}

void
confine_describe(const struct confinement *c, char text[CONFINE_TEXT_SIZE])
{
	char landlock[24] = "";

	if (c->landlock != 0)
		(void)snprintf(landlock, sizeof(landlock), ", Landlock %d",
		    c->landlock);
	(void)snprintf(text, CONFINE_TEXT_SIZE, "%s%s%s",
	    c->no_new_privileges ? "no new privileges" : "nothing", landlock,
	    c->seccomp ? ", seccomp" : "");
}
