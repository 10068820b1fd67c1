/*
 * Which fields an object of Kubernetes may have, as config/kube/fields.txt says
 * it: the checks (schema_check.h), what each field does here, and the list of
 * fields in ipubox-job(5) come from there.
 */
#ifndef CORE_KUBE_SCHEMA_SCHEMA_H
#define CORE_KUBE_SCHEMA_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

enum schema_type {
	SCHEMA_TEXT,
	SCHEMA_INTEGER,		/* of 32 bits */
	SCHEMA_LONG,		/* an integer of 64 bits */
	SCHEMA_BOOL,
	SCHEMA_QUANTITY,	/* "200Gi", 32 */
	SCHEMA_PORT,		/* a number or a name: an int-or-string */
	SCHEMA_TEXTS,		/* a map of texts, whatever their keys */
	SCHEMA_QUANTITIES,	/* a map of quantities */
	SCHEMA_OBJECT		/* of `fields`; NULL: whatever it has */
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
	const struct schema_field *fields;	/* sorted by name; ends with a
						   NULL name */
	const char		*words;		/* "None, All or Workers" */
	/*
	 * HONOURED: what it does here; NOTED: why it does nothing; REFUSED: why
	 * not, or what to use.  Part of a sentence.  NULL: it is one of the
	 * details of the field that has it, and shares its fate.
	 */
	const char		*note;
};

/* The fields of a kind of object, as "IPUJob", or of another struct of the
   API; NULL: none is known.  They stay as they are until the program ends. */
const struct schema_field	*schema_find(const char *kind);

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

/* Appends to the error which field may have been meant: the nearest one, or all
   of them where they are few. */
void		 schema_suggest(const struct schema_field *, const char *name,
		    struct error *);

/* "honoured", "noted" or "refused". */
const char	*schema_effect_name(enum schema_effect);

/* "string", "[]Object", "map[string]string": as `kubectl explain` has it. */
void		 schema_type_text(const struct schema_field *, char *, size_t);

#endif
