/*
 * The user who makes a pod secure.
 */
#include "core/control/first_user.h"

#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "core/base/parse.h"

int
first_user_make(struct user *u, const char *name, const struct pod *pod,
    char key[ACCESS_KEY_SIZE], struct error *e)
{
	const struct passwd	*me = getpwuid(getuid());
	int			 i;

	memset(u, 0, sizeof(*u));
	if (name == NULL && me == NULL)
		return error_set(e, "uid %lu has no name: name the first user "
		    "with --default-user-id", (unsigned long)getuid());
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
