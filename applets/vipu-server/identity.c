/*
 * The identity of a caller, from the socket and the metadata of a call, and
 * the right keys and the wrong ones that callers gave.
 */
#include "applets/vipu-server/identity.h"

#include <bsd/string.h>

#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "core/base/parse.h"
#include "core/server/server.h"

enum { KEY_WEIGHT = 1000 }; /* weight of one wrong key in a bucket */

/* Compare in constant time. */
static bool
ring_is_same(const char a[SECRET_SIZE], const char b[SECRET_SIZE])
{
	unsigned differ = 0;
	int i;

	for (i = 0; i < SECRET_SIZE; i++)
		differ |= (unsigned)(a[i] ^ b[i]);
	return differ == 0;
}

void
key_ring_find(const struct key_ring *r, struct caller *c)
{
	int i;

	for (i = 0; i < KEY_RING_KEYS && c->key[0] != '\0'; i++)
		if (strcmp(r->keys[i].user, c->user) == 0 &&
		    ring_is_same(r->keys[i].key, c->key))
			(void)strlcpy(c->hash, r->keys[i].hash,
			    sizeof(c->hash));
}

/* A new key of a user replaces the old one. */
void
key_ring_keep(struct key_ring *r, const struct caller *c, const char *hash)
{
	int i, at = r->next;

	for (i = 0; i < KEY_RING_KEYS; i++)
		if (strcmp(r->keys[i].user, c->user) == 0)
			at = i;
	if (at == r->next)
		r->next = (r->next + 1) % KEY_RING_KEYS;
	(void)strlcpy(r->keys[at].user, c->user, sizeof(r->keys[at].user));
	memcpy(r->keys[at].key, c->key, sizeof(r->keys[at].key));
	(void)strlcpy(r->keys[at].hash, hash, sizeof(r->keys[at].hash));
}

/* Return the level of a bucket that loses so many keys each second. */
static int64_t
ring_level(const struct key_ring_bucket *b, int64_t keys_per_s, int64_t now_ms)
{
	int64_t gone = (now_ms - b->since_ms) * keys_per_s;

	return b->level > gone ? b->level - gone : 0;
}

static void
ring_add(struct key_ring_bucket *b, int64_t keys_per_s, int64_t now_ms)
{
	b->level = ring_level(b, keys_per_s, now_ms) + KEY_WEIGHT;
	b->since_ms = now_ms;
}

/* Return the index of the address's bucket, or -1. */
static int
ring_find(const struct key_ring *r, uint64_t origin)
{
	int i;

	for (i = 0; i < KEY_RING_ADDRESSES; i++)
		if (r->addresses[i].origin == origin)
			return i;
	return -1;
}

bool
key_ring_may_try(const struct key_ring *r, uint64_t origin, int64_t now_ms)
{
	const int at = ring_find(r, origin);

	if (ring_level(&r->all, KEY_RING_ALL, now_ms) >
	    (KEY_RING_ALL - 1) * KEY_WEIGHT)
		return false;
	return at == -1 ||
	    ring_level(&r->addresses[at], 1, now_ms) <=
	    (KEY_RING_BURST - 1) * KEY_WEIGHT;
}

/* A new address replaces the one that was silent longest. */
void
key_ring_wrong(struct key_ring *r, uint64_t origin, int64_t now_ms)
{
	int at, i;

	ring_add(&r->all, KEY_RING_ALL, now_ms);
	if ((at = ring_find(r, origin)) == -1) {
		for (at = 0, i = 1; i < KEY_RING_ADDRESSES; i++)
			if (r->addresses[i].since_ms <
			    r->addresses[at].since_ms)
				at = i;
		r->addresses[at] = (struct key_ring_bucket){ .origin = origin };
	}
	ring_add(&r->addresses[at], 1, now_ms);
}

bool
identity_administers(const char *list, const char *name)
{
	size_t size = strlen(name), n;

	for (; *list != '\0'; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (size != 0 && n == size && memcmp(list, name, n) == 0)
			return true;
	}
	return false;
}

/* Read a user and a key from the metadata. */
static int
identity_read_metadata(struct identity *id, const struct rpc_call *call,
    struct error *e)
{
	const char *user = rpc_call_metadata(call, CALLER_METADATA_USER);
	const char *key = rpc_call_metadata(call, CALLER_METADATA_KEY);

	if (user == NULL && key != NULL)
		return error_set_code(e, ERROR_UNAUTHENTICATED,
		    "metadata " CALLER_METADATA_KEY
		    " is given without " CALLER_METADATA_USER
		    "; also name the user of the key");
	if (user == NULL)
		return 0;
	if (name_parse("user", user, id->caller.user, e) != 0)
		return error_recode(e, ERROR_UNAUTHENTICATED);
	if (key != NULL &&
	    strlcpy(id->caller.key, key, sizeof(id->caller.key)) >=
		sizeof(id->caller.key))
		return error_set_code(e, ERROR_UNAUTHENTICATED,
		    "metadata " CALLER_METADATA_KEY
		    ": the access key must be shorter than %zu characters",
		    sizeof(id->caller.key));
	return 0;
}

/* Read the identity that the kernel reports; it needs no key. */
static void
identity_read_peer(struct identity *id, const struct rpc_peer *peer,
    const struct identity_rules *rules)
{
	const struct passwd *account;

	if (peer->uid == 0 || peer->uid == geteuid()) {
		id->caller.admin = true;
		return;
	}
	account = getpwuid(peer->uid);
	if (!rules->secure || account == NULL ||
	    name_parse("user", account->pw_name, id->caller.user, NULL) != 0)
		return;
	id->caller.known = true;
	id->caller.admin = identity_administers(rules->administrators,
	    id->caller.user);
}

int
identity_read(struct identity *id, const struct rpc_call *call,
    const struct identity_rules *rules, struct error *e)
{
	const struct rpc_peer *peer = rpc_call_peer(call);
	const char *name;

	memset(id, 0, sizeof(*id));
	if (identity_read_metadata(id, call, e) != 0)
		return -1;
	/* A caller that names a user must show the key, even over the local
	   socket. */
	if (id->caller.user[0] == '\0' && peer->is_local)
		identity_read_peer(id, peer, rules);
	id->may_administer = id->caller.admin ||
	    (rules->secure ? identity_administers(rules->administrators,
				 id->caller.user) :
			     id->caller.user[0] == '\0');
	id->caller.reader = peer->is_local ? peer->uid :
	    id->may_administer		   ? 0 :
					     (uid_t)-1;
	name = id->caller.user[0] != '\0' ? id->caller.user :
	    id->caller.admin		  ? "administrator" :
					    "an unnamed user";
	(void)strlcpy(id->text, name, sizeof(id->text));
	(void)strlcat(id->text, ", ", sizeof(id->text));
	(void)strlcat(id->text, peer->text, sizeof(id->text));
	return 0;
}
