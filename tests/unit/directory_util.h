/*
 * Directories by path, for tests of functions that take open ones.
 */
#ifndef TESTS_UNIT_DIRECTORY_UTIL_H
#define TESTS_UNIT_DIRECTORY_UTIL_H

#include "core/base/files/directory.h"

/* Return the directory, open until the next call; end the test on failure. */
const struct directory *directory_at(const char *path);

/* Make the directory and its parents; see directory_make(). */
int make_directory(const char *path, struct error *);

#endif
