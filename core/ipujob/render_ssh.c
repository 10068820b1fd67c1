/*
 * Rendering: what an MPI operator would give its pods, for a JobSet: the keys
 * by which a launcher reaches its workers, and a file with their addresses.
 */
#include "core/ipujob/render_ssh.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/memstream.h"
#include "core/ipujob/render_container.h"
#include "core/ipujob/render_node.h"

enum { KEYS_MODE = 0400 };

/* As in the Secrets of the MPI operator: which key becomes which file. */
static const struct {
	const char	*key;
	const char	*path;
} key_files[] = {
	{ "ssh-privatekey", "id_rsa" },
	{ "ssh-publickey", "id_rsa.pub" },
	{ "ssh-publickey", "authorized_keys" },
	{ NULL, NULL }
};

static struct yaml_node *
render_ssh_find_first(struct yaml_node *template)
{
	return yaml_path(template, "spec/containers")->items[0].node;
}

/* A volume of the pod in its first container; the volume, to be filled. */
static struct yaml_node *
render_ssh_add_volume(struct render *r, struct yaml_node *template,
    const char *name,
    const char *path)
{
	struct yaml_node	*spec = yaml_get(template, "spec");
	struct yaml_node	*mount = render_node_named(r,
	    render_node_list(r, render_ssh_find_first(template),
	    "volumeMounts"), name);

	yaml_set_text(r->arena, mount, "mountPath", path);
	yaml_set_bool(r->arena, mount, "readOnly", true);
	return render_node_named(r, render_node_list(r, spec, "volumes"), name);
}

void
render_ssh_add_keys(struct render *r, struct yaml_node *template)
{
	char			*name = render_node_name(r, "-ssh");
	struct yaml_node	*secret = render_node_map(r,
	    render_ssh_add_volume(r,
	    template, RENDER_KEYS_VOLUME, RENDER_KEYS), "secret");
	struct yaml_node	*items, *item;
	size_t			 i;

	yaml_set_text(r->arena, secret, "secretName", name);
	yaml_set_integer(r->arena, secret, "defaultMode", KEYS_MODE);
	items = render_node_list(r, secret, "items");
	for (i = 0; key_files[i].key != NULL; i++) {
		item = yaml_new_map(r->arena);
		yaml_set_text(r->arena, item, "key", key_files[i].key);
		yaml_set_text(r->arena, item, "path", key_files[i].path);
		yaml_add(r->arena, items, item);
	}
	free(name);
}

void
render_ssh_add_hosts(struct render *r, struct yaml_node *template,
    const char *instance)
{
	char			*name = render_node_name(r, "-hosts");
	char			*file = xasprintf(RENDER_HOSTS "/hostfile-%s",
	    instance);
	struct yaml_node	*volume = render_ssh_add_volume(r, template,
	    RENDER_HOSTS_VOLUME, RENDER_HOSTS);
	struct yaml_node	*own = render_node_list(r,
	    render_ssh_find_first(template), "env");

	yaml_set_text(r->arena, render_node_map(r, volume, "configMap"),
	    "name", name);
	render_container_set(r, own, "OMPI_MCA_orte_default_hostfile", file);
	render_container_set(r, own, "OMPI_MCA_orte_keep_fqdn_hostnames",
	    "true");
	/* Nobody is there to be asked about the keys of new workers. */
	render_container_set(r, own, "OMPI_MCA_plm_rsh_args",
	    "-o ConnectionAttempts=10 -o StrictHostKeyChecking=no "
	    "-o UserKnownHostsFile=/dev/null -o LogLevel=ERROR");
	free(file);
	free(name);
}

/* The host names that a JobSet gives the workers of an instance. */
static char *
host_lines(const struct render *r, const char *name, int instance)
{
	struct memstream	out;
	int			i;

	memstream_open(&out);
	for (i = 0; i < r->job.workers; i++)
		fprintf(out.file, "%s-worker-%d-%d.%s slots=1\n", name,
		    instance, i, name);
	return memstream_close(&out, NULL);
}

void
render_ssh_document(struct render *r)
{
	char			*hosts = render_node_name(r, "-hosts");
	char			*name = render_node_name(r, "");
	struct yaml_node	*data = render_node_map(r,
	    render_node_document(r, "v1", "ConfigMap", render_node_beside(r,
	    hosts)), "data");
	char			*key, *lines;
	int			 i;

	for (i = 0; i < r->job.instances; i++) {
		key = xasprintf("hostfile-%d", i);
		lines = host_lines(r, name, i);
		yaml_set_text(r->arena, data, key, lines);
		free(lines);
		free(key);
	}
	render_node_remark(r, REMARK_NOTE, r->job.launcher, "spec/launcher",
	    "the launcher and its workers want keys for ssh: ssh-keygen -N '' "
	    "-f key && kubectl create secret generic %s-ssh "
	    "--from-file=ssh-privatekey=key --from-file=ssh-publickey=key.pub",
	    name);
	free(name);
	free(hosts);
}
