/*
 * Opening the registry for programs that only read it.
 */
#ifndef CORE_CONTROL_READER_H
#define CORE_CONTROL_READER_H

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/state/state.h"

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
 * Opens what that controller shows its caller: of a server it is a copy in the
 * memory of this process, made at the moment of the call.
 */
int	reader_open_of(struct controller *, struct registry *,
	    struct error *);

#endif
