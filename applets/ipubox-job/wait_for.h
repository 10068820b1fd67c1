/*
 * What `wait --for` waits for, and whether an object meets it.
 */
#ifndef APPLETS_IPUBOX_JOB_WAIT_FOR_H
#define APPLETS_IPUBOX_JOB_WAIT_FOR_H

#include <stdbool.h>

#include "applets/ipubox-job/jsonpath.h"
#include "core/base/error.h"
#include "core/kube/yaml/yaml.h"

enum wait_kind { WAIT_DELETE, WAIT_CONDITION, WAIT_JSONPATH };

struct wait_for {
	enum wait_kind	 kind;
	char		*name;		/* of a condition */
	char		*value;		/* of it, or of the path */
	struct jsonpath	 path;
};

/*
 * Read "delete", "condition=NAME[=VALUE]" or "jsonpath={PATH}=VALUE"; to be
 * released in any case.  -1: the reason, in kubectl's words where it refuses
 * the same.
 */
int	wait_for_read(const char *text, struct wait_for *, struct error *);
void	wait_for_release(struct wait_for *);

/*
 * Whether the object, NULL: there is none, meets it: 1 or 0; -1: it never can,
 * as where a path finds several values.  Names and values of conditions are
 * compared without regard to case.  An IPUJob's condition Succeeded is meant by
 * Complete and Completed as well, which its STATUS and Jobs of Kubernetes say.
 */
int	wait_for_is_met(const struct wait_for *, const struct yaml_node *,
	    struct error *);

#endif
