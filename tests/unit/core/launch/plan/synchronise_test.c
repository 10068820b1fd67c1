/*
 * Which directories are never copied to other hosts.
 */
#include "core/launch/plan/hosts.h"

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

/* Below a directory of the test; NULL: it can be copied. */
static const struct path_row {
	const char *path;
	const char *home; /* NULL: there is none */
	const char *reason;
} path_rows[] = {
	{ "/home/venv", "/home", NULL },
	{ "/home/venv", NULL, NULL },
	{ "/home", NULL, NULL },
	{ "/ho", "/home", NULL },
	{ "/home", "/home", "contains the home directory" },
	{ "/home/venv/..", "/home", "contains the home directory" },
	{ "/link", "/home", "contains the home directory" },
	{ "", "/home", "contains the home directory" },
	{ "/home/file", "/home", "not a directory" },
	{ "/none", "/home", "No such file or directory" },
};

static void
test_rows(const char *root)
{
	struct error e;
	char *path, *home;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(path_rows); i++) {
		const struct path_row *row = &path_rows[i];

		path = xasprintf("%s%s", root, row->path);
		home = row->home == NULL ? NULL :
					   xasprintf("%s%s", root, row->home);
		e.text[0] = '\0';
		is_int(synchronise_check_path("it", path, home, &e),
		    row->reason == NULL ? 0 : -1, row->path);
		ok(row->reason == NULL ? e.text[0] == '\0' :
					 strstr(e.text, row->reason) != NULL,
		    e.text);
		free(path);
		free(home);
	}
}

static void
test_roots(void)
{
	struct error e;

	is_int(synchronise_check_path("it", "/", NULL, &e), -1, "the root");
	is_str(e.text, "it /: is the whole file system, which is not copied",
	    "the reason");
	is_int(synchronise_check_path("it", "/usr/..", NULL, &e), -1,
	    "by another name");
	is_int(synchronise_check_path("it", "usr", NULL, &e), -1, "relative");
	is_str(e.text, "it usr: must be an absolute path", "the reason");
}

int
main(void)
{
	char *root = getcwd(NULL, 0), name[] = "home/file";
	FILE *f;

	ok(mkdir("home", 0700) == 0 && mkdir("home/venv", 0700) == 0 &&
		mkdir("ho", 0700) == 0 && symlink("home", "link") == 0,
	    "directories");
	f = fopen(name, "w");
	ok(f != NULL && fclose(f) == 0, "a file");
	test_rows(root);
	test_roots();
	free(root);
	return tap_done();
}
