/*
 * Reads members of JSON objects into structs.  Read outline_fields_read()
 * first.
 */
#include "ipu/engine/outline/outline_fields.h"

#include <bsd/string.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/parse.h"

/* Return the place of a member. */
static struct outline_place
member_place(const struct outline_place *at, const char *name)
{
	struct outline_place p = *at;

	if (p.text[0] != '\0')
		(void)strlcat(p.text, ".", sizeof(p.text));
	(void)strlcat(p.text, name, sizeof(p.text));
	return p;
}

struct outline_place
outline_fields_element(const struct outline_place *at, const char *name,
    size_t index)
{
	struct outline_place p = member_place(at, name);
	char number[32];

	(void)snprintf(number, sizeof(number), "[%zu]", index);
	(void)strlcat(p.text, number, sizeof(p.text));
	return p;
}

/* Compares the length because of JSON's \u0000. */
static bool
outline_is_text(yyjson_val *v)
{
	const char *text = yyjson_get_str(v);

	return text != NULL && strlen(text) == yyjson_get_len(v);
}

static bool
outline_is_line(yyjson_val *v)
{
	const char *c = yyjson_get_str(v);

	if (!outline_is_text(v))
		return false;
	for (; *c != '\0'; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return false;
	return true;
}

const char *
outline_fields_line(yyjson_val *v, const struct outline_place *at,
    struct error *e)
{
	if (outline_is_line(v))
		return yyjson_get_str(v);
	(void)error_set(e, "%s: must be a text without control characters",
	    at->text);
	return NULL;
}

/* Take a whole number by its notation: 4.0 is refused. */
static int
field_take_number(yyjson_val *v, const char *place,
    const struct outline_field *f, void *to, struct error *e)
{
	const bool whole = f->kind != OUTLINE_REAL;
	const double n = yyjson_get_num(v);

	if (!(whole ? yyjson_is_int(v) : yyjson_is_num(v)) || !isfinite(n) ||
	    n < f->least || n > f->most)
		return error_set(e,
		    "%s: must be a %snumber from %.15g to %.15g", place,
		    whole ? "whole " : "", f->least, f->most);
	if (f->kind == OUTLINE_INT)
		*(int *)to = (int)yyjson_get_sint(v);
	else if (f->kind == OUTLINE_BYTES)
		*(size_t *)to = (size_t)yyjson_get_uint(v);
	else
		*(double *)to = n;
	return 0;
}

static int
field_take_choice(yyjson_val *v, const char *place,
    const struct outline_field *f, int *to, struct error *e)
{
	const char *text = outline_is_text(v) ? yyjson_get_str(v) : "";
	int i;

	for (i = 0; f->words[i] != NULL; i++) {
		if (strcmp(f->words[i], text) == 0) {
			*to = i;
			return 0;
		}
	}
	(void)error_set(e, "%s: must be", place);
	for (i = 0; f->words[i] != NULL; i++)
		(void)error_append(e, "%s %s",
		    i == 0			? "" :
			f->words[i + 1] == NULL ? " or" :
						  ",",
		    f->words[i]);
	return suggest_word(text, f->words, e);
}

static int
field_take_text(yyjson_val *v, const char *place, const struct outline_field *f,
    const char **to, struct error *e)
{
	if (f->kind == OUTLINE_TEXT ? !outline_is_text(v) : !outline_is_line(v))
		return error_set(e, "%s: must be a text%s", place,
		    f->kind == OUTLINE_LINE ? " without control characters" :
					      " without NUL characters");
	*to = yyjson_get_str(v);
	return 0;
}

static int
field_take_value(yyjson_val *v, const char *place,
    const struct outline_field *f, void *to, struct error *e)
{
	switch (f->kind) {
	case OUTLINE_BOOL:
		if (!yyjson_is_bool(v))
			return error_set(e, "%s: must be true or false", place);
		*(bool *)to = yyjson_get_bool(v);
		return 0;
	case OUTLINE_INT:
	case OUTLINE_BYTES:
	case OUTLINE_REAL:
		return field_take_number(v, place, f, to, e);
	case OUTLINE_TEXT:
	case OUTLINE_LINE:
		return field_take_text(v, place, f, to, e);
	case OUTLINE_CHOICE:
		return field_take_choice(v, place, f, to, e);
	case OUTLINE_LIST:
	case OUTLINE_OBJECT:
		if (f->kind == OUTLINE_LIST ? !yyjson_is_arr(v) :
					      !yyjson_is_obj(v))
			return error_set(e, "%s: must be an %s", place,
			    f->kind == OUTLINE_LIST ? "array" : "object");
		*(yyjson_val **)to = v;
		return 0;
	}
	return 0;
}

/* Refuse an unknown name. */
static int
refuse_unknown(const char *name, const char *place,
    const struct outline_field *fields, struct error *e)
{
	struct suggestion nearest;

	(void)error_set(e, "%s%smember '%.64s' is unknown", place,
	    place[0] == '\0' ? "" : ": ", name);
	suggest_begin(&nearest, name);
	for (; fields->name != NULL; fields++)
		suggest_offer(&nearest, fields->name);
	return suggest_append(&nearest, "", e);
}

/* Check that every required row has its bit in `seen`. */
static int
check_required(uint64_t seen, const char *place,
    const struct outline_field *fields, struct error *e)
{
	int i;

	for (i = 0; fields[i].name != NULL; i++)
		if (fields[i].required && (seen >> i & 1) == 0)
			return error_set(e, "%s%s'%s' is missing", place,
			    place[0] == '\0' ? "" : ": ", fields[i].name);
	return 0;
}

int
outline_fields_read(yyjson_val *object, const struct outline_place *at,
    const struct outline_field *fields, void *into, struct error *e)
{
	struct outline_place member;
	yyjson_obj_iter iter;
	yyjson_val *key, *v;
	const char *name;
	uint64_t seen = 0;
	int i;

	if (!yyjson_is_obj(object))
		return error_set(e, "%s: must be an object",
		    at->text[0] == '\0' ? "the document" : at->text);
	(void)yyjson_obj_iter_init(object, &iter);
	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		v = yyjson_obj_iter_get_val(key);
		name = yyjson_get_str(key);
		for (i = 0; fields[i].name != NULL; i++)
			if (strcmp(fields[i].name, name) == 0)
				break;
		if (fields[i].name == NULL)
			return refuse_unknown(name, at->text, fields, e);
		member = member_place(at, fields[i].name);
		if ((seen >> i & 1) != 0)
			return error_set(e, "%s: is given twice", member.text);
		if (yyjson_is_null(v))
			continue;
		seen |= (uint64_t)1 << i;
		if (field_take_value(v, member.text, &fields[i],
			(char *)into + fields[i].offset, e) != 0)
			return -1;
	}
	return check_required(seen, at->text, fields, e);
}
