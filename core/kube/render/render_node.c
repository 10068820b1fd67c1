/*
 * Building documents: their metadata, lists and maps, and remarks on places in
 * the job.
 */
#include "core/kube/render/render_node.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

/* Annotation of kubectl apply with a copy of the whole IPUJob.  Documents do
   not get it. */
static const char last_applied[] =
    "kubectl.kubernetes.io/last-applied-configuration";

struct yaml_node *
render_node_document(struct render *r, const char *api, const char *kind,
    struct yaml_node *metadata)
{
	struct yaml_node *document = yaml_new_map(r->arena);

	yaml_set_text(r->arena, document, "apiVersion", api);
	yaml_set_text(r->arena, document, "kind", kind);
	(void)yaml_set(r->arena, document, "metadata", metadata);
	yaml_add(r->arena, r->documents, document);
	return document;
}

/* Drop '-' and '.' at the end of a generateName, because a name must not end so
   if nothing is appended. */
char *
render_node_name(const struct render *r, const char *suffix)
{
	const char *name = r->object->name != NULL ?
	    r->object->name :
	    r->object->generate_name;
	size_t len = strlen(name);

	if (r->object->name == NULL)
		while (len > 1 && strchr("-.", name[len - 1]) != NULL)
			len--;
	return xasprintf("%.*s%s", (int)len, name, suffix);
}

char *
render_node_number(const struct render *r, int instance)
{
	return r->job.instances == 1 ? xstrdup("") : xasprintf("-%d", instance);
}

const char *
render_node_workers(const struct render *r)
{
	return yaml_path(r->object->node, "spec/workersPerJobInstance") !=
		NULL ?
	    "spec/workersPerJobInstance" :
	    "spec/workers/replicas";
}

/* Copy a map of the object's metadata, such as its labels. */
static void
copy_texts(struct render *r, struct yaml_node *metadata, const char *key)
{
	const struct yaml_node *texts =
	    yaml_get(yaml_get(r->object->node, "metadata"), key);
	struct yaml_node *copy;

	if (texts == NULL || texts->kind != YAML_MAP)
		return;
	copy = yaml_copy(r->arena, texts);
	yaml_unset(copy, last_applied);
	if (copy->count > 0)
		(void)yaml_set(r->arena, metadata, key, copy);
}

struct yaml_node *
render_node_metadata(struct render *r, const char *suffix, bool known)
{
	struct yaml_node *metadata = yaml_new_map(r->arena);
	char *name = render_node_name(r, suffix);
	char *begin = xasprintf("%s-", name);

	if (r->object->name != NULL || known)
		yaml_set_text(r->arena, metadata, "name", name);
	else
		yaml_set_text(r->arena, metadata, "generateName", begin);
	yaml_set_text(r->arena, metadata, "namespace", r->object->space);
	copy_texts(r, metadata, "labels");
	copy_texts(r, metadata, "annotations");
	if (r->options->queue != NULL)
		yaml_set_text(r->arena, render_node_map(r, metadata, "labels"),
		    "kueue.x-k8s.io/queue-name", r->options->queue);
	free(begin);
	free(name);
	return metadata;
}

struct yaml_node *
render_node_beside(struct render *r, const char *name)
{
	struct yaml_node *metadata = yaml_new_map(r->arena);

	yaml_set_text(r->arena, metadata, "name", name);
	yaml_set_text(r->arena, metadata, "namespace", r->object->space);
	return metadata;
}

/* Return the node under the key.  A missing node, or one of another kind, is
   replaced by an empty one. */
static struct yaml_node *
ensure_node(struct render *r, struct yaml_node *map, const char *key,
    enum yaml_kind kind)
{
	struct yaml_node *node = yaml_get(map, key);

	if (node != NULL && node->kind == kind)
		return node;
	return yaml_set(r->arena, map, key,
	    kind == YAML_LIST ? yaml_new_list(r->arena) :
				yaml_new_map(r->arena));
}

struct yaml_node *
render_node_list(struct render *r, struct yaml_node *map, const char *key)
{
	return ensure_node(r, map, key, YAML_LIST);
}

struct yaml_node *
render_node_map(struct render *r, struct yaml_node *map, const char *key)
{
	return ensure_node(r, map, key, YAML_MAP);
}

struct yaml_node *
render_node_named(struct render *r, struct yaml_node *list, const char *name)
{
	struct yaml_node *map = yaml_new_map(r->arena);

	yaml_set_text(r->arena, map, "name", name);
	yaml_add(r->arena, list, map);
	return map;
}

void
render_node_words(struct render *r, struct yaml_node *list,
    const char *const *words)
{
	for (; *words != NULL; words++)
		yaml_add(r->arena, list, yaml_new_text(r->arena, *words));
}

/* Return the node for the position in a remark: `node`, or if it is NULL the
   one at the path in the object.  A node that is not from the file has no line:
   then the object itself. */
static const struct yaml_node *
find_written(const struct render *r, const struct yaml_node *node,
    const char *path)
{
	if (node == NULL)
		node = yaml_path(r->object->node, path);
	return node != NULL && node->line > 0 ? node : r->object->node;
}

void
render_node_remark(struct render *r, enum remark_level level,
    const struct yaml_node *node, const char *path, const char *fmt, ...)
{
	char *text, *where = yaml_dotted(xstrdup(path));
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	remarks_add(r->lost, level, r->object->file,
	    find_written(r, node, path), where, "%s", text);
	free(where);
	free(text);
}

int
render_node_refuse(const struct render *r, const struct yaml_node *node,
    const char *path, struct error *e, const char *fmt, ...)
{
	char *text, *where = yaml_dotted(xstrdup(path));
	va_list ap;

	node = find_written(r, node, path);
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	(void)error_set_code(e, ERROR_INVALID, "%s:%d:%d: %s: %s",
	    r->object->file, node->line, node->column, where, text);
	free(where);
	free(text);
	return -1;
}
