/*
 * --bring-ipubox: a job on hosts that do not have this ipubox.  It is copied
 * into the directory that the job has on each of its hosts, and goes with it.
 */
#ifndef CORE_LAUNCH_PLAN_BRING_H
#define CORE_LAUNCH_PLAN_BRING_H

#include <signal.h>
#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

struct plan;

struct bring {
	char	*own;		/* this program's file */
	char	*file;		/* what runs on the hosts in its place; NULL:
				   it is there already */
	bool	 left;		/* it was brought, and no job has taken it over
				   that would remove it */
};

/* The end of one. */
void	bring_release(struct bring *);

/*
 * Ask the other hosts whether they have this file, and plan->bring.file says
 * whether it has to be brought.  0, or the exit status, and it was told.
 */
int	bring_ask(struct plan *, const sigset_t *mask);

/* Before each start of the job: bring it, where that is planned.  As
   bring_ask(). */
int	bring_place(struct plan *, const sigset_t *mask);

/*
 * Where a start left it, as one that failed does, remove it from all hosts; a
 * host that cannot be reached is passed over.
 */
void	bring_remove(struct plan *, const sigset_t *mask);

/*
 * The words that run the plan's program on the hosts: an applet of this very
 * file is run from the one that is brought.
 */
void	bring_add_program(const struct plan *, struct strvec *words);

#endif
