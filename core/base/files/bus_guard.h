/*
 * Mapped files that another process may truncate.  The kernel answers an access
 * beyond the end of such a file with SIGBUS, which would end the program.
 *
 * A guarded mapping gets private zeroed memory in place of the lost part; the
 * access is repeated and succeeds.  bus_guard_was_hit() then reports it.  A
 * SIGBUS from elsewhere keeps its meaning.
 */
#ifndef CORE_BASE_FILES_BUS_GUARD_H
#define CORE_BASE_FILES_BUS_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/* Limit of mappings guarded at a time. */
enum { BUS_GUARDS_MAX = 1024 };

/* Guard a shared, writable mapping of a file until bus_guard_remove().  -1:
   BUS_GUARDS_MAX are guarded (ERROR_IO), or SIGBUS cannot be handled.
   Thread-safe.  The first call installs the process's handler of SIGBUS, which
   stays. */
int bus_guard_add(void *map, size_t size, struct error *);

/* End the guard; must come before munmap(2).  The mapping then counts as not
   hit.  Does nothing without a guard. */
void bus_guard_remove(void *map);

/* Return true if the guarded mapping that contains this address lost a part of
   its file.  Costs one load until the first mapping of the process has lost a
   part. */
bool bus_guard_was_hit(const void *address);

#endif
