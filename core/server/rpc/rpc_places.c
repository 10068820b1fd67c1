/*
 * Counters of connections by address.  Addresses share the counters by chance,
 * which the peers do not know, so that no list of addresses has to be kept.
 */
#include "core/server/rpc/rpc_connection.h"

#include <bsd/stdlib.h>

#include <unistd.h>

void
rpc_places_init(struct rpc_host *h)
{
	size_t i;

	TAILQ_INIT(&h->connections);
	for (i = 0; i < RPC_LIMITS_ORIGINS; i++)
		TAILQ_INIT(&h->origins[i].silent);
	arc4random_buf(&h->seed, sizeof(h->seed));
}

/* Whether a peer may have any place, by its socket alone. */
static bool
is_owner(const struct rpc_peer *peer)
{
	return peer->is_local && (peer->uid == 0 || peer->uid == geteuid());
}

/* Return the counters of the peer's address: a multiplicative hash. */
static struct rpc_origin *
origin_of(struct rpc_host *h, const struct rpc_peer *peer)
{
	const uint64_t mixed = (peer->origin ^ h->seed) * 0x9e3779b97f4a7c15;

	return &h->origins[mixed >> 32 & (RPC_LIMITS_ORIGINS - 1)];
}

/* Whether it may go: no service works for it, or only to tell it of changes. */
static bool
is_idle(const struct rpc_connection *c)
{
	const struct rpc_call *call;

	TAILQ_FOREACH(call, &c->calls, link)
		if (!c->is_stranger ||
		    (call->is_taken && !call->is_done &&
			!call->method->is_watch))
			return false;
	return true;
}

/* Return the idle connection that was silent longest, a stranger's before a
   user's; or NULL.  *user is the first such connection of a user so far. */
static struct rpc_connection *
prefer_stranger(struct rpc_connection *c, struct rpc_connection **user)
{
	if ((*user != NULL && !c->is_stranger) || !is_idle(c))
		return NULL;
	if (!c->is_stranger)
		*user = c;
	return c->is_stranger ? c : NULL;
}

/* Return the idle connection that was silent longest, a stranger's before a
   user's, of all peers or of those of an origin; or NULL. */
static struct rpc_connection *
find_idle(const struct rpc_host *h, const struct rpc_origin *origin)
{
	struct rpc_connection *c, *found = NULL, *user = NULL;

	if (origin != NULL) {
		TAILQ_FOREACH(c, &origin->silent, origin_link)
			if ((found = prefer_stranger(c, &user)) != NULL)
				return found;
		return user;
	}
	TAILQ_FOREACH(c, &h->connections, link)
		if ((found = prefer_stranger(c, &user)) != NULL)
			return found;
	return user;
}

bool
rpc_places_find(struct rpc_host *h, const struct rpc_peer *peer,
    struct rpc_connection **leaving, const char **reason)
{
	const struct rpc_limits *l = &h->limits;
	const struct rpc_origin *origin = origin_of(h, peer);
	const bool owns = is_owner(peer),
		   is_many = !owns &&
	    origin->connections >= l->peer_connections;

	*leaving = NULL;
	if (!is_many &&
	    h->count < l->connections - (owns ? 0 : l->kept_for_root) &&
	    (owns || h->strangers < l->connections - l->kept_for_users))
		return true;
	*leaving = find_idle(h, is_many ? origin : NULL);
	if (*leaving == NULL)
		*reason = is_many ?
		    "its address or user has too many connections, and all of "
		    "them wait for answers" :
		    "too many connections are open, and all of them wait for "
		    "answers";
	else
		*reason = is_many ?
		    "its address or user has too many connections, and this "
		    "one was silent longest" :
		    "too many connections are open, and this one was silent "
		    "longest";
	return *leaving != NULL;
}

void
rpc_places_complain(struct rpc_connection *c, const char *reason)
{
	if (c->host->trouble != NULL && !c->has_complained)
		c->host->trouble(c->host->owner, &c->peer, reason);
	c->has_complained = true;
}

void
rpc_places_give_up(struct rpc_connection *c, const char *reason)
{
	rpc_places_complain(c, reason);
	c->is_over = true;
	rpc_turns_wake(c);
}

static bool
is_nearly(size_t count, size_t max)
{
	return count >= max - max / 16;
}

const struct rpc_peer *
rpc_places_crowd(struct rpc_host *h, unsigned *most)
{
	const struct rpc_limits *l = &h->limits;
	const struct rpc_connection *c, *found = NULL;

	TAILQ_FOREACH(c, &h->connections, link)
		if (c->origin->connections > *most) {
			*most = c->origin->connections;
			found = c;
		}
	/* Places come and go. */
	return found != NULL &&
		(is_nearly(*most, l->peer_connections) ||
		    is_nearly(h->strangers,
			l->connections - l->kept_for_users)) ?
	    &found->peer :
	    NULL;
}

void
rpc_places_take(struct rpc_connection *c)
{
	struct rpc_host *h = c->host;

	TAILQ_INSERT_TAIL(&h->connections, c, link);
	h->count++;
	c->origin = origin_of(h, &c->peer);
	TAILQ_INSERT_TAIL(&c->origin->silent, c, origin_link);
	c->origin->connections++;
	c->is_stranger = !is_owner(&c->peer);
	h->strangers += c->is_stranger;
}

void
rpc_places_hear(struct rpc_connection *c)
{
	TAILQ_REMOVE(&c->host->connections, c, link);
	TAILQ_INSERT_TAIL(&c->host->connections, c, link);
	TAILQ_REMOVE(&c->origin->silent, c, origin_link);
	TAILQ_INSERT_TAIL(&c->origin->silent, c, origin_link);
}

void
rpc_places_trust(struct rpc_connection *c)
{
	c->host->strangers -= c->is_stranger;
	c->is_stranger = false;
	c->origin->user_ns = c->host->clock_ns;
}

void
rpc_places_leave(struct rpc_connection *c)
{
	c->host->strangers -= c->is_stranger;
	c->origin->connections--;
	c->host->count--;
	TAILQ_REMOVE(&c->host->connections, c, link);
	TAILQ_REMOVE(&c->origin->silent, c, origin_link);
}

/* Return the connection that holds most, or NULL if calls hold little enough
   without those that are given up. */
static struct rpc_connection *
find_greedy(struct rpc_host *h)
{
	struct rpc_connection *c, *most = NULL, *stranger = NULL;
	size_t strangers = 0;

	if (h->held <= h->limits.held_bytes + h->leaving)
		return NULL;
	h->leaving = 0;
	TAILQ_FOREACH(c, &h->connections, link) {
		if (c->is_over) {
			h->leaving += c->owned;
			continue;
		}
		if (most == NULL || c->held > most->held)
			most = c;
		if (!c->is_stranger)
			continue;
		strangers += c->held;
		if (stranger == NULL || c->held > stranger->held)
			stranger = c;
	}
	if (h->held <= h->limits.held_bytes + h->leaving)
		return NULL;
	return strangers > h->limits.held_bytes / 2 ? stranger : most;
}

void
rpc_places_shed(struct rpc_host *h)
{
	struct rpc_connection *c;

	while ((c = find_greedy(h)) != NULL) {
		rpc_places_give_up(c,
		    "calls hold too much memory, and its calls most of it");
		h->leaving += c->owned;
	}
}
