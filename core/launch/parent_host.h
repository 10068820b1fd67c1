/*
 * What a job on several hosts has on each of them while it runs: a directory
 * that its parents there make together and the last of them removes, with the
 * executable cache in it; and an environment without what poprun took out of
 * its own, which other hosts may have by themselves.
 *
 * Source: PopRun user guide 2.4.3.
 */
#ifndef CORE_LAUNCH_PARENT_HOST_H
#define CORE_LAUNCH_PARENT_HOST_H

#include <sys/types.h>

#include "core/process/process.h"

/* The path of the directory, which poprun names for all hosts; it is taken out
   of the environment. */
#define PARENT_HOST_VARIABLE "IPUBOX_HOST_DIR"
/* The cache, in the directory. */
#define PARENT_HOST_CACHE "executables"

/*
 * To be called before a parent is forked from its keeper, and job_directory_
 * leave() by both at their end.  Where the directory cannot be made there is no
 * cache, and each instance compiles for itself.
 */
void parent_host_enter(struct job_directory *);

/*
 * Where the job's programs are to meet in that directory, each instance has one
 * of its own in it, with a relay to the collectives of poprun, which is at that
 * address and knows the secret (hexadecimal digits).  The relay ends with the
 * caller.  Where it cannot be started a program that would meet others says so.
 */
void parent_host_start_relay(const struct job_directory *, int instance,
    const char *address, const char *digits);

/* Programs learn the address that the link has here, if it is not a unix
   socket. */
void parent_host_tell_address(int link_fd);

#endif
