/*
 * vipu: reserve IPUs of the pod as partitions, show them, give them back.
 *
 * The user's command of V-IPU.  It works on the controller of this host; the
 * partition commands are shared with vipu-admin.  env, exec, doctor and
 * completion are our own.
 */
#include "applets/vipu/command.h"

static int	vipu_main(int, char **);

const struct applet vipu_applet = {
	.name = "vipu",
	.purpose = "create, show and remove partitions of IPUs",
	.synopsis = "[-H HOST] VERB ENTITY [NAME] [option ...]\n"
	    "       vipu --help | --server-version | --version",
	.options = NULL,	/* a command has its own */
	.main = vipu_main,
	.examples = "  vipu create partition p --size 4\n"
	    "  vipu exec p -- gc-info -l\n"
	    "  eval \"$(vipu env p)\""
};

static int
vipu_main(int argc, char **argv)
{
	static const struct command_line line = {
		.applet = &vipu_applet,
		.own = partition_commands,
		.further = program_commands
	};

	return cli_run(&line, argc, argv);
}
