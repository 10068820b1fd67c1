/*
 * A controller on a server, over a connection: what both of its tables of
 * operations share, remote_virm.h for any server of the published contract and
 * remote_ipubox.h for vipu-server.  Private to core/server.
 */
#ifndef CORE_SERVER_REMOTE_H
#define CORE_SERVER_REMOTE_H

#include <pb.h>

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/server/caller_metadata.h"
#include "core/server/rpc/rpc_client.h"
#include "core/server/rpc/rpc_stream.h"
#include "core/server/server.h"
#include "core/state/state.h"

struct remote {
	struct rpc_client	*client;
	char			 where[SERVER_ADDRESS_TEXT_SIZE];
	struct caller		 caller;
	struct rpc_metadata_row	 metadata[CALLER_METADATA_ROWS];
	struct rpc_stream	*lease;		/* of a partition that goes with
						   the connection, or NULL */
};

/* Functions of both tables; remote_version() tells what the server says. */
void	remote_close(struct controller *);
int	remote_version(struct controller *,
	    char version[CONTROLLER_VERSION_SIZE], struct error *);
int	remote_hold(struct controller *, int fd, struct error *);
void	remote_leave(struct controller *);

/*
 * Ask and wait.  The reply, which is of that type and zeroed, is the caller's
 * to release where it is there: 0.  -1: the server refused, with its code and
 * its sentence; ERROR_DAMAGED: what it answers is not such a message.
 */
int	remote_ask(struct controller *, const char *path,
	    const pb_msgdesc_t *, const void *request, const pb_msgdesc_t *,
	    void *reply, struct error *);
/* The same, at most so long: ERROR_TIMED_OUT; 0: without a limit. */
int	remote_ask_within(struct controller *, const char *path,
	    const pb_msgdesc_t *, const void *request, const pb_msgdesc_t *,
	    void *reply, int64_t timeout_ms, struct error *);

/* The same for a call of many answers: begin it, and take the next one.
   1: the next one; 0: it has ended; -1 as above. */
struct rpc_stream	*remote_begin(struct controller *, const char *path,
			    const pb_msgdesc_t *, const void *request,
			    struct error *);
int	remote_next(struct controller *, struct rpc_stream *,
	    const pb_msgdesc_t *, void *reply, struct error *);

/*
 * The server said what cannot be: "the answer of HOST:PORT is refused: TEXT",
 * ERROR_DAMAGED.
 */
int	remote_distrust(const struct controller *, struct error *);

#endif
