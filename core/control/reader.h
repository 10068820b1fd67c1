/*
 * Opening the registry for programs that only read it.
 */
#ifndef CORE_CONTROL_READER_H
#define CORE_CONTROL_READER_H

#include "core/base/error.h"
#include "core/state/registry.h"

/*
 * As state_open_reader(), but what was due before happens first.  A process
 * that may not change the state sees what the registry says.  The caller closes
 * it with registry_close().
 */
int	reader_open(struct registry *, struct error *);

#endif
