/*
 * Looking up fields in the tables of the API (schema_internal.h), and checking
 * an object against them.  schema_home.c finds where a misplaced field belongs.
 */
#include "core/ipujob/schema.h"

#include <bsd/string.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/base/suggest.h"
#include "core/ipujob/quantity.h"
#include "core/ipujob/schema_home.h"
#include "core/ipujob/schema_internal.h"

enum {
	QUOTED = 60,		/* bytes of a wrong value that are quoted */
	FEW = 5			/* fields that a message lists */
};

/* A check of one object. */
struct schema_run {
	const char	*file;
	struct remarks	*out;
};

const struct schema_field *
schema_find(const char *kind)
{
	static const struct {
		const char			*kind;
		const struct schema_field	*fields;
	} kinds[] = {
		{ "IPUJob", schema_ipujob_fields },
		{ "ConfigMap", schema_kinds_config_map },
		{ "Secret", schema_kinds_secret },
		{ "PersistentVolumeClaim", schema_kinds_claim },
		{ "Service", schema_kinds_service },
		{ "Namespace", schema_kinds_namespace }
	};
	size_t	i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(kinds[i].kind, kind) == 0)
			return kinds[i].fields;
	return NULL;
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

/*
 * Put behind the text what may have been meant: the nearest field, or all of
 * them where they are few.
 */
static void
suggest_field(const struct schema_field *fields, const char *name,
    struct error *e)
{
	struct suggestion	s;
	size_t			count = 0, i;

	suggest_begin(&s, name);
	for (; fields != NULL && fields[count].name != NULL; count++)
		suggest_offer(&s, fields[count].name);
	if (s.best != NULL || count == 0 || count > FEW) {
		(void)suggest_append(&s, "", e);
		return;
	}
	(void)error_append(e, " (");
	for (i = 0; i < count; i++)
		(void)error_append(e, "%s%s", i == 0 ? "" :
		    i + 1 == count ? " and " : ", ", fields[i].name);
	(void)error_append(e, " %s known there)", count == 1 ? "is" : "are");
}

/* One part of a path, without "[0]" or "[]" behind it. */
static void
strip_index(char *part)
{
	char	*bracket = strchr(part, '[');

	if (bracket != NULL && part[strlen(part) - 1] == ']')
		*bracket = '\0';
}

/*
 * Walk down a path; *found is the field at its end, *ruling the one whose
 * effect and note count for it.
 */
static int
walk_path(const struct schema_field *fields, const char *path,
    const struct schema_field **found, const struct schema_field **ruling,
    struct error *e)
{
	char	*copy = xstrdup(path), *rest = copy, *part;
	int	 status = 0;

	*found = *ruling = NULL;
	while (status == 0 && (part = strsep(&rest, ".")) != NULL) {
		strip_index(part);
		*found = schema_field_named(fields, part);
		if (*found == NULL) {
			(void)error_set_code(e, ERROR_NOT_FOUND,
			    "'%s': '%s' is not a field", path, part);
			suggest_field(fields, part, e);
			status = -1;
			continue;
		}
		if (*ruling == NULL || ((*ruling)->effect ==
		    SCHEMA_HONOURED && (*found)->note != NULL))
			*ruling = *found;
		fields = (*found)->fields;
	}
	free(copy);
	return status;
}

const struct schema_field *
schema_field_find(const struct schema_field *fields, const char *path,
    struct error *e)
{
	const struct schema_field	*found, *ruling;

	return walk_path(fields, path, &found, &ruling, e) == 0 ? found : NULL;
}

const struct schema_field *
schema_effect_find(const struct schema_field *fields, const char *path,
    struct error *e)
{
	const struct schema_field	*found, *ruling;

	return walk_path(fields, path, &found, &ruling, e) == 0 ? ruling : NULL;
}

const char *
schema_effect_name(enum schema_effect effect)
{
	switch (effect) {
	case SCHEMA_HONOURED:
		return "honoured";
	case SCHEMA_NOTED:
		return "noted";
	case SCHEMA_REFUSED:
		return "refused";
	}
	return "";
}

static const char *
kind_name(const struct yaml_node *node)
{
	switch (node->kind) {
	case YAML_NULL:
		return "nothing";
	case YAML_BOOL:
		return "true or false";
	case YAML_INTEGER:
	case YAML_REAL:
		return "a number";
	case YAML_TEXT:
		return "a string";
	case YAML_LIST:
		return "a list";
	case YAML_MAP:
		return "an object";
	}
	return "";
}

/* What a value has to be, for messages. */
static const char *
wanted_name(const struct schema_field *field, bool one_of_a_list)
{
	if (field->is_list && !one_of_a_list)
		return "a list";
	switch (field->type) {
	case SCHEMA_TEXT:
		return "a string";
	case SCHEMA_INTEGER:
	case SCHEMA_LONG:
		return "an integer";
	case SCHEMA_BOOL:
		return "true or false";
	case SCHEMA_OBJECT:
	case SCHEMA_TEXTS:
	case SCHEMA_QUANTITIES:
		return "an object";
	case SCHEMA_QUANTITY:
		return "a quantity, as 200Gi";
	case SCHEMA_PORT:
		return "a number or a name";
	}
	return "";
}

static void __attribute__((format(printf, 5, 6)))
remark_at(const struct schema_run *run, enum remark_level level,
    const struct yaml_node *node, const struct schema_place *place,
    const char *format, ...)
{
	char	*path, *text;
	va_list	 list;

	/* Who has made so many mistakes gets their number alone. */
	if (remarks_are_full(run->out, level)) {
		remarks_add(run->out, level, run->file, node, "", "%s", "");
		return;
	}
	path = schema_home_path(place);
	va_start(list, format);
	text = xvasprintf(format, list);
	va_end(list);
	remarks_add(run->out, level, run->file, node, path, "%s", text);
	free(text);
	free(path);
}

/* The remark stands where the key stands. */
static void
remark_key(const struct schema_run *run, enum remark_level level,
    const struct yaml_item *item, const struct schema_place *place,
    const char *text)
{
	struct yaml_node	at = { .kind = YAML_NULL, .line = item->line,
				    .column = item->column };

	remark_at(run, level, &at, place, "%s", text);
}

/* A key that stands twice: kubectl says nothing, and takes the later one. */
static void
remark_hidden(const struct schema_run *run, const struct yaml_item *item,
    const struct schema_place *place)
{
	char	text[64];

	if (item->hidden_line == 0)
		return;
	(void)snprintf(text, sizeof(text), "stands in line %d already, and "
	    "this one counts", item->hidden_line);
	remark_key(run, REMARK_WARNING, item, place, text);
}

/* A value of the wrong type, with what to type in its place. */
static void
remark_type(const struct schema_run *run, const struct schema_field *field,
    bool one_of_a_list, const struct yaml_node *node,
    const struct schema_place *place)
{
	const char	*wanted = wanted_name(field, one_of_a_list);
	const bool	 is_list = field->is_list && !one_of_a_list;
	const bool	 is_scalar = node->kind != YAML_NULL &&
			    node->kind != YAML_LIST && node->kind != YAML_MAP;
	const char	*text = is_scalar && node->text != NULL ? node->text :
			    "";
	const int	 quoted = strlen(text) <= QUOTED && *text != '\0';
	char		*home;

	if (is_list && node->kind == YAML_MAP)
		remark_at(run, REMARK_ERROR, node, place, "must be a list: "
		    "put \"- \" before the first field of each of its items");
	else if (is_list && field->type == SCHEMA_TEXT && is_scalar && quoted)
		remark_at(run, REMARK_ERROR, node, place,
		    "must be a list of strings: [\"%s\"]", text);
	else if (!is_list && field->type == SCHEMA_TEXT && is_scalar && quoted)
		remark_at(run, REMARK_ERROR, node, place,
		    "must be a string, quoted: \"%s\"", text);
	else if (!is_list && field->type == SCHEMA_QUANTITY &&
	    node->kind == YAML_REAL && quoted)
		remark_at(run, REMARK_ERROR, node, place,
		    "must be a quantity, quoted: \"%s\"", text);
	else if (one_of_a_list && field->type == SCHEMA_TEXT &&
	    node->kind == YAML_MAP)
		remark_at(run, REMARK_ERROR, node, place, "must be a string, "
		    "not an object: quote it, for it has a \": \" in it");
	else if ((home = schema_home_find(place, node)) != NULL) {
		remark_at(run, REMARK_ERROR, node, place,
		    "must be %s; %s of that name belongs to %s", wanted,
		    kind_name(node), home);
		free(home);
	} else
		remark_at(run, REMARK_ERROR, node, place,
		    "must be %s, not %s", wanted, kind_name(node));
}

static void	schema_check_fields(const struct schema_run *,
		    const struct schema_place *, const struct yaml_node *,
		    bool noted);

/* A whole number as it stands: kubectl takes 4.0 for 4 as well. */
static bool
is_whole_number(const struct yaml_node *node)
{
	return node->kind == YAML_INTEGER || (node->kind == YAML_REAL &&
	    node->real >= -0x1p63 && node->real < 0x1p63 &&
	    trunc(node->real) == node->real);
}

/* An integer that fits its type; a text that is one is told so. */
static void
check_integer(const struct schema_run *run, const struct schema_field *field,
    bool one_of_a_list, const struct yaml_node *node,
    const struct schema_place *place)
{
	const char	*text = node->text;

	if (is_whole_number(node)) {
		if (field->type == SCHEMA_INTEGER &&
		    (node->real < INT32_MIN || node->real > INT32_MAX))
			remark_at(run, REMARK_ERROR, node, place,
			    "must be an integer of 32 bits");
		return;
	}
	if (node->kind == YAML_TEXT && *text != '\0' &&
	    text[strspn(text, "0123456789")] == '\0' && strlen(text) < QUOTED)
		remark_at(run, REMARK_ERROR, node, place,
		    "must be an integer, without quotes: %s", text);
	else
		remark_type(run, field, one_of_a_list, node, place);
}

static void
check_bool(const struct schema_run *run, const struct schema_field *field,
    bool one_of_a_list, const struct yaml_node *node,
    const struct schema_place *place)
{
	if (node->kind == YAML_BOOL)
		return;
	if (node->kind == YAML_TEXT && (strcmp(node->text, "true") == 0 ||
	    strcmp(node->text, "false") == 0))
		remark_at(run, REMARK_ERROR, node, place,
		    "must be true or false, without quotes: %s", node->text);
	else
		remark_type(run, field, one_of_a_list, node, place);
}

static void
check_quantity(const struct schema_run *run, const struct schema_field *field,
    const struct yaml_node *node, const struct schema_place *place)
{
	struct error	e;
	int64_t		value;

	if (is_whole_number(node) && node->real >= 0)
		return;
	if (node->kind != YAML_INTEGER && node->kind != YAML_TEXT)
		remark_type(run, field, true, node, place);
	else if (quantity_parse_whole(node->text, &value, &e) != 0)
		remark_at(run, REMARK_ERROR, node, place, "%s", e.text);
}

/* A map of texts or of quantities; its keys are anybody's. */
static void
check_map(const struct schema_run *run, const struct schema_field *field,
    const struct yaml_node *node, const struct schema_place *place)
{
	static const struct schema_field	text = FIELD("", TEXT, NOTED,
						    NULL);
	static const struct schema_field	quantity = FIELD("", QUANTITY,
						    NOTED, NULL);
	struct schema_place	below = { .above = place, .is_key = true };
	size_t			i;

	if (node->kind != YAML_MAP) {
		remark_type(run, field, true, node, place);
		return;
	}
	for (i = 0; i < node->count; i++) {
		below.name = node->items[i].key;
		remark_hidden(run, &node->items[i], &below);
		if (field->type == SCHEMA_QUANTITIES)
			check_quantity(run, &quantity, node->items[i].node,
			    &below);
		else if (node->items[i].node->kind != YAML_TEXT &&
		    node->items[i].node->kind != YAML_NULL)
			remark_type(run, &text, false, node->items[i].node,
			    &below);
	}
}

static void
check_text_value(const struct schema_run *run, const struct schema_field *field,
    bool one_of_a_list, const struct yaml_node *node,
    const struct schema_place *place)
{
	struct error	e;
	int		which;

	if (node->kind != YAML_TEXT) {
		remark_type(run, field, one_of_a_list, node, place);
	} else if (field->words != NULL && suggest_choose("", node->text,
	    field->words, &which, &e) != 0) {
		(void)suggest_refuse("", node->text, field->words, &e);
		/* It begins with the name of the thing, which the path is. */
		remark_at(run, REMARK_ERROR, node, place, "%s",
		    e.text + strspn(e.text, " "));
	}
}

/* One value, or one of a list. */
static void
schema_check_value(const struct schema_run *run,
    const struct schema_field *field,
    bool one_of_a_list, const struct yaml_node *node,
    struct schema_place *place, bool noted)
{
	switch (field->type) {
	case SCHEMA_TEXT:
		check_text_value(run, field, one_of_a_list, node, place);
		break;
	case SCHEMA_INTEGER:
	case SCHEMA_LONG:
		check_integer(run, field, one_of_a_list, node, place);
		break;
	case SCHEMA_BOOL:
		check_bool(run, field, one_of_a_list, node, place);
		break;
	case SCHEMA_OBJECT:
		place->fields = field->fields;
		if (node->kind != YAML_MAP)
			remark_type(run, field, one_of_a_list, node, place);
		else if (field->fields != NULL)
			schema_check_fields(run, place, node, noted);
		break;
	case SCHEMA_TEXTS:
	case SCHEMA_QUANTITIES:
		check_map(run, field, node, place);
		break;
	case SCHEMA_QUANTITY:
		check_quantity(run, field, node, place);
		break;
	case SCHEMA_PORT:
		if (node->kind != YAML_INTEGER && node->kind != YAML_TEXT)
			remark_type(run, field, one_of_a_list, node, place);
		break;
	}
}

/*
 * What a cluster keeps with an object, and prints with it: a user who applies
 * it again has not written it.
 */
static bool
is_status(const struct schema_place *place)
{
	return place->above->above == NULL &&
	    strcmp(place->name, "status") == 0;
}

/* A field that is known and there. */
static void
check_field(const struct schema_run *run, const struct schema_field *field,
    const struct yaml_item *item, struct schema_place *place, bool noted)
{
	size_t	i;
	char	text[256];

	if (field->effect == SCHEMA_REFUSED) {
		(void)snprintf(text, sizeof(text), "cannot be had here: %s",
		    field->note);
		remark_key(run, REMARK_ERROR, item, place, text);
		remarks_mark_local(run->out);
		return;
	}
	if (field->effect == SCHEMA_NOTED && !noted && field->note != NULL) {
		(void)snprintf(text, sizeof(text), "no effect here: %s",
		    field->note);
		remark_key(run, REMARK_NOTE, item, place, text);
		noted = true;
	}
	if (is_status(place))
		return;
	if (!field->is_list) {
		schema_check_value(run, field, false, item->node, place, noted);
		return;
	}
	if (item->node->kind != YAML_LIST) {
		remark_type(run, field, false, item->node, place);
		return;
	}
	place->is_item = true;
	for (i = 0; i < item->node->count; i++) {
		place->index = i;
		schema_check_value(run, field, true, item->node->items[i].node,
		    place, noted);
	}
}

static void
remark_unknown(const struct schema_run *run, const struct yaml_item *item,
    const struct schema_place *place)
{
	struct error	e;
	char		*home = NULL;

	(void)error_set(&e, "unknown field");
	if (!remarks_are_full(run->out, REMARK_ERROR)) {
		home = schema_home_find(place, item->node);
		if (home != NULL)
			(void)error_append(&e, "; it belongs to %s", home);
		else
			suggest_field(place->above->fields, item->key, &e);
	}
	remark_key(run, REMARK_ERROR, item, place, e.text);
	free(home);
}

/*
 * The items of an object, and what it lacks.  A field that is null is as one
 * that is not there; an unknown one is left alone then, for Go's programs print
 * "creationTimestamp: null" wherever there is metadata.
 */
static void
schema_check_fields(const struct schema_run *run,
    const struct schema_place *place,
    const struct yaml_node *node, bool noted)
{
	const struct schema_field	*field;
	const struct yaml_node		*value;
	struct schema_place		 below = { .above = place };
	size_t				 i;

	for (i = 0; i < node->count; i++) {
		below.name = node->items[i].key;
		below.is_item = false;
		below.fields = NULL;
		remark_hidden(run, &node->items[i], &below);
		if (node->items[i].node->kind == YAML_NULL)
			continue;
		field = schema_field_named(place->fields, node->items[i].key);
		if (field == NULL)
			remark_unknown(run, &node->items[i], &below);
		else
			check_field(run, field, &node->items[i], &below,
			    noted);
	}
	below.is_item = false;
	for (field = place->fields; field->name != NULL; field++) {
		if (!field->is_required)
			continue;
		value = yaml_get(node, field->name);
		below.name = field->name;
		if (value == NULL || value->kind == YAML_NULL)
			remark_at(run, REMARK_ERROR, node, &below, "missing");
	}
}

void
schema_check(const struct schema_field *fields, const char *file,
    const struct yaml_node *object, struct remarks *out)
{
	const struct schema_run		run = { .file = file, .out = out };
	const struct schema_place	root = { .fields = fields };

	if (object->kind != YAML_MAP)
		remarks_add(out, REMARK_ERROR, file, object, "",
		    "must be an object, not %s", kind_name(object));
	else
		schema_check_fields(&run, &root, object, false);
}
