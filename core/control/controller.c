/*
 * The embedded controller: the rules of core/pod over the state directory of
 * this host.  This is its opening and closing; each thing that it can be
 * asked for has a file of its own, which controller.h lists.
 */
#include "core/control/controller.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/control/config.h"
#include "core/control/controller_internal.h"
#include "core/control/ipuof.h"
#include "core/control/lifecycle.h"
#include "core/pod/placement.h"
#include "core/pod/routing.h"
#include "core/state/settings.h"

void
controller_init(struct controller *c)
{
	memset(c, 0, sizeof(*c));
	c->now_ms = clock_real_ms;
	c->monotonic_ms = clock_monotonic_ms;
	c->sleep_ms = clock_sleep_ms;
	versions_guide(&c->versions);
}

/*
 * Whom the environment and the files name; another host than this one is
 * refused.
 */
static int
default_caller(struct caller *caller, struct error *e)
{
	struct server_request	server;
	struct config		config;

	if (config_read(&config, NULL, e) != 0)
		return -1;
	server = config_server(&config);
	return server_address_require_local(&server, e) == 0 ?
	    config_caller(&config, caller, e) : -1;
}

struct controller *
controller_open_local(const struct caller *caller, struct error *e)
{
	struct controller	*c;
	struct caller		 named;

	if (caller == NULL && default_caller(&named, e) != 0)
		return NULL;
	c = xmalloc(sizeof(*c));
	controller_init(c);
	if (settings_emulate_sdk(NULL, &c->versions, NULL, e) == 0 &&
	    state_open(&c->state, e) == 0) {
		if (login_caller(c, caller != NULL ? caller : &named, e) == 0)
			return c;
		state_close(&c->state);
	}
	free(c);
	return NULL;
}

void
controller_close(struct controller *c)
{
	if (c == NULL)
		return;
	state_close(&c->state);
	free(c);
}

const char *
controller_left(const struct controller *c)
{
	return c != NULL && c->left.text[0] != '\0' ? c->left.text : NULL;
}
