/*
 * --synchronise-python-venv and --synchronise-poplar-sdk: a directory is copied
 * to the same path on the other hosts of a job.
 *
 * rsync, where both sides have it, changes what differs.  Else tar unpacks all
 * of it beside the old directory, and takes its place when it is whole.
 */
#ifndef CORE_LAUNCH_PLAN_SYNCHRONISE_H
#define CORE_LAUNCH_PLAN_SYNCHRONISE_H

#include <signal.h>

#include "core/base/error.h"

struct plan;

/*
 * The directories of a job, to be freed.  NULL: there is none that can be
 * copied, and the reason says what to set; see synchronise_check_path().
 */
char	*synchronise_venv(struct error *);
char	*synchronise_sdk(const struct plan *, struct error *);

/*
 * Refuse what is never an environment of its own: a path that is not absolute
 * or not a directory, "/", and the home (NULL: there is none) or one that the
 * home is in.  `what` begins the reason.
 */
int	synchronise_check_path(const char *what, const char *path,
	    const char *home, struct error *);

/*
 * Copy it to the other hosts.  One that has the very same directory, on a file
 * system that they share, is passed over.  0, or the exit status, and it was
 * told.
 */
int	synchronise_directory(const struct plan *, const char *option,
	    const char *path, const sigset_t *mask);

#endif
