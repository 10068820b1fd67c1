/*
 * ipubox-sdk-env: the variables by which programs find the SDK.
 *
 * `eval "$(ipubox sdk-env DIR)"` works like vipu env for a partition, and
 * `ipubox sdk-env DIR -- PROGRAM` like vipu exec.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/applet.h"
#include "core/base/files/directory.h"
#include "core/base/parse.h"
#include "core/base/strvec.h"
#include "core/process/process.h"
#include "core/state/sdk/sdk.h"
#include "core/state/state.h"

enum { KEY_PATH = OPTIONS_LONG, KEY_SHELL, KEY_UNSET, KEY_VERSION };

static const struct option_row ipubox_sdk_env_options[] = {
	{ KEY_PATH, "path", NULL, "also add ipubox's own directory to PATH" },
	{ KEY_SHELL, "shell", "SHELL",
	    "syntax of sh, csh or fish (default: sh)" },
	{ KEY_UNSET, "unset", NULL, "remove the SDK from the variables" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static const struct option_values ipubox_sdk_env_values[] = {
	{ .key = KEY_SHELL, .words = SHELL_WORDS },
	{ 0 },
};

static int ipubox_sdk_env_main(int argc, char **argv);

const struct applet ipubox_sdk_env_applet = {
	.name = "ipubox-sdk-env",
	.purpose = "set variables so that programs find the SDK",
	.synopsis =
	    "[--path] [--shell SHELL] [--unset] [DIR]\n"
	    "       ipubox-sdk-env [--path] [DIR] -- PROGRAM [ARGUMENT ...]",
	.options = ipubox_sdk_env_options,
	.values = ipubox_sdk_env_values,
	.main = ipubox_sdk_env_main,
	.examples = "  eval \"$(ipubox-sdk-env ~/ipubox-sdk)\"\n"
		    "  ipubox-sdk-env ~/ipubox-sdk -- python3 train.py",
};

/* Find the named SDK, or the one that poprun would use. */
static int
find_sdk(const char *named, struct sdk *sdk, struct error *e)
{
	char directory[PATH_MAX], origin[STATE_ORIGIN_SIZE];

	if (named != NULL)
		return sdk_open(sdk, named, e);
	if (settings_sdk(NULL, directory, origin, e) != 0)
		return -1;
	if (directory[0] == '\0')
		return error_set(e,
		    "no SDK is named; give the directory that ipubox "
		    "--install-sdk filled, or set it in ipubox.conf");
	return sdk_open(sdk, directory, e) == 0 ?
	    0 :
	    error_prefix(e, "%s", origin);
}

/* The destination of the variables. */
struct sdk_env {
	const struct shell *shell; /* NULL: this process's environment */
	const struct sdk *sdk;
	enum sdk_order order;
	bool path;	/* set PATH as well */
	char **program; /* NULL: print them */
};

/* Set one variable, or unset it if the value is NULL. */
static void
sdk_env_put(const struct sdk_env *s, const char *name, const char *value)
{
	if (s->shell != NULL)
		shell_put_variable(stdout, s->shell, name, value);
	else if (value != NULL)
		(void)setenv(name, value, 1);
	else
		(void)unsetenv(name);
}

/* Write complete lists each time, because a csh cannot append to lists. */
static void
put_lists(const struct sdk_env *s)
{
	const struct sdk_list *list;
	const char *now;
	char *value;

	for (list = sdk_lists; list->name != NULL; list++) {
		now = getenv(list->name);
		value = sdk_list_value(s->sdk, list, now, s->order);
		if (value != NULL || now != NULL)
			sdk_env_put(s, list->name, value);
		free(value);
	}
}

/* Add the directory of ipubox's file if the links are in it. */
static void
put_path(const struct sdk_env *s, const char *file)
{
	char *own = path_directory_name(file);
	char *value = sdk_list_put(own, getenv("PATH"), s->order);

	sdk_env_put(s, "PATH", value);
	free(value);
	free(own);
}

static int
put_environment(const struct sdk_env *s, struct error *e)
{
	struct strvec command;
	int status;

	strvec_init(&command);
	status = own_program_add(&command, e);
	if (status == 0) {
		sdk_env_put(s, SDK_VARIABLE, s->sdk->directory);
		sdk_env_put(s, SDK_FILE_VARIABLE, command.items[0]);
		put_lists(s);
		if (s->path)
			put_path(s, command.items[0]);
	}
	strvec_release(&command);
	return status;
}

/* Remove the variables that name the directory, even if it no longer exists. */
static int
sdk_env_unset(struct sdk_env *s, const char *named)
{
	struct strvec command;
	struct sdk sdk;
	struct error e;
	const char *directory = named != NULL ? named : getenv(SDK_VARIABLE);
	int status = EXIT_DONE;

	if (directory != NULL && realpath(directory, sdk.directory) == NULL)
		(void)snprintf(sdk.directory, sizeof(sdk.directory), "%s",
		    directory);
	s->sdk = &sdk;
	s->order = SDK_WITHOUT;
	if (directory != NULL)
		put_lists(s);
	sdk_env_put(s, SDK_VARIABLE, NULL);
	sdk_env_put(s, SDK_FILE_VARIABLE, NULL);
	strvec_init(&command);
	if (s->path && own_program_add(&command, &e) != 0)
		status = applet_failed(&ipubox_sdk_env_applet, &e);
	else if (s->path)
		put_path(s, command.items[0]);
	strvec_release(&command);
	return status;
}

static int
sdk_env_set(struct sdk_env *s, const char *named)
{
	struct sdk sdk;
	struct error e;

	s->sdk = &sdk;
	s->order = SDK_FIRST;
	if (find_sdk(named, &sdk, &e) != 0 || put_environment(s, &e) != 0)
		return applet_failed(&ipubox_sdk_env_applet, &e);
	if (!sdk_is_current(&sdk))
		fprintf(stderr,
		    "%s: the SDK in %s is from ipubox %s, but this is %s; "
		    "update it with ipubox --install-sdk\n",
		    ipubox_sdk_env_applet.name, sdk.directory, sdk.version,
		    IPUBOX_VERSION);
	return s->program == NULL ?
	    EXIT_DONE :
	    applet_become(&ipubox_sdk_env_applet, s->program);
}

/* Return the index of the program, after the first "--"; argc: none. */
static int
find_program(int argc, char **argv)
{
	int i = 1;

	while (i < argc && strcmp(argv[i], "--") != 0)
		i++;
	return i;
}

static int
sdk_env_run(struct sdk_env *s, const char *word, bool unset, int operands,
    char **operand)
{
	const char *named = operands == 1 ? operand[0] : NULL;
	struct error e;

	if (operands > 1)
		return applet_misuse(&ipubox_sdk_env_applet,
		    "takes only one directory");
	if (s->program != NULL && (unset || word != NULL))
		return applet_misuse(&ipubox_sdk_env_applet,
		    "%s cannot be used with a program",
		    unset ? "--unset" : "--shell");
	if (s->program != NULL && s->program[0] == NULL)
		return applet_misuse(&ipubox_sdk_env_applet, "which program?");
	if (word == NULL)
		word = "sh";
	if (s->program == NULL && (s->shell = shell_find(word)) == NULL) {
		(void)suggest_refuse("--shell", word, SHELL_WORDS, &e);
		return applet_misuse(&ipubox_sdk_env_applet, "%s", e.text);
	}
	return unset ? sdk_env_unset(s, named) : sdk_env_set(s, named);
}

static int
ipubox_sdk_env_main(int argc, char **argv)
{
	struct option_parser parser;
	struct sdk_env s = { .shell = NULL };
	struct error e;
	const char *word = NULL;
	const int dashes = find_program(argc, argv);
	bool unset = false;
	int key;

	if (dashes < argc)
		s.program = argv + dashes + 1;
	options_init(&parser, ipubox_sdk_env_options, dashes, argv, false);
	while ((key = options_next(&parser, &e)) >= 0) {
		if (key == KEY_SHELL)
			word = parser.argument;
		else if (key == KEY_UNSET)
			unset = true;
		else if (key == KEY_PATH)
			s.path = true;
		else
			break;
	}
	if (key == 'h')
		return applet_help(&ipubox_sdk_env_applet);
	if (key == KEY_VERSION)
		return applet_version(&ipubox_sdk_env_applet);
	if (key == OPTIONS_ERROR)
		return applet_misuse(&ipubox_sdk_env_applet, "%s", e.text);
	return sdk_env_run(&s, word, unset, dashes - parser.operand,
	    argv + parser.operand);
}
