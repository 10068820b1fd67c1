/*
 * The fields of the API as tables, and finding them.  They are read from
 * config/kube/fields.txt, which describes its format.  schema_check.c compares
 * objects with them.
 */
#include "core/kube/schema/schema.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/embedded.h"
#include "core/base/parse.h"

enum { FEW = 5 }; /* maximum number of fields in a message */

/* A struct of the file. */
struct schema_struct {
	const char *name;
	const struct schema_field *fields;
};

/* The structs read so far, and the remaining lines. */
struct schema_file {
	struct schema_struct *structs;
	size_t count;
	char *rest;
};

/* The names of the types in the file, and for `kubectl explain`. */
static const struct {
	const char *word;
	const char *explained;
} schema_types[] = {
	[SCHEMA_TEXT] = { "string", "string" },
	[SCHEMA_INTEGER] = { "integer", "integer" },
	[SCHEMA_LONG] = { "int64", "integer" },
	[SCHEMA_BOOL] = { "boolean", "boolean" },
	[SCHEMA_QUANTITY] = { "Quantity", "Quantity" },
	[SCHEMA_PORT] = { "IntOrString", "integer or string" },
	[SCHEMA_TEXTS] = { "map[string]string", "map[string]string" },
	[SCHEMA_QUANTITIES] = { "map[string]Quantity", "map[string]Quantity" },
	[SCHEMA_OBJECT] = { "Object", "Object" },
};

static const char *const effects[] = {
	[SCHEMA_HONOURED] = "honoured",
	[SCHEMA_NOTED] = "noted",
	[SCHEMA_REFUSED] = "refused",
};

static const struct schema_field *
find_struct(const struct schema_file *f, const char *name)
{
	size_t i;

	for (i = 0; i < f->count; i++)
		if (strcmp(f->structs[i].name, name) == 0)
			return f->structs[i].fields;
	return NULL;
}

static void
read_type(const struct schema_file *f, const char *word,
    struct schema_field *field)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(schema_types); i++)
		if (strcmp(schema_types[i].word, word) == 0) {
			field->type = (enum schema_type)i;
			return;
		}
	field->type = SCHEMA_OBJECT;
	field->fields = find_struct(f, word);
	assert(field->fields != NULL);
}

/* Read "NAME* []TYPE EFFECT: NOTE". */
static void
read_field(const struct schema_file *f, char *line, struct schema_field *field)
{
	char *word = strsep(&line, " ");
	size_t length = strlen(word);

	memset(field, 0, sizeof(*field));
	field->name = word;
	field->is_required = word[length - 1] == '*';
	if (field->is_required)
		word[length - 1] = '\0';
	field->is_list = strncmp(line, "[]", 2) == 0;
	if (field->is_list)
		line += 2;
	if (*line == '"') {
		line++;
		field->words = strsep(&line, "\"");
		line = *line == ' ' ? line + 1 : NULL;
	} else
		read_type(f, strsep(&line, " "), field);
	field->effect = SCHEMA_NOTED;
	if (line == NULL)
		return;
	word = strsep(&line, ":");
	field->effect = 0;
	while (field->effect < ARRAY_SIZE(effects) &&
	    strcmp(effects[field->effect], word) != 0)
		field->effect++;
	assert(field->effect < ARRAY_SIZE(effects));
	field->note = line + 1;
}

static int
compare_fields(const void *a, const void *b)
{
	return strcmp(((const struct schema_field *)a)->name,
	    ((const struct schema_field *)b)->name);
}

/* Read the fields at this depth, each with its subfields, after those of the
   struct that they extend. */
static const struct schema_field *
read_fields(struct schema_file *f, size_t depth,
    const struct schema_field *base)
{
	struct schema_field *fields = NULL;
	size_t count = 0;

	for (; base != NULL && base->name != NULL; base++, count++) {
		fields = xreallocarray(fields, count + 2, sizeof(*fields));
		fields[count] = *base;
	}
	for (; strspn(f->rest, "\t") == depth; count++) {
		fields = xreallocarray(fields, count + 2, sizeof(*fields));
		read_field(f, strsep(&f->rest, "\n") + depth, &fields[count]);
		if (strspn(f->rest, "\t") > depth)
			fields[count].fields = read_fields(f, depth + 1, NULL);
	}
	assert(fields != NULL);
	qsort(fields, count, sizeof(*fields), compare_fields);
	fields[count] = (struct schema_field){ .name = NULL };
	return fields;
}

/* Read "NAME" or "NAME extends BASE", and the fields. */
static void
read_struct(struct schema_file *f)
{
	char *line = strsep(&f->rest, "\n");
	const struct schema_field *base = NULL;
	struct schema_struct *s;

	f->structs = xreallocarray(f->structs, f->count + 1,
	    sizeof(*f->structs));
	s = &f->structs[f->count];
	s->name = strsep(&line, " ");
	if (line != NULL) {
		(void)strsep(&line, " ");
		base = find_struct(f, line);
		assert(base != NULL);
	}
	s->fields = read_fields(f, 1, base);
	f->count++;
}

const struct schema_field *
schema_find(const char *kind)
{
	static struct schema_file file;

	if (file.rest == NULL) {
		file.rest = xstrdup(embedded_fields);
		while (*file.rest != '\0')
			read_struct(&file);
	}
	return find_struct(&file, kind);
}

const struct schema_field *
schema_field_named(const struct schema_field *fields, const char *name)
{
	if (fields == NULL)
		return NULL;
	for (; fields->name != NULL; fields++)
		if (strcmp(fields->name, name) == 0)
			return fields;
	return NULL;
}

void
schema_suggest(const struct schema_field *fields, const char *name,
    struct error *e)
{
	struct suggestion s;
	size_t count = 0, i;

	suggest_begin(&s, name);
	for (; fields != NULL && fields[count].name != NULL; count++)
		suggest_offer(&s, fields[count].name);
	if (s.best != NULL || count == 0 || count > FEW) {
		(void)suggest_append(&s, "", e);
		return;
	}
	(void)error_append(e, " (known field%s: ", count == 1 ? "" : "s");
	for (i = 0; i < count; i++)
		(void)error_append(e, "%s%s",
		    i == 0	       ? "" :
			i + 1 == count ? " and " :
					 ", ",
		    fields[i].name);
	(void)error_append(e, ")");
}

/* Cut "[0]" or "[]" off a part of a path. */
static void
strip_index(char *part)
{
	char *bracket = strchr(part, '[');

	if (bracket != NULL && part[strlen(part) - 1] == ']')
		*bracket = '\0';
}

const struct schema_field *
schema_field_find(const struct schema_field *fields, const char *path,
    struct error *e)
{
	const struct schema_field *found = NULL;
	char *copy = xstrdup(path), *rest = copy;
	char *part;

	while ((part = strsep(&rest, ".")) != NULL) {
		strip_index(part);
		found = schema_field_named(fields, part);
		if (found == NULL) {
			(void)error_set_code(e, ERROR_NOT_FOUND,
			    "'%s': '%s' is not a field", path, part);
			schema_suggest(fields, part, e);
			break;
		}
		fields = found->fields;
	}
	free(copy);
	return found;
}

const char *
schema_effect_name(enum schema_effect effect)
{
	return effects[effect];
}

void
schema_type_text(const struct schema_field *field, char *text, size_t size)
{
	(void)snprintf(text, size, "%s%s", field->is_list ? "[]" : "",
	    schema_types[field->type].explained);
}
