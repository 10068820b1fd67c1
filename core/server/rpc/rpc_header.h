/*
 * A header of HTTP/2 as nghttp2 takes it.
 */
#ifndef CORE_SERVER_RPC_RPC_HEADER_H
#define CORE_SERVER_RPC_RPC_HEADER_H

#include <nghttp2/nghttp2.h>

/* Both texts stay the caller's; nghttp2 copies them and does not write. */
nghttp2_nv	rpc_header(const char *name, const char *value);

#endif
