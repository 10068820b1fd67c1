/*
 * Options that are right and can do nothing on this machine.
 */
#ifndef APPLETS_POPRUN_NOTES_H
#define APPLETS_POPRUN_NOTES_H

#include "applets/poprun/poprun_internal.h"

/*
 * Put one note for each into plan->notes: "no effect here: --host-subnet NET,
 * because ...", and log them.
 */
void	notes_add(struct plan *);

#endif
