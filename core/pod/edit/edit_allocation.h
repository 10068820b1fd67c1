/*
 * Allocations: made, changed, removed.  Rules and results: inventory.h.
 */
#ifndef CORE_POD_EDIT_EDIT_ALLOCATION_H
#define CORE_POD_EDIT_EDIT_ALLOCATION_H

#include "core/base/error.h"
#include "core/pod/edit/inventory.h"
#include "core/pod/pod.h"

/* What a command says of an allocation. */
struct allocation_request {
	char		 name[NAME_SIZE];
	char		 cluster[NAME_SIZE];	/* all its machines; "" */
	const char	*agents;	/* these machines; NULL: left out */
	const char	*add;		/* update: these as well */
	const char	*remove;	/* update: without these */
};

/*
 * Make an allocation of machines of one cluster that are in none; change its
 * machines; remove it.  A machine that a partition lies on stays in its
 * allocation (ERROR_BUSY).
 */
int	edit_allocation_add(struct inventory *,
	    const struct allocation_request *, struct error *);
int	edit_allocation_update(struct inventory *,
	    const struct allocation_request *, struct error *);
int	edit_allocation_remove(struct inventory *, const char *name,
	    struct error *);

#endif
