/*
 * Fields of a pod's parts, of which null and what has another type than it
 * should are as good as not there.
 */
#ifndef CORE_KUBE_SCHEMA_POD_NODE_H
#define CORE_KUBE_SCHEMA_POD_NODE_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/kube/yaml/yaml.h"

/* What stands under a key, whatever is in the key, and is not null; or NULL. */
const struct yaml_node	*pod_node_get(const struct yaml_node *map,
			    const char *key);

/* The text of a scalar; NULL: it is null, a list or a map. */
const char		*pod_node_scalar(const struct yaml_node *);

/* The text of a scalar there; NULL: there is none. */
const char		*pod_node_text(const struct yaml_node *map,
			    const char *key);

/* The list there, the map there; or NULL. */
const struct yaml_node	*pod_node_list(const struct yaml_node *map,
			    const char *key);
const struct yaml_node	*pod_node_map(const struct yaml_node *map,
			    const char *key);

/* How many items the list there has, 0 where it is none; and one of them. */
size_t			 pod_node_count(const struct yaml_node *map,
			    const char *key);
const struct yaml_node	*pod_node_item(const struct yaml_node *map,
			    const char *key, size_t);

/* Leave at most so many items in the list there. */
void			 pod_node_cut(struct yaml_node *map, const char *key,
			    size_t most);

/*
 * The container that has this name, in containers or initContainers of the spec
 * of a pod; NULL: there is none.
 */
const struct yaml_node	*pod_node_container(const struct yaml_node *spec,
			    const char *name);

/* Put " (did you mean KEY?)" behind the text, by the keys of both maps, which
   may be NULL; return -1. */
int	pod_node_suggest(const char *typed, const struct yaml_node *,
	    const struct yaml_node *, struct error *);

#endif
