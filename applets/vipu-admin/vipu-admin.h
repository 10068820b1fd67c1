/*
 * What the files of vipu-admin share.
 */
#ifndef APPLETS_VIPU_ADMIN_VIPU_ADMIN_H
#define APPLETS_VIPU_ADMIN_VIPU_ADMIN_H

#include <stdbool.h>

#include "core/base/error.h"

struct arguments {
	const char	*pod;
	bool		 force;
	bool		 json;
};

/* "vipu-admin: TEXT" on stderr. Returns EXIT_FAILED. */
int	vipu_admin_failed(const struct error *);

/* list ENTITY: a table, or JSON. Return the exit status. */
int	list_agents(const struct arguments *);
int	list_clusters(const struct arguments *);
int	list_allocations(const struct arguments *);

#endif
