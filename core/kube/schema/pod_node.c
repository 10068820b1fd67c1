/*
 * Fields of a pod's parts, with the expected types.
 */
#include "core/kube/schema/schema.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

const struct yaml_node *
pod_node_get(const struct yaml_node *map, const char *key)
{
	const struct yaml_node *node = yaml_get(map, key);

	return node != NULL && node->kind != YAML_NULL ? node : NULL;
}

const char *
pod_node_scalar(const struct yaml_node *node)
{
	return node->kind == YAML_NULL || node->kind == YAML_LIST ||
		node->kind == YAML_MAP ?
	    NULL :
	    node->text;
}

const char *
pod_node_text(const struct yaml_node *map, const char *key)
{
	const struct yaml_node *node = yaml_get(map, key);

	return node != NULL ? pod_node_scalar(node) : NULL;
}

static const struct yaml_node *
node_of_kind(const struct yaml_node *map, const char *key, enum yaml_kind kind)
{
	const struct yaml_node *node = yaml_get(map, key);

	return node != NULL && node->kind == kind ? node : NULL;
}

const struct yaml_node *
pod_node_list(const struct yaml_node *map, const char *key)
{
	return node_of_kind(map, key, YAML_LIST);
}

const struct yaml_node *
pod_node_map(const struct yaml_node *map, const char *key)
{
	return node_of_kind(map, key, YAML_MAP);
}

size_t
pod_node_count(const struct yaml_node *map, const char *key)
{
	const struct yaml_node *list = pod_node_list(map, key);

	return list != NULL ? list->count : 0;
}

const struct yaml_node *
pod_node_item(const struct yaml_node *map, const char *key, size_t i)
{
	return pod_node_list(map, key)->items[i].node;
}

void
pod_node_cut(struct yaml_node *map, const char *key, size_t most)
{
	struct yaml_node *list = yaml_get(map, key);

	if (list != NULL && list->kind == YAML_LIST && list->count > most)
		list->count = most;
}

const struct yaml_node *
pod_node_container(const struct yaml_node *spec, const char *name)
{
	static const char *const lists[] = { "containers", "initContainers" };
	const struct yaml_node *c = NULL;
	size_t i;

	for (i = 0; c == NULL && i < ARRAY_SIZE(lists); i++)
		c = yaml_find(yaml_get(spec, lists[i]), "name", name);
	return c;
}

int
pod_node_suggest(const char *typed, const struct yaml_node *a,
    const struct yaml_node *b, struct error *e)
{
	struct suggestion s;
	size_t i;

	suggest_begin(&s, typed);
	for (i = 0; a != NULL && i < a->count; i++)
		suggest_offer(&s, a->items[i].key);
	for (i = 0; b != NULL && i < b->count; i++)
		suggest_offer(&s, b->items[i].key);
	return suggest_append(&s, "", e);
}
