/*
 * Metadata of a call: headers that its caller adds, each a lower-case name and
 * a printable ASCII value.
 */
#ifndef CORE_SERVER_RPC_RPC_METADATA_H
#define CORE_SERVER_RPC_RPC_METADATA_H

#include <stddef.h>

/* A row to send; a list ends with a NULL name. */
struct rpc_metadata_row {
	const char *name, *value;
};

/* Received rows: "name\0value\0", one after another. */
struct rpc_metadata {
	char *text;
	size_t size, room;
};

/* _add: copy a row into metadata, which must begin zeroed.  _release: free all
   rows. */
void rpc_metadata_add(struct rpc_metadata *, const void *name, size_t name_size,
    const void *value, size_t value_size);
void rpc_metadata_release(struct rpc_metadata *);

/* Return the first value of that name, or NULL.  It is valid until the metadata
   changes. */
const char *rpc_metadata_get(const struct rpc_metadata *, const char *name);

#endif
