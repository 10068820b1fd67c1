/*
 * What all processes of a collective must agree on.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_SIZES_H
#define CORE_COLLECTIVE_COLLECTIVE_SIZES_H

#include <stdint.h>

#include "core/collective/collective.h"

/*
 * Replicas whose sizes differ must not add up: FNV's prime over total and
 * parts.
 */
uint64_t	collective_sizes_hash(const struct collective_config *);

#endif
