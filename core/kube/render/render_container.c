/*
 * Rendering: one container.  Its program finds ipubox on the PATH, and its IPUs
 * in the variables of the IPU Operator.
 */
#include "core/kube/render/render_internal.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/kube/render/render_node.h"
#include "core/kube/runtime/runtime.h"

const char *const render_container_variables[] = { "IPUJOB_NAME",
	"IPUJOB_NAMESPACE", "IPUJOB_INSTANCE", "IPUOF_VIPU_API_HOST",
	"IPUOF_VIPU_API_PORT", "IPUOF_VIPU_API_PARTITION_ID",
	"IPUOF_VIPU_API_GCD_ID", "VIPU_CLI_API_HOST", "IPUBOX_STATE_DIR",
	"IPUBOX_REGISTRY", "IPUBOX_SDK", NULL };

static void
set_value(struct render *r, struct yaml_node *environment, const char *name,
    const char *value)
{
	yaml_set_text(r->arena, render_node_named(r, environment, name),
	    "value", value);
}

static void
set_field(struct render *r, struct yaml_node *environment, const char *name,
    const char *field)
{
	struct yaml_node *variable = render_node_named(r, environment, name);
	struct yaml_node *from = render_node_map(r, variable, "valueFrom");

	yaml_set_text(r->arena, render_node_map(r, from, "fieldRef"),
	    "fieldPath", field);
}

/* Return a part of the partition's name: the text, or a reference to the
   variable of the field. */
static const char *
name_part(struct render *r, struct yaml_node *environment, const char *text,
    const char *variable, const char *field, const char *reference)
{
	if (text != NULL)
		return text;
	set_field(r, environment, variable, field);
	return reference;
}

/*
 * Set "p-JOB-NAMESPACE-INSTANCE", the operator's name.  Workers that run
 * separately each have a GCD of it.  Workers under a launcher learn the
 * server's host from it.
 */
static void
set_partition_name(struct render *r, const struct render_pod *pod,
    struct yaml_node *environment)
{
	const char *name = name_part(r, environment, pod->name, "IPUJOB_NAME",
	    pod->name_field, "$(IPUJOB_NAME)");
	const char *space = name_part(r, environment, r->object->space,
	    "IPUJOB_NAMESPACE", "metadata.namespace", "$(IPUJOB_NAMESPACE)");
	const char *instance = name_part(r, environment, pod->instance,
	    "IPUJOB_INSTANCE", pod->instance_field, "$(IPUJOB_INSTANCE)");
	char *partition = xasprintf("p-%s-%s-%s", name, space, instance),
	     *port = xasprintf("%d", RENDER_PORT);

	if (pod->server != NULL)
		set_value(r, environment, "IPUOF_VIPU_API_HOST", pod->server);
	else if (pod->role == ROLE_LAUNCHER)
		set_field(r, environment, "IPUOF_VIPU_API_HOST",
		    "status.podIP");
	else if (pod->role == ROLE_WORKER)
		set_value(r, environment, "IPUOF_VIPU_API_HOST", "local");
	set_value(r, environment, "IPUOF_VIPU_API_PORT", port);
	set_value(r, environment, "IPUOF_VIPU_API_PARTITION_ID", partition);
	if (r->shape == SHAPE_CROWD &&
	    job_gcds_count(&r->job) == r->job.workers)
		set_field(r, environment, "IPUOF_VIPU_API_GCD_ID",
		    "metadata.annotations['batch.kubernetes.io/"
		    "job-completion-index']");
	free(port);
	free(partition);
}

/* A variable's name and position. */
struct render_variable {
	const char *name;
	size_t index;
};

static int
compare_variables(const void *a, const void *b)
{
	const struct render_variable *x = a, *y = b;
	const int order = strcmp(x->name, y->name);

	return order != 0 ? order : x->index < y->index ? -1 : 1;
}

bool *
render_container_hidden(const struct yaml_node *environment)
{
	const size_t count = environment != NULL &&
		environment->kind == YAML_LIST ?
	    environment->count :
	    0;
	struct render_variable *all = xcalloc(count + 1, sizeof(*all));
	bool *hidden = xcalloc(count + 1, sizeof(*hidden));
	size_t i, named = 0;

	for (i = 0; i < count; i++) {
		all[named].name = yaml_get_text(environment->items[i].node,
		    "name");
		all[named].index = i;
		named += all[named].name != NULL;
	}
	qsort(all, named, sizeof(*all), compare_variables);
	for (i = 1; i < named; i++)
		hidden[all[i - 1].index] =
		    strcmp(all[i - 1].name, all[i].name) == 0;
	free(all);
	return hidden;
}

void
render_container_drop_hidden(struct yaml_node *environment)
{
	bool *hidden = render_container_hidden(environment);
	size_t i, kept = 0;

	if (environment != NULL && environment->kind == YAML_LIST) {
		for (i = 0; i < environment->count; i++)
			if (!hidden[i])
				environment->items[kept++] =
				    environment->items[i];
		environment->count = kept;
	}
	free(hidden);
}

/* Join both lists; variables of the second replace those of the first. */
static struct yaml_node *
join_variables(struct render *r, const struct yaml_node *first,
    const struct yaml_node *second)
{
	struct yaml_node *list = yaml_new_list(r->arena);
	const char *name;
	size_t i;

	for (i = 0; first != NULL && i < first->count; i++) {
		name = yaml_get_text(first->items[i].node, "name");
		if (name == NULL || yaml_find(second, "name", name) == NULL)
			yaml_add(r->arena, list, first->items[i].node);
	}
	for (i = 0; second != NULL && i < second->count; i++)
		yaml_add(r->arena, list, second->items[i].node);
	return list;
}

void
render_container_add(struct render *r, struct yaml_node *c,
    const struct yaml_node *variables)
{
	if (variables != NULL)
		(void)yaml_set(r->arena, c, "env",
		    join_variables(r, yaml_get(c, "env"), variables));
}

void
render_container_environment(struct render *r, const struct render_pod *pod,
    struct yaml_node *c)
{
	struct yaml_node *own = yaml_new_list(r->arena);

	set_partition_name(r, pod, own);
	if (r->shape == SHAPE_SINGLE) {
		set_value(r, own, "IPUBOX_STATE_DIR", RENDER_STATE "/state");
		set_value(r, own, "IPUBOX_REGISTRY",
		    RENDER_STATE "/state/registry");
	} else if (pod->role != ROLE_REACHED) {
		set_value(r, own, "VIPU_CLI_API_HOST",
		    "$(IPUOF_VIPU_API_HOST)");
	}
	set_value(r, own, "IPUBOX_SDK", RENDER_TREE "/sdk");
	(void)yaml_set(r->arena, c, "env",
	    join_variables(r, own, yaml_get(c, "env")));
}

/* Set small equal requests and limits: the pod keeps its quality of service,
   and its use of a quota is known. */
static void
set_resources(struct render *r, struct yaml_node *c)
{
	static const char *const kinds[] = { "requests", "limits" };
	struct yaml_node *resources = render_node_map(r, c, "resources"),
			 *amounts;
	size_t i;

	for (i = 0; i < 2; i++) {
		amounts = render_node_map(r, resources, kinds[i]);
		yaml_set_text(r->arena, amounts, "cpu", "500m");
		yaml_set_text(r->arena, amounts, "memory", "64Mi");
	}
}

struct yaml_node *
render_container_new(struct render *r, struct yaml_node *list, const char *name,
    const char *const *command)
{
	static const char *const all[] = { "ALL", NULL };
	struct yaml_node *c = render_node_named(r, list, name);
	struct yaml_node *security;

	yaml_set_text(r->arena, c, "image",
	    r->options->image != NULL ? r->options->image : RENDER_IMAGE);
	render_node_words(r, render_node_list(r, c, "command"), command);
	set_resources(r, c);
	security = render_node_map(r, c, "securityContext");
	yaml_set_bool(r->arena, security, "allowPrivilegeEscalation", false);
	render_node_words(r,
	    render_node_list(r, render_node_map(r, security, "capabilities"),
		"drop"),
	    all);
	return c;
}

/*
 * The PATH of the image is known only in the container, so ipubox extends it
 * there and then becomes the program.  Without a command the image's default
 * would run, which is not known here.
 */
void
render_container_wrap(struct render *r, struct yaml_node *c,
    const struct yaml_node *words)
{
	static const char *const wrap[] = { RENDER_TREE "/bin/ipubox",
		"sdk-env", "--path", RENDER_TREE "/sdk", "--", NULL };
	struct yaml_node *command = yaml_new_list(r->arena);
	size_t i;

	if (words != NULL)
		yaml_unset(c, "args");
	else
		words = yaml_get(c, "command");
	if (words == NULL || words->kind != YAML_LIST || words->count == 0)
		return;
	render_node_words(r, command, wrap);
	for (i = 0; i < words->count; i++)
		yaml_add(r->arena, command, words->items[i].node);
	(void)yaml_set(r->arena, c, "command", command);
}

static struct yaml_node *
add_mount(struct render *r, struct yaml_node *c, const char *volume,
    const char *path)
{
	struct yaml_node *mount = render_node_named(r,
	    render_node_list(r, c, "volumeMounts"), volume);

	yaml_set_text(r->arena, mount, "mountPath", path);
	return mount;
}

void
render_container_mount_tree(struct render *r, struct yaml_node *c,
    bool read_only)
{
	struct yaml_node *mount = add_mount(r, c, RENDER_TREE_VOLUME,
	    RENDER_TREE);

	if (read_only)
		yaml_set_bool(r->arena, mount, "readOnly", true);
}

void
render_container_mount_state(struct render *r, struct yaml_node *c)
{
	(void)add_mount(r, c, RENDER_STATE_VOLUME, RENDER_STATE);
}

/* Add a probe that succeeds when gRPC's health check does. */
static struct yaml_node *
add_probe(struct render *r, struct yaml_node *c, const char *key)
{
	struct yaml_node *probe = render_node_map(r, c, key);

	yaml_set_integer(r->arena, render_node_map(r, probe, "grpc"), "port",
	    RENDER_PORT);
	yaml_set_integer(r->arena, probe, "periodSeconds", 1);
	return probe;
}

/*
 * A sidecar is an init container that keeps running: the next container starts
 * when it answers, and it does not delay the pod's end.
 */
void
render_container_add_server(struct render *r, struct yaml_node *list,
    bool sidecar)
{
	static const char *const command[] = { "/ipubox", "vipu-server",
		"--insecure", "--listen", "$(POD_IP)", NULL };
	struct yaml_node *c = render_container_new(r, list, "vipu-server",
	    command);
	struct yaml_node *environment = render_node_list(r, c, "env");
	struct yaml_node *port;

	set_field(r, environment, "POD_IP", "status.podIP");
	set_value(r, environment, "IPUBOX_STATE_DIR", RENDER_STATE "/state");
	set_value(r, environment, "IPUBOX_REGISTRY",
	    RENDER_STATE "/state/registry");
	port = render_node_named(r, render_node_list(r, c, "ports"), "vipu");
	yaml_set_integer(r->arena, port, "containerPort", RENDER_PORT);
	if (sidecar) {
		yaml_set_text(r->arena, c, "restartPolicy", "Always");
		yaml_set_integer(r->arena, add_probe(r, c, "startupProbe"),
		    "failureThreshold", 60);
	} else {
		(void)add_probe(r, c, "readinessProbe");
	}
	render_container_mount_state(r, c);
}
