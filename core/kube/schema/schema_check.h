/*
 * Objects beside the fields that they may have (schema.h).
 */
#ifndef CORE_KUBE_SCHEMA_SCHEMA_CHECK_H
#define CORE_KUBE_SCHEMA_SCHEMA_CHECK_H

#include "core/kube/schema/remarks.h"
#include "core/kube/schema/schema.h"
#include "core/kube/yaml/yaml.h"

/*
 * Check an object, as a whole, against a table: unknown fields (with what may
 * have been meant, or where it belongs), types, what is missing, words, and
 * what is refused: errors.  A field that is there and has no effect is a note,
 * those below it are not.
 */
void	schema_check(const struct schema_field *, const char *file,
	    const struct yaml_node *object, struct remarks *);

/*
 * Take out of an object what the table does not know, as an API server does
 * that is told to be lenient: each a warning.  A field that is null is as one
 * that is not there, and is no warning.
 */
void	schema_check_prune(const struct schema_field *, const char *file,
	    struct yaml_node *object, struct remarks *);

#endif
