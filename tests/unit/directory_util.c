/*
 * Directories by their paths, for tests of what takes open ones.
 */
#include "tests/unit/directory_util.h"

#include <stdio.h>
#include <stdlib.h>

const struct directory *
directory_at(const char *path)
{
	static struct directory d = { .fd = -1 };
	struct error e;

	directory_close(&d);
	if (directory_open(&d, path, &e) == 0)
		return &d;
	fprintf(stderr, "%s: %s\n", path, e.text);
	exit(1);
}

int
make_directory(const char *path, struct error *e)
{
	struct directory d;
	int status = directory_make(&d, path, e);

	directory_close(&d);
	return status;
}
