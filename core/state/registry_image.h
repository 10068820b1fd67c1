/*
 * A registry in the memory of this process that shows what somebody else's
 * does, as a server tells it: for who looks at a registry and needs not know
 * whose it is.
 */
#ifndef CORE_STATE_REGISTRY_IMAGE_H
#define CORE_STATE_REGISTRY_IMAGE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/state/ipu_slot.h"
#include "core/state/registry.h"
#include "core/state/snapshot.h"

/* An IPU that has something to show. */
struct registry_image_ipu {
	int		ipu;		/* of the snapshot's pod */
	bool		is_held;	/* by who stands in the slot */
	struct ipu_slot	slot;
};

/*
 * Make it, open for reading; `where` is what messages call it: HOST:PORT.  The
 * caller closes it with registry_close().  -1: there is no memory.
 */
int	registry_image_open(struct registry *, const char *where,
	    const struct snapshot *, const struct registry_image_ipu *,
	    int count, struct error *);

#endif
