/*
 * A call of ipubox-job: the forms of answers of all verbs, and the effect of
 * each option on the call.
 */
#include "applets/ipubox-job/ipubox-job.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "applets/applet.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"

enum { WEEK_MS = 7 * 24 * 3600 * 1000 };
#define CENTURY_MS (5218 * (int64_t)WEEK_MS)
#define NS INT64_C(1000000000)

/* Print the text of a refusal, with control characters escaped. */
static void __attribute__((format(printf, 2, 0)))
print_refusal(const char *begin, const char *format, va_list ap)
{
	struct error e;

	(void)error_set_list(&e, format, ap);
	fprintf(stderr, "%s%s\n", begin, e.text);
}

int
job_call_refuse(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	print_refusal("error: ", format, ap);
	va_end(ap);
	return EXIT_FAILED;
}

int
job_call_failed(const struct error *e)
{
	fprintf(stderr, "error: %s\n", e->text);
	return EXIT_FAILED;
}

int
job_call_server_error(const char *reason, const char *format, ...)
{
	va_list ap;

	fprintf(stderr, "Error from server (%s): ", reason);
	va_start(ap, format);
	print_refusal("", format, ap);
	va_end(ap);
	return EXIT_FAILED;
}

int
job_call_misuse(const struct job_call *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	print_refusal("error: ", format, ap);
	va_end(ap);
	fprintf(stderr, "usage: ipubox-job %s %s\n", c->verb->name,
	    c->verb->usage);
	return EXIT_USAGE;
}

int
job_call_read_files(const struct job_call *c, struct manifest *m,
    struct error *e)
{
	size_t i;

	for (i = 0; i < c->files.count; i++)
		if (manifest_read(m, c->files.items[i], c->recursive, e) != 0)
			return -1;
	return 0;
}

int
job_call_open(struct job_call *c, bool make)
{
	struct error e;

	c->has_store = true;
	if (job_store_open(&c->store, make, &e) == 0 &&
	    runner_adopt_all(&c->store, &e) == 0)
		return EXIT_DONE;
	if (e.code != ERROR_NOT_FOUND || make)
		return job_call_failed(&e);
	/* No job was created yet, so the store does not exist. */
	c->has_store = false;
	job_store_close(&c->store);
	return EXIT_DONE;
}

/* ---- options ---- */

/* Parse a duration of kubectl: "10m", "1h30m".  kubectl refuses a bare number;
   here it means seconds.  Negative: no limit. */
static int
set_duration(const char *what, const char *text, int64_t *ms, struct error *e)
{
	static const struct {
		const char *unit;
		int64_t ms;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 },
		{ "h", 3600000 } };
	const char *at = text;
	int64_t total = 0, number;
	size_t i, length;

	if (*at == '-') {
		*ms = WEEK_MS;
		return 0;
	}
	while (*at >= '0' && *at <= '9') {
		for (number = 0; *at >= '0' && *at <= '9' && number < INT32_MAX;
		     at++)
			number = number * 10 + (*at - '0');
		length = strspn(at, "msh");
		for (i = 0; i < ARRAY_SIZE(units); i++)
			if (strlen(units[i].unit) == length &&
			    strncmp(units[i].unit, at, length) == 0)
				break;
		if (i == ARRAY_SIZE(units) && length > 0)
			break;
		if (total <= CENTURY_MS)
			total += number * (length == 0 ? 1000 : units[i].ms);
		at += length;
	}
	*ms = total;
	return at != text && *at == '\0' && total <= CENTURY_MS ?
	    0 :
	    error_set(e,
		"%s '%s': must be a duration, such as 30s, 10m or 1h30m", what,
		text);
}

/* Set an option with a text; false: another kind of option. */
static bool
set_text(struct job_call *c, int key, const char *text)
{
	const struct {
		int key;
		const char **value;
	} texts[] = { { 'n', &c->space }, { 'o', &c->output },
		{ 'l', &c->selector },
		{ KEY_FIELD_SELECTOR, &c->field_selector },
		{ 'c', &c->container }, { KEY_FOR, &c->condition },
		{ KEY_TO, &c->target }, { KEY_KUEUE, &c->queue },
		{ KEY_SCHEDULER, &c->scheduler }, { KEY_IMAGE, &c->image },
		{ KEY_VALIDATE, &c->validate } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i].key == key) {
			*texts[i].value = text;
			return true;
		}
	return false;
}

/* Set a flag, or a "[=BOOL]" option, which is true without a value.  All other
   options are accepted without effect. */
static int
set_switch(struct job_call *c, int key, const char *text, struct error *e)
{
	const struct {
		int key;
		bool *value;
		const char *name; /* if it takes a BOOL */
	} flags[] = {
		{ 'A', &c->all_spaces, NULL }, { 'R', &c->recursive, NULL },
		{ 'i', &c->input, NULL }, { 'p', &c->previous, NULL },
		{ 't', &c->terminal, NULL }, { 'w', &c->watch, NULL },
		{ KEY_ALL, &c->all, NULL }, { KEY_JSON, &c->json, NULL },
		{ KEY_NO_HEADERS, &c->no_headers, NULL },
		{ KEY_PREFIX, &c->prefix, NULL },
		{ KEY_SHOW_LABELS, &c->show_labels, NULL },
		{ KEY_STRICT, &c->strict, NULL },
		{ KEY_TIMESTAMPS, &c->timestamps, NULL },
		{ KEY_WAIT, &c->wait, "--wait" },
		{ KEY_IGNORE_NOT_FOUND, &c->ignore_not_found,
		    "--ignore-not-found" },
		{ KEY_ALL_CONTAINERS, &c->all_containers, "--all-containers" }
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		if (flags[i].key != key)
			continue;
		*flags[i].value = true;
		return flags[i].name == NULL || text == NULL ?
		    0 :
		    parse_bool(flags[i].name, text, flags[i].value, e);
	}
	return 0;
}

/* Set an option with a number.  1: another kind of option. */
static int
set_count_option(struct job_call *c, int key, const char *text, struct error *e)
{
	long long without_effect;
	const struct {
		int key;
		const char *name;
		long long low;
		long long high;
		long long *value;
	} numbers[] = {
		{ KEY_TAIL, "--tail", -1, INT32_MAX, &c->tail },
		{ KEY_LIMIT_BYTES, "--limit-bytes", 1, INT64_MAX,
		    &c->limit_bytes },
		{ KEY_REPLICAS, "--replicas", 0, 1024, &c->replicas },
		{ KEY_CURRENT_REPLICAS, "--current-replicas", -1, 1024,
		    &c->current_replicas },
		{ KEY_GRACE_PERIOD, "--grace-period", -1, INT32_MAX,
		    &without_effect },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (numbers[i].key == key)
			return parse_number(numbers[i].name, text,
			    numbers[i].low, numbers[i].high, numbers[i].value,
			    e);
	return 1;
}

static int
set_option(struct job_call *c, int key, const char *text, struct error *e)
{
	int64_t ms;
	int status;

	/* kubectl accepts "-o=wide", with "=" after a letter. */
	if (key < OPTIONS_LONG && text != NULL && text[0] == '=')
		text++;
	if (set_text(c, key, text))
		return 0;
	if ((status = set_count_option(c, key, text, e)) != 1)
		return status;
	switch (key) {
	case 'f':
		if (text == NULL)
			c->follow = true; /* of logs */
		else
			strvec_add(&c->files, text);
		return 0;
	case KEY_DRY_RUN:
		c->dry_run = text != NULL ? text : "client";
		return 0;
	case KEY_SORT_BY:
		return error_set(e,
		    "option '--sort-by' is not supported; print the field with "
		    "-o jsonpath and pipe it to sort(1), or sort the output of "
		    "-o json");
	case KEY_TIMEOUT:
		return set_duration("--timeout", text, &c->timeout_ms, e);
	case KEY_SINCE:
		if ((status = set_duration("--since", text, &ms, e)) == 0)
			c->since_ns = clock_real_ns() - ms * 1000000;
		return status;
	case KEY_SINCE_TIME:
		ms = pod_object_read_time(text);
		c->since_ns = ms < INT64_MAX / NS ? ms * NS : INT64_MAX;
		return ms != 0 ?
		    0 :
		    error_set(e,
			"--since-time '%s': must be a time, such as "
			"2026-11-23T14:00:00Z",
			text);
	default:
		return set_switch(c, key, text, e);
	}
}

/* Cut off the words after "--", which belong to a command and are not
   options. */
static char **
cut_command(const struct job_verb *v, int *argc, char **argv)
{
	int i;

	for (i = 1; (v->flags & VERB_COMMAND) != 0 && i < *argc; i++)
		if (strcmp(argv[i], "--") == 0) {
			argv[i] = NULL;
			*argc = i;
			return argv + i + 1;
		}
	return NULL;
}

int
job_options_read(struct job_call *c, int argc, char **argv, struct error *e)
{
	struct option_parser parser;
	int key;

	c->wait = true;
	c->tail = -2;
	c->limit_bytes = c->timeout_ms = -1;
	c->replicas = c->current_replicas = -1;
	c->command = cut_command(c->verb, &argc, argv);
	strvec_init(&c->files);
	options_init(&parser, c->verb->options, argc, argv,
	    (c->verb->flags & VERB_COMMAND) != 0 && c->command == NULL);
	while ((key = options_next(&parser, e)) >= 0) {
		if (key == 'h')
			return 1;
		if (set_option(c, key, parser.argument, e) != 0)
			return -1;
	}
	if (key == OPTIONS_ERROR ||
	    selector_check(c->selector, c->field_selector, e) != 0)
		return -1;
	c->operands = argv + parser.operand;
	c->count = parser.argc - parser.operand;
	if ((c->verb->flags & VERB_FILES) != 0)
		for (; c->count > 0; c->count--)
			strvec_add(&c->files, *c->operands++);
	if (c->space == NULL)
		c->space = "default";
	return 0;
}
