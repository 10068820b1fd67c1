/*
 * How a command on a host ended, and what the script reports of the host.
 */
#ifndef APPLETS_COPY_SSH_OUTCOME_H
#define APPLETS_COPY_SSH_OUTCOME_H

#include "applets/copy-ssh/copy-ssh_internal.h"
#include "applets/copy-ssh/reply.h"

/* With what the lines of the script begin. */
#define MARK	"copy-ssh"

/*
 * How a command ended: where not well, the check that failed, why, and the
 * remedy.  `name` is the host's.
 */
enum ssh_outcome { OUTCOME_DONE, OUTCOME_DENIED, OUTCOME_FAILED };
enum situation { WHILE_SETTING_UP, WHEN_AUTHORISED, WHILE_VERIFYING };
enum ssh_outcome	outcome_judge(const struct copy_ssh_run *,
	    const char *name,
		    const struct child *, enum situation, enum host_check *,
		    struct error *);

/* Read what the script says of the host: its name, key, changes. */
void	outcome_read_host(struct copy_ssh_run *, struct host *,
	    const struct child *);
/* Whether the line is one of those, which was read then. */
bool	outcome_read_line(struct copy_ssh_run *, struct host *,
	    const struct reply *);

#endif
