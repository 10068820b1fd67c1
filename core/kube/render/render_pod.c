/*
 * Rendering: pod templates.  Containers of ours precede those of the job, in
 * this order: ipubox puts the tree into a volume; vipu-server runs beside a
 * launcher; ipubox-partition creates the partition.
 */
#include "core/kube/render/render_internal.h"

#include <stdio.h>
#include <string.h>

#include "core/kube/render/render_node.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/schema/schema.h"

/* The maximum request of a launcher, whatever a worker requests. */
static const struct {
	const char *kind;
	const char *amount;
} launcher_requests[] = { { "cpu", "1" }, { "memory", "1Gi" }, { NULL, NULL } };

/* Settings of a process's identity: the creator of a partition must be its
   user. */
static const char *const identity[] = { "runAsUser", "runAsGroup",
	"runAsNonRoot", NULL };

/* Settings for the command of a worker, but not of a launcher. */
static const char *const of_workers[] = { "ports", "livenessProbe",
	"readinessProbe", "startupProbe", "lifecycle", NULL };

static bool
has_server(const struct render_pod *pod)
{
	return pod->role == ROLE_LAUNCHER;
}

/* Whether the pod creates its partition; pods reached over ssh do not. */
static bool
has_partition(const struct render_pod *pod)
{
	return pod->role != ROLE_REACHED;
}

void
render_pod_add_volumes(struct render *r, struct yaml_node *spec, bool tree,
    bool state)
{
	struct yaml_node *volumes = render_node_list(r, spec, "volumes");
	struct yaml_node *directory;

	if (tree)
		(void)render_node_map(r,
		    render_node_named(r, volumes, RENDER_TREE_VOLUME),
		    "emptyDir");
	if (!state)
		return;
	directory = render_node_map(r,
	    render_node_named(r, volumes, RENDER_STATE_VOLUME), "emptyDir");
	yaml_set_text(r->arena, directory, "medium", "Memory");
	yaml_set_text(r->arena, directory, "sizeLimit", "64Mi");
}

static void
copy_fields(struct render *r, struct yaml_node *to,
    const struct yaml_node *from, const char *const *keys)
{
	struct yaml_node *value;

	for (; *keys != NULL; keys++)
		if ((value = yaml_get(from, *keys)) != NULL)
			(void)yaml_set(r->arena, to, *keys, value);
}

/*
 * Add the container that creates the partition, in the image of the job and as
 * its user, because that user owns the emulated pod then.  It may run again,
 * like every init container, and in several pods of a crowd.
 */
static void
render_pod_add_partition(struct render *r, const struct render_pod *pod,
    struct yaml_node *list, const struct yaml_node *first)
{
	static const char *const image[] = { "image", "imagePullPolicy", NULL };
	const int count = job_gcds_count(&r->job);
	char size[16], gcds[32] = "--reconfigurable";
	const char *command[] = { RENDER_TREE "/bin/vipu", "create",
		"partition", "$(IPUOF_VIPU_API_PARTITION_ID)", "--size", size,
		gcds, "--if-missing", "--ipuof-config-location",
		RENDER_STATE "/ipuof",
		r->shape == SHAPE_SINGLE ? NULL : "--wait=600", NULL };
	struct yaml_node *c;

	(void)snprintf(size, sizeof(size), "%d", r->job.ipus);
	if (count != JOB_GCDS_RECONFIGURABLE)
		(void)snprintf(gcds, sizeof(gcds), "--num-gcds=%d", count);
	c = render_container_new(r, list, "ipubox-partition", command);
	copy_fields(r, c, first, image);
	copy_fields(r, render_node_map(r, c, "securityContext"),
	    yaml_get(first, "securityContext"), identity);
	render_container_environment(r, pod, c);
	render_container_mount_tree(r, c, true);
	render_container_mount_state(r, c);
}

/* Ours come first, because the job's init containers may need them. */
static void
add_first_containers(struct render *r, const struct render_pod *pod,
    struct yaml_node *spec, const struct yaml_node *others,
    const struct yaml_node *first)
{
	static const char *const unpack[] = { "/ipubox", "--unpack",
		RENDER_TREE, NULL };
	struct yaml_node *list = render_node_list(r, spec, "initContainers");
	size_t i;

	render_container_mount_tree(r,
	    render_container_new(r, list, "ipubox", unpack), false);
	if (has_server(pod))
		render_container_add_server(r, list, true);
	if (has_partition(pod))
		render_pod_add_partition(r, pod, list, first);
	for (i = 0; others != NULL && i < others->count; i++)
		yaml_add(r->arena, list, others->items[i].node);
}

/* Set the launcher's resources, at most the worker's, which are an upper
   limit. */
static void
set_launcher_resources(struct render *r, struct yaml_node *c)
{
	const struct yaml_node *limits = yaml_path(c, "resources/limits");
	struct yaml_node *kept = yaml_new_map(r->arena);
	struct yaml_node *requests = yaml_new_map(r->arena);
	struct yaml_node *limit;
	int64_t most, wanted;
	size_t i;

	for (i = 0; launcher_requests[i].kind != NULL; i++) {
		limit = yaml_get(limits, launcher_requests[i].kind);
		if (limit != NULL)
			(void)yaml_set(r->arena, kept,
			    launcher_requests[i].kind, limit);
		if (limit == NULL || limit->text == NULL ||
		    quantity_parse(limit->text, &most, NULL) != 0 ||
		    quantity_parse(launcher_requests[i].amount, &wanted,
			NULL) != 0 ||
		    wanted <= most)
			yaml_set_text(r->arena, requests,
			    launcher_requests[i].kind,
			    launcher_requests[i].amount);
	}
	yaml_unset(c, "resources");
	c = render_node_map(r, c, "resources");
	if (requests->count > 0)
		(void)yaml_set(r->arena, c, "requests", requests);
	if (kept->count > 0)
		(void)yaml_set(r->arena, c, "limits", kept);
}

/*
 * Prepare a worker that is launched on: like under the IPU Operator it only
 * waits.  Processes started in it have the variables of its container and the
 * tools; the launcher has the server.  An image with openssh may lack its
 * directory, which an init system creates, and the host's keys.  sshd also sees
 * a volume of keys as writable for everyone.
 */
static void
make_reached(struct render *r, const struct render_pod *pod,
    struct yaml_node *c)
{
	static const char *const sshd[] = { "/bin/sh", "-c",
		"mkdir -p /run/sshd && ssh-keygen -A &&\n"
		"(umask 077 && export -p > /run/ipubox-variables) &&\n"
		"exec /usr/sbin/sshd -De -o StrictModes=no -o 'ForceCommand=. "
		"/run/ipubox-variables; export "
		"IPUOF_VIPU_API_HOST=\"${SSH_CLIENT%% *}\" "
		"VIPU_CLI_API_HOST=\"${SSH_CLIENT%% *}\"; exec " RENDER_TREE
		"/bin/ipubox sdk-env --path " RENDER_TREE
		"/sdk -- sh -c \"$SSH_ORIGINAL_COMMAND\"'\n",
		NULL };
	struct yaml_node *command = yaml_new_list(r->arena), *probe;

	render_node_words(r, command, sshd);
	yaml_unset(c, "args");
	(void)yaml_set(r->arena, c, "command", command);
	render_container_environment(r, pod, c);
	if (yaml_get(c, "readinessProbe") != NULL)
		return;
	probe = render_node_map(r, c, "readinessProbe");
	yaml_set_integer(r->arena, render_node_map(r, probe, "tcpSocket"),
	    "port", 22);
	yaml_set_integer(r->arena, probe, "periodSeconds", 2);
}

/* Return "sleep 3600", for users of kubectl exec. */
static struct yaml_node *
sleep_command(struct render *r)
{
	struct yaml_node *words = yaml_new_list(r->arena);
	char seconds[24];

	(void)snprintf(seconds, sizeof(seconds), "%lld",
	    (long long)r->job.ttl_seconds);
	render_node_words(r, words, (const char *[]){ "sleep", seconds, NULL });
	return words;
}

/* Return the command of the first container, or NULL to keep it. */
static const struct yaml_node *
main_command(struct render *r)
{
	if (r->job.ttl_seconds >= 0)
		return sleep_command(r);
	return r->job.launcher != NULL ?
	    yaml_get(r->job.launcher, "command") :
	    NULL;
}

static void
make_first(struct render *r, const struct render_pod *pod, struct yaml_node *c)
{
	const char *const *key;

	render_container_mount_tree(r, c, true);
	if (pod->role == ROLE_REACHED) {
		make_reached(r, pod, c);
		return;
	}
	if (pod->role == ROLE_LAUNCHER) {
		yaml_set_text(r->arena, c, "name", RENDER_LAUNCHER);
		for (key = of_workers; *key != NULL; key++)
			yaml_unset(c, *key);
		set_launcher_resources(r, c);
	}
	render_container_wrap(r, c, main_command(r));
	if (r->job.launcher != NULL) {
		render_container_add(r, c, yaml_get(r->job.launcher, "env"));
		render_container_drop_hidden(yaml_get(c, "env"));
	}
	render_container_environment(r, pod, c);
	if (r->shape == SHAPE_SINGLE)
		render_container_mount_state(r, c);
}

/* Prepare the other containers, which keep their commands and see the same
   IPUs. */
static void
make_other(struct render *r, const struct render_pod *pod, struct yaml_node *c)
{
	render_container_mount_tree(r, c, true);
	render_container_wrap(r, c, NULL);
	if (pod->role == ROLE_REACHED)
		return;
	render_container_environment(r, pod, c);
	if (r->shape == SHAPE_SINGLE)
		render_container_mount_state(r, c);
}

static void
make_containers(struct render *r, const struct render_pod *pod,
    struct yaml_node *spec)
{
	struct yaml_node *old = yaml_get(spec, "containers");
	struct yaml_node *list = yaml_new_list(r->arena);
	size_t i;

	for (i = 0; i < old->count; i++) {
		if (i == 0)
			make_first(r, pod, old->items[i].node);
		else if (pod->role != ROLE_LAUNCHER)
			make_other(r, pod, old->items[i].node);
		else
			continue;
		yaml_add(r->arena, list, old->items[i].node);
	}
	(void)yaml_set(r->arena, spec, "containers", list);
}

/* Remove what render_check.c reported as lost. */
static void
leave_out(struct yaml_node *spec)
{
	static const char *const lists[] = { "initContainers", "containers" };
	struct yaml_node *list, *c;
	size_t i, k;

	yaml_unset(spec, "ephemeralContainers");
	/* The job's policy counts, as under the operator. */
	yaml_unset(spec, "restartPolicy");
	list = yaml_get(spec, "volumes");
	for (i = 0; list != NULL && i < list->count; i++)
		yaml_unset(yaml_get(list->items[i].node, "ephemeral"),
		    "readOnly");
	for (k = 0; k < 2; k++) {
		list = yaml_get(spec, lists[k]);
		for (i = 0; list != NULL && i < list->count; i++) {
			c = list->items[i].node;
			render_container_drop_hidden(yaml_get(c, "env"));
			if (k == 0)
				continue;
			(void)render_check_strip_devices(yaml_path(c,
			    "resources/requests"));
			(void)render_check_strip_devices(yaml_path(c,
			    "resources/limits"));
		}
	}
}

/*
 * Remove null fields: they mean missing ones, and Go's programs print
 * "creationTimestamp: null", which a template may not have.
 */
static void
drop_nulls(struct yaml_node *node)
{
	size_t i, kept = 0;

	for (i = 0; i < node->count; i++) {
		if (node->kind == YAML_MAP &&
		    node->items[i].node->kind == YAML_NULL)
			continue;
		drop_nulls(node->items[i].node);
		node->items[kept++] = node->items[i];
	}
	node->count = kept;
}

/* The steps are in the order of events in the pod. */
struct yaml_node *
render_pod_template(struct render *r, const struct render_pod *pod)
{
	struct yaml_node *template = yaml_copy(r->arena, r->job.template);
	struct yaml_node *old = yaml_get(template, "spec");
	struct yaml_node *spec = yaml_new_map(r->arena);
	struct yaml_node *first;
	size_t i;

	drop_nulls(template);
	leave_out(old);
	first = yaml_get(old, "containers")->items[0].node;
	/*
	 * A failed pod stays as it is, and a new one replaces it, with its IPUs
	 * in their initial state, as under the IPU Operator.  An MPIJob says so
	 * in a field outside the template.
	 */
	if (r->options->target == RENDER_JOB)
		yaml_set_text(r->arena, spec, "restartPolicy", "Never");
	add_first_containers(r, pod, spec, yaml_get(old, "initContainers"),
	    first);
	yaml_unset(old, "initContainers");
	make_containers(r, pod, old);
	for (i = 0; i < old->count; i++)
		(void)yaml_set(r->arena, spec, old->items[i].key,
		    old->items[i].node);
	if (r->options->scheduler != NULL)
		yaml_set_text(r->arena, spec, "schedulerName",
		    r->options->scheduler);
	render_pod_add_volumes(r, spec, true, has_partition(pod));
	(void)yaml_set(r->arena, template, "spec", spec);
	return template;
}
