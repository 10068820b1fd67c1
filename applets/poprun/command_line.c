/*
 * Parsing poprun's command line into settings.
 *
 *	argv ----------> words ----.
 *	                            +--> merged words --> settings
 *	--import-config --> words -'
 *
 * The typed words are also kept unchanged: --export-config writes them.
 *
 * Source: PopRun user guide, chapters 2 and 3; the texts of its help.
 */
#include "applets/poprun/poprun.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "applets/poprun/option_table.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/base/files/file_link.h"

/* The default settings. */
enum {
	SETTINGS_TIMEOUT_S = 120, /* for a V-IPU server */
	SETTINGS_GRACE_S = 30,	  /* torchrun's default */
	SETTINGS_START_TIMEOUT_S = 600
};

enum {
	CONFIG_FILE_MAX = 1 << 20, /* bytes */
	TRIES_MAX = 1000	   /* names of a file within a second */
};

/* The typed words, and requests for help or the version. */
struct typed {
	struct stored_command command;
	enum request asks;
};

void
command_line_init(struct launch_settings *s)
{
	*s = (struct launch_settings){ .layout = { 1, 1, 1, 1, 0, NULL },
		.remove_partition = true,
		.server_timeout_s = SETTINGS_TIMEOUT_S,
		.partition_attempts = 1,
		.only_output = -1,
		.start_timeout_s = SETTINGS_START_TIMEOUT_S,
		.grace_s = SETTINGS_GRACE_S };
	strvec_init(&s->hosts);
	strvec_init(&s->global_args);
	strvec_init(&s->local_args);
	s->stored = xcalloc(1, sizeof(*s->stored));
	config_file_init(s->stored);
}

void
command_line_release(struct launch_settings *s)
{
	int i;

	strvec_release(&s->hosts);
	hostlist_slots_release(&s->slots);
	strvec_release(&s->global_args);
	strvec_release(&s->local_args);
	for (i = 0; i < s->instance_args_count; i++)
		strvec_release(&s->instance_args[i]);
	free(s->instance_args);
	config_file_release(s->stored);
	free(s->stored);
}

static const struct option_row *
find_row(int key)
{
	const struct option_row *row = option_table;

	while (row->key != key)
		row++;
	return row;
}

/* Add one more unknown option: all of them are reported together. */
static void
add_unknown(struct error *all, const struct error *one)
{
	if (all->text[0] == '\0')
		*all = *one;
	else
		(void)error_append(all, "; %s", one->text);
}

/*
 * Parse argv.  -1: misuse, with all unknown options in one text; an earlier
 * mistake of another kind is reported alone.
 */
static int
take_words(struct typed *t, int argc, char **argv, struct error *e)
{
	struct option_parser parser;
	struct error reason, unknown = { .text = "" };
	int key, i;

	options_init(&parser, option_table, argc, argv, true);
	while ((key = options_next(&parser, &reason)) != OPTIONS_END) {
		if (key == OPTIONS_ERROR && parser.unknown) {
			add_unknown(&unknown, &reason);
			options_skip_argument(&parser);
			continue;
		}
		if (key == OPTIONS_ERROR)
			return error_copy(e, &reason);
		if (key == 'h' || key == KEY_VERSION) {
			t->asks = key == 'h' ? COMMAND_LINE_HELP :
					       COMMAND_LINE_VERSION;
			if (key == 'h')
				return 0;
		}
		config_file_add(&t->command, find_row(key)->name,
		    parser.argument != NULL ? parser.argument : "yes", 0);
	}
	if (unknown.text[0] != '\0')
		return error_copy(e, &unknown);
	for (i = parser.operand; i < argc; i++)
		strvec_add(&t->command.program, argv[i]);
	return 0;
}

static const char *
find_value(const struct stored_command *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->count; i++)
		if (strcmp(c->options[i].name, name) == 0)
			return c->options[i].value;
	return NULL;
}

/* Refuse a repeated option that takes one value. */
static int
check_once(const struct stored_command *c, struct error *e)
{
	size_t i, n;

	for (i = 0; i < c->count; i++) {
		if (option_table_may_repeat(c->options[i].name))
			continue;
		for (n = 0; n < i; n++)
			if (strcmp(c->options[n].name, c->options[i].name) == 0)
				return error_set(e,
				    "option '--%s' cannot be specified more "
				    "than once",
				    c->options[i].name);
	}
	return 0;
}

/* Read the file of --import-config. */
static int
import_config(struct stored_command *file, const char *path, struct error *e)
{
	struct error reason;
	size_t size, i;
	char *text = file_read(path, CONFIG_FILE_MAX, &size, &reason);
	int status;

	if (text == NULL) {
		(void)error_copy(e, &reason);
		return error_prefix(e, "--import-config %s", path);
	}
	status = config_file_parse(file, path, text, size, e);
	free(text);
	for (i = 0; i < file->count && status == 0; i++) {
		status = option_table_check_name(file->options[i].name, e);
		if (status != 0)
			(void)error_prefix(e, "%s:%d", path,
			    file->options[i].line);
	}
	if (status == 0 && check_once(file, e) != 0)
		status = error_prefix(e, "%s", path);
	return status;
}

/* Merge both: an option of the command line hides that of the file. */
static void
command_line_merge(struct stored_command *all,
    const struct stored_command *file, const struct stored_command *typed)
{
	size_t i;

	for (i = 0; i < file->count; i++)
		if (find_value(typed, file->options[i].name) == NULL)
			config_file_add(all, file->options[i].name,
			    file->options[i].value, file->options[i].line);
	for (i = 0; i < typed->count; i++)
		config_file_add(all, typed->options[i].name,
		    typed->options[i].value, 0);
	strvec_add_all(&all->program,
	    typed->program.count > 0 ? typed->program.items :
				       file->program.items);
}

/* Apply all options to the settings; a mistake in the file is reported with its
   line. */
static int
apply(struct launch_settings *s, const char *path, struct error *e)
{
	size_t i;

	for (i = 0; i < s->stored->count; i++) {
		const struct stored_option *o = &s->stored->options[i];

		if (settings_apply(s, o->name, o->value, e) == 0)
			continue;
		return o->line == 0 ? -1 :
				      error_prefix(e, "%s:%d", path, o->line);
	}
	s->program = s->stored->program.items;
	if (settings_check(s, e) != 0)
		return -1;
	if (s->stored->program.count == 0)
		return error_set(e, "no program to launch");
	return 0;
}

/* Read the command line, and the file that it names. */
static int
gather(struct launch_settings *s, const struct typed *t, struct error *e)
{
	const char *path = find_value(&t->command, "import-config");
	struct stored_command file;
	int status = 0;

	config_file_init(&file);
	if (path != NULL)
		status = import_config(&file, path, e);
	if (status == 0) {
		command_line_merge(s->stored, &file, &t->command);
		status = apply(s, path, e);
	}
	config_file_release(&file);
	return status;
}

enum request
command_line_read(struct launch_settings *s, int argc, char **argv,
    struct error *e)
{
	struct typed t = { .asks = COMMAND_LINE_LAUNCH };
	const char *format;
	int status;

	config_file_init(&t.command);
	status = take_words(&t, argc, argv, e);
	if (status == 0 && t.asks == COMMAND_LINE_LAUNCH)
		status = check_once(&t.command, e);
	if (status == 0 && t.asks == COMMAND_LINE_LAUNCH)
		status = gather(s, &t, e);
	format = find_value(&t.command, "version-format");
	if (status == 0 && t.asks == COMMAND_LINE_VERSION && format != NULL)
		status = settings_apply(s, "version-format", format, e);
	config_file_release(&t.command);
	return status == 0 ? t.asks : COMMAND_LINE_MISUSE;
}

/* Sort in the order of the table, so that equal jobs give equal texts. */
static void
sort_options(struct stored_command *sorted, const struct stored_command *said)
{
	const struct option_row *row;
	size_t i;

	for (row = option_table; row->key != 0; row++) {
		if (row->name == NULL || !option_table_is_stored(row->name))
			continue;
		for (i = 0; i < said->count; i++)
			if (strcmp(said->options[i].name, row->name) == 0)
				config_file_add(sorted, row->name,
				    said->options[i].value, 0);
	}
	strvec_add_all(&sorted->program, said->program.items);
}

/* Return "FILE.20261122-103000", with the local time, or with the number of a
   later try "FILE.20261122-103000.2". */
static char *
stamped_path(const char *path, int try)
{
	const time_t now_s = (time_t)(clock_real_ms() / 1000);
	struct tm tm;
	char stamp[32];

	if (localtime_r(&now_s, &tm) == NULL)
		memset(&tm, 0, sizeof(tm));
	(void)strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm);
	return try == 1 ? xasprintf("%s.%s", path, stamp) :
			  xasprintf("%s.%s.%d", path, stamp, try);
}

/*
 * Create a file under a free name.  The name is taken at once, so that two
 * simultaneous calls get separate files.
 */
static int
command_line_write_new(const char *path, const char *text, size_t size,
    struct error *e)
{
	struct error reason;
	char *stamped;
	int status = file_create(path, text, size, &reason), try;

	if (status == 0 || reason.code != ERROR_EXISTS)
		return status == 0 ? 0 : error_copy(e, &reason);
	for (try = 1;; try++) {
		stamped = stamped_path(path, try);
		status = file_create(stamped, text, size, e);
		if (status == 0 || e->code != ERROR_EXISTS || try == TRIES_MAX)
			break;
		free(stamped);
	}
	if (status == 0)
		job_log_line(LOG_INFO,
		    "%s already exists; the options are stored in %s", path,
		    stamped);
	free(stamped);
	return status;
}

int
command_line_export(const struct launch_settings *s, struct error *e)
{
	struct stored_command sorted;
	char *text;
	size_t size;
	int status;

	if (s->export_path == NULL)
		return 0;
	config_file_init(&sorted);
	sort_options(&sorted, s->stored);
	text = config_file_text(&sorted, &size);
	status = s->overwrite_config ?
	    output_file_write(s->export_path, OUTPUT_KEPT, text, size, e) :
	    command_line_write_new(s->export_path, text, size, e);
	if (status != 0)
		(void)error_prefix(e, "--export-config");
	free(text);
	config_file_release(&sorted);
	return status;
}
