/*
 * Copying files and directories, by descriptors.
 */
#include "core/base/files/file_set.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "core/base/files/file.h"

enum { COPY_BYTES = 64 * 1024 };

static int
refuse_special(const char *name, struct error *e)
{
	return error_set_code(e, ERROR_UNSAFE,
	    "cannot write %s: it is a FIFO, a socket or a device; remove it",
	    name);
}

/* Refuse an entry that cannot be opened for writing. */
static int
refuse(int to, const char *to_name, struct error *e)
{
	const int number = errno;
	struct stat st;

	if (fstatat(to, to_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		st.st_mode = S_IFREG;
	if (S_ISLNK(st.st_mode))
		return error_set_code(e, ERROR_UNSAFE,
		    "cannot write %s: it is a symbolic link; remove it, or "
		    "copy to where it leads",
		    to_name);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return refuse_special(to_name, e);
	return error_set_number(e, number, "cannot write %s", to_name);
}

static int
copy_bytes(int from, int to, const char *name, struct error *e)
{
	static char bytes[COPY_BYTES];
	ssize_t n;

	while ((n = read(from, bytes, sizeof(bytes))) != 0) {
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return error_set_errno(e, "cannot read %s", name);
		if (file_put(to, bytes, (size_t)n) != 0)
			return error_set_errno(e, "cannot write %s", name);
	}
	return 0;
}

/* Open a regular file for writing.  O_NONBLOCK keeps a FIFO from blocking; one
   with a reader can be opened. */
static int
open_target(int to, const char *name, struct error *e)
{
	struct stat st;
	int fd = openat(to, name,
	    O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
	    0600);

	if (fd == -1)
		return refuse(to, name, e);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	(void)close(fd);
	return refuse_special(name, e);
}

static int
copy_file(int from, const char *name, int to, const char *to_name, mode_t mode,
    struct error *e)
{
	int in = openat(from, name,
		O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK),
	    out, status;

	if (in == -1)
		return error_set_errno(e, "cannot read %s", name);
	out = open_target(to, to_name, e);
	status = out == -1 ? -1 : copy_bytes(in, out, name, e);
	if (out != -1) {
		(void)fchmod(out, mode & 0777);
		(void)close(out);
	}
	(void)close(in);
	return status;
}

static int
copy_link(int from, const char *name, int to, const char *to_name,
    struct error *e)
{
	char text[PATH_MAX];
	ssize_t n = readlinkat(from, name, text, sizeof(text) - 1);

	if (n == -1)
		return error_set_errno(e, "cannot read %s", name);
	text[n] = '\0';
	(void)unlinkat(to, to_name, 0);
	return symlinkat(text, to, to_name) == 0 ?
	    0 :
	    error_set_errno(e, "cannot make %s", to_name);
}

static int
copy_entries(int in, int out, struct strvec *links, struct error *e)
{
	struct dirent *entry;
	DIR *dir = fdopendir(in);
	int status = 0;

	if (dir == NULL) {
		(void)close(in);
		return error_set_errno(e, "cannot read a directory");
	}
	while (status == 0 && (entry = readdir(dir)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			status = directory_copy(dirfd(dir), entry->d_name, out,
			    entry->d_name, links, e);
	(void)closedir(dir);
	return status;
}

static int
copy_directory(int from, const char *name, int to, const char *to_name,
    mode_t mode, struct strvec *links, struct error *e)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int in = openat(from, name, flags), out, status;

	if (in == -1)
		return error_set_errno(e, "cannot read %s", name);
	if (mkdirat(to, to_name, 0700) != 0 && errno != EEXIST) {
		(void)close(in);
		return error_set_errno(e, "cannot make %s", to_name);
	}
	out = openat(to, to_name, flags);
	if (out == -1) {
		(void)close(in);
		return refuse(to, to_name, e);
	}
	status = copy_entries(in, out, links, e);
	(void)fchmod(out, (mode & 0777) | 0700);
	(void)close(out);
	return status;
}

int
directory_copy(int from, const char *name, int to, const char *to_name,
    struct strvec *links, struct error *e)
{
	struct stat st;
	int status = 0;

	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return error_set_errno(e, "%s", name);
	if (S_ISREG(st.st_mode))
		status = copy_file(from, name, to, to_name, st.st_mode, e);
	else if (S_ISDIR(st.st_mode))
		status = copy_directory(from, name, to, to_name, st.st_mode,
		    links, e);
	else if (S_ISLNK(st.st_mode) && links != NULL)
		strvec_add(links, name);
	else if (S_ISLNK(st.st_mode))
		status = copy_link(from, name, to, to_name, e);
	if (status != 0 && strchr(name, '/') == NULL && S_ISDIR(st.st_mode) &&
	    strcmp(name, ".") != 0)
		return error_prefix(e, "%s", name);
	return status;
}
