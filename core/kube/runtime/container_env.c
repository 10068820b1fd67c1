/*
 * The variables of a container.  Later ones replace earlier ones of the same
 * name, in their place.  The order is: the host's environment, envFrom, env.
 * Messages never show a variable's value.
 */
#include "core/kube/runtime/container_internal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/schema/schema.h"

/* Limit of a container; more are refused. */
enum { POD_VARIABLES_MAX = 4096 };

/*
 * ---- $(NAME), as Kubernetes expands it: no shell, no repeated expansion ----
 */

/* Return the index of NAME=VALUE in an environment, or its count if it is
   missing. */
static size_t
find_variable(const struct strvec *environment, const char *name, size_t length)
{
	size_t i;

	if (memchr(name, '=', length) != NULL)
		return environment->count;
	for (i = 0; i < environment->count; i++)
		if (strncmp(environment->items[i], name, length) == 0 &&
		    environment->items[i][length] == '=')
			break;
	return i;
}

/* Expand one reference; `text` follows its "$(". */
static void
expand_name(const struct strvec *environment, const char *text, size_t length,
    struct strvec *unknown, FILE *out)
{
	const size_t i = find_variable(environment, text, length);

	if (i < environment->count) {
		(void)fputs(environment->items[i] + length + 1, out);
		return;
	}
	(void)fprintf(out, "$(%.*s)", (int)length, text);
	if (unknown != NULL)
		strvec_addf(unknown, "%.*s", (int)length, text);
}

/*
 * Expand the text at a '$', and return the number of bytes read; `last` is the
 * last ')' of the text, or NULL:
 *
 *	$(NAME)	the value
 *	$$	$
 *	$x $( $	unchanged: not a reference, or without an end
 */
static size_t
expand_dollar(const struct strvec *environment, const char *text,
    const char *last, struct strvec *unknown, FILE *out)
{
	const char *end = text[1] == '(' && last != NULL && text < last ?
	    strchr(text, ')') :
	    NULL;

	if (end != NULL) {
		expand_name(environment, text + 2, (size_t)(end - text) - 2,
		    unknown, out);
		return (size_t)(end - text) + 1;
	}
	(void)fputc('$', out);
	return text[1] == '$' ? 2 : 1;
}

char *
container_env_expand(const struct strvec *environment, const char *text,
    struct strvec *unknown, struct error *e)
{
	struct memstream m;
	const char *last = strrchr(text, ')');
	char *expanded;
	size_t plain, size;

	(void)memstream_open(&m);
	/* Values that refer to each other can grow without limit, so the text
	   is bounded. */
	while (*text != '\0' && ftell(m.file) <= POD_TEXT_MAX) {
		plain = strcspn(text, "$");
		(void)fwrite(text, 1, plain, m.file);
		text += plain;
		if (*text == '$')
			text += expand_dollar(environment, text, last, unknown,
			    m.file);
	}
	expanded = memstream_close(&m, &size);
	if (*text == '\0' && size <= POD_TEXT_MAX)
		return expanded;
	free(expanded);
	(void)error_set_code(e, ERROR_INVALID,
	    "is longer than %d bytes, the limit for arguments and variables",
	    POD_TEXT_MAX);
	return NULL;
}

/* ---- the variables ---- */

/* Context of all steps. */
struct container_env {
	const struct yaml_node *pod;
	const struct yaml_node *container;
	const struct pod_host *host;
	struct strvec *environment;
};

/* Add a word NAME=VALUE and take it over; `length` is that of the name. */
static int
take_variable(struct container_env *env, char *word, size_t length,
    struct error *e)
{
	const size_t i = find_variable(env->environment, word, length);

	if (strlen(word) > POD_TEXT_MAX || i == POD_VARIABLES_MAX) {
		free(word);
		return i == POD_VARIABLES_MAX ?
		    error_set_code(e, ERROR_INVALID, "more than %d variables",
			POD_VARIABLES_MAX) :
		    error_set_code(e, ERROR_INVALID,
			"is longer than %d bytes, the limit for arguments and "
			"variables",
			POD_TEXT_MAX);
	}
	if (i < env->environment->count) {
		free(env->environment->items[i]);
		env->environment->items[i] = word;
	} else {
		strvec_take(env->environment, word);
	}
	return 0;
}

static int
put_variable(struct container_env *env, const char *name, const char *value,
    struct error *e)
{
	return take_variable(env, xasprintf("%s=%s", name, value), strlen(name),
	    e);
}

static int
put_host_variables(struct container_env *env, struct error *e)
{
	char *const *items = env->host->environment;
	size_t length;

	for (; items != NULL && *items != NULL; items++) {
		length = strcspn(*items, "=");
		if ((*items)[length] == '=' &&
		    take_variable(env, xstrdup(*items), length, e) != 0)
			return error_prefix(e, "environment %.*s", (int)length,
			    *items);
	}
	return 0;
}

/*
 * Return the value of an entry as a text, which the caller frees; NULL: it
 * contains a NUL byte, or is not base64.
 */
static char *
entry_text(const struct pod_data *d, const struct pod_entry *entry,
    struct error *e)
{
	size_t size;
	char *bytes = pod_data_bytes(d, entry, &size, e);

	if (bytes == NULL || strlen(bytes) == size)
		return bytes;
	free(bytes);
	(void)error_set_code(e, ERROR_INVALID,
	    "%s %s: key %s contains a zero byte, which a variable cannot hold; "
	    "mount it as a volume",
	    pod_data_word(d), d->name, entry->key);
	return NULL;
}

/* Whether the entry may be a variable; binaryData is for files only. */
static bool
is_for_variables(const struct pod_data *d, const struct pod_entry *entry)
{
	return d->kind == POD_SECRET || !entry->is_coded;
}

/* Add one key of an envFrom, with the prefix in front of its name. */
static int
put_entry(struct container_env *env, const struct pod_data *d,
    const struct pod_entry *entry, const char *prefix, struct error *e)
{
	char *name, *value;
	int status = 0;

	if (!is_for_variables(d, entry))
		return 0;
	name = xasprintf("%s%s", prefix, entry->key);
	/* Invalid names are skipped, as in Kubernetes. */
	if (!dns_name_is_variable(name)) {
		free(name);
		return 0;
	}
	value = entry_text(d, entry, e);
	if (value == NULL)
		status = -1;
	else if (put_variable(env, name, value, e) != 0)
		status = error_prefix(e, "%s %s: key %s", pod_data_word(d),
		    d->name, entry->key);
	free(value);
	free(name);
	return status;
}

static int
put_env_from(struct container_env *env, const struct yaml_node *source,
    struct error *e)
{
	const struct yaml_node *secret = pod_node_map(source, "secretRef");
	const struct yaml_node *config = pod_node_map(source, "configMapRef");
	const char *prefix = pod_node_text(source, "prefix");
	struct pod_entry entry;
	struct pod_data d;
	size_t i = 0;

	if ((secret != NULL) == (config != NULL))
		return error_set_code(e, ERROR_INVALID,
		    "must have one of configMapRef and secretRef");
	if (pod_data_find(env->host,
		secret != NULL ? POD_SECRET : POD_CONFIG_MAP,
		secret != NULL ? secret : config, "name", &d, e) != 0)
		return -1;
	while (pod_data_next(&d, &i, &entry))
		if (put_entry(env, &d, &entry, prefix != NULL ? prefix : "",
			e) != 0)
			return -1;
	return 0;
}

/*
 * Get the value of a secretKeyRef or a configMapKeyRef.  *value is NULL if it
 * is optional and missing; the variable then stays unchanged.
 */
static int
key_value(const struct container_env *env, enum pod_reference kind,
    const struct yaml_node *reference, char **value, struct error *e)
{
	const char *key = pod_node_text(reference, "key");
	struct error reason = { .text = "", .code = ERROR_NONE };
	struct pod_entry entry;
	struct pod_data d;

	if (key == NULL)
		return error_set_code(e, ERROR_INVALID,
		    "key is missing; name a key of the object");
	if (pod_data_find(env->host, kind, reference, "name", &d, e) != 0)
		return -1;
	if (pod_data_get(&d, key, &entry, &reason) != 0)
		return pod_data_is_optional(reference) ?
		    0 :
		    error_copy(e, &reason);
	if (!is_for_variables(&d, &entry))
		return error_set_code(e, ERROR_INVALID,
		    "configmap %s: key %s is binaryData, which is only for "
		    "files",
		    d.name, key);
	*value = entry_text(&d, &entry, e);
	return *value != NULL ? 0 : -1;
}

enum value_source {
	VALUE_FIELD,
	VALUE_RESOURCE,
	VALUE_CONFIG_MAP,
	VALUE_SECRET,
	VALUE_SOURCES
};

static const char *const value_sources[VALUE_SOURCES] = {
	[VALUE_FIELD] = "fieldRef",
	[VALUE_RESOURCE] = "resourceFieldRef",
	[VALUE_CONFIG_MAP] = "configMapKeyRef",
	[VALUE_SECRET] = "secretKeyRef"
};

/* Get the value of a valueFrom; *value stays NULL if it has none. */
static int
source_value(const struct container_env *env, const struct yaml_node *from,
    char **value, struct error *e)
{
	const struct yaml_node *reference = NULL;
	size_t i, source = 0, count = 0;

	for (i = 0; i < VALUE_SOURCES; i++)
		if (pod_node_map(from, value_sources[i]) != NULL) {
			reference = pod_node_map(from, value_sources[i]);
			source = i;
			count++;
		}
	if (count != 1)
		return error_set_code(e, ERROR_INVALID,
		    "valueFrom must have one of fieldRef, resourceFieldRef, "
		    "configMapKeyRef and secretKeyRef");
	switch ((enum value_source)source) {
	case VALUE_FIELD:
		*value = pod_field_text(env->pod, env->host, reference,
		    POD_FIELD_VARIABLE, e);
		return *value != NULL ? 0 : -1;
	case VALUE_RESOURCE:
		*value = pod_field_resource(env->pod, env->container, env->host,
		    reference, POD_FIELD_VARIABLE, e);
		return *value != NULL ? 0 : -1;
	case VALUE_CONFIG_MAP:
		return key_value(env, POD_CONFIG_MAP, reference, value, e);
	case VALUE_SECRET:
	case VALUE_SOURCES:
		break;
	}
	return key_value(env, POD_SECRET, reference, value, e);
}

static int
put_env_item(struct container_env *env, const struct yaml_node *item,
    const char *name, struct error *e)
{
	const struct yaml_node *from = pod_node_map(item, "valueFrom");
	const char *text = pod_node_text(item, "value");
	char *value = NULL;
	int status = 0;

	if (!dns_name_is_variable(name))
		return error_set_code(e, ERROR_INVALID,
		    "cannot be the name of a variable; use letters, digits, "
		    "'_', '-' and '.', and do not begin with a digit");
	if (from != NULL && text != NULL && text[0] != '\0')
		return error_set_code(e, ERROR_INVALID,
		    "has a value and a valueFrom: leave one out");
	if (from != NULL)
		status = source_value(env, from, &value, e);
	else if ((value = container_env_expand(env->environment,
		      text != NULL ? text : "", NULL, e)) == NULL)
		status = -1;
	if (value != NULL)
		status = put_variable(env, name, value, e);
	free(value);
	return status;
}

int
container_env_make(const struct yaml_node *pod,
    const struct yaml_node *container, const char *place,
    const struct pod_host *host, struct container_plan *plan, struct error *e)
{
	struct container_env env = { .pod = pod,
		.container = container,
		.host = host,
		.environment = &plan->environment };
	const char *name;
	size_t i;

	if (put_host_variables(&env, e) != 0)
		return -1;
	for (i = 0; i < pod_node_count(container, "envFrom"); i++)
		if (put_env_from(&env, pod_node_item(container, "envFrom", i),
			e) != 0)
			return error_prefix(e, "%s.envFrom[%zu]", place, i);
	for (i = 0; i < pod_node_count(container, "env"); i++) {
		name = pod_node_text(pod_node_item(container, "env", i),
		    "name");
		if (name == NULL)
			return error_set_code(e, ERROR_INVALID,
			    "%s.env[%zu]: name is missing", place, i);
		if (put_env_item(&env, pod_node_item(container, "env", i), name,
			e) != 0)
			return error_prefix(e, "%s.env[%zu] %s", place, i,
			    name);
	}
	return 0;
}
