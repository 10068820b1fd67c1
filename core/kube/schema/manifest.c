/*
 * From files to objects.  lint finds mistakes within an object.  Mistakes that
 * prevent reading a file are found here, and manifest_text.c explains them.
 */
#include "core/kube/schema/manifest.h"

#include <sys/stat.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/kube/schema/schema.h"

enum {
	READ_SIZE = 64 * 1024,
	DIRECTORIES_MAX = 100 /* nesting depth */
};

/* The known kinds, and the part of their apiVersion before the '/'. */
static const struct {
	const char *kind;
	const char *group;
	const char *resource;
	enum manifest_kind number;
} manifest_kinds[] = {
	{ "IPUJob", "graphcore.ai", "ipujob.graphcore.ai", MANIFEST_IPUJOB },
	{ "ConfigMap", "", "configmap", MANIFEST_CONFIG_MAP },
	{ "Secret", "", "secret", MANIFEST_SECRET },
	{ "PersistentVolumeClaim", "", "persistentvolumeclaim",
	    MANIFEST_CLAIM },
	{ "Service", "", "service", MANIFEST_SERVICE },
	{ "Namespace", "", "namespace", MANIFEST_NAMESPACE },
};

void
manifest_init(struct manifest *m)
{
	memset(m, 0, sizeof(*m));
	m->arena = yaml_arena_new();
}

void
manifest_release(struct manifest *m)
{
	yaml_arena_free(m->arena);
	free(m->objects);
	memset(m, 0, sizeof(*m));
}

/* Copy a text into the manifest. */
static const char *
keep_manifest_text(struct manifest *m, const char *text)
{
	return yaml_new_text(m->arena, text)->text;
}

static const char *
manifest_text_or_empty(const struct yaml_node *node, const char *path)
{
	const char *text = yaml_get_text(node, path);

	return text == NULL ? "" : text;
}

/*
 * Find the kind by its word.  The same word of another group, such as Knative's
 * Service, is another kind.  An IPUJob is recognised with any version, so that
 * a mistake in the version is reported as such.
 */
static void
find_object_kind(struct manifest *m, struct manifest_object *object)
{
	char *lower;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(manifest_kinds); i++)
		if (strcmp(manifest_kinds[i].kind, object->kind_text) == 0 &&
		    (*manifest_kinds[i].group != '\0' ||
			strchr(object->api_version, '/') == NULL)) {
			object->kind = manifest_kinds[i].number;
			object->resource = manifest_kinds[i].resource;
			return;
		}
	object->kind = MANIFEST_UNKNOWN;
	lower = xstrdup(object->kind_text);
	for (i = 0; lower[i] != '\0'; i++)
		lower[i] = (char)tolower((unsigned char)lower[i]);
	object->resource = keep_manifest_text(m, lower);
	free(lower);
}

/* Return the text there; NULL: missing or a number. */
static const char *
find_object_text(const struct yaml_node *node, const char *path)
{
	const struct yaml_node *value = yaml_path(node, path);

	return value != NULL && value->kind == YAML_TEXT ? value->text : NULL;
}

static int
add_object(struct manifest *m, const char *file, const struct yaml_node *node,
    struct error *e)
{
	struct manifest_object *object;

	if (node->kind != YAML_MAP)
		return error_set_code(e, ERROR_INVALID,
		    "%s:%d:%d: must be an object with apiVersion: and kind:",
		    file, node->line, node->column);
	if (m->count == MANIFEST_OBJECTS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "%s:%d:%d: more than %d objects", file, node->line,
		    node->column, MANIFEST_OBJECTS_MAX);
	if (m->count == m->room) {
		m->room = m->room == 0 ? 8 : m->room * 2;
		m->objects = xreallocarray(m->objects, m->room,
		    sizeof(*m->objects));
	}
	object = &m->objects[m->count++];
	object->node = yaml_copy(m->arena, node);
	object->file = file;
	object->kind_text = manifest_text_or_empty(node, "kind");
	object->api_version = manifest_text_or_empty(node, "apiVersion");
	object->name = find_object_text(node, "metadata/name");
	object->generate_name = find_object_text(node, "metadata/generateName");
	object->space = find_object_text(node, "metadata/namespace");
	find_object_kind(m, object);
	return 0;
}

/* Return the items of a "List" or "IPUJobList"; NULL: an object itself. */
static const struct yaml_node *
list_items(const struct yaml_node *document)
{
	const char *kind = manifest_text_or_empty(document, "kind");
	const size_t length = strlen(kind);
	const struct yaml_node *items = yaml_get(document, "items");

	if (length < 4 || strcmp(kind + length - 4, "List") != 0 ||
	    items == NULL || items->kind != YAML_LIST)
		return NULL;
	return items;
}

int
manifest_parse(struct manifest *m, const char *file, const char *text,
    size_t size, struct error *e)
{
	struct yaml_node **documents;
	const struct yaml_node *items;
	const long count = yaml_parse(m->arena, file, text, size, &documents,
	    e);
	const char *kept;
	long i;
	size_t j;

	if (count == -1) {
		manifest_text_explain(text, size, e);
		return -1;
	}
	kept = keep_manifest_text(m, file);
	for (i = 0; i < count; i++) {
		items = list_items(documents[i]);
		if (items == NULL) {
			if (add_object(m, kept, documents[i], e) != 0)
				return -1;
			continue;
		}
		for (j = 0; j < items->count; j++)
			if (add_object(m, kept, items->items[j].node, e) != 0)
				return -1;
	}
	return 0;
}

/* Parse everything from a pipe or a terminal. */
static int
parse_stream(struct manifest *m, int fd, const char *name, struct error *e)
{
	char *text = xmalloc(YAML_BYTES_MAX + READ_SIZE);
	size_t size = 0;
	ssize_t got;
	int status = 0;

	do {
		got = read(fd, text + size, READ_SIZE);
		size += got > 0 ? (size_t)got : 0;
	} while ((got > 0 && size <= YAML_BYTES_MAX) ||
	    (got == -1 && errno == EINTR));
	if (got == -1)
		status = error_set_errno(e, "cannot read %s", name);
	else if (size > YAML_BYTES_MAX)
		status = error_set_code(e, ERROR_INVALID,
		    "%s: more than %d bytes", name, YAML_BYTES_MAX);
	else
		status = manifest_parse(m, name, text, size, e);
	free(text);
	return status;
}

static int
parse_file(struct manifest *m, const char *path, struct error *e)
{
	size_t size;
	char *text = file_read(path, YAML_BYTES_MAX, &size, e);
	int status;

	if (text == NULL)
		return -1;
	status = manifest_parse(m, path, text, size, e);
	free(text);
	return status;
}

/* Parse a special file such as <(command) of a shell, or /dev/stdin. */
static int
parse_special(struct manifest *m, const char *path, struct error *e)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	int status;

	if (fd == -1)
		return error_set_errno(e, "cannot open %s", path);
	status = parse_stream(m, fd, path, e);
	(void)close(fd);
	return status;
}

static bool
is_manifest_name(const char *name)
{
	static const char *const ends[] = { ".yaml", ".yml", ".json" };
	const size_t length = strlen(name);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ends); i++)
		if (length > strlen(ends[i]) &&
		    strcmp(name + length - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

/* The state of reading a directory. */
struct manifest_walk {
	struct manifest *manifest;
	bool is_recursive;
	int files; /* number of files found */
	int depth;
};

static int walk_directory(struct manifest_walk *, const char *path,
    struct error *);

/* Like kubectl, skip other files, and links to directories. */
static int
walk_entry(struct manifest_walk *w, const char *path, struct error *e)
{
	struct stat st;
	int status = 0;

	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		if (!w->is_recursive)
			return 0;
		if (w->depth == DIRECTORIES_MAX)
			return error_set(e,
			    "%s: more than %d nested directories", path,
			    DIRECTORIES_MAX);
		w->depth++;
		status = walk_directory(w, path, e);
		w->depth--;
		return status;
	}
	if (!is_manifest_name(path_base_name(path)))
		return 0;
	w->files++;
	return parse_file(w->manifest, path, e);
}

static int
walk_directory(struct manifest_walk *w, const char *path, struct error *e)
{
	struct directory d = DIRECTORY_NONE;
	char **names, *entry;
	long count, i;
	int status = 0;

	if (directory_open(&d, path, e) != 0)
		return error_prefix(e, "cannot open %s", path);
	count = directory_names(&d, "", &names, e);
	directory_close(&d);
	if (count == -1)
		return -1;
	for (i = 0; i < count && status == 0; i++) {
		entry = xasprintf("%s%s%s", path,
		    path[strlen(path) - 1] == '/' ? "" : "/", names[i]);
		status = walk_entry(w, entry, e);
		free(entry);
	}
	directory_names_free(names, count);
	return status;
}

static int
parse_directory(struct manifest *m, const char *path, bool recursive,
    struct error *e)
{
	struct manifest_walk w = { .manifest = m, .is_recursive = recursive };

	if (walk_directory(&w, path, e) != 0)
		return -1;
	return w.files > 0 ?
	    0 :
	    error_set_code(e, ERROR_NOT_FOUND,
		"%s: contains no .yaml, .yml or .json file", path);
}

int
manifest_read(struct manifest *m, const char *path, bool recursive,
    struct error *e)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return parse_stream(m, STDIN_FILENO, "stdin", e);
	if (stat(path, &st) != 0)
		return error_set_errno(e, "cannot open %s", path);
	if (S_ISDIR(st.st_mode))
		return parse_directory(m, path, recursive, e);
	if (S_ISREG(st.st_mode))
		return parse_file(m, path, e);
	return parse_special(m, path, e);
}

/*
 * Return the object under a key, created if missing; NULL: the value is not an
 * object.
 */
static struct yaml_node *
manifest_make_object(struct manifest *m, struct yaml_node *parent,
    const char *key)
{
	struct yaml_node *node = yaml_get(parent, key);

	if (node == NULL || node->kind == YAML_NULL)
		return yaml_set(m->arena, parent, key, yaml_new_map(m->arena));
	return node->kind == YAML_MAP ? node : NULL;
}

void
manifest_set_defaults(struct manifest *m, struct manifest_object *object)
{
	struct yaml_node *spec = yaml_get(object->node, "spec"), *part;

	if (object->kind != MANIFEST_IPUJOB || spec == NULL ||
	    spec->kind != YAML_MAP)
		return;
	if (pod_node_get(spec, "cleanPodPolicy") == NULL)
		yaml_set_text(m->arena, spec, "cleanPodPolicy", "None");
	part = manifest_make_object(m, spec, "restartPolicy");
	if (part != NULL && pod_node_get(part, "type") == NULL)
		yaml_set_text(m->arena, part, "type", "Never");
	if (part != NULL && pod_node_get(part, "backOffLimit") == NULL)
		yaml_set_integer(m->arena, part, "backOffLimit", 3);
	part = yaml_get(spec, "workers");
	if (part != NULL && part->kind == YAML_MAP &&
	    pod_node_get(part, "replicas") == NULL)
		yaml_set_integer(m->arena, part, "replicas", 1);
}

const struct manifest_object *
manifest_find(const struct manifest *m, enum manifest_kind kind,
    const char *name, const char *space)
{
	const struct manifest_object *object;
	size_t i;

	for (i = 0; i < m->count; i++) {
		object = &m->objects[i];
		if (object->kind == kind && object->name != NULL &&
		    strcmp(object->name, name) == 0 &&
		    (space == NULL || object->space == NULL ||
			strcmp(object->space, space) == 0))
			return object;
	}
	return NULL;
}
