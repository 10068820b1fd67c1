/*
 * What is acknowledged is on the disk: calls that write, flush and rename are
 * seen by the linker's --wrap (see the Makefile) and kept in a model of what a
 * power cut would lose.  A file is renamed only when it was flushed, pod.ini
 * only when everything else was, and when a change is acknowledged nothing is
 * left to flush.
 */
#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/control/controller.h"
#include "core/control/ipuof.h"
#include "core/control/ticket.h"
#include "core/pod/embedded.h"
#include "core/state/users.h"
#include "ipu/nn/checkpoint.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { ITEMS_MAX = 4096, STEPS_SIZE = 1024, PATH_SIZE = 512 };

/* A file or a directory below the root; dirty: a power cut would lose it. */
struct item {
	dev_t	dev;
	ino_t	ino;
	bool	dirty;
	char	path[PATH_SIZE];
};

static char		root[PATH_SIZE];	/* "": nothing is watched */
static struct item	items[ITEMS_MAX];
static int		item_count;
static char		fault[PATH_SIZE + 64];	/* the first one */
static char		steps[STEPS_SIZE];	/* "create a,write a,..." */
static int		syncs, file_system_syncs;

int	__real_open(const char *, int, ...);
int	__wrap_open(const char *, int, ...);
int	__real_mkostemps(char *, int, int);
int	__wrap_mkostemps(char *, int, int);
ssize_t	__real_write(int, const void *, size_t);
ssize_t	__wrap_write(int, const void *, size_t);
int	__real_fsync(int);
int	__wrap_fsync(int);
int	__real_fdatasync(int);
int	__wrap_fdatasync(int);
int	__real_syncfs(int);
int	__wrap_syncfs(int);
int	__real_rename(const char *, const char *);
int	__wrap_rename(const char *, const char *);
int	__real_unlink(const char *);
int	__wrap_unlink(const char *);
int	__real_unlinkat(int, const char *, int);
int	__wrap_unlinkat(int, const char *, int);
int	__real_mkdir(const char *, mode_t);
int	__wrap_mkdir(const char *, mode_t);
int	__real_rmdir(const char *);
int	__wrap_rmdir(const char *);

/* The registry is memory: what it says is made again from the files. */
static bool
is_watched(const char *path)
{
	const size_t	len = strlen(root);

	return len > 0 && strncmp(path, root, len) == 0 &&
	    (path[len] == '/' || path[len] == '\0') &&
	    strstr(path, ".registry") == NULL;
}

/*
 * Names that may come back or be missing after a power cut: those of temporary
 * files and directories, the lock, and the tickets, which count only while
 * their holders live.
 */
static bool
is_passing(const char *path)
{
	const char	*name = base_name(path);

	return name[0] == '.' || strcmp(name, "new") == 0 ||
	    strcmp(name, "lock") == 0 || strstr(path, "/waiting/") != NULL;
}

/* "create .a.ini.*.tmp": below the root, without what is random. */
static void
note(const char *what, const char *path)
{
	const char	*name = path + strlen(root) +
			    (path[strlen(root)] == '/');
	size_t		 len = strlen(name);
	char		 text[PATH_SIZE + 32];

	if (len > 11 && base_name(name)[0] == '.' &&
	    strcmp(name + len - 4, ".tmp") == 0 && name[len - 11] == '.')
		(void)snprintf(text, sizeof(text), "%s%s %.*s.tmp",
		    steps[0] == '\0' ? "" : ",", what, (int)len - 11, name);
	else
		(void)snprintf(text, sizeof(text), "%s%s %s",
		    steps[0] == '\0' ? "" : ",", what, name);
	(void)strlcat(steps, text, sizeof(steps));
}

static void
blame(const char *path, const char *what)
{
	if (fault[0] == '\0')
		(void)snprintf(fault, sizeof(fault), "%s %s", path, what);
}

/* The item of the path, which is there; NULL where it is not watched. */
static struct item *
item_at(const char *path)
{
	struct stat	 st;
	struct item	*item;
	int		 i;

	if (!is_watched(path) || lstat(path, &st) != 0 ||
	    (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return NULL;
	for (i = 0; i < item_count; i++)
		if (items[i].ino == st.st_ino && items[i].dev == st.st_dev)
			break;
	if (i == ITEMS_MAX)
		abort();
	item = &items[i];
	if (i == item_count) {
		item_count++;
		*item = (struct item){ .dev = st.st_dev, .ino = st.st_ino };
	}
	(void)strlcpy(item->path, path, sizeof(item->path));
	return item;
}

static void
set_dirty(const char *path, bool dirty)
{
	struct item	*item = item_at(path);

	if (item != NULL)
		item->dirty = dirty;
}

/* A name in the directory came or went. */
static void
touch_above(const char *path)
{
	char	*above = folder_name(path);

	set_dirty(above, true);
	free(above);
}

static void
forget(const char *path)
{
	struct item	*item = item_at(path);

	if (item != NULL)
		*item = items[--item_count];
}

/* The first watched item that a power cut would lose. */
static void
check_all_flushed(const char *when)
{
	int	i;

	for (i = 0; i < item_count; i++)
		if (items[i].dirty && !is_passing(items[i].path))
			blame(items[i].path, when);
}

/* What the descriptor has open, "" where it is not watched. */
static const char *
path_of(int fd)
{
	static char	path[PATH_SIZE];
	char		link[64];
	ssize_t		len;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = root[0] == '\0' ? -1 : readlink(link, path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	return is_watched(path) ? path : "";
}

/* A new file, unless it is known: mkostemps() of musl calls open(). */
static void
made(const char *path)
{
	const int	count = item_count;

	if (item_at(path) == NULL || item_count == count)
		return;
	note("create", path);
	set_dirty(path, true);
	if (!is_passing(path))
		touch_above(path);
}

int
__wrap_open(const char *path, int flags, ...)
{
	bool	new = (flags & O_CREAT) != 0 && access(path, F_OK) != 0;
	mode_t	mode = 0;
	va_list	ap;
	int	fd, saved;

	va_start(ap, flags);
	if ((flags & O_CREAT) != 0)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	fd = __real_open(path, flags, mode);
	saved = errno;
	if (fd != -1 && new)
		made(path);
	errno = saved;
	return fd;
}

int
__wrap_mkostemps(char *path, int suffix, int flags)
{
	int	fd = __real_mkostemps(path, suffix, flags), saved = errno;

	if (fd != -1)
		made(path);
	errno = saved;
	return fd;
}

ssize_t
__wrap_write(int fd, const void *bytes, size_t size)
{
	ssize_t		 n = __real_write(fd, bytes, size);
	int		 saved = errno;
	const char	*path = path_of(fd);

	if (n > 0 && path[0] != '\0') {
		note("write", path);
		set_dirty(path, true);
	}
	errno = saved;
	return n;
}

static void
flushed(int fd)
{
	const char	*path = path_of(fd);

	if (path[0] == '\0')
		return;
	syncs++;
	note("fsync", path);
	set_dirty(path, false);
}

int
__wrap_fsync(int fd)
{
	int	status = __real_fsync(fd), saved = errno;

	if (status == 0)
		flushed(fd);
	errno = saved;
	return status;
}

int
__wrap_fdatasync(int fd)
{
	int	status = __real_fdatasync(fd), saved = errno;

	if (status == 0)
		flushed(fd);
	errno = saved;
	return status;
}

int
__wrap_syncfs(int fd)
{
	int		 status = __real_syncfs(fd), saved = errno, i;
	const char	*path = path_of(fd);

	if (status == 0 && path[0] != '\0') {
		file_system_syncs++;
		note("syncfs", path);
		for (i = 0; i < item_count; i++)
			items[i].dirty = false;
	}
	errno = saved;
	return status;
}

/* What takes its place under its name is complete: it and what is in it. */
static void
check_rename(const char *from)
{
	const size_t	len = strlen(from);
	int		i;

	for (i = 0; i < item_count; i++)
		if (items[i].dirty && strncmp(items[i].path, from, len) == 0 &&
		    (items[i].path[len] == '\0' || items[i].path[len] == '/'))
			blame(items[i].path, "is renamed before it is flushed");
}

int
__wrap_rename(const char *from, const char *to)
{
	int	saved, status;

	if (is_watched(to)) {
		check_rename(from);
		if (strcmp(base_name(to), "pod.ini") == 0)
			check_all_flushed("is not flushed before pod.ini "
			    "counts");
		forget(to);
	}
	status = __real_rename(from, to);
	saved = errno;
	if (status == 0 && is_watched(to)) {
		note("rename", to);
		(void)item_at(to);
		touch_above(to);
	}
	errno = saved;
	return status;
}

static int
removed(int status, const char *what, const char *path)
{
	int	saved = errno;

	if (status == 0 && is_watched(path) && !is_passing(path)) {
		note(what, path);
		touch_above(path);
	}
	errno = saved;
	return status;
}

int
__wrap_unlink(const char *path)
{
	if (is_watched(path))
		forget(path);
	return removed(__real_unlink(path), "unlink", path);
}

int
__wrap_unlinkat(int fd, const char *name, int flags)
{
	const char	*folder = path_of(fd);
	char		*path = xasprintf("%s/%s", folder, name);
	int		 saved, status;

	if (is_watched(path))
		forget(path);
	status = removed(__real_unlinkat(fd, name, flags), "unlink", path);
	saved = errno;
	free(path);
	errno = saved;
	return status;
}

int
__wrap_mkdir(const char *path, mode_t mode)
{
	int	status = __real_mkdir(path, mode), saved = errno;

	if (status == 0 && is_watched(path)) {
		note("mkdir", path);
		touch_above(path);
	}
	errno = saved;
	return status;
}

int
__wrap_rmdir(const char *path)
{
	if (is_watched(path))
		forget(path);
	return removed(__real_rmdir(path), "rmdir", path);
}

/* From here on everything below the directory is watched. */
static void
watch(const char *path)
{
	(void)strlcpy(root, path, sizeof(root));
	item_count = syncs = file_system_syncs = 0;
	fault[0] = steps[0] = '\0';
}

/* The change was acknowledged: it is on the disk. */
static void
is_durable(const char *name)
{
	check_all_flushed("is not flushed");
	root[0] = '\0';
	is_str(fault, "", name);
}

/* The same, by exactly these steps. */
static void
is_durable_by(const char *wanted, const char *name)
{
	char	text[128];

	is_durable(name);
	(void)snprintf(text, sizeof(text), "%s: its steps", name);
	is_str(steps, wanted, text);
}

static void
must(int status, const struct error *e)
{
	if (status == 0)
		return;
	fprintf(stderr, "cannot prepare the test: %s\n", e->text);
	exit(1);
}

#define REPLACED(folder, name)						\
	"create " folder "." name ".tmp,write " folder "." name ".tmp,"	\
	"fsync " folder "." name ".tmp,rename " folder name ",fsync "

static void
test_files(const char *home)
{
	struct error	 e;
	char		*path = xasprintf("%s/secret", home);
	char		*deep = xasprintf("%s/x/y", home);

	watch(home);
	must(file_replace(home, "a", "text", 4, &e), &e);
	is_durable_by(REPLACED("", "a"), "a file");
	watch(home);
	must(file_replace(home, "a", "more", 4, &e), &e);
	is_durable_by(REPLACED("", "a"), "a file in place of another");
	watch(home);
	must(file_remove(home, "a", &e), &e);
	is_durable_by("unlink a,fsync ", "a file removed");
	watch(home);
	must(file_create(path, "key", 3, &e), &e);
	is_durable_by("create secret,write secret,fsync secret,fsync ",
	    "a secret");
	watch(home);
	must(file_make_folder(deep, &e), &e);
	is_durable_by("mkdir x,fsync ,mkdir x/y,fsync x", "two directories");
	watch(home);
	must(file_write(deep, "f", "1", 1, &e), &e);
	must(file_write(deep, "g", "2", 1, &e), &e);
	must(file_sync_all(deep, &e), &e);
	is_durable_by("create x/y/f,write x/y/f,create x/y/g,write x/y/g,"
	    "fsync x/y/f,fsync x/y/g,fsync x/y", "the files of a directory");
	free(deep);
	free(path);
}

static void
test_first_use(const char *name)
{
	struct error	 e;
	struct state	 s;
	char		*above;

	use_state(name);
	above = folder_name(test_paths.folder);
	watch(above);
	must(state_open(&s, &e), &e);
	is_durable("the first use");
	state_close(&s);
	/* Its files, directories and pod.ini twice, each once. */
	ok(syncs > 16 + 2 + 6, "it flushes file by file");
	is_int(file_system_syncs, 0, "and not the file system");
	free(above);
}

static struct state
locked_state(void)
{
	struct error	e;
	struct state	s;

	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	return s;
}

static void
test_partitions(void)
{
	struct state		s = locked_state();
	struct partition	p = make_partition("p", 0, 4);
	struct registry		r;
	struct snapshot		snap;
	struct agent		a;
	struct error		e;

	watch(test_paths.folder);
	must(state_add_partition(&s, &p, &e), &e);
	is_durable_by(REPLACED("partitions/", "p.ini") "partitions",
	    "a partition");
	watch(test_paths.folder);
	p.moves = 1;
	must(state_update_partition(&s, &p, &e), &e);
	is_durable_by(REPLACED("partitions/", "p.ini") "partitions",
	    "a partition changed");
	watch(test_paths.folder);
	must(state_remove_partition(&s, "p", &e), &e);
	is_durable_by("unlink partitions/p.ini,fsync partitions",
	    "a partition removed");
	must(state_open_reader(&r, &e), &e);
	must(registry_snapshot(&r, &snap, &e), &e);
	a = snap.pod.agents[2];
	snapshot_release(&snap);
	registry_close(&r);
	a.state = MACHINE_DOWN;
	watch(test_paths.folder);
	must(state_update_agent(&s, 2, &a, &e), &e);
	is_durable_by(REPLACED("agents/", "cl0:ag03.ini") "agents",
	    "a machine that fails");
	state_close(&s);
}

/* So many machines more. */
static void
grow(int count)
{
	struct state		s = locked_state();
	struct snapshot		snap;
	struct inventory	in;
	struct agent		*a;
	struct error		e;
	int			i;

	must(registry_snapshot(&s.registry, &snap, &e), &e);
	i = snap.pod.agent_count;
	snap.pod.agents = xreallocarray(snap.pod.agents, (size_t)(i + count),
	    sizeof(*a));
	for (; i < snap.pod.agent_count + count; i++) {
		a = &snap.pod.agents[i];
		*a = snap.pod.agents[0];
		a->cluster = a->allocation = -1;
		(void)snprintf(a->name, sizeof(a->name), "new%d", i);
		(void)snprintf(a->address, sizeof(a->address), "10.2.%d.%d",
		    i / 200, i % 200 + 1);
	}
	snap.pod.agent_count = i;
	in = (struct inventory){ &snap.pod, snap.partitions,
	    snap.partition_count };
	watch(test_paths.folder);
	must(state_change_pod(&s, &in, &e), &e);
	snap.partitions = in.partitions;
	snapshot_release(&snap);
	state_close(&s);
}

static void
test_pods(void)
{
	struct user	u = { .name = "admin" };
	struct error	e;
	struct pod	pod;
	char		*left = xasprintf("%s/new", test_paths.folder);

	add_partition("kept", 0, 4);
	grow(1);
	is_durable("a pod that changes");
	is_int(file_system_syncs, 0, "file by file");
	grow(300);
	is_durable("a pod with more files than are flushed one by one");
	is_int(file_system_syncs, 1, "by one flush of the file system");
	/* As an attempt that was killed leaves it. */
	watch(test_paths.folder);
	(void)mkdir(left, 0700);
	must(pod_parse(&pod, "pod16", pod_embedded("pod16"), &e), &e);
	(void)strlcpy(u.hash, "$pbkdf2-sha512$1$ab$cd", sizeof(u.hash));
	must(state_init_secure_pod(&test_paths, &pod, true, &u, &e), &e);
	is_durable("a new pod with a user");
	watch(test_paths.folder);
	must(state_init_pod(&test_paths, &pod, true, &e), &e);
	is_durable("a new pod");
	free(left);
	pod_release(&pod);
}

static void
test_users(void)
{
	struct user	 u = { .name = "bob",
	    .hash = "$pbkdf2-sha512$1$ab$cd" };
	struct state	 s = locked_state();
	struct error	 e;
	char		*users = xasprintf("%s/users", test_paths.folder);

	watch(test_paths.folder);
	must(state_put_user(&s, &u, &e), &e);
	is_durable_by(REPLACED("users/", "bob.ini") "users", "a user");
	watch(test_paths.folder);
	must(state_remove_user(&s, "bob", &e), &e);
	is_durable_by("unlink users/bob.ini,fsync users", "a user removed");
	/* As the state of an ipubox that knew no users. */
	must(file_remove_folder(users, &e), &e);
	watch(test_paths.folder);
	must(state_put_user(&s, &u, &e), &e);
	is_durable_by("mkdir users,fsync ," REPLACED("users/", "bob.ini")
	    "users", "the first user");
	state_close(&s);
	free(users);
}

static struct partition_request
request(const char *name, const char *folder)
{
	struct partition_request	r;

	partition_request_init(&r);
	(void)strlcpy(r.name, name, sizeof(r.name));
	(void)strlcpy(r.ipuof_folder, folder, sizeof(r.ipuof_folder));
	r.size = 4;
	return r;
}

/* A ticket counts while its holder lives, so only its end is flushed. */
static void
test_tickets(void)
{
	struct partition_request	r = request("p", "");
	struct ticket			t;
	struct error			e;

	must(ticket_take(test_paths.folder, NULL, 0, &r, &t, &e), &e);
	must(ticket_drop(test_paths.folder, &t, &e), &e);
	watch(test_paths.folder);
	must(ticket_take(test_paths.folder, NULL, 0, &r, &t, &e), &e);
	is_durable_by("create waiting/0000000001.ini,write "
	    "waiting/0000000001.ini", "a ticket");
	watch(test_paths.folder);
	must(ticket_drop(test_paths.folder, &t, &e), &e);
	ok(strstr(steps, "fsync waiting") != NULL, "a ticket given back");
	is_durable("and gone");
}

/* Two GCDs, so two files; in a directory that is made for them. */
static void
test_ipuof(const char *home)
{
	char				*folder = xasprintf("%s/f", home);
	struct partition_request	 r = request("p", folder);
	struct controller		*c;
	struct error			 e;

	r.num_gcds = 2;
	if ((c = controller_open_local(NULL, &e)) == NULL)
		must(-1, &e);
	watch(home);
	must(controller_create(c, &r, NULL, &e), &e);
	is_durable_by("mkdir f,fsync ,"
	    "create f/.p_gcd0.conf.tmp,write f/.p_gcd0.conf.tmp,"
	    "fsync f/.p_gcd0.conf.tmp,rename f/p_gcd0.conf,"
	    "create f/.p_gcd1.conf.tmp,write f/.p_gcd1.conf.tmp,"
	    "fsync f/.p_gcd1.conf.tmp,rename f/p_gcd1.conf,fsync f",
	    "the IPUoF files of a partition");
	watch(home);
	must(controller_remove(c, "p", false, NULL, &e), &e);
	is_durable_by("unlink f/p_gcd0.conf,unlink f/p_gcd1.conf,fsync f",
	    "and without it");
	controller_close(c);
	free(folder);
}

static void
test_checkpoint(const char *home)
{
	struct checkpoint_run	 run;
	struct checkpoint	 c;
	struct model		 model;
	struct error		 e;
	char			*path = xasprintf("%s/run.ck", home);

	model_tutorial(&model);
	run = (struct checkpoint_run){ .model = &model,
	    .optimiser = optimiser_defaults(OPTIMISER_SGD, 0.1) };
	checkpoint_init(&c, &run);
	watch(home);
	must(checkpoint_save(&c, &run, path, &e), &e);
	is_durable_by(REPLACED("", "run.ck"), "a check-point");
	checkpoint_release(&c);
	free(path);
}

int
main(void)
{
	char	*home;
	struct error	e;

	(void)alarm(120);
	use_state("home");
	home = xstrdup(test_paths.folder);
	must(file_make_folder(home, &e), &e);
	test_files(home);
	test_first_use("durable");
	test_partitions();
	test_pods();
	test_users();
	test_tickets();
	test_ipuof(home);
	test_checkpoint(home);
	free(home);
	return state_util_done();
}
