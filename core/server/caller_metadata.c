/*
 * A caller as rows of metadata.
 */
#include "core/server/caller_metadata.h"

#include <string.h>

void
caller_metadata_put(const struct caller *c,
    struct rpc_metadata_row rows[CALLER_METADATA_ROWS])
{
	int	n = 0;

	memset(rows, 0, CALLER_METADATA_ROWS * sizeof(*rows));
	if (c->user[0] != '\0')
		rows[n++] = (struct rpc_metadata_row){ CALLER_METADATA_USER,
		    c->user };
	if (c->key[0] != '\0')
		rows[n++] = (struct rpc_metadata_row){ CALLER_METADATA_KEY,
		    c->key };
}
