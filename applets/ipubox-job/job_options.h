/*
 * The options of a command of ipubox-job: the keys of their rows, and reading
 * them.
 */
#ifndef APPLETS_IPUBOX_JOB_JOB_OPTIONS_H
#define APPLETS_IPUBOX_JOB_JOB_OPTIONS_H

#include "applets/ipubox-job/job_call.h"
#include "core/base/error.h"
#include "core/base/options.h"

/* Letters are keys as well: the short options. */
enum {
	KEY_ALL = OPTIONS_LONG,
	KEY_ALL_CONTAINERS,
	KEY_CURRENT_REPLICAS,
	KEY_DRY_RUN,
	KEY_FIELD_SELECTOR,
	KEY_FOR,
	KEY_GRACE_PERIOD,
	KEY_IGNORE_NOT_FOUND,
	KEY_IMAGE,
	KEY_JSON,
	KEY_KUEUE,
	KEY_LIMIT_BYTES,
	KEY_NO_HEADERS,
	KEY_PREFIX,
	KEY_REPLICAS,
	KEY_SCHEDULER,
	KEY_SHOW_LABELS,
	KEY_SINCE,
	KEY_SINCE_TIME,
	KEY_SORT_BY,
	KEY_STRICT,
	KEY_TAIL,
	KEY_TIMEOUT,
	KEY_TIMESTAMPS,
	KEY_TO,
	KEY_UNUSED,		/* accepted: it needs a cluster */
	KEY_VALIDATE,
	KEY_VERSION,
	KEY_WAIT
};

/*
 * Fill the call, whose verb is set, from argv, which begins with the verb: its
 * options, its operands and the command behind "--".  0; 1: the help of the
 * verb is asked for; -1: a mistake.  The files are the caller's to release.
 */
int	job_options_read(struct job_call *, int argc, char **argv,
	    struct error *);

#endif
