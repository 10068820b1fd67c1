/*
 * A pod of an IPUJob as the object that kubectl would show, and its state as a
 * struct.
 *
 * Source: the API reference of Kubernetes, Pod and PodStatus.
 */
#ifndef CORE_KUBE_RUNTIME_POD_OBJECT_H
#define CORE_KUBE_RUNTIME_POD_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/kube/schema/schema.h"
#include "core/kube/yaml/yaml.h"

enum pod_phase { POD_PENDING, POD_RUNNING, POD_SUCCEEDED, POD_FAILED };

enum { POD_REASON_SIZE = 48, POD_MESSAGE_SIZE = 512, POD_TIME_SIZE = 32 };

/* Times are seconds since the epoch, 0: not yet. */
struct pod_state {
	enum pod_phase phase;
	char reason[POD_REASON_SIZE]; /* "ContainerCreating" */
	char message[POD_MESSAGE_SIZE];
	int status; /* exit status, or 128 + signal */
	int restarts;
	int steps_done; /* initContainers */
	int steps;
	int64_t created_s;
	int64_t started_s;
	int64_t finished_s;
	int64_t last_finished_s; /* before the last restart */
};

enum pod_role { POD_WORKER, POD_LAUNCHER };

/* Which pod of a job it is. */
struct pod_place {
	enum pod_role role;
	int instance;
	const char *name;
	const char *host; /* node name: this host's */
	char uid[40];
};

/* The object of a new pod: metadata, and the spec of the job's template with
   its first container alone, whose command a launcher replaces. */
struct yaml_node *pod_object_new(struct yaml_arena *,
    const struct yaml_node *ipujob, const struct ipujob *,
    const struct pod_place *, int64_t now_s);

/* Puts the state into the object's status; and reads it back. */
void pod_object_set_state(struct yaml_arena *, struct yaml_node *pod,
    const struct pod_state *);
void pod_object_state(const struct yaml_node *pod, struct pod_state *);

/* The container that runs: the first of the spec, or NULL. */
struct yaml_node *pod_object_container(const struct yaml_node *pod);

/* What `get pods` has under STATUS: "Completed", "Init:0/1", "Running". */
void pod_object_word(const struct pod_state *, char word[POD_REASON_SIZE]);

/* The signal that an exit status stands for, as shells count; 0: none. */
int pod_object_signal(int status);

/* Why a container ended, by its exit status: "Completed" or "Error". */
const char *pod_object_end_reason(int status);

/* Seconds since the epoch, from clock_text()'s form; 0 where it is not one. */
int64_t pod_object_read_time(const char *text);

/* How long something is ago: "10m", "2m56s", "3d2h", as kubectl has it. */
void pod_object_age(int64_t seconds, char text[POD_TIME_SIZE]);

#endif
