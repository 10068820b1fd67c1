/*
 * What a template of jsonpath finds in an object, and printing it.
 */
#ifndef APPLETS_IPUBOX_JOB_JSONPATH_WALK_H
#define APPLETS_IPUBOX_JOB_JSONPATH_WALK_H

#include <stdio.h>

#include "applets/ipubox-job/jsonpath.h"
#include "core/base/error.h"
#include "core/base/yaml.h"

enum { JSONPATH_VALUES_MAX = 1000000 };	/* of one template, all steps */

/* The values are the object's, or the template's. */
struct jsonpath_found {
	const struct yaml_node	**items;	/* the array is owned */
	size_t			  count;
	size_t			  room;
};

/*
 * All that the pieces find, to be released in any case.  A field that there is
 * not is no error.  -1: "array index out of bounds: index 2, length 0".
 */
int	jsonpath_walk_find(const struct jsonpath *, const struct yaml_node *,
	    struct jsonpath_found *, struct error *);
void	jsonpath_walk_release(struct jsonpath_found *);

/*
 * Print what the pieces find: the values of one with a blank between, lists and
 * maps as JSON on a line.  `as_json`: of each piece a JSON array instead.  -1:
 * as above, and nothing was printed.
 */
int	jsonpath_walk_print(const struct jsonpath *, const struct yaml_node *,
	    bool as_json, FILE *, struct error *);

/* A value as text: a scalar as it is, the others as JSON on a line. */
void	jsonpath_walk_put(FILE *, const struct yaml_node *);

#endif
