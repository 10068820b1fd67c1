/*
 * The keys of the options of ipubox-job's verbs, for their rows and for who
 * reads them.
 */
#ifndef APPLETS_IPUBOX_JOB_JOB_KEYS_H
#define APPLETS_IPUBOX_JOB_JOB_KEYS_H

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

#endif
