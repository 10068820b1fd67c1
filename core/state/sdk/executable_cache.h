/*
 * Executable caches: directories that hold what was compiled, for the other
 * instances of a job and for later runs.  Of several processes that want the
 * same one makes it, under a lock, and the others wait for that and load it.
 *
 * An entry is a file KEY.popef of its user's alone, KEY being 32 hexadecimal
 * digits.  It is taken as it is, or made anew: one that is cut short or
 * changed, of another key, of another user, a link, or writable by others is
 * never used.  The lock is a byte of a file whose name begins with a dot, so
 * that whoever dies lets go of it.
 *
 * A cache only spares work: where it cannot be read or written the run goes on
 * without it, and the caller has a sentence to tell.
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
	EXECUTABLE_CACHE_BYTES_MAX = 1 << 28, /* of what an entry holds */
	EXECUTABLE_CACHE_WAIT_MS = 60000      /* for another process */
};

/* What decides an executable, as SHA-256. */
struct executable_key {
	uint8_t bytes[EXECUTABLE_CACHE_KEY_BYTES];
};

struct executable_cache {
	const char *directory; /* made where it is missing */
	int64_t wait_ms;       /* at most, for another process */
};

/* What makes an executable, and takes one. */
struct executable_maker {
	/* Make it; what is to be kept of it, which the caller frees, or
	   NULL: it is refused. */
	char *(*make)(void *context, size_t *size, struct error *);
	/* Take what was kept.  -1: it cannot have been made by make(). */
	int (*take)(void *context, const char *content, size_t size,
	    struct error *);
	void *context;
};

/* How it went. */
struct executable_use {
	bool loaded; /* else it was made */
	bool kept;   /* an entry holds it now */
	char name[2 * EXECUTABLE_CACHE_KEY_BYTES];
	struct error trouble; /* why the cache did not serve, to be told; "": it
				 did */
};

/* The directory that the environment names, or NULL: there is no cache. */
const char *executable_cache_directory(void);

/*
 * The key of what is made from `size` bytes by the program whose sources have
 * that digest ("" stands for this program's).  The caller's user belongs to
 * it, for one user's entries are not another's, and `kind` says what takes it.
 */
struct executable_key executable_cache_key(const char *sources,
    const char *kind, const char *bytes, size_t size);

/*
 * Take it from its entry, or make it and keep that.  -1: make() has refused,
 * with its error.
 */
int executable_cache_get(const struct executable_cache *,
    const struct executable_key *, const struct executable_maker *,
    struct executable_use *, struct error *);

/*
 * The two forms of an entry: its text, which the caller frees, and where what
 * it holds begins in one; -1: it is not an entry of that key, or was changed
 * (ERROR_DAMAGED).
 */
char *executable_cache_write(const struct executable_key *, const char *content,
    size_t size, size_t *whole);
int executable_cache_read(const struct executable_key *, const char *text,
    size_t whole, const char **content, size_t *size, struct error *);

#endif
