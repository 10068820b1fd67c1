/*
 * The options of a command of ipubox-job: what each key does to the call.
 */
#include "applets/ipubox-job/job_options.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "applets/ipubox-job/job_keys.h"
#include "applets/ipubox-job/selector.h"
#include "applets/ipubox-job/verbs.h"
#include "core/base/array.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/ipujob/pod_object.h"

enum { WEEK_MS = 7 * 24 * 3600 * 1000 };

static int
job_options_set_number(const char *what, const char *text, long long low,
    long long high,
    int64_t *value, struct error *e)
{
	long long	n;

	if (parse_number(what, text, low, high, &n, e) != 0)
		return -1;
	*value = n;
	return 0;
}

/* "10m", "1h30m": what kubectl's durations are; a number alone is refused by
   it, and taken as seconds here.  Negative: for ever. */
static int
set_duration(const char *what, const char *text, int64_t *ms,
    struct error *e)
{
	static const struct {
		const char	*unit;
		int64_t		 ms;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 },
	    { "h", 3600000 } };
	const char	*at = text;
	int64_t		 total = 0, number;
	size_t		 i, length;

	if (*at == '-') {
		*ms = WEEK_MS;
		return 0;
	}
	while (*at >= '0' && *at <= '9') {
		for (number = 0; *at >= '0' && *at <= '9' && number <
		    INT32_MAX; at++)
			number = number * 10 + (*at - '0');
		length = strspn(at, "msh");
		for (i = 0; i < ARRAY_SIZE(units); i++)
			if (strlen(units[i].unit) == length &&
			    strncmp(units[i].unit, at, length) == 0)
				break;
		if (i == ARRAY_SIZE(units) && length > 0)
			break;
		total += number * (length == 0 ? 1000 : units[i].ms);
		at += length;
	}
	*ms = total;
	return at != text && *at == '\0' ? 0 : error_set(e, "%s '%s': must be "
	    "a duration, as 30s, 10m or 1h30m", what, text);
}

/* "[=BOOL]": said alone it is true. */
static int
job_options_set_answer(const char *what, const char *text, bool *value,
    struct error *e)
{
	*value = true;
	return text == NULL ? 0 : parse_bool(what, text, value, e);
}

static void
job_options_set_flag(struct job_call *c, int key)
{
	switch (key) {
	case 'A':
		c->all_spaces = true;
		break;
	case 'R':
		c->recursive = true;
		break;
	case 'i':
		c->input = true;
		break;
	case 'p':
		c->previous = true;
		break;
	case 't':
		c->terminal = true;
		break;
	case 'w':
		c->watch = true;
		break;
	case KEY_ALL:
		c->all = true;
		break;
	case KEY_FORCE:
	case KEY_NOW:
		c->force = true;
		break;
	case KEY_JSON:
		c->json = true;
		break;
	case KEY_NO_HEADERS:
		c->no_headers = true;
		break;
	case KEY_PREFIX:
		c->prefix = true;
		break;
	case KEY_SHOW_LABELS:
		c->show_labels = true;
		break;
	case KEY_STRICT:
		c->strict = true;
		break;
	case KEY_TIMESTAMPS:
		c->timestamps = true;
		break;
	default:
		break;		/* accepted: it has no effect here */
	}
}

/* An option with a text; false: it is another kind of option. */
static bool
set_text(struct job_call *c, int key, const char *text)
{
	const struct {
		int		  key;
		const char	**value;
	} texts[] = {
		{ 'n', &c->space }, { 'o', &c->output },
		{ 'l', &c->selector },
		{ KEY_FIELD_SELECTOR, &c->field_selector },
		{ 'c', &c->container }, { KEY_FOR, &c->condition },
		{ KEY_TO, &c->target }, { KEY_KUEUE, &c->queue },
		{ KEY_SCHEDULER, &c->scheduler }, { KEY_IMAGE, &c->image }
	};
	size_t	i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i].key == key) {
			*texts[i].value = text;
			return true;
		}
	return false;
}

static int
set_number_option(struct job_call *c, int key, const char *text,
    struct error *e)
{
	int64_t	value = 0;
	int	status;

	switch (key) {
	case KEY_TAIL:
		status = job_options_set_number("--tail", text, -1, INT32_MAX,
		    &value, e);
		c->tail = (long)value;
		return status;
	case KEY_LIMIT_BYTES:
		return job_options_set_number("--limit-bytes", text, 1,
		    INT64_MAX,
		    &c->limit_bytes, e);
	case KEY_REPLICAS:
		status = job_options_set_number("--replicas", text, 0, 1024,
		    &value, e);
		c->replicas = (int)value;
		return status;
	case KEY_CURRENT_REPLICAS:
		status = job_options_set_number("--current-replicas", text, -1,
		    1024,
		    &value, e);
		c->current_replicas = (int)value;
		return status;
	case KEY_GRACE_PERIOD:
		return job_options_set_number("--grace-period", text, -1,
		    INT32_MAX,
		    &c->grace_s, e);
	default:
		return 0;
	}
}

static int
set_option(struct job_call *c, int key, const char *text, struct error *e)
{
	int64_t	ms;
	bool	answer = true;
	int	status = 0;

	/* "-o=wide": so kubectl takes what is behind a letter. */
	if (key < OPTIONS_LONG && text != NULL && text[0] == '=')
		text++;
	if (set_text(c, key, text))
		return 0;
	switch (key) {
	case 'f':
		if (c->verb->run == verb_logs)
			c->follow = true;
		else
			strvec_add(&c->files, text);
		return 0;
	case KEY_DRY_RUN:
		c->dry_run = text != NULL ? text : "client";
		return 0;
	case KEY_VALIDATE:
		c->validate = text;
		return 0;
	case KEY_SORT_BY:
		return error_set(e, "option '--sort-by' is not here: print "
		    "the field with -o jsonpath and pipe it to sort(1), or "
		    "sort what -o json prints");
	case KEY_WAIT:
		status = job_options_set_answer("--wait", text, &answer, e);
		c->no_wait = !answer;
		return status;
	case KEY_IGNORE_NOT_FOUND:
		return job_options_set_answer("--ignore-not-found", text,
		    &c->ignore_not_found, e);
	case KEY_ALL_CONTAINERS:
		return job_options_set_answer("--all-containers", text,
		    &c->all_containers, e);
	case KEY_TIMEOUT:
		return set_duration("--timeout", text, &c->timeout_ms, e);
	case KEY_SINCE:
		if ((status = set_duration("--since", text, &ms, e)) == 0)
			c->since_ns = clock_real_ns() - ms * 1000000;
		return status;
	case KEY_SINCE_TIME:
		c->since_ns = pod_object_read_time(text) * 1000000000;
		return c->since_ns != 0 ? 0 : error_set(e, "--since-time "
		    "'%s': must be a time, as 2026-11-23T14:00:00Z", text);
	default:
		job_options_set_flag(c, key);
		return set_number_option(c, key, text, e);
	}
}

/* The words behind "--" are a command's, and no options are read there. */
static char **
cut_command(const struct job_verb *v, int *argc, char **argv)
{
	int	i;

	for (i = 1; v->takes_command && i < *argc; i++)
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
	struct option_parser	parser;
	int			key;

	c->tail = -2;
	c->limit_bytes = c->timeout_ms = c->grace_s = -1;
	c->replicas = c->current_replicas = -1;
	c->command = cut_command(c->verb, &argc, argv);
	strvec_init(&c->files);
	options_init(&parser, c->verb->options, argc, argv,
	    c->verb->takes_command && c->command == NULL);
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
	if (c->space == NULL)
		c->space = "default";
	return 0;
}
