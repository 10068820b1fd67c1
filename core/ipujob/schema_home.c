/*
 * The way up from a field and down again to another of its name.
 */
#include "core/ipujob/schema_home.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/memstream.h"

enum {
	STEPS_MAX = 4		/* up and down: farther is not a slip */
};

/* A search; the best so far is kept as the names down from a place. */
struct home_search {
	const char			*name;
	const struct yaml_node		*value;
	const struct schema_place	*from;		/* the top of the way */
	const struct schema_field	*way[STEPS_MAX];
	int				 down;
	int				 up;
	int				 best;		/* its cost, or -1 */
	bool				 is_tied;
	char				*path;		/* of the best */
};

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

char *
schema_home_path(const struct schema_place *place)
{
	struct memstream	m;

	memstream_open(&m);
	print_place(m.file, place);
	return memstream_close(&m, NULL);
}

/* Whether a field could have that value. */
static bool
takes_value(const struct schema_field *field, const struct yaml_node *value)
{
	if (field->is_list || value->kind == YAML_LIST)
		return field->is_list && value->kind == YAML_LIST;
	switch (field->type) {
	case SCHEMA_TEXT:
		return value->kind == YAML_TEXT;
	case SCHEMA_INTEGER:
	case SCHEMA_LONG:
		return value->kind == YAML_INTEGER;
	case SCHEMA_BOOL:
		return value->kind == YAML_BOOL;
	case SCHEMA_OBJECT:
	case SCHEMA_TEXTS:
	case SCHEMA_QUANTITIES:
		return value->kind == YAML_MAP;
	case SCHEMA_QUANTITY:
	case SCHEMA_PORT:
		return value->kind == YAML_TEXT || value->kind == YAML_INTEGER;
	}
	return false;
}

static char *
print_way(const struct home_search *s)
{
	struct memstream	m;
	int			i;

	memstream_open(&m);
	print_place(m.file, s->from);
	for (i = 0; i < s->down; i++)
		fprintf(m.file, "%s%s%s", i == 0 && s->from->above == NULL ?
		    "" : ".", s->way[i]->name, s->way[i]->is_list ? "[]" : "");
	return memstream_close(&m, NULL);
}

/*
 * A step costs two, and one more where the thing on the way may be missing: so
 * of containers and initContainers, which have the same fields, containers is
 * nearer.
 */
static void
keep_home(struct home_search *s)
{
	int	cost = (s->up + s->down) * 2, i;

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

static void
search_below(struct home_search *s, const struct schema_field *fields)
{
	const struct schema_field	*field;

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

char *
schema_home_find(const struct schema_place *place,
    const struct yaml_node *value)
{
	struct home_search	s = { .name = place->name, .value = value,
				    .best = -1 };

	if (place->is_key || place->is_item)
		return NULL;
	for (s.from = place->above; s.from != NULL && s.up <= STEPS_MAX;
	    s.from = s.from->above, s.up++)
		if (s.from->fields != NULL)
			search_below(&s, s.from->fields);
	/* At the top of the object nothing is to be said of it but its name. */
	if (s.is_tied || (s.path != NULL && *s.path == '\0')) {
		free(s.path);
		return NULL;
	}
	return s.path;
}
