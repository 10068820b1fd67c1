/*
 * Opening the registry for programs that only read it.
 */
#ifndef CORE_CONTROL_READER_H
#define CORE_CONTROL_READER_H

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/control/server_address.h"
#include "core/state/registry.h"

/*
 * As state_open_reader(), but what was due before happens first.  A process
 * that may not change the state sees what the registry says.  The caller closes
 * it with registry_close().
 */
int	reader_open(struct registry *, struct error *);

/*
 * The registry of an embedded controller, for who asks both; it is closed
 * before the controller, whose copy of it it shares.
 */
int	reader_open_beside(struct controller *, struct registry *,
	    struct error *);

/*
 * The same for programs that show what a program here would see: of the server
 * that IPUOF_VIPU_API_HOST names, or the one of the commands (config.h), within
 * IPUOF_VIPU_API_TIMEOUT.
 */
int	reader_open_view(struct registry *, struct error *);

/* The same of the server at that address, which may mean this host's pod; NULL:
   the one of the commands. */
int	reader_open_asked(const struct server_request *, struct registry *,
	    struct error *);

/* How long a program waits for a server: IPUOF_VIPU_API_TIMEOUT, or 200 s. */
int	reader_timeout(int64_t *ms, struct error *);

/*
 * The same of what that controller shows its caller: of a server it is a copy
 * in the memory of this process, at the moment of the call.
 */
int	reader_open_of(struct controller *, struct registry *,
	    struct error *);

#endif
