/*
 * Who may use the pod, in secure mode or where a user is named: a name, an
 * access key of which only the hash is kept, and the allocations that the user
 * sees and touches, in the order in which they are tried.
 *
 * Source: V-IPU administrator guide, users and allocations.
 */
#ifndef CORE_POD_USER_H
#define CORE_POD_USER_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/secret.h"
#include "core/pod/pod.h"

enum {
	USER_ALLOCATIONS_MAX = 60,	/* so that a line of INI holds them */
	USER_LIST_SIZE = USER_ALLOCATIONS_MAX * NAME_SIZE + 1,
	ACCESS_KEY_SIZE = 12		/* "685X_K4uCzN" */
};

struct user {
	char	name[NAME_SIZE];
	char	hash[SECRET_HASH_SIZE];	/* of the key, see secret_hash() */
	int	allocation_count;
	char	allocations[USER_ALLOCATIONS_MAX][NAME_SIZE];
};

/*
 * Change the allocations by a list "A,B" ("" is none): put it in place of
 * them, add those that are missing, take away those that must be there.  -1
 * with the reason, and nothing has changed.
 */
int	user_set_allocations(struct user *, const char *list, struct error *);
int	user_add_allocations(struct user *, const char *list, struct error *);
int	user_remove_allocations(struct user *, const char *list,
	    struct error *);

/* Whether the user sees the allocation of that name. */
bool	user_has_allocation(const struct user *, const char *name);

/* Its allocations with `separator` between them. */
void	user_list(const struct user *, char separator,
	    char list[USER_LIST_SIZE]);

/* A new random key: [A-Za-z0-9]{4}_[A-Za-z0-9]{6}, NUL-terminated. */
void	user_make_key(char key[ACCESS_KEY_SIZE]);

#endif
