/*
 * Walking along the steps of a jsonpath template.
 */
#include "applets/ipubox-job/jsonpath_walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/memstream.h"
#include "core/base/yaml_write.h"

/* A walk through the pieces. */
struct jsonpath_walk {
	const struct jsonpath	*path;
	/* What one piece found. */
	int			(*take)(void *, const struct jsonpath_found *,
				    struct error *);
	void			*context;
	size_t			 left;	/* of JSONPATH_VALUES_MAX */
	struct error		*e;
};

static int	walk_steps(struct jsonpath_walk *,
		    const struct jsonpath_steps *,
		    const struct jsonpath_found *, struct jsonpath_found *);

static int
add_value(struct jsonpath_walk *w, struct jsonpath_found *out,
    const struct yaml_node *value)
{
	if (w->left == 0)
		return error_set(w->e, "more than %d values",
		    JSONPATH_VALUES_MAX);
	w->left--;
	if (out->count == out->room) {
		out->room = out->room * 2 + 16;
		out->items = xreallocarray(out->items, out->room,
		    sizeof(*out->items));
	}
	out->items[out->count++] = value;
	return 0;
}

void
jsonpath_walk_release(struct jsonpath_found *f)
{
	free(f->items);
	*f = (struct jsonpath_found){ .items = NULL };
}

/* What refusals call the kind of a value, as Go does. */
static const char *
kind_word(const struct yaml_node *n)
{
	static const char *const	words[] = {
		[YAML_NULL] = "nil", [YAML_BOOL] = "bool",
		[YAML_INTEGER] = "int64", [YAML_REAL] = "float64",
		[YAML_TEXT] = "string", [YAML_LIST] = "[]interface {}",
		[YAML_MAP] = "map[string]interface {}"
	};

	return words[n->kind];
}

static int
check_slice(struct jsonpath_walk *w, const struct jsonpath_step *step,
    int64_t begin, int64_t end, int64_t length)
{
	if (begin >= length || begin < 0)
		return error_set(w->e, "array index out of bounds: index %"
		    PRId64 ", length %" PRId64, begin, length);
	if (end > length || end < 0)
		return error_set(w->e, "array index out of bounds: index %"
		    PRId64 ", length %" PRId64, end - 1, length);
	if (begin > end)
		return error_set(w->e, "starting index %" PRId64 " is greater "
		    "than ending index %" PRId64, begin, end);
	if (step->stride <= 0)
		return error_set(w->e, "step must be > 0");
	return 0;
}

static int
walk_slice(struct jsonpath_walk *w, const struct jsonpath_step *step,
    const struct yaml_node *value, struct jsonpath_found *out)
{
	const int64_t	length = (int64_t)value->count;
	int64_t		begin = step->has_begin ? step->begin : 0;
	int64_t		end = step->has_end ? step->end : length;

	if (value->kind == YAML_NULL)
		return 0;
	if (value->kind != YAML_LIST)
		return error_set(w->e, "%s is not array or slice",
		    kind_word(value));
	if (begin < 0)
		begin += length;
	if (end < 0 || (end == 0 && step->is_index))
		end += length;
	if (begin == end)
		return 0;
	if (check_slice(w, step, begin, end, length) != 0)
		return -1;
	for (; begin < end; begin += step->stride)
		if (add_value(w, out, value->items[begin].node) != 0)
			return -1;
	return 0;
}

/* Whether the operator holds between two values; -1: it cannot be said. */
static int
compare_values(struct jsonpath_walk *w, const char *operator,
    const struct yaml_node *a, const struct yaml_node *b)
{
	const bool	numbers = (a->kind == YAML_INTEGER || a->kind ==
	    YAML_REAL) && (b->kind == YAML_INTEGER || b->kind == YAML_REAL);
	const bool	equality = strcmp(operator, "==") == 0 ||
	    strcmp(operator, "!=") == 0;
	int		order;

	if (!numbers && (a->kind != b->kind || a->kind == YAML_NULL))
		return error_set(w->e, "incompatible types for comparison");
	if (a->kind == YAML_LIST || a->kind == YAML_MAP ||
	    (a->kind == YAML_BOOL && !equality))
		return error_set(w->e, "invalid type for comparison");
	if (numbers)
		order = (a->real > b->real) - (a->real < b->real);
	else if (a->kind == YAML_BOOL)
		order = a->integer != b->integer;
	else
		order = strcmp(a->text, b->text);
	if (strcmp(operator, "==") == 0)
		return order == 0;
	if (strcmp(operator, "!=") == 0)
		return order != 0;
	if (strcmp(operator, "<") == 0)
		return order < 0;
	if (strcmp(operator, "<=") == 0)
		return order <= 0;
	if (strcmp(operator, ">") == 0)
		return order > 0;
	if (strcmp(operator, ">=") == 0)
		return order >= 0;
	return error_set(w->e, "unrecognized filter operator %s", operator);
}

/* Whether an element passes; -1: the reason. */
static int
passes(struct jsonpath_walk *w, const struct jsonpath_step *step,
    const struct yaml_node *element)
{
	const struct yaml_node		*one[] = { element };
	const struct jsonpath_found	 in = { .items = one, .count = 1 };
	struct jsonpath_found		 sides[2] = { { .items = NULL },
	    { .items = NULL } };
	struct error			*reason = w->e;
	int				 status, i;

	/* Where it is only asked whether it exists, what fails does not. */
	if (step->word == NULL)
		w->e = NULL;
	status = walk_steps(w, &step->parts[0], &in, &sides[0]);
	w->e = reason;
	if (step->word == NULL) {
		status = sides[0].count > 0;
	} else if (status == 0 && sides[0].count > 0) {
		status = walk_steps(w, &step->parts[1], &in, &sides[1]);
		for (i = 0; i < 2 && status == 0; i++)
			if (sides[i].count > 1)
				status = error_set(w->e, "can only compare "
				    "one element at a time");
		if (status == 0 && sides[1].count > 0)
			status = compare_values(w, step->word,
			    sides[0].items[0], sides[1].items[0]);
	}
	jsonpath_walk_release(&sides[0]);
	jsonpath_walk_release(&sides[1]);
	return status;
}

static int
walk_filter(struct jsonpath_walk *w, const struct jsonpath_step *step,
    const struct yaml_node *value, struct jsonpath_found *out)
{
	size_t	i;
	int	status;

	if (value->kind != YAML_LIST)
		return error_set(w->e, "%s is not array or slice and cannot "
		    "be filtered", kind_word(value));
	for (i = 0; i < value->count; i++) {
		status = passes(w, step, value->items[i].node);
		if (status == -1 || (status == 1 && add_value(w, out,
		    value->items[i].node) != 0))
			return -1;
	}
	return 0;
}

static int
walk_every(struct jsonpath_walk *w, const struct yaml_node *value,
    struct jsonpath_found *out)
{
	size_t	i;

	for (i = 0; i < value->count; i++)
		if (add_value(w, out, value->items[i].node) != 0)
			return -1;
	return 0;
}

/* The value itself and all lists and maps in it, each before what it holds. */
static int
walk_below(struct jsonpath_walk *w, const struct yaml_node *value,
    struct jsonpath_found *out)
{
	size_t	i;

	if (value->count == 0)
		return 0;
	if (add_value(w, out, value) != 0)
		return -1;
	for (i = 0; i < value->count; i++)
		if (walk_below(w, value->items[i].node, out) != 0)
			return -1;
	return 0;
}

/* One step from one value. */
static int
walk_value(struct jsonpath_walk *w, const struct jsonpath_step *step,
    const struct yaml_node *value, struct jsonpath_found *out)
{
	const struct yaml_node	*n;

	switch (step->kind) {
	case JSONPATH_FIELD:
		n = yaml_get(value, step->word);
		return n != NULL ? add_value(w, out, n) : 0;
	case JSONPATH_SLICE:
		return walk_slice(w, step, value, out);
	case JSONPATH_FILTER:
		return walk_filter(w, step, value, out);
	case JSONPATH_EVERY:
		return walk_every(w, value, out);
	case JSONPATH_BELOW:
		return walk_below(w, value, out);
	case JSONPATH_LITERAL:
		return add_value(w, out, step->literal);
	default:		/* a range: the values it goes through */
		return add_value(w, out, value);
	}
}

static int
walk_step(struct jsonpath_walk *w, const struct jsonpath_step *step,
    const struct jsonpath_found *in, struct jsonpath_found *out)
{
	size_t	i;

	if (step->kind == JSONPATH_UNKNOWN)
		return error_set(w->e, "unrecognized identifier %s",
		    step->word);
	/* That of a range is where the range goes on, and is not met. */
	if (step->kind == JSONPATH_END)
		return error_set(w->e, "not in range, nothing to end");
	/* A text is one, from however many values. */
	if (step->kind == JSONPATH_LITERAL &&
	    step->literal->kind == YAML_TEXT)
		return add_value(w, out, step->literal);
	if (step->kind == JSONPATH_UNION) {
		for (i = 0; i < step->part_count; i++)
			if (walk_steps(w, &step->parts[i], in, out) != 0)
				return -1;
		return 0;
	}
	for (i = 0; i < in->count; i++)
		if (walk_value(w, step, in->items[i], out) != 0)
			return -1;
	return 0;
}

/* All steps; what the last one finds is added to what is there. */
static int
walk_steps(struct jsonpath_walk *w, const struct jsonpath_steps *steps,
    const struct jsonpath_found *in, struct jsonpath_found *out)
{
	struct jsonpath_found	now = { .items = NULL }, next;
	size_t			i;
	int			status = 0;

	for (i = 0; i < in->count && status == 0; i++)
		status = add_value(w, &now, in->items[i]);
	for (i = 0; i < steps->count && status == 0; i++) {
		next = (struct jsonpath_found){ .items = NULL };
		status = walk_step(w, &steps->items[i], &now, &next);
		jsonpath_walk_release(&now);
		now = next;
	}
	for (i = 0; i < now.count && status == 0; i++)
		status = add_value(w, out, now.items[i]);
	jsonpath_walk_release(&now);
	return status;
}

/* The pieces from `begin` to `end`, for one value. */
static int
walk_pieces(struct jsonpath_walk *w, size_t begin, size_t end,
    const struct yaml_node *value)
{
	const struct jsonpath_found	 in = { .items = &value, .count = 1 };
	const struct jsonpath_piece	*piece;
	struct jsonpath_found		 out;
	size_t				 i, k;
	int				 status = 0;

	for (i = begin; i < end && status == 0; i++) {
		piece = &w->path->pieces[i];
		out = (struct jsonpath_found){ .items = NULL };
		status = walk_steps(w, &piece->steps, &in, &out);
		if (status == 0 && piece->next == 0) {
			status = w->take(w->context, &out, w->e);
		} else if (status == 0) {
			for (k = 0; k < out.count && status == 0; k++)
				status = walk_pieces(w, i + 1, piece->next,
				    out.items[k]);
			i = piece->next;
		}
		jsonpath_walk_release(&out);
	}
	return status;
}

static int
walk_all(const struct jsonpath *p, const struct yaml_node *value,
    int (*take)(void *, const struct jsonpath_found *, struct error *),
    void *context, struct error *e)
{
	struct jsonpath_walk	w = { .path = p, .take = take,
	    .context = context, .left = JSONPATH_VALUES_MAX, .e = e };

	return walk_pieces(&w, 0, p->count, value);
}

static int
take_values(void *context, const struct jsonpath_found *from,
    struct error *e)
{
	struct jsonpath_walk	w = { .left = JSONPATH_VALUES_MAX, .e = e };
	size_t			i;

	for (i = 0; i < from->count; i++)
		if (add_value(&w, context, from->items[i]) != 0)
			return -1;
	return 0;
}

int
jsonpath_walk_find(const struct jsonpath *p, const struct yaml_node *value,
    struct jsonpath_found *out, struct error *e)
{
	*out = (struct jsonpath_found){ .items = NULL };
	return walk_all(p, value, take_values, out, e);
}

void
jsonpath_walk_put(FILE *out, const struct yaml_node *n)
{
	if (n->kind == YAML_TEXT)
		fputs(n->text, out);
	else
		yaml_write_json_line(out, n);
}

static int
take_text(void *context, const struct jsonpath_found *from,
    struct error *e)
{
	FILE	*out = context;
	size_t	 i;

	(void)e;
	for (i = 0; i < from->count; i++) {
		if (i > 0)
			fputc(' ', out);
		jsonpath_walk_put(out, from->items[i]);
	}
	return 0;
}

/* The nodes are only read. */
static int
take_json(void *context, const struct jsonpath_found *from,
    struct error *e)
{
	struct yaml_item	*items = xcalloc(from->count + 1,
	    sizeof(*items));
	struct yaml_node	 list = { .kind = YAML_LIST, .items = items,
	    .count = from->count };
	size_t			 i;

	(void)e;
	for (i = 0; i < from->count; i++) {
		union {
			const struct yaml_node	*from;
			struct yaml_node	*to;
		} node = { .from = from->items[i] };

		items[i].node = node.to;
	}
	yaml_write_json(context, &list);
	free(items);
	return 0;
}

int
jsonpath_walk_print(const struct jsonpath *p, const struct yaml_node *value,
    bool as_json, FILE *out, struct error *e)
{
	struct memstream	 m;
	char			*text;
	size_t			 size;
	int			 status;

	status = walk_all(p, value, as_json ? take_json : take_text,
	    memstream_open(&m), e);
	text = memstream_close(&m, &size);
	if (status == 0)
		(void)fwrite(text, 1, size, out);
	free(text);
	return status;
}
