/*
 * The volumes of a sandbox, from their paths to mounts.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_VOLUME_H
#define CORE_KUBE_SANDBOX_SANDBOX_VOLUME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/kube/sandbox/sandbox.h"
#include "core/kube/sandbox/sandbox_place.h"

/* In this order they are mounted. */
enum sandbox_turn {
	SANDBOX_TURN_SYSTEM,		/* what each program expects */
	SANDBOX_TURN_DEFAULT,		/* the same, unless it has its own */
	SANDBOX_TURN_VOLUME,
	SANDBOX_TURN_KEPT
};

struct sandbox_mount {
	const struct sandbox_volume *volume;
	enum sandbox_turn turn;
	char		*target;	/* without "//", "/./" and "/" at its
					   end */
	int		 depth;		/* names in it */
	int		 tree;		/* mount_call.h */
	bool		 is_directory;
	bool		 is_sealed;	/* read-only already */
};

struct sandbox_mounts {
	struct sandbox_mount	*items;
	size_t			 count;
	struct sandbox_volume	 directory;	/* the plan's, as a volume */
};

/*
 * All of the plan, open but mounted nowhere, in the order of mounting.  -1: one
 * of them cannot be: its source, a target that is "/", has ".." or is another's
 * as well.  The caller releases them in any case.
 */
int	sandbox_volume_collect(const struct sandbox_plan *,
	    struct sandbox_mounts *, struct error *);
void	sandbox_volume_release(struct sandbox_mounts *);

/* Mount them all. */
int	sandbox_volume_mount(const struct sandbox_mounts *,
	    struct sandbox_places *, struct error *);

#endif
