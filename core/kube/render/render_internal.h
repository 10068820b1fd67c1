/*
 * The conversion of an IPUJob: the pods that it becomes, the paths in them, and
 * the functions that the files share.
 */
#ifndef CORE_KUBE_RENDER_RENDER_INTERNAL_H
#define CORE_KUBE_RENDER_RENDER_INTERNAL_H

#include "core/kube/render/render.h"

#define RENDER_TREE "/opt/ipubox"      /* as --unpack writes it */
#define RENDER_STATE "/var/lib/ipubox" /* state of the emulated pod */
#define RENDER_TREE_VOLUME "ipubox"
#define RENDER_STATE_VOLUME "ipubox-state"
#define RENDER_LAUNCHER "launcher" /* a container's name */
#define RENDER_KEYS "/root/.ssh"   /* keys of the MPI operator */

enum { RENDER_PORT = 8090 }; /* vipu-server's */

enum render_shape {
	SHAPE_SINGLE,	/* one worker per job instance, with the emulated pod in
			   its state directory */
	SHAPE_LAUNCHED, /* a launcher with a vipu-server, and workers */
	SHAPE_CROWD	/* equal workers, and a vipu-server */
};

struct render {
	struct yaml_arena *arena;
	const struct render_options *options;
	struct remarks *lost;	     /* on parts that the result lacks */
	struct yaml_node *documents; /* a list */
	/* The IPUJob that is rendered. */
	const struct manifest_object *object;
	struct ipujob job;
	enum render_shape shape;
};

enum render_role {
	ROLE_WORKER,   /* runs its own command */
	ROLE_LAUNCHER, /* runs the launcher's command */
	ROLE_REACHED   /* runs commands that come over ssh */
};

/* A kind of pod.  The texts become parts of variables, and may refer to others
   as $(NAME).  If name or instance is NULL, the variable gets its value from
   the pod's field of the path name_field or instance_field. */
struct render_pod {
	enum render_role role;
	const char *name; /* the job's */
	const char *name_field;
	const char *instance; /* the number of the job instance */
	const char *instance_field;
	const char *server; /* of SHAPE_CROWD: the server's host */
};

/* Check that the job's pod template can be rendered, with remarks on losses.
   -1, ERROR_INVALID: it cannot. */
int render_check_template(struct render *, struct error *);

/* Remove a device plugin's IPUs from a map of amounts, which may be NULL.
   Returns true if any were removed. */
bool render_check_strip_devices(struct yaml_node *amounts);

/* Return a copy of the checked pod template with ipubox added. */
struct yaml_node *render_pod_template(struct render *,
    const struct render_pod *);

/* Add ipubox's volumes to the spec of a pod: RENDER_TREE_VOLUME if `tree`,
   RENDER_STATE_VOLUME if `state`. */
void render_pod_add_volumes(struct render *, struct yaml_node *spec, bool tree,
    bool state);

/* Add the documents of the job: plain Jobs or, _mpi, MPIJobs.  -1,
   ERROR_INVALID: this target cannot express the job. */
int render_job_add(struct render *, struct error *);
int render_job_add_mpi(struct render *, struct error *);

/* Names of variables that ipubox sets in containers, ending with NULL. */
extern const char *const render_container_variables[];

/* Append a container of ipubox to the list, and return it: its image, the
   command, small resources, no privileges. */
struct yaml_node *render_container_new(struct render *, struct yaml_node *list,
    const char *name, const char *const *command);

/* Append the container of vipu-server to the list: a sidecar, which must answer
   before the others start, or a container alone. */
void render_container_add_server(struct render *, struct yaml_node *list,
    bool sidecar);

/* Let the container's command find ipubox on its PATH.  `words`, if not NULL,
   first replace the command and its arguments.  Without a command nothing
   changes. */
void render_container_wrap(struct render *, struct yaml_node *c,
    const struct yaml_node *words);

/* Mount the tree, read-only or writable; mount the state. */
void render_container_mount_tree(struct render *, struct yaml_node *c,
    bool read_only);
void render_container_mount_state(struct render *, struct yaml_node *c);

/* Insert the variables that locate the IPUs before the container's.  The
   container's variables of the same names replace them. */
void render_container_environment(struct render *, const struct render_pod *,
    struct yaml_node *c);
/* Add variables, replacing those of the same names; NULL: none. */
void render_container_add(struct render *, struct yaml_node *c,
    const struct yaml_node *variables);
/* _hidden: return an array, which the caller frees: for each variable of a list
   whether a later one of the same name hides it.  _drop_hidden: remove the
   hidden ones.  A NULL list is fine. */
bool *render_container_hidden(const struct yaml_node *environment);
void render_container_drop_hidden(struct yaml_node *environment);

#endif
