/*
 * The embedded controller from within: what the files of core/control that
 * change the state share.  Private to core/control and its tests.
 */
#ifndef CORE_CONTROL_EMBEDDED_H
#define CORE_CONTROL_EMBEDDED_H

#include <stdint.h>

#include "core/control/controller.h"
#include "core/state/state.h"

struct controller {
	struct state	state;
	int64_t		(*now_ms)(void);	/* ms since the epoch */
};

/*
 * Begin a change: the writer's lock, and what is true under it.  The caller
 * ends every change that it began.
 */
int	change_begin(struct controller *, struct snapshot *, struct error *);
void	change_end(struct controller *, struct snapshot *);

#endif
