/*
 * core/base/directory_tree: what goes and what stays.
 */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file_set.h"
#include "tests/unit/tap.h"

static int above; /* the directory of the test */

static bool
exists(const char *name)
{
	struct stat st;

	return fstatat(above, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void
put(const char *name)
{
	int fd = openat(above, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (fd == -1)
		abort();
	(void)close(fd);
}

static void
make(const char *name, mode_t mode)
{
	if (mkdirat(above, name, 0700) != 0 ||
	    fchmodat(above, name, mode, 0) != 0)
		abort();
}

/* Also what nobody may read, enter or write, as long as it is the caller's. */
static void
test_remove(void)
{
	make("tree", 0700);
	make("tree/below", 0700);
	put("tree/below/file");
	make("tree/below/shut", 0);
	make("tree/below/still", 0700);
	put("tree/below/still/file");
	(void)fchmodat(above, "tree/below/still", 0500, 0);
	is_int(directory_tree_remove(above, "tree"), 0, "all of it goes");
	ok(!exists("tree"), "nothing is left");
	is_int(directory_tree_remove(above, "tree"), 0,
	    "what is not there is gone");
}

static void
test_links(void)
{
	make("kept", 0700);
	put("kept/file");
	make("tree", 0700);
	if (symlinkat("../kept", above, "tree/link") != 0 ||
	    symlinkat("kept", above, "link") != 0)
		abort();
	is_int(directory_tree_remove(above, "tree"), 0, "a tree with a link");
	ok(exists("kept/file"), "no link is followed");
	is_int(directory_tree_remove(above, "link"), ENOTDIR,
	    "a link is not a directory");
	ok(exists("kept/file") && exists("link"), "both stay");
}

static void
test_empty(void)
{
	int fd;

	make("tree", 0700);
	make("tree/below", 0700);
	put("tree/below/file");
	put("tree/file");
	fd = openat(above, "tree", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	is_int(directory_tree_empty(fd), 0, "what is in it goes");
	ok(exists("tree") && !exists("tree/file") && !exists("tree/below"),
	    "it stays itself");
	(void)close(fd);
}

int
main(void)
{
	const char *path = tap_directory();

	above = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (above == -1)
		abort();
	test_remove();
	test_links();
	test_empty();
	(void)close(above);
	return tap_done();
}
