/*
 * Rendering: vipu-server, for pods of which several use one partition.  The
 * emulated pod is in its memory, and goes with it.
 */
#include "core/ipujob/render_server.h"

#include "core/ipujob/render_container.h"
#include "core/ipujob/render_node.h"
#include "core/ipujob/render_pod.h"

/* What the job's pods and the server's are alike in. */
static const char *const	shared[] = {
	"imagePullSecrets", "nodeSelector", "tolerations", "securityContext",
	NULL
};

/* Ready when it answers gRPC's own question of health. */
static struct yaml_node *
add_probe(struct render *r, struct yaml_node *c, const char *key)
{
	struct yaml_node	*probe = render_node_map(r, c, key);

	yaml_set_integer(r->arena, render_node_map(r, probe, "grpc"), "port",
	    RENDER_PORT);
	yaml_set_integer(r->arena, probe, "periodSeconds", 1);
	return probe;
}

/*
 * A sidecar is an init container that goes on: the next one begins when it
 * answers, and it does not keep the pod from its end.
 */
void
render_server_container(struct render *r, struct yaml_node *list, bool sidecar)
{
	static const char *const command[] = {
		"/ipubox", "vipu-server", "--insecure", "--listen", "$(POD_IP)",
		NULL
	};
	struct yaml_node	*c = render_container_new(r, list,
	    "vipu-server", command);
	struct yaml_node	*environment = render_node_list(r, c, "env");
	struct yaml_node	*port;

	render_container_set_field(r, environment, "POD_IP", "status.podIP");
	render_container_set(r, environment, "IPUBOX_STATE_DIR",
	    RENDER_STATE "/state");
	render_container_set(r, environment, "IPUBOX_REGISTRY",
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

/* By these labels the Deployment and the Service find the server's pod. */
static void
add_labels(struct render *r, struct yaml_node *map, const char *key,
    const char *name)
{
	struct yaml_node	*labels = render_node_map(r, map, key);

	yaml_set_text(r->arena, labels, "app.kubernetes.io/name",
	    "vipu-server");
	yaml_set_text(r->arena, labels, "app.kubernetes.io/instance", name);
}

struct yaml_node *
render_server_template(struct render *r, const char *deployment)
{
	const struct yaml_node	*job = yaml_get(r->job.template, "spec");
	struct yaml_node	*template = yaml_new_map(r->arena);
	struct yaml_node	*spec, *value;
	const char *const	*key;

	if (deployment != NULL)
		add_labels(r, render_node_map(r, template, "metadata"),
		    "labels", deployment);
	spec = render_node_map(r, template, "spec");
	if (deployment == NULL)
		render_pod_set_restart(r, spec);
	for (key = shared; *key != NULL; key++)
		if ((value = yaml_get(job, *key)) != NULL)
			(void)yaml_set(r->arena, spec, *key,
			    yaml_copy(r->arena, value));
	yaml_set_bool(r->arena, spec, "automountServiceAccountToken", false);
	render_server_container(r, render_node_list(r, spec, "containers"),
	    false);
	render_pod_add_volumes(r, spec, false, true);
	return template;
}

void
render_server_documents(struct render *r, const char *name)
{
	struct yaml_node	*spec, *port;

	spec = render_node_map(r, render_node_document(r, "apps/v1",
	    "Deployment", render_node_beside(r, name)), "spec");
	yaml_set_integer(r->arena, spec, "replicas", 1);
	/* Never two of them: each would have a pod of its own. */
	yaml_set_text(r->arena, render_node_map(r, spec, "strategy"), "type",
	    "Recreate");
	add_labels(r, render_node_map(r, spec, "selector"), "matchLabels",
	    name);
	(void)yaml_set(r->arena, spec, "template", render_server_template(r,
	    name));

	spec = render_node_map(r, render_node_document(r, "v1", "Service",
	    render_node_beside(r, name)), "spec");
	add_labels(r, spec, "selector", name);
	port = render_node_named(r, render_node_list(r, spec, "ports"), "vipu");
	yaml_set_integer(r->arena, port, "port", RENDER_PORT);
	yaml_set_integer(r->arena, port, "targetPort", RENDER_PORT);
}
