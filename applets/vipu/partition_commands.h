/*
 * The commands about partitions and what they lie on.
 */
#ifndef APPLETS_VIPU_PARTITION_COMMANDS_H
#define APPLETS_VIPU_PARTITION_COMMANDS_H

#include "applets/vipu/command.h"

/* vipu's own, all of which vipu-admin has as well. Ends with zeroes. */
extern const struct command partition_commands[];

#endif
