/*
 * Admission of callers and their rights.  An open pod admits all users of
 * its directory; in secure mode a caller names a user and shows its key.
 * config.h has the pure rules of what a user may see.
 */
#include "core/control/control.h"

#include <bsd/string.h>

#include <string.h>

#include "core/base/parse.h"
#include "core/control/controller_internal.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

static int
refuse_nobody(struct error *e)
{
	return error_set_code(e, ERROR_UNAUTHENTICATED,
	    "the pod is in secure mode, and no user is named; name the user's "
	    "file NAME.vipu-cli.hcl with --config or VIPU_CLI_CONFIG");
}

/* An unknown user and a wrong key look alike, in message and duration. */
static int
check_key(struct controller *c, const struct caller *caller, struct error *e)
{
	struct error reason;
	bool found =
	    user_store_get(&c->state, caller->user, &c->user, &reason) == 0;

	if (!found && reason.code != ERROR_NOT_FOUND)
		return error_copy(e, &reason);
	if (found &&
	    (caller->known ||
		(caller->hash[0] != '\0' &&
		    strcmp(caller->hash, c->user.hash) == 0)))
		return 0;
	if (caller->known ||
	    !secret_matches(caller->key, found ? c->user.hash : "")) {
		memset(&c->user, 0, sizeof(c->user));
		(void)error_set_code(e, ERROR_UNAUTHENTICATED,
		    "user %s is unknown, or this is not its access key",
		    caller->user);
		return paths_append_place(e);
	}
	return 0;
}

int
login_caller(struct controller *c, const struct caller *caller, struct error *e)
{
	c->admin = caller->admin;
	if (caller->admin) {
		/* A server has checked the name: it is recorded. */
		if (caller->known || caller->hash[0] != '\0')
			(void)strlcpy(c->user.name, caller->user,
			    sizeof(c->user.name));
		return 0;
	}
	if (caller->user[0] == '\0')
		return c->state.secure ? refuse_nobody(e) : 0;
	if (caller->key[0] == '\0' && !caller->known)
		return error_set_code(e, ERROR_UNAUTHENTICATED,
		    "user %s needs an access key; name the file "
		    "%s.vipu-cli.hcl with --config or VIPU_CLI_CONFIG",
		    caller->user, caller->user);
	return check_key(c, caller, e);
}

/* If the new caller is refused, the old one does not remain. */
int
login_switch(struct controller *c, const struct caller *caller, struct error *e)
{
	memset(&c->user, 0, sizeof(c->user));
	memset(&c->left, 0, sizeof(c->left));
	c->admin = false;
	c->state.reader = caller->reader;
	return login_caller(c, caller, e);
}

static int
refuse_changed(const char *user, struct error *e)
{
	return error_set_code(e, ERROR_UNAUTHENTICATED,
	    "user %s was removed or has another access key now", user);
}

/* Check that the partition, unless it is gone, is in the user's allocations. */
static int
check_allocation(struct controller *c, const struct user *u,
    const char *partition, struct error *e)
{
	struct snapshot s;
	int found, status = 0;

	if (snapshot_take(&c->state.registry, &s, e) != 0)
		return -1;
	found = snapshot_find(&s, partition);
	if (found != -1 && !access_allows(u, &s.pod, &s.partitions[found]))
		status = error_set_code(e, ERROR_UNAUTHENTICATED,
		    "the allocation of partition %s was taken away from user "
		    "%s",
		    partition, u->name);
	snapshot_release(&s);
	return status;
}

/* The kernel names administrators of this host, who need not be users. */
int
login_recheck(struct controller *c, const struct caller *caller,
    const char *partition, struct error *e)
{
	const bool has_key = caller->hash[0] != '\0';
	struct error reason;
	struct user now;

	if (caller->user[0] == '\0' || (caller->admin && !has_key))
		return 0;
	if (user_store_get(&c->state, caller->user, &now, &reason) != 0)
		return reason.code == ERROR_NOT_FOUND ?
		    refuse_changed(caller->user, e) :
		    error_copy(e, &reason);
	if (has_key && strcmp(now.hash, caller->hash) != 0)
		return refuse_changed(caller->user, e);
	return caller->admin ? 0 : check_allocation(c, &now, partition, e);
}

const char *
login_hash(const struct controller *c)
{
	return c->user.hash;
}

bool
login_is_secure(const struct controller *c)
{
	return c->state.secure;
}

/* A controller may live long, so each change looks its caller up again: the
   user may be gone, or have another key or other allocations. */
int
login_check(struct controller *c, bool *limited, struct error *e)
{
	struct error reason;
	struct user now;

	*limited = false;
	if (c->admin)
		return 0;
	if (c->user.name[0] == '\0')
		return c->state.secure ? refuse_nobody(e) : 0;
	if (user_store_get(&c->state, c->user.name, &now, &reason) != 0 &&
	    reason.code != ERROR_NOT_FOUND)
		return error_copy(e, &reason);
	if (strcmp(now.hash, c->user.hash) != 0)
		return refuse_changed(c->user.name, e);
	c->user = now;
	*limited = true;
	return 0;
}

int
login_limit(struct controller *c, struct snapshot *s, struct error *e)
{
	bool limited;

	if (login_check(c, &limited, e) != 0)
		return -1;
	if (limited)
		access_filter(s, &c->user);
	return 0;
}

/* Append what a limited caller may have meant, within its view. */
static void
suggest_seen(const struct controller *c, const struct snapshot *s,
    const char *partition, struct error *e)
{
	struct suggestion nearest;
	int i;

	if (user_has_allocation(&c->user, partition) &&
	    nearest_place(&s->pod, partition, e) == 0)
		return;
	suggest_begin(&nearest, partition);
	for (i = 0; i < s->partition_count; i++)
		if (access_allows(&c->user, &s->pod, &s->partitions[i]))
			suggest_offer(&nearest, s->partitions[i].name);
	(void)suggest_append(&nearest, "", e);
}

/* A forbidden partition is refused with the words for a missing one. */
int
login_find(struct controller *c, const struct snapshot *s,
    const char *partition, struct error *e)
{
	static struct snapshot none; /* empty, so that nothing is suggested */
	bool limited;
	int found = snapshot_find(s, partition);

	if (login_check(c, &limited, e) != 0)
		return -1;
	if (found != -1 &&
	    (!limited ||
		access_allows(&c->user, &s->pod, &s->partitions[found])))
		return found;
	(void)snapshot_look_up(limited ? &none : s, partition, e);
	if (limited)
		suggest_seen(c, s, partition, e);
	return paths_append_place(e);
}

int
login_find_change(struct controller *c, const struct snapshot *s,
    const char *partition, struct error *e)
{
	int found = login_find(c, s, partition, e);
	const struct partition *p;

	if (found == -1)
		return -1;
	p = &s->partitions[found];
	if (c->admin || c->shares_partitions || c->user.name[0] == '\0' ||
	    access_allows_change(&c->user, p))
		return found;
	return error_set_code(e, ERROR_DENIED,
	    "partition %s belongs to user %s; only %s and the administrator "
	    "may change it, unless share-partitions of ipubox.conf(5) is set",
	    p->name, p->user, p->user);
}

/* Opens no state: the given snapshot is enough. */
int
login_count_visible(const struct state_paths *paths, bool secure,
    const struct caller *caller, const struct snapshot *s, struct error *e)
{
	struct controller c = {
		.state = { .paths = *paths, .lock_fd = -1, .secure = secure }
	};
	int i, count = 0, status;

	/* Without a directory no user can be looked up. */
	(void)directory_open_resolved(&c.state.directory, paths->directory,
	    NULL);
	status = login_caller(&c, caller, e);
	directory_close(&c.state.directory);
	if (status != 0)
		return -1;
	for (i = 0; i < s->partition_count; i++)
		count += c.admin || c.user.name[0] == '\0' ||
		    access_allows(&c.user, &s->pod, &s->partitions[i]);
	return count;
}
