/*
 * A new pod in place of the old one.
 */
#ifndef CORE_STATE_NEW_POD_H
#define CORE_STATE_NEW_POD_H

#include "core/pod/pod.h"
#include "core/state/state.h"

enum new_pod_mode {
	NEW_POD_KEEP,		/* secure where the old one was */
	NEW_POD_OPEN,
	NEW_POD_SECURE		/* only users may use it */
};

struct new_pod {
	bool			 force;		/* the partitions go */
	enum new_pod_mode	 mode;
	const struct user	*user;		/* joins those there are; with
						   NEW_POD_SECURE, or NULL */
	bool			 secure;	/* set: the mode of the pod */
};

/*
 * Make the pod.  Refused while a program is attached to an IPU, unless `force`
 * while a partition exists, and where this user may not replace what there is:
 * all of that is asked before anything changes.  -1: the old pod is still
 * there; but with ERROR_UNCONFIRMED the new one is, and whoever opens the state
 * next finishes it.
 */
int	new_pod_init(const struct state_paths *, const struct pod *,
	    struct new_pod *, struct error *);

#endif
