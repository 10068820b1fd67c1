/*
 * Templates of jsonpath: reading them.  jsonpath_walk.c finds what they mean.
 */
#include "applets/ipubox-job/jsonpath.h"

#include <bsd/stdlib.h>

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

enum { DEPTH_MAX = 16 };	/* of filters and unions in each other */

/* Where the reader is. */
struct jsonpath_text {
	struct jsonpath	*path;
	const char	*at;
	int		 depth;		/* 0: in an action, which '}' ends */
	struct error	*e;
};

static int	read_steps(struct jsonpath_text *, struct jsonpath_steps *);

static struct jsonpath_step *
add_step(struct jsonpath_steps *s, enum jsonpath_kind kind)
{
	s->items = xreallocarray(s->items, s->count + 1, sizeof(*s->items));
	s->items[s->count] = (struct jsonpath_step){ .kind = kind };
	return &s->items[s->count++];
}

static void
free_steps(struct jsonpath_steps *s)
{
	struct jsonpath_step	*step;
	size_t			 i, k;

	for (i = 0; i < s->count; i++) {
		step = &s->items[i];
		for (k = 0; k < step->part_count; k++)
			free_steps(&step->parts[k]);
		free(step->parts);
		free(step->word);
	}
	free(s->items);
}

/* A text of its own within the template: a side of a filter, say. */
static int
read_part(struct jsonpath_text *t, const char *begin, size_t length,
    struct jsonpath_step *step)
{
	char			*text = xasprintf("%.*s", (int)length, begin);
	struct jsonpath_text	 part = { .path = t->path, .at = text,
	    .depth = t->depth + 1, .e = t->e };
	struct jsonpath_steps	*steps;
	int			 status;

	step->parts = xreallocarray(step->parts, step->part_count + 1,
	    sizeof(*step->parts));
	steps = &step->parts[step->part_count++];
	*steps = (struct jsonpath_steps){ .items = NULL };
	status = part.depth > DEPTH_MAX ? error_set(t->e, "more than %d "
	    "filters in each other", DEPTH_MAX) : read_steps(&part, steps);
	free(text);
	return status;
}

/* What ends a name, but for the end of the text. */
static bool
is_terminator(char c)
{
	return strchr(" \t\r\n.,[]$@{}", c) != NULL;
}

/* The name of a field from here on; a backslash keeps what follows it. */
static char *
read_name(struct jsonpath_text *t)
{
	char	*name = xmalloc(strlen(t->at) + 1), *to = name;

	for (; *t->at != '\0' && !is_terminator(*t->at); t->at++) {
		if (*t->at == '\\' && t->at[1] != '\0')
			t->at++;
		if (*t->at != '\\')
			*to++ = *t->at;
	}
	*to = '\0';
	return name;
}

static void
add_field(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	char	*name = read_name(t);

	if (strcmp(name, "*") == 0) {
		(void)add_step(s, JSONPATH_EVERY);
		free(name);
	} else {
		add_step(s, JSONPATH_FIELD)->word = name;
	}
}

/* ".." finds everything below, of which a field may follow at once. */
static int
read_below(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	if (s->count > 0 && s->items[s->count - 1].kind == JSONPATH_BELOW)
		return error_set(t->e, "invalid multiple recursive descent");
	t->at += 2;
	(void)add_step(s, JSONPATH_BELOW);
	if (isalnum((unsigned char)*t->at) || *t->at == '_')
		add_field(t, s);
	return 0;
}

/* What a backslash in quotes means; '\0': nothing. */
static char
jsonpath_escaped(char c)
{
	static const char	letters[] = "abfnrtv\\\"'";
	static const char	meant[] = "\a\b\f\n\r\t\v\\\"'";
	const char		*found = c != '\0' ? strchr(letters, c) : NULL;

	return found != NULL ? meant[found - letters] : '\0';
}

static int
read_quote(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	const char	 quote = *t->at;
	const char	*begin = t->at++;
	char		*text = xmalloc(strlen(begin) + 1), *to = text;
	int		 status = 0;

	for (; status == 0 && *t->at != quote; t->at++) {
		if (*t->at == '\0' || *t->at == '\n') {
			status = error_set(t->e, "unterminated quoted "
			    "string");
			break;
		}
		if (*t->at != '\\') {
			*to++ = *t->at;
			continue;
		}
		*to = jsonpath_escaped(*++t->at);
		if (*to++ == '\0')
			status = error_set(t->e, "unquote string %.*s error "
			    "invalid syntax", (int)(strcspn(begin + 1,
			    "}")) + 1, begin);
	}
	*to = '\0';
	if (status == 0) {
		t->at++;
		add_step(s, JSONPATH_LITERAL)->literal = yaml_new_text(
		    t->path->arena, text);
	}
	free(text);
	return status;
}

static int
jsonpath_read_number(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	const size_t		 length = strspn(t->at, "+-") > 0 ?
	    1 + strspn(t->at + 1, "0123456789.") :
	    strspn(t->at, "0123456789.");
	char			*text = xasprintf("%.*s", (int)length, t->at);
	const char		*wrong;
	const int64_t		 n = strtonum(text, INT64_MIN, INT64_MAX,
	    &wrong);
	struct yaml_node	*literal = NULL;
	double			 real;
	int			 status = 0;

	t->at += length;
	if (wrong == NULL) {
		literal = yaml_new_integer(t->path->arena, n);
	} else if (parse_real("number", text[0] == '+' ? text + 1 : text,
	    -HUGE_VAL, HUGE_VAL, &real, NULL) == 0) {
		literal = yaml_new_text(t->path->arena, text);
		literal->kind = YAML_REAL;
		literal->real = real;
	} else {
		status = error_set(t->e, "cannot parse number %s", text);
	}
	free(text);
	if (status == 0)
		add_step(s, JSONPATH_LITERAL)->literal = literal;
	return status;
}

static void
read_word(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	char	*word = read_name(t);

	if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
		add_step(s, JSONPATH_LITERAL)->literal = yaml_new_bool(
		    t->path->arena, word[0] == 't');
	else if (strcmp(word, "range") == 0)
		(void)add_step(s, JSONPATH_RANGE);
	else if (strcmp(word, "end") == 0)
		(void)add_step(s, JSONPATH_END);
	else {
		add_step(s, JSONPATH_UNKNOWN)->word = word;
		return;
	}
	free(word);
}

/* One number of a slice, which may be left out. */
static int
read_bound(const char **at, bool *known, int64_t *value, struct error *e)
{
	const size_t	 length = (size_t)(**at == '-') + strspn(*at +
	    (**at == '-'), "0123456789");
	char		*text = xasprintf("%.*s", (int)length, *at);
	const char	*wrong = NULL;

	*known = length > 0;
	*value = *known ? strtonum(text, INT32_MIN, INT32_MAX, &wrong) : 0;
	*at += length;
	if (wrong != NULL)
		(void)error_set(e, "array index %s is not a number", text);
	free(text);
	return wrong == NULL ? 0 : -1;
}

/* "0", "1:3", "::2", "" */
static int
read_slice(struct jsonpath_text *t, const char *text, size_t length,
    struct jsonpath_steps *s)
{
	struct jsonpath_step	*step = add_step(s, JSONPATH_SLICE);
	const char		*at = text;
	bool			 has_stride = false;

	step->stride = 1;
	if (read_bound(&at, &step->has_begin, &step->begin, t->e) != 0)
		return -1;
	if (*at != ':') {
		step->is_index = step->has_end = true;
		step->end = step->begin + 1;
	} else {
		at++;
		if (read_bound(&at, &step->has_end, &step->end, t->e) != 0)
			return -1;
		if (*at == ':') {
			at++;
			if (read_bound(&at, &has_stride, &step->stride,
			    t->e) != 0)
				return -1;
			if (!has_stride)
				step->stride = 1;
		}
	}
	return at == text + length ? 0 : error_set(t->e, "invalid array "
	    "index %.*s", (int)length, text);
}

/* ['a.b'] is one field, with or without a backslash in front of the dot. */
static void
add_quoted_field(struct jsonpath_steps *s, const char *text, size_t length)
{
	char	*name = xmalloc(length + 1), *to = name;
	size_t	 i;

	for (i = 0; i < length; i++)
		if (text[i] != '\\')
			*to++ = text[i];
	*to = '\0';
	add_step(s, JSONPATH_FIELD)->word = name;
}

/* Bytes up to one of these, of which those in quotes do not count. */
static size_t
span_to(const char *text, const char *stop)
{
	const char	*at = text;
	char		 quote = '\0';

	for (; *at != '\0' && *at != '\n'; at++) {
		if (quote != '\0')
			quote = *at == quote ? '\0' : quote;
		else if (*at == '\'' || *at == '"')
			quote = *at;
		else if (strchr(stop, *at) != NULL)
			break;
	}
	return (size_t)(at - text);
}

/* "[a, b]": each part as if it stood in brackets of its own. */
static int
read_union(struct jsonpath_text *t, const char *text, size_t length,
    struct jsonpath_steps *s)
{
	struct jsonpath_step	*step = add_step(s, JSONPATH_UNION);
	const char		*end = text + length;
	char			*part;
	size_t			 size;
	int			 status = 0;

	while (status == 0 && text <= end) {
		text += strspn(text, " ");
		size = span_to(text, ",]");
		part = xasprintf("[%.*s]", (int)size, text);
		status = read_part(t, part, strlen(part), step);
		free(part);
		text += size + 1;
	}
	return status;
}

static int
jsonpath_read_array(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	const char	*text = t->at + 1;
	const size_t	 length = span_to(text, "]");
	size_t		 i;

	if (text[length] != ']')
		return error_set(t->e, "unterminated array");
	t->at = text + length + 1;
	i = span_to(text, ",]");
	if (i < length)
		return read_union(t, text, length, s);
	if (length == 1 && text[0] == '*')
		return read_slice(t, ":", 1, s);
	if (length >= 2 && (text[0] == '\'' || text[0] == '"') &&
	    text[length - 1] == text[0]) {
		add_quoted_field(s, text + 1, length - 2);
		return 0;
	}
	return read_slice(t, text, length, s);
}

/* Where the ")" of a filter is: quotes stand only around one side of it. */
static size_t
span_filter(const char *text)
{
	const char	*at = text;
	char		 quote = '\0';

	for (; *at != '\0' && *at != '\n'; at++) {
		if (quote == '\0' && *at == ')')
			break;
		if (quote == '\0' && (*at == '"' || *at == '\''))
			quote = *at;
		else if (*at == quote && at[-1] != '\\')
			quote = '\0';
	}
	return (size_t)(at - text);
}

/* "[?(@.a=="b")]", or "[?(@.a)]": whether there is one. */
static int
read_filter(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	struct jsonpath_step	*step;
	const char		*text = t->at + 3;
	const size_t		 length = span_filter(text);
	size_t			 left, operator;

	if (text[length] != ')')
		return error_set(t->e, "unterminated filter");
	if (text[length + 1] != ']')
		return error_set(t->e, "unclosed array expect ]");
	t->at = text + length + 2;
	step = add_step(s, JSONPATH_FILTER);
	left = strcspn(text, "!<>=");
	operator = strspn(text + left, "!<>=");
	if (left == 0 || left + operator >= length)
		return read_part(t, text, length, step);
	step->word = xasprintf("%.*s", (int)operator, text + left);
	if (read_part(t, text, left, step) != 0)
		return -1;
	left += operator;
	return read_part(t, text + left, length - left, step);
}

static int
read_step(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	const unsigned char	c = (unsigned char)*t->at;

	if (strncmp(t->at, "[?(", 3) == 0)
		return read_filter(t, s);
	if (strncmp(t->at, "..", 2) == 0)
		return read_below(t, s);
	if (c == '\0' || c == '\r' || c == '\n')
		return error_set(t->e, "unclosed action");
	if (c == '[')
		return jsonpath_read_array(t, s);
	if (c == '"' || c == '\'')
		return read_quote(t, s);
	if (c == '+' || c == '-' || isdigit(c))
		return jsonpath_read_number(t, s);
	if (c == '.') {
		t->at++;
		add_field(t, s);
	} else if (c == '_' || isalpha(c) || c >= 0x80) {
		read_word(t, s);
	} else if (c == ' ' || c == '@' || c == '$') {
		t->at++;	/* the value itself */
	} else {
		return error_set(t->e, "unrecognized character in action: "
		    "U+%04X '%c'", c, c);
	}
	return 0;
}

/* Up to the '}' of the action, or the end of the part. */
static int
read_steps(struct jsonpath_text *t, struct jsonpath_steps *s)
{
	while (*t->at != (t->depth == 0 ? '}' : '\0'))
		if (read_step(t, s) != 0)
			return -1;
	return 0;
}

static struct jsonpath_steps *
add_piece(struct jsonpath *p)
{
	p->pieces = xreallocarray(p->pieces, p->count + 1,
	    sizeof(*p->pieces));
	p->pieces[p->count] = (struct jsonpath_piece){ .next = 0 };
	return &p->pieces[p->count++].steps;
}

static bool
has_step(const struct jsonpath_piece *piece, enum jsonpath_kind kind)
{
	size_t	i;

	for (i = 0; i < piece->steps.count; i++)
		if (piece->steps.items[i].kind == kind)
			return true;
	return false;
}

/* Each range learns where its end is, from the last one on. */
static void
match_ranges(struct jsonpath *p)
{
	size_t	i, k;

	for (i = p->count; i-- > 0;) {
		if (!has_step(&p->pieces[i], JSONPATH_RANGE))
			continue;
		for (k = i + 1; k < p->count && !has_step(&p->pieces[k],
		    JSONPATH_END); k++)
			if (p->pieces[k].next != 0)
				k = p->pieces[k].next;
		p->pieces[i].next = k < p->count ? k : p->count;
	}
}

int
jsonpath_read(const char *text, struct jsonpath *p, struct error *e)
{
	struct jsonpath_text	 t = { .path = p, .at = text, .e = e };
	size_t			 length;
	char			*literal;

	*p = (struct jsonpath){ .arena = yaml_arena_new() };
	while (*t.at != '\0') {
		length = strcspn(t.at, "{");
		if (length > 0) {
			literal = xasprintf("%.*s", (int)length, t.at);
			add_step(add_piece(p), JSONPATH_LITERAL)->literal =
			    yaml_new_text(p->arena, literal);
			free(literal);
		}
		t.at += length;
		if (*t.at == '\0')
			break;
		t.at++;
		if (read_steps(&t, add_piece(p)) != 0)
			return -1;
		t.at++;
	}
	match_ranges(p);
	return 0;
}

void
jsonpath_free(struct jsonpath *p)
{
	size_t	i;

	for (i = 0; i < p->count; i++)
		free_steps(&p->pieces[i].steps);
	free(p->pieces);
	yaml_arena_free(p->arena);
	*p = (struct jsonpath){ .arena = NULL };
}

char *
jsonpath_complete(const char *path, struct error *e)
{
	const size_t	length = strlen(path);
	const bool	braced = length > 2 && path[0] == '{' &&
	    path[length - 1] == '}';
	const char	*begin = braced ? path + 1 : path;
	const char	*end = path + length - (braced ? 1 : 0);

	begin += *begin == '.' && begin + 1 < end;
	if (begin == end || strcspn(begin, "{}") < (size_t)(end - begin)) {
		(void)error_set(e, "unexpected path string, expected a "
		    "'name1.name2' or '.name1.name2' or '{name1.name2}' or "
		    "'{.name1.name2}'");
		return NULL;
	}
	return xasprintf("{.%.*s}", (int)(end - begin), begin);
}
