/*
 * Options that are right and can do nothing on this machine.
 */
#ifndef CORE_LAUNCH_PLAN_NOTES_H
#define CORE_LAUNCH_PLAN_NOTES_H

#include "core/launch/plan/plan.h"

/*
 * Put one note for each into plan->notes: "no effect here: --host-subnet NET,
 * because ...", and log them.
 */
void	notes_add(struct plan *);

#endif
