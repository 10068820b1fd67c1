/*
 * fieldRef and resourceFieldRef: the rows of the table are the fields that the
 * Kubernetes documentation lists.
 */
#include "core/kube/runtime/container_internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/kube/schema/schema.h"

enum field_value {
	FIELD_OF_METADATA, /* a text; its key is the last word */
	FIELD_OF_SPEC,
	FIELD_ADDRESS,
	FIELD_MAP /* a map of texts in metadata */
};

static const struct pod_field {
	const char *path;
	enum field_value value;
	int uses; /* of enum pod_field_use */
} downward_fields[] = {
	{ "metadata.name", FIELD_OF_METADATA,
	    POD_FIELD_VARIABLE | POD_FIELD_FILE },
	{ "metadata.namespace", FIELD_OF_METADATA,
	    POD_FIELD_VARIABLE | POD_FIELD_FILE },
	{ "metadata.uid", FIELD_OF_METADATA,
	    POD_FIELD_VARIABLE | POD_FIELD_FILE },
	{ "metadata.labels", FIELD_MAP, POD_FIELD_FILE },
	{ "metadata.annotations", FIELD_MAP, POD_FIELD_FILE },
	{ "spec.nodeName", FIELD_OF_SPEC, POD_FIELD_VARIABLE },
	{ "spec.serviceAccountName", FIELD_OF_SPEC, POD_FIELD_VARIABLE },
	{ "status.hostIP", FIELD_ADDRESS, POD_FIELD_VARIABLE },
	{ "status.hostIPs", FIELD_ADDRESS, POD_FIELD_VARIABLE },
	{ "status.podIP", FIELD_ADDRESS, POD_FIELD_VARIABLE },
	{ "status.podIPs", FIELD_ADDRESS, POD_FIELD_VARIABLE },
};

/* Return the part after the last '.'. */
static const char *
last_word(const char *path)
{
	return strrchr(path, '.') + 1;
}

/* Print in double quotes; line breaks and quotes are escaped as in Go. */
static void
print_quoted(FILE *out, const char *text)
{
	static const char letters[] = "\a\b\f\n\r\t\v\\\"";
	static const char escapes[] = "abfnrtv\\\"";
	const char *found;

	(void)fputc('"', out);
	for (; *text != '\0'; text++) {
		found = strchr(letters, *text);
		if (found != NULL)
			(void)fprintf(out, "\\%c", escapes[found - letters]);
		else if ((unsigned char)*text < ' ' || *text == '\177')
			(void)fprintf(out, "\\x%02x", (unsigned)*text);
		else
			(void)fputc(*text, out);
	}
	(void)fputc('"', out);
}

/* Return the lines of a map, without a line break at the end. */
static char *
map_text(const struct yaml_node *map)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *sorted = map != NULL ?
	    yaml_copy(arena, map) :
	    yaml_new_map(arena);
	struct memstream m;
	const char *text;
	size_t i;

	(void)memstream_open(&m);
	yaml_sort(sorted);
	for (i = 0; i < sorted->count; i++) {
		(void)fprintf(m.file, "%s%s=", i > 0 ? "\n" : "",
		    sorted->items[i].key);
		text = pod_node_scalar(sorted->items[i].node);
		print_quoted(m.file, text != NULL ? text : "");
	}
	yaml_arena_free(arena);
	return memstream_close(&m, NULL);
}

/*
 * Find the field of a path that this use allows, or return NULL.  For
 * "metadata.labels['KEY']", which both uses allow, *key and *length are the
 * text in the brackets; otherwise *key is NULL.
 */
static const struct pod_field *
find_field(const char *path, enum pod_field_use use, const char **key,
    size_t *length)
{
	const struct pod_field *f;
	const char *begin = strstr(path, "['");
	const char *end = path + strlen(path) - 2;
	const bool has_key = begin != NULL && begin + 2 <= end &&
	    strcmp(end, "']") == 0;
	const size_t own = has_key ? (size_t)(begin - path) : strlen(path);
	size_t i;

	*key = has_key ? begin + 2 : NULL;
	*length = has_key ? (size_t)(end - *key) : 0;
	for (i = 0; i < ARRAY_SIZE(downward_fields); i++) {
		f = &downward_fields[i];
		if (strlen(f->path) == own && strncmp(f->path, path, own) == 0)
			return (has_key ? f->value == FIELD_MAP :
					  (f->uses & (int)use) != 0) ?
			    f :
			    NULL;
	}
	return NULL;
}

/* Return the value under a key, or "". */
static char *
subscript_text(const struct yaml_node *pod, const struct pod_field *f,
    const char *key, size_t length)
{
	char *name = xasprintf("%.*s", (int)length, key);
	const char *text = pod_node_text(
	    pod_node_map(pod_node_map(pod, "metadata"), last_word(f->path)),
	    name);

	free(name);
	return xstrdup(text != NULL ? text : "");
}

static char *
downward_text(const struct yaml_node *pod, const struct pod_host *host,
    const struct pod_field *f)
{
	const struct yaml_node *metadata = pod_node_map(pod, "metadata");
	const char *text = NULL;

	switch (f->value) {
	case FIELD_OF_METADATA:
		text = pod_node_text(metadata, last_word(f->path));
		break;
	case FIELD_OF_SPEC:
		text = pod_node_text(pod_node_map(pod, "spec"),
		    last_word(f->path));
		/* Every pod in Kubernetes has this service account. */
		if (text == NULL &&
		    strcmp(f->path, "spec.serviceAccountName") == 0)
			text = "default";
		break;
	case FIELD_ADDRESS:
		text = host->address;
		break;
	case FIELD_MAP:
		return map_text(pod_node_map(metadata, last_word(f->path)));
	}
	return xstrdup(text != NULL ? text : "");
}

static int
refuse_field(const char *path, enum pod_field_use use, struct error *e)
{
	const char *what = use == POD_FIELD_FILE ? "a file" : "a variable";
	struct suggestion s;
	size_t i;

	suggest_begin(&s, path);
	for (i = 0; i < ARRAY_SIZE(downward_fields); i++) {
		if (strcmp(path, downward_fields[i].path) == 0)
			break;
		if ((downward_fields[i].uses & (int)use) != 0)
			suggest_offer(&s, downward_fields[i].path);
	}
	if (i == ARRAY_SIZE(downward_fields)) {
		(void)error_set_code(e, ERROR_INVALID,
		    "%s is not a field that %s can have", path, what);
		return suggest_append(&s, "", e);
	}
	if (downward_fields[i].value == FIELD_MAP)
		return error_set_code(e, ERROR_INVALID,
		    "%s is for the files of a downwardAPI volume; use "
		    "%s['KEY'] for a variable",
		    path, path);
	return error_set_code(e, ERROR_INVALID,
	    "%s is for variables in env, not for files", path);
}

int
pod_field_check(const char *path, enum pod_field_use use, struct error *e)
{
	const char *key;
	size_t length;

	return find_field(path, use, &key, &length) != NULL ?
	    0 :
	    refuse_field(path, use, e);
}

char *
pod_field_text(const struct yaml_node *pod, const struct pod_host *host,
    const struct yaml_node *reference, enum pod_field_use use, struct error *e)
{
	const char *path = pod_node_text(reference, "fieldPath");
	const char *version = pod_node_text(reference, "apiVersion");
	const struct pod_field *f;
	const char *key;
	size_t length;
	int status;

	if (path == NULL)
		status = error_set_code(e, ERROR_INVALID,
		    "fieldPath is missing");
	else if (version != NULL && version[0] != '\0' &&
	    strcmp(version, "v1") != 0)
		status = error_set_code(e, ERROR_INVALID,
		    "apiVersion %s: must be v1", version);
	else
		status = pod_field_check(path, use, e);
	if (status != 0) {
		(void)error_prefix(e, "fieldRef");
		return NULL;
	}
	f = find_field(path, use, &key, &length);
	return key != NULL ? subscript_text(pod, f, key, length) :
			     downward_text(pod, host, f);
}

/* A parsed resource: "limits.cpu" is a limit of cpu. */
struct pod_resource {
	const char *name; /* "cpu" */
	bool is_limit;
};

/* Parse a resource; NULL is refused as well. */
static int
read_resource(const char *text, struct pod_resource *r, struct error *e)
{
	static const char hugepages[] = "hugepages-";

	r->is_limit = text != NULL && strncmp(text, "limits.", 7) == 0;
	if (r->is_limit ||
	    (text != NULL && strncmp(text, "requests.", 9) == 0)) {
		r->name = strchr(text, '.') + 1;
		if (strcmp(r->name, "cpu") == 0 ||
		    strcmp(r->name, "memory") == 0 ||
		    strcmp(r->name, "ephemeral-storage") == 0 ||
		    strncmp(r->name, hugepages, sizeof(hugepages) - 1) == 0)
			return 0;
	}
	return error_set_code(e, ERROR_INVALID,
	    "must be limits or requests of cpu, memory, ephemeral-storage or "
	    "hugepages-SIZE, such as limits.cpu");
}

int
pod_field_check_resource(const char *text, struct error *e)
{
	struct pod_resource r;

	return read_resource(text, &r, e);
}

/* Parse an amount: processors in thousandths, others in whole units. */
static int
read_amount(const struct pod_resource *r, const char *what, const char *text,
    int64_t *value, struct error *e)
{
	const int status = strcmp(r->name, "cpu") == 0 ?
	    quantity_parse(text, value, e) :
	    quantity_parse_whole(text, value, e);

	return status == 0 ? 0 : error_prefix(e, "%s", what);
}

/* Return the host's amount. */
static int64_t
host_amount(const struct pod_host *host, const struct pod_resource *r)
{
	if (strcmp(r->name, "cpu") == 0)
		return host->processors * 1000;
	if (strcmp(r->name, "memory") == 0)
		return host->memory_bytes;
	if (strcmp(r->name, "ephemeral-storage") == 0)
		return host->storage_bytes;
	return 0;
}

static int
find_amount(const struct yaml_node *container, const struct pod_host *host,
    const struct pod_resource *r, int64_t *value, struct error *e)
{
	const struct yaml_node *resources = pod_node_map(container,
	    "resources");
	const char *limit = pod_node_text(pod_node_map(resources, "limits"),
	    r->name);
	const char *request = pod_node_text(pod_node_map(resources, "requests"),
	    r->name);

	if (!r->is_limit && request != NULL)
		return read_amount(r, "resources.requests", request, value, e);
	*value = 0;
	if (limit != NULL &&
	    read_amount(r, "resources.limits", limit, value, e) != 0)
		return -1;
	/* A limit of 0 means no limit. */
	if (r->is_limit && *value == 0)
		*value = host_amount(host, r);
	return 0;
}

/* Return the container that the reference asks about; NULL: it does not
   exist. */
static const struct yaml_node *
find_container(const struct yaml_node *pod, const struct yaml_node *container,
    const struct yaml_node *reference, enum pod_field_use use, struct error *e)
{
	const char *name = pod_node_text(reference, "containerName");

	if (name == NULL && use == POD_FIELD_VARIABLE)
		return container;
	if (name == NULL) {
		(void)error_set_code(e, ERROR_INVALID,
		    "resourceFieldRef: containerName is missing; name the "
		    "container of the resource");
		return NULL;
	}
	container = pod_node_container(pod_node_map(pod, "spec"), name);
	if (container == NULL)
		(void)error_set_code(e, ERROR_INVALID,
		    "resourceFieldRef: containerName %s: the pod has no such "
		    "container",
		    name);
	return container;
}

char *
pod_field_resource(const struct yaml_node *pod,
    const struct yaml_node *container, const struct pod_host *host,
    const struct yaml_node *reference, enum pod_field_use use, struct error *e)
{
	const char *text = pod_node_text(reference, "resource");
	const char *divisor = pod_node_text(reference, "divisor");
	struct pod_resource r;
	int64_t value, unit = 0;

	if (read_resource(text, &r, e) != 0) {
		(void)error_prefix(e, "resourceFieldRef: resource %s",
		    text != NULL ? text : "is missing");
		return NULL;
	}
	container = find_container(pod, container, reference, use, e);
	if (container == NULL ||
	    find_amount(container, host, &r, &value, e) != 0)
		return NULL;
	if (divisor != NULL &&
	    read_amount(&r, "resourceFieldRef: divisor", divisor, &unit, e) !=
		0)
		return NULL;
	if (unit == 0)
		unit = strcmp(r.name, "cpu") == 0 ? 1000 : 1;
	return xasprintf("%lld",
	    (long long)(value / unit + (value % unit != 0)));
}
