/*
 * One end of a link, driven by a test.
 */
#ifndef TESTS_UNIT_LINK_UTIL_H
#define TESTS_UNIT_LINK_UTIL_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/link/link.h"

/* Make two connected sockets; end the test on failure. */
void make_pair(int fds[2]);

/* Send all bytes, as a foreign program would. */
void put_raw(int fd, const void *bytes, size_t);

/* Return how the link ends, which it must. */
enum error_code end_of(struct link *, struct error *);

#endif
