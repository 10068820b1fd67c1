/*
 * A cluster's checks of a container by its API server, and a few more.
 */
#include "core/kube/lint/lint_internal.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/kube/schema/schema.h"

enum { PORT_MAX = 65535, MILLIS = 1000, MEGABYTE = 1024 * 1024 };

static void
check_variable_name(const struct lint *l, const struct lint_at *at)
{
	const char *name = lint_at_text(at);

	if (name == NULL)
		return;
	if (!dns_name_is_variable(name))
		lint_at_error(l, at,
		    "'%s': must consist of letters, digits, '_', '-' and '.', "
		    "and must not begin with a digit",
		    name);
	else if (strpbrk(name, "-.") != NULL)
		lint_at_warn(l, at,
		    "'%s': shells cannot use a variable with this name", name);
}

void
lint_container_field(const struct lint *l, const struct lint_at *ref,
    enum pod_field_use use)
{
	const struct lint_at at = lint_at_get(ref, "fieldPath");
	struct error e;

	if (lint_at_text(&at) != NULL &&
	    pod_field_check(lint_at_text(&at), use, &e) != 0)
		lint_at_error(l, &at, "%s", e.text);
}

void
lint_container_resource(const struct lint *l, const struct lint_at *ref,
    const struct lint_at *pod, enum pod_field_use use)
{
	const struct lint_at at = lint_at_get(ref, "resource");
	const struct lint_at container = lint_at_get(ref, "containerName");
	const char *name = lint_at_text(&container);
	struct error e;

	if (lint_at_text(&at) != NULL &&
	    pod_field_check_resource(lint_at_text(&at), &e) != 0)
		lint_at_error(l, &at, "'%s': %s", lint_at_text(&at), e.text);
	if (name == NULL && use == POD_FIELD_FILE)
		lint_at_error(l, &container, "missing");
	if (name != NULL && pod != NULL &&
	    pod_node_container(pod->node, name) == NULL)
		lint_at_error(l, &container, "the pod has no container %s",
		    name);
}

/* Check a reference to one text of an object. */
static void
check_key_ref(const struct lint *l, const struct lint_at *ref,
    enum manifest_kind kind)
{
	const struct lint_at key = lint_at_get(ref, "key");

	lint_reference_check(l, ref, kind, "name");
	lint_reference_key(l, ref, kind, "name", &key);
}

/* Check that valueFrom has exactly one source. */
static void
check_source(const struct lint *l, const struct lint_at *from,
    const struct lint_at *pod)
{
	static const char *const sources[] = { "configMapKeyRef", "fieldRef",
		"resourceFieldRef", "secretKeyRef" };
	struct lint_at ref;
	size_t i, count = 0;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		ref = lint_at_get(from, sources[i]);
		if (ref.node == NULL)
			continue;
		count++;
		if (strcmp(sources[i], "configMapKeyRef") == 0)
			check_key_ref(l, &ref, MANIFEST_CONFIG_MAP);
		else if (strcmp(sources[i], "secretKeyRef") == 0)
			check_key_ref(l, &ref, MANIFEST_SECRET);
		else if (strcmp(sources[i], "fieldRef") == 0)
			lint_container_field(l, &ref, POD_FIELD_VARIABLE);
		else
			lint_container_resource(l, &ref, pod,
			    POD_FIELD_VARIABLE);
	}
	if (count == 0)
		lint_at_error(l, from,
		    "needs one of configMapKeyRef, secretKeyRef, fieldRef and "
		    "resourceFieldRef");
	else if (count > 1)
		lint_at_error(l, from, "has %zu sources, but may have only one",
		    count);
}

static void
check_env(const struct lint *l, const struct lint_at *env,
    const struct lint_at *pod)
{
	struct lint_at variable, name, value, from;
	size_t i;

	for (i = 0; i < lint_at_count(env); i++) {
		variable = lint_at_item(env, i);
		name = lint_at_get(&variable, "name");
		value = lint_at_get(&variable, "value");
		from = lint_at_get(&variable, "valueFrom");
		check_variable_name(l, &name);
		if (lint_at_is_duplicate(env, i, "name"))
			lint_at_warn(l, &name,
			    "'%s' is set twice; this one counts",
			    lint_at_text(&name) == NULL ? "" :
							  lint_at_text(&name));
		if (from.node == NULL)
			continue;
		if (value.node != NULL && lint_at_text(&value) != NULL &&
		    *lint_at_text(&value) != '\0')
			lint_at_error(l, &from,
			    "cannot be used together with value");
		check_source(l, &from, pod);
	}
}

void
lint_container_env(const struct lint *l, const struct lint_at *env)
{
	check_env(l, env, NULL);
}

static void
check_env_from(const struct lint *l, const struct lint_at *list)
{
	struct lint_at item, map, secret, prefix;
	size_t i;

	for (i = 0; i < lint_at_count(list); i++) {
		item = lint_at_item(list, i);
		map = lint_at_get(&item, "configMapRef");
		secret = lint_at_get(&item, "secretRef");
		prefix = lint_at_get(&item, "prefix");
		if (lint_at_text(&prefix) != NULL &&
		    *lint_at_text(&prefix) != '\0')
			check_variable_name(l, &prefix);
		if ((map.node == NULL) == (secret.node == NULL))
			lint_at_error(l, &item,
			    "needs either configMapRef or secretRef");
		if (map.node != NULL)
			lint_reference_check(l, &map, MANIFEST_CONFIG_MAP,
			    "name");
		if (secret.node != NULL)
			lint_reference_check(l, &secret, MANIFEST_SECRET,
			    "name");
	}
}

/* Whether a path below a volume leads out of it. */
static bool
leads_out(const char *path)
{
	const char *part = path;
	size_t length;

	if (*path == '/')
		return true;
	for (;;) {
		length = strcspn(part, "/");
		if (length == 2 && strncmp(part, "..", 2) == 0)
			return true;
		if (part[length] == '\0')
			return false;
		part += length + 1;
	}
}

static void
check_within(const struct lint *l, const struct lint_at *at)
{
	if (lint_at_text(at) != NULL && leads_out(lint_at_text(at)))
		lint_at_error(l, at,
		    "'%s': must be a path within the volume, without '..'",
		    lint_at_text(at));
}

/* Check that the mounted volume exists; otherwise suggest one. */
static void
check_mounted(const struct lint *l, const struct lint_at *pod,
    const struct lint_at *name)
{
	const struct lint_at volumes = lint_at_get(pod, "volumes");
	struct suggestion s;
	struct error e;
	const char *own;
	size_t i;

	if (lint_at_text(name) == NULL)
		return;
	suggest_begin(&s, lint_at_text(name));
	for (i = 0; i < lint_at_count(&volumes); i++) {
		own = yaml_get_text(volumes.node->items[i].node, "name");
		if (own != NULL && strcmp(own, lint_at_text(name)) == 0)
			return;
		if (own != NULL && !remarks_are_full(l->out, REMARK_ERROR))
			suggest_offer(&s, own);
	}
	(void)error_set(&e, "the pod has no volume %s", lint_at_text(name));
	(void)suggest_append(&s, "", &e);
	lint_at_error(l, name, "%s", e.text);
}

static void
check_mounts(const struct lint *l, const struct lint_at *pod,
    const struct lint_at *list)
{
	struct lint_at mount, name, path, sub, expression;
	const char *text;
	size_t i;

	for (i = 0; i < lint_at_count(list); i++) {
		mount = lint_at_item(list, i);
		name = lint_at_get(&mount, "name");
		path = lint_at_get(&mount, "mountPath");
		sub = lint_at_get(&mount, "subPath");
		expression = lint_at_get(&mount, "subPathExpr");
		check_mounted(l, pod, &name);
		text = lint_at_text(&path);
		if (text != NULL && *text != '/')
			lint_at_error(l, &path, "'%s': must begin with '/'",
			    text);
		else if (text != NULL && strchr(text, ':') != NULL)
			lint_at_error(l, &path, "'%s': must not contain ':'",
			    text);
		if (lint_at_is_duplicate(list, i, "mountPath"))
			lint_at_error(l, &path, "'%s' is mounted twice",
			    text == NULL ? "" : text);
		check_within(l, &sub);
		check_within(l, &expression);
		if (sub.node != NULL && expression.node != NULL)
			lint_at_error(l, &expression,
			    "cannot be used together with subPath");
	}
}

/* Accept names that Kubernetes knows, and foreign ones with a '/'. */
static void
check_resource_name(const struct lint *l, const struct lint_at *at,
    const char *name)
{
	static const char *const words[] = { "cpu", "memory",
		"ephemeral-storage", NULL };
	struct error e;

	if (text_is_among(name, words) || strchr(name, '/') != NULL ||
	    strncmp(name, "hugepages-", strlen("hugepages-")) == 0)
		return;
	(void)error_set(&e, "'%s' is not a resource", name);
	(void)suggest_word(name, words, &e);
	lint_at_error(l, at, "%s", e.text);
}

static int64_t
read_quantity_at(const struct yaml_node *node)
{
	int64_t value;

	if (node == NULL || node->text == NULL ||
	    quantity_parse(node->text, &value, NULL) != 0)
		return -1;
	return value;
}

/* Report a request over the limit, and memory in thousandths of bytes. */
static void
check_resources(const struct lint *l, const struct lint_at *resources)
{
	static const char *const parts[] = { "requests", "limits" };
	const struct yaml_node *limits = yaml_get(resources->node, "limits");
	struct lint_at map, at;
	const char *name;
	int64_t value, limit;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		map = lint_at_get(resources, parts[i]);
		for (j = 0; j < lint_at_keys(&map); j++) {
			at = lint_at_key(&map, j);
			name = map.node->items[j].key;
			check_resource_name(l, &at, name);
			value = read_quantity_at(at.node);
			limit = i == 0 ?
			    read_quantity_at(yaml_get(limits, name)) :
			    -1;
			if (limit >= 0 && value > limit)
				lint_at_error(l, &at, "is more than its limit");
			if (strcmp(name, "memory") == 0 && value >= 0 &&
			    value < (int64_t)MEGABYTE * MILLIS)
				lint_at_warn(l, &at,
				    "%s is less than a megabyte: m means a "
				    "thousandth; use Mi or Gi for memory",
				    at.node->text);
		}
	}
}

static void
check_ports(const struct lint *l, const struct lint_at *list)
{
	static const char *const keys[] = { "containerPort", "hostPort" };
	struct lint_at port, at;
	size_t i, j;

	for (i = 0; i < lint_at_count(list); i++) {
		port = lint_at_item(list, i);
		for (j = 0; j < ARRAY_SIZE(keys); j++) {
			at = lint_at_get(&port, keys[j]);
			if (at.node != NULL && at.node->kind == YAML_INTEGER &&
			    (at.node->integer < 1 ||
				at.node->integer > PORT_MAX))
				lint_at_error(l, &at,
				    "must be 1 to %d, not %lld", PORT_MAX,
				    (long long)at.node->integer);
		}
		if (lint_at_is_duplicate(list, i, "name")) {
			at = lint_at_get(&port, "name");
			lint_at_error(l, &at, "another port has the same name");
		}
	}
}

void
lint_container_check(const struct lint *l, const struct lint_at *pod,
    const struct lint_at *container)
{
	const struct lint_at name = lint_at_get(container, "name");
	const struct lint_at image = lint_at_get(container, "image");
	struct lint_at part;

	lint_at_check_label(l, &name);
	if (image.node == NULL ||
	    (lint_at_text(&image) != NULL && *lint_at_text(&image) == '\0'))
		lint_at_warn(l, &image, "missing; a cluster requires one");
	else if (lint_at_text(&image) != NULL &&
	    *manifest_text_unfilled(lint_at_text(&image)) != '\0')
		lint_at_warn(l, &image, "'%s' is not the name of an image%s",
		    lint_at_text(&image),
		    manifest_text_unfilled(lint_at_text(&image)));
	part = lint_at_get(container, "workingDir");
	if (lint_at_text(&part) != NULL && *lint_at_text(&part) != '\0' &&
	    *lint_at_text(&part) != '/')
		lint_at_warn(l, &part,
		    "'%s' does not begin with '/': the container does not "
		    "start",
		    lint_at_text(&part));
	part = lint_at_get(container, "env");
	check_env(l, &part, pod);
	part = lint_at_get(container, "envFrom");
	check_env_from(l, &part);
	part = lint_at_get(container, "volumeMounts");
	check_mounts(l, pod, &part);
	part = lint_at_get(container, "resources");
	check_resources(l, &part);
	part = lint_at_get(container, "ports");
	check_ports(l, &part);
}
