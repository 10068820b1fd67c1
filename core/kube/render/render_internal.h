/*
 * What the files of render.h share: an IPUJob on its way to a cluster, the pods
 * that it becomes, where things stand in these, and who makes what of them.
 */
#ifndef CORE_KUBE_RENDER_RENDER_INTERNAL_H
#define CORE_KUBE_RENDER_RENDER_INTERNAL_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/kube/render/render.h"
#include "core/kube/schema/schema.h"
#include "core/kube/yaml/yaml.h"

#define RENDER_TREE	"/opt/ipubox"		/* as --unpack writes it */
#define RENDER_STATE	"/var/lib/ipubox"	/* the emulated pod's memory */
#define RENDER_TREE_VOLUME	"ipubox"
#define RENDER_STATE_VOLUME	"ipubox-state"
#define RENDER_LAUNCHER		"launcher"	/* a container */
/* As the MPI operator has it. */
#define RENDER_KEYS	"/root/.ssh"
#define RENDER_HOSTS	"/etc/mpi"

enum { RENDER_PORT = 8090 };		/* of vipu-server */

enum render_shape {
	SHAPE_SINGLE,		/* one worker per job instance: the emulated
				   pod is in its memory */
	SHAPE_LAUNCHED,		/* a launcher, beside a vipu-server, and
				   workers that it reaches by ssh */
	SHAPE_CROWD		/* several workers that run the same command,
				   over a vipu-server of their own */
};

struct render {
	struct yaml_arena		*arena;
	const struct render_options	*options;
	struct remarks			*lost;
	struct yaml_node		*documents;	/* a list */

	/* Of the IPUJob that is rendered. */
	const struct manifest_object	*object;
	struct ipujob			 job;
	enum render_shape		 shape;
};

enum render_role {
	ROLE_WORKER,		/* runs its own command */
	ROLE_LAUNCHER,		/* that of the launcher */
	ROLE_REACHED		/* what comes over ssh */
};

/*
 * A kind of pod.  The texts become parts of variables, and may refer to others
 * as $(NAME); where one is NULL, the field of the pod that is named says it.
 */
struct render_pod {
	enum render_role role;
	const char	*name;		/* the job's */
	const char	*name_field;
	const char	*instance;	/* the number of the job instance */
	const char	*instance_field;
	const char	*server;	/* of a crowd: its host */
};

/* Whether the job's pod template can be rendered at all; remarks on what is
   lost of it. */
int	render_check_template(struct render *, struct error *);

/* Take IPUs as resources of a node out of a list of resources; whether there
   were any.  NULL is fine. */
bool	render_check_strip_devices(struct yaml_node *amounts);

/* The pod template of that kind: the job's own, which render_check_template()
   found right, with what ipubox needs. */
struct yaml_node	*render_pod_template(struct render *,
			    const struct render_pod *);

/* Add the volumes of ours to a pod. */
void	render_pod_add_volumes(struct render *, struct yaml_node *spec,
	    bool tree, bool state);

/* Add the documents of the job: plain Jobs, or MPIJobs.  -1: it cannot be had
   in this way. */
int	render_job_add(struct render *, struct error *);
int	render_mpijob_add(struct render *, struct error *);

/* How often what failed is tried again. */
int	render_job_retries(const struct render *);

#endif
