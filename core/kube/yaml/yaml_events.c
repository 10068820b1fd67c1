/*
 * libyaml(3)'s events with a separate stack: its loader would make one array of
 * a whole document, ignores keys, and has no limits.  Read yaml_events_read()
 * first, then take_node().  Problems become sentences with a remedy.
 */
#include "core/kube/yaml/yaml_internal.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "core/base/alloc.h"

/* Place of the fault: where libyaml noticed it, or where its context began. */
enum yaml_where {
	NOTICED,
	BEGAN,
	BOTH /* noticed, and the line of the beginning */
};

static const struct {
	const char *problem;
	enum yaml_where where;
	const char *words;
} yaml_problems[] = {
	{ "did not find expected <document start>", NOTICED,
	    "the document has ended; begin another one with '---'" },
	{ "found undefined tag handle", NOTICED, "an unknown tag" },
	{ "did not find expected node content", NOTICED, "a value is missing" },
	{ "did not find expected '-' indicator", BOTH,
	    "'-' is missing before an item of the list" },
	{ "did not find expected key", BOTH,
	    "this is not a key of the map: wrong indentation, or ':' or a "
	    "quotation mark is missing" },
	{ "did not find expected ',' or ']'", BOTH,
	    "',' or ']' is missing in the list" },
	{ "did not find expected ',' or '}'", BOTH,
	    "',' or '}' is missing in the map" },
	{ "found duplicate %YAML directive", NOTICED,
	    "%YAML must not occur twice" },
	{ "found incompatible YAML document", NOTICED,
	    "%YAML must be 1.1 or 1.2" },
	{ "found duplicate %TAG directive", NOTICED,
	    "%TAG must not define a handle twice" },
	{ "could not find expected ':'", BEGAN, "a key without ':' after it" },
	{ "block sequence entries are not allowed in this context", NOTICED,
	    "a list cannot begin here; put '-' on a line of its own" },
	{ "mapping keys are not allowed in this context", NOTICED,
	    "'?' does not begin a key here" },
	{ "mapping values are not allowed in this context", NOTICED,
	    "a second ':' in the line; put the value in quotes, or the key on "
	    "a line of its own" },
	{ "found unknown directive name", BEGAN, "an unknown directive" },
	{ "could not find expected directive name", BEGAN,
	    "an unknown directive" },
	{ "found an indentation indicator equal to 0", BEGAN,
	    "the number after '|' or '>' must be 1 to 9" },
	{ "found a tab character where an indentation space is expected",
	    NOTICED, "a tab does not indent; use spaces" },
	{ "found a tab character that violates indentation", NOTICED,
	    "a tab does not indent; use spaces" },
	{ "found unexpected document indicator", BEGAN,
	    "a text in quotes that does not end" },
	{ "found unexpected end of stream", BEGAN,
	    "a text in quotes that does not end" },
	{ "found unknown escape character", NOTICED, "an unknown escape" },
	{ "did not find expected hexdecimal number", NOTICED,
	    "an escape without its hexadecimal digits" },
	{ "found invalid Unicode character escape code", NOTICED,
	    "an escape that is not a valid character" },
	{ "found unexpected ':'", NOTICED,
	    "':' needs a space after it here, or quotes around it" },
	{ "did not find expected alphabetic or numeric character", BEGAN,
	    "'&' and '*' need a name of letters, digits, '-' and '_' after "
	    "them, or quotes around them" },
	{ "did not find expected comment or line break", BEGAN,
	    "only a comment may follow on this line" },
	{ "did not find expected whitespace or line break", BEGAN,
	    "a tag needs a space after it" },
};

/* Refuse a character that cannot start a value; libyaml has one text for
   each. */
static int
refuse_character(const struct yaml_reading *r, const yaml_parser_t *p, int line,
    int column)
{
	const unsigned char c = *p->buffer.pointer;

	if (c == '\t')
		return yaml_tree_refuse(r, line, column,
		    "a tab does not indent; use spaces");
	return yaml_tree_refuse(r, line, column,
	    "a value does not begin with '%c'; put it in quotes", c);
}

static int
yaml_words_refuse(const struct yaml_reading *r, const yaml_parser_t *p)
{
	const int line = (int)p->problem_mark.line + 1;
	const int column = (int)p->problem_mark.column + 1;
	const int began = (int)p->context_mark.line + 1;
	size_t i;

	if (p->error == YAML_MEMORY_ERROR)
		xfail();
	if (p->error == YAML_READER_ERROR)
		return yaml_tree_refuse_at(r, p->problem_offset,
		    "a control character; write it as an escape in double "
		    "quotes");
	if (strcmp(p->problem, "found character that cannot start any token") ==
	    0)
		return refuse_character(r, p, line, column);
	for (i = 0; i < ARRAY_SIZE(yaml_problems); i++)
		if (strcmp(p->problem, yaml_problems[i].problem) == 0)
			break;
	if (i == ARRAY_SIZE(yaml_problems))
		return yaml_tree_refuse(r, line, column, "not YAML: %s",
		    p->problem);
	if (yaml_problems[i].where == BEGAN)
		return yaml_tree_refuse(r, began,
		    (int)p->context_mark.column + 1, "%s",
		    yaml_problems[i].words);
	if (yaml_problems[i].where == BOTH)
		return yaml_tree_refuse(r, line, column,
		    "%s (it began in line %d)", yaml_problems[i].words, began);
	return yaml_tree_refuse(r, line, column, "%s", yaml_problems[i].words);
}

enum { TAG_DIRECTIVES_MAX = 16 }; /* libyaml compares all pairs */

/* The node of an alias.  `name` is first: the tree compares it. */
struct yaml_anchor {
	const char *name;
	struct yaml_node *node;
	size_t nodes; /* with all aliases expanded */
	size_t bytes;
	int height;
	bool open; /* its end was not read yet */
};

/* An open list or map. */
struct yaml_frame {
	struct yaml_node *node;
	struct yaml_anchor *anchor; /* or NULL */
	size_t nodes;		    /* read before it */
	size_t bytes;
	size_t first; /* index of its first item */
	int height;
	bool has_key;	       /* its value comes next */
	bool merge;	       /* the key is "<<" */
	struct yaml_item item; /* the key and its place */
};

struct yaml_events {
	struct yaml_reading *reading;
	size_t given;  /* bytes given to libyaml */
	bool ended;    /* the end of the text was given too */
	void *anchors; /* tsearch(3) */
	struct yaml_node *root;
	struct yaml_item *items; /* of all open lists and maps */
	size_t count;
	size_t room;
	int depth;
	struct yaml_frame frames[YAML_DEPTH_MAX];
};

/* A complete node with its place and its expanded size. */
struct yaml_taken {
	struct yaml_node *node;
	int line;
	int column;
	int height; /* 0: a scalar */
	bool plain; /* without quotes and tag */
};

static int
event_line(const yaml_event_t *event)
{
	return (int)event->start_mark.line + 1;
}

static int
event_column(const yaml_event_t *event)
{
	return (int)event->start_mark.column + 1;
}

static int
compare_anchors(const void *va, const void *vb)
{
	const struct yaml_anchor *a = va, *b = vb;

	return strcmp(a->name, b->name);
}

/* tsearch(3) owns the tree's nodes, the arena owns the anchors. */
static void
keep_anchor(void *anchor)
{
	(void)anchor;
}

static void
forget_anchors(struct yaml_events *v)
{
	tdestroy(v->anchors, keep_anchor);
	v->anchors = NULL;
}

/*
 * Add an anchor.  A reused name means the newer node from there on.  It gets a
 * new record: the older node may still be open, and its end fills in the older
 * record.
 */
static struct yaml_anchor *
add_anchor(struct yaml_events *v, const yaml_char_t *name,
    struct yaml_node *node)
{
	struct yaml_anchor *a, **slot;

	if (name == NULL)
		return NULL;
	a = yaml_tree_alloc(v->reading->arena, sizeof(*a));
	a->name = yaml_tree_text(v->reading->arena, (const char *)name,
	    strlen((const char *)name));
	a->node = node;
	a->nodes = 1;
	slot = tsearch(a, &v->anchors, compare_anchors);
	if (slot == NULL)
		xfail();
	*slot = a;
	return a;
}

/* Return "str" of "tag:yaml.org,2002:str"; NULL: another tag. */
static const char *
short_tag(const yaml_char_t *tag)
{
	static const char prefix[] = "tag:yaml.org,2002:";

	if (strncmp((const char *)tag, prefix, sizeof(prefix) - 1) != 0)
		return NULL;
	return (const char *)tag + sizeof(prefix) - 1;
}

static int
refuse_tag(const struct yaml_events *v, const yaml_event_t *event,
    const yaml_char_t *tag)
{
	const char *known = short_tag(tag);

	return yaml_tree_refuse(v->reading, event_line(event),
	    event_column(event),
	    "the tag '%s%.100s' is unknown or does not suit this value",
	    known != NULL ? "!!" : "",
	    known != NULL ? known : (const char *)tag);
}

/* Take a scalar as a key: its text, without resolving it. */
static int
take_key(struct yaml_events *v, struct yaml_frame *f,
    const struct yaml_taken *t)
{
	const enum yaml_kind kind = t->node->kind;

	if (kind == YAML_LIST || kind == YAML_MAP)
		return yaml_tree_refuse(v->reading, t->line, t->column,
		    "a key must be a string, not a %s",
		    kind == YAML_LIST ? "list" : "map");
	if (kind == YAML_NULL)
		return yaml_tree_refuse(v->reading, t->line, t->column,
		    "a key must be a string, not null; put it in quotes");
	f->item.key = t->node->text;
	f->item.line = t->line;
	f->item.column = t->column;
	f->has_key = true;
	f->merge = t->plain && strcmp(t->node->text, "<<") == 0;
	return 0;
}

static int
check_merge(struct yaml_events *v, const struct yaml_taken *t)
{
	const struct yaml_node *n = t->node;
	bool good = n->kind == YAML_MAP;
	size_t i;

	if (n->kind == YAML_LIST) {
		good = true;
		for (i = 0; i < n->count; i++)
			good = good && n->items[i].node->kind == YAML_MAP;
	}
	return good ?
	    0 :
	    yaml_tree_refuse(v->reading, t->line, t->column,
		"'<<' must have a map or a list of maps; put it in "
		"quotes to use it as a key");
}

/* Whether the next node is a key. */
static bool
wants_key(const struct yaml_events *v)
{
	const struct yaml_frame *f;

	if (v->depth == 0)
		return false;
	f = &v->frames[v->depth - 1];
	return f->node->kind == YAML_MAP && !f->has_key;
}

/* Take a complete node: the document's root, a key, or the next item. */
static int
take_node(struct yaml_events *v, const struct yaml_taken *t)
{
	struct yaml_frame *f;
	struct yaml_item item = { .node = t->node };

	if (v->depth == 0) {
		v->root = t->node;
		return 0;
	}
	f = &v->frames[v->depth - 1];
	if (t->height >= f->height)
		f->height = t->height + 1;
	if (wants_key(v))
		return take_key(v, f, t);
	if (f->node->kind == YAML_MAP) {
		if (f->merge && check_merge(v, t) != 0)
			return -1;
		item = f->item;
		item.node = t->node;
		if (f->merge)
			item.key = NULL;
		f->has_key = false;
	}
	if (v->count == v->room) {
		v->room = v->room == 0 ? 64 : v->room * 2;
		v->items = xreallocarray(v->items, v->room, sizeof(*v->items));
	}
	v->items[v->count++] = item;
	return 0;
}

static int
read_scalar(struct yaml_events *v, const yaml_event_t *event)
{
	const yaml_char_t *text = event->data.scalar.value;
	const yaml_char_t *tag = event->data.scalar.tag;
	const size_t length = event->data.scalar.length;
	struct yaml_taken t = { .line = event_line(event),
		.column = event_column(event) };
	const char *known = tag != NULL ? short_tag(tag) : NULL;
	struct yaml_anchor *a;

	if (memchr(text, '\0', length) != NULL)
		return yaml_tree_refuse(v->reading, t.line, t.column,
		    "a text with a NUL character");
	if (yaml_tree_count(v->reading, t.line, t.column, wants_key(v) ? 0 : 1,
		length) != 0)
		return -1;
	t.node = yaml_tree_node(v->reading->arena, YAML_TEXT, t.line, t.column);
	t.node->text = yaml_tree_text(v->reading->arena, (const char *)text,
	    length);
	if (tag != NULL) {
		if (known == NULL || yaml_scalar_resolve_as(t.node, known) != 0)
			return refuse_tag(v, event, tag);
	} else if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
		t.plain = true;
		yaml_scalar_resolve(t.node);
	}
	a = add_anchor(v, event->data.scalar.anchor, t.node);
	if (a != NULL)
		a->bytes = length;
	return take_node(v, &t);
}

static int
read_alias(struct yaml_events *v, const yaml_event_t *event)
{
	struct yaml_taken t = { .line = event_line(event),
		.column = event_column(event) };
	const struct yaml_anchor wanted = {
		.name = (const char *)event->data.alias.anchor
	};
	struct yaml_anchor *const *found = tfind(&wanted, &v->anchors,
	    compare_anchors);

	if (found == NULL)
		return yaml_tree_refuse(v->reading, t.line, t.column,
		    "*%.100s has no anchor &%.100s before it", wanted.name,
		    wanted.name);
	if ((*found)->open)
		return yaml_tree_refuse(v->reading, t.line, t.column,
		    "*%.100s is inside its own anchor", wanted.name);
	if (v->depth + (*found)->height > YAML_DEPTH_MAX)
		return yaml_tree_refuse(v->reading, t.line, t.column,
		    "more than %d nested lists and maps", YAML_DEPTH_MAX);
	if (yaml_tree_count(v->reading, t.line, t.column, (*found)->nodes,
		(*found)->bytes) != 0)
		return -1;
	t.node = (*found)->node;
	t.height = (*found)->height;
	return take_node(v, &t);
}

static int
begin_frame(struct yaml_events *v, const yaml_event_t *event,
    enum yaml_kind kind, const yaml_char_t *anchor, const yaml_char_t *tag)
{
	struct yaml_reading *r = v->reading;
	const char *known = tag != NULL ? short_tag(tag) : NULL;
	const int line = event_line(event);
	const int column = event_column(event);
	struct yaml_frame *f;

	if (tag != NULL &&
	    (known == NULL ||
		strcmp(known, kind == YAML_MAP ? "map" : "seq") != 0))
		return refuse_tag(v, event, tag);
	if (v->depth == YAML_DEPTH_MAX)
		return yaml_tree_refuse(r, line, column,
		    "more than %d nested lists and maps", YAML_DEPTH_MAX);
	f = &v->frames[v->depth++];
	*f = (struct yaml_frame){ .nodes = r->nodes,
		.bytes = r->bytes,
		.first = v->count,
		.height = 1 };
	f->node = yaml_tree_node(r->arena, kind, line, column);
	f->anchor = add_anchor(v, anchor, f->node);
	if (f->anchor != NULL)
		f->anchor->open = true;
	return yaml_tree_count(r, line, column, 1, 0);
}

static int
end_frame(struct yaml_events *v)
{
	struct yaml_reading *r = v->reading;
	const struct yaml_frame *f = &v->frames[--v->depth];
	const size_t count = v->count - f->first;
	const struct yaml_item *items = count > 0 ? v->items + f->first : NULL;
	struct yaml_taken t = { f->node, f->node->line, f->node->column,
		f->height, false };

	v->count = f->first;
	if (f->node->kind == YAML_LIST)
		yaml_tree_fill_list(r, f->node, items, count);
	else
		yaml_tree_fill_map(r, f->node, items, count);
	if (f->anchor != NULL) {
		f->anchor->open = false;
		f->anchor->nodes = r->nodes - f->nodes;
		f->anchor->bytes = r->bytes - f->bytes;
		f->anchor->height = f->height;
	}
	return take_node(v, &t);
}

/* End a document; one that only consists of null is skipped. */
static void
end_document(struct yaml_events *v)
{
	if (v->root != NULL && v->root->kind != YAML_NULL)
		yaml_tree_add_document(v->reading, v->root);
	v->root = NULL;
	forget_anchors(v);
}

static int
read_event(struct yaml_events *v, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return read_scalar(v, event);
	case YAML_ALIAS_EVENT:
		return read_alias(v, event);
	case YAML_SEQUENCE_START_EVENT:
		return begin_frame(v, event, YAML_LIST,
		    event->data.sequence_start.anchor,
		    event->data.sequence_start.tag);
	case YAML_MAPPING_START_EVENT:
		return begin_frame(v, event, YAML_MAP,
		    event->data.mapping_start.anchor,
		    event->data.mapping_start.tag);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return end_frame(v);
	case YAML_DOCUMENT_END_EVENT:
		end_document(v);
		return 0;
	default:
		return 0;
	}
}

/* Whether a line may end with this byte; the last three end one in UTF-8. */
static bool
ends_line(char c)
{
	return c == '\n' || c == '\r' || c == '\x85' || c == '\xa8' ||
	    c == '\xa9';
}

/* Limit the directives: libyaml's time grows with the square of their
   number. */
static int
check_directives(const struct yaml_reading *r)
{
	const char *at;
	size_t i;
	int count = 0;

	for (i = 0; i + 4 <= r->size; i++) {
		at = r->text + i;
		if (*at != '%' || memcmp(at, "%TAG", 4) != 0 ||
		    (i > 0 && !ends_line(at[-1])))
			continue;
		if (++count > TAG_DIRECTIVES_MAX)
			return yaml_tree_refuse_at(r, i,
			    "more than %d lines with %%TAG",
			    TAG_DIRECTIVES_MAX);
	}
	return 0;
}

/*
 * Give libyaml the next bytes, and a final newline if it is missing, like
 * kubectl; a text in a block ("|") ends with it.
 */
static int
give_bytes(void *context, unsigned char *buffer, size_t size, size_t *given)
{
	struct yaml_events *v = context;
	const char *text = v->reading->text + v->given;
	const size_t left = v->reading->size - v->given;

	*given = left < size ? left : size;
	memcpy(buffer, text, *given);
	v->given += *given;
	if (*given > 0 || v->ended)
		return 1;
	v->ended = true;
	if (v->reading->size > 0 && text[-1] != '\n') {
		buffer[0] = '\n';
		*given = 1;
	}
	return 1;
}

int
yaml_events_read(struct yaml_reading *r)
{
	struct yaml_events *v;
	yaml_parser_t parser;
	yaml_event_t event;
	bool more = true;
	int status = 0;

	if (check_directives(r) != 0)
		return -1;
	if (!yaml_parser_initialize(&parser))
		xfail();
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	v = xcalloc(1, sizeof(*v));
	v->reading = r;
	yaml_parser_set_input(&parser, give_bytes, v);
	while (status == 0 && more) {
		if (!yaml_parser_parse(&parser, &event)) {
			status = yaml_words_refuse(r, &parser);
		} else {
			status = read_event(v, &event);
			more = event.type != YAML_STREAM_END_EVENT;
			yaml_event_delete(&event);
		}
	}
	forget_anchors(v);
	yaml_parser_delete(&parser);
	free(v->items);
	free(v);
	return status;
}
