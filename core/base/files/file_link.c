/*
 * Links to the program under its other names, as busybox(1) makes them.  A name
 * that leads to another program is never replaced: file_link_check() decides.
 */
#include "core/base/files/file_link.h"

#include <sys/stat.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/files/file_set.h"

/* Larger files are not searched for the mark. */
enum { PROGRAM_SIZE_MAX = 64 * 1024 * 1024 };

/* Return true if both paths lead to the same inode, through symbolic links. */
static bool
same_file(const char *a, const char *b)
{
	struct stat of_a, of_b;

	return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 &&
	    of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* Return true if the file is a version of the program: an ELF file that
   contains the mark, not a script or a text that mentions the program. */
static bool
holds_mark(const char *path, const char *mark)
{
	static const char elf[] = "\177ELF";
	size_t size;
	char *text;
	bool found;

	text = file_read(path, PROGRAM_SIZE_MAX, &size, NULL);
	found = text != NULL && size > sizeof(elf) &&
	    memcmp(text, elf, sizeof(elf) - 1) == 0 &&
	    memmem(text, size, mark, strlen(mark)) != NULL;
	free(text);
	return found;
}

bool
file_link_is_ours(const struct file_link_target *t, const char *path)
{
	return same_file(path, t->file) || holds_mark(path, t->mark);
}

/* Return true for a dangling symbolic link to an old place of the program. */
static bool
leads_to_old_place(const struct file_link_target *t, const char *path)
{
	char target[PATH_MAX];
	ssize_t len = readlink(path, target, sizeof(target) - 1);

	if (len <= 0 || access(path, F_OK) == 0)
		return false;
	target[len] = '\0';
	return strcmp(path_base_name(target), path_base_name(t->file)) == 0;
}

/* lstat(2): the entry itself counts, not its target. */
int
file_link_check(const struct file_link_target *t, const char *dir,
    const char *name, struct error *e)
{
	char *path = xasprintf("%s/%s", dir, name);
	struct stat st;
	int status = 0;

	if (lstat(path, &st) != 0) {
		if (errno != ENOENT)
			status = error_set_errno(e, "cannot examine %s", path);
	} else if (!file_link_is_ours(t, path) && !leads_to_old_place(t, path))
		status = error_set(e,
		    "%s already exists and belongs to another program", path);
	free(path);
	return status;
}

/* Return true if the link exists already; a link to itself would lose the
   file. */
static bool
is_made(const struct file_link_target *t, const char *dir, const char *path)
{
	struct stat st;
	char *directory, *real;
	bool made;

	if (!same_file(path, t->file) || lstat(path, &st) != 0 ||
	    S_ISLNK(st.st_mode))
		return false;
	if (!t->symbolic)
		return true;
	directory = realpath(dir, NULL);
	real = xasprintf("%s/%s", directory != NULL ? directory : "",
	    path_base_name(path));
	made = strcmp(real, t->file) == 0;
	free(real);
	free(directory);
	return made;
}

/* Return the remedy for a reason that has one. */
static const char *
remedy_for(int reason)
{
	switch (reason) {
	case EXDEV:
		return " (use -s across file systems)";
	case EPERM:
		return " (use -s for a file of another user)";
	default:
		return "";
	}
}

/* Make the link under a temporary name and rename it over the old one, so that
   the name always exists. */
int
file_link_make(const struct file_link_target *t, const char *dir,
    const char *name, struct error *e)
{
	char *path = xasprintf("%s/%s", dir, name);
	char *temporary = xasprintf("%s/.%s.%ld", dir, name, (long)getpid());
	int status = 0;

	if (is_made(t, dir, path))
		goto out;
	status = t->symbolic ? symlink(t->file, temporary) :
			       link(t->file, temporary);
	if (status != 0)
		(void)error_set_errno(e, "cannot link %s to %s%s", path,
		    t->file, remedy_for(errno));
	else if ((status = rename(temporary, path)) != 0)
		(void)error_set_errno(e, "cannot replace %s", path);
	(void)unlink(temporary);
out:
	free(temporary);
	free(path);
	return status;
}

/* The replaced file may be running: it stays whole without a name. */
int
file_link_copy(const struct file_link_target *t, const char *dir,
    const char *name, struct error *e)
{
	struct directory d = DIRECTORY_NONE;
	struct file_set_entry entry = { .path = name, .mode = 0777 };
	char *path = xasprintf("%s/%s", dir, name);
	char *text = NULL;
	int status = 0;

	if (is_made(&(struct file_link_target){ .file = t->file }, dir, path))
		goto out;
	status = -1;
	text = file_read(t->file, PROGRAM_SIZE_MAX, &entry.size, e);
	entry.text = text;
	if (text == NULL)
		(void)error_prefix(e, "cannot read %s", t->file);
	else if (directory_open(&d, dir, e) != 0)
		(void)error_prefix(e, "cannot open %s", dir);
	else if (file_set_install(&d, &entry, 1, e) != 0)
		(void)error_prefix(e, "cannot write %s", path);
	else
		status = 0;
	directory_close(&d);
	free(text);
out:
	free(path);
	return status;
}
