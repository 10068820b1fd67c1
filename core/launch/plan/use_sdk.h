/*
 * The SDK for programs of one's own (ipubox-sdk(7)): poprun sets for its
 * instances the variables by which they find it.
 */
#ifndef CORE_LAUNCH_PLAN_USE_SDK_H
#define CORE_LAUNCH_PLAN_USE_SDK_H

#include "core/base/error.h"
#include "core/base/strvec.h"

struct plan;

/*
 * Which SDK the job uses, if any: from --sdk, its variable or ipubox.conf.
 * Refused: a directory that is none.  One of another version is told of.
 */
int	use_sdk_find(struct plan *, struct error *);

/*
 * The variables of all instances: the file of ipubox itself, the SDK, and the
 * lists with the SDK behind what the caller has in them.
 */
void	use_sdk_add_shared(const struct plan *, struct strvec *variables);

/* The same behind what an instance has of its own, for the local launcher. */
void	use_sdk_add_own(const struct plan *, struct strvec *environment);

/*
 * Arguments for mpirun, as the user gave them, with the SDK in the lists that
 * they set by -x NAME=VALUE.
 */
void	use_sdk_add_args(const struct plan *, const struct strvec *args,
	    struct strvec *out);

#endif
