/*
 * A cluster's checks of pods by its API server, and the needs of IPU programs
 * there.
 */
#include "core/kube/lint/lint_internal.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

enum { MODE_MAX = 0777 };

/* ---- volumes: each has one source and a mount ---- */

/* Check the permissions of files: 644 is a mistake for 0644, which is octal in
   YAML. */
static void
check_mode(const struct lint *l, const struct lint_at *above, const char *key)
{
	const struct lint_at at = lint_at_get(above, key);

	if (at.node == NULL || at.node->kind != YAML_INTEGER ||
	    (at.node->integer >= 0 && at.node->integer <= MODE_MAX))
		return;
	lint_at_error(l, &at,
	    "must be from 0 to 0777, not %lld; permissions begin with a 0, "
	    "such as 0644",
	    (long long)at.node->integer);
}

/* Check the path of a file below the volume. */
static void
check_file_path(const struct lint *l, const struct lint_at *item)
{
	const struct lint_at at = lint_at_get(item, "path");
	const char *path = lint_at_text(&at);

	if (path == NULL)
		return;
	if (*path == '/' || *path == '\0' || strncmp(path, "..", 2) == 0 ||
	    strstr(path, "/../") != NULL)
		lint_at_error(l, &at,
		    "'%s': must be a path within the volume, without '..'",
		    path);
}

/* Check the files of a ConfigMap or a Secret: all of it, or the keys in
   items. */
static void
check_texts(const struct lint *l, const struct lint_at *at,
    enum manifest_kind kind, const char *name_key)
{
	const struct lint_at items = lint_at_get(at, "items");
	struct lint_at item, key;
	size_t i;

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
	const struct lint_at items = lint_at_get(at, "items");
	struct lint_at item, field, resource;
	size_t i;

	check_mode(l, at, "defaultMode");
	for (i = 0; i < lint_at_count(&items); i++) {
		item = lint_at_item(&items, i);
		field = lint_at_get(&item, "fieldRef");
		resource = lint_at_get(&item, "resourceFieldRef");
		check_mode(l, &item, "mode");
		check_file_path(l, &item);
		if ((field.node == NULL) == (resource.node == NULL))
			lint_at_error(l, &item,
			    "needs either fieldRef or resourceFieldRef");
		if (field.node != NULL)
			lint_container_field(l, &field, POD_FIELD_FILE);
		if (resource.node != NULL)
			lint_container_resource(l, &resource, pod,
			    POD_FIELD_FILE);
	}
}

/* Check the sources that volumes and projected volumes share. */
static void
check_files(const struct lint *l, const struct lint_at *pod,
    const struct lint_at *above, const char *secret_name)
{
	const struct lint_at map = lint_at_get(above, "configMap");
	const struct lint_at secret = lint_at_get(above, "secret");
	const struct lint_at downward = lint_at_get(above, "downwardAPI");

	if (map.node != NULL)
		check_texts(l, &map, MANIFEST_CONFIG_MAP, "name");
	if (secret.node != NULL)
		check_texts(l, &secret, MANIFEST_SECRET, secret_name);
	if (downward.node != NULL)
		check_downward(l, pod, &downward);
}

static void
check_projected(const struct lint *l, const struct lint_at *pod,
    const struct lint_at *at)
{
	const struct lint_at sources = lint_at_get(at, "sources");
	struct lint_at source;
	size_t i;

	check_mode(l, at, "defaultMode");
	for (i = 0; i < lint_at_count(&sources); i++) {
		source = lint_at_item(&sources, i);
		check_files(l, pod, &source, "name");
		if (lint_at_keys(&source) != 1)
			lint_at_error(l, &source,
			    "needs one of configMap, secret and downwardAPI");
	}
}

static void
check_empty(const struct lint *l, const struct lint_at *at)
{
	const struct lint_at medium = lint_at_get(at, "medium");
	const char *text = lint_at_text(&medium);
	struct error e;

	if (text == NULL || *text == '\0' || strcmp(text, "Memory") == 0 ||
	    strncmp(text, "HugePages", strlen("HugePages")) == 0)
		return;
	(void)suggest_refuse("", text, "Memory", &e);
	lint_at_error(l, &medium, "%s", e.text + strspn(e.text, " "));
}

static void
check_host_path(const struct lint *l, const struct lint_at *at)
{
	static const char types[] =
	    "Directory, DirectoryOrCreate, File, FileOrCreate, Socket, "
	    "CharDevice or BlockDevice";
	const struct lint_at path = lint_at_get(at, "path");
	const struct lint_at type = lint_at_get(at, "type");
	const char *text = lint_at_text(&type);
	struct error e;
	int which;

	if (lint_at_text(&path) != NULL && *lint_at_text(&path) != '/')
		lint_at_error(l, &path, "'%s': must begin with '/'",
		    lint_at_text(&path));
	else if (lint_at_text(&path) != NULL)
		lint_at_note(l, &path,
		    "%s must be below host-paths of ipubox.conf(5); without "
		    "host-paths, a directory of the namespace replaces it",
		    lint_at_text(&path));
	if (text != NULL && *text != '\0' &&
	    suggest_choose("", text, types, &which, &e) != 0)
		lint_at_error(l, &type, "%s", e.text + strspn(e.text, " "));
}

/* Count the sources of a volume: all fields of the schema but its name. */
static size_t
count_sources(const struct lint_at *volume)
{
	const struct yaml_item *item;
	size_t i, count = 0;

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
	const size_t count = count_sources(volume);
	struct lint_at at;

	if (volume->node == NULL || volume->node->kind != YAML_MAP)
		return;
	if (count == 0)
		lint_at_warn(l, volume,
		    "has no kind, so it is an emptyDir; add emptyDir: {}, "
		    "persistentVolumeClaim, hostPath, configMap, secret ...");
	else if (count > 1)
		lint_at_error(l, volume, "has %zu kinds, but may have only one",
		    count);
	at = lint_at_get(volume, "emptyDir");
	check_empty(l, &at);
	at = lint_at_get(volume, "hostPath");
	check_host_path(l, &at);
	check_files(l, pod, volume, "secretName");
	at = lint_at_get(volume, "persistentVolumeClaim");
	if (at.node != NULL)
		lint_reference_check(l, &at, MANIFEST_CLAIM, "claimName");
	at = lint_at_get(volume, "projected");
	if (at.node != NULL)
		check_projected(l, pod, &at);
}

static bool
is_mounted(const struct lint_at *pod, const char *name)
{
	static const char *const lists[] = { "containers", "initContainers",
		"ephemeralContainers" };
	struct lint_at list;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		list = lint_at_get(pod, lists[i]);
		for (j = 0; j < lint_at_count(&list); j++)
			if (yaml_find(yaml_get(list.node->items[j].node,
					  "volumeMounts"),
				"name", name) != NULL)
				return true;
	}
	return false;
}

static void
check_volumes(const struct lint *l, const struct lint_at *pod)
{
	const struct lint_at list = lint_at_get(pod, "volumes");
	struct lint_at volume, name;
	size_t i;

	for (i = 0; i < lint_at_count(&list); i++) {
		volume = lint_at_item(&list, i);
		name = lint_at_get(&volume, "name");
		check_source_of(l, pod, &volume);
		if (lint_at_text(&name) == NULL)
			continue;
		lint_at_check_label(l, &name);
		if (lint_at_is_duplicate(&list, i, "name"))
			lint_at_error(l, &name, "the pod has another volume %s",
			    lint_at_text(&name));
		else if (!is_mounted(pod, lint_at_text(&name)))
			lint_at_warn(l, &name, "no container mounts %s",
			    lint_at_text(&name));
	}
}

/* ---- the pod ---- */

/* Report a missing command: only an image could supply it, unless the pod just
   waits. */
static void
check_has_command(const struct lint *l, const struct lint_at *container,
    bool may_wait)
{
	const struct lint_at command = lint_at_get(container, "command");

	if (!may_wait && lint_at_count(&command) == 0 &&
	    (command.node == NULL || command.node->kind == YAML_LIST))
		lint_at_refuse(l, &command,
		    "missing; the command of the image is not known here");
}

/* Report duplicate names among init containers and containers. */
static void
check_duplicate_names(const struct lint *l, const struct lint_at *pod,
    const struct lint_at *list)
{
	const struct lint_at others = lint_at_get(pod, "containers");
	struct lint_at at;
	const char *name;
	size_t i;

	for (i = 0; i < lint_at_count(list); i++) {
		name = yaml_get_text(list->node->items[i].node, "name");
		if (!lint_at_is_duplicate(list, i, "name") &&
		    (name == NULL || others.node == list->node ||
			yaml_find(others.node, "name", name) == NULL))
			continue;
		at = lint_at_item(list, i);
		at = lint_at_get(&at, "name");
		lint_at_error(l, &at, "the pod has another container %s", name);
	}
}

static void
check_containers(const struct lint *l, const struct lint_at *pod,
    const struct lint_numbers *n, bool may_wait)
{
	const struct lint_at list = lint_at_get(pod, "containers");
	struct lint_at container;
	size_t i;

	if (list.node != NULL && list.node->kind == YAML_LIST &&
	    lint_at_count(&list) == 0)
		lint_at_error(l, &list, "must not be empty");
	check_duplicate_names(l, pod, &list);
	for (i = 0; i < lint_at_count(&list); i++) {
		container = lint_at_item(&list, i);
		lint_container_check(l, pod, &container);
		if (i > 0) {
			lint_at_warn(l, &container,
			    "is not started here: a pod runs only its "
			    "initContainers and its first container");
			continue;
		}
		check_has_command(l, &container, may_wait);
		container = lint_at_get(&container, "command");
		if (n->has_launcher && container.node != NULL)
			lint_at_warn(l, &container,
			    "is not run: workers wait for the command of "
			    "spec.launcher");
	}
}

static void
check_init_containers(const struct lint *l, const struct lint_at *pod)
{
	const struct lint_at list = lint_at_get(pod, "initContainers");
	struct lint_at container;
	size_t i;

	check_duplicate_names(l, pod, &list);
	for (i = 0; i < lint_at_count(&list); i++) {
		container = lint_at_item(&list, i);
		lint_container_check(l, pod, &container);
		check_has_command(l, &container, false);
	}
}

static bool
has_capability(const struct lint_at *container, const char *capability)
{
	const struct lint_at list = lint_at_get(container,
	    "securityContext/capabilities/add");
	struct lint_at item;
	size_t i;

	for (i = 0; i < lint_at_count(&list); i++) {
		item = lint_at_item(&list, i);
		if (lint_at_text(&item) != NULL &&
		    strcmp(lint_at_text(&item), capability) == 0)
			return true;
	}
	return false;
}

/*
 * Note missing settings of jobs with several IPUs, which load data over the
 * network into pinned memory, and share it between processes.  EIDF's
 * guide, "Distributed training on multiple IPUs", has these three settings for
 * that.
 */
static void
check_pod_memory(const struct lint *l, const struct lint_at *pod,
    const struct lint_numbers *n)
{
	const struct lint_at list = lint_at_get(pod, "containers");
	struct lint_at container;
	const char *lacks[3];
	size_t count = 0;

	if (n->ipus < 2 || lint_at_count(&list) == 0)
		return;
	container = lint_at_item(&list, 0);
	if (yaml_find(yaml_get(container.node, "volumeMounts"), "mountPath",
		"/dev/shm") == NULL)
		lacks[count++] = "a volume in memory at /dev/shm";
	if (!yaml_get_bool(pod->node, "hostIPC", false))
		lacks[count++] = "hostIPC: true";
	if (!has_capability(&container, "IPC_LOCK"))
		lacks[count++] = "the capability IPC_LOCK";
	if (count > 0)
		lint_at_note(l, &container,
		    "in a cluster, a job of several IPUs may also need "
		    "%s%s%s%s%s",
		    lacks[0],
		    count == 1	   ? "" :
			count == 2 ? " and " :
				     ", ",
		    count == 1 ? "" : lacks[1], count == 3 ? " and " : "",
		    count == 3 ? lacks[2] : "");
}

void
lint_pod_check(const struct lint *l, const struct lint_numbers *n)
{
	const struct lint_at object = lint_at_object(l);
	const struct lint_at spec = lint_at_get(&object, "spec");
	const struct lint_at environment = lint_at_get(&spec, "launcher/env");
	const struct lint_at pod = lint_at_get(&spec, "workers/template/spec");
	const struct lint_at hostname = lint_at_get(&pod, "hostname");
	const struct lint_at deadline = lint_at_get(&pod,
	    "activeDeadlineSeconds");
	const struct lint_at grace = lint_at_get(&pod,
	    "terminationGracePeriodSeconds");

	/* A launcher has the other settings of the workers' pods. */
	lint_container_env(l, &environment);
	if (pod.node == NULL)
		return;
	check_containers(l, &pod, n,
	    n->has_launcher || lint_at_get(&spec, "interactive").node != NULL);
	check_init_containers(l, &pod);
	check_volumes(l, &pod);
	check_pod_memory(l, &pod, n);
	lint_at_check_integer(l, &deadline, 1, INT32_MAX, false);
	lint_at_check_integer(l, &grace, 0, INT32_MAX, false);
	lint_at_check_label(l, &hostname);
}
