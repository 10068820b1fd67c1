/* core/base/path: the parts of a path. */
#include <stdlib.h>

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

int
main(void)
{
	check_base_names();
	check_directories();
	return tap_done();
}
