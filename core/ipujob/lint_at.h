/*
 * A place in an object that is being checked, and what is to be said of it.
 */
#ifndef CORE_IPUJOB_LINT_AT_H
#define CORE_IPUJOB_LINT_AT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/yaml.h"
#include "core/ipujob/manifest.h"
#include "core/ipujob/remarks.h"

enum {
	LINT_PATH_SIZE = 240,	/* longer ones are cut in messages */
	LINT_ITEMS_MAX = 1000	/* of a list; more are refused, and the rules
				   look at the first ones only */
};

/* A check of one object. */
struct lint {
	const struct manifest		*others;	/* which it may refer
							   to; NULL: none */
	const struct manifest_object	*object;
	struct remarks			*out;
};

struct lint_at {
	const struct yaml_node	*node;		/* NULL: there is nothing, or
						   null */
	const struct yaml_node	*near;		/* it, or what is above it */
	char			 path[LINT_PATH_SIZE];
};

/* The object as a whole. */
struct lint_at	lint_at_object(const struct lint *);

/* What is under the key; several, with '/' between; an item of a list; an item
   of a map whose keys are anybody's. */
struct lint_at	lint_at_get(const struct lint_at *, const char *keys);
struct lint_at	lint_at_item(const struct lint_at *, size_t index);
struct lint_at	lint_at_key(const struct lint_at *, size_t index);

/* The items of a list (LINT_ITEMS_MAX of them), or of a map; 0 of what is
   none. */
size_t		lint_at_count(const struct lint_at *);
size_t		lint_at_keys(const struct lint_at *);

/* The text there, if there is one that is no number; or NULL. */
const char	*lint_at_text(const struct lint_at *);
/* The same of what is under the key. */
const char	*lint_at_get_text(const struct lint_at *, const char *keys);

/* Say something of the place. */
void	lint_at_error(const struct lint *, const struct lint_at *,
	    const char *, ...) __attribute__((format(printf, 3, 4)));
void	lint_at_warn(const struct lint *, const struct lint_at *,
	    const char *, ...) __attribute__((format(printf, 3, 4)));
void	lint_at_note(const struct lint *, const struct lint_at *,
	    const char *, ...) __attribute__((format(printf, 3, 4)));
/* An error of what cannot be had on this host. */
void	lint_at_refuse(const struct lint *, const struct lint_at *,
	    const char *, ...) __attribute__((format(printf, 3, 4)));

/* Whether the list before item `index` has one whose text under the key is the
   same: a duplicate. */
bool	lint_at_is_double(const struct lint_at *list, size_t index,
	    const char *key);

#endif
