/*
 * Options about the run itself: shown and saved output, standard input, time
 * limits, and its end.
 */
#include "applets/poprun/poprun.h"

#include <stdlib.h>
#include <string.h>

#include "applets/poprun/option_table.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/job/job.h"
#include "core/process/process.h"

enum { GRACE_MAX_S = 86400, RESTARTS_MAX = 1000000 };

static int
set_instance(const char *what, const char *value, int *index, struct error *e)
{
	long long number;

	if (parse_number(what, value, 0, INSTANCES_MAX - 1, &number, e) != 0)
		return -1;
	*index = (int)number;
	return 0;
}

static int
set_pty(struct launch_settings *s, const char *value, struct error *e)
{
	int index = 0;

	if (options_choose(option_table, option_table_values, KEY_PTY, value,
		&index, e) != 0)
		return -1;
	s->pty = (enum pty_policy)index;
	return 0;
}

static int
set_stdin(struct launch_settings *s, const char *value, struct error *e)
{
	s->stdin_given = true;
	if (strcmp(value, "all") == 0)
		s->stdin_to = STDIN_ALL;
	else if (strcmp(value, "none") == 0)
		s->stdin_to = STDIN_NONE;
	else if (set_instance("--stdin", value, &s->stdin_to, e) != 0)
		return error_append(e, " (or all, or none)");
	return 0;
}

/* Parse a duration in whole seconds. */
static int
set_time(const char *what, const char *value, int *seconds, struct error *e)
{
	int64_t ms;

	if (parse_duration(what, value, &ms, e) != 0)
		return -1;
	*seconds = (int)(ms / 1000);
	return 0;
}

static int
set_number(const char *what, const char *value, int max, int *number,
    struct error *e)
{
	long long read;

	if (parse_number(what, value, 0, max, &read, e) != 0)
		return -1;
	*number = (int)read;
	return 0;
}

int
settings_run_apply(struct launch_settings *s, int key, const char *value,
    struct error *e)
{
	switch (key) {
	case KEY_ONLY_OUTPUT:
		return set_instance("--only-output-from-instance", value,
		    &s->only_output, e);
	case KEY_CONSOLE_INSTANCES:
		s->console_instances = value;
		return 0;
	case KEY_LOG_DIR:
		s->log_dir = value;
		return *value != '\0' ?
		    0 :
		    error_set(e, "--log-dir '': must name a directory");
	case KEY_TEE:
		return parse_bool("--tee", value, &s->tee, e);
	case KEY_TAG_FORMAT:
		s->tag_format = value;
		return tag_format_check("--tag-format", value, e);
	case KEY_PTY:
		return set_pty(s, value, e);
	case KEY_COLOR:
		return terminal_colour_parse("--color", value, &s->colour, e);
	case KEY_STDIN:
		return set_stdin(s, value, e);
	case KEY_TIMEOUT:
		return set_time("--timeout", value, &s->timeout_s, e);
	case KEY_START_TIMEOUT:
		return set_time("--start-timeout", value, &s->start_timeout_s,
		    e);
	case KEY_GRACE:
		return set_number("--grace", value, GRACE_MAX_S, &s->grace_s,
		    e);
	case KEY_MAX_RESTARTS:
		return set_number("--max-restarts", value, RESTARTS_MAX,
		    &s->max_restarts, e);
	default:
		s->check = true;
		return 0;
	}
}

/* Check that an option names an existing instance. */
static int
check_index(const struct launch_settings *s, const char *option, int index,
    struct error *e)
{
	if (index < s->layout.num_instances)
		return 0;
	return error_set(e, "%s %d: the job has %d instance%s, counted from 0",
	    option, index, s->layout.num_instances,
	    s->layout.num_instances == 1 ? "" : "s");
}

static int
check_console(const struct launch_settings *s, struct error *e)
{
	const int count = s->layout.num_instances;
	bool *shown;
	int status;

	if (s->console_instances == NULL)
		return 0;
	shown = xcalloc((size_t)count, sizeof(*shown));
	status = index_list_read("--console-instances", s->console_instances,
	    count, shown, e);
	free(shown);
	return status;
}

int
settings_run_check(const struct launch_settings *s, struct error *e)
{
	if (check_index(s, "--only-output-from-instance", s->only_output, e) !=
	    0)
		return -1;
	if (check_console(s, e) != 0)
		return -1;
	return check_index(s, "--stdin", s->stdin_to, e);
}
