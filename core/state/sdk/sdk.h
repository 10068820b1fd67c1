/*
 * An SDK that programs use, and the variables by which Python, compilers and
 * pkg-config find it.
 */
#ifndef CORE_STATE_SDK_SDK_H
#define CORE_STATE_SDK_SDK_H

#include <limits.h>

#include "core/base/error.h"
#include "core/state/sdk/sdk_marker.h"

#define SDK_VARIABLE		"IPUBOX_SDK"	/* its directory */
/* The file of ipubox that programs start for what they do not know. */
#define SDK_FILE_VARIABLE	"IPUBOX_FILE"

struct sdk {
	char	directory[PATH_MAX];	/* canonical */
	char	version[SDK_MARKER_VERSION_SIZE];
};

/* A list of directories, as PYTHONPATH, and which one of the SDK is in it. */
struct sdk_list {
	const char	*name;
	const char	*below;		/* "python" */
	const char	*needs;		/* only where this is; or NULL */
};

/* A NULL name at the end. */
extern const struct sdk_list	sdk_lists[];

/*
 * Refused: what is not an SDK that --install-sdk wrote, or not yet a whole one.
 * Another version than the program's own is the caller's to tell of.
 */
int	sdk_open(struct sdk *, const char *path, struct error *);

/* Whether the SDK's version is the program's own. */
bool	sdk_is_current(const struct sdk *);

enum sdk_order {
	SDK_FIRST,		/* before what is there */
	SDK_LAST,		/* behind it, or where it stands already */
	SDK_WITHOUT		/* taken out */
};

/*
 * The list's value with the SDK's directory in it, once, or without it; NULL
 * where nothing is in it then.  `value` is what it has, or NULL.  The caller
 * frees it.
 */
char	*sdk_list_value(const struct sdk *, const struct sdk_list *,
	    const char *value, enum sdk_order);

/* The same with any directory, in a list such as PATH. */
char	*sdk_list_put(const char *directory, const char *value,
	    enum sdk_order);

#endif
