/*
 * The commands that lead from a partition to a program that uses it.
 */
#include "applets/vipu/command.h"

#include <stddef.h>

#include "applets/vipu/call.h"
#include "applets/vipu/vipu_internal.h"

const struct command program_commands[] = {
	{ "env", NULL, 0, 1, COMMAND_TAKES_PARTITION,
	    "NAME [--gcd G] [--shell SHELL] | --unset",
	    "print the commands that point a shell at a partition",
	    environment_options, environment_print,
	    "  eval \"$(vipu env p)\"\n"
	    "  eval \"$(vipu env --unset)\"" },
	{ "exec", NULL, 1, -1, COMMAND_TAKES_PARTITION | COMMAND_RUNS_PROGRAM,
	    "NAME [--gcd G] -- PROGRAM [ARGUMENT ...]",
	    "run a program on a partition", environment_exec_options,
	    environment_exec,
	    "  vipu exec p -- python3 train.py --epochs 3" },
	{ "doctor", NULL, 0, 0, COMMAND_NEEDS_NO_CONFIG,
	    "[--format FORM]",
	    "say what is wrong here, and what mends it", doctor_options,
	    doctor_command, NULL },
	{ "completion", NULL, 1, 1,
	    COMMAND_NEEDS_NO_CONFIG | COMMAND_TAKES_SHELL, "bash | zsh",
	    "print a script that completes command lines",
	    command_no_options, complete_script, NULL },
	{ 0 }
};
