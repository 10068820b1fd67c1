/*
 * Each volume is one thing, what it is made of is there, and somebody mounts
 * it.
 */
#include "core/kube/lint/lint_internal.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/base/suggest.h"

enum { MODE_MAX = 0777 };

/* The permissions of files: 644 is a slip of 0644, which YAML has in octal. */
static void
check_mode(const struct lint *l, const struct lint_at *above, const char *key)
{
	const struct lint_at	at = lint_at_get(above, key);

	if (at.node == NULL || at.node->kind != YAML_INTEGER ||
	    (at.node->integer >= 0 && at.node->integer <= MODE_MAX))
		return;
	lint_at_error(l, &at, "must be 0 to 0777, not %lld: permissions "
	    "begin with a 0, as 0644", (long long)at.node->integer);
}

/* A path of a file below the volume. */
static void
check_file_path(const struct lint *l, const struct lint_at *item)
{
	const struct lint_at	at = lint_at_get(item, "path");
	const char		*path = lint_at_text(&at);

	if (path == NULL)
		return;
	if (*path == '/' || *path == '\0' || strncmp(path, "..", 2) == 0 ||
	    strstr(path, "/../") != NULL)
		lint_at_error(l, &at, "'%s': must be a path within the "
		    "volume, without '..'", path);
}

/* The files of a ConfigMap or a Secret: all of it, or the keys in items. */
static void
check_texts(const struct lint *l, const struct lint_at *at,
    enum manifest_kind kind, const char *name_key)
{
	const struct lint_at	items = lint_at_get(at, "items");
	struct lint_at		item, key;
	size_t			i;

	check_mode(l, at, "defaultMode");
	lint_reference_check(l, at, kind, name_key);
	for (i = 0; i < lint_at_count(&items); i++) {
		item = lint_at_item(&items, i);
		key = lint_at_get(&item, "key");
		check_mode(l, &item, "mode");
		check_file_path(l, &item);
		lint_reference_key(l, at, kind, name_key, &key);
	}
}

static void
check_downward(const struct lint *l, const struct lint_at *pod,
    const struct lint_at *at)
{
	const struct lint_at	items = lint_at_get(at, "items");
	struct lint_at		item, field, resource;
	size_t			i;

	check_mode(l, at, "defaultMode");
	for (i = 0; i < lint_at_count(&items); i++) {
		item = lint_at_item(&items, i);
		field = lint_at_get(&item, "fieldRef");
		resource = lint_at_get(&item, "resourceFieldRef");
		check_mode(l, &item, "mode");
		check_file_path(l, &item);
		if ((field.node == NULL) == (resource.node == NULL))
			lint_at_error(l, &item, "needs either fieldRef or "
			    "resourceFieldRef");
		if (field.node != NULL)
			lint_container_field(l, &field, POD_FIELD_FILE);
		if (resource.node != NULL)
			lint_container_resource(l, &resource, pod,
			    POD_FIELD_FILE);
	}
}

static void
check_projected(const struct lint *l, const struct lint_at *pod,
    const struct lint_at *at)
{
	const struct lint_at	sources = lint_at_get(at, "sources");
	struct lint_at		source, map, secret, downward;
	size_t			i;

	check_mode(l, at, "defaultMode");
	for (i = 0; i < lint_at_count(&sources); i++) {
		source = lint_at_item(&sources, i);
		map = lint_at_get(&source, "configMap");
		secret = lint_at_get(&source, "secret");
		downward = lint_at_get(&source, "downwardAPI");
		if (map.node != NULL)
			check_texts(l, &map, MANIFEST_CONFIG_MAP, "name");
		if (secret.node != NULL)
			check_texts(l, &secret, MANIFEST_SECRET, "name");
		if (downward.node != NULL)
			check_downward(l, pod, &downward);
		if (lint_at_keys(&source) != 1)
			lint_at_error(l, &source, "needs one of configMap, "
			    "secret and downwardAPI");
	}
}

static void
check_empty(const struct lint *l, const struct lint_at *at)
{
	const struct lint_at	medium = lint_at_get(at, "medium");
	const char		*text = lint_at_text(&medium);
	struct error		e;

	if (text == NULL || *text == '\0' || strcmp(text, "Memory") == 0 ||
	    strncmp(text, "HugePages", strlen("HugePages")) == 0)
		return;
	(void)suggest_refuse("", text, "Memory", &e);
	lint_at_error(l, &medium, "%s", e.text + strspn(e.text, " "));
}

static void
check_host_path(const struct lint *l, const struct lint_at *at)
{
	static const char	types[] = "Directory, DirectoryOrCreate, "
				    "File, FileOrCreate, Socket, CharDevice "
				    "or BlockDevice";
	const struct lint_at	path = lint_at_get(at, "path");
	const struct lint_at	type = lint_at_get(at, "type");
	const char		*text = lint_at_text(&type);
	struct error		e;
	int			which;

	if (lint_at_text(&path) != NULL && *lint_at_text(&path) != '/')
		lint_at_error(l, &path, "'%s': must begin with '/'",
		    lint_at_text(&path));
	else if (lint_at_text(&path) != NULL)
		lint_at_note(l, &path, "%s has to be below host-paths of "
		    "ipubox.conf(5); without that an own directory stands for "
		    "it", lint_at_text(&path));
	if (text != NULL && *text != '\0' && suggest_choose("", text, types,
	    &which, &e) != 0)
		lint_at_error(l, &type, "%s", e.text + strspn(e.text, " "));
}

/* How many sources of the schema a volume has: all but its name. */
static size_t
count_sources(const struct lint_at *volume)
{
	const struct yaml_item	*item;
	size_t			 i, count = 0;

	for (i = 0; i < lint_at_keys(volume); i++) {
		item = &volume->node->items[i];
		count += strcmp(item->key, "name") != 0 &&
		    item->node->kind != YAML_NULL;
	}
	return count;
}

static void
check_source_of(const struct lint *l, const struct lint_at *pod,
    const struct lint_at *volume)
{
	const size_t	count = count_sources(volume);
	struct lint_at	at;

	if (volume->node == NULL || volume->node->kind != YAML_MAP)
		return;
	if (count == 0)
		lint_at_warn(l, volume, "does not say what it is, and so is "
		    "an emptyDir: say emptyDir: {}, persistentVolumeClaim, "
		    "hostPath, configMap, secret ...");
	else if (count > 1)
		lint_at_error(l, volume, "is %zu things at once, and may be "
		    "one", count);
	at = lint_at_get(volume, "emptyDir");
	check_empty(l, &at);
	at = lint_at_get(volume, "hostPath");
	check_host_path(l, &at);
	at = lint_at_get(volume, "configMap");
	if (at.node != NULL)
		check_texts(l, &at, MANIFEST_CONFIG_MAP, "name");
	at = lint_at_get(volume, "secret");
	if (at.node != NULL)
		check_texts(l, &at, MANIFEST_SECRET, "secretName");
	at = lint_at_get(volume, "persistentVolumeClaim");
	if (at.node != NULL)
		lint_reference_check(l, &at, MANIFEST_CLAIM, "claimName");
	at = lint_at_get(volume, "downwardAPI");
	if (at.node != NULL)
		check_downward(l, pod, &at);
	at = lint_at_get(volume, "projected");
	if (at.node != NULL)
		check_projected(l, pod, &at);
}

static bool
is_mounted(const struct lint_at *pod, const char *name)
{
	static const char *const	lists[] = { "containers",
					    "initContainers",
					    "ephemeralContainers" };
	struct lint_at			list, container, mounts;
	const char			*own;
	size_t				i, j, k;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		list = lint_at_get(pod, lists[i]);
		for (j = 0; j < lint_at_count(&list); j++) {
			container = lint_at_item(&list, j);
			mounts = lint_at_get(&container, "volumeMounts");
			for (k = 0; k < lint_at_count(&mounts); k++) {
				own = yaml_get_text(
				    mounts.node->items[k].node, "name");
				if (own != NULL && strcmp(own, name) == 0)
					return true;
			}
		}
	}
	return false;
}

void
lint_volume_check(const struct lint *l, const struct lint_at *pod)
{
	const struct lint_at	list = lint_at_get(pod, "volumes");
	struct lint_at		volume, name;
	size_t			i;

	for (i = 0; i < lint_at_count(&list); i++) {
		volume = lint_at_item(&list, i);
		name = lint_at_get(&volume, "name");
		check_source_of(l, pod, &volume);
		if (lint_at_text(&name) == NULL)
			continue;
		lint_at_check_label(l, &name);
		if (lint_at_is_double(&list, i, "name"))
			lint_at_error(l, &name, "the pod has another volume "
			    "%s", lint_at_text(&name));
		else if (!is_mounted(pod, lint_at_text(&name)))
			lint_at_warn(l, &name, "no container mounts %s",
			    lint_at_text(&name));
	}
}
