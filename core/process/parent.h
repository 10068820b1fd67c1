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
 * program's environment.
 */
#ifndef CORE_PROCESS_PARENT_H
#define CORE_PROCESS_PARENT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/process/link.h"

/* "FILE __parent INSTANCE PROGRAM ARGUMENT ...": the word. */
#define PARENT_WORD	"__parent"

/* What LINK_START says, as 32-bit numbers in this order. */
struct parent_start {
	int	grace_ms;		/* from SIGTERM to SIGKILL */
	int	terminal;		/* 1: stdout is a pseudo terminal */
	int	rows, columns;		/* of it */
	int	merge_errors;		/* 1: stderr goes where stdout does */
	int	placement;		/* enum binding_policy */
	int	local_index;		/* among so many instances of its host */
	int	local_count;
};

/* The body of LINK_START, PARENT_START_BYTES long. */
enum { PARENT_START_BYTES = 8 * 4 };
void	parent_put_start(const struct parent_start *,
	    unsigned char body[PARENT_START_BYTES]);
bool	parent_get_start(const struct link_message *, struct parent_start *);

/*
 * The words before the program's own for the engine's command line, so that
 * the engine takes none of the program's words for its own: Open MPI ends a
 * context at a word ":".  parent_hide_word() returns a text that the caller
 * frees; parent_run() turns it back.
 */
char	*parent_hide_word(const char *);

/*
 * Be the parent of the program argv[0] with its arguments, as instance
 * `instance`.  0 where poprun has released it, whatever became of the program:
 * poprun knows it, and an engine that sees a failure would only end the others
 * once more.  -1 and the reason where poprun cannot be reached, or not any more.
 */
int	parent_run(int instance, char *const *argv, struct error *);

#endif
