/* The parts of a path, and the way along it. */
#include <sys/stat.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "tests/unit/tap.h"

static void
check_base_names(void)
{
	is_str(path_base_name("/usr/bin/vipu"), "vipu", "base name of a path");
	is_str(path_base_name("vipu"), "vipu", "base name of a name");
	is_str(path_base_name("/"), "", "base name of the root");
	is_str(path_base_name(""), "", "base name of nothing");
}

static void
check_directories(void)
{
	static const char *const vectors[][2] = { { "file", "." },
		{ "/file", "/" }, { "a/file", "a" }, { "/a/b/file", "/a/b" },
		{ "a/", "a" }, { "", "." } };
	size_t i;
	char *directory;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		directory = path_directory_name(vectors[i][0]);
		is_str(directory, vectors[i][1], "the folder of a path");
		free(directory);
	}
}

/* The test's directory has a/b, and the link a/l to b. */
static void
check_ways(void)
{
	static const char *const vectors[][2] = { { "a/b", "a/b" },
		{ "a/l", "a/b" }, { "a/l/c/d", "a/b/c/d" },
		{ "a/c/d", "a/c/d" }, { "a//b", "a/b" }, { "a/b/", "a/b" },
		{ "a/./b", "a/b" }, { "a/l/..", "a" },
		{ "a/b/../..b", "a/..b" }, { "a/b/.", "a/b" },
		{ "a/...", "a/..." } };
	char root[PATH_MAX], path[PATH_MAX + 8], out[PATH_MAX];
	struct directory d;
	struct error e;
	size_t i;

	(void)snprintf(root, sizeof(root), "%s/", tap_directory());
	if (chdir(root) != 0 || mkdir("a", 0700) != 0 ||
	    mkdir("a/b", 0700) != 0 || symlink("b", "a/l") != 0)
		abort();
	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		(void)snprintf(path, sizeof(path), "%s%s", root, vectors[i][0]);
		is_int(directory_resolve(path, out, sizeof(out), &e), 0, path);
		is_str(out + strlen(root), vectors[i][1], path);
		is_int(directory_resolve(vectors[i][0], out, sizeof(out), &e),
		    0, vectors[i][0]);
		is_str(out + strlen(root), vectors[i][1], vectors[i][0]);
	}
	(void)snprintf(path, sizeof(path), "%sa/b", root);
	is_int(directory_open_resolved(&d, path, &e), 0, "a directory");
	is_str(d.path, path, "its path");
	directory_close(&d);
	(void)snprintf(path, sizeof(path), "%sa/l", root);
	ok(directory_open_resolved(&d, path, &e) == -1 &&
		e.code == ERROR_UNSAFE,
	    "a link is not followed");
	directory_close(&d);
}

int
main(void)
{
	check_base_names();
	check_directories();
	check_ways();
	return tap_done();
}
