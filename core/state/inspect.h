/*
 * A look at a state that changes nothing, whatever is wrong with it: nothing
 * is made, committed, repaired or locked.  For those who say what is wrong.
 */
#ifndef CORE_STATE_INSPECT_H
#define CORE_STATE_INSPECT_H

#include <sys/types.h>

#include <stdbool.h>

#include "core/base/error.h"
#include "core/state/lock.h"
#include "core/state/paths.h"
#include "core/state/state.h"

struct inspection {
	struct state_paths	 paths;
	struct error		 place;		/* why there are none, or "" */
	/* The directory: errno of stat(2), which the reader's text needs; 0, or
	   ENOENT where no state was made yet. */
	int			 directory_errno;
	int			 make_errno;	/* why the first command could
						   not make it, or 0 */
	uid_t			 owner;
	bool			 writable;	/* by this process */
	struct error		 ownership;	/* why it is refused, or "" */
	/* What its files say. */
	bool			 has_pod;
	bool			 secure;	/* who asks must be a user */
	struct error		 pod;		/* why not, or ERROR_NONE;
						   ERROR_NOT_FOUND: none was
						   made yet */
	struct snapshot		 snapshot;	/* owner[] may be NULL */
	struct error		*damage;	/* "FILE:LINE: text", each */
	int			 damage_count;
	/* The writer's lock. */
	bool			 locked;	/* and by whom: */
	struct lock_holder	 holder;
	bool			 served;	/* a server has it: */
	struct lock_holder	 server;
	bool			 withdrawn;	/* from its group */
	/* The registry. */
	struct error		 registry;	/* why it cannot be used, or
						   ERROR_NONE; ERROR_NOT_FOUND:
						   there is none */
	bool			 foreign;	/* of another state */
	bool			 half_written;	/* and nobody writes */
	uint32_t		*soc_errors;	/* per IPU, as the snapshot has
						   them; NULL: unknown */
};

/*
 * Look at the state of this process, and fill the inspection whatever is found:
 * it cannot fail.  inspect_release() frees what it holds.
 */
void	inspect_state(struct inspection *);
void	inspect_release(struct inspection *);

#endif
