/*
 * Volumes made of files.  The pod's processes belong to one user, so the mode
 * of a file only matters for its owner.  A secret's file drops the bits for a
 * group (fsGroup) and for others, and the owner may always read.
 */
#include "core/kube/runtime/container_internal.h"

#include <sys/stat.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/file_set.h"

enum { POD_FILES_MAX = 4096 }; /* of a container; more are refused */

enum { MODE_DEFAULT = 0644, MODE_MAX = 0777 };

/* The volume being filled. */
struct container_filling {
	const struct yaml_node *pod;
	const struct pod_host *host;
	const char *volume;
	struct container_plan *plan;
	size_t first; /* index of its first file in the plan */
	mode_t mode;  /* default mode */
};

/* The contents of a file to create. */
struct container_content {
	const char *path; /* within the volume */
	mode_t mode;
	bool is_secret;
	char *bytes; /* owned; NULL: reading failed */
	size_t size;
};

bool
container_files_have(const struct container_plan *plan, const char *path)
{
	size_t i;

	for (i = 0; i < plan->file_count; i++)
		if (strcmp(plan->files[i].path, path) == 0)
			return true;
	return false;
}

/*
 * Return the index of a path, or the end for a new one.  -1: a file is in place
 * of a directory that this one needs, or the reverse.
 */
static long
place_file(const struct container_filling *f, const char *path, struct error *e)
{
	const size_t skip = strlen("volumes/") + strlen(f->volume) + 1;
	const char *other;
	size_t i, n;

	for (i = f->first; i < f->plan->file_count; i++) {
		other = f->plan->files[i].path;
		for (n = skip; path[n] != '\0' && path[n] == other[n]; n++)
			continue;
		if (path[n] == other[n])
			break;
		/* One path is a prefix of the other. */
		if (path[n] + other[n] == '/' &&
		    (path[n] == '\0' || other[n] == '\0'))
			return error_set_code(e, ERROR_INVALID,
			    "path %s: conflicts with file %s; one of them "
			    "would have to be a directory",
			    path + skip, other + skip);
	}
	return (long)i;
}

/*
 * Check a path below the volume by the rules of the API server, which also
 * reserves "..data" and similar names for Kubernetes.
 */
static int
check_content_path(const char *path, struct error *e)
{
	if (file_set_is_path(path) && strncmp(path, "..", 2) != 0 &&
	    strlen(path) < PATH_MAX)
		return 0;
	return error_set_code(e, ERROR_INVALID,
	    "path '%s': must be a path within the volume, without '..'", path);
}

/* Add one file to the plan, replacing one of the same path. */
static int
add_content(struct container_filling *f, struct container_content *c,
    struct error *e)
{
	struct container_plan *plan = f->plan;
	struct container_file *file;
	char *path;
	long i = -1;

	if (c->bytes == NULL)
		return -1;
	path = xasprintf("volumes/%s/%s", f->volume, c->path);
	if (check_content_path(c->path, e) == 0)
		i = place_file(f, path, e);
	if (i == POD_FILES_MAX)
		i = error_set_code(e, ERROR_INVALID, "more than %d files",
		    POD_FILES_MAX);
	if (i == -1) {
		free(path);
		free(c->bytes);
		return -1;
	}
	plan->files = xreallocarray(plan->files, plan->file_count + 1,
	    sizeof(*plan->files));
	file = &plan->files[i];
	if ((size_t)i < plan->file_count) {
		free(file->path);
		free(file->bytes);
	} else {
		plan->file_count++;
	}
	file->path = path;
	file->mode = (c->is_secret ? c->mode & S_IRWXU : c->mode) | S_IRUSR;
	file->bytes = c->bytes;
	file->size = c->size;
	return 0;
}

/* Read mode or defaultMode: a number, in YAML 0400 or 256. */
static int
read_mode(const struct yaml_node *map, const char *field, mode_t otherwise,
    mode_t *mode, struct error *e)
{
	const struct yaml_node *node = pod_node_get(map, field);

	*mode = otherwise;
	if (node == NULL)
		return 0;
	if (node->kind != YAML_INTEGER || node->integer < 0 ||
	    node->integer > MODE_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "%s: must be a number from 0 to 0777", field);
	*mode = (mode_t)node->integer;
	return 0;
}

/* Return the path of an item, or NULL if it is missing. */
static const char *
item_path(const struct yaml_node *item, struct error *e)
{
	const char *path = pod_node_text(item, "path");

	if (path == NULL)
		(void)error_set_code(e, ERROR_INVALID, "path is missing");
	return path;
}

/* Check a key that becomes a file name. */
static int
check_file_key(const struct pod_data *d, const char *key, struct error *e)
{
	if (dns_name_is_key(key))
		return 0;
	return error_set_code(e, ERROR_INVALID,
	    "%s %s: key '%s' cannot be a file name; use letters, digits, '-', "
	    "'_' and '.'",
	    pod_data_word(d), d->name, key);
}

static int
fill_all_keys(struct container_filling *f, const struct pod_data *d,
    struct error *e)
{
	struct pod_entry entry;
	struct container_content c;
	size_t i = 0;

	while (pod_data_next(d, &i, &entry)) {
		if (check_file_key(d, entry.key, e) != 0)
			return -1;
		c = (struct container_content){ .path = entry.key,
			.mode = f->mode,
			.is_secret = d->kind == POD_SECRET };
		c.bytes = pod_data_bytes(d, &entry, &c.size, e);
		if (add_content(f, &c, e) != 0)
			return -1;
	}
	return 0;
}

/* Add one key under the path of the item. */
static int
fill_item_key(struct container_filling *f, const struct pod_data *d,
    const struct yaml_node *item, bool optional, struct error *e)
{
	const char *key = pod_node_text(item, "key");
	struct error reason = { .text = "", .code = ERROR_NONE };
	struct pod_entry entry;
	struct container_content c = { .path = item_path(item, e),
		.is_secret = d->kind == POD_SECRET };

	if (c.path == NULL)
		return -1;
	if (key == NULL)
		return error_set_code(e, ERROR_INVALID, "key is missing");
	if (read_mode(item, "mode", f->mode, &c.mode, e) != 0)
		return -1;
	if (pod_data_get(d, key, &entry, &reason) != 0)
		return optional ? 0 : error_copy(e, &reason);
	c.bytes = pod_data_bytes(d, &entry, &c.size, e);
	return add_content(f, &c, e);
}

/* Add the files of a configMap or a secret, which `field` of the source
   names. */
static int
fill_object(struct container_filling *f, enum pod_reference kind,
    const struct yaml_node *source, const char *field, struct error *e)
{
	struct pod_data d;
	size_t i;

	if (pod_data_find(f->host, kind, source, field, &d, e) != 0)
		return -1;
	if (pod_node_count(source, "items") == 0)
		return fill_all_keys(f, &d, e);
	for (i = 0; i < pod_node_count(source, "items"); i++)
		if (fill_item_key(f, &d, pod_node_item(source, "items", i),
			pod_data_is_optional(source), e) != 0)
			return error_prefix(e, "items[%zu]", i);
	return 0;
}

/* Add one item of a downwardAPI. */
static int
fill_field(struct container_filling *f, const struct yaml_node *item,
    struct error *e)
{
	const struct yaml_node *field = pod_node_map(item, "fieldRef");
	const struct yaml_node *resource = pod_node_map(item,
	    "resourceFieldRef");
	struct container_content c = { .path = item_path(item, e) };

	if (c.path == NULL || read_mode(item, "mode", f->mode, &c.mode, e) != 0)
		return -1;
	if ((field != NULL) == (resource != NULL))
		return error_set_code(e, ERROR_INVALID,
		    "must have one of fieldRef and resourceFieldRef");
	c.bytes = field != NULL ?
	    pod_field_text(f->pod, f->host, field, POD_FIELD_FILE, e) :
	    pod_field_resource(f->pod, NULL, f->host, resource, POD_FIELD_FILE,
		e);
	c.size = c.bytes != NULL ? strlen(c.bytes) : 0;
	return add_content(f, &c, e);
}

static int
fill_downward(struct container_filling *f, const struct yaml_node *source,
    struct error *e)
{
	size_t i;

	for (i = 0; i < pod_node_count(source, "items"); i++)
		if (fill_field(f, pod_node_item(source, "items", i), e) != 0)
			return error_prefix(e, "items[%zu]", i);
	return 0;
}

/* Add one source of a projected volume. */
static int
fill_projection(struct container_filling *f, const struct yaml_node *source,
    struct error *e)
{
	const struct yaml_node *secret = pod_node_map(source, "secret");
	const struct yaml_node *config = pod_node_map(source, "configMap");
	const struct yaml_node *downward = pod_node_map(source, "downwardAPI");

	/* Skip tokens, because no API server exists that would accept
	   them. */
	if (pod_node_map(source, "serviceAccountToken") != NULL &&
	    source->count == 1)
		return 0;
	if ((secret != NULL) + (config != NULL) + (downward != NULL) != 1)
		return error_set_code(e, ERROR_UNSUPPORTED,
		    "must have one of secret, configMap and downwardAPI; other "
		    "sources are not supported");
	if (secret != NULL)
		return fill_object(f, POD_SECRET, secret, "name", e);
	if (config != NULL)
		return fill_object(f, POD_CONFIG_MAP, config, "name", e);
	return fill_downward(f, downward, e);
}

static int
fill_projected(struct container_filling *f, const struct yaml_node *projected,
    struct error *e)
{
	size_t i;

	for (i = 0; i < pod_node_count(projected, "sources"); i++)
		if (fill_projection(f, pod_node_item(projected, "sources", i),
			e) != 0)
			return error_prefix(e, "sources[%zu]", i);
	return 0;
}

int
container_files_add(const struct yaml_node *pod, const struct pod_host *host,
    const struct yaml_node *volume, const char *name,
    struct container_plan *plan, struct error *e)
{
	const struct yaml_node *config = pod_node_map(volume, "configMap");
	const struct yaml_node *secret = pod_node_map(volume, "secret");
	const struct yaml_node *downward = pod_node_map(volume, "downwardAPI");
	const struct yaml_node *projected = pod_node_map(volume, "projected");
	struct container_filling f = { .pod = pod,
		.host = host,
		.volume = name,
		.plan = plan,
		.first = plan->file_count };

	if (read_mode(config != NULL ? config :
		    secret != NULL   ? secret :
		    downward != NULL ? downward :
				       projected,
		"defaultMode", MODE_DEFAULT, &f.mode, e) != 0)
		return -1;
	if (config != NULL)
		return fill_object(&f, POD_CONFIG_MAP, config, "name", e);
	if (secret != NULL)
		return fill_object(&f, POD_SECRET, secret, "secretName", e);
	if (downward != NULL)
		return fill_downward(&f, downward, e);
	return fill_projected(&f, projected, e);
}
