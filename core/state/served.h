/*
 * A state directory in the hands of a server, from its start to its end.
 */
#ifndef CORE_STATE_SERVED_H
#define CORE_STATE_SERVED_H

#include "core/base/error.h"
#include "core/state/registry.h"

/*
 * Become the server of the directory, which is made where there is none: the
 * server's lock first, so that nobody begins a change any more, then the wait
 * for whoever is in the middle of one.  A shared one is withdrawn from its
 * group (withdraw.h), and the registry and the lock are new files then, so that
 * it does not matter who has the old ones open or mapped.
 *
 * The descriptor of the lock, for served_end(); or -1: ERROR_BUSY, another
 * server has it, or programs hold IPUs or own partitions by locks on the files
 * that go; ERROR_UNSUPPORTED, a later ipubox made the state; ERROR_DENIED, it
 * is shared, and only its owner and root can serve it.
 */
int	served_begin(const struct state_paths *, struct error *);

/*
 * Give a shared directory back to its group, and the lock: the last thing that
 * a server does.  -1: it stays withdrawn, and the lock is given back.
 */
int	served_end(const struct state_paths *, int lock, struct error *);

#endif
