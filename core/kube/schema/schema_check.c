/*
 * A parallel walk through an object and its allowed fields.  Most misplaced
 * fields are indented too far or not enough: a short way up and down again
 * finds their place.
 */
#include "core/kube/schema/schema.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"

enum {
	QUOTED = 60,  /* bytes of a wrong value in messages */
	STEPS_MAX = 4 /* up and down: more is not a slip */
};

/* A check of one object. */
struct schema_run {
	const char *file;
	struct remarks *out;
};

/* A field on the path from the object, which has no name. */
struct schema_place {
	const struct schema_place *above; /* NULL: the object */
	const char *name;
	const struct schema_field *field; /* NULL: unknown */
	bool is_item;			  /* of a list */
	size_t index;
	bool is_key;   /* of a map of texts */
	bool is_noted; /* it has no effect, already reported */
};

/* A search; the best place so far is kept as the names down from `from`. */
struct home_search {
	const char *name;
	const struct yaml_node *value;
	const struct schema_place *from; /* topmost place of the path */
	const struct schema_field *way[STEPS_MAX];
	int down;
	int up;
	int best; /* its cost, or -1 */
	bool is_tied;
	char *path; /* to the best place */
};

/* The expected values of a type: in words, and as kinds of nodes. */
static const struct {
	const char *wanted;
	unsigned kinds;
} values[] = {
	[SCHEMA_TEXT] = { "a string", 1 << YAML_TEXT },
	[SCHEMA_INTEGER] = { "an integer", 1 << YAML_INTEGER },
	[SCHEMA_LONG] = { "an integer", 1 << YAML_INTEGER },
	[SCHEMA_BOOL] = { "true or false", 1 << YAML_BOOL },
	[SCHEMA_QUANTITY] = { "a quantity such as 200Gi",
	    1 << YAML_TEXT | 1 << YAML_INTEGER },
	[SCHEMA_PORT] = { "a number or a name",
	    1 << YAML_TEXT | 1 << YAML_INTEGER },
	[SCHEMA_TEXTS] = { "an object", 1 << YAML_MAP },
	[SCHEMA_QUANTITIES] = { "an object", 1 << YAML_MAP },
	[SCHEMA_OBJECT] = { "an object", 1 << YAML_MAP },
};

/* The words for actual values. */
static const char *const kinds[] = {
	[YAML_NULL] = "nothing",
	[YAML_BOOL] = "true or false",
	[YAML_INTEGER] = "a number",
	[YAML_REAL] = "a number",
	[YAML_TEXT] = "a string",
	[YAML_LIST] = "a list",
	[YAML_MAP] = "an object",
};

/* ---- places ---- */

/* Print "spec.containers[0].image", "metadata.labels[a.b/c]". */
static void
print_place(FILE *to, const struct schema_place *place)
{
	if (place->above == NULL)
		return;
	print_place(to, place->above);
	if (place->is_key)
		fprintf(to, "[%s]", place->name);
	else
		fprintf(to, "%s%s", place->above->above == NULL ? "" : ".",
		    place->name);
	if (place->is_item)
		fprintf(to, "[%zu]", place->index);
}

static char *
print_way(const struct home_search *s)
{
	struct memstream m;
	int i;

	memstream_open(&m);
	print_place(m.file, s->from);
	for (i = 0; i < s->down; i++)
		fprintf(m.file, "%s%s%s",
		    i == 0 && s->from->above == NULL ? "" : ".",
		    s->way[i]->name, s->way[i]->is_list ? "[]" : "");
	return memstream_close(&m, NULL);
}

/*
 * Keep a better place.  A step costs two, and three if that part may be
 * missing: so of containers and initContainers, which have the same fields,
 * containers is nearer.
 */
static void
keep_home(struct home_search *s)
{
	int cost = (s->up + s->down) * 2, i;

	for (i = 0; i < s->down; i++)
		cost += !s->way[i]->is_required;
	if (s->best != -1 && cost >= s->best) {
		s->is_tied = s->is_tied || cost == s->best;
		return;
	}
	free(s->path);
	s->path = print_way(s);
	s->best = cost;
	s->is_tied = false;
}

/* Whether a field could have that value. */
static bool
takes_value(const struct schema_field *field, const struct yaml_node *value)
{
	if (field->is_list || value->kind == YAML_LIST)
		return field->is_list && value->kind == YAML_LIST;
	return values[field->type].kinds >> value->kind & 1;
}

static void
search_below(struct home_search *s, const struct schema_field *fields)
{
	const struct schema_field *field;

	for (field = fields; field->name != NULL; field++) {
		if (s->up + s->down > 0 && strcmp(field->name, s->name) == 0 &&
		    takes_value(field, s->value))
			keep_home(s);
		if (field->fields == NULL || field->effect == SCHEMA_REFUSED ||
		    s->up + s->down == STEPS_MAX)
			continue;
		s->way[s->down++] = field;
		search_below(s, field->fields);
		s->down--;
	}
}

/*
 * Find the nearest place with a field of this name that accepts the value:
 * "spec.workers.template.spec".  The caller frees it.  NULL: no near place, or
 * several equally near ones.
 */
static char *
find_home(const struct schema_place *place, const struct yaml_node *value)
{
	struct home_search s = { .name = place->name,
		.value = value,
		.best = -1 };

	if (place->is_key || place->is_item)
		return NULL;
	for (s.from = place->above; s.from != NULL && s.up <= STEPS_MAX;
	     s.from = s.from->above, s.up++)
		if (s.from->field->fields != NULL)
			search_below(&s, s.from->field->fields);
	/* The top of the object is named by its field alone. */
	if (s.is_tied || (s.path != NULL && *s.path == '\0')) {
		free(s.path);
		return NULL;
	}
	return s.path;
}

/* ---- remarks ---- */

static void __attribute__((format(printf, 5, 6)))
remark_at(const struct schema_run *run, enum remark_level level,
    const struct yaml_node *node, const struct schema_place *place,
    const char *format, ...)
{
	struct memstream m;
	char *path, *text;
	va_list list;

	/* Mistakes over the limit are only counted. */
	if (remarks_are_full(run->out, level)) {
		remarks_add(run->out, level, run->file, node, "", "%s", "");
		return;
	}
	memstream_open(&m);
	print_place(m.file, place);
	path = memstream_close(&m, NULL);
	va_start(list, format);
	text = xvasprintf(format, list);
	va_end(list);
	remarks_add(run->out, level, run->file, node, path, "%s", text);
	free(text);
	free(path);
}

/* Add a remark at the place of the key. */
static void
remark_key(const struct schema_run *run, enum remark_level level,
    const struct yaml_item *item, const struct schema_place *place,
    const char *text)
{
	struct yaml_node at = { .kind = YAML_NULL,
		.line = item->line,
		.column = item->column };

	remark_at(run, level, &at, place, "%s", text);
}

/* Report a duplicate key: kubectl silently takes the later one. */
static void
remark_hidden(const struct schema_run *run, const struct yaml_item *item,
    const struct schema_place *place)
{
	char text[64];

	if (item->hidden_line == 0)
		return;
	(void)snprintf(text, sizeof(text),
	    "is a duplicate of line %d; this one counts", item->hidden_line);
	remark_key(run, REMARK_WARNING, item, place, text);
}

/* Whether a text looks like a number, true or false. */
static bool
is_quoted(const struct yaml_node *node, enum schema_type type)
{
	if (node->kind != YAML_TEXT)
		return false;
	if (type == SCHEMA_BOOL)
		return strcmp(node->text, "true") == 0 ||
		    strcmp(node->text, "false") == 0;
	return (type == SCHEMA_INTEGER || type == SCHEMA_LONG) &&
	    node->text[strspn(node->text, "0123456789")] == '\0';
}

/* Report a value of the wrong type, with a correction. */
static void
remark_type(const struct schema_run *run, const struct yaml_node *node,
    const struct schema_place *place)
{
	const bool is_list = place->field->is_list && !place->is_item;
	const enum schema_type type = place->field->type;
	const char *wanted = is_list ? "a list" : values[type].wanted;
	const char *text = node->kind == YAML_NULL || node->text == NULL ||
		strlen(node->text) > QUOTED ?
	    "" :
	    node->text;
	char *home;

	if (is_list && node->kind == YAML_MAP)
		remark_at(run, REMARK_ERROR, node, place,
		    "must be a list; put \"- \" before the first field of each "
		    "item");
	else if (is_list && type == SCHEMA_TEXT && *text != '\0')
		remark_at(run, REMARK_ERROR, node, place,
		    "must be a list of strings: [\"%s\"]", text);
	else if (!is_list && *text != '\0' &&
	    (type == SCHEMA_TEXT ||
		(type == SCHEMA_QUANTITY && node->kind == YAML_REAL)))
		remark_at(run, REMARK_ERROR, node, place,
		    "must be %s, quoted: \"%s\"",
		    type == SCHEMA_TEXT ? wanted : "a quantity", text);
	else if (!is_list && *text != '\0' && is_quoted(node, type))
		remark_at(run, REMARK_ERROR, node, place,
		    "must be %s, without quotes: %s", wanted, text);
	else if (place->is_item && type == SCHEMA_TEXT &&
	    node->kind == YAML_MAP)
		remark_at(run, REMARK_ERROR, node, place,
		    "must be a string, not an object; quote it, because it "
		    "contains \": \"");
	else if ((home = find_home(place, node)) != NULL) {
		remark_at(run, REMARK_ERROR, node, place,
		    "must be %s; %s with this name belongs to %s", wanted,
		    kinds[node->kind], home);
		free(home);
	} else
		remark_at(run, REMARK_ERROR, node, place, "must be %s, not %s",
		    wanted, kinds[node->kind]);
}

/* ---- checks ---- */

static void schema_check_fields(const struct schema_run *,
    const struct schema_place *, const struct yaml_node *);
static void schema_check_value(const struct schema_run *,
    const struct yaml_node *, struct schema_place *);

/* Whether a number is whole: kubectl also accepts 4.0 for 4. */
static bool
is_whole_number(const struct yaml_node *node)
{
	return node->kind == YAML_INTEGER ||
	    (node->kind == YAML_REAL && node->real >= -0x1p63 &&
		node->real < 0x1p63 && trunc(node->real) == node->real);
}

/* Check a map of texts, which may be null, or of quantities; its keys are
   arbitrary. */
static void
check_map(const struct schema_run *run, const struct yaml_node *node,
    const struct schema_place *place)
{
	const struct schema_field field = { .type = place->field->type ==
			SCHEMA_TEXTS ?
		    SCHEMA_TEXT :
		    SCHEMA_QUANTITY };
	struct schema_place below = { .above = place,
		.field = &field,
		.is_key = true };
	size_t i;

	for (i = 0; i < node->count; i++) {
		below.name = node->items[i].key;
		remark_hidden(run, &node->items[i], &below);
		if (field.type != SCHEMA_TEXT ||
		    node->items[i].node->kind != YAML_NULL)
			schema_check_value(run, node->items[i].node, &below);
	}
}

static void
check_words(const struct schema_run *run, const struct yaml_node *node,
    const struct schema_place *place)
{
	const char *words = place->field->words;
	struct error e;
	int which;

	if (words == NULL ||
	    suggest_choose("", node->text, words, &which, &e) == 0)
		return;
	/* The text starts with the name of the field, which the path
	   repeats. */
	remark_at(run, REMARK_ERROR, node, place, "%s",
	    e.text + strspn(e.text, " "));
}

/* Check one value, or one item of a list. */
static void
schema_check_value(const struct schema_run *run, const struct yaml_node *node,
    struct schema_place *place)
{
	const enum schema_type type = place->field->type;
	const bool is_integer = type == SCHEMA_INTEGER || type == SCHEMA_LONG;
	const bool is_amount = type == SCHEMA_QUANTITY &&
	    is_whole_number(node) && node->real >= 0;
	struct error e;
	int64_t value;

	if (!(values[type].kinds >> node->kind & 1) && !is_amount &&
	    !(is_integer && is_whole_number(node))) {
		remark_type(run, node, place);
		return;
	}
	if (type == SCHEMA_TEXT)
		check_words(run, node, place);
	else if (type == SCHEMA_INTEGER &&
	    (node->real < INT32_MIN || node->real > INT32_MAX))
		remark_at(run, REMARK_ERROR, node, place,
		    "must be a 32-bit integer");
	else if (type == SCHEMA_QUANTITY && !is_amount &&
	    quantity_parse_whole(node->text, &value, &e) != 0)
		remark_at(run, REMARK_ERROR, node, place, "%s", e.text);
	else if (type == SCHEMA_TEXTS || type == SCHEMA_QUANTITIES)
		check_map(run, node, place);
	else if (type == SCHEMA_OBJECT && place->field->fields != NULL)
		schema_check_fields(run, place, node);
}

/*
 * Whether the field is a cluster's status.  kubectl prints it with an object,
 * so a manifest may contain it although its author did not write it.
 */
static bool
is_status(const struct schema_place *place)
{
	return place->above->above == NULL &&
	    strcmp(place->name, "status") == 0;
}

/* Check a known and present field. */
static void
check_field(const struct schema_run *run, const struct yaml_item *item,
    struct schema_place *place)
{
	const struct schema_field *field = place->field;
	size_t i;
	char text[256];

	if (field->effect == SCHEMA_REFUSED) {
		(void)snprintf(text, sizeof(text), "not supported: %s",
		    field->note);
		remark_key(run, REMARK_ERROR, item, place, text);
		remarks_mark_local(run->out);
		return;
	}
	if (field->effect == SCHEMA_NOTED && !place->is_noted &&
	    field->note != NULL) {
		(void)snprintf(text, sizeof(text), "no effect here: %s",
		    field->note);
		remark_key(run, REMARK_NOTE, item, place, text);
		place->is_noted = true;
	}
	if (is_status(place))
		return;
	if (!field->is_list) {
		schema_check_value(run, item->node, place);
		return;
	}
	if (item->node->kind != YAML_LIST) {
		remark_type(run, item->node, place);
		return;
	}
	place->is_item = true;
	for (i = 0; i < item->node->count; i++) {
		place->index = i;
		schema_check_value(run, item->node->items[i].node, place);
	}
}

static void
remark_unknown(const struct schema_run *run, const struct yaml_item *item,
    const struct schema_place *place)
{
	struct error e;
	char *home = NULL;

	(void)error_set(&e, "unknown field");
	if (!remarks_are_full(run->out, REMARK_ERROR)) {
		home = find_home(place, item->node);
		if (home != NULL)
			(void)error_append(&e, "; it belongs to %s", home);
		else
			schema_suggest(place->above->field->fields, item->key,
			    &e);
	}
	remark_key(run, REMARK_ERROR, item, place, e.text);
	free(home);
}

/*
 * Check the items of an object, and report missing fields.  A null field counts
 * as missing.  An unknown null field is ignored, because Go's programs print
 * "creationTimestamp: null" in every metadata.
 */
static void
schema_check_fields(const struct schema_run *run,
    const struct schema_place *place, const struct yaml_node *node)
{
	const struct schema_field *field;
	const struct yaml_item *item;
	const struct yaml_node *value;
	struct schema_place below;
	size_t i;

	for (i = 0; i < node->count; i++) {
		item = &node->items[i];
		below = (struct schema_place){ .above = place,
			.name = item->key,
			.is_noted = place->is_noted,
			.field = schema_field_named(place->field->fields,
			    item->key) };
		remark_hidden(run, item, &below);
		if (item->node->kind == YAML_NULL)
			continue;
		if (below.field == NULL)
			remark_unknown(run, item, &below);
		else
			check_field(run, item, &below);
	}
	for (field = place->field->fields; field->name != NULL; field++) {
		value = yaml_get(node, field->name);
		below = (struct schema_place){ .above = place,
			.name = field->name };
		if (field->is_required &&
		    (value == NULL || value->kind == YAML_NULL))
			remark_at(run, REMARK_ERROR, node, &below, "missing");
	}
}

void
schema_check(const struct schema_field *fields, const char *file,
    const struct yaml_node *object, struct remarks *out)
{
	const struct schema_run run = { .file = file, .out = out };
	const struct schema_field whole = { .type = SCHEMA_OBJECT,
		.fields = fields };
	const struct schema_place root = { .field = &whole };

	if (object->kind != YAML_MAP)
		remarks_add(out, REMARK_ERROR, file, object, "",
		    "must be an object, not %s", kinds[object->kind]);
	else
		schema_check_fields(&run, &root, object);
}

/* ---- pruning ---- */

static void
prune_fields(const struct schema_run *run, const struct schema_place *place,
    struct yaml_node *node)
{
	const struct yaml_item *item;
	struct yaml_node *value;
	struct schema_place below;
	size_t i = 0;

	if (node->kind != YAML_MAP || place->field->fields == NULL)
		return;
	while (i < node->count) {
		item = &node->items[i];
		value = item->node;
		below = (struct schema_place){ .above = place,
			.name = item->key,
			.field = schema_field_named(place->field->fields,
			    item->key) };
		if (below.field == NULL) {
			if (value->kind != YAML_NULL)
				remark_key(run, REMARK_WARNING, item, &below,
				    "unknown field, ignored");
			yaml_unset(node, item->key);
			continue;
		}
		i++;
		below.is_item = below.field->is_list;
		if (!below.is_item)
			prune_fields(run, &below, value);
		else if (value->kind == YAML_LIST)
			for (; below.index < value->count; below.index++)
				prune_fields(run, &below,
				    value->items[below.index].node);
	}
}

void
schema_check_prune(const struct schema_field *fields, const char *file,
    struct yaml_node *object, struct remarks *out)
{
	const struct schema_run run = { .file = file, .out = out };
	const struct schema_field whole = { .type = SCHEMA_OBJECT,
		.fields = fields };
	const struct schema_place root = { .field = &whole };

	prune_fields(&run, &root, object);
}
