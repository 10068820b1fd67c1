/*
 * PopDist's collectives from the shell: barrier, allreduce, broadcast, gather.
 */
#ifndef APPLETS_POPDIST_ENV_EXCHANGE_H
#define APPLETS_POPDIST_ENV_EXCHANGE_H

#include <stdbool.h>

#include "applets/applet.h"
#include "core/job/job.h"

/* As given; NULL: not given. */
struct exchange_options {
	const char	*id, *type, *root, *timeout;
	bool		 json;
};

/* Whether an option is given that only collectives have. */
bool	exchange_is_meant(const struct exchange_options *);

/* Whether a word is one of the four. */
bool	exchange_is_command(const char *);

/* Call the one that argv[0] names, and print; the exit status. */
int	exchange_run(const struct applet *, const struct popdist *,
	    const struct exchange_options *, int argc, char **argv);

#endif
