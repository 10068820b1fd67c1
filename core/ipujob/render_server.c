/*
 * Rendering: vipu-server, for pods of which several use one partition.  The
 * emulated pod is in its memory, and goes with it.
 */
#include "core/ipujob/render_server.h"

#include "core/ipujob/render_container.h"
#include "core/ipujob/render_node.h"
#include "core/ipujob/render_pod.h"
#include "core/ipujob/render_vipu.h"

/* What the job's pods and the server's are alike in. */
static const char *const	shared[] = {
	"imagePullSecrets", "nodeSelector", "tolerations", "securityContext",
	NULL
};

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
	render_vipu_add(r, render_node_list(r, spec, "containers"),
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
