/*
 * The options of a command of ipubox-job.
 */
#ifndef APPLETS_IPUBOX_JOB_JOB_OPTIONS_H
#define APPLETS_IPUBOX_JOB_JOB_OPTIONS_H

#include "applets/ipubox-job/job_call.h"
#include "core/base/error.h"

/*
 * Fill the call, whose verb is set, from argv, which begins with the verb: its
 * options, its operands and the command behind "--".  0; 1: the help of the
 * verb is asked for; -1: a mistake.  The files are the caller's to release.
 */
int	job_options_read(struct job_call *, int argc, char **argv,
	    struct error *);

#endif
