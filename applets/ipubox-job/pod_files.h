/*
 * Files that are written for a pod: for the programs of MPI, for those that
 * look up their own name, and for login shells.
 */
#ifndef APPLETS_IPUBOX_JOB_POD_FILES_H
#define APPLETS_IPUBOX_JOB_POD_FILES_H

#include "applets/ipubox-job/runner_internal.h"

/* The directory PATH with the launcher's hostfile and its agent. */
int	pod_files_make_mpi(const struct job_runner *, const struct runner_pod *,
	    const char *path, struct error *);

/* DIRECTORY/hosts: a copy of SOURCE, where there is one, and the pod's name. */
int	pod_files_write_hosts(const char *directory, const char *source,
	    const char *address, const char *hostname, struct error *);

/* HOME/.profile, where there is none: login shells find the tools of
   HOME/../bin. */
int	pod_files_write_profile(const char *home, struct error *);

#endif
