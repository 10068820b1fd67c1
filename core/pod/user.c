/* Users of the pod: the list of their allocations and their access keys. */
#include "core/pod/pod.h"

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include <string.h>

#include "core/base/parse.h"

/* Return the name's place in the list, or -1. */
static int
user_find(const struct user *u, const char *name)
{
	int i;

	for (i = 0; i < u->allocation_count; i++)
		if (strcmp(u->allocations[i], name) == 0)
			return i;
	return -1;
}

bool
user_has_allocation(const struct user *u, const char *name)
{
	return user_find(u, name) != -1;
}

static int
user_add(struct user *u, const char *name, struct error *e)
{
	if (user_find(u, name) != -1)
		return 0;
	if (u->allocation_count == USER_ALLOCATIONS_MAX)
		return error_set_code(e, ERROR_NO_ROOM,
		    "a user can have at most %d allocations",
		    USER_ALLOCATIONS_MAX);
	(void)strlcpy(u->allocations[u->allocation_count++], name, NAME_SIZE);
	return 0;
}

static int
user_take_away(struct user *u, const char *name, struct error *e)
{
	int at = user_find(u, name), behind;

	if (at == -1)
		return error_set_code(e, ERROR_NOT_FOUND,
		    "user %s does not have allocation %s", u->name, name);
	behind = --u->allocation_count - at;
	memmove(u->allocations[at], u->allocations[at + 1],
	    (size_t)behind * sizeof(u->allocations[0]));
	return 0;
}

/* Apply the change to each name of the list; all or nothing. */
static int
each_name(struct user *u, const char *list,
    int (*change)(struct user *, const char *, struct error *), struct error *e)
{
	struct user changed = *u;
	char name[NAME_SIZE + 1]; /* room to detect a long name */
	bool behind_comma = false;
	size_t len;

	for (; *list != '\0' || behind_comma; list += len) {
		len = strcspn(list, ",");
		(void)strlcpy(name, list,
		    len < NAME_SIZE ? len + 1 : sizeof(name));
		if (name_check("allocation", name, e) != 0 ||
		    change(&changed, name, e) != 0)
			return -1;
		behind_comma = list[len] == ',';
		list += behind_comma;
	}
	*u = changed;
	return 0;
}

int
user_set_allocations(struct user *u, const char *list, struct error *e)
{
	struct user changed = *u;

	changed.allocation_count = 0;
	if (each_name(&changed, list, user_add, e) != 0)
		return -1;
	*u = changed;
	return 0;
}

int
user_add_allocations(struct user *u, const char *list, struct error *e)
{
	return each_name(u, list, user_add, e);
}

int
user_remove_allocations(struct user *u, const char *list, struct error *e)
{
	return each_name(u, list, user_take_away, e);
}

void
user_list(const struct user *u, char separator, char list[USER_LIST_SIZE])
{
	const char between[2] = { separator, '\0' };
	int i;

	list[0] = '\0';
	for (i = 0; i < u->allocation_count; i++) {
		if (i > 0)
			(void)strlcat(list, between, USER_LIST_SIZE);
		(void)strlcat(list, u->allocations[i], USER_LIST_SIZE);
	}
}

void
user_make_key(char key[ACCESS_KEY_SIZE])
{
	static const char letters[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	int i;

	for (i = 0; i < ACCESS_KEY_SIZE - 1; i++)
		key[i] = i == 4 ?
		    '_' :
		    letters[arc4random_uniform(sizeof(letters) - 1)];
	key[i] = '\0';
}
