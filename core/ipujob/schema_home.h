/*
 * Where in an object a check of its schema is, and where a field that stands at
 * the wrong place belongs: too far to the left or right, as most of them do.
 */
#ifndef CORE_IPUJOB_SCHEMA_HOME_H
#define CORE_IPUJOB_SCHEMA_HOME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/yaml.h"
#include "core/ipujob/schema.h"

/* A field on the way from the object as a whole, which has no name. */
struct schema_place {
	const struct schema_place	*above;		/* NULL: the object */
	const char			*name;
	const struct schema_field	*fields;	/* which may be below
							   it, or NULL */
	bool				 is_item;	/* of a list */
	size_t				 index;
	bool				 is_key;	/* of a map of texts */
};

/* "spec.containers[0].image", "metadata.labels[a.b/c]"; the caller frees it. */
char	*schema_home_path(const struct schema_place *);

/*
 * The nearest place that has a field of this name for which the value would be
 * right: "spec.workers.template.spec".  The caller frees it.  NULL: there is
 * none near, or more than one as near.
 */
char	*schema_home_find(const struct schema_place *,
	    const struct yaml_node *value);

#endif
