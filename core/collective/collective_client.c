/*
 * A member of a job's collectives: ipubox's own use of the SDK's client, which
 * has the connection to poprun and the operations.
 */
#include "core/collective/collective.h"

#include <sys/socket.h>
#include <sys/time.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/sdk/lib/popdist_internal.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/element.h"
#include "core/collective/collective_message.h"

/* poprun enforces the time limits.  If no answer comes this long after one,
   poprun is stopped and the client gives up. */
enum { GRACE_MS = 5000, LOOK_MS = 100 };

struct collective_client {
	struct collective_member member;
	struct popdist_lane lane; /* unused by the only member */
	struct error why;	  /* set by look_on() if it ends a wait */
};

/* Called after a while without bytes; -1 ends the wait. */
static int
look_on(void *context)
{
	struct collective_client *c = context;

	if (c->member.look != NULL)
		return c->member.look(c->member.context, &c->why);
	return error_set_code(&c->why, ERROR_TIMED_OUT,
	    "poprun does not answer");
}

/* Limit the time for an answer; 0: no limit. */
static void
limit_wait(int fd, int64_t ms)
{
	const struct timeval limit = { .tv_sec = (time_t)(ms / 1000),
		.tv_usec = (suseconds_t)(ms % 1000 * 1000) };

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
}

/* Take over the SDK's error, or the one of look_on(). */
static int
client_failed(const struct collective_client *c, struct error *e)
{
	if (c->why.text[0] != '\0')
		return error_copy(e, &c->why);
	return error_set_code(e,
	    collective_message_error_code((uint32_t)popdist_error_code()), "%s",
	    popdist_error_text());
}

static int
join(struct collective_client *c, struct error *e)
{
	const struct collective_member *m = &c->member;
	const struct popdist_member member = { m->instance, m->group, m->member,
		m->members };
	const int64_t deadline_ms = m->timeout_ms == 0 ?
	    INT64_MAX :
	    clock_monotonic_ms() + m->timeout_ms;
	char *path = xasprintf("%s/collectives", m->directory);
	const int fd = link_address_connect_path(path, deadline_ms, e);

	free(path);
	if (fd == -1)
		return error_prefix(e, "the collectives of this job");
	if (m->look != NULL)
		limit_wait(fd, LOOK_MS);
	else if (m->timeout_ms != 0)
		limit_wait(fd, (int64_t)m->timeout_ms + GRACE_MS);
	c->lane.look = look_on;
	c->lane.context = c;
	return popdist_lane_use(&c->lane, fd, &member) == 0 ?
	    0 :
	    client_failed(c, e);
}

struct collective_client *
collective_client_open(const struct collective_member *m, struct error *e)
{
	struct collective_client *c = xcalloc(1, sizeof(*c));

	c->member = *m;
	c->lane.fd = -1;
	if (m->directory == NULL || join(c, e) == 0)
		return c;
	free(c);
	return NULL;
}

void
collective_client_close(struct collective_client *c, bool for_good)
{
	if (c == NULL)
		return;
	if (c->lane.fd != -1)
		popdist_lane_leave(&c->lane, for_good ? POPDIST_FOR_GOOD : 0);
	free(c);
}

/* Check early whatever can be, so that a job of one instance, which asks no
   server, refuses the same. */
static int
client_check(const struct collective_client *c, const struct popdist_call *call,
    struct error *e)
{
	const size_t bytes = strlen(call->id);
	const size_t size = element_size(call->type);

	if (bytes == 0 || bytes > COLLECTIVE_NAME_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "the id of a collective must have 1 to %d bytes, not %zu",
		    COLLECTIVE_NAME_MAX, bytes);
	if (call->operation == POPDIST_BARRIER)
		return 0;
	if (size == 0)
		return error_set_code(e, ERROR_INVALID,
		    "element type %d is not valid", call->type);
	if (call->operation == POPDIST_SUM && !element_is_summable(call->type))
		return error_set_code(e, ERROR_INVALID,
		    "'%s': %s cannot be added up", call->id,
		    element_name(call->type));
	if (call->root < 0 || call->root >= c->member.members)
		return error_set_code(e, ERROR_INVALID,
		    "'%s': root %d must be a number from 0 to %d", call->id,
		    call->root, c->member.members - 1);
	if (call->count <=
	    PTRDIFF_MAX / 4 / size / ((size_t)c->member.members + 1))
		return 0;
	return error_set_code(e, ERROR_NO_ROOM,
	    "%zu elements of each member are too many", call->count);
}

static int
operate(struct collective_client *c, struct popdist_call call, struct error *e)
{
	const struct collective_member *m = &c->member;
	const struct popdist_place place = {
		.lane = m->directory == NULL ? NULL : &c->lane,
		.communicator = "",
		.instance = m->member,
		.instances = m->members,
		.position = (uint32_t)m->member,
		.members = (uint32_t)m->members,
		.timeout_ms = (uint32_t)m->timeout_ms,
	};

	if (client_check(c, &call, e) != 0)
		return -1;
	if (place.lane != NULL && c->lane.fd == -1)
		return error_set_code(e, ERROR_UNAVAILABLE,
		    "the connection to poprun was lost earlier");
	if (m->look != NULL)
		(void)m->look(m->context, NULL);
	if (popdist_call_check(&call) != 0 ||
	    popdist_call_run(&call, &place) != 0)
		return client_failed(c, e);
	return 0;
}

int
collective_client_barrier(struct collective_client *c, const char *id,
    struct error *e)
{
	return operate(c,
	    (struct popdist_call){ .operation = POPDIST_BARRIER, .id = id }, e);
}

int
collective_client_sum(struct collective_client *c, const char *id, int type,
    void *data, size_t count, struct error *e)
{
	return operate(c,
	    (struct popdist_call){ .operation = POPDIST_SUM,
		.type = type,
		.count = count,
		.in = data,
		.out = data,
		.id = id },
	    e);
}

int
collective_client_gather(struct collective_client *c, const char *id, int type,
    const void *data, void *out, size_t count, struct error *e)
{
	return operate(c,
	    (struct popdist_call){ .operation = POPDIST_GATHER,
		.type = type,
		.count = count,
		.in = data,
		.out = out,
		.id = id },
	    e);
}

int
collective_client_broadcast(struct collective_client *c, const char *id,
    int type, void *data, size_t count, int root, struct error *e)
{
	return operate(c,
	    (struct popdist_call){ .operation = POPDIST_BROADCAST,
		.type = type,
		.count = count,
		.in = data,
		.out = data,
		.root = root,
		.id = id },
	    e);
}
