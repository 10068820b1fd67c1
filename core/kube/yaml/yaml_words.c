/*
 * libyaml's problems as sentences with a remedy.
 */
#include "core/kube/yaml/yaml_internal.h"

#include <string.h>

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

int
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
