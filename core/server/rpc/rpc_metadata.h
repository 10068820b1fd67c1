/*
 * The metadata of a call: headers that its caller adds, each a name in lower
 * case and a value of printable ASCII.
 */
#ifndef CORE_SERVER_RPC_RPC_METADATA_H
#define CORE_SERVER_RPC_RPC_METADATA_H

#include <stddef.h>

/* A row that is sent; a list of them ends with a NULL name. */
struct rpc_metadata_row {
	const char *name, *value;
};

/* What came: "name\0value\0", one row behind the other. */
struct rpc_metadata {
	char *text;
	size_t size, room;
};

/* Add a row; zeroed it has none. */
void rpc_metadata_add(struct rpc_metadata *, const void *name, size_t name_size,
    const void *value, size_t value_size);
void rpc_metadata_release(struct rpc_metadata *);

/* The first value of that name, until the next change; NULL: none. */
const char *rpc_metadata_get(const struct rpc_metadata *, const char *name);

#endif
