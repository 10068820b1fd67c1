/*
 * What has to be done to run a container of a pod here: its command, its
 * environment, its directories and the files in them.  Pure: the caller is
 * asked for other objects, and nothing is written.  A field of another type
 * than schema_check() wants counts as missing.
 *
 * Source: the API reference of Kubernetes, Container, EnvVar and Volume.
 */
#ifndef CORE_KUBE_RUNTIME_CONTAINER_PLAN_H
#define CORE_KUBE_RUNTIME_CONTAINER_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/kube/runtime/job_store.h"
#include "core/kube/yaml/yaml.h"

enum pod_reference { POD_CONFIG_MAP, POD_SECRET };

struct pod_host {
	const char *directory; /* of the pod; volumes/NAME below it */
	const char *host_root; /* hostPath below it only, NULL: */
	const char *host_own;  /* below it all are made, NULL: none */
	const char *address;   /* status.hostIP, status.podIP */
	/* What limits.cpu and the like say where a container has no limit. */
	int64_t processors;
	int64_t memory_bytes;
	int64_t storage_bytes; /* limits.ephemeral-storage */
	/* The object; NULL: ERROR_NOT_FOUND, or why not. */
	struct yaml_node *(*find)(void *, enum pod_reference, const char *name,
	    struct error *);
	/* As job_store_place(), of a claim or a volume from elsewhere. */
	char *(*place)(void *, enum job_place, const char *name,
	    struct error *);
	void *context;
	char *const *environment; /* NAME=VALUE, the operator's own, for a
				     $(NAME) too */
};

enum pod_volume_kind {
	POD_DIRECTORY, /* `source` is mounted at `target` */
	POD_MEMORY     /* a tmpfs of size_bytes, 0: no limit */
};

enum pod_path {			 /* the type of a hostPath */
	POD_PATH_ANY,		 /* but it exists */
	POD_PATH_MAKE_DIRECTORY, /* made where it is missing */
	POD_PATH_DIRECTORY,
	POD_PATH_MAKE_FILE,
	POD_PATH_FILE,
	POD_PATH_SOCKET,
	POD_PATH_CHARACTERS,
	POD_PATH_BLOCKS
};

/*
 * One volumeMount.  An emptyDir in memory is POD_MEMORY, empty at each start,
 * where it is mounted once in all of the pod; else it has to be a directory.
 */
struct container_volume {
	enum pod_volume_kind kind;
	char *name;
	char *directory; /* of all of it: at most size_bytes */
	char *source;	 /* it, or a subPath; NULL of memory */
	char *target;
	char *within;		/* of a hostPath: the root that it, and its
				   links, do not leave; or NULL */
	enum pod_path path;	/* of a hostPath */
	const char *stands_for; /* "nfs": of a directory, or NULL */
	bool is_read_only;
	bool is_made;	    /* where it is not there: an emptyDir */
	bool has_files;	    /* the plan's files, and no others */
	int64_t size_bytes; /* the pod is evicted above it; 0 */
};

/* One that is to be there before it runs: of a configMap, a secret ... */
struct container_file {
	char *path;  /* below the pod's directory: "volumes/NAME/PATH" */
	mode_t mode; /* of a secret the owner's alone */
	char *bytes;
	size_t size;
};

struct container_plan {
	struct strvec argv;
	struct strvec environment; /* each name once */
	char *working;		   /* NULL: the pod's scratch directory */
	struct container_volume *volumes;
	size_t volume_count;
	struct container_file *files;
	size_t file_count;
	int64_t grace_s; /* terminationGracePeriodSeconds */
};

/*
 * The plan for one container (or initContainer) of the pod, to be released in
 * any case.  -1: "volumes[1] data: ...", "containers[0].env[2] TOKEN: ...", and
 * what would help, without any value; ERROR_NOT_FOUND where an object, or a key
 * of it, that is not optional is missing: Kubernetes waits for it then
 * (CreateContainerConfigError).
 */
int container_plan_make(const struct yaml_node *pod,
    const struct yaml_node *container, const struct pod_host *,
    struct container_plan *, struct error *);
void container_plan_release(struct container_plan *);

/* Release what a volume holds that is taken out of its plan. */
void container_plan_drop_volume(struct container_volume *);

/* Whether a path is the directory or below it, both without "..". */
bool container_volumes_is_within(const char *path, const char *directory);

#endif
