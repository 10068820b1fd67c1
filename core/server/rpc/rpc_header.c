/*
 * Headers for nghttp2, which has pointers to bytes that it may write to.
 */
#include "core/server/rpc/rpc_header.h"

#include <string.h>

nghttp2_nv
rpc_header(const char *name, const char *value)
{
	union {
		const char	*text;
		uint8_t		*bytes;
	} n = { .text = name }, v = { .text = value };

	return (nghttp2_nv){ .name = n.bytes, .namelen = strlen(name),
	    .value = v.bytes, .valuelen = strlen(value) };
}
