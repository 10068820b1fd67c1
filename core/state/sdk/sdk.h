/*
 * An SDK that programs use, and the variables by which Python, compilers and
 * pkg-config find it.
 */
#ifndef CORE_STATE_SDK_SDK_H
#define CORE_STATE_SDK_SDK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/state/sdk/executable_cache.h" /* what was compiled */

#define SDK_VARIABLE "IPUBOX_SDK" /* its directory */
/* The file of ipubox that programs start for what they do not know. */
#define SDK_FILE_VARIABLE "IPUBOX_FILE"

enum { SDK_VERSION_SIZE = 32 };

struct sdk {
	char directory[PATH_MAX]; /* canonical */
	char version[SDK_VERSION_SIZE];
};

/* A list of directories, as PYTHONPATH, and which one of the SDK is in it. */
struct sdk_list {
	const char *name;
	const char *below; /* "python" */
	const char *needs; /* only where this is; or NULL */
};

/* A NULL name at the end. */
extern const struct sdk_list sdk_lists[];

/*
 * Refused: what is not an SDK that --install-sdk wrote, or not yet a whole one.
 * Another version than the program's own is the caller's to tell of.
 */
int sdk_open(struct sdk *, const char *path, struct error *);

/* Whether the SDK's version is the program's own. */
bool sdk_is_current(const struct sdk *);

enum sdk_order {
	SDK_FIRST,  /* before what is there */
	SDK_LAST,   /* behind it, or where it stands already */
	SDK_WITHOUT /* taken out */
};

/*
 * The list's value with the SDK's directory in it, once, or without it; NULL
 * where nothing is in it then.  `value` is what it has, or NULL.  The caller
 * frees it.
 */
char *sdk_list_value(const struct sdk *, const struct sdk_list *,
    const char *value, enum sdk_order);

/* The same with any directory, in a list such as PATH. */
char *sdk_list_put(const char *directory, const char *value, enum sdk_order);

/*
 * Write the files of config/sdk below the directory, whose last part is made
 * where it is missing, and the marker.  An SDK that is there
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
int sdk_install(const char *path, const char *self, bool force, struct error *);

/*
 * The marker: the file that says that a directory is an SDK that ipubox wrote
 * there, which version it is, and which files are ours:
 *
 *	ipubox-sdk 0.1.0 complete
 *	include/ipubox.h
 *	...
 *
 * "unfinished" in place of "complete" while the files are written: then the
 * list has those of the version before as well.
 */
#define SDK_MARKER_NAME ".ipubox-sdk"

enum { SDK_MARKER_SIZE_MAX = 1 << 18 }; /* bytes of the file */

struct sdk_marker {
	char version[SDK_VERSION_SIZE];
	bool complete;
	struct strvec paths; /* below the directory */
};

/*
 * Read the file's text, which may be anything: only paths that stay below the
 * directory are taken.  Released also after -1.
 */
int sdk_marker_parse(struct sdk_marker *, const char *text, size_t size,
    struct error *);

/* The file's text, and its length; the caller frees it. */
char *sdk_marker_text(const struct sdk_marker *, size_t *size);

/* Free what belongs to it. */
void sdk_marker_release(struct sdk_marker *);

#endif
