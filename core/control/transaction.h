/*
 * A look at the state.  A change of it is core/control's own matter:
 * controller_internal.h.
 */
#ifndef CORE_CONTROL_TRANSACTION_H
#define CORE_CONTROL_TRANSACTION_H

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/state/state.h"

/*
 * All partitions that the caller may see and what they refer to, consistent,
 * with what was due by now.  0: the caller releases the snapshot.
 */
int	transaction_list(struct controller *, struct snapshot *,
	    struct error *);

/*
 * The same for who asks for the partitions alone: a server of another make does
 * not tell more than them, and then machines and allocations are as far as
 * partitions have them.
 */
int	transaction_list_partitions(struct controller *, struct snapshot *,
	    struct error *);

/*
 * Let happen what is due by now, for whoever only looks: without a long wait
 * for a program that changes the state.  -1: it could not, and stays due.
 */
int	transaction_catch_up(struct controller *);

#endif
