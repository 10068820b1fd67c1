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
#ifndef CORE_STATE_SDK_EXECUTABLE_CACHE_H
#define CORE_STATE_SDK_EXECUTABLE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

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
	/* Load kept content.  -1: make() cannot have made it. */
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

/* Load an executable from its entry by take(); if that fails, make() it and, if
   possible, keep it as the entry.  Overwrites *use.  -1: make() failed; trouble
   with the cache is only reported in *use. */
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

#endif
