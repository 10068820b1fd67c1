/*
 * Opening the registry for programs that only read it.  A short-lived
 * controller first applies overdue events and removes what dead owners left.
 */
#include "core/control/control.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/control/controller_internal.h"
#include "core/state/state.h"

/*
 * Whether this process may act for the state, by taking its lock.  If the
 * directory does not exist, as in a container that only has the registry, it
 * must not be created.
 */
static bool
may_change_state(void)
{
	struct state_paths paths;
	char *lock;
	bool may;

	if (paths_find(&paths, NULL) != 0)
		return false;
	lock = xasprintf("%s/lock", paths.directory);
	may = access(lock, W_OK) == 0;
	free(lock);
	return may;
}

/* Apply due events; 0: something may have changed. */
static int
catch_up(void)
{
	struct controller c;
	int status;

	if (!may_change_state())
		return -1;
	controller_init(&c);
	if (state_open(&c.state, NULL) != 0)
		return -1;
	status = transaction_catch_up(&c);
	state_close(&c.state);
	return status;
}

/* Whether an event is due, or a partition's owner is gone. */
static bool
has_work(const struct registry *r)
{
	int64_t due_ms = registry_due(r);

	return (due_ms != 0 && due_ms <= clock_real_ms()) ||
	    owner_lock_any_gone(r);
}

int
reader_open(struct registry *r, struct error *e)
{
	if (state_open_reader(r, e) != 0)
		return -1;
	if (!has_work(r) || catch_up() != 0)
		return 0;
	/* It may have been rebuilt. */
	registry_close(r);
	return state_open_reader(r, e);
}

int
reader_open_beside(struct controller *c, struct registry *r, struct error *e)
{
	if (state_open_reader(r, e) != 0)
		return -1;
	if (!r->is_private)
		r->kept = c->state.kept;
	return 0;
}

int
reader_open_of(struct controller *c, struct registry *r, struct error *e)
{
	return c->operations->open_registry(c, r, e);
}
