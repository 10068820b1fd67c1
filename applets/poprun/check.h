/*
 * poprun --check: look at all that the job needs, and start and create
 * nothing.
 */
#ifndef APPLETS_POPRUN_CHECK_H
#define APPLETS_POPRUN_CHECK_H

#include "core/diag/diagnosis.h"

struct plan;
struct poprun_settings;

/* Look, and print what was found.  The exit status: 1 where a check failed. */
int	check_run(const struct poprun_settings *);

/*
 * The checks of a host, each with a name of its own, added to the diagnosis.
 * check_files.c: the program, what its arguments name, the directories that
 * are written.  check_host.c: memory, limits, cores, ports, terminals.
 */
void	check_files_run(struct plan *, struct diagnosis *);
void	check_host_run(const struct plan *, struct diagnosis *);

/*
 * Room below a directory for `what` ("--log-dir logs"): a failure where
 * nothing can be written there, a warning where there is little.
 */
void	check_room_for(struct diagnosis *, const char *what, const char *path);

#endif
