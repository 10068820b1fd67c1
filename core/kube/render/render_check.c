/*
 * Rendering: refused and lost parts of a pod template, and requirements on the
 * cluster.
 */
#include "core/kube/render/render_internal.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/render/render_node.h"
#include "core/kube/runtime/runtime.h"

#define RENDER_HOSTS "/etc/mpi"

static const char pod_path[] = "spec/workers/template/spec";

/* The names of our containers and volumes, and the mount points of the volumes;
   a launcher's pods have more. */
static const char *const container_names[] = { "ipubox", "ipubox-partition",
	"vipu-server", NULL };
static const char *const launcher_containers[] = { RENDER_LAUNCHER, NULL };
static const char *const volume_names[] = { RENDER_TREE_VOLUME,
	RENDER_STATE_VOLUME, NULL };
static const char *const own_places[] = { RENDER_TREE, RENDER_STATE, NULL };
static const char *const launcher_places[] = { RENDER_KEYS, RENDER_HOSTS,
	NULL };

/* Whether a resource has a name of Graphcore's device plugin for IPUs:
   c600.graphcore.ai/ipu. */
static bool
is_device(const char *resource)
{
	const char *domain = strstr(resource, "graphcore.ai/");

	return domain != NULL && (domain == resource || domain[-1] == '.');
}

bool
render_check_strip_devices(struct yaml_node *amounts)
{
	bool found = false;
	size_t i;

	if (amounts == NULL || amounts->kind != YAML_MAP)
		return false;
	for (i = 0; i < amounts->count;)
		if (is_device(amounts->items[i].key)) {
			yaml_unset(amounts, amounts->items[i].key);
			found = true;
		} else {
			i++;
		}
	return found;
}

/* Check that no item of the list has one of our names. */
static int
render_check_names(struct render *r, const struct yaml_node *list,
    const char *key, const char *const *ours, struct error *e)
{
	char *path = xasprintf("%s/%s", pod_path, key);
	const char *name;
	int status = 0;
	size_t i;

	for (i = 0; list != NULL && i < list->count && status == 0; i++) {
		name = yaml_get_text(list->items[i].node, "name");
		if (name != NULL && text_is_among(name, ours))
			status = render_node_refuse(r, list->items[i].node,
			    path, e,
			    "'%s' is a name that ipubox uses itself; choose "
			    "another one",
			    name);
	}
	free(path);
	return status;
}

static bool
is_below_one_of(const char *path, const char *const *directories)
{
	for (; *directories != NULL; directories++)
		if (container_volumes_is_within(path, *directories))
			return true;
	return false;
}

static int
render_check_mounts(struct render *r, const struct yaml_node *c,
    const char *path, struct error *e)
{
	const struct yaml_node *mounts = yaml_get(c, "volumeMounts");
	const char *where;
	size_t i;

	for (i = 0; mounts != NULL && i < mounts->count; i++) {
		where = yaml_get_text(mounts->items[i].node, "mountPath");
		if (where != NULL &&
		    (is_below_one_of(where, own_places) ||
			(r->shape == SHAPE_LAUNCHED &&
			    is_below_one_of(where, launcher_places))))
			return render_node_refuse(r, mounts->items[i].node,
			    path, e,
			    "%s: ipubox needs this path itself; choose another "
			    "one",
			    where);
	}
	return 0;
}

/* Report a missing command: the image's program is not known here. */
static void
report_command(struct render *r, const struct yaml_node *c, const char *path)
{
	const struct yaml_node *command = yaml_get(c, "command");

	if (command == NULL || command->count == 0)
		render_node_remark(r, REMARK_WARNING, c, path,
		    "the image's own command does not find ipubox on PATH or "
		    "PYTHONPATH, only at %s; name the command",
		    RENDER_TREE);
}

static void
report_variables(struct render *r, const struct yaml_node *variables,
    const char *path)
{
	bool *hidden = render_container_hidden(variables);
	const struct yaml_node *variable;
	const char *name;
	size_t i;

	for (i = 0; variables != NULL && i < variables->count; i++) {
		variable = variables->items[i].node;
		name = yaml_get_text(variable, "name");
		if (name != NULL &&
		    text_is_among(name, render_container_variables))
			render_node_remark(r, REMARK_WARNING, variable, path,
			    "%s replaces the value that ipubox would set; "
			    "remove it",
			    name);
		if (hidden[i])
			render_node_remark(r, REMARK_WARNING, variable, path,
			    "%s is set twice; this one is left out", name);
	}
	free(hidden);
}

static void
report_first_containers(struct render *r, const struct yaml_node *list)
{
	char *path;
	size_t i;

	for (i = 0; list != NULL && i < list->count; i++) {
		path = xasprintf("%s/initContainers[%zu]", pod_path, i);
		report_variables(r, yaml_get(list->items[i].node, "env"), path);
		free(path);
	}
}

static void
report_devices(struct render *r, const struct yaml_node *c, const char *path)
{
	const struct yaml_node *resources = yaml_get(c, "resources");
	struct yaml_node *copy;
	bool limits, requests;

	if (resources == NULL)
		return;
	copy = yaml_copy(r->arena, resources);
	limits = render_check_strip_devices(yaml_get(copy, "limits"));
	requests = render_check_strip_devices(yaml_get(copy, "requests"));
	if (limits || requests)
		render_node_remark(r, REMARK_WARNING, resources, path,
		    "IPUs of a device plugin are left out: emulated IPUs are "
		    "not a resource of a node");
}

/* Write which settings of a container Pod Security "baseline" forbids. */
static void
put_privileges(FILE *out, const struct yaml_node *c)
{
	const struct yaml_node *added = yaml_path(c,
	    "securityContext/capabilities/add");
	size_t i;

	if (yaml_get_bool(c, "securityContext/privileged", false))
		fputs(", privileged", out);
	for (i = 0; added != NULL && i < added->count; i++)
		if (added->items[i].node->text != NULL)
			fprintf(out, ", %s", added->items[i].node->text);
}

static void
report_privileges(struct render *r, const struct yaml_node *spec)
{
	static const char *const hosts[] = { "hostIPC", "hostNetwork",
		"hostPID" };
	const struct yaml_node *containers = yaml_get(spec, "containers");
	struct memstream out;
	char *text;
	size_t i;

	memstream_open(&out);
	for (i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		if (yaml_get_bool(spec, hosts[i], false))
			fprintf(out.file, ", %s", hosts[i]);
	for (i = 0; i < containers->count; i++)
		put_privileges(out.file, containers->items[i].node);
	text = memstream_close(&out, NULL);
	if (text[0] != '\0')
		render_node_remark(r, REMARK_NOTE, spec, pod_path,
		    "%s: not needed for emulated IPUs, and refused in a "
		    "namespace with Pod Security baseline",
		    text + 2);
	free(text);
}

/* Report that the image may have any user, but sshd needs root. */
static void
report_user(struct render *r, const struct yaml_node *spec)
{
	const struct yaml_node *first =
	    yaml_get(spec, "containers")->items[0].node;
	const char *user = yaml_get_text(yaml_get(first, "securityContext"),
	    "runAsUser");
	const bool forced = yaml_get_bool(spec, "securityContext/runAsNonRoot",
	    false);

	if (user == NULL)
		user = yaml_get_text(yaml_get(spec, "securityContext"),
		    "runAsUser");
	if (r->shape == SHAPE_LAUNCHED &&
	    (forced ||
		yaml_get_bool(first, "securityContext/runAsNonRoot", false) ||
		(user != NULL && strcmp(user, "0") != 0)))
		render_node_remark(r, REMARK_WARNING, first, pod_path,
		    "sshd and the keys in %s need root", RENDER_KEYS);
	if (forced && yaml_path(spec, "securityContext/runAsUser") == NULL)
		render_node_remark(r, REMARK_NOTE,
		    yaml_path(spec, "securityContext/runAsNonRoot"), pod_path,
		    "runAsNonRoot: the image %s needs a numeric USER other "
		    "than 0",
		    r->options->image != NULL ? r->options->image :
						RENDER_IMAGE);
}

static int
check_container(struct render *r, const struct yaml_node *c, size_t index,
    struct error *e)
{
	const bool replaced = index == 0 &&
	    (r->job.launcher != NULL || r->job.ttl_seconds >= 0);
	char *path = xasprintf("%s/containers[%zu]", pod_path, index);
	int status = 0;

	if (yaml_get_text(c, "image") == NULL)
		status = render_node_refuse(r, c, path, e, "image is missing");
	else
		status = render_check_mounts(r, c, path, e);
	if (status == 0) {
		if (!replaced)
			report_command(r, c, path);
		report_variables(r, yaml_get(c, "env"), path);
		report_devices(r, c, path);
	}
	free(path);
	return status;
}

static void
report_volumes(struct render *r, const struct yaml_node *volumes)
{
	const struct yaml_node *field;
	size_t i;

	for (i = 0; volumes != NULL && i < volumes->count; i++) {
		field = yaml_path(volumes->items[i].node, "ephemeral/readOnly");
		if (field != NULL)
			render_node_remark(r, REMARK_WARNING, field,
			    "spec/workers/template/spec/volumes",
			    "ephemeral no longer has readOnly; left out");
	}
}

int
render_check_template(struct render *r, struct error *e)
{
	const struct yaml_node *spec = yaml_get(r->job.template, "spec");
	const struct yaml_node *containers = yaml_get(spec, "containers");
	const struct yaml_node *steps = yaml_get(spec, "initContainers");
	const struct yaml_node *volumes = yaml_get(spec, "volumes");
	size_t i;

	if (containers == NULL || containers->kind != YAML_LIST ||
	    containers->count == 0)
		return render_node_refuse(r, spec, pod_path, e,
		    "containers: missing");
	if (render_check_names(r, containers, "containers", container_names,
		e) != 0 ||
	    render_check_names(r, steps, "initContainers", container_names,
		e) != 0 ||
	    (r->shape == SHAPE_LAUNCHED &&
		render_check_names(r, steps, "initContainers",
		    launcher_containers, e) != 0) ||
	    render_check_names(r, volumes, "volumes", volume_names, e) != 0)
		return -1;
	for (i = 0; i < containers->count; i++)
		if (check_container(r, containers->items[i].node, i, e) != 0)
			return -1;
	if (r->job.launcher != NULL)
		report_variables(r, yaml_get(r->job.launcher, "env"),
		    "spec/launcher/env");
	if (yaml_get(spec, "ephemeralContainers") != NULL)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/workers/template/spec/ephemeralContainers",
		    "a pod template cannot have them; left out");
	report_first_containers(r, steps);
	report_volumes(r, volumes);
	report_privileges(r, spec);
	report_user(r, spec);
	return 0;
}
