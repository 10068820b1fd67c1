/*
 * What a process has to know to become a container of a pod, or to join one, in
 * a file of the pod's directory that is the user's alone (0600): there are
 * secrets in it.
 */
#ifndef CORE_KUBE_RUNNER_POD_SHEET_H
#define CORE_KUBE_RUNNER_POD_SHEET_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/sandbox/sandbox.h"
#include "core/kube/yaml/yaml.h"

/* All texts are somebody else's. */
struct pod_sheet {
	const struct container_plan	*plan;
	const char		*directory;	/* of the pod, absolute */
	const char		*hostname;
	const char		*root;		/* of the image, NULL: this
						   host's */
	const char		*shm;		/* the directory of the
						   registry, and its path
						   inside */
	const char		*shm_inside;
	const char		*state;		/* the state directory */
	const char		*own_file;	/* of this program */
	bool			 is_isolated;	/* it has mounts of its own */
	bool			 is_waiting;	/* it does nothing: what others
						   start in it counts */
};

/* Write it into the pod's directory. */
int	pod_sheet_write(const struct pod_sheet *, struct error *);

/* A sheet that was read: what a process enters and executes. */
struct read_sheet {
	struct yaml_arena	*arena;
	struct yaml_node	*node;
	char			**argv;
	char			**environment;
	char			*home;
	char			*upper;
	struct sandbox_volume	*volumes;
	struct sandbox_volume	*kept;
	struct sandbox_plan	 place;
};

/* Read it; pod_sheet_release() in any case.  The directory's text must last as
   long. */
int	pod_sheet_read(const char *directory, struct read_sheet *,
	    struct error *);
void	pod_sheet_release(struct read_sheet *);

#endif
