/*
 * Checks of single objects: their kind, their names, and then the rules of the
 * kind.
 */
#include "core/kube/lint/lint.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/kube/lint/lint_internal.h"
#include "core/kube/schema/schema.h"

static const char *const lint_kinds[] = { "IPUJob", "ConfigMap", "Secret",
	"PersistentVolumeClaim", "Service", "Namespace", NULL };

/* Kinds that a cluster needs around a job, and this host does not. */
static const char *const needless_kinds[] = { "ServiceAccount", "Role",
	"RoleBinding", "ClusterRole", "ClusterRoleBinding", "Ingress",
	"NetworkPolicy", "LimitRange", "ResourceQuota", "PriorityClass",
	"PodDisruptionBudget", "PersistentVolume", "StorageClass",
	"HorizontalPodAutoscaler", NULL };

/* A list of files for kustomize, which is not an object. */
static const char kustomization[] = "Kustomization";

/* Whether the kind belongs to another API than the operator's and the core one:
   its kinds are not checked. */
static bool
is_foreign_kind(const struct manifest_object *object)
{
	static const char own[] = "graphcore.ai/";

	return strchr(object->api_version, '/') != NULL &&
	    strncmp(object->api_version, own, strlen(own)) != 0;
}

enum lint_kind
lint_find_kind(const struct manifest_object *object)
{
	if (object->kind != MANIFEST_UNKNOWN)
		return LINT_KIND_KNOWN;
	if (text_is_among(object->kind_text, needless_kinds))
		return LINT_KIND_NEEDLESS;
	if (*object->kind_text != '\0' &&
	    strcmp(object->kind_text, kustomization) != 0 &&
	    (is_foreign_kind(object) || strcmp(object->kind_text, "Pod") == 0))
		return LINT_KIND_ELSEWHERE;
	return LINT_KIND_WRONG;
}

static void
refuse_kind(const struct lint *l, const struct lint_at *at, const char *kind)
{
	struct error e;

	(void)error_set(&e,
	    "'%s' is not supported; use IPUJob, ConfigMap, Secret, "
	    "PersistentVolumeClaim, Service or Namespace",
	    kind);
	(void)suggest_word(kind, lint_kinds, &e);
	lint_at_error(l, at, "%s", e.text);
}

/* Whether the rules of its kind are known. */
static bool
check_kind(const struct lint *l)
{
	const struct lint_at object = lint_at_object(l);
	const struct lint_at at = lint_at_get(&object, "kind");
	const char *kind = l->object->kind_text;

	switch (lint_find_kind(l->object)) {
	case LINT_KIND_KNOWN:
		return true;
	case LINT_KIND_NEEDLESS:
		lint_at_warn(l, &at,
		    "%s is skipped: nothing on this host needs it", kind);
		return false;
	case LINT_KIND_ELSEWHERE:
		lint_at_warn(l, &at, "%s is skipped: only IPUJobs run here",
		    kind);
		return false;
	case LINT_KIND_WRONG:
		break;
	}
	if (*kind == '\0')
		lint_at_error(l, &at, "missing; a job has kind: IPUJob");
	else if (strcmp(kind, kustomization) == 0)
		lint_at_error(l, &at,
		    "%s: make a manifest of it with kubectl kustomize", kind);
	else
		refuse_kind(l, &at, kind);
	return false;
}

static void
check_version(const struct lint *l)
{
	const struct lint_at object = lint_at_object(l);
	const struct lint_at at = lint_at_get(&object, "apiVersion");
	const char *wanted = l->object->kind == MANIFEST_IPUJOB ?
	    "graphcore.ai/v1alpha1" :
	    "v1";

	if (at.node == NULL)
		lint_at_error(l, &at, "missing; it must be %s", wanted);
	else if (lint_at_text(&at) != NULL &&
	    strcmp(lint_at_text(&at), wanted) != 0)
		lint_at_error(l, &at, "must be %s, not %s", wanted,
		    lint_at_text(&at));
}

/* Check the name of an object other than an IPUJob, which lint_job.c checks. */
static int
check_plain_name(enum manifest_kind kind, const char *name, struct error *e)
{
	return kind == MANIFEST_SERVICE || kind == MANIFEST_NAMESPACE ?
	    dns_name_check_label(name, DNS_LABEL_MAX, e) :
	    dns_name_check_subdomain(name, DNS_SUBDOMAIN_MAX, e);
}

static void
check_names_of(const struct lint *l)
{
	const struct lint_at object = lint_at_object(l);
	const struct lint_at meta = lint_at_get(&object, "metadata");
	const struct lint_at name = lint_at_get(&meta, "name");
	const struct lint_at begin = lint_at_get(&meta, "generateName");
	const struct lint_at space = lint_at_get(&meta, "namespace");
	struct error e;

	if (meta.node != NULL && meta.node->kind != YAML_MAP)
		return;
	if (name.node == NULL && begin.node == NULL)
		lint_at_error(l, &meta, "needs a name or a generateName");
	else if (name.node != NULL && begin.node != NULL)
		lint_at_note(l, &begin, "has no effect, because name is set");
	if (l->object->kind != MANIFEST_IPUJOB && l->object->name != NULL &&
	    check_plain_name(l->object->kind, l->object->name, &e) != 0)
		lint_at_error(l, &name, "%s%s", e.text,
		    manifest_text_unfilled(l->object->name));
	lint_at_check_label(l, &space);
}

/* Whether the text is a label's key, which may start with a subdomain and
   '/'. */
static bool
is_label_key(const char *key)
{
	const char *slash = strchr(key, '/');
	char prefix[DNS_SUBDOMAIN_MAX + 1];
	const size_t length = slash == NULL ? 0 : (size_t)(slash - key);

	if (slash == NULL)
		return dns_name_is_label_text(key);
	if (length >= sizeof(prefix))
		return false;
	memcpy(prefix, key, length);
	prefix[length] = '\0';
	return dns_name_check_subdomain(prefix, DNS_SUBDOMAIN_MAX, NULL) == 0 &&
	    dns_name_is_label_text(slash + 1);
}

static void
check_labels(const struct lint *l, const char *path, bool values)
{
	const struct lint_at object = lint_at_object(l);
	const struct lint_at map = lint_at_get(&object, path);
	struct lint_at at;
	const char *text;
	size_t i;

	for (i = 0; i < lint_at_keys(&map); i++) {
		at = lint_at_key(&map, i);
		text = lint_at_text(&at);
		if (!is_label_key(map.node->items[i].key))
			lint_at_error(l, &at,
			    "the key must be at most %d letters, digits, '-', "
			    "'_' and '.', optionally after a domain and '/'",
			    DNS_LABEL_MAX);
		else if (values && text != NULL && *text != '\0' &&
		    !dns_name_is_label_text(text))
			lint_at_error(l, &at,
			    "'%s': must be at most %d letters, digits, '-', "
			    "'_' and '.'",
			    text, DNS_LABEL_MAX);
	}
}

static void
check_doubles(const struct lint *l)
{
	const struct lint_at object = lint_at_object(l);
	const struct lint_at at = lint_at_get(&object, "metadata/name");
	const struct manifest_object *first;

	if (l->others == NULL || l->object->name == NULL)
		return;
	first = manifest_find(l->others, l->object->kind, l->object->name,
	    l->object->space);
	if (first != l->object && first != NULL)
		lint_at_error(l, &at, "%s %s is already defined in %s, line %d",
		    l->object->kind_text, l->object->name, first->file,
		    first->node->line);
}

/*
 * Whether an IPUJob lost its indentation when it was copied from a page, but is
 * still YAML: keys of all levels are at the top.
 */
static bool
has_lost_levels(const struct yaml_node *node)
{
	static const char *const keys[] = { "jobInstances",
		"ipusPerJobInstance", "workers", "template", "containers" };
	size_t i, count = 0;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		count += yaml_get(node, keys[i]) != NULL;
	return count > 1;
}

static void
check_job(const struct lint *l, size_t errors_before)
{
	const struct lint_at object = lint_at_object(l);
	struct lint_numbers numbers;
	struct ipujob job;
	struct error e;

	lint_job_check(l, &numbers);
	lint_pod_check(l, &numbers);
	check_labels(l, "spec/workers/template/metadata/labels", true);
	check_labels(l, "spec/workers/template/metadata/annotations", false);
	/* Check the same reading that is used later. */
	if (l->out->found[REMARK_ERROR] == errors_before &&
	    ipujob_read(l->object->node, "default", &job, &e) != 0)
		lint_at_error(l, &object, "%s", e.text);
}

/*
 * Refuse lists that are too long: comparing all pairs of items would take
 * minutes.
 */
static void
check_lengths(const struct lint *l, const struct yaml_node *node)
{
	const struct lint_at at = { .node = node, .near = node };
	size_t i;

	if (node->kind == YAML_LIST && node->count > LINT_ITEMS_MAX)
		lint_at_refuse(l, &at,
		    "has %zu items, but at most %d are allowed", node->count,
		    LINT_ITEMS_MAX);
	for (i = 0; i < node->count; i++)
		check_lengths(l, node->items[i].node);
}

static void
check_one(const struct lint *l)
{
	const struct manifest_object *object = l->object;
	const struct lint_at at = lint_at_object(l);
	const size_t errors = l->out->found[REMARK_ERROR];

	if (!check_kind(l))
		return;
	if (object->kind == MANIFEST_IPUJOB && has_lost_levels(object->node)) {
		lint_at_error(l, &at,
		    "its fields have lost their indentation, perhaps when "
		    "copied from a page: indent the fields of metadata: and "
		    "spec: by two spaces");
		return;
	}
	schema_check(schema_find(object->kind_text), object->file, object->node,
	    l->out);
	check_lengths(l, object->node);
	check_version(l);
	check_names_of(l);
	check_labels(l, "metadata/labels", true);
	check_labels(l, "metadata/annotations", false);
	check_doubles(l);
	if (object->kind == MANIFEST_CONFIG_MAP ||
	    object->kind == MANIFEST_SECRET)
		lint_reference_data(l);
	else if (object->kind == MANIFEST_IPUJOB)
		check_job(l, errors);
}

void
lint_manifest(struct manifest *m, struct remarks *out)
{
	struct lint l = { .others = m, .out = out };
	size_t i;

	for (i = 0; i < m->count; i++) {
		l.object = &m->objects[i];
		check_one(&l);
		manifest_set_defaults(m, &m->objects[i]);
	}
	remarks_sort(out);
}
