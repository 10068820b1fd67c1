/*
 * A snapshot from the INI files themselves, for whoever cannot have one of the
 * mirror.  Private to core/state.
 */
#ifndef CORE_STATE_SNAPSHOT_FILES_H
#define CORE_STATE_SNAPSHOT_FILES_H

#include "core/state/snapshot.h"

/*
 * Read the state directory, if it is that of the id; no lock is taken and
 * nothing is changed.  A change of one object is there or not, for it is one
 * rename(2); ERROR_UNAVAILABLE while a change of several counts and is not in
 * place.
 */
int	snapshot_files_take(const char *directory, const uint8_t *id,
	    struct snapshot *, struct error *);

#endif
