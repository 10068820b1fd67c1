/*
 * ipubox-sdk-env: the variables by which a shell's programs find the SDK.
 *
 * `eval "$(ipubox sdk-env DIR)"`, as vipu env does it for a partition.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/applet.h"
#include "core/base/shell.h"
#include "core/base/strvec.h"
#include "core/base/suggest.h"
#include "core/state/paths.h"
#include "core/state/sdk.h"
#include "core/state/settings.h"

enum { KEY_SHELL = OPTIONS_LONG, KEY_UNSET, KEY_VERSION };

static const struct option_row ipubox_sdk_env_options[] = {
	{ KEY_SHELL, "shell", "SHELL", "in the words of sh (default), csh or "
	    "fish" },
	{ KEY_UNSET, "unset", NULL, "take the SDK out of the variables" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 }
};

static const struct option_values ipubox_sdk_env_values[] = {
	{ .key = KEY_SHELL, .words = SHELL_WORDS },
	{ 0 }
};

static int	ipubox_sdk_env_main(int argc, char **argv);

const struct applet ipubox_sdk_env_applet = {
	.name = "ipubox-sdk-env",
	.purpose = "set a shell's variables so that programs find the SDK",
	.synopsis = "[--shell SHELL] [--unset] [DIR]",
	.options = ipubox_sdk_env_options,
	.values = ipubox_sdk_env_values,
	.main = ipubox_sdk_env_main
};

/* The one that is named, else the one that poprun would use. */
static int
find_sdk(const char *named, struct sdk *sdk, struct error *e)
{
	char	directory[PATH_MAX], origin[STATE_ORIGIN_SIZE];

	if (named != NULL)
		return sdk_open(sdk, named, e);
	if (settings_sdk(NULL, directory, origin, e) != 0)
		return -1;
	if (directory[0] == '\0')
		return error_set(e, "which SDK? name the directory of ipubox "
		    "--install-sdk, or set it in ipubox.conf");
	return sdk_open(sdk, directory, e) == 0 ? 0 :
	    error_prefix(e, "%s", origin);
}

/* Every list each time: a csh has no lists of its own to add to. */
static void
print_lists(const struct shell *shell, const struct sdk *sdk,
    enum sdk_order order)
{
	const struct sdk_list	*list;
	const char		*now;
	char			*value;

	for (list = sdk_lists; list->name != NULL; list++) {
		now = getenv(list->name);
		value = sdk_list_value(sdk, list, now, order);
		if (value != NULL || now != NULL)
			shell_put_variable(stdout, shell, list->name, value);
		free(value);
	}
}

static int
print_environment(const struct shell *shell, const struct sdk *sdk,
    struct error *e)
{
	struct strvec	command;
	int		status;

	strvec_init(&command);
	status = applet_add_itself(&command, e);
	if (status == 0) {
		shell_put_variable(stdout, shell, SDK_VARIABLE,
		    sdk->directory);
		shell_put_variable(stdout, shell, SDK_FILE_VARIABLE,
		    command.items[0]);
		print_lists(shell, sdk, SDK_FIRST);
	}
	strvec_release(&command);
	return status;
}

/* Also of a directory that is gone: what names it goes. */
static void
print_unset(const struct shell *shell, const char *named)
{
	struct sdk	sdk;
	const char	*directory = named != NULL ? named :
	    getenv(SDK_VARIABLE);

	if (directory != NULL && realpath(directory, sdk.directory) == NULL)
		(void)snprintf(sdk.directory, sizeof(sdk.directory), "%s",
		    directory);
	if (directory != NULL)
		print_lists(shell, &sdk, SDK_WITHOUT);
	shell_put_variable(stdout, shell, SDK_VARIABLE, NULL);
	shell_put_variable(stdout, shell, SDK_FILE_VARIABLE, NULL);
}

static int
ipubox_sdk_env_run(const struct shell *shell, const char *named, bool unset)
{
	struct sdk	sdk;
	struct error	e;

	if (unset) {
		print_unset(shell, named);
		return EXIT_DONE;
	}
	if (find_sdk(named, &sdk, &e) != 0 ||
	    print_environment(shell, &sdk, &e) != 0)
		return applet_failed(&ipubox_sdk_env_applet, &e);
	if (!sdk_is_current(&sdk))
		fprintf(stderr, "%s: the SDK in %s is of ipubox %s, and this "
		    "is %s; ipubox --install-sdk brings it up to date\n",
		    ipubox_sdk_env_applet.name, sdk.directory, sdk.version,
		    IPUBOX_VERSION);
	return EXIT_DONE;
}

static int
ipubox_sdk_env_main(int argc, char **argv)
{
	struct option_parser	 parser;
	struct error		 e;
	const char		*word = "sh";
	bool			 unset = false;
	int			 key, operands;

	options_init(&parser, ipubox_sdk_env_options, argc, argv, false);
	while ((key = options_next(&parser, &e)) >= 0) {
		if (key == KEY_SHELL)
			word = parser.argument;
		else if (key == KEY_UNSET)
			unset = true;
		else
			break;
	}
	if (key == 'h')
		return applet_help(&ipubox_sdk_env_applet);
	if (key == KEY_VERSION)
		return applet_version(&ipubox_sdk_env_applet);
	if (key == OPTIONS_ERROR)
		return applet_misuse(&ipubox_sdk_env_applet, "%s", e.text);
	operands = argc - parser.operand;
	if (operands > 1)
		return applet_misuse(&ipubox_sdk_env_applet, "one directory "
		    "only");
	if (shell_find(word) == NULL) {
		(void)suggest_refuse("--shell", word, SHELL_WORDS, &e);
		return applet_misuse(&ipubox_sdk_env_applet, "%s", e.text);
	}
	return ipubox_sdk_env_run(shell_find(word), operands == 1 ?
	    argv[parser.operand] : NULL, unset);
}
