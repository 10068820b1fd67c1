/*
 * Messages of protocol buffers: bytes and the structs that the build makes of
 * config/sdk/proto (virmgrpc.pb.h and its kin), by nanopb.  Texts and lists in
 * them are allocated; a text that is NULL is "".
 *
 *	virmgrpc_VersionReply	reply = virmgrpc_VersionReply_init_zero;
 *
 *	reply.version = version;
 *	rpc_message_reply(call, virmgrpc_VersionReply_fields, &reply);
 */
#ifndef CORE_SERVER_RPC_RPC_MESSAGE_H
#define CORE_SERVER_RPC_RPC_MESSAGE_H

#include <pb.h>

#include <stddef.h>

#include "core/base/error.h"
#include "core/server/rpc/rpc_call.h"

/*
 * Fill the struct, whose content is lost, from bytes of anybody.  -1,
 * ERROR_INVALID: they are not such a message, or a text in it is not UTF-8;
 * then there is nothing to release.
 */
int	rpc_message_decode(const pb_msgdesc_t *, const void *bytes,
	    size_t size, void *message, struct error *);
/* Free what the struct points to. */
void	rpc_message_release(const pb_msgdesc_t *, void *message);

/* A text of the caller's for a message that is only encoded: it is not written
   to, and the message is not for rpc_message_release(). */
char	*rpc_message_text(const char *);
/* The bytes, which the caller frees.  NULL, ERROR_INVALID: a text in it is not
   UTF-8. */
unsigned char	*rpc_message_encode(const pb_msgdesc_t *,
		    const void *message, size_t *size, struct error *);

/* At the server: the request of a call.  -1: the call was refused for it. */
int	rpc_message_take(struct rpc_call *, const pb_msgdesc_t *,
	    const void *bytes, size_t size, void *message);
/* And its answer: rpc_call_reply(), or a message of a stream. */
void	rpc_message_reply(struct rpc_call *, const pb_msgdesc_t *,
	    const void *message);
void	rpc_message_send(struct rpc_call *, const pb_msgdesc_t *,
	    const void *message);

#endif
