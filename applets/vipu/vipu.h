/*
 * What the files of vipu share: its commands.
 */
#ifndef APPLETS_VIPU_VIPU_H
#define APPLETS_VIPU_VIPU_H

#include "applets/vipu/cli.h"

/* vipu's commands, all of which vipu-admin has as well. */
extern const struct command partition_commands[];

/* What vipu has besides: the way from a partition to a program. */
extern const struct command program_commands[];

extern const struct option_row create_options[], show_list_options[],
	show_get_options[], remove_options[], reset_options[],
	    allocations_options[],
	attributes_options[];

int	create_command(const struct call *);
int	show_list(const struct call *);
int	show_get(const struct call *);
int	remove_command(const struct call *);
int	reset_command(const struct call *);
int	allocations_list(const struct call *);
int	allocations_get(const struct call *);
int	attributes_list(const struct call *);

struct controller;
struct partition;
struct snapshot;

/* What the caller may see now.  The exit status, after telling why not. */
int	show_read_state(const struct call *, struct snapshot *);

/*
 * Wait until the creation or reset of the partition ends, and say how it did.
 * Returns the exit status and what the partition is then.
 */
int	wait_partition(const struct call *, struct controller *,
	    struct partition *);

extern const struct option_row environment_options[],
    environment_exec_options[],
	doctor_options[];

int	environment_print(const struct call *);
int	environment_exec(const struct call *);
int	doctor_command(const struct call *);

#endif
