/*
 * Templates of jsonpath: parsing them, and finding their values.
 */
#include "applets/ipubox-job/jsonpath.h"

#include <bsd/stdlib.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

enum { RANGES_MAX = 16 }; /* nesting depth */

enum jsonpath_step_kind {
	STEP_FIELD,
	STEP_INDEX,
	STEP_EVERY, /* [*] */
	STEP_FILTER
};

struct jsonpath_step {
	enum jsonpath_step_kind kind;
	char *field;
	int64_t index;		       /* negative: from the end */
	struct jsonpath_steps left;    /* a filter: path from an element */
	const struct yaml_node *right; /* value that it must equal */
};

/* The state of the parser. */
struct jsonpath_text {
	struct jsonpath *path;
	const char *at;
	bool in_filter;
	int ranges; /* open ranges */
	struct error *e;
};

static int read_path(struct jsonpath_text *, struct jsonpath_steps *);

/* Refuse a form that only kubectl supports. */
static int
jsonpath_refuse(struct jsonpath_text *t, const char *what)
{
	return error_set(t->e,
	    "%s is not supported; use .FIELD, ['FIELD'], [INDEX], [*] or "
	    "[?(@.FIELD==VALUE)], or print everything with -o json",
	    what);
}

static struct jsonpath_step *
add_step(struct jsonpath_steps *s, enum jsonpath_step_kind kind)
{
	s->items = xreallocarray(s->items, s->count + 1, sizeof(*s->items));
	s->items[s->count] = (struct jsonpath_step){ .kind = kind };
	return &s->items[s->count++];
}

static struct jsonpath_piece *
add_piece(struct jsonpath *p, enum jsonpath_kind kind)
{
	p->pieces = xreallocarray(p->pieces, p->count + 1, sizeof(*p->pieces));
	p->pieces[p->count] = (struct jsonpath_piece){ .kind = kind };
	return &p->pieces[p->count++];
}

static void
skip_blanks(struct jsonpath_text *t)
{
	t->at += strspn(t->at, " \t");
}

static bool
jsonpath_is_quote(char c)
{
	return c == '\'' || c == '"';
}

/* Read a name; a backslash protects the next character. */
static char *
read_name(struct jsonpath_text *t)
{
	const char *stops = t->in_filter ?
	    " \t\r\n.,[]$@{}()!<>=~" :
	    " \t\r\n.,[]$@{}";
	char *name = xmalloc(strlen(t->at) + 1), *to = name;

	for (; *t->at != '\0' && strchr(stops, *t->at) == NULL; t->at++) {
		if (*t->at == '\\' && t->at[1] != '\0')
			t->at++;
		if (*t->at != '\\')
			*to++ = *t->at;
	}
	*to = '\0';
	return name;
}

/* Read a text in quotes, which the caller frees, or NULL.  A backslash protects
   the next character, except in \n, \r and \t. */
static char *
read_quote(struct jsonpath_text *t)
{
	const char quote = *t->at++;
	char *text = xmalloc(strlen(t->at) + 1), *to = text;

	for (; *t->at != quote; t->at++) {
		if (*t->at == '\\' && t->at[1] != '\0') {
			t->at++;
			*to++ = *t->at == 'n' ? '\n' :
			    *t->at == 'r'     ? '\r' :
			    *t->at == 't'     ? '\t' :
						*t->at;
		} else if (*t->at != '\0' && *t->at != '\n') {
			*to++ = *t->at;
		} else {
			free(text);
			(void)error_set(t->e, "unterminated quoted string");
			return NULL;
		}
	}
	*to = '\0';
	t->at++;
	return text;
}

static int
read_field(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	if (t->at[1] == '.')
		return jsonpath_refuse(t, "recursive descent (..)");
	if (t->at[1] == '*')
		return jsonpath_refuse(t, "the wildcard .*");
	t->at++;
	add_step(s, STEP_FIELD)->field = read_name(t);
	return 0;
}

static int
read_index(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	const size_t length = strcspn(t->at, ",:]}");
	char *text = xasprintf("%.*s", (int)length, t->at);
	const char *wrong = NULL;
	int64_t index = 0;

	t->at += length;
	if (*t->at == ']' || length > 0)
		index = strtonum(text, INT32_MIN, INT32_MAX, &wrong);
	if (wrong != NULL)
		(void)error_set(t->e, "invalid array index %s", text);
	else
		add_step(s, STEP_INDEX)->index = index;
	free(text);
	return wrong == NULL ? 0 : -1;
}

/* Read "[*]", "[0]", "[-1]" or "['a.b']". */
static int
read_brackets(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	char *field;

	t->at++;
	if (*t->at == '*') {
		t->at++;
		(void)add_step(s, STEP_EVERY);
	} else if (jsonpath_is_quote(*t->at)) {
		if ((field = read_quote(t)) == NULL)
			return -1;
		add_step(s, STEP_FIELD)->field = field;
	} else if (read_index(t, s) != 0) {
		return -1;
	}
	if (*t->at == ':')
		return jsonpath_refuse(t, "a slice ([0:2])");
	if (*t->at == ',')
		return jsonpath_refuse(t, "a union ([0,2])");
	if (*t->at != ']')
		return error_set(t->e, "unterminated array");
	t->at++;
	return 0;
}

/* Read a filter's value: a text in quotes, a number, true or false. */
static int
read_filter_value(struct jsonpath_text *t, const struct yaml_node **value)
{
	const size_t length = strcspn(t->at, " \t\r\n)");
	struct yaml_node **documents;
	char *text;

	if (jsonpath_is_quote(*t->at)) {
		if ((text = read_quote(t)) == NULL)
			return -1;
		*value = yaml_new_text(t->path->arena, text);
		free(text);
		return 0;
	}
	if (yaml_parse(t->path->arena, "value", t->at, length, &documents,
		NULL) != 1 ||
	    (documents[0]->kind != YAML_BOOL &&
		documents[0]->kind != YAML_INTEGER &&
		documents[0]->kind != YAML_REAL))
		return error_set(t->e, "unrecognized identifier %.*s",
		    (int)length, t->at);
	*value = documents[0];
	t->at += length;
	return 0;
}

static int
read_filter(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	struct jsonpath_step *step;
	int status;

	if (t->in_filter)
		return jsonpath_refuse(t, "a nested filter");
	step = add_step(s, STEP_FILTER);
	t->at += strlen("[?(");
	t->in_filter = true;
	status = read_path(t, &step->left);
	t->in_filter = false;
	if (status != 0)
		return -1;
	if (*t->at == '\0')
		return error_set(t->e, "unterminated filter");
	if (strncmp(t->at, "==", 2) != 0)
		return jsonpath_refuse(t, "this filter");
	t->at += 2;
	skip_blanks(t);
	if (read_filter_value(t, &step->right) != 0)
		return -1;
	skip_blanks(t);
	if (strncmp(t->at, ")]", 2) != 0)
		return error_set(t->e, "unterminated filter");
	t->at += 2;
	return 0;
}

/* Read steps until another character follows. */
static int
read_path(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	int status = 0;

	while (status == 0) {
		/* Both mean the value itself. */
		t->at += strspn(t->at, " \t@$");
		if (strncmp(t->at, "[?(", 3) == 0)
			status = read_filter(t, s);
		else if (*t->at == '[')
			status = read_brackets(t, s);
		else if (*t->at == '.')
			status = read_field(t, s);
		else
			break;
	}
	return status;
}

/* Close the innermost open range. */
static int
end_range(struct jsonpath_text *t)
{
	struct jsonpath *p = t->path;
	size_t i;

	(void)add_piece(p, JSONPATH_END);
	for (i = p->count; i-- > 0;)
		if (p->pieces[i].kind == JSONPATH_RANGE &&
		    p->pieces[i].next == 0) {
			p->pieces[i].next = p->count - 1;
			t->ranges--;
			return 0;
		}
	return error_set(t->e, "not in range, nothing to end");
}

static int
read_word(struct jsonpath_text *t)
{
	char *word = read_name(t);
	int status;

	if (strcmp(word, "end") == 0)
		status = end_range(t);
	else if (strcmp(word, "range") != 0)
		status = error_set(t->e, "unrecognized identifier %s", word);
	else if (t->ranges++ == RANGES_MAX)
		status = error_set(t->e, "more than %d nested ranges",
		    RANGES_MAX);
	else
		status = read_path(t,
		    &add_piece(t->path, JSONPATH_RANGE)->steps);
	free(word);
	return status;
}

/* Read an action and its closing '}'. */
static int
read_action(struct jsonpath_text *t)
{
	char *text;
	int status = 0;

	skip_blanks(t);
	if (jsonpath_is_quote(*t->at)) {
		if ((text = read_quote(t)) == NULL)
			return -1;
		add_piece(t->path, JSONPATH_TEXT)->text = text;
	} else if (isalpha((unsigned char)*t->at)) {
		status = read_word(t);
	} else {
		status = read_path(t,
		    &add_piece(t->path, JSONPATH_PATH)->steps);
	}
	if (status != 0)
		return -1;
	skip_blanks(t);
	if (*t->at == '\0' || *t->at == '\r' || *t->at == '\n')
		return error_set(t->e, "unclosed action");
	if (*t->at != '}')
		return error_set(t->e,
		    "unrecognized character in action: U+%04X '%c'",
		    (unsigned char)*t->at, *t->at);
	t->at++;
	return 0;
}

int
jsonpath_read(const char *text, struct jsonpath *p, struct error *e)
{
	struct jsonpath_text t = { .path = p, .at = text, .e = e };
	size_t length, i;

	*p = (struct jsonpath){ .arena = yaml_arena_new() };
	while (*t.at != '\0') {
		length = strcspn(t.at, "{");
		if (length > 0)
			add_piece(p, JSONPATH_TEXT)->text = xasprintf("%.*s",
			    (int)length, t.at);
		t.at += length;
		if (*t.at == '{') {
			t.at++;
			if (read_action(&t) != 0)
				return -1;
		}
	}
	for (i = 0; i < p->count; i++)
		if (p->pieces[i].next == 0)
			p->pieces[i].next = p->count;
	return 0;
}

static void
free_steps(struct jsonpath_steps *s)
{
	size_t i;

	for (i = 0; i < s->count; i++) {
		free_steps(&s->items[i].left);
		free(s->items[i].field);
	}
	free(s->items);
}

void
jsonpath_free(struct jsonpath *p)
{
	size_t i;

	for (i = 0; i < p->count; i++) {
		free_steps(&p->pieces[i].steps);
		free(p->pieces[i].text);
	}
	free(p->pieces);
	yaml_arena_free(p->arena);
	*p = (struct jsonpath){ .arena = NULL };
}

static void
add_value(struct jsonpath_found *out, const struct yaml_node *value)
{
	if (out->count == out->room) {
		out->room = out->room * 2 + 16;
		out->items = xreallocarray(out->items, out->room,
		    sizeof(*out->items));
	}
	out->items[out->count++] = value;
}

void
jsonpath_release(struct jsonpath_found *f)
{
	free(f->items);
	*f = (struct jsonpath_found){ .items = NULL };
}

/* Return Go's word for the kind of a value, as in refusals. */
static const char *
kind_word(const struct yaml_node *n)
{
	static const char *const words[] = { [YAML_NULL] = "nil",
		[YAML_BOOL] = "bool",
		[YAML_INTEGER] = "int64",
		[YAML_REAL] = "float64",
		[YAML_TEXT] = "string",
		[YAML_LIST] = "[]interface {}",
		[YAML_MAP] = "map[string]interface {}" };

	return words[n->kind];
}

static bool
is_numeric(const struct yaml_node *n)
{
	return n->kind == YAML_INTEGER || n->kind == YAML_REAL;
}

/* Find the values that the steps lead to.  Each step goes one level down, so
   YAML_DEPTH_MAX limits the recursion. */
static int walk(const struct jsonpath_step *step, size_t count,
    const struct yaml_node *value, struct jsonpath_found *out, struct error *e);

/* Whether an element passes the filter; -1: the reason. */
static int
passes(const struct jsonpath_step *filter, const struct yaml_node *element,
    struct error *e)
{
	struct jsonpath_found found = { .items = NULL };
	const struct yaml_node *left;
	int status = walk(filter->left.items, filter->left.count, element,
	    &found, e);

	if (status == 0 && found.count > 1) {
		status = error_set(e, "can only compare one element at a time");
	} else if (status == 0 && found.count == 1) {
		left = found.items[0];
		if (left->kind != filter->right->kind &&
		    !(is_numeric(left) && is_numeric(filter->right)))
			status = error_set(e,
			    "incompatible types for comparison");
		else
			status = yaml_equal(left, filter->right);
	}
	jsonpath_release(&found);
	return status;
}

/* Walk the elements of a list, or those that a filter accepts. */
static int
walk_elements(const struct jsonpath_step *step, size_t count,
    const struct yaml_node *list, struct jsonpath_found *out, struct error *e)
{
	size_t i;
	int status;

	for (i = 0; i < list->count; i++) {
		status = step->kind == STEP_FILTER ?
		    passes(step, list->items[i].node, e) :
		    1;
		if (status == -1 ||
		    (status == 1 &&
			walk(step + 1, count - 1, list->items[i].node, out,
			    e) != 0))
			return -1;
	}
	return 0;
}

static int
walk(const struct jsonpath_step *step, size_t count,
    const struct yaml_node *value, struct jsonpath_found *out, struct error *e)
{
	const int64_t length = (int64_t)value->count;
	int64_t index;

	if (count == 0) {
		add_value(out, value);
		return 0;
	}
	if (step->kind == STEP_FIELD) {
		value = yaml_get(value, step->field);
		return value == NULL ? 0 :
				       walk(step + 1, count - 1, value, out, e);
	}
	if (value->kind == YAML_NULL && step->kind != STEP_FILTER)
		return 0;
	if (value->kind != YAML_LIST)
		return error_set(e, "%s is not array or slice%s",
		    kind_word(value),
		    step->kind == STEP_FILTER ? " and cannot be filtered" : "");
	if (step->kind != STEP_INDEX)
		return walk_elements(step, count, value, out, e);
	index = step->index < 0 ? step->index + length : step->index;
	if (index < 0 || index >= length)
		return error_set(e,
		    "array index out of bounds: index %" PRId64
		    ", length %" PRId64,
		    index, length);
	return walk(step + 1, count - 1, value->items[index].node, out, e);
}

int
jsonpath_find(const struct jsonpath *p, const struct yaml_node *value,
    struct jsonpath_found *out, struct error *e)
{
	size_t i;
	int status = 0;

	*out = (struct jsonpath_found){ .items = NULL };
	for (i = 0; i < p->count && status == 0; i++)
		if (p->pieces[i].kind == JSONPATH_PATH)
			status = walk(p->pieces[i].steps.items,
			    p->pieces[i].steps.count, value, out, e);
	return status;
}

/* Print a value: a text as it is, other kinds as JSON on one line. */
static void
put_value(FILE *out, const struct yaml_node *n)
{
	if (n->kind == YAML_TEXT)
		fputs(n->text, out);
	else
		yaml_write_json_line(out, n);
}

/* Print the pieces from `begin` to `end` for one value. */
static int
print_pieces(const struct jsonpath *p, size_t begin, size_t end,
    const struct yaml_node *value, FILE *out, struct error *e)
{
	const struct jsonpath_piece *piece;
	struct jsonpath_found found;
	size_t i, k;
	int status = 0;

	for (i = begin; i < end && status == 0; i++) {
		piece = &p->pieces[i];
		if (piece->kind == JSONPATH_TEXT)
			fputs(piece->text, out);
		if (piece->kind == JSONPATH_TEXT || piece->kind == JSONPATH_END)
			continue;
		found = (struct jsonpath_found){ .items = NULL };
		status = walk(piece->steps.items, piece->steps.count, value,
		    &found, e);
		for (k = 0; k < found.count && status == 0; k++) {
			if (piece->kind == JSONPATH_RANGE) {
				status = print_pieces(p, i + 1, piece->next,
				    found.items[k], out, e);
				continue;
			}
			if (k > 0)
				fputc(' ', out);
			put_value(out, found.items[k]);
		}
		if (piece->kind == JSONPATH_RANGE)
			i = piece->next;
		jsonpath_release(&found);
	}
	return status;
}

int
jsonpath_print(const struct jsonpath *p, const struct yaml_node *value,
    FILE *out, struct error *e)
{
	struct memstream m;
	char *text;
	size_t size;
	int status = print_pieces(p, 0, p->count, value, memstream_open(&m), e);

	text = memstream_close(&m, &size);
	if (status == 0)
		(void)fwrite(text, 1, size, out);
	free(text);
	return status;
}
