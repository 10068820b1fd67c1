/*
 * Copying the slots into a file that nobody else has open.
 */
#include "core/state/slots_renew.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/state/paths.h"
#include "core/state/slots.h"
#include "core/state/slots_layout.h"

/* What a file of slots has at most. */
#define RENEW_BYTES_MAX \
    (sizeof(struct slots_header) + POD_IPUS_MAX * sizeof(struct ipu_slot))

int
slots_renew_hold(const struct state_paths *paths, int *fd, struct error *e)
{
	char		*path = xasprintf("%s.slots", paths->registry);
	struct stat	 st;
	int		 status = 0;

	*fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (*fd != -1 && (fstat(*fd, &st) != 0 || !S_ISREG(st.st_mode))) {
		(void)close(*fd);
		*fd = -1;
	} else if (*fd == -1 && errno != ENOENT && errno != ELOOP) {
		status = error_set_errno(e, "cannot open registry %s", path);
	} else if (*fd != -1 && slots_lock_all(*fd) != 0) {
		status = error_set_code(e, ERROR_BUSY, "registry %s must be "
		    "made anew for a server, for others may write it, but "
		    "programs are attached to IPUs through it; end them first "
		    "(fuser %s names them)", path, path);
		(void)close(*fd);
		*fd = -1;
	}
	free(path);
	return status;
}

/* All of it, as far as it can be slots. */
static int
renew_copy(int from, int to)
{
	char	buffer[1 << 16];
	off_t	at = 0;
	ssize_t	n;

	while ((size_t)at < RENEW_BYTES_MAX &&
	    (n = pread(from, buffer, sizeof(buffer), at)) != 0) {
		if (n == -1 || file_put(to, buffer, (size_t)n) != 0)
			return -1;
		at += n;
	}
	return 0;
}

int
slots_renew(const struct state_paths *paths, int old, struct error *e)
{
	char	*path = xasprintf("%s.slots", paths->registry);
	char	*fresh = xasprintf("%s.new", path);
	int	 fd = -1, status = -1;

	if (unlink(fresh) != 0 && errno != ENOENT)
		(void)error_set_errno(e, "cannot remove %s", fresh);
	else if (old == -1 && (unlink(path) == 0 || errno == ENOENT))
		status = 0;
	else if (old != -1 && (fd = open(fresh, O_RDWR | O_CREAT | O_EXCL |
	    O_NOFOLLOW | O_CLOEXEC, 0600)) != -1 && renew_copy(old, fd) == 0 &&
	    rename(fresh, path) == 0)
		status = 0;
	else
		(void)error_set_errno(e, "cannot make registry %s anew", path);
	if (status != 0 && fd != -1)
		(void)unlink(fresh);
	if (fd != -1)
		(void)close(fd);
	free(fresh);
	free(path);
	return status;
}
