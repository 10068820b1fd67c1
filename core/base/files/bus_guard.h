/*
 * Mapped files that somebody else may cut short.  The kernel answers an access
 * behind the end of such a file with SIGBUS, which would end the program.
 *
 * A guarded mapping gets private memory, all zeros, in place of what is gone:
 * the access is done again and succeeds, and whoever asks bus_guard_was_hit()
 * learns of it and can say so.  A SIGBUS from elsewhere keeps its meaning.
 */
#ifndef CORE_BASE_FILES_BUS_GUARD_H
#define CORE_BASE_FILES_BUS_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/* So many mappings may be guarded at a time. */
enum { BUS_GUARDS_MAX = 1024 };

/*
 * Guard a shared mapping of a file, which can be written, until
 * bus_guard_remove().  ERROR_IO where no more can be guarded.  Any thread may
 * call; the handler counts for the whole process.
 */
int bus_guard_add(void *map, size_t size, struct error *);

/* No longer; what munmap(2) follows.  Nothing where it is not guarded. */
void bus_guard_remove(void *map);

/*
 * Whether the guarded mapping that this address is in lost a part of its file.
 * One load as long as no mapping ever did.
 */
bool bus_guard_was_hit(const void *address);

#endif
