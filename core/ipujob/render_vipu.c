/*
 * Rendering: the container that runs vipu-server, wherever it is.
 */
#include "core/ipujob/render_vipu.h"

#include "core/ipujob/render_container.h"
#include "core/ipujob/render_node.h"

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
render_vipu_add(struct render *r, struct yaml_node *list, bool sidecar)
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
