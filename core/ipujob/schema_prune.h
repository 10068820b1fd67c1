/*
 * What is left of an object where only known fields count.
 */
#ifndef CORE_IPUJOB_SCHEMA_PRUNE_H
#define CORE_IPUJOB_SCHEMA_PRUNE_H

#include "core/ipujob/schema.h"

/*
 * Take out of an object what the table does not know, as an API server does
 * that is told to be lenient: each a warning.  A field that is null is as one
 * that is not there, and is no warning.
 */
void	schema_prune(const struct schema_field *, const char *file,
	    struct yaml_node *object, struct remarks *);

#endif
