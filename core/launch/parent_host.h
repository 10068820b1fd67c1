/*
 * The state of a job on each of several hosts.  Its parents there share a
 * directory, which the last of them removes; it may hold the executable cache.
 *
 * Source: PopRun user guide 2.4.3.
 */
#ifndef CORE_LAUNCH_PARENT_HOST_H
#define CORE_LAUNCH_PARENT_HOST_H

#include "core/process/process.h"

/* Path of the directory, the same on all hosts; set by poprun, removed from the
   program's environment. */
#define PARENT_HOST_VARIABLE "IPUBOX_HOST_DIR"
/* Name of the cache in the directory. */
#define PARENT_HOST_CACHE "executables"

/* Make or join the directory of PARENT_HOST_VARIABLE, before the parent is
   forked from its keeper; both call job_directory_leave() at their end.
   Without the variable the job has no such directory.  If the directory cannot
   be made, a cache in it is not used, and each instance compiles for itself.
   Also unsets IPUOF_CONFIG_PATH, which another host may set and which would
   lead to other IPUs. */
void parent_host_enter(struct job_directory *);

/*
 * Start a relay from the instance's programs to poprun's collectives, which are
 * at `address` and know the secret, `digits` (hexadecimal).  It listens in a
 * directory for this instance, below the host's, which JOB_DIRECTORY_VARIABLE
 * then names.  The relay ends with the caller.  If it cannot be started,
 * JOB_DIRECTORY_VARIABLE is unset, and a program that uses collectives reports
 * that.  Does nothing if JOB_DIRECTORY_VARIABLE does not name the host's
 * directory, or `address` or `digits` is NULL.
 */
void parent_host_start_relay(const struct job_directory *, int instance,
    const char *address, const char *digits);

/* Set JOB_HOST_ADDRESS_VARIABLE to this host's address on the link, unless the
   link is a unix socket. */
void parent_host_tell_address(int link_fd);

#endif
