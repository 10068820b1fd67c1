/*
 * Plans of containers in a pod that is the same for all tests: the plan for a
 * piece of YAML, as one text.
 *
 * The ConfigMaps conf, dots, doubles, nothing, slashes and broken exist; broken
 * cannot be read.  The Secrets hf and odd exist, and all claims except "gone".
 */
#ifndef TESTS_UNIT_CONTAINER_UTIL_H
#define TESTS_UNIT_CONTAINER_UTIL_H

#include <stddef.h>
#include <stdio.h>

#include "core/kube/runtime/runtime.h"

/* Contents of the Secrets: must not appear in messages. */
#define SECRET "hunter2"

/* Codes at the start of a refusal (core/base/error.h). */
#define INVALID "2 "
#define NOT_FOUND "3 "
#define DENIED "5 "
#define DAMAGED "16 "
#define UNSUPPORTED "17 "

/* Lines of a spec: volumeMounts and volumes. */
#define MOUNT(mounts, volumes) \
	"  containers: [{command: [a], volumeMounts: [" mounts "]}]\n" \
	"  volumes: [" volumes "]"
/* The second volume, v, mounted at /m. */
#define ONE(volume) \
	MOUNT("{name: v, mountPath: /m}", "{name: w}, {name: v, " volume "}")

/* A piece of YAML, and the expected output for the plan, or "CODE TEXT". */
struct container_row {
	const char *yaml;
	const char *wanted;
};

typedef void container_shower(FILE *, const struct container_plan *);

/* Parts of a plan to show, without the host's variables. */
container_shower container_show_command;
container_shower container_show_environment;
container_shower container_show_volumes;
container_shower container_show_files;

/* Return the host of the pod. */
struct pod_host container_host(void);

/* Plan initContainers[0] of a pod with these lines in its spec, else
   containers[0]; see container_plan_make(). */
int container_make(struct yaml_arena *, const char *spec,
    const struct pod_host *, struct container_plan *, struct error *);

/* Check one row, or all.  With `before`, the rows are fields of a container
   that follow it, else lines of a spec. */
void container_check(const struct container_row *, const char *before,
    container_shower *, const struct pod_host *);
void container_check_rows(const struct container_row *, size_t count,
    const char *before, container_shower *);

#endif
