/*
 * Plans of containers in a pod that is the same for all tests: what follows
 * from a piece of YAML, as one text.
 *
 * There are the ConfigMaps conf, dots, doubles, nothing, slashes, and broken,
 * which cannot be read; the Secrets hf and odd; and all claims but "gone".
 */
#ifndef TESTS_UNIT_CONTAINER_UTIL_H
#define TESTS_UNIT_CONTAINER_UTIL_H

#include <stddef.h>
#include <stdio.h>

#include "core/kube/runtime/runtime.h"

/* What the Secrets hold: no message may have any of it. */
#define SECRET "hunter2"

/* The codes that begin a refusal: see core/base/error.h. */
#define INVALID "2 "
#define NOT_FOUND "3 "
#define DENIED "5 "
#define DAMAGED "16 "
#define UNSUPPORTED "17 "

/* Lines of a spec: the volumeMounts, and the volumes. */
#define MOUNT(mounts, volumes) \
	"  containers: [{command: [a], volumeMounts: [" mounts "]}]\n" \
	"  volumes: [" volumes "]"
/* The volume v, the second one, mounted at /m. */
#define ONE(volume) \
	MOUNT("{name: v, mountPath: /m}", "{name: w}, {name: v, " volume "}")

/* A piece of YAML, and what is shown of the plan, or "CODE TEXT". */
struct container_row {
	const char *yaml;
	const char *wanted;
};

typedef void container_shower(FILE *, const struct container_plan *);

/* What a plan has, without the host's own variables. */
container_shower container_show_command;
container_shower container_show_environment;
container_shower container_show_volumes;
container_shower container_show_files;

/* The host of the pod. */
struct pod_host container_host(void);

/*
 * Plan initContainers[0] of a pod with these lines in its spec, else
 * containers[0]; as container_plan_make().
 */
int container_make(struct yaml_arena *, const char *spec,
    const struct pod_host *, struct container_plan *, struct error *);

/*
 * Check one row, or all.  With `before` they are fields of a container, which
 * come behind it, else lines of a spec.
 */
void container_check(const struct container_row *, const char *before,
    container_shower *, const struct pod_host *);
void container_check_rows(const struct container_row *, size_t count,
    const char *before, container_shower *);

#endif
