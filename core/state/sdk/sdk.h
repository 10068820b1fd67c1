/*
 * An SDK for programs, and the variables by which Python, compilers and
 * pkg-config find it.
 */
#ifndef CORE_STATE_SDK_SDK_H
#define CORE_STATE_SDK_SDK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/state/sdk/executable_cache.h" /* compiled executables */

#define SDK_VARIABLE "IPUBOX_SDK" /* its directory */
/* The ipubox file that programs start for services that they lack. */
#define SDK_FILE_VARIABLE "IPUBOX_FILE"

enum { SDK_VERSION_SIZE = 32 };

struct sdk {
	char directory[PATH_MAX]; /* canonical */
	char version[SDK_VERSION_SIZE];
};

/* A list of directories, as PYTHONPATH, and the SDK's directory in it. */
struct sdk_list {
	const char *name;
	const char *below; /* "python" */
	const char *needs; /* only if this exists; or NULL */
};

/* Ends with a NULL name. */
extern const struct sdk_list sdk_lists[];

/* Open an SDK.  Refused: a directory that --install-sdk did not write, or not
   completely.  The caller warns about another version than the program's. */
int sdk_open(struct sdk *, const char *path, struct error *);

/* Whether the SDK has the program's version. */
bool sdk_is_current(const struct sdk *);

enum sdk_order {
	SDK_FIRST,  /* before all others */
	SDK_LAST,   /* after all others, or where it is already */
	SDK_WITHOUT /* removed */
};

/*
 * Return the list's value with the SDK's directory in it once, or without it;
 * NULL if empty.  `value` is the present value, or NULL.  The caller frees the
 * result.
 */
char *sdk_list_value(const struct sdk *, const struct sdk_list *,
    const char *value, enum sdk_order);

/* Do the same for any directory, in a list such as PATH. */
char *sdk_list_put(const char *directory, const char *value, enum sdk_order);

/*
 * Write the files of config/sdk and the marker below the directory.  Its last
 * part is created if missing.  An existing SDK is updated: its files that this
 * one lacks are removed, and foreign files stay.  A directory with other
 * contents is refused, unless with `force`.  One that another user can change
 * is always refused (ERROR_UNSAFE).
 *
 * `self` is the absolute path of this program's file, written to
 * lib/ipubox_file.h, where programs find it; NULL: unknown.
 *
 * A failure leaves the directory as it was.  After a kill the marker says
 * "unfinished", and another call completes it.
 */
int sdk_install(const char *path, const char *self, bool force, struct error *);

/*
 * The marker: a file which says that ipubox wrote the SDK in this directory,
 * its version, and its files:
 *
 *	ipubox-sdk 0.1.0 complete
 *	include/ipubox.h
 *	...
 *
 * "unfinished" replaces "complete" while files are written; the list then
 * includes those of the previous version.
 */
#define SDK_MARKER_NAME ".ipubox-sdk"

enum { SDK_MARKER_SIZE_MAX = 1 << 18 }; /* bytes of the file */

struct sdk_marker {
	char version[SDK_VERSION_SIZE];
	bool complete;
	struct strvec paths; /* below the directory */
};

/* Read the file's text, which is untrusted: only paths that stay below the
   directory are accepted.  Release it even after -1. */
int sdk_marker_parse(struct sdk_marker *, const char *text, size_t size,
    struct error *);

/* Return the file's text and length; the caller frees it. */
char *sdk_marker_text(const struct sdk_marker *, size_t *size);

/* Free the marker. */
void sdk_marker_release(struct sdk_marker *);

#endif
