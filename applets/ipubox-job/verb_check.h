/*
 * What verbs that run nothing share.
 */
#ifndef APPLETS_IPUBOX_JOB_VERB_CHECK_H
#define APPLETS_IPUBOX_JOB_VERB_CHECK_H

#include "applets/ipubox-job/job_call.h"
#include "core/base/error.h"
#include "core/ipujob/manifest.h"

/* Read the files of -f and the operands, in this order. */
int	verb_check_read(struct job_call *, struct manifest *,
	    struct error *);

#endif
