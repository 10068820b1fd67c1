/*
 * One end of a link in a test's own hands.
 */
#ifndef TESTS_UNIT_LINK_UTIL_H
#define TESTS_UNIT_LINK_UTIL_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/link/link.h"

/* Two connected sockets; the test ends where there are none. */
void make_pair(int fds[2]);

/* Send bytes of another program's making; all of them are taken. */
void put_raw(int fd, const void *bytes, size_t);

/* How the link ends, which it must. */
enum error_code end_of(struct link *, struct error *);

#endif
