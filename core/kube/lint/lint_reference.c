/*
 * Checks of references to ConfigMaps, Secrets and claims, and of the keys and
 * texts of the ConfigMaps and Secrets in the manifest.
 */
#include "core/kube/lint/lint_internal.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/encoding.h"
#include "core/base/parse.h"
#include "core/kube/schema/schema.h"

/* Fields of a ConfigMap or a Secret that have its keys and texts. */
static const char *const text_parts[] = { "data", "binaryData", "stringData" };

static const char *
lint_reference_kind_word(enum manifest_kind kind)
{
	return kind == MANIFEST_CONFIG_MAP ? "ConfigMap" :
	    kind == MANIFEST_SECRET	   ? "Secret" :
					     "PersistentVolumeClaim";
}

/* Warn that the manifest has no such object, and suggest a similar name. */
static void
warn_missing(const struct lint *l, const struct lint_at *at,
    enum manifest_kind kind, const char *name)
{
	struct suggestion s;
	struct error e;
	size_t i;

	(void)error_set(&e,
	    "%s %s is not in this manifest, so it must already exist",
	    lint_reference_kind_word(kind), name);
	suggest_begin(&s, name);
	for (i = 0;
	     i < l->others->count && !remarks_are_full(l->out, REMARK_WARNING);
	     i++)
		if (l->others->objects[i].kind == kind &&
		    l->others->objects[i].name != NULL)
			suggest_offer(&s, l->others->objects[i].name);
	(void)suggest_append(&s, "", &e);
	/* A claim is often created once and shared, and here it need not exist:
	   so without a similar name a note is enough. */
	if (kind == MANIFEST_CLAIM && s.best == NULL)
		lint_at_note(l, at,
		    "%s in a cluster; here a directory is made for it", e.text);
	else
		lint_at_warn(l, at, "%s", e.text);
}

static bool
has_key(const struct manifest_object *object, const char *key)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(text_parts); i++)
		if (yaml_get(yaml_get(object->node, text_parts[i]), key) !=
		    NULL)
			return true;
	return false;
}

static void
refuse_key(const struct lint *l, const struct lint_at *at,
    const struct manifest_object *object, const char *key)
{
	const struct yaml_node *part;
	struct suggestion s;
	struct error e;
	size_t i, j;

	(void)error_set(&e, "%s %s has no key %s",
	    lint_reference_kind_word(object->kind), object->name, key);
	suggest_begin(&s, key);
	for (i = 0; i < ARRAY_SIZE(text_parts); i++) {
		part = yaml_get(object->node, text_parts[i]);
		for (j = 0; part != NULL && part->kind == YAML_MAP &&
		     j < part->count && j < LINT_ITEMS_MAX &&
		     !remarks_are_full(l->out, REMARK_ERROR);
		     j++)
			suggest_offer(&s, part->items[j].key);
	}
	(void)suggest_append(&s, "", &e);
	lint_at_error(l, at, "%s", e.text);
}

void
lint_reference_check(const struct lint *l, const struct lint_at *ref,
    enum manifest_kind kind, const char *name_key)
{
	const struct lint_at at = lint_at_get(ref, name_key);
	const char *name = lint_at_text(&at);
	struct error e;

	if (at.node == NULL)
		lint_at_error(l, &at, "missing");
	else if (name != NULL &&
	    dns_name_check_subdomain(name, DNS_SUBDOMAIN_MAX, &e) != 0)
		lint_at_error(l, &at, "%s", e.text);
	else if (name != NULL && l->others != NULL &&
	    !yaml_get_bool(ref->node, "optional", false) &&
	    manifest_find(l->others, kind, name, l->object->space) == NULL)
		warn_missing(l, &at, kind, name);
}

void
lint_reference_key(const struct lint *l, const struct lint_at *ref,
    enum manifest_kind kind, const char *name_key, const struct lint_at *key)
{
	const char *name = lint_at_get_text(ref, name_key);
	const struct manifest_object *object;

	if (name == NULL || lint_at_text(key) == NULL || l->others == NULL ||
	    yaml_get_bool(ref->node, "optional", false))
		return;
	object = manifest_find(l->others, kind, name, l->object->space);
	if (object != NULL && !has_key(object, lint_at_text(key)))
		refuse_key(l, key, object, lint_at_text(key));
}

static void
check_base64(const struct lint *l, const struct lint_at *at)
{
	size_t size;
	char *bytes;

	if (lint_at_text(at) == NULL)
		return;
	bytes = base64_decode(lint_at_text(at), &size);
	if (bytes == NULL)
		lint_at_error(l, at, "is not base64%s",
		    l->object->kind == MANIFEST_SECRET ?
			"; put plain text into stringData" :
			"");
	free(bytes);
}

void
lint_reference_data(const struct lint *l)
{
	const struct lint_at object = lint_at_object(l);
	const char *letters = l->object->kind == MANIFEST_SECRET ?
	    "data" :
	    "binaryData";
	struct lint_at part, at;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(text_parts); i++) {
		part = lint_at_get(&object, text_parts[i]);
		for (j = 0; j < lint_at_keys(&part); j++) {
			at = lint_at_key(&part, j);
			if (!dns_name_is_key(part.node->items[j].key))
				lint_at_error(l, &at,
				    "a key must consist of letters, digits, "
				    "'-', '_' and '.'");
			else if (strcmp(text_parts[i], letters) == 0)
				check_base64(l, &at);
		}
	}
}
