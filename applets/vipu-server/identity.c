/*
 * The identity of a caller, from the socket and the metadata of a call.
 */
#include "applets/vipu-server/identity.h"

#include <bsd/string.h>

#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "core/base/parse.h"
#include "core/server/server.h"

/* Whether the list of names contains the name. */
static bool
identity_is_listed(const char *list, const char *name)
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
	id->caller.admin = identity_is_listed(rules->administrators,
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
	    (rules->secure ?
		    identity_is_listed(rules->administrators, id->caller.user) :
		    id->caller.user[0] == '\0');
	name = id->caller.user[0] != '\0' ? id->caller.user :
	    id->caller.admin		  ? "administrator" :
					    "an unnamed user";
	(void)strlcpy(id->text, name, sizeof(id->text));
	(void)strlcat(id->text, ", ", sizeof(id->text));
	(void)strlcat(id->text, peer->text, sizeof(id->text));
	return 0;
}
