/*
 * The checks of what a job needs on a host, for poprun --check.
 */
#ifndef CORE_DIAG_CHECK_HOST_H
#define CORE_DIAG_CHECK_HOST_H

#include <stdbool.h>

#include "core/base/strvec.h"
#include "core/diag/diagnosis.h"

struct plan;

/* What a job has on a host. */
struct check_load {
	int	instances;
	int	outputs;	/* of so many instances come together there */
	bool	pipes;		/* the user wants no pseudo terminals */
	bool	has_poprun;	/* it is the host that poprun runs on */
};

/*
 * The checks of a host, each with a name of its own, added to the diagnosis.
 * check_files.c: the program, what its arguments name, the directories that
 * are written.  check_host.c: memory, limits, cores, ports, terminals.
 */
void	check_files_run(struct plan *, struct diagnosis *);
void	check_host_run(const struct check_load *, struct diagnosis *);

/*
 * Parts of check_files_run() for another host.  The interpreter that a script
 * names in its first line; and the script and the paths among the program's
 * words, as they are seen from the directory, or from the current one where it
 * is NULL.  Paths in `present` are on poprun's host, and so must be there too;
 * NULL: this is that host.
 */
void	check_files_look_inside(const char *path, struct diagnosis *);
void	check_files_look_at_words(char *const *program, const char *directory,
	    const struct strvec *present, struct diagnosis *);

/*
 * The script of "python3 -u script.py", or NULL; and the part of "--data=DIR/x"
 * or "DIR/x" that looks like a path, or NULL.
 */
const char *check_files_find_script(char *const *program);
const char *check_files_find_path(const char *argument);

/* The first line of "FILE --version", which the caller frees, or NULL. */
char	*check_files_find_version(const char *file);

/*
 * Room below a directory for `what` ("--log-dir logs"): a failure where
 * nothing can be written there, a warning where there is little.
 */
void	check_room_for(struct diagnosis *, const char *what, const char *path);

#endif
