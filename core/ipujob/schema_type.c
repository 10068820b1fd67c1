/*
 * What the type of a field is called.
 */
#include "core/ipujob/schema_type.h"

#include <stdio.h>

static const char *
schema_type_word(enum schema_type type)
{
	switch (type) {
	case SCHEMA_TEXT:
		return "string";
	case SCHEMA_INTEGER:
	case SCHEMA_LONG:
		return "integer";
	case SCHEMA_BOOL:
		return "boolean";
	case SCHEMA_OBJECT:
		return "Object";
	case SCHEMA_TEXTS:
		return "map[string]string";
	case SCHEMA_QUANTITY:
		return "Quantity";
	case SCHEMA_QUANTITIES:
		return "map[string]Quantity";
	case SCHEMA_PORT:
		return "integer or string";
	}
	return "";
}

void
schema_type_text(const struct schema_field *field, char *text, size_t size)
{
	(void)snprintf(text, size, "%s%s", field->is_list ? "[]" : "",
	    schema_type_word(field->type));
}
