/*
 * Which fields an object of Kubernetes may have, as tables of C: one per struct
 * of the API.  From them come the checks, what each field does here, and the
 * list of fields in ipubox-job(5).
 *
 * Source: the IPU Operator's CRD graphcore.ai_ipujobs.yaml, chart 1.2.0, for an
 * IPUJob; the API reference of Kubernetes for ConfigMap, Secret, Service,
 * Namespace and PersistentVolumeClaim.
 */
#ifndef CORE_IPUJOB_SCHEMA_H
#define CORE_IPUJOB_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/yaml.h"
#include "core/ipujob/remarks.h"

enum schema_type {
	SCHEMA_TEXT,
	SCHEMA_INTEGER,		/* of 32 bits */
	SCHEMA_LONG,		/* an integer of 64 bits */
	SCHEMA_BOOL,
	SCHEMA_OBJECT,		/* of `fields`; NULL: whatever it has */
	SCHEMA_TEXTS,		/* a map of texts, whatever their keys */
	SCHEMA_QUANTITY,	/* "200Gi", 32 */
	SCHEMA_QUANTITIES,	/* a map of quantities */
	SCHEMA_PORT		/* a number or a name: an int-or-string */
};

/* What becomes of a field that a manifest has. */
enum schema_effect {
	SCHEMA_HONOURED,
	SCHEMA_NOTED,		/* accepted; it has no effect here */
	SCHEMA_REFUSED		/* it cannot be had here, and matters */
};

struct schema_field {
	const char		*name;
	enum schema_type	 type;
	bool			 is_list;	/* a list of these */
	bool			 is_required;
	enum schema_effect	 effect;
	const struct schema_field *fields;	/* ends with a NULL name */
	const char		*words;		/* "None, All or Workers" */
	/*
	 * HONOURED: what it does here; NOTED: why it does nothing; REFUSED: why
	 * not, or what to use.  Part of a sentence.  NULL: it is one of the
	 * details of the field that has it, and shares its fate.
	 */
	const char		*note;
};

/* The table of a kind of object, as "IPUJob"; NULL: none is known. */
const struct schema_field	*schema_find(const char *kind);

/*
 * Check an object, as a whole, against a table: unknown fields (with what may
 * have been meant, or where it belongs), types, what is missing, words, and
 * what is refused: errors.  A field that is there and has no effect is a note,
 * those below it are not.
 */
void	schema_check(const struct schema_field *, const char *file,
	    const struct yaml_node *object, struct remarks *);

/* The field of that name in the table itself; NULL: there is none. */
const struct schema_field	*schema_field_named(const struct schema_field *,
				    const char *name);

/*
 * The field at a path such as "spec.workers.template.spec.containers.image"
 * ("[]" and "[0]" behind a list's name may stand there); NULL: there is none,
 * and *e says which part is unknown (ERROR_NOT_FOUND).
 */
const struct schema_field	*schema_field_find(const struct schema_field *,
				    const char *path, struct error *);

/*
 * The field whose effect and note count for that path: the first one on the way
 * that is not honoured, or else the last one with a note.
 */
const struct schema_field	*schema_effect_find(const struct schema_field *,
				    const char *path, struct error *);

/* "honoured", "noted" or "refused". */
const char	*schema_effect_name(enum schema_effect);

#endif
