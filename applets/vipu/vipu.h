/*
 * What the files of vipu share: its commands.
 */
#ifndef APPLETS_VIPU_VIPU_H
#define APPLETS_VIPU_VIPU_H

#include "applets/vipu/command.h"

/* The partition commands, which vipu-admin has as well. */
extern const struct command partition_commands[];

extern const struct option_row create_options[], list_options[],
	get_options[], remove_options[];

int	create_partition(const struct call *);
int	list_partitions(const struct call *);
int	get_partition(const struct call *);
int	remove_partition(const struct call *);

#endif
