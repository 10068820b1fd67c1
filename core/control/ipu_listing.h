/*
 * What a server of another make says of its IPUs, as the published contract has
 * it (ListIPUAttributes): names and values, whatever they are.
 *
 * The embedded controller and vipu-server tell the pod itself, of which
 * ipu/device/attributes.h says the same.
 */
#ifndef CORE_CONTROL_IPU_LISTING_H
#define CORE_CONTROL_IPU_LISTING_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"

struct controller;

/* Both can be printed as they are. */
struct told_attribute {
	char	*key, *value;
};

struct told_ipu {
	char			 agent[NAME_SIZE];
	uint32_t		 number;	/* in its machine */
	size_t			 count;
	struct told_attribute	*attributes;	/* by name */
};

/* Machine by machine, as the server lists them; in each by number. */
struct ipu_listing {
	size_t			 count;
	struct told_ipu		*ipus;
};

/*
 * Ask for those of the named machines; of none: of all.  1: they are in the
 * listing, which the caller releases; 0: this controller tells the pod itself,
 * see transaction_list(), and nothing was asked; -1: the server refused, or
 * what it answers cannot be (ERROR_DAMAGED).
 */
int	ipu_listing_ask(struct controller *, char **agents,
	    size_t agent_count, struct ipu_listing *, struct error *);
void	ipu_listing_release(struct ipu_listing *);

#endif
