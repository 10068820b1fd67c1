/*
 * A pod of an IPUJob as the object that kubectl shows, and its state as a
 * struct.
 *
 * Source: the API reference of Kubernetes, Pod and PodStatus.
 */
#ifndef CORE_KUBE_RUNTIME_POD_OBJECT_H
#define CORE_KUBE_RUNTIME_POD_OBJECT_H

#include "core/kube/schema/schema.h"

enum pod_phase { POD_PENDING, POD_RUNNING, POD_SUCCEEDED, POD_FAILED };

enum { POD_REASON_SIZE = 48, POD_MESSAGE_SIZE = 512, POD_TIME_SIZE = 32 };

/* Times are seconds since the epoch; 0: not yet. */
struct pod_state {
	enum pod_phase phase;
	char reason[POD_REASON_SIZE]; /* "ContainerCreating" */
	char message[POD_MESSAGE_SIZE];
	int status; /* exit status, or 128 + signal */
	int restarts;
	int steps_done; /* initContainers that are over */
	int steps;	/* initContainers */
	int64_t created_s;
	int64_t started_s;
	int64_t finished_s;
	int64_t last_finished_s; /* end of the previous run */
};

enum pod_role { POD_WORKER, POD_LAUNCHER };

/* The position of a pod in a job. */
struct pod_place {
	enum pod_role role;
	int instance;
	const char *name;
	const char *host; /* node name: this host */
	char uid[40];
};

/* Create the object of a pod in the arena: metadata, and the spec of the job's
   template with only its first container.  A launcher gets the command of
   spec.launcher instead, and loses the initContainers.  A worker gets "sleep"
   if the job has a launcher, or is interactive and without a command. */
struct yaml_node *pod_object_new(struct yaml_arena *,
    const struct yaml_node *ipujob, const struct ipujob *,
    const struct pod_place *, int64_t now_s);

/* Store the state as the object's status.  pod_object_state() reads it back. */
void pod_object_set_state(struct yaml_arena *, struct yaml_node *pod,
    const struct pod_state *);
void pod_object_state(const struct yaml_node *pod, struct pod_state *);

/* Return the main container, the first of the spec, or NULL. */
struct yaml_node *pod_object_container(const struct yaml_node *pod);

/* Write the STATUS of `get pods`: "Completed", "Init:0/1", "Running". */
void pod_object_word(const struct pod_state *, char word[POD_REASON_SIZE]);

/* Return the signal of an exit status 128 + SIGNAL, or 0 for another status. */
int pod_object_signal(int status);

/* Return "Completed" or "Error", by the exit status of a container. */
const char *pod_object_end_reason(int status);

/* Parse clock_text()'s form into seconds since the epoch; 0: NULL or
   malformed. */
int64_t pod_object_read_time(const char *text);

/* Write an age like kubectl: "10m", "2m56s", "3d2h". */
void pod_object_age(int64_t seconds, char text[POD_TIME_SIZE]);

#endif
