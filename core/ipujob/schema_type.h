/*
 * What the type of a field is called.
 */
#ifndef CORE_IPUJOB_SCHEMA_TYPE_H
#define CORE_IPUJOB_SCHEMA_TYPE_H

#include <stddef.h>

#include "core/ipujob/schema.h"

/* "string", "[]Object", "map[string]string": as `kubectl explain` has it. */
void	schema_type_text(const struct schema_field *, char *, size_t);

#endif
