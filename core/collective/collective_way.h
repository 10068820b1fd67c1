/*
 * What stands behind collective.h: each way of summing has a struct
 * that begins with this one, and its functions.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_WAY_H
#define CORE_COLLECTIVE_COLLECTIVE_WAY_H

#include "core/collective/collective.h"

struct collective_way {
	int	(*sum)(struct collective *, int part, int replica,
		    float *data, struct error *);
	void	(*fail)(struct collective *);
	void	(*close)(struct collective *, bool failed);
};

struct collective {
	const struct collective_way	*way;
};

#endif
