/*
 * The command line of vipu or vipu-admin: parsing, help, the checks that all
 * commands share, and the call of the command.  applets/vipu/call.h has the
 * commands' forms of answers.
 */
#include "applets/vipu/command.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/vipu/call.h"
#include "applets/vipu/output.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/server/server.h"
#include "core/state/state.h"

/* Hidden first word; the line to complete follows it. */
#define COMPLETE_WORD "__complete"

enum { HELP_COLUMN = 32 };

static const struct option_row global_options[] = {
	{ 'H', "api-host", "HOST",
	    "ask the controller at this address; local is the pod of this host "
	    "(default: local)" },
	{ KEY_API_PORT, "api-port", "PORT",
	    "port of the controller (default: 8090)" },
	{ KEY_USER_ID, "api-user-id", "USER", "act as this user" },
	{ KEY_ACCESS_KEY, "api-access-key", "KEY", "the user's access key" },
	{ KEY_COLOR, "color", "WHEN",
	    "colour states and verdicts: auto, always or never (default: "
	    "auto)" },
	{ KEY_CONFIG, "config", "FILE",
	    "read this configuration file (default: ~/.vipu-cli.hcl, else "
	    "/etc/vipu/vipu-cli.hcl)" },
	{ KEY_SERVER_VERSION, "server-version", NULL,
	    "print the version and the host of the controller" },
	{ KEY_VERSION, "version", NULL,
	    "print the version; with -v also the state directory and the "
	    "emulated release" },
	{ 'h', "help", NULL, "print this help, or the help of a command" },
	{ 0 },
};

/* ---- help ---- */

/* Collect the rows that are not output options, which are printed once. */
static size_t
own_rows(const struct option_row *rows, struct option_row own[OPTIONS_MAX])
{
	size_t n = 0;

	for (; rows->key != 0 && n < OPTIONS_MAX - 1; rows++)
		if (!command_has_key(output_options, rows->key))
			own[n++] = *rows;
	memset(&own[n], 0, sizeof(own[n]));
	return n;
}

/*
 * Print the options of each command of one table, below its name; aliases and
 * commands without options are skipped.
 */
static void
print_options(const struct command *c)
{
	struct option_row own[OPTIONS_MAX];
	char title[COMMAND_TITLE_SIZE];

	for (; c != NULL && c->verb != NULL; c++) {
		if ((c->flags & COMMAND_ALIAS) != 0 ||
		    own_rows(c->options, own) == 0)
			continue;
		printf("\nOptions of %s:\n\n", command_title(c, title));
		options_print(stdout, own);
	}
}

/*
 * Print all commands with their help in a second column.  Shared commands
 * belong to another applet; its help has their options.
 */
static void
cli_print_commands(const struct command_line *line)
{
	const struct command *c;
	char *text;
	int i;

	printf("Commands:\n\n");
	for (i = 0; (c = command_at(line, i)) != NULL; i++) {
		if ((c->flags & COMMAND_ALIAS) != 0)
			continue;
		text = command_usage(c);
		printf("  ");
		text_wrap(stdout, text, 2, 4);
		free(text);
		printf("\n%*s", HELP_COLUMN, "");
		text_wrap(stdout, c->help, HELP_COLUMN, HELP_COLUMN);
		putchar('\n');
	}
	print_options(line->own);
	print_options(line->further);
	printf("\nOptions of list, get, status and create --options:\n\n");
	options_print(stdout, output_options);
}

/*
 * Print the help of a command, or of the whole applet without one: its options
 * and the common options.
 */
static void
cli_print_help(const struct command_line *line, const struct call *call)
{
	const struct applet *a = call->applet;
	const struct command *c = call->command;
	char *text;

	if (c == NULL) {
		applet_usage(stdout, a, a->synopsis);
		printf("\n%s\n\n", a->purpose);
		cli_print_commands(line);
		printf("\nOptions of every command:\n\n");
	} else {
		text = command_usage(c);
		applet_usage(stdout, a, text);
		free(text);
		putchar('\n');
		if ((c->flags & COMMAND_ALIAS) == 0)
			text_wrap(stdout, c->help, 0, 0);
		else
			printf("the same as %s", command_original(c)->verb);
		printf("\n\n");
		options_print(stdout, c->options);
		if (c->options[0].key != 0)
			printf("\n");
	}
	options_print(stdout, global_options);
	if (c == NULL && line->print_more != NULL)
		line->print_more();
	applet_examples(stdout, c != NULL ? c->examples : a->examples);
}

/* ---- parsing ---- */

/* Find the row of that name among the first `count`, or return NULL. */
static const struct option_row *
find_name(const struct option_row *rows, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (rows[i].name != NULL && strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

/*
 * Collect the options of all commands in one table, each name once, because
 * options may precede the words of the command.
 */
static struct option_row *
all_options(const struct command_line *line)
{
	const struct command *c;
	const struct option_row *from = global_options;
	struct option_row *rows;
	size_t n = 0;
	int i = 0;

	rows = xcalloc(OPTIONS_MAX + 1, sizeof(*rows));
	for (;;) {
		for (; from->key != 0 && n < OPTIONS_MAX; from++)
			if (find_name(rows, n, from->name) == NULL)
				rows[n++] = *from;
		if ((c = command_at(line, i++)) == NULL)
			return rows;
		from = c->options;
	}
}

/* Keep the key, and wipe the word of argv, which other users read in /proc. */
static const char *
take_key(struct call *call, char **argv, const char *key)
{
	const size_t size = strlen(key);
	int i;

	(void)strlcpy(call->access_key, key, sizeof(call->access_key));
	for (i = 1; argv[i] != NULL; i++)
		if (key >= argv[i] && key <= argv[i] + strlen(argv[i]))
			memset(argv[i] + (key - argv[i]), '*', size);
	return call->access_key;
}

/*
 * Options may precede the words of the command, so all options of all commands
 * are accepted first.  check_call() refuses those that the command lacks.
 */
static int
cli_parse(struct call *call, const struct command_line *line, int argc,
    char **argv, struct error *e)
{
	struct option_row *rows = all_options(line);
	struct option_parser parser;
	int key, fixed;

	memset(call, 0, sizeof(*call));
	call->applet = line->applet;
	options_init(&parser, rows, argc, argv, false);
	while ((key = options_next(&parser, e)) >= 0)
		call->values[key] = key == KEY_ACCESS_KEY ?
		    take_key(call, argv, parser.argument) :
		    parser.argument != NULL ? parser.argument :
					      "";
	call->words = argv + parser.operand;
	call->word_count = argc - parser.operand;
	call->dashes = parser.dashes;
	free(rows);
	if (key == OPTIONS_ERROR ||
	    (call->values[KEY_COLOR] != NULL &&
		terminal_colour_parse("--color", call->values[KEY_COLOR],
		    &call->colour, e) != 0))
		return -1;
	call->command = command_find(line,
	    call->word_count > 0 ? call->words[0] : NULL,
	    call->word_count > 1 ? call->words[1] : NULL);
	if (call->command == NULL)
		return 0;
	fixed = call->command->entity != NULL ? 2 : 1;
	call->operands = call->words + fixed;
	call->operand_count = call->word_count - fixed;
	if (call->operand_count > 0)
		call->name = call->operands[0];
	return 0;
}

/* Return the long name of a key in the call's command. */
static const char *
option_name(const struct command_line *line, int key)
{
	const struct option_row *row = global_options;
	const struct command *c;
	int i = 0;

	for (;;) {
		for (; row->key != 0; row++)
			if (row->key == key)
				return row->name;
		if ((c = command_at(line, i++)) == NULL)
			return "";
		row = c->options;
	}
}

/* Check that the command has these options and accepts as many operands. */
static int
check_call(const struct command_line *line, const struct call *call)
{
	const struct command *c = call->command;
	char text[COMMAND_TITLE_SIZE];
	int key;

	(void)command_title(c, text);
	for (key = 0; key < KEY_END; key++)
		if (call->values[key] != NULL &&
		    !command_has_key(c->options, key) &&
		    !command_has_key(global_options, key))
			return call_misuse(call, "%s takes no --%s", text,
			    option_name(line, key));
	if (call->operand_count < c->operands_min)
		return call_misuse(call, "%s: %s is missing", text,
		    c->entity != NULL ? "the name" : "an argument");
	if (c->operands_max != -1 && call->operand_count > c->operands_max)
		return call_misuse(call, "%s: unexpected argument '%s'", text,
		    call->operands[c->operands_max]);
	return EXIT_DONE;
}

/*
 * Refuse an unknown command, and suggest the nearest verb, or the nearest
 * entity of a known verb.  Aliases have no help and are not suggested.
 */
static int
refuse_command(const struct command_line *line, const struct call *call)
{
	const struct command *c;
	struct suggestion verb, entity;
	const char *known = NULL; /* the first entity of the verb */
	struct error e;
	int i = 0;

	if (call->word_count == 0) {
		(void)dup2(STDERR_FILENO, STDOUT_FILENO);
		cli_print_help(line, call);
		return EXIT_USAGE;
	}
	suggest_begin(&verb, call->words[0]);
	suggest_begin(&entity, call->word_count > 1 ? call->words[1] : "");
	while ((c = command_at(line, i++)) != NULL) {
		if (c->help != NULL)
			suggest_offer(&verb, c->verb);
		if (strcmp(c->verb, call->words[0]) != 0)
			continue;
		if (known == NULL)
			known = c->entity;
		if (c->help != NULL && c->entity != NULL)
			suggest_offer(&entity, c->entity);
	}
	if (known != NULL && call->word_count == 1)
		return call_misuse(call,
		    "%s: the entity is missing, such as %s", call->words[0],
		    known);
	(void)error_set(&e,
	    "unknown command '%s%s%s' (--help lists the commands)",
	    call->words[0], known != NULL ? " " : "",
	    known != NULL ? call->words[1] : "");
	(void)suggest_append(known != NULL ? &entity : &verb, "", &e);
	return call_misuse(call, "%s", e.text);
}

/*
 * Read the emulated release.  A variable that is not valid is always refused.
 * Files that are refused are reported when the command reads the state.
 */
static int
read_emulation(struct call *call, struct error *e)
{
	struct error reason;
	bool emulated;

	if ((settings_emulate_hosts(NULL, &emulated, NULL, &reason) != 0 &&
		reason.code == ERROR_INVALID) ||
	    (settings_emulate_sdk(NULL, &call->versions, NULL, &reason) != 0 &&
		reason.code == ERROR_INVALID))
		return error_copy(e, &reason);
	return 0;
}

/* Find the call's controller and identity. */
static int
configure(const struct command_line *line, struct call *call)
{
	struct config_options options;
	struct server_request server;
	struct error error;
	int status;

	call_config_options(call, &options);
	status = config_read(&call->config, &options, &error);
	server = config_server(&call->config);
	if (status == 0)
		status = server_address_check(&server, &error);
	if (status == 0 && !line->admin)
		status = config_caller(&call->config, &call->caller, &error);
	call->caller.admin = line->admin;
	if (status == 0)
		status = read_emulation(call, &error);
	if (status == 0)
		return EXIT_DONE;
	return call_error(call, &error);
}

/* Return "; ..." if an option may be meant for another program. */
static const char *
dashes_hint(const struct command_line *line, char **argv)
{
	const struct command *c;
	bool runs_program = false;
	int i, n;

	for (i = 1; argv[i] != NULL; i++) {
		if (strcmp(argv[i], "--") == 0)
			return "";
		for (n = 0; (c = command_at(line, n)) != NULL; n++)
			if (strcmp(c->verb, argv[i]) == 0 &&
			    (c->flags & COMMAND_RUNS_PROGRAM) != 0)
				runs_program = true;
	}
	return runs_program ?
	    "; put -- before the program so that its options reach it" :
	    "";
}

/*
 * Completion lists names for the caller's identity, so it needs the
 * configuration, but no other part of a call.
 */
static int
complete_line(const struct command_line *line, int count, char **words)
{
	struct call call = { .applet = line->applet };

	return configure(line, &call) != EXIT_DONE ?
	    EXIT_FAILED :
	    complete(line, global_options, &call, words, count);
}

/*
 * Print the version, which is V-IPU's if another release than the guide's is
 * emulated.  -v adds ours, the place of the state, and the emulated release
 * with its source.
 */
static int
cli_print_version(const struct call *call)
{
	struct state_paths paths;
	struct versions versions;
	struct error error;
	char by[STATE_ORIGIN_SIZE];
	bool emulated;
	int status;

	status = applet_versions(call->applet, &versions);
	if (status != EXIT_DONE)
		return status;
	if (versions.vipu != NULL)
		printf("version: %s\n", versions.vipu);
	if (versions.vipu == NULL || call->values['v'] != NULL)
		(void)applet_version(call->applet);
	if (call->values['v'] == NULL)
		return status;
	if (paths_find(&paths, &error) != 0)
		return call_error(call, &error);
	printf("state directory: %s, %s\nregistry: %s\n", paths.directory,
	    paths.origin, paths.registry);
	if (settings_emulate_hosts(NULL, &emulated, by, &error) != 0)
		return call_error(call, &error);
	printf("emulated hosts: %s, %s\n", emulated ? "yes" : "no", by);
	if (settings_emulate_sdk(NULL, &versions, by, &error) != 0)
		return call_error(call, &error);
	printf("sdk: %s (%s), %s\n", versions.name, versions.sdk, by);
	return status;
}

/* Scripts split the line at the colon. */
static int
cli_print_server_version(const struct call *call)
{
	struct server_request server = config_server(&call->config);
	struct controller *c;
	struct error error;
	char version[CONTROLLER_VERSION_SIZE];
	int status;

	(void)snprintf(version, sizeof(version), "%s",
	    call->versions.vipu != NULL ? call->versions.vipu : IPUBOX_VERSION);
	/* The embedded controller need not be opened. */
	if ((status = server_open_remote(&server, &call->caller, &c, &error)) ==
		0 &&
	    c != NULL)
		status = controller_version(c, version, &error);
	if (status == 0)
		printf("version: %s\nhost: %s\n", version,
		    c != NULL ? controller_where(c) :
				"localhost:8090 (embedded)");
	controller_close(c);
	return status == 0 ? EXIT_DONE : call_error(call, &error);
}

/*
 * Actions that need no controller come first: a broken configuration must not
 * prevent the help.
 */
int
cli_run(const struct command_line *line, int argc, char **argv)
{
	struct call call;
	struct error error;
	int status;

	if (argc > 1 && strcmp(argv[1], COMPLETE_WORD) == 0)
		return complete_line(line, argc - 2, argv + 2);
	if (cli_parse(&call, line, argc, argv, &error) != 0)
		return call_misuse(&call, "%s%s", error.text,
		    dashes_hint(line, argv));
	if (call.values['h'] != NULL) {
		cli_print_help(line, &call);
		return EXIT_DONE;
	}
	if (call.values[KEY_VERSION] != NULL)
		return cli_print_version(&call);
	if (call.values[KEY_SERVER_VERSION] != NULL)
		return (status = configure(line, &call)) == EXIT_DONE ?
		    cli_print_server_version(&call) :
		    status;
	if (call.command == NULL)
		return refuse_command(line, &call);
	if ((status = check_call(line, &call)) != EXIT_DONE)
		return status;
	/* A command that examines the configuration must also run with a broken
	   one. */
	if ((call.command->flags & COMMAND_NEEDS_NO_CONFIG) == 0 &&
	    (status = configure(line, &call)) != EXIT_DONE)
		return status;
	return call.command->run(&call);
}
