/*
 * volumeMounts and their volumes.  plan_source() decides how each kind of
 * volume is provided.  A volume of a service, a cloud or a device cannot be
 * reached from here: a directory replaces it.
 */
#include "core/kube/runtime/container_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/kube/schema/schema.h"

enum { POD_MOUNTS_MAX = 1024 }; /* of a container; more are refused */

/* A volumeMount on its way into the plan. */
struct container_mounting {
	const struct yaml_node *pod;
	const struct pod_host *host;
	struct container_plan *plan;
	const struct yaml_node *mount;
	const struct yaml_node *volume;
	struct container_volume *v;
};

/* Whether a text has a control character. */
static bool
has_control(const char *text)
{
	for (; *text != '\0'; text++)
		if ((unsigned char)*text < ' ' || *text == '\177')
			return true;
	return false;
}

/*
 * Return the parts of a path, each after a '/': "/a/b" for "a//./b/"; the
 * caller frees it.  NULL: it has a "..".
 */
static char *
clean_path(const char *field, const char *path, struct error *e)
{
	const char *part;
	struct memstream m;
	size_t length;

	if (has_control(path) || strlen(path) >= PATH_MAX) {
		(void)error_set_code(e, ERROR_INVALID, "%s: %s", field,
		    has_control(path) ? "has a control character" :
					"is too long");
		return NULL;
	}
	(void)memstream_open(&m);
	for (part = path; *part != '\0'; part += length) {
		part += strspn(part, "/");
		length = strcspn(part, "/");
		if (length == 2 && strncmp(part, "..", 2) == 0)
			break;
		if (length > 0 && strncmp(part, ".", length) != 0)
			(void)fprintf(m.file, "/%.*s", (int)length, part);
	}
	if (*part == '\0')
		return memstream_close(&m, NULL);
	free(memstream_close(&m, NULL));
	(void)error_set_code(e, ERROR_INVALID, "%s %s: must not contain '..'",
	    field, path);
	return NULL;
}

/* Do the same for an absolute path, which may be "/". */
static char *
clean_absolute(const char *field, const char *path, struct error *e)
{
	char *clean = clean_path(field, path, e);

	if (clean != NULL && clean[0] == '\0') {
		free(clean);
		clean = xstrdup("/");
	}
	return clean;
}

bool
container_volumes_is_within(const char *path, const char *directory)
{
	const size_t length = strcmp(directory, "/") == 0 ?
	    0 :
	    strlen(directory);

	return strncmp(path, directory, length) == 0 &&
	    (path[length] == '\0' || path[length] == '/');
}

/* Count the volumeMounts of all containers that name the volume. */
static size_t
count_mounts(const struct yaml_node *pod, const char *name)
{
	static const char *const lists[] = { "containers", "initContainers" };
	const struct yaml_node *spec = pod_node_map(pod, "spec"), *c;
	const char *text;
	size_t i, j, k, count = 0;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		for (j = 0; j < pod_node_count(spec, lists[i]); j++) {
			c = pod_node_item(spec, lists[i], j);
			for (k = 0; k < pod_node_count(c, "volumeMounts");
			     k++) {
				text = pod_node_text(pod_node_item(c,
							 "volumeMounts", k),
				    "name");
				count += text != NULL &&
				    strcmp(text, name) == 0;
			}
		}
	return count;
}

/* Whether this is the pod's only mount of the volume, and of all of it. */
static bool
is_mounted_whole(const struct container_mounting *m)
{
	const char *path = pod_node_text(m->mount, "subPath");

	return (path == NULL || path[0] == '\0') &&
	    pod_node_get(m->mount, "subPathExpr") == NULL &&
	    count_mounts(m->pod, m->v->name) == 1;
}

/* Use a directory of the pod. */
static void
plan_own(struct container_mounting *m)
{
	m->v->directory = xasprintf("%s/volumes/%s", m->host->directory,
	    m->v->name);
	m->v->is_made = true;
}

static int
plan_empty(struct container_mounting *m, const struct yaml_node *source,
    struct error *e)
{
	const char *limit = pod_node_text(source, "sizeLimit");
	const char *medium = pod_node_text(source, "medium");

	if (limit != NULL &&
	    quantity_parse_whole(limit, &m->v->size_bytes, e) != 0)
		return error_prefix(e, "emptyDir.sizeLimit");
	if (medium != NULL && medium[0] != '\0' &&
	    strcmp(medium, "Memory") != 0)
		return error_set_code(e, ERROR_UNSUPPORTED,
		    "emptyDir.medium %s is not supported; leave it out, or use "
		    "Memory",
		    medium);
	if (medium != NULL && medium[0] != '\0' && is_mounted_whole(m))
		m->v->kind = POD_MEMORY;
	else
		plan_own(m);
	return 0;
}

static int
plan_claim(struct container_mounting *m, const struct yaml_node *source,
    struct error *e)
{
	const char *name = pod_node_text(source, "claimName");

	if (name == NULL)
		return error_set_code(e, ERROR_INVALID,
		    "persistentVolumeClaim: claimName is missing");
	m->v->is_read_only = yaml_get_bool(source, "readOnly", false);
	m->v->directory = m->host->place(m->host->context, JOB_PLACE_CLAIM,
	    name, e);
	return m->v->directory != NULL ?
	    0 :
	    error_prefix(e, "persistentVolumeClaim %s", name);
}

static int
read_path_type(const char *type, enum pod_path *path, struct error *e)
{
	static const char *const words[] = { [POD_PATH_ANY] = "",
		[POD_PATH_MAKE_DIRECTORY] = "DirectoryOrCreate",
		[POD_PATH_DIRECTORY] = "Directory",
		[POD_PATH_MAKE_FILE] = "FileOrCreate",
		[POD_PATH_FILE] = "File",
		[POD_PATH_SOCKET] = "Socket",
		[POD_PATH_CHARACTERS] = "CharDevice",
		[POD_PATH_BLOCKS] = "BlockDevice" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (type == NULL || strcmp(type, words[i]) == 0) {
			*path = (enum pod_path)i;
			return 0;
		}
	(void)suggest_refuse("hostPath.type", type,
	    "DirectoryOrCreate, Directory, FileOrCreate, File, Socket, "
	    "CharDevice or BlockDevice",
	    e);
	return error_recode(e, ERROR_INVALID);
}

/*
 * No directory of this host is open to pods: substitute one of ours with an
 * entry of the requested type; a socket or a device becomes an empty file.
 */
static int
plan_host_own(struct container_mounting *m, char *path, struct error *e)
{
	if (strcmp(path, "/dev/shm") == 0 && is_mounted_whole(m)) {
		m->v->kind = POD_MEMORY;
		free(path);
		return 0;
	}
	m->v->within = clean_absolute("root of hostPaths", m->host->host_own,
	    e);
	if (m->v->within != NULL)
		m->v->directory = xasprintf("%s%s", m->v->within,
		    strcmp(path, "/") == 0 ? "" : path);
	free(path);
	if (m->v->path == POD_PATH_ANY || m->v->path == POD_PATH_DIRECTORY)
		m->v->path = POD_PATH_MAKE_DIRECTORY;
	else if (m->v->path != POD_PATH_MAKE_DIRECTORY)
		m->v->path = POD_PATH_MAKE_FILE;
	return m->v->within != NULL ? 0 : -1;
}

/* Use a path below the directory that is open to pods. */
static int
plan_host_open(struct container_mounting *m, char *path, struct error *e)
{
	m->v->directory = path;
	m->v->within = clean_absolute("root of hostPaths", m->host->host_root,
	    e);
	if (m->v->within == NULL)
		return -1;
	if (!container_volumes_is_within(m->v->directory, m->v->within))
		return error_set_code(e, ERROR_DENIED,
		    "hostPath %s is not below %s, the directory that this host "
		    "opens to pods",
		    m->v->directory, m->v->within);
	return 0;
}

static int
plan_host(struct container_mounting *m, const struct yaml_node *source,
    struct error *e)
{
	const char *path = pod_node_text(source, "path");
	char *clean;
	int status;

	if (path == NULL || path[0] != '/')
		return error_set_code(e, ERROR_INVALID,
		    "hostPath: path must be absolute");
	if (m->host->host_root == NULL && m->host->host_own == NULL)
		return error_set_code(e, ERROR_DENIED,
		    "hostPath %s: no directory of this host is open to pods; "
		    "name one in ipubox.conf, or use a persistentVolumeClaim",
		    path);
	if (read_path_type(pod_node_text(source, "type"), &m->v->path, e) !=
		0 ||
	    (clean = clean_absolute("hostPath", path, e)) == NULL)
		return -1;
	status = m->host->host_root != NULL ?
	    plan_host_open(m, clean, e) :
	    plan_host_own(m, clean, e);
	m->v->is_made = m->v->path == POD_PATH_MAKE_DIRECTORY ||
	    m->v->path == POD_PATH_MAKE_FILE;
	return status;
}

static int
plan_files(struct container_mounting *m, struct error *e)
{
	const size_t own = (size_t)(m->v - m->plan->volumes);
	size_t i;

	plan_own(m);
	m->v->has_files = true;
	/* Kubernetes mounts it read-only, whatever the volumeMount says. */
	m->v->is_read_only = true;
	for (i = 0; i < own; i++)
		if (strcmp(m->plan->volumes[i].name, m->v->name) == 0)
			return 0;
	return container_files_add(m->pod, m->host, m->volume, m->v->name,
	    m->plan, e);
}

/* Return the name of a kind of volume that is never on this host, so that its
   field has no effect, or NULL. */
static const char *
find_served_kind(const char *kind)
{
	const struct schema_field *field =
	    schema_field_named(schema_find("Volume"), kind);

	return field != NULL && field->effect == SCHEMA_NOTED ?
	    field->name :
	    NULL;
}

static int
plan_served(struct container_mounting *m, const struct yaml_node *source,
    const char *kind, struct error *e)
{
	m->v->stands_for = kind;
	m->v->is_read_only = yaml_get_bool(source, "readOnly", false);
	m->v->directory = m->host->place(m->host->context, JOB_PLACE_SERVED,
	    m->v->name, e);
	return m->v->directory != NULL ? 0 : error_prefix(e, "%s", kind);
}

/* Choose by the kind of the volume; one without a kind is an emptyDir. */
static int
plan_source(struct container_mounting *m, struct error *e)
{
	const struct yaml_node *source = NULL;
	const char *kind = "emptyDir";
	size_t i, count = 0;

	for (i = 0; i < m->volume->count; i++)
		if (m->volume->items[i].node->kind == YAML_MAP) {
			kind = m->volume->items[i].key;
			source = m->volume->items[i].node;
			count++;
		}
	if (count > 1)
		return error_set_code(e, ERROR_INVALID,
		    "has more than one kind");
	if (strcmp(kind, "emptyDir") == 0)
		return plan_empty(m, source, e);
	if (strcmp(kind, "persistentVolumeClaim") == 0)
		return plan_claim(m, source, e);
	if (strcmp(kind, "hostPath") == 0)
		return plan_host(m, source, e);
	if (strcmp(kind, "configMap") == 0 || strcmp(kind, "secret") == 0 ||
	    strcmp(kind, "downwardAPI") == 0 || strcmp(kind, "projected") == 0)
		return plan_files(m, e);
	if (strcmp(kind, "ephemeral") == 0) {
		m->v->is_read_only = yaml_get_bool(source, "readOnly", false);
		plan_own(m);
		return 0;
	}
	if (find_served_kind(kind) != NULL)
		return plan_served(m, source, find_served_kind(kind), e);
	return error_set_code(e, ERROR_UNSUPPORTED,
	    "volumes of kind %s are not supported; use a "
	    "persistentVolumeClaim, which is a directory here",
	    kind);
}

/* Get the path of subPath or subPathExpr; *path stays NULL without one. */
static int
read_sub_path(const struct container_mounting *m, char **path, struct error *e)
{
	const char *plain = pod_node_text(m->mount, "subPath");
	const char *expression = pod_node_text(m->mount, "subPathExpr");
	struct strvec unknown;
	int status = 0;

	if (plain != NULL && plain[0] != '\0' && expression != NULL &&
	    expression[0] != '\0')
		return error_set_code(e, ERROR_INVALID,
		    "has a subPath and a subPathExpr: leave one out");
	if (expression == NULL || expression[0] == '\0') {
		*path = plain != NULL && plain[0] != '\0' ?
		    xstrdup(plain) :
		    NULL;
		return 0;
	}
	strvec_init(&unknown);
	*path = container_env_expand(&m->plan->environment, expression,
	    &unknown, e);
	if (*path == NULL)
		status = error_prefix(e, "subPathExpr");
	else if (unknown.count > 0)
		status = error_set_code(e, ERROR_INVALID,
		    "subPathExpr %s: the container has no variable %s",
		    expression, unknown.items[0]);
	strvec_release(&unknown);
	return status;
}

/* Set the mounted part of the volume: all of it, or below a path. */
static int
plan_sub_path(struct container_mounting *m, struct error *e)
{
	char *path = NULL, *clean = NULL, *file;
	int status = read_sub_path(m, &path, e);

	if (status == 0 && path != NULL && path[0] == '/')
		status = error_set_code(e, ERROR_INVALID,
		    "subPath %s: must be a path within the volume", path);
	if (status == 0 && path != NULL &&
	    (clean = clean_path("subPath", path, e)) == NULL)
		status = -1;
	free(path);
	if (status == 0 && m->v->kind == POD_DIRECTORY) {
		m->v->source = clean == NULL ?
		    xstrdup(m->v->directory) :
		    xasprintf("%s%s",
			strcmp(m->v->directory, "/") == 0 ? "" :
							    m->v->directory,
			clean);
		if (clean != NULL) {
			file = xasprintf("volumes/%s%s", m->v->name, clean);
			m->v->is_made = !container_files_have(m->plan, file);
			free(file);
		}
	}
	free(clean);
	return status;
}

static int
plan_target(struct container_mounting *m, struct error *e)
{
	const size_t own = (size_t)(m->v - m->plan->volumes);
	const char *path = pod_node_text(m->mount, "mountPath");
	size_t i;

	if (path == NULL || path[0] == '\0')
		return error_set_code(e, ERROR_INVALID, "mountPath is missing");
	if (strchr(path, ':') != NULL)
		return error_set_code(e, ERROR_INVALID,
		    "mountPath %s: must not contain ':'", path);
	m->v->target = clean_path("mountPath", path, e);
	if (m->v->target == NULL)
		return -1;
	if (m->v->target[0] == '\0')
		return error_set_code(e, ERROR_INVALID,
		    "mountPath %s: must not be the root directory", path);
	for (i = 0; i < own; i++)
		if (strcmp(m->plan->volumes[i].target, m->v->target) == 0)
			return error_set_code(e, ERROR_INVALID,
			    "mountPath %s: volume %s is already mounted there",
			    path, m->plan->volumes[i].name);
	return 0;
}

/* Return the volume of that name and its index; NULL: missing. */
static const struct yaml_node *
find_volume(const struct yaml_node *pod, const char *name, size_t *where,
    struct error *e)
{
	const struct yaml_node *spec = pod_node_map(pod, "spec"), *volume;
	struct suggestion s;
	const char *text;

	suggest_begin(&s, name);
	for (*where = 0; *where < pod_node_count(spec, "volumes"); (*where)++) {
		volume = pod_node_item(spec, "volumes", *where);
		text = pod_node_text(volume, "name");
		if (text != NULL && strcmp(text, name) == 0)
			return volume;
		if (text != NULL)
			suggest_offer(&s, text);
	}
	(void)error_set_code(e, ERROR_INVALID,
	    "spec.volumes has no volume with this name");
	(void)suggest_append(&s, "", e);
	return NULL;
}

/* Append an empty volume, which the plan owns. */
static struct container_volume *
append_volume(struct container_plan *plan, const char *name)
{
	struct container_volume *v;

	plan->volumes = xreallocarray(plan->volumes, plan->volume_count + 1,
	    sizeof(*plan->volumes));
	v = &plan->volumes[plan->volume_count++];
	memset(v, 0, sizeof(*v));
	v->name = xstrdup(name);
	return v;
}

/* Plan one mount.  Errors of the volume itself name the volume. */
static int
plan_mount(struct container_mounting *m, const char *name, const char *where,
    struct error *e)
{
	size_t i;

	m->volume = find_volume(m->pod, name, &i, e);
	if (m->volume == NULL)
		return error_prefix(e, "%s %s", where, name);
	if (dns_name_check_label(name, DNS_LABEL_MAX, e) != 0)
		return error_prefix(e, "volumes[%zu].name", i);
	m->v = append_volume(m->plan, name);
	if (plan_source(m, e) != 0)
		return error_prefix(e, "volumes[%zu] %s", i, name);
	if (yaml_get_bool(m->mount, "readOnly", false))
		m->v->is_read_only = true;
	if (plan_sub_path(m, e) != 0 || plan_target(m, e) != 0)
		return error_prefix(e, "%s %s", where, name);
	return 0;
}

int
container_volumes_make(const struct yaml_node *pod,
    const struct yaml_node *container, const char *place,
    const struct pod_host *host, struct container_plan *plan, struct error *e)
{
	const size_t count = pod_node_count(container, "volumeMounts");
	struct container_mounting m = { .pod = pod,
		.host = host,
		.plan = plan };
	const char *name;
	char *where;
	size_t i;
	int status = 0;

	if (count > POD_MOUNTS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "%s.volumeMounts: has more than %d items", place,
		    POD_MOUNTS_MAX);
	for (i = 0; i < count && status == 0; i++) {
		m.mount = pod_node_item(container, "volumeMounts", i);
		name = pod_node_text(m.mount, "name");
		where = xasprintf("%s.volumeMounts[%zu]", place, i);
		status = name != NULL ?
		    plan_mount(&m, name, where, e) :
		    error_set_code(e, ERROR_INVALID, "%s: name is missing",
			where);
		free(where);
	}
	return status;
}
