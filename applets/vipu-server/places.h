/*
 * What the server keeps of the file system, and that it keeps no more.
 */
#ifndef APPLETS_VIPU_SERVER_PLACES_H
#define APPLETS_VIPU_SERVER_PLACES_H

#include "core/base/error.h"
#include "core/state/state.h"

/*
 * From now on the state of this process is where it is now: nothing is read
 * from settings any more.
 */
int	places_pin(const struct state_paths *, struct error *);

/*
 * Confine this process (core/process/confine.h), and say in the log what is in
 * force.  It writes below the state directory, the directories of the registry
 * and of its socket, and those that the IPUoF files of the pod's partitions
 * are in: whoever removes a partition that was made before removes its files.
 * It reads /etc, /proc and /dev as well.  What it listens at is open by now.
 */
int	places_confine(const struct registry *, struct error *);

#endif
