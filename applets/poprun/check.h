/*
 * poprun --check: look at all that the job needs, and start and create
 * nothing.
 */
#ifndef APPLETS_POPRUN_CHECK_H
#define APPLETS_POPRUN_CHECK_H

#include <stdio.h>

#include "applets/poprun/check_table.h"
#include "core/base/error.h"

struct plan;
struct launch_settings;

/* Look, and print what was found.  The exit status: 1 where a check failed. */
int	check_run(const struct launch_settings *);

/*
 * The checks that there are for such a job alone, of this host.  To be called
 * after the launcher's; the plan's network is chosen.
 */
void	check_hosts_run_own(struct plan *, struct diagnosis *);

/*
 * Ask all other hosts by ssh, or by the agent, many at a time: this program
 * looks at them from within.  The columns are those of the plan's hosts, where
 * there is one more behind that of this host; `own` is the index of this
 * host's, which is left alone.  A host that cannot be reached has "reachable"
 * alone.
 */
void	check_hosts_run(const struct plan *, struct check_column *, int count,
	    int own);

/* "FILE __ipubox __check": the word. */
#define CHECK_REMOTE_WORD	"__check"

/*
 * Read a request (check_request.h) to its end from the descriptor, look at this
 * host, and print the answer (check_answer.h).  Nothing is created.  -1: there
 * was no request.
 */
int	check_remote_run(int in, FILE *out, struct error *);

#endif
