/*
 * Executable caches: what is loaded and what is made anew, entry by damaged
 * entry; the lock, its time limit, and makers that die; calls that fail.
 */
#include "core/state/sdk/sdk.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "core/base/fault.h"
#include "core/base/files/file.h"
#include "tests/unit/tap.h"

static const char thing[] = "what was made\n";

/* Counts its makes; kill: dies in one; tell: a byte for each into a pipe. */
struct counter {
	int makes, takes;
	bool kill, refuse;
	int tell;
};

static struct executable_key key;
static char *place, *entry;

static char *
make(void *context, size_t *size, struct error *e)
{
	struct counter *c = context;

	c->makes++;
	if (c->kill)
		(void)raise(SIGKILL);
	if (c->tell > 0 && write(c->tell, "m", 1) != 1)
		abort();
	if (c->refuse) {
		(void)error_set(e, "it cannot be made");
		return NULL;
	}
	*size = strlen(thing);
	return xstrdup(thing);
}

static int
take(void *context, const char *content, size_t size, struct error *e)
{
	struct counter *c = context;

	c->takes++;
	if (size == strlen(thing) && memcmp(content, thing, size) == 0)
		return 0;
	return error_set_code(e, ERROR_DAMAGED, "it is another thing");
}

static int
get_at(const char *directory, int64_t wait_ms, struct counter *c,
    struct executable_use *use)
{
	const struct executable_cache cache = { directory, wait_ms };
	const struct executable_maker maker = { make, take, c };
	struct error e;

	return executable_cache_get(&cache, &key, &maker, use, &e);
}

static int
get(struct counter *c, struct executable_use *use)
{
	return get_at(place, EXECUTABLE_CACHE_WAIT_MS, c, use);
}

/* Loaded without a word. */
static bool
loads(void)
{
	struct counter c = { .makes = 0 };
	struct executable_use use;

	return get(&c, &use) == 0 && c.makes == 0 && c.takes == 1 &&
	    use.loaded && use.trouble.text[0] == '\0';
}

/* Temporary files in the directory. */
static int
count_left(void)
{
	DIR *dir = opendir(place);
	struct dirent *name;
	int n = 0;

	if (dir == NULL)
		abort();
	while ((name = readdir(dir)) != NULL)
		n += strstr(name->d_name, ".tmp") != NULL;
	(void)closedir(dir);
	return n;
}

/* ---- damages ---- */

static char *
read_entry(size_t *size)
{
	char *text = file_read(entry, 1 << 20, size, NULL);

	if (text == NULL)
		abort();
	return text;
}

static void
put_entry(const char *text, size_t size, mode_t mode)
{
	int fd;

	(void)unlink(entry);
	fd = open(entry, O_WRONLY | O_CREAT | O_EXCL, mode);
	if (fd == -1 || fchmod(fd, mode) != 0 ||
	    file_put(fd, text, size) != 0 || close(fd) != 0)
		abort();
}

static void
empty(void)
{
	put_entry("", 0, 0600);
}

static void
cut_head(void)
{
	size_t size;
	char *text = read_entry(&size);

	put_entry(text, 30, 0600);
	free(text);
}

static void
cut_end(void)
{
	size_t size;
	char *text = read_entry(&size);

	put_entry(text, size - 1, 0600);
	free(text);
}

static void
lengthen(void)
{
	size_t size;
	char *text = read_entry(&size);

	put_entry(text, size + 1, 0600); /* with its NUL */
	free(text);
}

static void
other_version(void)
{
	size_t size;
	char *text = read_entry(&size);

	*strchr(text, '1') = '2';
	put_entry(text, size, 0600);
	free(text);
}

/* Whole, but of other sources. */
static void
other_key(void)
{
	const struct executable_key other = executable_cache_key("older",
	    "thing", "x", 1);
	size_t size;
	char *text = executable_cache_write(&other, thing, strlen(thing),
	    &size);

	put_entry(text, size, 0600);
	free(text);
}

/* Whole, of this key, and nonsense. */
static void
other_thing(void)
{
	size_t size;
	char *text = executable_cache_write(&key, "nonsense", 8, &size);

	put_entry(text, size, 0600);
	free(text);
}

/* The size in its head is one of many that are none. */
static void
huge_size(void)
{
	size_t size;
	char *text = read_entry(&size), *number = strstr(text, "bytes ");

	memset(number + strlen("bytes "), '9', 2);
	put_entry(text, size, 0600);
	free(text);
}

static void
foreign(void)
{
	static const char elf[] = "\177ELF\2\1\1\n\n\n\n";

	put_entry(elf, sizeof(elf), 0600);
}

static void
writable(void)
{
	if (chmod(entry, 0622) != 0)
		abort();
}

static void
symbolic_link(void)
{
	char *elsewhere = xasprintf("%s/elsewhere", place);

	if (rename(entry, elsewhere) != 0 || symlink(elsewhere, entry) != 0)
		abort();
	free(elsewhere);
}

static void
hard_link(void)
{
	char *elsewhere = xasprintf("%s/elsewhere", place);

	(void)unlink(elsewhere);
	if (link(entry, elsewhere) != 0)
		abort();
	free(elsewhere);
}

static void
fifo(void)
{
	if (unlink(entry) != 0 || mkfifo(entry, 0600) != 0)
		abort();
}

static void
others(void)
{
	if (chown(entry, 12345, (gid_t)-1) != 0)
		abort();
}

static const struct {
	const char *name;
	void (*damage)(void);
	const char *reason;
	bool as_root;
} damages[] = {
	{ "empty", empty, "not an entry", false },
	{ "cut in its head", cut_head, "not an entry", false },
	{ "cut at its end", cut_end, "cut short", false },
	{ "longer", lengthen, "cut short", false },
	{ "of another version of the form", other_version, "something else",
	    false },
	{ "of another key", other_key, "something else", false },
	{ "of another kind", other_thing, "another thing", false },
	{ "with a size that it has not", huge_size, "cut short", false },
	{ "somebody's program", foreign, "it is", false },
	{ "writable by others", writable, "other users may write it", false },
	{ "a symbolic link", symbolic_link, "symbolic link", false },
	{ "a hard link", hard_link, "hard links", false },
	{ "a FIFO", fifo, "not a file", false },
	{ "somebody else's", others, "other users may write it", true },
};

/* Told, made once, and mended. */
static void
test_damages(void)
{
	struct counter c;
	struct executable_use use;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(damages); i++) {
		if (damages[i].as_root && geteuid() != 0) {
			tap_skip(damages[i].name, "not root");
			continue;
		}
		damages[i].damage();
		c = (struct counter){ .makes = 0 };
		ok(get(&c, &use) == 0 && c.makes == 1 && !use.loaded &&
			use.kept &&
			strstr(use.trouble.text, "is compiled again") != NULL &&
			strstr(use.trouble.text, damages[i].reason) != NULL,
		    damages[i].name);
		ok(loads(), "and it is mended");
	}
}

/* No byte of an entry may be another one. */
static void
test_flips(void)
{
	struct counter c = { .makes = 0 };
	struct executable_use use;
	size_t size, i;
	char *text = read_entry(&size);
	bool mended = true;

	for (i = 0; i < size; i++) {
		text[i] ^= (char)(1 << i % 8);
		put_entry(text, size, 0600);
		text[i] ^= (char)(1 << i % 8);
		mended = mended && get(&c, &use) == 0 && c.makes == (int)i + 1;
	}
	ok(mended && loads(), "an entry with one bit changed is made anew");
	free(text);
}

static void
test_directories(void)
{
	struct counter c = { .makes = 0 };
	struct executable_use use;
	char *below = xasprintf("%s/x", entry);
	char *deep = xasprintf("%s/a/b", place);

	ok(get_at(below, 0, &c, &use) == 0 && c.makes == 1 && !use.kept &&
		strstr(use.trouble.text, "is not kept") != NULL,
	    "where there can be no directory it is made all the same");
	ok(get_at(deep, 0, &c, &use) == 0 && c.makes == 2 && use.kept &&
		use.trouble.text[0] == '\0',
	    "a directory is made");
	ok(get_at(deep, 0, &c, &use) == 0 && c.makes == 2 && use.loaded,
	    "and serves");
	if (unlink(entry) != 0 || mkdir(entry, 0700) != 0)
		abort();
	ok(get(&c, &use) == 0 && c.makes == 3 && !use.kept,
	    "a directory in its place stays");
	if (rmdir(entry) != 0)
		abort();
	c.refuse = true;
	ok(get(&c, &use) == -1 && access(entry, F_OK) != 0,
	    "what is refused is not kept");
	c.refuse = false;
	ok(get(&c, &use) == 0 && use.kept && loads(), "what is made is kept");
	free(deep);
	free(below);
}

static void
test_keys(void)
{
	const struct executable_key
	    same = executable_cache_key("s", "thing", "x", 1),
	    others[] = {
		    executable_cache_key("s", "thing", "y", 1),
		    executable_cache_key("s", "thing", "x", 0),
		    executable_cache_key("s", "other", "x", 1),
		    executable_cache_key("r", "thing", "x", 1),
		    executable_cache_key("", "thing", "x", 1),
	    };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(others); i++)
		ok(memcmp(&same, &others[i], sizeof(same)) != 0, "another key");
	(void)setenv("POPTORCH_CACHE_DIR", "", 1);
	(void)setenv("POPDIST_EXECUTABLE_CACHE_PATH", "job", 1);
	is_str(executable_cache_directory(), "job", "the job's directory");
	(void)setenv("POPTORCH_CACHE_DIR", "own", 1);
	is_str(executable_cache_directory(), "own",
	    "the program's comes first");
	(void)unsetenv("POPTORCH_CACHE_DIR");
	(void)unsetenv("POPDIST_EXECUTABLE_CACHE_PATH");
	ok(executable_cache_directory() == NULL, "there is none");
}

/* ---- the lock ---- */

/* What somebody holds who does not go on. */
static int
hold_lock(void)
{
	char *path = xasprintf("%s/.%u.lock", place, (unsigned)geteuid());
	struct flock l = { .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = (off_t)(bits_get_le64(key.bytes) >> 2),
		.l_len = 1 };
	int fd = open(path, O_RDWR | O_CREAT, 0600);

	free(path);
	if (fd == -1 || fcntl(fd, F_OFD_SETLK, &l) != 0)
		abort();
	return fd;
}

static void
test_limit(void)
{
	struct counter c = { .makes = 0 };
	struct executable_use use;
	int fd = hold_lock();

	ok(loads(), "a whole entry needs no lock");
	(void)unlink(entry);
	ok(get_at(place, 30, &c, &use) == 0 && c.makes == 1 && !use.kept &&
		strstr(use.trouble.text, "for more than") != NULL,
	    "a wait has an end");
	(void)close(fd);
	ok(get_at(place, 30, &c, &use) == 0 && c.makes == 2 && use.kept &&
		use.trouble.text[0] == '\0',
	    "and then it is kept");
}

/* In a child, which ends with 0 where it has what was made.  It begins when
   nobody holds the writing end of `go`, where that is given. */
static pid_t
start(struct counter *c, const int *go)
{
	struct executable_use use;
	char byte;
	pid_t pid = fork();

	if (pid == -1)
		abort();
	if (pid != 0)
		return pid;
	if (go != NULL && (close(go[1]) != 0 || read(go[0], &byte, 1) != 0))
		_exit(2);
	_exit(get(c, &use) == 0 && (use.loaded || use.kept) &&
		    use.trouble.text[0] == '\0' ?
		0 :
		1);
}

static int
end_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		abort();
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

static void
test_many(void)
{
	struct counter c = { .makes = 0 };
	int go[2], told[2], i, failed = 0;
	pid_t pids[8];
	char bytes[16];

	(void)unlink(entry);
	if (pipe(go) != 0 || pipe(told) != 0)
		abort();
	c.tell = told[1];
	for (i = 0; i < 8; i++)
		pids[i] = start(&c, go);
	(void)close(go[0]);
	(void)close(go[1]);
	for (i = 0; i < 8; i++)
		failed += end_of(pids[i]) != 0;
	(void)close(told[1]);
	is_int(failed, 0, "all have it");
	is_int(read(told[0], bytes, sizeof(bytes)), 1, "one has made it");
	(void)close(told[0]);
}

static void
test_death(void)
{
	struct counter dying = { .kill = true }, c = { .makes = 0 };

	(void)unlink(entry);
	is_int(end_of(start(&dying, NULL)), 128 + SIGKILL, "a maker is killed");
	is_int(end_of(start(&c, NULL)), 0, "the next one makes it");
	ok(loads(), "and it is loaded");
}

/* ---- calls that fail, and kills in between ---- */

static void
test_faults(void)
{
	struct counter c = { .makes = 0 };
	struct executable_use use;
	long points, n;
	bool good = true;

	(void)unlink(entry);
	fault_arm(0, 0);
	good = get(&c, &use) == 0;
	points = fault_count();
	ok(good && points >= 5, "there are points to fail at");
	for (n = 1; n <= points; n++) {
		(void)unlink(entry);
		fault_arm(n, EIO);
		good = good && get(&c, &use) == 0 && c.makes == (int)n + 1;
		fault_arm(0, 0);
	}
	ok(good, "whatever fails, it is made");
	ok(get(&c, &use) == 0 && use.kept, "and kept afterwards");
	for (n = 1; n <= points; n++) {
		pid_t pid;

		(void)unlink(entry);
		if ((pid = fork()) == 0) {
			fault_arm(n, 0);
			_exit(get(&c, &use));
		}
		good = good && end_of(pid) == 128 + SIGKILL &&
		    get(&c, &use) == 0 && use.kept &&
		    use.trouble.text[0] == '\0';
	}
	ok(good && loads(), "wherever it is killed, the next one has it");
	(void)unlink(entry);
	ok(get(&c, &use) == 0 && count_left() == 0, "and nothing is left");
	fault_arm(0, 0);
}

int
main(void)
{
	struct counter c = { .makes = 0 };
	struct executable_use use;

	place = xasprintf("%s/cache", tap_directory());
	key = executable_cache_key("", "thing", "x", 1);
	ok(get(&c, &use) == 0 && c.makes == 1 && c.takes == 0 && use.kept &&
		!use.loaded && use.trouble.text[0] == '\0',
	    "it is made and kept");
	entry = xasprintf("%s/%s", place, use.name);
	ok(loads(), "it is loaded");
	test_keys();
	test_damages();
	test_flips();
	test_directories();
	test_limit();
	test_many();
	test_death();
	test_faults();
	free(entry);
	free(place);
	return tap_done();
}
