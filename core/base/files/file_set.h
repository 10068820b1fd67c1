/*
 * Replacing several files below a directory together: a failure, such as a full
 * disk, leaves all of them unchanged.  After a kill each file is old or new,
 * and temporary files may remain, which file_set_clean() removes.
 *
 * The file_set_ functions work by descriptors and follow no symbolic links
 * below the directory.
 */
#ifndef CORE_BASE_FILES_FILE_SET_H
#define CORE_BASE_FILES_FILE_SET_H

#include "core/base/files/directory.h"
#include "core/base/strvec.h"

struct file_set_entry {
	const char *path; /* below the directory: "lib/a.c" */
	mode_t mode;	  /* reduced by the umask */
	const char *text;
	size_t size;
};

/*
 * Replace or make the files.  They get their names at the end, after every step
 * that can fail for lack of space.  Missing directories are made (0777, reduced
 * by the umask).  Entries of one directory should be adjacent.  -1: with
 * ERROR_UNCONFIRMED some files may be new; otherwise nothing has changed.
 */
int file_set_install(const struct directory *, const struct file_set_entry *,
    size_t count, struct error *);

/* Remove the file, then those directories of its path that are empty.  Returns
   0 also if the file does not exist; -1: it remains. */
int file_set_remove(const struct directory *, const char *path, struct error *);

/* Remove the remains of a killed file_set_install() beside the file. */
void file_set_clean(const struct directory *, const char *path);

/* Return true if the path stays below a directory: no part is empty, "." or
   "..", and it has no control characters. */
bool file_set_is_path(const char *path);

/*
 * Copy `name` in one open directory to `to_name` in another: a regular file
 * overwrites a file, a directory is merged into a directory.  A symbolic link
 * is copied as a link, which replaces a file or link; if `links` is not NULL,
 * it is left out instead, and its name, without directories, is added to that
 * list.  No link is followed in either directory, at any depth: a file or
 * directory is not copied onto a link (ERROR_UNSAFE).  Permissions are kept,
 * and the owner can always use a copied directory; owners are not kept.  Other
 * types, such as sockets, are skipped.  -1: the error names what could not be
 * read or written; earlier copies stay.
 */
int directory_copy(int from, const char *name, int to, const char *to_name,
    struct strvec *links, struct error *);

/*
 * Remove the directory `name` in an open one with its contents, whatever its
 * mode, without following symbolic links.  Contents that this user may not
 * remove stay, with the directories above them.  Returns 0 also if it does not
 * exist; else the errno for which something stayed.
 */
int directory_tree_remove(int above, const char *name);

/* Remove the contents of an open directory, which stays, in the same way and
   with the same results. */
int directory_tree_empty(int fd);

#endif
