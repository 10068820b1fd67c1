/* The order of waiting requests. */
#include "core/server/rpc/rpc_connection.h"

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

#define MS INT64_C(1000000)

enum { NOW_MS = 1000 * 1000, MINUTE_MS = 60 * 1000 };

static struct rpc_host host;

/* An address: the time used by all its connections, and when a user of it was
   seen; 0: never. */
static struct rpc_origin
make_origin(int64_t used_ms, int64_t user_ms)
{
	return (struct rpc_origin){ .spent = { used_ms * MS, NOW_MS * MS },
		.user_ns = user_ms * MS };
}

/* A connection with so many calls that wait. */
static struct rpc_connection *
make_connection(struct rpc_origin *o, int64_t used_ms, bool is_stranger,
    int calls)
{
	struct rpc_connection *c = xcalloc(1, sizeof(*c));
	struct rpc_call *call;

	c->host = &host;
	c->origin = o;
	c->spent = (struct rpc_spent){ used_ms * MS, NOW_MS * MS };
	c->is_stranger = is_stranger;
	TAILQ_INIT(&c->waiting);
	while (calls-- > 0) {
		call = xcalloc(1, sizeof(*call));
		call->connection = c;
		rpc_turns_wait(call);
	}
	return c;
}

/* Begin a turn that has lasted so long. */
static void
begin(int64_t ms)
{
	rpc_turns_begin(&host);
	host.has_turn = true;
	host.clock_ns = NOW_MS * MS;
	host.turn_ns = host.clock_ns - ms * MS;
}

/* Whether the next request is this connection's; NULL: none is left. */
static void
is_next(const struct rpc_connection *c, const char *name)
{
	struct rpc_call *call = rpc_turns_next(&host);

	ok(c == NULL ? call == NULL : call != NULL && call->connection == c,
	    name);
	free(call);
}

static void
test_order(void)
{
	struct rpc_origin light = make_origin(9, 0), heavy = make_origin(10, 0),
			  known = make_origin(0, NOW_MS - 9 * MINUTE_MS),
			  old = make_origin(0, NOW_MS - 11 * MINUTE_MS);
	struct rpc_connection *c[] = { make_connection(&light, 10, false, 1),
		make_connection(&heavy, 0, true, 1),
		make_connection(&light, 0, true, 1),
		make_connection(&old, 0, true, 1),
		make_connection(&heavy, 0, false, 1),
		make_connection(&light, 9, false, 2),
		make_connection(&known, 0, true, 1) };
	size_t i;

	begin(0);
	is_next(c[5], "a user");
	is_next(c[6], "a newcomer where a user was");
	is_next(c[5], "the user's second request");
	is_next(c[4], "a user at a heavy address");
	is_next(c[2], "a stranger");
	is_next(c[3], "a newcomer where a user was long ago");
	is_next(c[0], "a heavy user");
	is_next(c[1], "a stranger at a heavy address");
	is_next(NULL, "no more");
	ok(rpc_turns_is_empty(&host), "all are served");
	for (i = 0; i < ARRAY_SIZE(c); i++)
		free(c[i]);
}

/* A turn that is over leaves none of the classes out. */
static void
test_end(void)
{
	struct rpc_origin o = make_origin(0, 0);
	struct rpc_connection *heavy = make_connection(&o, 10, true, 2),
			      *user = make_connection(&o, 0, false, 3);

	begin(1);
	is_next(user, "a user in time");
	begin(2);
	is_next(user, "a user");
	is_next(heavy, "a heavy one");
	is_next(NULL, "the turn is over");
	begin(2);
	is_next(user, "the user in the next turn");
	is_next(heavy, "and the heavy one");
	is_next(NULL, "no more");
	free(user);
	free(heavy);
}

int
main(void)
{
	rpc_turns_init(&host);
	host.clock_ns = NOW_MS * MS;
	test_order();
	test_end();
	return tap_done();
}
