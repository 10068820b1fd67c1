/*
 * The command lines of vipu and vipu-admin: VERB ENTITY [OPERAND ...] with
 * options anywhere.
 */
#ifndef APPLETS_VIPU_CLI_H
#define APPLETS_VIPU_CLI_H

#include "applets/vipu/command.h"

/*
 * Run what argv asks of the applet: a command of its tables, or the help, the
 * version, a completion.  Returns the exit status.
 */
int	cli_run(const struct command_line *, int argc, char **argv);

#endif
