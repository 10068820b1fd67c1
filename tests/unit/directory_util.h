/*
 * Directories by their paths, for tests of what takes open ones.
 */
#ifndef TESTS_UNIT_DIRECTORY_UTIL_H
#define TESTS_UNIT_DIRECTORY_UTIL_H

#include "core/base/files/directory.h"

/*
 * The directory, open until the next call; the test ends where it cannot be
 * opened.
 */
const struct directory *directory_at(const char *path);

/* Make it, and those above; as directory_make(). */
int make_directory(const char *path, struct error *);

#endif
