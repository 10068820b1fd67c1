/*
 * The embedded controller: the rules of core/pod over the state directory of
 * this host.  This file opens it and has the table of its functions; each
 * function is in the file that its name begins with.
 */
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/control/config.h"
#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/state/state.h"

static void
close_state(struct controller *c)
{
	state_close(&c->state);
}

static int
open_registry(struct controller *c, struct registry *r, struct error *e)
{
	(void)c;
	return reader_open(r, e);
}

static int
list_users(struct controller *c, struct user **out, struct error *e)
{
	return user_store_list(&c->state, out, e);
}

/* The state of this host has the machines in any case. */
static int
list_partitions(struct controller *c, bool agents, struct snapshot *s,
    struct error *e)
{
	(void)agents;
	return transaction_embedded_list(c, s, e);
}

static const struct controller_operations operations = {
	.close = close_state,
	.list = transaction_embedded_list,
	.list_partitions = list_partitions,
	.open_registry = open_registry,
	.create = create_embedded,
	.queue = queue_embedded,
	.list_waiting = queue_embedded_list,
	.adopt = adopt_embedded,
	.remove = remove_embedded,
	.check_unused = hold_check,
	.reset = reset_embedded,
	.change_pod = pod_change_embedded,
	.test_cluster = cluster_test_embedded,
	.inject = inject_embedded,
	.get_user = users_embedded_get,
	.list_users = list_users,
	.create_user = users_embedded_create,
	.update_user = users_embedded_update,
	.remove_user = users_embedded_remove,
};

struct controller *
embedded_controller_open(const struct caller *caller, struct error *e)
{
	struct controller *c;
	struct caller configured;

	if (caller == NULL) {
		if (config_read_caller(&configured, e) != 0)
			return NULL;
		caller = &configured;
	}
	c = xmalloc(sizeof(*c));
	controller_init(c);
	c->operations = &operations;
	if (settings_emulate_sdk(NULL, &c->versions, NULL, e) == 0 &&
	    settings_share_partitions(&c->shares_partitions, e) == 0 &&
	    state_open(&c->state, e) == 0) {
		if (login_caller(c, caller, e) == 0)
			return c;
		state_close(&c->state);
	}
	free(c);
	return NULL;
}
