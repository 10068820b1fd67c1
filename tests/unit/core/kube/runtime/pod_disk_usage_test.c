/*
 * pod_disk: how much a directory holds.
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/kube/runtime/runtime.h"
#include "tests/unit/tap.h"

/* The test's directory, without links. */
static char *root;

/* A path below the test's directory, until 8 more are asked for. */
static const char *
at(const char *path)
{
	static char texts[8][PATH_MAX], *text;
	static int next;

	text = texts[next++ % 8];
	(void)snprintf(text, PATH_MAX, "%s%s", root, path);
	return text;
}

static void
make(const char *path)
{
	if (mkdir(at(path), 0700) != 0)
		abort();
}

static void
put_bytes_at(int above, const char *name, size_t size)
{
	char *bytes = xmalloc(size);
	int fd = openat(above, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	memset(bytes, 'x', size);
	if (fd == -1 || file_put(fd, bytes, size) != 0 || fsync(fd) != 0)
		abort();
	(void)close(fd);
	free(bytes);
}

static void
put_bytes(const char *path, size_t size)
{
	put_bytes_at(AT_FDCWD, at(path), size);
}

/* What stat(2) says of a path. */
static int64_t
bytes_at(const char *path)
{
	struct stat st;

	if (lstat(at(path), &st) != 0)
		abort();
	return (int64_t)st.st_blocks * 512;
}

/* What directories themselves take differs between file systems. */
static void
check_usage(const char *path, int64_t limit, int64_t least, int64_t most,
    const char *name)
{
	struct error e = { .text = "", .code = ERROR_NONE };
	int64_t bytes = -1;

	is_int(pod_disk_usage(at(path), limit, &bytes, &e), 0, name);
	ok(bytes >= least && bytes <= most, name);
	if (bytes < least || bytes > most)
		printf("# %lld bytes\n", (long long)bytes);
}

static void
test_usage(void)
{
	enum { MIB = 1024 * 1024, SOME = 256 * 1024 };
	struct error e;
	int64_t bytes;
	int fd;

	make("/use");
	check_usage("/use", 0, 0, SOME, "an empty directory");
	put_bytes("/use/one", MIB);
	check_usage("/use", 0, MIB, MIB + SOME, "a file of 1 MiB");
	bytes = bytes_at("/use") + bytes_at("/use/one");
	check_usage("/use", 0, bytes, bytes, "to the byte");
	make("/use/a");
	make("/use/a/b");
	put_bytes("/use/a/b/two", 2 * MIB);
	check_usage("/use", 0, 3 * MIB, 3 * MIB + SOME, "one further down");
	(void)link(at("/use/one"), at("/use/a/again"));
	check_usage("/use", 0, 3 * MIB, 3 * MIB + SOME, "a second name");
	(void)symlink(at("/use/a"), at("/use/a/b/loop"));
	(void)symlink(at("/use/one"), at("/use/a/link"));
	check_usage("/use", 0, 3 * MIB, 3 * MIB + SOME, "symbolic links");
	fd = open(at("/use/hole"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd == -1 || ftruncate(fd, 1LL << 30) != 0)
		abort();
	(void)close(fd);
	check_usage("/use", 0, 3 * MIB, 3 * MIB + SOME, "a file of holes");
	check_usage("/use", MIB / 2, MIB / 2 + 1, 3 * MIB + SOME,
	    "over the limit");
	is_int(pod_disk_usage(at("/use/none"), 0, &bytes, &e), -1,
	    "what is not there");
	is_int(e.code, ERROR_NOT_FOUND, "its code");
	is_int(pod_disk_usage(at("/use/a/link"), 0, &bytes, &e), -1,
	    "a symbolic link");
	is_int(pod_disk_usage(at("/use/one"), 0, &bytes, &e), -1, "a file");
}

/* Deeper than is counted, and than descriptors are there for. */
static void
test_depth(void)
{
	enum { DEEP = 400, MIB = 1024 * 1024 };
	int64_t bytes = -1;
	struct error e;
	int above, fd, i;

	make("/deep");
	above = open(at("/deep"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (i = 0; i < DEEP; i++) {
		if (mkdirat(above, "d", 0700) != 0)
			abort();
		fd = openat(above, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		(void)close(above);
		above = fd;
	}
	put_bytes_at(above, "bottom", 16 * MIB);
	(void)close(above);
	put_bytes("/deep/top", MIB);
	is_int(pod_disk_usage(at("/deep"), 0, &bytes, &e), 0, "400 deep");
	ok(bytes >= MIB && bytes < 16 * MIB, "what is above is counted");
}

/* How many descriptors are open. */
static int
count_open(void)
{
	int fd, count = 0;

	for (fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) != -1;
	return count;
}

int
main(void)
{
	const int before = count_open();

	root = realpath(tap_directory(), NULL);
	if (root == NULL)
		abort();
	test_usage();
	test_depth();
	is_int(count_open(), before, "all that was opened is closed");
	free(root);
	return tap_done();
}
