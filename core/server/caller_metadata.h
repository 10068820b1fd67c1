/*
 * How a call over TCP says in whose name it is made.  The published contract of
 * V-IPU does not say how user id and access key travel; these names are those
 * of ipubox, see vipu-server(8).
 */
#ifndef CORE_SERVER_CALLER_METADATA_H
#define CORE_SERVER_CALLER_METADATA_H

#include "core/control/control.h"
#include "core/server/rpc/rpc_metadata.h"

#define CALLER_METADATA_USER	"ipubox-user"
#define CALLER_METADATA_KEY	"ipubox-key"

enum { CALLER_METADATA_ROWS = 3 };

/*
 * Fill the rows with what the caller has to say, at most a user and a key; a
 * NULL name ends them.  The texts stay the caller's, who has to live as long.
 */
void	caller_metadata_put(const struct caller *,
	    struct rpc_metadata_row rows[CALLER_METADATA_ROWS]);

#endif
