/*
 * An IPUJob on its way to a cluster: the pods that it becomes, where things
 * stand in these, and which file makes what of them.
 */
#ifndef CORE_KUBE_RENDER_RENDER_INTERNAL_H
#define CORE_KUBE_RENDER_RENDER_INTERNAL_H

#include <stdbool.h>

#include "core/kube/render/render.h"
#include "core/kube/schema/schema.h"

#define RENDER_TREE "/opt/ipubox"      /* as --unpack writes it */
#define RENDER_STATE "/var/lib/ipubox" /* the emulated pod's memory */
#define RENDER_TREE_VOLUME "ipubox"
#define RENDER_STATE_VOLUME "ipubox-state"
#define RENDER_LAUNCHER "launcher" /* a container */
/* As the MPI operator has it. */
#define RENDER_KEYS "/root/.ssh"
#define RENDER_HOSTS "/etc/mpi"

enum { RENDER_PORT = 8090 }; /* of vipu-server */

enum render_shape {
	SHAPE_SINGLE,	/* one worker per job instance: the emulated pod is in
			   its memory */
	SHAPE_LAUNCHED, /* a launcher, beside a vipu-server, and workers that it
			   reaches by ssh */
	SHAPE_CROWD	/* several workers that run the same command, over a
			   vipu-server of their own */
};

struct render {
	struct yaml_arena *arena;
	const struct render_options *options;
	struct remarks *lost;
	struct yaml_node *documents; /* a list */

	/* Of the IPUJob that is rendered. */
	const struct manifest_object *object;
	struct ipujob job;
	enum render_shape shape;
};

enum render_role {
	ROLE_WORKER,   /* runs its own command */
	ROLE_LAUNCHER, /* that of the launcher */
	ROLE_REACHED   /* what comes over ssh */
};

/*
 * A kind of pod.  The texts become parts of variables, and may refer to others
 * as $(NAME); where one is NULL, the field of the pod that is named says it.
 */
struct render_pod {
	enum render_role role;
	const char *name; /* the job's */
	const char *name_field;
	const char *instance; /* the number of the job instance */
	const char *instance_field;
	const char *server; /* of a crowd: its host */
};

/* Whether the job's pod template can be rendered, with remarks on the loss. */
int render_check_template(struct render *, struct error *);

/* Takes IPUs of a node out of a list of resources; whether any were there. */
bool render_check_strip_devices(struct yaml_node *amounts);

/* The job's own pod template, which was checked, with what ipubox needs. */
struct yaml_node *render_pod_template(struct render *,
    const struct render_pod *);

/* Add the volumes of ours to a pod. */
void render_pod_add_volumes(struct render *, struct yaml_node *spec, bool tree,
    bool state);

/* Adds the documents of the job: plain Jobs, or MPIJobs.  -1: it cannot be had
   in this way. */
int render_job_add(struct render *, struct error *);
int render_job_add_mpi(struct render *, struct error *);

/* A container runs with ipubox on its PATH, and finds its IPUs in the variables
   of the IPU Operator.  The variables of ours, NULL at the end. */
extern const char *const render_container_variables[];

/* A container of ours at the end of the list: its image, its command, little
   resources, no privileges. */
struct yaml_node *render_container_new(struct render *, struct yaml_node *list,
    const char *name, const char *const *command);

/* The container of vipu-server at the end of the list: beside others, which
   begin when it answers, or alone. */
void render_container_add_server(struct render *, struct yaml_node *list,
    bool sidecar);

/* Its command becomes that list of words, NULL: it stays, and finds ipubox. */
void render_container_wrap(struct render *, struct yaml_node *c,
    const struct yaml_node *words);

/* Mount the tree, read only unless it is to be written, or the state. */
void render_container_mount_tree(struct render *, struct yaml_node *c,
    bool read_only);
void render_container_mount_state(struct render *, struct yaml_node *c);

/* The variables by which a program finds its IPUs, put before those that the
   container has. */
void render_container_environment(struct render *, const struct render_pod *,
    struct yaml_node *c);
/* More variables, in place of those that have the same names; NULL: none. */
void render_container_add(struct render *, struct yaml_node *c,
    const struct yaml_node *variables);
/* Tells of each variable of a list whether a later one of its name hides it, to
   be freed; and drops those.  NULL is fine. */
bool *render_container_hidden(const struct yaml_node *environment);
void render_container_drop_hidden(struct yaml_node *environment);

#endif
