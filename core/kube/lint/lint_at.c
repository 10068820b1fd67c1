/*
 * Walking through an object and keeping the path.
 */
#include "core/kube/lint/lint_internal.h"

#include <bsd/string.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/kube/schema/schema.h"

struct lint_at
lint_at_object(const struct lint *l)
{
	const struct lint_at at = { .node = l->object->node,
		.near = l->object->node,
		.path = "" };

	return at;
}

static struct lint_at
place_below(const struct lint_at *above, const struct yaml_node *node)
{
	struct lint_at at = *above;

	at.node = node != NULL && node->kind != YAML_NULL ? node : NULL;
	at.near = node != NULL ? node : above->near;
	return at;
}

struct lint_at
lint_at_get(const struct lint_at *above, const char *keys)
{
	struct lint_at at = place_below(above, yaml_path(above->node, keys));
	size_t i;

	if (*at.path != '\0')
		(void)strlcat(at.path, ".", sizeof(at.path));
	i = strlen(at.path);
	(void)strlcat(at.path, keys, sizeof(at.path));
	(void)yaml_dotted(at.path + i);
	return at;
}

struct lint_at
lint_at_item(const struct lint_at *list, size_t index)
{
	struct lint_at at = place_below(list, list->node->items[index].node);
	const size_t length = strlen(at.path);

	(void)snprintf(at.path + length, sizeof(at.path) - length, "[%zu]",
	    index);
	return at;
}

struct lint_at
lint_at_key(const struct lint_at *map, size_t index)
{
	struct lint_at at = place_below(map, map->node->items[index].node);
	const size_t length = strlen(at.path);

	(void)snprintf(at.path + length, sizeof(at.path) - length, "[%s]",
	    map->node->items[index].key);
	return at;
}

size_t
lint_at_count(const struct lint_at *at)
{
	if (at->node == NULL || at->node->kind != YAML_LIST)
		return 0;
	return at->node->count > LINT_ITEMS_MAX ?
	    LINT_ITEMS_MAX :
	    at->node->count;
}

size_t
lint_at_keys(const struct lint_at *at)
{
	return at->node != NULL && at->node->kind == YAML_MAP ?
	    at->node->count :
	    0;
}

const char *
lint_at_text(const struct lint_at *at)
{
	return at->node != NULL && at->node->kind == YAML_TEXT ?
	    at->node->text :
	    NULL;
}

const char *
lint_at_get_text(const struct lint_at *above, const char *keys)
{
	const struct yaml_node *node = yaml_path(above->node, keys);

	return node != NULL && node->kind == YAML_TEXT ? node->text : NULL;
}

void
lint_at_remark(const struct lint *l, const struct lint_at *at,
    enum remark_level level, const char *format, ...)
{
	char *text;
	va_list list;

	va_start(list, format);
	text = xvasprintf(format, list);
	va_end(list);
	remarks_add(l->out, level, l->object->file, at->near, at->path, "%s",
	    text);
	free(text);
}

void
lint_at_check_label(const struct lint *l, const struct lint_at *at)
{
	const char *text = lint_at_text(at);
	struct error e;

	if (text != NULL && dns_name_check_label(text, DNS_LABEL_MAX, &e) != 0)
		lint_at_error(l, at, "%s%s", e.text,
		    manifest_text_unfilled(text));
}

void
lint_at_check_integer(const struct lint *l, const struct lint_at *at, int least,
    int most, bool only_here)
{
	if (at->node == NULL || at->node->kind != YAML_INTEGER)
		return;
	if (at->node->integer < least)
		lint_at_error(l, at, "must be %d or more, not %lld", least,
		    (long long)at->node->integer);
	else if (at->node->integer > most && only_here)
		lint_at_refuse(l, at, "must be at most %d here, not %lld", most,
		    (long long)at->node->integer);
	else if (at->node->integer > most)
		lint_at_error(l, at, "must be %d or less, not %lld", most,
		    (long long)at->node->integer);
}

bool
lint_at_is_duplicate(const struct lint_at *list, size_t index, const char *key)
{
	const struct yaml_item *items = list->node->items;
	const char *text = yaml_get_text(items[index].node, key);
	const char *before;
	size_t i;

	for (i = 0; text != NULL && i < index; i++) {
		before = yaml_get_text(items[i].node, key);
		if (before != NULL && strcmp(before, text) == 0)
			return true;
	}
	return false;
}
