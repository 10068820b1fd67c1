/*
 * core/base/directory_copy: what comes along.
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/files/file_set.h"
#include "tests/unit/tap.h"

static int above;

static void
put(const char *name, const char *text, mode_t mode)
{
	int fd = openat(above, name, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC,
	    0600);

	if (fd == -1 || file_put(fd, text, strlen(text)) != 0 ||
	    fchmod(fd, mode) != 0)
		abort();
	(void)close(fd);
}

static char *
text_of(const char *name)
{
	char *path = xasprintf("%s/%s", tap_directory(), name), *text;
	size_t size;

	text = file_read(path, 1000, &size, NULL);
	free(path);
	return text;
}

static void
is_text(const char *name, const char *wanted, const char *what)
{
	char *text = text_of(name);

	is_str(text, wanted, what);
	free(text);
}

static void
test_tree(void)
{
	struct stat st;
	struct error e;
	char link[16] = "";

	if (mkdirat(above, "from", 0755) != 0 ||
	    mkdirat(above, "from/below", 0700) != 0 ||
	    symlinkat("below/b", above, "from/link") != 0 ||
	    mkfifoat(above, "from/fifo", 0600) != 0)
		abort();
	put("from/a", "first", 0640);
	put("from/below/b", "second", 0700);
	is_int(directory_copy(above, "from", above, "to", NULL, &e), 0,
	    "a tree");
	is_text("to/a", "first", "its file");
	is_text("to/below/b", "second", "and one below");
	is_int(fstatat(above, "to/below/b", &st, 0), 0, "it is there");
	is_int(st.st_mode & 0777, 0700, "with its mode");
	is_int(readlinkat(above, "to/link", link, sizeof(link) - 1), 7,
	    "a link is a link");
	is_str(link, "below/b", "to the same place");
	is_int(fstatat(above, "to/fifo", &st, AT_SYMLINK_NOFOLLOW), -1,
	    "a FIFO stays where it is");
	put("from/a", "changed", 0640);
	is_int(directory_copy(above, "from", above, "to", NULL, &e), 0,
	    "again");
	is_text("to/a", "changed", "over what is there");
}

/* Names below the copied directory may be links of an earlier copy. */
static void
test_links(void)
{
	struct error e = { .text = "" };
	struct strvec links;

	if (mkdirat(above, "tree", 0755) != 0 ||
	    mkdirat(above, "tree/in", 0755) != 0 ||
	    mkdirat(above, "victim", 0755) != 0 ||
	    mkdirat(above, "earlier", 0755) != 0 ||
	    symlinkat("../victim", above, "earlier/in") != 0 ||
	    symlinkat("victim", above, "door") != 0)
		abort();
	put("tree/in/key", "evil", 0600);
	is_int(directory_copy(above, "tree", above, "earlier", NULL, &e), -1,
	    "a directory over a link");
	is_int(e.code, ERROR_UNSAFE, "is refused");
	is_str(e.text,
	    "tree: in: cannot write in: it is a symbolic link; remove it, or "
	    "copy to where it leads",
	    "by its name");
	is_int(directory_copy(above, "tree", above, "door", NULL, &e), -1,
	    "also at the top");
	is_int(directory_copy(above, "door", above, "tree", NULL, &e), -1,
	    "a link over a directory");
	is_int(faccessat(above, "victim/in", F_OK, 0) +
		faccessat(above, "victim/key", F_OK, 0),
	    -2, "nothing went through");
	strvec_init(&links);
	is_int(directory_copy(above, "earlier", above, "new", &links, &e), 0,
	    "links can be left out");
	is_int((int)links.count, 1, "and are counted");
	is_str(links.items[0], "in", "and named");
	is_int(faccessat(above, "new/in", F_OK, AT_SYMLINK_NOFOLLOW), -1,
	    "and none is made");
	strvec_release(&links);
}

static void
test_refusals(void)
{
	struct error e = { .text = "" };

	is_int(directory_copy(above, "missing", above, "x", NULL, &e), -1,
	    "nothing of that name");
	is_str(e.text, "missing: No such file or directory", "and its name");
	put("file", "f", 0600);
	is_int(directory_copy(above, "from", above, "file", NULL, &e), -1,
	    "a directory in place of a file");
	is_text("file", "f", "which stays");
}

/* A FIFO would block without a reader, and lead elsewhere with one. */
static void
test_fifo(void)
{
	struct error e = { .text = "" };
	char byte;
	int reader;

	if (mkfifoat(above, "door.fifo", 0600) != 0)
		abort();
	is_int(directory_copy(above, "file", above, "door.fifo", NULL, &e), -1,
	    "a file over a FIFO");
	is_str(e.text,
	    "cannot write door.fifo: it is a FIFO, a socket or a device; "
	    "remove it",
	    "is refused");
	reader = openat(above, "door.fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	is_int(directory_copy(above, "file", above, "door.fifo", NULL, &e), -1,
	    "also with a reader");
	is_int(e.code, ERROR_UNSAFE, "for the same reason");
	is_int((int)read(reader, &byte, 1), 0, "who gets nothing");
	(void)close(reader);
}

int
main(void)
{
	above = open(tap_directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (above == -1)
		abort();
	test_tree();
	test_links();
	test_refusals();
	test_fifo();
	(void)close(above);
	return tap_done();
}
