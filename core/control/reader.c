/*
 * Opening the registry for programs that only read it: what time has
 * overtaken is brought up first, and what dead owners left is removed, by a
 * controller that lives for a moment.
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
 * Whether this process may act for the state: it can take its lock.  Where
 * there is no such directory, as in a container that has but the registry, none
 * is to be made.
 */
static bool
may_act(void)
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

/* Let happen what is due; 0 when that may have changed something. */
static int
act(void)
{
	struct controller c;
	int status;

	if (!may_act())
		return -1;
	controller_init(&c);
	if (state_open(&c.state, NULL) != 0)
		return -1;
	status = transaction_catch_up(&c);
	state_close(&c.state);
	return status;
}

/* Whether something is due, or a partition's owner is gone. */
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
	if (!has_work(r) || act() != 0)
		return 0;
	/* It may have been made again. */
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
