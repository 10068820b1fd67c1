/*
 * An SDK for programs, and the variables by which Python, compilers and
 * pkg-config find it.
 */
#ifndef CORE_STATE_SDK_SDK_H
#define CORE_STATE_SDK_SDK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

/*
 * Executable caches: directories that hold compiled executables for the other
 * instances of a job and for later runs.  When several processes want the same
 * executable, one makes it under a lock; the others wait and load it.
 *
 * An entry is a file KEY.popef that only its user may access; KEY is the first
 * half of the key, in 32 hexadecimal digits.  An entry is never used if it is
 * truncated, changed, of another key or user, a link, or writable by others; it
 * is then made anew.  The lock is a byte of a hidden file, so that it ends with
 * its holder.
 *
 * A cache only saves work: if it cannot be read or written, the run goes on
 * without it, and the caller gets a sentence to print.
 *
 * Sources: PopTorch user guide, POPTORCH_CACHE_DIR; PopRun user guide,
 * --executable-cache-path.
 */

enum {
	EXECUTABLE_CACHE_KEY_BYTES = 32,
	EXECUTABLE_CACHE_WAIT_MS = 60000 /* for another process */
};

/* SHA-256 of everything that decides an executable. */
struct executable_key {
	uint8_t bytes[EXECUTABLE_CACHE_KEY_BYTES];
};

struct executable_cache {
	const char *directory; /* created if missing */
	int64_t wait_ms;       /* limit for another process */
};

/* How to make and load an executable.  Both functions leave it in the context:
   after make() the cache does not call take(). */
struct executable_maker {
	/* Make it.  Returns the content to keep, which the caller frees, or
	   NULL: refused. */
	char *(*make)(void *context, size_t *size, struct error *);
	/* Load kept content.  -1: make() cannot have made it, and is called. */
	int (*take)(void *context, const char *content, size_t size,
	    struct error *);
	void *context;
};

/* Outcome of executable_cache_get(). */
struct executable_use {
	bool loaded;				   /* it came from an entry;
						      else it was made */
	bool kept;				   /* an entry holds it now */
	char name[2 * EXECUTABLE_CACHE_KEY_BYTES]; /* "KEY.popef" */
	struct error trouble; /* why the cache failed, to be printed; else "" */
};

/* Return the directory named by the environment, or NULL without a cache. */
const char *executable_cache_directory(void);

/*
 * Return the key of an executable made from `size` bytes by the program with
 * that digest of sources ("" for this program).  The caller's user is part of
 * it, because users do not share entries; `kind` names the consumer.
 */
struct executable_key executable_cache_key(const char *sources,
    const char *kind, const char *bytes, size_t size);

/* Load an executable from its entry by take(); if that fails, wait at most
   wait_ms for another process that makes it, then make() it and, if possible,
   keep it as the entry.  Overwrites *use.  -1: make() failed; trouble with the
   cache is only reported in *use. */
int executable_cache_get(const struct executable_cache *,
    const struct executable_key *, const struct executable_maker *,
    struct executable_use *, struct error *);

/* _write: return the text of an entry, which the caller frees.  _read: find the
   content, which points into the text.  -1: not an entry of that key, or
   changed (ERROR_DAMAGED). */
char *executable_cache_write(const struct executable_key *, const char *content,
    size_t size, size_t *whole);
int executable_cache_read(const struct executable_key *, const char *text,
    size_t whole, const char **content, size_t *size, struct error *);

#define SDK_VARIABLE "IPUBOX_SDK" /* variable with the directory of the SDK */
/* Variable with the path of the ipubox file, which programs of the SDK start
   for services that they lack themselves. */
#define SDK_FILE_VARIABLE "IPUBOX_FILE"

enum { SDK_VERSION_SIZE = 32 };

struct sdk {
	char directory[PATH_MAX];	/* canonical */
	char version[SDK_VERSION_SIZE]; /* as in its marker */
};

/* A variable with a list of directories, and the SDK's directory in it. */
struct sdk_list {
	const char *name;  /* "PYTHONPATH" */
	const char *below; /* directory below the SDK: "python" */
	/* Path below the SDK; if missing, the directory is left out; NULL:
	   always in the list. */
	const char *needs;
};

/* Ends with a NULL name. */
extern const struct sdk_list sdk_lists[];

/* Find and check an SDK.  -1: no such directory; one that --install-sdk did not
   write or complete; a path with ':'.  0 also for another version than the
   program's, see sdk_is_current(). */
int sdk_open(struct sdk *, const char *path, struct error *);

/* Whether the SDK has the program's version. */
bool sdk_is_current(const struct sdk *);

enum sdk_order {
	SDK_FIRST,  /* before all others */
	SDK_LAST,   /* after all others; but if the list has it, it stays where
		       it is */
	SDK_WITHOUT /* removed */
};

/* Return the list's value with the SDK's directory in it, or without it; NULL
   if the result is empty.  `value` is the present value, or NULL.  The caller
   frees the result. */
char *sdk_list_value(const struct sdk *, const struct sdk_list *,
    const char *value, enum sdk_order);

/* Do the same for any directory, which need not exist, in a list such as
   PATH. */
char *sdk_list_put(const char *directory, const char *value, enum sdk_order);

/*
 * Write the files of config/sdk and the marker below the directory.  Its last
 * part is created if missing.  An existing SDK is updated: files of it that the
 * new one does not have are removed, and files that ipubox did not write stay.
 * A directory with other contents, or with a damaged marker, is refused unless
 * `force` is set.  One that another user can change is always refused
 * (ERROR_UNSAFE).  ERROR_BUSY: another process is installing.
 *
 * `self` is the absolute path of this program's file, written to
 * lib/ipubox_file.h, where programs find it; NULL: unknown.
 *
 * A failure to write the files leaves the directory as it was.  If a later step
 * fails, or after a kill, the marker says "unfinished", and another call
 * completes it.  Changes the umask meanwhile.
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

/* Parse the marker's text, which is untrusted: only paths that stay below the
   directory are accepted.  Release the marker even after -1. */
int sdk_marker_parse(struct sdk_marker *, const char *text, size_t size,
    struct error *);

/* Return the marker's text, of *size bytes; the caller frees it. */
char *sdk_marker_text(const struct sdk_marker *, size_t *size);

/* Free the lists of a marker. */
void sdk_marker_release(struct sdk_marker *);

#endif
