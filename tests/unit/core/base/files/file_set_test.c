/* core/base/file_set: all files or none, by every call that can fail. */
#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/files/file_set.h"
#include "tests/unit/tap.h"

static const struct file_set_entry entries[] = {
	{ "a/b/one", 0644, "new one", 7 },
	{ "a/b/two", 0755, "", 0 },
	{ "a/three", 0644, "x\0y", 3 },
	{ "four", 0644, "new four", 8 },
};

static void
check_paths(void)
{
	static const struct {
		const char *path;
		bool good;
	} vectors[] = { { "a", true }, { "a/b.c", true }, { ".a/..b", true },
		{ "...", true }, { "a b", true }, { "\303\274", true },
		{ "", false }, { "/a", false }, { "a/", false },
		{ "a//b", false }, { ".", false }, { "..", false },
		{ "a/.", false }, { "./a", false }, { "a/../b", false },
		{ "../a", false }, { "a\nb", false }, { "a\177", false } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++)
		is_int(file_set_is_path(vectors[i].path), vectors[i].good,
		    vectors[i].path);
}

/* The text of the file, or "-"; the caller frees it. */
static char *
text_of(const char *name)
{
	char *path = xasprintf("%s/top/%s", tap_directory(), name);
	size_t size;
	char *text = file_read(path, 100, &size, NULL);

	free(path);
	return text != NULL ? text : xstrdup("-");
}

static void
is_file(const char *name, const char *wanted, const char *what)
{
	char *text = text_of(name);

	is_str(text, wanted, what);
	free(text);
}

/* With two files of before, in a new directory. */
static void
begin(struct directory *top)
{
	struct directory a;
	char *path = xasprintf("%s/top", tap_directory());

	(void)mkdir(path, 0700);
	ok(directory_open(top, path, NULL) == 0 &&
		directory_make_below(top, "a", &a, NULL) == 0 &&
		file_write(&a, "three", "old", 3, NULL) == 0 &&
		file_write(top, "four", "old", 3, NULL) == 0,
	    "two files of before");
	directory_close(&a);
	free(path);
}

static void
end(struct directory *top)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(entries); i++)
		(void)file_set_remove(top, entries[i].path, NULL);
	ok(rmdir(top->path) == 0, "nothing else is left");
	directory_close(top);
}

static bool
is_mode(const char *name, mode_t mode)
{
	char *path = xasprintf("%s/top/%s", tap_directory(), name);
	struct stat st;
	const bool is = stat(path, &st) == 0 && (st.st_mode & 07777) == mode;

	free(path);
	return is;
}

static void
check_install(void)
{
	struct directory top;
	struct error e;
	const mode_t mask = umask(027);

	begin(&top);
	is_int(file_set_install(&top, entries, ARRAY_SIZE(entries), &e), 0,
	    "installed");
	is_file("a/b/one", "new one", "a new file in new folders");
	is_file("a/b/two", "", "an empty one");
	is_file("four", "new four", "one in place of an old one");
	ok(is_mode("a/b/one", 0640) && is_mode("a/b/two", 0750) &&
		is_mode("a/b", 0750) && is_mode("four", 0640),
	    "the umask takes from the modes");
	(void)umask(mask);
	is_int(file_set_remove(&top, "a/b/none", &e), 0, "none to remove");
	is_int(file_set_remove(&top, "no/such/file", &e), 0, "no folder");
	is_int(file_set_remove(&top, "a/b/one", &e), 0, "one is removed");
	is_file("a/b/two", "", "and its folder is not, for it is not empty");
	end(&top);
}

/* Whatever fails before the first name changes, nothing has changed. */
static void
check_failures(void)
{
	struct directory top;
	struct error e;
	char *path;
	long n, kept = 0;
	int status = -1;

	begin(&top);
	path = xasprintf("%s/a/b", top.path);
	for (n = 1; status != 0; n++) {
		e = (struct error){ .text = "" };
		fault_arm(n, ENOSPC);
		status = file_set_install(&top, entries, ARRAY_SIZE(entries),
		    &e);
		fault_arm(0, 0);
		if (status == 0 || e.code == ERROR_UNCONFIRMED)
			continue;
		kept++;
		is_file("four", "old", "an old file is as it was");
		is_file("a/three", "old", "so is the other one");
		ok(access(path, F_OK) != 0, "there is no new folder");
	}
	free(path);
	ok(kept >= 10, "calls that failed before the first name");
	end(&top);
}

/* What a killed run leaves is removed, and nothing that looks like it. */
static void
check_clean(void)
{
	static const char *const names[] = { ".four.abcDE9.tmp",
		".fourx.abcDE9.tmp", ".four.abc.tmp", "four",
		".five.abcDE9.tmp" };
	struct directory top;
	size_t i;

	begin(&top);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		(void)file_write(&top, names[i], "", 0, NULL);
	file_set_clean(&top, "four");
	is_file(names[0], "-", "the file's temporary one is gone");
	for (i = 1; i < ARRAY_SIZE(names); i++) {
		is_file(names[i], i == 3 ? "old" : "", "another stays");
		(void)file_remove(&top, names[i], NULL);
	}
	end(&top);
}

/* A link in place of a folder leads nowhere for us; one in place of a file is
   replaced itself. */
static void
check_links(void)
{
	struct directory top;
	struct error e;

	begin(&top);
	ok(symlinkat("/tmp", top.fd, "a/b") == 0, "a link for a folder");
	is_int(file_set_install(&top, entries, ARRAY_SIZE(entries), &e), -1,
	    "refused");
	is_int(e.code, ERROR_UNSAFE, "as not safe");
	is_file("four", "old", "and nothing has changed");
	ok(unlinkat(top.fd, "a/b", 0) == 0 &&
		unlinkat(top.fd, "four", 0) == 0 &&
		symlinkat("a/three", top.fd, "four") == 0,
	    "a link for a file");
	is_int(file_set_install(&top, entries + 3, 1, &e), 0, "replaced");
	is_file("a/three", "old", "where it led is as before");
	is_file("four", "new four", "the file is new");
	end(&top);
}

int
main(void)
{
	check_paths();
	check_install();
	check_failures();
	check_clean();
	check_links();
	return tap_done();
}
