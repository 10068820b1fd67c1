/*
 * A state directory that is shared with a group (ownership.h), while a server
 * has it: it is withdrawn from the group, so that members come to the server or
 * nowhere.
 *
 *	STATE		2770 becomes 3750: the group may pass, to the server's
 *			socket; the sticky bit says that it is withdrawn
 *	files in it	new ones with the same texts, 0600: who has one of the
 *			old ones open or mapped can do no harm with that
 *
 * What the server did not come to give back, for it was killed, the next
 * command of the directory's owner or root gives back.  Private to core/state.
 */
#ifndef CORE_STATE_WITHDRAW_H
#define CORE_STATE_WITHDRAW_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"

/*
 * Whether it is shared, or was withdrawn before.  -1: it is to be withdrawn,
 * and this process is neither root nor its owner (ERROR_DENIED).
 */
int	withdraw_is_needed(const struct directory *, bool *needed,
	    struct error *);

/* One that is its owner's alone: so is what is in it, where others may be let
   pass to the socket of a server. */
void	withdraw_tighten(const struct directory *);

/*
 * Withdraw it: the rights of the directory, then all that is in it but the
 * lock.  After a failure or a kill it is done again from the beginning, or
 * given back.  Under the writer's lock.
 */
int	withdraw_begin(const struct directory *, struct error *);

/* Give it back, where it is withdrawn and this process may; the registry
   follows as ownership_share_registry() has it.  Under the writer's lock. */
int	withdraw_end(const struct directory *, struct error *);

#endif
