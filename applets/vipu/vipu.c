/*
 * vipu: reserve IPUs of the pod as partitions, show and release them.
 *
 * The user's command of V-IPU.  It works on the controller of this host;
 * vipu-admin shares the partition commands.  env, exec, doctor and completion
 * are extensions.
 */
#include <stddef.h>

#include "applets/vipu/output.h"
#include "applets/vipu/vipu_internal.h"

static int vipu_main(int, char **);

const struct applet vipu_applet = {
	.name = "vipu",
	.purpose = "create, show and remove partitions of IPUs",
	.synopsis = "[-H HOST] VERB ENTITY [NAME] [option ...]\n"
		    "       vipu --help | --server-version | --version",
	.options = NULL, /* each command has its options */
	.main = vipu_main,
	.examples = "  vipu create partition p --size 4\n"
		    "  vipu exec p -- gc-info -l\n"
		    "  eval \"$(vipu env p)\"",
};

const struct command partition_commands[] = {
	{ "create", "partition", 1, 1, 0, "NAME --size N [option ...]",
	    "reserve and configure IPUs", create_options, create_command,
	    "  vipu create partition p --size 4 --num-gcds 2\n"
	    "  vipu create partition p --size 16 --wait=600 --ttl 2h" },
	{ "get", "partition", 1, 1, 0,
	    "NAME [--verbose | --format FORM | --ipuof-configs [--gcd G]]",
	    "show one partition", show_get_options, show_get, NULL },
	{ "list", "partition", 0, 0, 0,
	    "[-v] [-w] [--style STYLE] [--format FORM]", "show all partitions",
	    show_list_options, show_list, NULL },
	{ "remove", "partition", 1, 1, 0, "NAME [--force]",
	    "give its IPUs back", remove_options, remove_command, NULL },
	{ "delete", "partition", 1, 1, COMMAND_ALIAS, "NAME [--force]", NULL,
	    remove_options, remove_command, NULL },
	{ "reset", "partition", 1, 1, 0, "NAME [--relocatable] [--force]",
	    "configure its IPUs again", reset_options, reset_command, NULL },
	{ "list", "allocation", 0, 0, 0, "[--format FORM]",
	    "show the sets of machines that are used together", output_options,
	    allocations_command, NULL },
	{ "get", "allocation", 1, 1, 0, "NAME [--format FORM]",
	    "show one allocation", output_options, allocations_command, NULL },
	{ "list", "ipu-attr", 0, 0, 0, "[--agents A,B] [--format FORM]",
	    "show the attributes of each IPU", attributes_options,
	    attributes_list, NULL },
	{ 0 },
};

/* Commands for running a program in a partition. */
static const struct command program_commands[] = {
	{ "env", NULL, 0, 1, COMMAND_TAKES_PARTITION,
	    "NAME [--gcd G] [--shell SHELL] | --unset",
	    "print the commands that point a shell at a partition",
	    environment_options, environment_print,
	    "  eval \"$(vipu env p)\"\n"
	    "  eval \"$(vipu env --unset)\"" },
	{ "exec", NULL, 1, -1, COMMAND_TAKES_PARTITION | COMMAND_RUNS_PROGRAM,
	    "NAME [--gcd G] -- PROGRAM [ARGUMENT ...]",
	    "run a program on a partition", environment_exec_options,
	    environment_exec, "  vipu exec p -- python3 train.py --epochs 3" },
	{ "status", NULL, 0, 0, 0, "[--size N] [--format FORM]",
	    "show what is used and free, and what waits for IPUs",
	    status_options, status_command, "  vipu status --size 16" },
	{ "wait", NULL, 0, 1, COMMAND_TAKES_PARTITION,
	    "[NAME] --for active | removed | free=N [--timeout TIME]",
	    "wait until a partition or free IPUs are as wanted", await_options,
	    await_command,
	    "  vipu wait p --for active --timeout 60\n"
	    "  vipu wait --for free=16 && vipu create partition q --size 16" },
	{ "doctor", NULL, 0, 0, COMMAND_NEEDS_NO_CONFIG, "[--format FORM]",
	    "find what keeps programs from their IPUs, and how to mend it",
	    doctor_options, doctor_command, NULL },
	{ "completion", NULL, 1, 1,
	    COMMAND_NEEDS_NO_CONFIG | COMMAND_TAKES_SHELL, "bash | zsh",
	    "print a script that completes command lines", command_no_options,
	    complete_script, NULL },
	{ 0 },
};

int
vipu_run(const struct applet *as, int argc, char **argv)
{
	const struct command_line line = {
		.applet = as,
		.own = partition_commands,
		.further = program_commands,
	};

	return cli_run(&line, argc, argv);
}

static int
vipu_main(int argc, char **argv)
{
	return vipu_run(&vipu_applet, argc, argv);
}
