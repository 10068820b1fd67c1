/*
 * The file that says that a directory is an SDK that ipubox wrote there, which
 * version it is, and which files are ours:
 *
 *	ipubox-sdk 0.1.0 complete
 *	include/ipubox.h
 *	...
 *
 * "unfinished" in place of "complete" while the files are written: then the
 * list has those of the version before as well.
 */
#ifndef CORE_STATE_SDK_SDK_MARKER_H
#define CORE_STATE_SDK_SDK_MARKER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

#define SDK_MARKER_NAME	".ipubox-sdk"

enum {
	SDK_MARKER_VERSION_SIZE = 32,
	SDK_MARKER_SIZE_MAX = 1 << 18	/* bytes of the file */
};

struct sdk_marker {
	char		version[SDK_MARKER_VERSION_SIZE];
	bool		complete;
	struct strvec	paths;		/* below the directory */
};

/*
 * Read the file's text, which may be anything: only paths that stay below the
 * directory are taken.  Released also after -1.
 */
int	sdk_marker_parse(struct sdk_marker *, const char *text, size_t size,
	    struct error *);

/* The file's text, and its length; the caller frees it. */
char	*sdk_marker_text(const struct sdk_marker *, size_t *size);

/* Free what belongs to it. */
void	sdk_marker_release(struct sdk_marker *);

#endif
