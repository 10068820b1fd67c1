/*
 * Traces of damage to a manifest, searched line by line and only after it could
 * not be read.
 */
#include "core/kube/schema/schema.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/alloc.h"

/* A line of a text, without its line break. */
struct text_line {
	const char *text;
	size_t length;
	int number;
};

/* Get the next line, starting from zeroes; false: the end. */
static bool
next_line(const char *text, size_t size, struct text_line *line)
{
	const char *end = text + size, *at = text, *newline;

	if (line->number > 0) {
		at = line->text + line->length;
		if (at < end)
			at++;
	}
	if (at == end)
		return false;
	newline = memchr(at, '\n', (size_t)(end - at));
	line->text = at;
	line->length = newline == NULL ?
	    (size_t)(end - at) :
	    (size_t)(newline - at);
	line->number++;
	return true;
}

static bool
begins_with(const struct text_line *line, const char *word)
{
	return line->length >= strlen(word) &&
	    memcmp(line->text, word, strlen(word)) == 0;
}

/* Return the number of the first line that starts with the word, or 0. */
static int
find_line_with(const char *text, size_t size, const char *word)
{
	struct text_line line = { .text = NULL };

	while (next_line(text, size, &line))
		if (begins_with(&line, word))
			return line.number;
	return 0;
}

/* Return the first line that a web page indented with U+00A0, or 0. */
static int
find_no_break_space(const char *text, size_t size)
{
	struct text_line line = { .text = NULL };
	size_t i;

	while (next_line(text, size, &line)) {
		for (i = 0; i < line.length && line.text[i] == ' '; i++)
			continue;
		if (line.length - i >= 2 &&
		    memcmp(line.text + i, "\302\240", 2) == 0)
			return line.number;
	}
	return 0;
}

/* Whether lines are numbered from 1 on, as in editors and web pages. */
static bool
has_line_numbers(const char *text, size_t size)
{
	struct text_line line = { .text = NULL };
	size_t i;
	int number;

	while (line.number < 3 && next_line(text, size, &line)) {
		number = 0;
		for (i = 0; i < line.length && line.text[i] == ' '; i++)
			continue;
		for (; i < line.length && number < 10 &&
		     isdigit((unsigned char)line.text[i]);
		     i++)
			number = number * 10 + (line.text[i] - '0');
		if (number != line.number)
			return false;
	}
	return line.number == 3;
}

/*
 * Whether "metadata:" or "spec:" without a value is followed by a line that
 * starts in the first column and is not "- ": it has lost its indentation.
 */
static bool
has_lost_indentation(const char *text, size_t size)
{
	struct text_line line = { .text = NULL };
	bool below = false;
	const char *c;

	while (next_line(text, size, &line)) {
		c = line.text;
		if (line.length == 0 || *c == '#' || *c == '\r')
			continue;
		if (below && (isalnum((unsigned char)*c) || *c == '\''))
			return true;
		below = (begins_with(&line, "metadata:") ||
			    begins_with(&line, "spec:")) &&
		    line.length <= strlen("metadata:") + 1;
	}
	return false;
}

static bool
has_template(const char *text, size_t size)
{
	const char *end = text + size;

	for (; end - text >= 4; text++)
		if (text[0] == '{' && (text[1] == '{' || text[1] == '%') &&
		    (text[2] == ' ' || text[2] == '-' || text[2] == '.'))
			return true;
	return false;
}

void
manifest_text_explain(const char *text, size_t size, struct error *e)
{
	static const struct {
		const char *begin;
		const char *remedy;
	} traces[] = {
		{ "<<<<<<< ", "is a conflict of git: resolve it" },
		{ "```", "is the fence of a Markdown page: remove it" },
		{ "$ ", "begins with a shell's prompt: remove it" },
	};
	int number;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(traces); i++) {
		number = find_line_with(text, size, traces[i].begin);
		if (number > 0) {
			(void)error_append(e, "; line %d %s", number,
			    traces[i].remedy);
			return;
		}
	}
	number = find_no_break_space(text, size);
	if (number > 0)
		(void)error_append(e,
		    "; line %d is indented with no-break spaces, perhaps "
		    "copied from a page: use plain spaces",
		    number);
	else if (has_line_numbers(text, size))
		(void)error_append(e,
		    "; its lines begin with line numbers: remove them");
	else if (has_template(text, size))
		(void)error_append(e,
		    "; it is a template: fill it in first, for example with "
		    "helm template");
	else if (has_lost_indentation(text, size))
		(void)error_append(e,
		    "; the lines have lost their indentation, perhaps when "
		    "copied from a page: indent the fields of metadata: and "
		    "spec: by two spaces");
}

const char *
manifest_text_unfilled(const char *value)
{
	static const struct {
		const char *mark;
		const char *what;
	} marks[] = {
		{ "{{", "; it is a template: fill it in with helm template" },
		{ "${",
		    "; ipubox does not replace variables: use envsubst first" },
		{ "$(", "; container variables are not expanded here" },
		{ "<", "; replace <...> with a value" },
		{ "\342\200\234",
		    "; it has typographic quotation marks: use \"" },
		{ "\342\200\231",
		    "; it has typographic quotation marks: use \"" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(marks); i++)
		if (strstr(value, marks[i].mark) != NULL)
			return marks[i].what;
	return "";
}
