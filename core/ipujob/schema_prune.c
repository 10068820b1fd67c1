/*
 * What is left of an object where only known fields count.
 */
#include "core/ipujob/schema_prune.h"

#include <stdlib.h>

#include "core/ipujob/schema_home.h"

/* An object that is being pruned. */
struct schema_pruning {
	const char	*file;
	struct remarks	*out;
};

static void
remark_pruned(const struct schema_pruning *p, const struct yaml_item *item,
    const struct schema_place *place)
{
	char	*path;

	if (item->node->kind == YAML_NULL)
		return;
	path = schema_home_path(place);
	remarks_add_key(p->out, REMARK_WARNING, p->file, item, path,
	    "unknown field: left out");
	free(path);
}

static void	prune_fields(const struct schema_pruning *,
		    const struct schema_place *, struct yaml_node *);

/* A value, or all of a list. */
static void
prune_value(const struct schema_pruning *p, const struct schema_field *field,
    struct schema_place *place, struct yaml_node *node)
{
	size_t	i;

	place->fields = field->fields;
	if (node->kind == YAML_MAP && !field->is_list) {
		prune_fields(p, place, node);
		return;
	}
	if (node->kind != YAML_LIST || !field->is_list)
		return;
	place->is_item = true;
	for (i = 0; i < node->count; i++) {
		place->index = i;
		prune_fields(p, place, node->items[i].node);
	}
}

static void
prune_fields(const struct schema_pruning *p, const struct schema_place *place,
    struct yaml_node *node)
{
	const struct schema_field	*field;
	struct schema_place		 below = { .above = place };
	size_t				 i = 0;

	if (node->kind != YAML_MAP || place->fields == NULL)
		return;
	while (i < node->count) {
		below.name = node->items[i].key;
		below.is_item = false;
		below.fields = NULL;
		field = schema_field_named(place->fields, below.name);
		if (field != NULL) {
			prune_value(p, field, &below, node->items[i].node);
			i++;
			continue;
		}
		remark_pruned(p, &node->items[i], &below);
		yaml_unset(node, node->items[i].key);
	}
}

void
schema_prune(const struct schema_field *fields, const char *file,
    struct yaml_node *object, struct remarks *out)
{
	const struct schema_pruning	p = { .file = file, .out = out };
	const struct schema_place	root = { .fields = fields };

	prune_fields(&p, &root, object);
}
