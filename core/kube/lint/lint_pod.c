/*
 * Pods as the API server of a cluster would check them, and what IPU programs
 * need of them there.
 */
#include "core/kube/lint/lint_internal.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"

/* No command: then an image would have to know, or the pod waits. */
static void
check_has_command(const struct lint *l, const struct lint_at *container,
    bool may_wait)
{
	const struct lint_at	command = lint_at_get(container, "command");

	if (!may_wait && lint_at_count(&command) == 0 &&
	    (command.node == NULL || command.node->kind == YAML_LIST))
		lint_at_refuse(l, &command, "missing: what the image itself "
		    "would run is not known here");
}

/* The names of init containers and containers are one list. */
static void
check_double_names(const struct lint *l, const struct lint_at *pod,
    const struct lint_at *list)
{
	const struct lint_at	others = lint_at_get(pod, "containers");
	struct lint_at		at;
	const char		*name, *other;
	size_t			i, j;
	bool			is_double;

	for (i = 0; i < lint_at_count(list); i++) {
		name = yaml_get_text(list->node->items[i].node, "name");
		is_double = lint_at_is_double(list, i, "name");
		for (j = 0; name != NULL && others.node != list->node &&
		    j < lint_at_count(&others); j++) {
			other = yaml_get_text(others.node->items[j].node,
			    "name");
			if (other != NULL && strcmp(other, name) == 0)
				is_double = true;
		}
		if (!is_double)
			continue;
		at = lint_at_item(list, i);
		at = lint_at_get(&at, "name");
		lint_at_error(l, &at, "the pod has another container %s",
		    name);
	}
}

static void
check_containers(const struct lint *l, const struct lint_at *pod,
    const struct lint_numbers *n, bool may_wait)
{
	const struct lint_at	list = lint_at_get(pod, "containers");
	struct lint_at		container;
	size_t			i;

	if (list.node != NULL && list.node->kind == YAML_LIST &&
	    lint_at_count(&list) == 0)
		lint_at_error(l, &list, "must not be empty");
	check_double_names(l, pod, &list);
	for (i = 0; i < lint_at_count(&list); i++) {
		container = lint_at_item(&list, i);
		lint_container_check(l, pod, &container);
		if (i > 0) {
			lint_at_warn(l, &container, "is not started here: a "
			    "pod has its initContainers and its first "
			    "container");
			continue;
		}
		check_has_command(l, &container, may_wait);
		container = lint_at_get(&container, "command");
		if (n->has_launcher && container.node != NULL)
			lint_at_warn(l, &container, "is not run: workers wait "
			    "for what spec.launcher runs in them");
	}
}

static void
check_init_containers(const struct lint *l, const struct lint_at *pod)
{
	const struct lint_at	list = lint_at_get(pod, "initContainers");
	struct lint_at		container;
	size_t			i;

	check_double_names(l, pod, &list);
	for (i = 0; i < lint_at_count(&list); i++) {
		container = lint_at_item(&list, i);
		lint_container_check(l, pod, &container);
		check_has_command(l, &container, false);
	}
}

/* A volume in memory that is mounted at /dev/shm. */
static bool
has_shared_memory(const struct lint_at *container)
{
	const struct lint_at	mounts = lint_at_get(container,
				    "volumeMounts");
	const char		*path;
	size_t			i;

	for (i = 0; i < lint_at_count(&mounts); i++) {
		path = yaml_get_text(mounts.node->items[i].node, "mountPath");
		if (path != NULL && strcmp(path, "/dev/shm") == 0)
			return true;
	}
	return false;
}

static bool
has_capability(const struct lint_at *container, const char *capability)
{
	const struct lint_at	list = lint_at_get(container,
				    "securityContext/capabilities/add");
	struct lint_at		item;
	size_t			i;

	for (i = 0; i < lint_at_count(&list); i++) {
		item = lint_at_item(&list, i);
		if (lint_at_text(&item) != NULL &&
		    strcmp(lint_at_text(&item), capability) == 0)
			return true;
	}
	return false;
}

/*
 * Jobs of several IPUs load their data over the network into pinned memory, and
 * share it between processes: EIDF's guide, "Distributed training on multiple
 * IPUs", has these three for that.
 */
static void
check_pod_memory(const struct lint *l, const struct lint_at *pod,
    const struct lint_numbers *n)
{
	const struct lint_at	list = lint_at_get(pod, "containers");
	struct lint_at		container;
	const char		*lacks[3];
	size_t			count = 0;

	if (n->ipus < 2 || lint_at_count(&list) == 0)
		return;
	container = lint_at_item(&list, 0);
	if (!has_shared_memory(&container))
		lacks[count++] = "a volume in memory at /dev/shm";
	if (!yaml_get_bool(pod->node, "hostIPC", false))
		lacks[count++] = "hostIPC: true";
	if (!has_capability(&container, "IPC_LOCK"))
		lacks[count++] = "the capability IPC_LOCK";
	if (count > 0)
		lint_at_note(l, &container, "in a cluster, a job of several "
		    "IPUs may also need %s%s%s%s%s", lacks[0],
		    count == 1 ? "" : count == 2 ? " and " : ", ",
		    count == 1 ? "" : lacks[1], count == 3 ? " and " : "",
		    count == 3 ? lacks[2] : "");
}

void
lint_pod_check(const struct lint *l, const struct lint_numbers *n)
{
	const struct lint_at	object = lint_at_object(l);
	const struct lint_at	spec = lint_at_get(&object, "spec");
	const struct lint_at	environment = lint_at_get(&spec,
				    "launcher/env");
	const struct lint_at	pod = lint_at_get(&spec,
				    "workers/template/spec");
	const struct lint_at	hostname = lint_at_get(&pod, "hostname");
	const struct lint_at	deadline = lint_at_get(&pod,
				    "activeDeadlineSeconds");
	const struct lint_at	grace = lint_at_get(&pod,
				    "terminationGracePeriodSeconds");

	/* A launcher's other settings are those of the workers' pods. */
	lint_container_env(l, &environment);
	if (pod.node == NULL)
		return;
	check_containers(l, &pod, n, n->has_launcher ||
	    lint_at_get(&spec, "interactive").node != NULL);
	check_init_containers(l, &pod);
	lint_volume_check(l, &pod);
	check_pod_memory(l, &pod, n);
	lint_at_check_integer(l, &deadline, 1, INT32_MAX, false);
	lint_at_check_integer(l, &grace, 0, INT32_MAX, false);
	lint_at_check_label(l, &hostname);
}
