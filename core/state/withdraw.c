/*
 * Withdrawing a shared state directory from its group, and giving it back.
 * Read withdraw.h first, then withdraw_begin().
 */
#include "core/state/withdraw.h"

#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/state/ownership.h"

enum { WITHDRAW_FILE_MAX = 16 << 20 };	/* bytes */

/* Of <linux/fs.h>, which musl has not. */
#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE	(1U << 1)
#endif

/* What lasts is copied; the others are made when somebody needs them. */
static const char *const	withdraw_lasting[] = {
	"agents", "clusters", "allocations", "users", "partitions"
};
static const char *const	withdraw_passing[] = {
	"waiting", "new", "patch"
};

int
withdraw_is_needed(const struct directory *d, bool *needed, struct error *e)
{
	struct stat	st;

	if (fstat(d->fd, &st) != 0)
		return error_set_errno(e, "state folder %s", d->path);
	*needed = directory_is_shared(st.st_mode) ||
	    ownership_is_withdrawn(st.st_mode);
	if (!*needed || geteuid() == 0 || geteuid() == st.st_uid)
		return 0;
	return error_set_code(e, ERROR_DENIED, "the state folder %s is shared "
	    "with its group: only its owner, uid %u, or root can serve it",
	    d->path, (unsigned)st.st_uid);
}

/* Rights that somebody gave by hand: nothing where they cannot be taken. */
static void
withdraw_tighten_name(const struct directory *d, const char *name)
{
	struct stat	st;
	int		fd = openat(d->fd, name, O_RDONLY | O_NOFOLLOW |
	    O_NONBLOCK | O_CLOEXEC);

	if (fd == -1)
		return;
	if (fstat(fd, &st) == 0 && (st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		(void)fchmod(fd, st.st_mode & S_IRWXU);
	(void)close(fd);
}

void
withdraw_tighten(const struct directory *d)
{
	size_t	i;

	withdraw_tighten_name(d, "lock");
	withdraw_tighten_name(d, "pod.ini");
	for (i = 0; i < ARRAY_SIZE(withdraw_lasting); i++)
		withdraw_tighten_name(d, withdraw_lasting[i]);
	for (i = 0; i < ARRAY_SIZE(withdraw_passing); i++)
		withdraw_tighten_name(d, withdraw_passing[i]);
}

/* The directory's own mode, with some bits more and some less. */
static int
withdraw_set_mode(const struct directory *d, mode_t more, mode_t less,
    struct error *e)
{
	struct stat	st;
	int		fd = openat(d->fd, ".", O_RDONLY | O_DIRECTORY |
	    O_CLOEXEC);
	int		status = 0;

	if (fd == -1 || fstat(fd, &st) != 0 ||
	    fchmod(fd, ((st.st_mode & 07777) | more) & ~less) != 0)
		status = error_set_errno(e, "cannot change the rights of %s",
		    d->path);
	if (fd != -1)
		(void)close(fd);
	return status;
}

/* The text of one file, as a new one of that name. */
static int
withdraw_copy_file(const struct directory *from, const struct directory *to,
    const char *name, struct error *e)
{
	size_t	 size;
	char	*text = file_read_at(from, name, WITHDRAW_FILE_MAX, &size, e);
	int	 status;

	if (text == NULL)
		return -1;
	status = file_write(to, name, text, size, e);
	free(text);
	return status;
}

static int
withdraw_copy_files(const struct directory *from, const struct directory *to,
    struct error *e)
{
	char	**names;
	long	  i, count = directory_names(from, "", &names, e);
	int	  status = count == -1 ? -1 : 0;

	for (i = 0; i < count && status == 0; i++)
		status = withdraw_copy_file(from, to, names[i], e);
	if (count != -1)
		directory_names_free(names, count);
	return status == 0 ? directory_sync_all(to, e) : -1;
}

/* What an earlier attempt left, or the old one: nobody finds it any more. */
static void
withdraw_drop(const struct directory *d, const char *name)
{
	struct directory	below;
	char			**names;
	long			 i, count = -1;

	if (directory_open_below(d, name, &below, NULL) == 0)
		count = directory_names(&below, "", &names, NULL);
	/* In new/ there are directories of files. */
	for (i = 0; i < count; i++)
		if (unlinkat(below.fd, names[i], 0) != 0)
			(void)directory_remove_below(&below, names[i], NULL);
	if (count != -1)
		directory_names_free(names, count);
	directory_close(&below);
	(void)directory_remove_below(d, name, NULL);
}

/*
 * In place of a directory one that is this process's alone, with the same
 * files; whoever has the old one open has nothing.  They change places at once.
 */
static int
withdraw_directory(const struct directory *d, const char *name,
    struct error *e)
{
	struct directory	old, new = DIRECTORY_NONE;
	struct error		reason;
	char			*fresh = xasprintf(".%s.fresh", name);
	int			 status = directory_open_below(d, name, &old,
	    &reason);

	if (status == 0) {
		withdraw_drop(d, fresh);
		status = directory_make_below(d, fresh, &new, &reason);
		if (status == 0)
			status = withdraw_copy_files(&old, &new, &reason);
		if (status == 0 && syscall(SYS_renameat2, d->fd, fresh, d->fd,
		    name, RENAME_EXCHANGE) != 0)
			status = error_set_errno(&reason, "cannot replace "
			    "folder %s/%s", d->path, name);
		withdraw_drop(d, fresh);
	} else if (reason.code == ERROR_NOT_FOUND) {
		status = 0;
	}
	directory_close(&old);
	directory_close(&new);
	free(fresh);
	return status == 0 ? 0 : error_copy(e, &reason);
}

/* One of those that hold nothing between two changes. */
static void
withdraw_passing_directory(const struct directory *d, const char *name)
{
	char	*old = xasprintf(".%s.old", name);

	withdraw_drop(d, old);
	(void)renameat(d->fd, name, d->fd, old);
	withdraw_drop(d, old);
	free(old);
}

static int
withdraw_identity(const struct directory *d, struct error *e)
{
	struct error	reason;
	size_t		size;
	char		*text = file_read_at(d, "pod.ini", WITHDRAW_FILE_MAX,
	    &size, &reason);
	int		 status;

	if (text == NULL)
		return reason.code == ERROR_NOT_FOUND ? 0 :
		    error_copy(e, &reason);
	status = file_replace_at(d, "pod.ini", text, size, e);
	free(text);
	return status;
}

/* The rights come first: from then on nobody brings back what is replaced. */
int
withdraw_begin(const struct directory *d, struct error *e)
{
	struct stat	st;
	size_t		i;
	int		status = 0;

	if (fstat(d->fd, &st) == 0 && directory_is_shared(st.st_mode))
		status = withdraw_set_mode(d, S_ISVTX, S_IWGRP, e);
	for (i = 0; i < ARRAY_SIZE(withdraw_lasting) && status == 0; i++)
		status = withdraw_directory(d, withdraw_lasting[i], e);
	for (i = 0; i < ARRAY_SIZE(withdraw_passing) && status == 0; i++)
		withdraw_passing_directory(d, withdraw_passing[i]);
	if (status == 0)
		status = withdraw_identity(d, e);
	return status == 0 ? directory_sync(d, e) : -1;
}

int
withdraw_end(const struct directory *d, struct error *e)
{
	struct stat	st;

	if (fstat(d->fd, &st) != 0 || !ownership_is_withdrawn(st.st_mode) ||
	    (geteuid() != 0 && geteuid() != st.st_uid))
		return 0;
	/* The lock and pod.ini as well: partitions/ is not the group's. */
	return withdraw_set_mode(d, S_IWGRP, S_ISVTX, e) != 0 ? -1 :
	    ownership_adopt(d, e);
}
