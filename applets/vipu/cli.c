#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/complete.h"
#include "applets/vipu/output.h"
#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/base/name.h"
#include "core/base/parse.h"
#include "core/base/suggest.h"
#include "core/base/text.h"
#include "core/state/state.h"

enum { HELP_COLUMN = 32 };

static const struct option_row global_options[] = {
	{ 'H', "api-host", "HOST", "the controller: local, which is this "
	    "host's own (default)" },
	{ KEY_API_PORT, "api-port", "PORT", "its port (default 8090)" },
	{ KEY_USER_ID, "api-user-id", "USER", "the user who asks" },
	{ KEY_ACCESS_KEY, "api-access-key", "KEY", "the user's access key" },
	{ KEY_CONFIG, "config", "FILE", "the configuration file (default "
	    "~/.vipu-cli.hcl, else /etc/vipu/vipu-cli.hcl)" },
	{ KEY_SERVER_VERSION, "server-version", NULL, "print the version and "
	    "the host of the controller" },
	{ KEY_VERSION, "version", NULL, "print the version; with -v the state "
	    "directory too" },
	{ 'h', "help", NULL, "print this help, or that of a command" },
	{ 0 }
};

static const struct option_row output_options[] = {
	OUTPUT_OPTIONS,
	{ 0 }
};

static bool
has_key(const struct option_row *rows, int key)
{
	while (rows->key != 0 && rows->key != key)
		rows++;
	return rows->key != 0;
}

const struct command *
cli_command_at(const struct command_line *line, int n)
{
	const struct command	*tables[] = { line->own, line->shared,
	    line->further };
	const struct command	*c;
	size_t			 i;

	for (i = 0; i < ARRAY_SIZE(tables); i++)
		for (c = tables[i]; c != NULL && c->verb != NULL; c++)
			if (n-- == 0)
				return c;
	return NULL;
}

/* Whether the word means the entity: "agent" and "agents" are the same. */
static bool
is_entity(const char *word, const char *entity)
{
	size_t	len = strlen(entity);

	return strncmp(word, entity, len) == 0 &&
	    (word[len] == '\0' || strcmp(word + len, "s") == 0);
}

static const struct command *
cli_find_command(const struct command_line *line, char **words, int count)
{
	const struct command	*c;
	int			 i;

	for (i = 0; (c = cli_command_at(line, i)) != NULL; i++)
		if (count > 0 && strcmp(c->verb, words[0]) == 0 &&
		    (c->entity == NULL ||
		    (count > 1 && is_entity(words[1], c->entity))))
			return c;
	return NULL;
}

/* ---- help ---- */

/* "create partition NAME --size N [option ...]", which the caller frees. */
static char *
usage(const struct command *c)
{
	return xasprintf("%s%s%s%s%s%s", c->verb, c->entity != NULL ? " " : "",
	    c->entity != NULL ? c->entity : "", c->entity != NULL &&
	    strcmp(c->verb, "list") == 0 ? "s" : "",
	    c->usage[0] != '\0' ? " " : "", c->usage);
}


/* Each row that is not one of the output options, which come once. */
static size_t
own_rows(const struct option_row *rows, struct option_row own[OPTIONS_MAX])
{
	size_t	n = 0;

	for (; rows->key != 0 && n < OPTIONS_MAX - 1; rows++)
		if (!has_key(output_options, rows->key))
			own[n++] = *rows;
	memset(&own[n], 0, sizeof(own[n]));
	return n;
}

static void
print_options(const struct command *c)
{
	struct option_row	own[OPTIONS_MAX];

	for (; c != NULL && c->verb != NULL; c++) {
		if ((c->flags & COMMAND_ALIAS) != 0 ||
		    own_rows(c->options, own) == 0)
			continue;
		printf("\nOptions of %s%s%s:\n\n", c->verb,
		    c->entity != NULL ? " " : "",
		    c->entity != NULL ? c->entity : "");
		options_print(stdout, own);
	}
}

static void
cli_print_commands(const struct command_line *line)
{
	const struct command	*c;
	char			*text;
	int			 i;

	printf("Commands:\n\n");
	for (i = 0; (c = cli_command_at(line, i)) != NULL; i++) {
		if ((c->flags & COMMAND_ALIAS) != 0)
			continue;
		text = usage(c);
		printf("  ");
		text_wrap(stdout, text, 2, 4);
		free(text);
		printf("\n%*s", HELP_COLUMN, "");
		text_wrap(stdout, c->help, HELP_COLUMN, HELP_COLUMN);
		putchar('\n');
	}
	print_options(line->own);
	print_options(line->further);
	printf("\nOptions of list, get and create --options:\n\n");
	options_print(stdout, output_options);
}

/* The command that an alias is another name of, or the command itself. */
static const struct command *
original(const struct command *c)
{
	while ((c->flags & COMMAND_ALIAS) != 0)
		c--;
	return c;
}

static int
cli_print_help(const struct command_line *line, const struct call *call)
{
	const struct applet	*a = call->applet;
	const struct command	*c = call->command;
	char			*text;

	if (c == NULL) {
		applet_usage(stdout, a, a->synopsis);
		printf("\n%s\n\n", a->purpose);
		cli_print_commands(line);
		printf("\nOptions of every command:\n\n");
	} else {
		text = usage(c);
		applet_usage(stdout, a, text);
		free(text);
		putchar('\n');
		if ((c->flags & COMMAND_ALIAS) == 0)
			text_wrap(stdout, c->help, 0, 0);
		else
			printf("the same as %s", original(c)->verb);
		printf("\n\n");
		options_print(stdout, c->options);
		if (c->options[0].key != 0)
			printf("\n");
	}
	options_print(stdout, global_options);
	if (c == NULL && line->print_more != NULL)
		line->print_more();
	return EXIT_DONE;
}

/* ---- parsing ---- */

/* The row of that name among the first `count`, or NULL. */
static const struct option_row *
find_name(const struct option_row *rows, size_t count, const char *name)
{
	size_t	i;

	for (i = 0; i < count; i++)
		if (rows[i].name != NULL && strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

/*
 * The options of all commands in one table, each name once, since any may
 * come before the words that say which command it is.
 */
static struct option_row *
all_options(const struct command_line *line)
{
	const struct command	*c;
	const struct option_row	*from = global_options;
	struct option_row	*rows;
	size_t			 n = 0;
	int			 i = 0;

	rows = xcalloc(OPTIONS_MAX + 1, sizeof(*rows));
	for (;;) {
		for (; from->key != 0 && n < OPTIONS_MAX; from++)
			if (find_name(rows, n, from->name) == NULL)
				rows[n++] = *from;
		if ((c = cli_command_at(line, i++)) == NULL)
			return rows;
		from = c->options;
	}
}

static int
cli_parse(struct call *call, const struct command_line *line, int argc,
    char **argv, struct error *e)
{
	struct option_row	*rows = all_options(line);
	struct option_parser	 parser;
	int			 key, fixed;

	memset(call, 0, sizeof(*call));
	call->applet = line->applet;
	options_init(&parser, rows, argc, argv, false);
	while ((key = options_next(&parser, e)) >= 0)
		call->values[key] = parser.argument != NULL ?
		    parser.argument : "";
	call->words = argv + parser.operand;
	call->word_count = argc - parser.operand;
	call->dashes = parser.dashes;
	free(rows);
	if (key == OPTIONS_ERROR)
		return -1;
	call->command = cli_find_command(line, call->words, call->word_count);
	if (call->command == NULL)
		return 0;
	fixed = call->command->entity != NULL ? 2 : 1;
	call->operands = call->words + fixed;
	call->operand_count = call->word_count - fixed;
	if (call->operand_count > 0)
		call->name = call->operands[0];
	return 0;
}

/* The long name that the call's command gives a key. */
static const char *
option_name(const struct command_line *line, int key)
{
	const struct option_row	*row = global_options;
	const struct command	*c;
	int			 i = 0;

	for (;;) {
		for (; row->key != 0; row++)
			if (row->key == key)
				return row->name;
		if ((c = cli_command_at(line, i++)) == NULL)
			return "";
		row = c->options;
	}
}

/* "create partition", or "doctor" */
static const char *
title(const struct command *c, char *text, size_t size)
{
	(void)snprintf(text, size, "%s%s%s", c->verb, c->entity != NULL ?
	    " " : "", c->entity != NULL ? c->entity : "");
	return text;
}

/* Only this command's options, and as many operands as it takes. */
static int
check_call(const struct command_line *line, const struct call *call)
{
	const struct command	*c = call->command;
	char			 text[64];
	int			 key;

	(void)title(c, text, sizeof(text));
	for (key = 0; key < KEY_END; key++)
		if (call->values[key] != NULL && !has_key(c->options, key) &&
		    !has_key(global_options, key))
			return cli_misuse(call, "%s takes no --%s", text,
			    option_name(line, key));
	if (call->operand_count < c->operands_min)
		return cli_misuse(call, "%s: %s", text,
		    call->operand_count == 0 ? "which one?" :
		    "a word is missing");
	if (c->operands_max != -1 && call->operand_count > c->operands_max)
		return cli_misuse(call, "%s: one word too many: '%s'", text,
		    call->operands[c->operands_max]);
	return EXIT_DONE;
}

static int
no_command(const struct command_line *line, const struct call *call)
{
	const struct command	*c;
	struct suggestion	 verb, entity;
	struct error		 e;
	bool			 known = false;
	int			 i = 0;

	if (call->word_count == 0)
		return cli_misuse(call, "which command?");
	suggest_begin(&verb, call->words[0]);
	suggest_begin(&entity, call->word_count > 1 ? call->words[1] : "");
	while ((c = cli_command_at(line, i++)) != NULL) {
		if (c->help != NULL)
			suggest_offer(&verb, c->verb);
		if (strcmp(c->verb, call->words[0]) != 0)
			continue;
		known = true;
		if (c->help != NULL && c->entity != NULL)
			suggest_offer(&entity, c->entity);
	}
	if (known && call->word_count == 1)
		return cli_misuse(call, "%s what?", call->words[0]);
	(void)error_set(&e, "no command '%s%s%s' (--help lists them)",
	    call->words[0], known ? " " : "", known ? call->words[1] : "");
	(void)suggest_append(known ? &entity : &verb, "", &e);
	return cli_misuse(call, "%s", e.text);
}

/* What a message quotes may be anything; a terminal shall not obey it. */
static void
print_plain(const char *text)
{
	struct error	plain;

	text_printable(text, plain.text, sizeof(plain.text));
	fputs(plain.text, stderr);
}

void
call_config_options(const struct call *call, struct config_options *options)
{
	*options = (struct config_options){
		.file = call->values[KEY_CONFIG],
		.values = {
			[CONFIG_API_HOST] = call->values['H'],
			[CONFIG_API_PORT] = call->values[KEY_API_PORT],
			[CONFIG_USER_ID] = call->values[KEY_USER_ID],
			[CONFIG_ACCESS_KEY] = call->values[KEY_ACCESS_KEY],
			[CONFIG_IPUOF_LOCATION] =
			    call->values[KEY_IPUOF_LOCATION]
		}
	};
}

/* Where the call goes and who makes it. */
static int
configure(const struct command_line *line, struct call *call)
{
	struct config_options		options;
	struct error			error;
	int				status;

	call_config_options(call, &options);
	status = config_read(&call->config, &options, &error);
	if (status == 0)
		status = config_check_host(&call->config, &error);
	if (status == 0 && !line->admin)
		status = config_caller(&call->config, &call->caller, &error);
	call->caller.admin = line->admin;
	if (status == 0)
		return EXIT_DONE;
	fprintf(stderr, "%s: ", call->applet->name);
	print_plain(error.text);
	fprintf(stderr, "\n");
	return EXIT_FAILED;
}

/* "; ..." where an option may have been meant for another program. */
static const char *
dashes_hint(const struct command_line *line, char **argv)
{
	const struct command	*c;
	bool			 runs_program = false;
	int			 i, n;

	for (i = 1; argv[i] != NULL; i++) {
		if (strcmp(argv[i], "--") == 0)
			return "";
		for (n = 0; (c = cli_command_at(line, n)) != NULL; n++)
			if (strcmp(c->verb, argv[i]) == 0 &&
			    (c->flags & COMMAND_RUNS_PROGRAM) != 0)
				runs_program = true;
	}
	return runs_program ? "; put -- before the program, then its options "
	    "are its own" : "";
}

static int
complete_line(const struct command_line *line, int count, char **words)
{
	struct call	call = { .applet = line->applet };

	return configure(line, &call) != EXIT_DONE ? EXIT_FAILED :
	    complete(line, global_options, &call, words, count);
}

/* The version; with -v also where the state is, and who says so. */
static int
cli_print_version(const struct call *call)
{
	struct state_paths	paths;
	struct error		error;
	int			status = applet_version(call->applet);

	if (call->values['v'] == NULL)
		return status;
	if (paths_find(&paths, &error) != 0) {
		fprintf(stderr, "%s: ", call->applet->name);
		print_plain(error.text);
		fprintf(stderr, "\n");
		return EXIT_FAILED;
	}
	printf("state directory: %s, %s\nregistry: %s\n", paths.directory,
	    paths.origin, paths.registry);
	return status;
}

int
cli_run(const struct command_line *line, int argc, char **argv)
{
	struct call	call;
	struct error	error;
	int		status;

	if (argc > 1 && strcmp(argv[1], COMPLETE_WORD) == 0)
		return complete_line(line, argc - 2, argv + 2);
	if (cli_parse(&call, line, argc, argv, &error) != 0)
		return cli_misuse(&call, "%s%s", error.text,
		    dashes_hint(line, argv));
	if (call.values['h'] != NULL)
		return cli_print_help(line, &call);
	if (call.values[KEY_VERSION] != NULL)
		return cli_print_version(&call);
	if (call.values[KEY_SERVER_VERSION] != NULL) {
		if ((status = configure(line, &call)) == EXIT_DONE)
			/* As scripts take it apart, at the colon. */
			printf("version: %s\nhost: localhost:8090\n",
			    IPUBOX_VERSION);
		return status;
	}
	if (call.command == NULL)
		return no_command(line, &call);
	if ((status = check_call(line, &call)) != EXIT_DONE)
		return status;
	/* Who examines a broken configuration cannot need a good one. */
	if ((call.command->flags & COMMAND_NEEDS_NO_CONFIG) == 0 &&
	    (status = configure(line, &call)) != EXIT_DONE)
		return status;
	return call.command->run(&call);
}

/* ---- answers ---- */

int
cli_misuse(const struct call *call, const char *fmt, ...)
{
	struct error	text;
	char		*words;
	va_list		ap;

	va_start(ap, fmt);
	(void)vsnprintf(text.text, sizeof(text.text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s: ", call->applet->name);
	print_plain(text.text);
	fputc('\n', stderr);
	words = call->command != NULL ? usage(call->command) :
	    xstrdup("VERB ENTITY [NAME] [option ...] (--help lists the "
	    "commands)");
	applet_usage_line(stderr, call->applet, words);
	free(words);
	return EXIT_USAGE;
}

static void
cli_print_subject(FILE *out, const struct call *call)
{
	char	text[64], name[2 * NAME_LENGTH_MAX];

	text_printable(call->name != NULL ? call->name : "", name,
	    sizeof(name));
	/* As the guide prints it, also where the alias was used. */
	fprintf(out, "%s", title(original(call->command), text,
	    sizeof(text)));
	if (call->name != NULL)
		fprintf(out, " (%s)", name);
	else if (call->command->entity != NULL)
		fprintf(out, "s");
}

int
cli_success(const struct call *call)
{
	const char	*entity = call->command->entity;

	cli_print_subject(stdout, call);
	printf(": success%s\n", entity != NULL &&
	    strcmp(entity, "partition") == 0 ? "" : ".");
	return EXIT_DONE;
}

int
cli_failed(const struct call *call, const struct error *e)
{
	struct error	first = *e;
	size_t		len = strcspn(first.text, "\n");

	/* The full stop ends the sentence; a hint has a line of its own. */
	first.text[len] = '\0';
	cli_print_subject(stderr, call);
	fprintf(stderr, ": failed: ");
	print_plain(first.text);
	fprintf(stderr, ".\n");
	if (e->text[len] != '\0') {
		print_plain(e->text + len + 1);
		fprintf(stderr, "\n");
	}
	return EXIT_FAILED;
}

int
call_name(const struct call *call, int key, const char *what, char *name)
{
	const char	*text = call->values[key];
	struct error	 error;

	if (text == NULL || name_parse(what, text, name, &error) == 0)
		return 0;
	(void)cli_failed(call, &error);
	return -1;
}

int
cli_number(const struct call *call, int key, long long min, long long max,
    int *value)
{
	const struct option_row	*row = call->command->options;
	struct error		 error;
	char			 what[64];
	long long		 number;

	if (call->values[key] == NULL)
		return 0;
	while (row->key != key)
		row++;
	(void)snprintf(what, sizeof(what), "--%s", row->name);
	if (parse_number(what, call->values[key], min, max, &number,
	    &error) != 0) {
		(void)cli_misuse(call, "%s", error.text);
		return -1;
	}
	*value = (int)number;
	return 0;
}
