/*
 * The commands that lead from a partition to a program that uses it.
 */
#ifndef APPLETS_VIPU_PROGRAM_COMMANDS_H
#define APPLETS_VIPU_PROGRAM_COMMANDS_H

#include "applets/vipu/command.h"

/* What vipu has besides the partition commands. Ends with zeroes. */
extern const struct command program_commands[];

#endif
