/*
 * fieldRef and resourceFieldRef: the rows of the table are the fields that the
 * Kubernetes documentation lists.
 */
#include "core/ipujob/pod_field.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/base/memstream.h"
#include "core/base/suggest.h"
#include "core/ipujob/pod_node.h"
#include "core/ipujob/quantity.h"

enum field_value {
	FIELD_OF_METADATA,	/* a text under its last word */
	FIELD_OF_SPEC,
	FIELD_ADDRESS,
	FIELD_MAP		/* of texts, in metadata */
};

static const struct pod_field {
	const char	*path;
	enum field_value value;
	int		 uses;		/* of enum pod_field_use */
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
	{ "status.podIPs", FIELD_ADDRESS, POD_FIELD_VARIABLE }
};

/* What stands behind the last '.'. */
static const char *
last_word(const char *path)
{
	return strrchr(path, '.') + 1;
}

static int
pod_field_compare_items(const void *a, const void *b)
{
	const struct yaml_item *const	*x = a, *const *y = b;

	return strcmp((*x)->key, (*y)->key);
}

/* In double quotes; what ends the line or the quotes is escaped as in Go. */
static void
print_quoted(FILE *out, const char *text)
{
	static const char	letters[] = "\a\b\f\n\r\t\v\\\"";
	static const char	escapes[] = "abfnrtv\\\"";
	const char		*found;

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

/* No line break behind the last line. */
static char *
map_text(const struct yaml_node *map)
{
	const size_t		  count = map != NULL ? map->count : 0;
	const struct yaml_item	**sorted = xcalloc(count + 1,
	    sizeof(*sorted));
	struct memstream	  m;
	const char		 *text;
	size_t			  i;

	(void)memstream_open(&m);
	for (i = 0; i < count; i++)
		sorted[i] = &map->items[i];
	qsort(sorted, count, sizeof(*sorted), pod_field_compare_items);
	for (i = 0; i < count; i++) {
		(void)fprintf(m.file, "%s%s=", i > 0 ? "\n" : "",
		    sorted[i]->key);
		text = pod_node_scalar(sorted[i]->node);
		print_quoted(m.file, text != NULL ? text : "");
	}
	free(sorted);
	return memstream_close(&m, NULL);
}

/*
 * "metadata.labels['KEY']": its value, "" where there is no such key; NULL: the
 * path is not of that form.
 */
static char *
subscript_text(const struct yaml_node *pod, const char *path)
{
	const struct yaml_node	*metadata = pod_node_map(pod, "metadata");
	const char		*begin = strstr(path, "['"), *text;
	size_t			 length = strlen(path);
	char			*map, *key;

	if (begin == NULL || begin + 4 > path + length ||
	    strcmp(path + length - 2, "']") != 0)
		return NULL;
	map = xasprintf("%.*s", (int)(begin - path), path);
	key = xasprintf("%.*s", (int)(path + length - begin) - 4, begin + 2);
	text = NULL;
	if (strcmp(map, "metadata.labels") == 0 ||
	    strcmp(map, "metadata.annotations") == 0) {
		text = pod_node_text(pod_node_map(metadata, last_word(map)),
		    key);
		if (text == NULL)
			text = "";
	}
	free(map);
	free(key);
	return text != NULL ? xstrdup(text) : NULL;
}

static char *
downward_text(const struct yaml_node *pod, const struct pod_host *host,
    const struct pod_field *f)
{
	const struct yaml_node	*metadata = pod_node_map(pod, "metadata");
	const char		*text = NULL;

	switch (f->value) {
	case FIELD_OF_METADATA:
		text = pod_node_text(metadata, last_word(f->path));
		break;
	case FIELD_OF_SPEC:
		text = pod_node_text(pod_node_map(pod, "spec"),
		    last_word(f->path));
		/* Every pod has one in Kubernetes, and this is its name. */
		if (text == NULL && strcmp(f->path,
		    "spec.serviceAccountName") == 0)
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

static char *
refuse_field(const char *path, enum pod_field_use use, struct error *e)
{
	const char		*what = use == POD_FIELD_FILE ? "a file" :
	    "a variable";
	struct suggestion	 s;
	size_t			 i;

	suggest_begin(&s, path);
	for (i = 0; i < ARRAY_SIZE(downward_fields); i++) {
		if (strcmp(path, downward_fields[i].path) == 0)
			break;
		if ((downward_fields[i].uses & (int)use) != 0)
			suggest_offer(&s, downward_fields[i].path);
	}
	if (i == ARRAY_SIZE(downward_fields)) {
		(void)error_set_code(e, ERROR_INVALID, "fieldRef: %s is not "
		    "a field that %s can have", path, what);
		(void)suggest_append(&s, "", e);
	} else if (downward_fields[i].value == FIELD_MAP) {
		(void)error_set_code(e, ERROR_INVALID, "fieldRef: %s is for "
		    "the files of a downwardAPI volume; a variable has "
		    "%s['KEY']", path, path);
	} else {
		(void)error_set_code(e, ERROR_INVALID, "fieldRef: %s is for "
		    "variables, in env, and not for files", path);
	}
	return NULL;
}

char *
pod_field_text(const struct yaml_node *pod, const struct pod_host *host,
    const struct yaml_node *reference, enum pod_field_use use,
    struct error *e)
{
	const char	*path = pod_node_text(reference, "fieldPath");
	const char	*version = pod_node_text(reference, "apiVersion");
	char		*text;
	size_t		 i;

	if (path == NULL) {
		(void)error_set_code(e, ERROR_INVALID,
		    "fieldRef: fieldPath is missing");
		return NULL;
	}
	if (version != NULL && version[0] != '\0' &&
	    strcmp(version, "v1") != 0) {
		(void)error_set_code(e, ERROR_INVALID,
		    "fieldRef: apiVersion %s: must be v1", version);
		return NULL;
	}
	text = subscript_text(pod, path);
	if (text != NULL)
		return text;
	for (i = 0; i < ARRAY_SIZE(downward_fields); i++)
		if (strcmp(path, downward_fields[i].path) == 0 &&
		    (downward_fields[i].uses & (int)use) != 0)
			return downward_text(pod, host, &downward_fields[i]);
	return refuse_field(path, use, e);
}

/* "limits.cpu": a limit of cpu. */
struct pod_resource {
	const char	*name;		/* "cpu" */
	bool		 is_limit;
};

static bool
read_resource(const char *text, struct pod_resource *r)
{
	static const char	hugepages[] = "hugepages-";

	r->is_limit = strncmp(text, "limits.", 7) == 0;
	if (!r->is_limit && strncmp(text, "requests.", 9) != 0)
		return false;
	r->name = strchr(text, '.') + 1;
	return strcmp(r->name, "cpu") == 0 ||
	    strcmp(r->name, "memory") == 0 ||
	    strcmp(r->name, "ephemeral-storage") == 0 ||
	    strncmp(r->name, hugepages, sizeof(hugepages) - 1) == 0;
}

/* Processors in thousandths, all else whole. */
static int
read_amount(const struct pod_resource *r, const char *what, const char *text,
    int64_t *value, struct error *e)
{
	const int	status = strcmp(r->name, "cpu") == 0 ?
	    quantity_parse(text, value, e) :
	    quantity_parse_whole(text, value, e);

	return status == 0 ? 0 : error_prefix(e, "%s", what);
}

/* What the host has of it. */
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
	const struct yaml_node	*resources = pod_node_map(container,
	    "resources");
	const char		*limit = pod_node_text(pod_node_map(resources,
	    "limits"), r->name);
	const char		*request = pod_node_text(pod_node_map(
	    resources, "requests"), r->name);

	if (!r->is_limit && request != NULL)
		return read_amount(r, "resources.requests", request, value,
		    e);
	*value = 0;
	if (limit != NULL && read_amount(r, "resources.limits", limit, value,
	    e) != 0)
		return -1;
	/* A limit of 0 is none. */
	if (r->is_limit && *value == 0)
		*value = host_amount(host, r);
	return 0;
}

/* Of which container it asks; NULL: of one that is not there. */
static const struct yaml_node *
find_asked(const struct yaml_node *pod, const struct yaml_node *container,
    const struct yaml_node *reference, enum pod_field_use use,
    struct error *e)
{
	const char	*name = pod_node_text(reference, "containerName");

	if (name == NULL && use == POD_FIELD_VARIABLE)
		return container;
	if (name == NULL) {
		(void)error_set_code(e, ERROR_INVALID, "resourceFieldRef: "
		    "containerName is missing: a file has to say of which "
		    "container");
		return NULL;
	}
	container = pod_node_container(pod, name);
	if (container == NULL)
		(void)error_set_code(e, ERROR_INVALID, "resourceFieldRef: "
		    "containerName %s: the pod has no such container", name);
	return container;
}

char *
pod_field_resource(const struct yaml_node *pod,
    const struct yaml_node *container, const struct pod_host *host,
    const struct yaml_node *reference, enum pod_field_use use,
    struct error *e)
{
	const char	*text = pod_node_text(reference, "resource");
	const char	*divisor = pod_node_text(reference, "divisor");
	struct pod_resource	 r;
	int64_t		 value, unit = 0;

	if (text == NULL || !read_resource(text, &r)) {
		(void)error_set_code(e, ERROR_INVALID, "resourceFieldRef: "
		    "resource %s: must be limits or requests of cpu, memory, "
		    "ephemeral-storage or hugepages-SIZE, as limits.cpu",
		    text != NULL ? text : "is missing");
		return NULL;
	}
	container = find_asked(pod, container, reference, use, e);
	if (container == NULL ||
	    find_amount(container, host, &r, &value, e) != 0)
		return NULL;
	if (divisor != NULL && read_amount(&r, "resourceFieldRef: divisor",
	    divisor, &unit, e) != 0)
		return NULL;
	if (unit == 0)
		unit = strcmp(r.name, "cpu") == 0 ? 1000 : 1;
	return xasprintf("%lld", (long long)(value / unit +
	    (value % unit != 0)));
}
