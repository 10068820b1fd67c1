/*
 * A profile of an outline: its models, and what was measured on the host.
 */
#ifndef IPU_PROFILE_OUTLINE_PROFILE_H
#define IPU_PROFILE_OUTLINE_PROFILE_H

#include "core/base/error.h"
#include "ipu/engine/engine.h"

/*
 * Write the files of a profile into DIRECTORY/NAME.  Refused: a directory that
 * cannot be made or written, with its name.
 */
int	outline_profile_write(const struct outline *, const struct memory *,
	    const struct cycles *, const char *directory, struct error *);

#endif
