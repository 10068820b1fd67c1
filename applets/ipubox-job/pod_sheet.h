/*
 * What a process has to know to become a container of a pod, or to join one, in
 * a file of the pod's directory that is the user's alone (0600): there are
 * secrets in it.  And that process.
 */
#ifndef APPLETS_IPUBOX_JOB_POD_SHEET_H
#define APPLETS_IPUBOX_JOB_POD_SHEET_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/base/yaml.h"
#include "core/ipujob/container_plan.h"

/* What the runner starts: ipubox __pod DIRECTORY */
#define POD_SHEET_WORD	"__pod"

/* All texts are somebody else's. */
struct pod_sheet {
	const struct container_plan	*plan;
	const char		*directory;	/* of the pod, absolute */
	const char		*mark;		/* IPUBOX_POD */
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

/*
 * Become the container that the directory's file describes; comes back with an
 * exit status and the reason where that fails.
 */
int	pod_sheet_run(const char *directory, struct error *);

/*
 * Join the container that runs in the pod, and execute a program in it; comes
 * back as above.  ERROR_NOT_FOUND: it does not run.
 */
int	pod_sheet_exec(const char *directory, char *const *argv,
	    struct error *);

/*
 * Be where the container's processes are, or would be where it is over, with
 * its working directory: for who copies files.
 */
int	pod_sheet_visit(const char *directory, struct error *);

/* The process of the container; 0: it is over, or not there yet. */
pid_t	pod_sheet_process(const char *directory);

#endif
