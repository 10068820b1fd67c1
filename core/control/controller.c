/*
 * Functions of every controller, embedded (embedded_controller.c) or on a
 * server.
 */
#include "core/control/control.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/control/controller_internal.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

void
controller_init(struct controller *c)
{
	memset(c, 0, sizeof(*c));
	c->now_ms = clock_real_ms;
	c->monotonic_ms = clock_monotonic_ms;
	c->sleep_ms = clock_sleep_ms;
	versions_guide(&c->versions);
}

const char *
controller_where(const struct controller *c)
{
	return c->where;
}

int
controller_version(struct controller *c, char version[CONTROLLER_VERSION_SIZE],
    struct error *e)
{
	return c->operations->version(c, version, e);
}

void
controller_close(struct controller *c)
{
	if (c == NULL)
		return;
	c->operations->close(c);
	free(c);
}

int
controller_hold(struct controller *c, int fd, struct error *e)
{
	return c->operations->hold(c, fd, e);
}

void
controller_leave(struct controller *c)
{
	c->operations->leave(c);
	controller_close(c);
}

int
controller_append_place(const struct controller *c, struct error *e)
{
	return c->where == NULL ? paths_append_place(e) :
				  error_append(e, "\n(server: %s)", c->where);
}

void
controller_set_files(struct controller *c, const char *directory)
{
	(void)strlcpy(c->files, directory, sizeof(c->files));
}

const char *
controller_leftover(const struct controller *c)
{
	return c != NULL && c->left.text[0] != '\0' ? c->left.text : NULL;
}

int
controller_list_ipus(struct controller *c, char **agents, size_t agent_count,
    struct ipu_listing *listing, struct error *e)
{
	*listing = (struct ipu_listing){ .count = 0 };
	if (c->operations->list_ipus == NULL)
		return 0;
	return c->operations->list_ipus(c, agents, agent_count, listing, e) ==
		0 ?
	    1 :
	    -1;
}

void
controller_free_ipus(struct ipu_listing *listing)
{
	struct reported_ipu *u;
	size_t i, k;

	for (k = 0; k < listing->count; k++) {
		u = &listing->ipus[k];
		for (i = 0; i < u->count; i++) {
			free(u->attributes[i].key);
			free(u->attributes[i].value);
		}
		free(u->attributes);
	}
	free(listing->ipus);
	*listing = (struct ipu_listing){ .count = 0 };
}
