/*
 * The variables of a container.  Later ones replace earlier ones of the same
 * name, in their place: those of the host's environment, then those of envFrom,
 * then those of env.  No message says what a variable holds.
 */
#include "core/kube/runtime/container_internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/kube/runtime/pod_data.h"
#include "core/kube/runtime/pod_field.h"
#include "core/kube/schema/dns_name.h"
#include "core/kube/schema/pod_node.h"

/* What all steps need. */
struct container_env {
	const struct yaml_node	*pod;
	const struct yaml_node	*container;
	const struct pod_host	*host;
	struct strvec		*environment;
	struct strvec		*skipped;
};

/* Take a word NAME=VALUE, whose name has that length. */
static int
take_variable(struct container_env *env, char *word, size_t length,
    struct error *e)
{
	const size_t	i = container_expand_find(env->environment, word,
	    length);

	if (strlen(word) > POD_TEXT_MAX || i == POD_VARIABLES_MAX) {
		free(word);
		return i == POD_VARIABLES_MAX ? error_set_code(e,
		    ERROR_INVALID, "more than %d variables",
		    POD_VARIABLES_MAX) : error_set_code(e, ERROR_INVALID,
		    "is longer than %d bytes, which no program is given",
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
container_env_put_variable(struct container_env *env, const char *name,
    const char *value, struct error *e)
{
	return take_variable(env, xasprintf("%s=%s", name, value),
	    strlen(name), e);
}

static int
put_host_variables(struct container_env *env, struct error *e)
{
	char *const	*items = env->host->environment;
	size_t		 length;

	for (; items != NULL && *items != NULL; items++) {
		length = strcspn(*items, "=");
		if ((*items)[length] == '=' && take_variable(env,
		    xstrdup(*items), length, e) != 0)
			return error_prefix(e, "environment %.*s",
			    (int)length, *items);
	}
	return 0;
}

/*
 * The value of an entry as a text, to be freed; NULL: one that has a NUL byte
 * in it, or is not base64.
 */
static char *
entry_text(const struct pod_data *d, const struct pod_entry *entry,
    struct error *e)
{
	size_t	 size;
	char	*bytes = pod_data_bytes(d, entry, &size, e);

	if (bytes == NULL || strlen(bytes) == size)
		return bytes;
	free(bytes);
	(void)error_set_code(e, ERROR_INVALID, "%s %s: key %s has a zero byte, "
	    "which no variable can hold; mount it as a volume",
	    pod_data_word(d), d->name, entry->key);
	return NULL;
}

/* binaryData is for files alone. */
static bool
is_for_variables(const struct pod_data *d, const struct pod_entry *entry)
{
	return d->kind == POD_SECRET || !entry->is_coded;
}

/* One key of an envFrom, under its name with the prefix. */
static int
put_entry(struct container_env *env, const struct pod_data *d,
    const struct pod_entry *entry, const char *prefix, struct error *e)
{
	char	*name, *value;
	int	 status = 0;

	if (!is_for_variables(d, entry))
		return 0;
	name = xasprintf("%s%s", prefix, entry->key);
	if (!dns_name_is_variable(name)) {
		strvec_addf(env->skipped, "%s of %s %s", name,
		    pod_data_word(d), d->name);
		free(name);
		return 0;
	}
	value = entry_text(d, entry, e);
	if (value == NULL)
		status = -1;
	else if (container_env_put_variable(env, name, value, e) != 0)
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
	const struct yaml_node	*secret = pod_node_map(source, "secretRef");
	const struct yaml_node	*config = pod_node_map(source,
	    "configMapRef");
	const char		*prefix = pod_node_text(source, "prefix");
	struct pod_entry	 entry;
	struct pod_data		 d;
	size_t			 i = 0;

	if ((secret != NULL) == (config != NULL))
		return error_set_code(e, ERROR_INVALID, "must have one of "
		    "configMapRef and secretRef");
	if (pod_data_find(env->host, secret != NULL ? POD_SECRET :
	    POD_CONFIG_MAP, secret != NULL ? secret : config, "name", &d,
	    e) != 0)
		return -1;
	while (pod_data_next(&d, &i, &entry))
		if (put_entry(env, &d, &entry, prefix != NULL ? prefix : "",
		    e) != 0)
			return -1;
	return 0;
}

/*
 * The value of a secretKeyRef or a configMapKeyRef into *value.  NULL there:
 * it is optional and missing, and the variable stays as it was.
 */
static int
key_value(const struct container_env *env, enum pod_reference kind,
    const struct yaml_node *reference, char **value, struct error *e)
{
	const char		*key = pod_node_text(reference, "key");
	struct error		 reason = { .text = "", .code = ERROR_NONE };
	struct pod_entry	 entry;
	struct pod_data		 d;

	if (key == NULL)
		return error_set_code(e, ERROR_INVALID, "key is missing: "
		    "which value of the object is meant");
	if (pod_data_find(env->host, kind, reference, "name", &d, e) != 0)
		return -1;
	if (pod_data_get(&d, key, &entry, &reason) != 0)
		return pod_data_is_optional(reference) ? 0 :
		    error_copy(e, &reason);
	if (!is_for_variables(&d, &entry))
		return error_set_code(e, ERROR_INVALID, "configmap %s: key "
		    "%s is binaryData, which is for files alone", d.name,
		    key);
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
	[VALUE_FIELD] = "fieldRef", [VALUE_RESOURCE] = "resourceFieldRef",
	[VALUE_CONFIG_MAP] = "configMapKeyRef",
	[VALUE_SECRET] = "secretKeyRef"
};

/* What a valueFrom gives; *value stays NULL where it gives nothing. */
static int
source_value(const struct container_env *env, const struct yaml_node *from,
    char **value, struct error *e)
{
	const struct yaml_node	*reference = NULL;
	size_t			 i, source = 0, count = 0;

	for (i = 0; i < VALUE_SOURCES; i++)
		if (pod_node_map(from, value_sources[i]) != NULL) {
			reference = pod_node_map(from, value_sources[i]);
			source = i;
			count++;
		}
	if (count != 1)
		return error_set_code(e, ERROR_INVALID, "valueFrom must have "
		    "one of fieldRef, resourceFieldRef, configMapKeyRef and "
		    "secretKeyRef");
	switch ((enum value_source)source) {
	case VALUE_FIELD:
		*value = pod_field_text(env->pod, env->host, reference,
		    POD_FIELD_VARIABLE, e);
		return *value != NULL ? 0 : -1;
	case VALUE_RESOURCE:
		*value = pod_field_resource(env->pod, env->container,
		    env->host, reference, POD_FIELD_VARIABLE, e);
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
	const struct yaml_node	*from = pod_node_map(item, "valueFrom");
	const char		*text = pod_node_text(item, "value");
	char			*value = NULL;
	int			 status = 0;

	if (!dns_name_is_variable(name))
		return error_set_code(e, ERROR_INVALID, "is not a name that a "
		    "variable can have: letters, digits, '_', '-' and '.', "
		    "and no digit first");
	if (from != NULL && text != NULL && text[0] != '\0')
		return error_set_code(e, ERROR_INVALID,
		    "has a value and a valueFrom: leave one out");
	if (from != NULL)
		status = source_value(env, from, &value, e);
	else if ((value = container_expand_text(env->environment,
	    text != NULL ? text : "", NULL, e)) == NULL)
		status = -1;
	if (value != NULL)
		status = container_env_put_variable(env, name, value, e);
	free(value);
	return status;
}

int
container_env_make(const struct yaml_node *pod,
    const struct yaml_node *container, const char *place,
    const struct pod_host *host, struct container_plan *plan,
    struct error *e)
{
	struct container_env	 env = { .pod = pod, .container = container,
	    .host = host, .environment = &plan->environment,
	    .skipped = &plan->skipped };
	const char	*name;
	size_t		 i;

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
