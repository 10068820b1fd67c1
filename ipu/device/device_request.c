/*
 * Parses the requests of ipubox-link(7), chapter DEVICE.
 */
#include "ipu/device/device.h"

#include <limits.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/pod/pod.h"

/* Forms of the requests; optional words come last. */
static const struct device_form {
	const char *word;
	const char *usage;
	int needed; /* required numbers after the word */
	int most;
} device_forms[] = {
	[DEVICE_VERB_ID] = { "id", "id IPUS", 1, 1 },
	[DEVICE_VERB_ATTACH] = { "attach", "attach IPUS ID", 2, 2 },
	[DEVICE_VERB_ATTRIBUTES] = { "attributes", "attributes [ID]", 0, 1 },
	[DEVICE_VERB_CHECK] = { "check", "check [ID]", 0, 1 },
	[DEVICE_VERB_WORK] = { "work", "work [ID]", 0, 1 },
	[DEVICE_VERB_DETACH] = { "detach", "detach [ID]", 0, 1 },
};

enum { NUMBERS_MAX = 2, WORDS_MAX = 1 + NUMBERS_MAX + 1 };

/* Cut the line into words; stop at one too many. */
static int
split_words(char *line, char *words[WORDS_MAX])
{
	char *word;
	int n = 0;

	while (n < WORDS_MAX && (word = strsep(&line, " \t")) != NULL)
		if (*word != '\0')
			words[n++] = word;
	return n;
}

static int
device_request_parse_ipus(const char *text, int *ipus, struct error *e)
{
	long long number;

	if (parse_number("IPUS", text, 0, POD_IPUS_MAX, &number, e) != 0)
		return error_recode(e, ERROR_INVALID);
	*ipus = (int)number;
	return 0;
}

static int
device_request_parse_id(const char *text, int *id, struct error *e)
{
	long long number;

	if (parse_number("ID", text, DEVICE_REQUEST_ANY, INT_MAX, &number, e) !=
	    0)
		return error_recode(e, ERROR_INVALID);
	*id = (int)number;
	return 0;
}

static int
parse_words(struct device_request *r, char *const *words, int count,
    struct error *e)
{
	const struct device_form *f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(device_forms); i++)
		if (strcmp(words[0], device_forms[i].word) == 0)
			break;
	if (i == ARRAY_SIZE(device_forms))
		return error_set_code(e, ERROR_INVALID, "unknown request '%s'",
		    words[0]);
	f = &device_forms[i];
	if (count - 1 < f->needed || count - 1 > f->most)
		return error_set_code(e, ERROR_INVALID,
		    "the form of this request is '%s'", f->usage);
	r->verb = (enum device_verb)i;
	words++;
	if ((r->verb == DEVICE_VERB_ID || r->verb == DEVICE_VERB_ATTACH) &&
	    device_request_parse_ipus(*words++, &r->ipus, e) != 0)
		return -1;
	if (r->verb != DEVICE_VERB_ID && count > f->most)
		return device_request_parse_id(*words, &r->id, e);
	return 0;
}

int
device_request_parse(struct device_request *r, const char *line, size_t size,
    struct error *e)
{
	char copy[DEVICE_REQUEST_MAX + 1];
	char *words[WORDS_MAX];
	int count;

	*r = (struct device_request){ .id = DEVICE_REQUEST_ANY };
	if (size > DEVICE_REQUEST_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "a request must be at most %d bytes long",
		    DEVICE_REQUEST_MAX);
	if (memchr(line, '\0', size) != NULL)
		return error_set_code(e, ERROR_INVALID,
		    "a request must not contain a NUL byte");
	memcpy(copy, line, size);
	copy[size] = '\0';
	if ((count = split_words(copy, words)) == 0)
		return error_set_code(e, ERROR_INVALID, "the request is empty");
	return parse_words(r, words, count, e);
}

/* Return the word for an error code; it tells a program how to react. */
static const char *
code_word(enum error_code code)
{
	switch (code) {
	case ERROR_INVALID:
		return "invalid";
	case ERROR_NOT_FOUND:
		return "not-found";
	case ERROR_NO_ROOM:
	case ERROR_BUSY:
		return "busy";
	case ERROR_UNAVAILABLE:
	case ERROR_STALE:
		return "unavailable";
	default:
		return "failed";
	}
}

void
device_request_refuse(FILE *out, const struct error *e)
{
	const char *c;

	fprintf(out, "error %s ", code_word(e->code));
	for (c = e->text; *c != '\0'; c++) {
		if (*c == '\n')
			fputs("\\n", out);
		else if (*c == '\\')
			fputs("\\\\", out);
		else
			fputc(*c, out);
	}
	fputc('\n', out);
}
