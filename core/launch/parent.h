/*
 * The parent of an instance that an engine starts (mpirun, later srun): a small
 * process of this program between the engine and the instance.
 *
 *	mpirun --> keeper --> parent --> instance --> ...
 *	                         |
 *	                     the link --> poprun
 *
 * The keeper is what the engine may kill (parent_keeper.h).  The parent dials
 * poprun, starts the program when poprun says so, brings what the program
 * writes to poprun, whole and in order, passes signals on, and is the subreaper
 * of all that the program starts: when poprun says so, when the link is over,
 * or when the engine ends it (SIGTERM), it ends that whole tree.  It stays
 * until poprun releases it, so that one that has failed does not make the
 * engine end the others before their time.
 *
 * The variables IPUBOX_LINK and IPUBOX_LINK_SECRET are taken out of the
 * program's environment, and IPUOF_CONFIG_PATH, which a host may have set
 * (parent_host.h).
 */
#ifndef CORE_LAUNCH_PARENT_H
#define CORE_LAUNCH_PARENT_H

#include "core/base/error.h"

/* "FILE __parent INSTANCE PROGRAM ARGUMENT ...": the word. */
#define PARENT_WORD	"__parent"

/*
 * Be the parent of the program argv[0] with its arguments, as instance
 * `instance`.  0 where poprun has released it, whatever became of the program:
 * poprun knows it, and an engine that sees a failure would only end the others
 * once more.  -1 and the reason where poprun cannot be reached, or no longer;
 * PARENT_KEEPER_CUT_OFF where its host was silent for too long.
 */
int	parent_run(int instance, char *const *argv, struct error *);

#endif
