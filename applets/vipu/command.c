/*
 * The command line of the partition commands: one table drives the parsing,
 * the dispatch, the usage and the help.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/vipu.h"
#include "core/base/alloc.h"
#include "core/base/text.h"

enum { HELP_COLUMN = 32 };

static const struct option_row global_options[] = {
	{ 'H', "api-host", "HOST", "the controller: local, which is this "
	    "host's own (default)" },
	{ KEY_SERVER_VERSION, "server-version", NULL, "print the version and "
	    "the host of the controller" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help, or that of a command" },
	{ 0 }
};

static const struct command commands[] = {
	{ "create", "partition", true, "--size N [option ...]",
	    "reserve and configure IPUs", create_options, create_partition },
	{ "get", "partition", true, "[--ipuof-configs [--gcd G]]",
	    "show one partition", get_options, get_partition },
	{ "list", "partition", false, "[--style STYLE]",
	    "show all partitions", list_options, list_partitions },
	{ "remove", "partition", true, "[--force]",
	    "give the IPUs back", remove_options, remove_partition },
	{ "delete", "partition", true, "[--force]", NULL, remove_options,
	    remove_partition },
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

bool
is_entity(const char *word, const char *entity)
{
	size_t	len = strlen(entity);

	return strncmp(word, entity, len) == 0 &&
	    (word[len] == '\0' || strcmp(word + len, "s") == 0);
}

static const struct command *
find_command(const char *verb, const char *entity)
{
	const struct command	*c;

	for (c = commands; c < commands + COMMANDS; c++)
		if (strcmp(c->verb, verb) == 0 &&
		    is_entity(entity, c->entity))
			return c;
	return NULL;
}

/* ---- help ---- */

/* "create partition NAME --size N [option ...]" */
static void
print_usage(FILE *out, const struct command *c)
{
	fprintf(out, "%s %s%s%s %s", c->verb, c->entity,
	    strcmp(c->verb, "list") == 0 ? "s" : "",
	    c->named ? " NAME" : "", c->usage);
}

void
partition_commands_print(FILE *out)
{
	const struct command	*c;

	fprintf(out, "Commands:\n\n");
	for (c = commands; c < commands + COMMANDS; c++) {
		if (c->help == NULL)
			continue;
		fprintf(out, "  ");
		print_usage(out, c);
		fprintf(out, "\n%*s%s\n", HELP_COLUMN, "", c->help);
	}
	for (c = commands; c < commands + COMMANDS; c++) {
		if (c->help == NULL)
			continue;
		fprintf(out, "\nOptions of %s %s:\n\n", c->verb, c->entity);
		options_print(out, c->options);
	}
}

static int
print_help(const struct call *call)
{
	const struct applet	*a = call->applet;

	if (call->command == NULL) {
		printf("usage: %s %s\n\n%s\n\n", a->name, a->synopsis,
		    a->purpose);
		partition_commands_print(stdout);
		printf("\nOptions of every command:\n\n");
	} else {
		printf("usage: %s ", a->name);
		print_usage(stdout, call->command);
		printf("\n\n%s\n\n", call->command->help != NULL ?
		    call->command->help : "the same as remove");
		options_print(stdout, call->command->options);
		printf("\n");
	}
	options_print(stdout, global_options);
	return EXIT_DONE;
}

/* ---- parsing ---- */

static size_t
count_rows(const struct option_row *rows)
{
	size_t	n = 0;

	while (rows[n].key != 0)
		n++;
	return n;
}

static bool
has_key(const struct option_row *rows, int key)
{
	while (rows->key != 0 && rows->key != key)
		rows++;
	return rows->key != 0;
}

/* The options of all commands in one table, since any may come first. */
static struct option_row *
all_options(void)
{
	const struct option_row	*from;
	struct option_row	*rows = NULL;
	size_t			 n = 0, more;
	int			 i;

	for (i = 0; i <= COMMANDS; i++) {
		from = i < COMMANDS ? commands[i].options : global_options;
		if (n > 0 && has_key(rows, from->key))
			continue;
		more = count_rows(from);
		rows = xreallocarray(rows, n + more + 1, sizeof(*rows));
		memcpy(rows + n, from, (more + 1) * sizeof(*rows));
		n += more;
	}
	return rows;
}

static int
parse(struct call *call, const struct applet *applet, int argc, char **argv,
    struct error *e)
{
	struct option_row	*rows = all_options();
	struct option_parser	 parser;
	int			 key;

	memset(call, 0, sizeof(*call));
	call->applet = applet;
	option_parser_init(&parser, rows, argc, argv, false);
	while ((key = options_next(&parser, e)) >= 0)
		call->values[key] = parser.argument != NULL ?
		    parser.argument : "";
	call->words = argv + parser.operand;
	call->word_count = argc - parser.operand;
	free(rows);
	if (key == OPTIONS_ERROR)
		return -1;
	if (call->word_count >= 2)
		call->command = find_command(call->words[0], call->words[1]);
	return 0;
}

/* The long name of a key among all options. */
static const char *
option_name(int key)
{
	const struct option_row	*row;
	int			 i;

	for (i = 0; i <= COMMANDS; i++) {
		row = i < COMMANDS ? commands[i].options : global_options;
		for (; row->key != 0; row++)
			if (row->key == key)
				return row->name;
	}
	return "";
}

/* Only this command's options, and a NAME exactly where it takes one. */
static int
check_call(struct call *call)
{
	const struct command	*c = call->command;
	int			 key, words = c->named ? 3 : 2;

	for (key = 0; key < KEY_END; key++)
		if (call->values[key] != NULL && !has_key(c->options, key) &&
		    !has_key(global_options, key))
			return call_misuse(call, "%s %s takes no --%s",
			    c->verb, c->entity, option_name(key));
	if (call->word_count < words)
		return call_misuse(call, "%s %s: which one?", c->verb,
		    c->entity);
	if (call->word_count > words)
		return call_misuse(call, "%s %s: one word too many: '%s'",
		    c->verb, c->entity, call->words[words]);
	if (c->named)
		call->name = call->words[2];
	return EXIT_DONE;
}

static int
no_command(const struct call *call)
{
	if (call->word_count == 0)
		return call_misuse(call, "which command?");
	if (call->word_count == 1)
		return call_misuse(call, "%s what?", call->words[0]);
	return call_misuse(call, "no command '%s %s' (--help lists them)",
	    call->words[0], call->words[1]);
}

/* The host that the option or the environment names must be this one. */
static int
check_host(const struct call *call)
{
	const char	*host = call->values['H'];

	if (host == NULL)
		host = getenv("VIPU_CLI_API_HOST");
	if (host == NULL || host[0] == '\0' || strcmp(host, "local") == 0)
		return EXIT_DONE;
	fprintf(stderr, "%s: api host '%s': only 'local' (this host's own "
	    "controller) is supported\n", call->applet->name, host);
	return EXIT_FAILED;
}

bool
is_partition_command(int argc, char **argv)
{
	struct call	call;
	char		**copy;
	bool		 is;

	/* getopt_long(3) reorders the words, and reads an option of another
	   command line as if it had no argument. */
	copy = xcalloc((size_t)argc + 1, sizeof(*copy));
	memcpy(copy, argv, (size_t)argc * sizeof(*copy));
	is = parse(&call, NULL, argc, copy, NULL) == 0 &&
	    call.command != NULL;
	free(copy);
	return is;
}

int
partition_command(const struct applet *applet, int argc, char **argv)
{
	struct call	call;
	struct error	error;
	int		status;

	if (parse(&call, applet, argc, argv, &error) != 0)
		return call_misuse(&call, "%s", error.text);
	if (call.values['h'] != NULL)
		return print_help(&call);
	if (call.values[KEY_VERSION] != NULL)
		return applet_version(applet);
	if (call.values[KEY_SERVER_VERSION] != NULL) {
		if ((status = check_host(&call)) == EXIT_DONE)
			printf("version: %s\nhost: local\n", IPUBOX_VERSION);
		return status;
	}
	if (call.command == NULL)
		return no_command(&call);
	if ((status = check_call(&call)) != EXIT_DONE ||
	    (status = check_host(&call)) != EXIT_DONE)
		return status;
	return call.command->run(&call);
}

/* ---- answers ---- */

int
call_misuse(const struct call *call, const char *fmt, ...)
{
	va_list	ap;

	fprintf(stderr, "%s: ", call->applet->name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nusage: %s ", call->applet->name);
	if (call->command != NULL)
		print_usage(stderr, call->command);
	else
		fprintf(stderr, "VERB ENTITY [NAME] [option ...] "
		    "(--help lists the commands)");
	fprintf(stderr, "\n");
	return EXIT_USAGE;
}

static void
print_subject(FILE *out, const struct call *call)
{
	char	name[2 * NAME_LENGTH_MAX];

	printable_text(call->name != NULL ? call->name : "", name,
	    sizeof(name));
	/* As the guide prints it, also where the alias was used. */
	fprintf(out, "%s %s", call->command->run == remove_partition ?
	    "remove" : call->command->verb, call->command->entity);
	if (call->name != NULL)
		fprintf(out, " (%s)", name);
	else
		fprintf(out, "s");
}

int
call_success(const struct call *call)
{
	print_subject(stdout, call);
	printf(": success\n");
	return EXIT_DONE;
}

int
call_failed(const struct call *call, const struct error *e)
{
	print_subject(stderr, call);
	fprintf(stderr, ": failed: %s.\n", e->text);
	return EXIT_FAILED;
}

int
call_number(const struct call *call, int key, long long min, long long max,
    int *value)
{
	struct error	error;
	char		what[64];
	long long	number;

	if (call->values[key] == NULL)
		return 0;
	(void)snprintf(what, sizeof(what), "--%s", option_name(key));
	if (parse_number(what, call->values[key], min, max, &number,
	    &error) != 0) {
		(void)call_misuse(call, "%s", error.text);
		return -1;
	}
	*value = (int)number;
	return 0;
}
