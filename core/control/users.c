/*
 * An administrator's operations on users: changes under the lock of the state,
 * so that no allocation is removed between check and change.
 */
#include "core/control/administration.h"

#include <bsd/string.h>

#include <pwd.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/parse.h"
#include "core/control/controller_internal.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

enum { USERS_NAMED = 5 }; /* in a refusal */

/* Set the error for an unknown user, with the nearest name. */
static int
users_unknown(struct controller *c, const char *name, struct error *e)
{
	struct user *users = NULL;
	const int count = user_store_list(&c->state, &users, NULL);

	(void)error_set_code(e, ERROR_NOT_FOUND,
	    "the user does not exist; vipu-admin list users shows the existing "
	    "ones");
	(void)suggest_name(name, users, count > 0 ? (size_t)count : 0,
	    sizeof(*users), offsetof(struct user, name), e);
	free(users);
	return paths_append_place(e);
}

int
users_embedded_get(struct controller *c, const char *name, struct user *u,
    struct error *e)
{
	struct error reason;

	if (user_store_get(&c->state, name, u, &reason) == 0)
		return 0;
	return reason.code == ERROR_NOT_FOUND ?
	    users_unknown(c, name, e) :
	    error_copy(e, &reason);
}

/* New allocations of the user must exist.  Old ones need not, so that a user
   with a removed allocation can still be changed. */
static int
check_allocations(const struct pod *pod, const struct user *u,
    const struct user *old, struct error *e)
{
	int i;

	for (i = 0; i < u->allocation_count; i++)
		if (!user_has_allocation(old, u->allocations[i]) &&
		    pod_find_allocation(pod, u->allocations[i]) == -1) {
			(void)error_set_code(e, ERROR_NOT_FOUND,
			    "allocation %s: does not exist", u->allocations[i]);
			return nearest_allocation(pod, u->allocations[i], e);
		}
	return 0;
}

/* Apply the change to the user. */
static int
users_apply(struct user *u, const struct user_change *change,
    const struct pod *pod, struct error *e)
{
	struct user old = *u;

	if (change->allocations != NULL &&
	    user_set_allocations(u, change->allocations, e) != 0)
		return -1;
	if (change->add != NULL && user_add_allocations(u, change->add, e) != 0)
		return -1;
	if (change->remove != NULL &&
	    user_remove_allocations(u, change->remove, e) != 0)
		return -1;
	if (change->key != NULL)
		secret_hash(change->key, u->hash);
	return check_allocations(pod, u, &old, e);
}

int
users_embedded_create(struct controller *c, const char *name,
    const struct user_change *change, struct error *e)
{
	struct error reason;
	struct snapshot s;
	struct user u;
	int status = -1;

	if (transaction_begin(c, &s, e) != 0)
		return -1;
	if (user_store_get(&c->state, name, &u, &reason) == 0) {
		(void)error_set_code(e, ERROR_EXISTS, "user %s already exists",
		    name);
	} else if (reason.code != ERROR_NOT_FOUND) {
		(void)error_copy(e, &reason);
	} else {
		memset(&u, 0, sizeof(u));
		(void)strlcpy(u.name, name, sizeof(u.name));
		status = users_apply(&u, change, &s.pod, e);
		if (status == 0)
			status = user_store_put(&c->state, &u, e);
	}
	transaction_end(c, &s);
	return status;
}

int
users_embedded_update(struct controller *c, const char *name,
    const struct user_change *change, struct error *e)
{
	struct snapshot s;
	struct user u;
	int status;

	if (transaction_begin(c, &s, e) != 0)
		return -1;
	status = users_embedded_get(c, name, &u, e);
	if (status == 0)
		status = users_apply(&u, change, &s.pod, e);
	if (status == 0)
		status = user_store_put(&c->state, &u, e);
	transaction_end(c, &s);
	return status;
}

int
users_embedded_remove(struct controller *c, const char *name, struct error *e)
{
	struct error reason;
	struct snapshot s;
	struct user u;
	int status = 0;

	if (transaction_begin(c, &s, e) != 0)
		return -1;
	/* A damaged user can be removed. */
	if (user_store_get(&c->state, name, &u, &reason) != 0 &&
	    reason.code == ERROR_NOT_FOUND)
		status = users_unknown(c, name, e);
	if (status == 0)
		status = user_store_remove(&c->state, name, e);
	transaction_end(c, &s);
	return status;
}

int
users_get(struct controller *c, const char *name, struct user *u,
    struct error *e)
{
	return c->operations->get_user(c, name, u, e);
}

int
users_list(struct controller *c, struct user **out, struct error *e)
{
	return c->operations->list_users(c, out, e);
}

int
users_create(struct controller *c, const char *name,
    const struct user_change *change, struct error *e)
{
	return name_check("user", name, e) != 0 ?
	    -1 :
	    c->operations->create_user(c, name, change, e);
}

int
users_update(struct controller *c, const char *name,
    const struct user_change *change, struct error *e)
{
	return c->operations->update_user(c, name, change, e);
}

int
users_remove(struct controller *c, const char *name, struct error *e)
{
	return name_check("user", name, e) != 0 ?
	    -1 :
	    c->operations->remove_user(c, name, e);
}

int
users_allocation_unused(struct controller *c, const char *allocation,
    struct error *e)
{
	struct user *users;
	int i, found = 0, count;

	count = users_list(c, &users, e);
	if (count == -1)
		return -1;
	for (i = 0; i < count; i++) {
		if (!user_has_allocation(&users[i], allocation))
			continue;
		if (found++ == 0)
			(void)error_set_code(e, ERROR_BUSY, "user %s",
			    users[i].name);
		else if (found <= USERS_NAMED)
			(void)error_append(e, ", %s", users[i].name);
	}
	free(users);
	if (found == 0)
		return 0;
	if (found > USERS_NAMED)
		(void)error_append(e, " and %d more", found - USERS_NAMED);
	return error_append(e,
	    " may use it; first use vipu-admin update user NAME "
	    "--remove-allocations %s",
	    allocation);
}

int
users_make_first(struct user *u, const char *name, const struct pod *pod,
    char key[ACCESS_KEY_SIZE], struct error *e)
{
	const struct passwd *me = getpwuid(getuid());
	int i;

	memset(u, 0, sizeof(*u));
	if (name == NULL && me == NULL)
		return error_set(e,
		    "uid %lu has no user name; name the first user with "
		    "--default-user-id",
		    (unsigned long)getuid());
	if (name == NULL)
		name = me->pw_name;
	if (name_parse("user", name, u->name, e) != 0)
		return -1;
	for (i = 0; i < pod->allocation_count; i++)
		if (user_add_allocations(u, pod->allocations[i].name, e) != 0)
			return -1;
	user_make_key(key);
	secret_hash(key, u->hash);
	return 0;
}
