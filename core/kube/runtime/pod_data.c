/*
 * The keys of ConfigMaps and Secrets.  Messages never show a value.
 */
#include "core/kube/runtime/container_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/encoding.h"
#include "core/kube/schema/schema.h"

enum { POD_KEYS_MAX = 4096 }; /* of an object; more are refused */

const char *
pod_data_word(const struct pod_data *d)
{
	return d->kind == POD_SECRET ? "secret" : "configmap";
}

bool
pod_data_is_optional(const struct yaml_node *reference)
{
	return yaml_get_bool(reference, "optional", false);
}

static size_t
data_count(const struct yaml_node *map)
{
	return map != NULL ? map->count : 0;
}

/* Find the referenced object; a missing optional one has no keys. */
static int
find_reference(const struct pod_host *host, struct pod_data *d, bool optional,
    const struct yaml_node **object, struct error *e)
{
	struct error reason = { .text = "", .code = ERROR_NONE };

	*object = host->find(host->context, d->kind, d->name, &reason);
	if (*object != NULL || (optional && reason.code == ERROR_NOT_FOUND))
		return 0;
	if (reason.code == ERROR_NOT_FOUND)
		return error_set_code(e, ERROR_NOT_FOUND, "%s %s not found",
		    pod_data_word(d), d->name);
	(void)error_copy(e, &reason);
	return error_prefix(e, "%s %s", pod_data_word(d), d->name);
}

int
pod_data_find(const struct pod_host *host, enum pod_reference kind,
    const struct yaml_node *reference, const char *field, struct pod_data *d,
    struct error *e)
{
	const struct yaml_node *object;

	d->kind = kind;
	d->name = pod_node_text(reference, field);
	d->plain = d->coded = NULL;
	if (d->name == NULL || d->name[0] == '\0')
		return error_set_code(e, ERROR_INVALID,
		    "%s is missing; name the %s", field, pod_data_word(d));
	if (find_reference(host, d, pod_data_is_optional(reference), &object,
		e) != 0)
		return -1;
	d->plain = pod_node_map(object,
	    kind == POD_SECRET ? "stringData" : "data");
	d->coded = pod_node_map(object,
	    kind == POD_SECRET ? "data" : "binaryData");
	if (data_count(d->plain) + data_count(d->coded) > POD_KEYS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "%s %s has more than %d keys", pod_data_word(d), d->name,
		    POD_KEYS_MAX);
	return 0;
}

bool
pod_data_next(const struct pod_data *d, size_t *i, struct pod_entry *entry)
{
	const size_t plain = data_count(d->plain);
	size_t n;

	while ((n = (*i)++) < plain + data_count(d->coded)) {
		entry->is_coded = n >= plain;
		entry->key = n < plain ? d->plain->items[n].key :
					 d->coded->items[n - plain].key;
		entry->value = n < plain ? d->plain->items[n].node :
					   d->coded->items[n - plain].node;
		if (n < plain || yaml_get(d->plain, entry->key) == NULL)
			return true;
	}
	return false;
}

int
pod_data_get(const struct pod_data *d, const char *key, struct pod_entry *entry,
    struct error *e)
{
	entry->key = key;
	entry->is_coded = false;
	entry->value = yaml_get(d->plain, key);
	if (entry->value != NULL)
		return 0;
	entry->is_coded = true;
	entry->value = yaml_get(d->coded, key);
	if (entry->value != NULL)
		return 0;
	(void)error_set_code(e, ERROR_NOT_FOUND, "%s %s has no key %s",
	    pod_data_word(d), d->name, key);
	return pod_node_suggest(key, d->plain, d->coded, e);
}

char *
pod_data_bytes(const struct pod_data *d, const struct pod_entry *entry,
    size_t *size, struct error *e)
{
	const char *text = pod_node_scalar(entry->value);
	char *bytes;

	/* A missing value is empty. */
	if (text == NULL)
		text = "";
	if (!entry->is_coded) {
		*size = strlen(text);
		return xstrdup(text);
	}
	bytes = base64_decode(text, size);
	if (bytes == NULL)
		(void)error_set_code(e, ERROR_INVALID,
		    "%s %s: key %s is not base64%s", pod_data_word(d), d->name,
		    entry->key,
		    d->kind == POD_SECRET ? "; put plain text into stringData" :
					    "");
	return bytes;
}

void
pod_data_hide(struct yaml_arena *arena, struct yaml_node *secret)
{
	const struct pod_data d = { .kind = POD_SECRET,
		.name = "",
		.plain = pod_node_map(secret, "stringData"),
		.coded = pod_node_map(secret, "data") };
	struct yaml_node *shown = yaml_new_map(arena), *annotations;
	struct pod_entry entry;
	char *bytes, text[32];
	size_t i = 0, size;

	while (pod_data_next(&d, &i, &entry)) {
		bytes = pod_data_bytes(&d, &entry, &size, NULL);
		if (bytes == NULL)
			(void)snprintf(text, sizeof(text), "(not base64)");
		else
			(void)snprintf(text, sizeof(text), "(%zu bytes)", size);
		free(bytes);
		yaml_set_text(arena, shown, entry.key, text);
	}
	yaml_unset(secret, "stringData");
	if (shown->count > 0)
		(void)yaml_set(arena, secret, "data", shown);
	else
		yaml_unset(secret, "data");
	annotations = yaml_path(secret, "metadata/annotations");
	if (annotations != NULL && annotations->kind == YAML_MAP)
		yaml_unset(annotations,
		    "kubectl.kubernetes.io/last-applied-configuration");
}
