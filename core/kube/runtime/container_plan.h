/*
 * The plan for running a container of a pod here: its command, its environment,
 * its directories and the files in them.  Pure: it asks the caller for other
 * objects and writes nothing.  A field of another type than schema_check()
 * accepts counts as missing.
 *
 * Source: the API reference of Kubernetes, Container, EnvVar and Volume.
 */
#ifndef CORE_KUBE_RUNTIME_CONTAINER_PLAN_H
#define CORE_KUBE_RUNTIME_CONTAINER_PLAN_H

#include "core/base/strvec.h"
#include "core/kube/runtime/job_store.h"

enum pod_reference { POD_CONFIG_MAP, POD_SECRET };

struct pod_host {
	const char *directory; /* of the pod; volumes/NAME below it */
	/* This host's directory with all allowed hostPaths, or NULL. */
	const char *host_root;
	/* Without host_root: the directory for substitutes of hostPaths, which
	   are created.  Both NULL: hostPaths are refused. */
	const char *host_own;
	const char *address; /* status.hostIP, status.podIP */
	/* Amounts for limits.cpu and the like of a container without limits. */
	int64_t processors;
	int64_t memory_bytes;
	int64_t storage_bytes; /* limits.ephemeral-storage */
	/* Return the object, which is not freed here; NULL: ERROR_NOT_FOUND, or
	   another reason. */
	struct yaml_node *(*find)(void *, enum pod_reference, const char *name,
	    struct error *);
	/* Find a claim's or foreign volume's directory as job_store_place()
	   does; it is freed here. */
	char *(*place)(void *, enum job_place, const char *name,
	    struct error *);
	void *context;
	char *const *environment; /* the operator's NAME=VALUE, up to a NULL;
				     or NULL */
};

enum pod_volume_kind {
	POD_DIRECTORY, /* `source` is mounted at `target` */
	POD_MEMORY     /* a tmpfs of size_bytes, 0: no limit */
};

enum pod_path {			 /* the type of a hostPath */
	POD_PATH_ANY,		 /* any type, but it exists */
	POD_PATH_MAKE_DIRECTORY, /* created if it is missing */
	POD_PATH_DIRECTORY,
	POD_PATH_MAKE_FILE,
	POD_PATH_FILE,
	POD_PATH_SOCKET,
	POD_PATH_CHARACTERS,
	POD_PATH_BLOCKS
};

/* A volumeMount.  An emptyDir in memory that is mounted once in the whole pod
   is POD_MEMORY, empty at each start; otherwise it is a directory. */
struct container_volume {
	enum pod_volume_kind kind;
	char *name;
	char *directory; /* the whole volume; NULL for memory, like `source` */
	char *source;	 /* `directory` or a subPath of it */
	char *target, *work;	/* see struct sandbox_volume */
	char *within;		/* of a hostPath: the root that its links must
				   not leave; or NULL */
	enum pod_path path;	/* of a hostPath */
	const char *stands_for; /* "nfs" if a directory replaces it, or NULL */
	bool is_read_only;
	bool is_made;	    /* `source` is created if it is missing */
	bool has_files;	    /* exactly the plan's files */
	int64_t size_bytes; /* limit of a tmpfs, or of a directory before the
			       pod is evicted; 0: none */
};

/* A file to write before the start: of a configMap, a secret and so on. */
struct container_file {
	char *path;  /* below the pod's directory: "volumes/NAME/PATH" */
	mode_t mode; /* of a secret: the owner's alone */
	char *bytes;
	size_t size;
};

struct container_plan {
	struct strvec argv;
	struct strvec environment; /* unique names */
	char *working;		   /* NULL: the pod's HOME */
	struct container_volume *volumes;
	size_t volume_count;
	struct container_file *files;
	size_t file_count;
	int64_t grace_s; /* terminationGracePeriodSeconds */
};

/* Make the plan for one container (or initContainer) of the pod; the caller
   releases it in any case.  -1: "volumes[1] data: ...", "containers[0].env[2]
   TOKEN: ..." with a remedy and without any value.  ERROR_NOT_FOUND: a required
   object, or a key of it, is missing; Kubernetes would wait for it
   (CreateContainerConfigError). */
int container_plan_make(const struct yaml_node *pod,
    const struct yaml_node *container, const struct pod_host *,
    struct container_plan *, struct error *);
void container_plan_release(struct container_plan *);

/* Release the contents of a volume that is taken out of its plan. */
void container_plan_drop_volume(struct container_volume *);

/* Whether a path is the directory or below it; neither may contain "..". */
bool container_volumes_is_within(const char *path, const char *directory);

#endif
