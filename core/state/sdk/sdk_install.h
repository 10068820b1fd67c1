/*
 * Writing the SDK, which the program carries inside, into a directory.
 */
#ifndef CORE_STATE_SDK_SDK_INSTALL_H
#define CORE_STATE_SDK_SDK_INSTALL_H

#include <stdbool.h>

#include "core/base/error.h"

/*
 * Write the files of config/sdk below the directory, whose last part is made
 * where it is missing, and the marker (sdk_marker.h).  An SDK that is there
 * already becomes this one: files of it that this one has not are removed, and
 * what others put there stays.  A directory that holds something else is
 * refused, unless with `force`.
 *
 * `self`, the absolute path of this program's file, is written into
 * lib/ipubox_file.h, where programs find it; NULL: it is not known.
 *
 * What fails leaves the directory as it was; after a kill the marker says
 * "unfinished", and another call brings it to an end.
 */
int	sdk_install(const char *path, const char *self, bool force,
	    struct error *);

#endif
