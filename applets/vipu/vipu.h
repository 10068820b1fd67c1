/*
 * What the files of vipu share: its commands.
 */
#ifndef APPLETS_VIPU_VIPU_H
#define APPLETS_VIPU_VIPU_H

#include "applets/vipu/command.h"

/* vipu's commands, all of which vipu-admin has as well. */
extern const struct command partition_commands[];

/* What vipu has besides: the way from a partition to a program. */
extern const struct command user_commands[];

extern const struct option_row create_options[], list_options[],
	get_options[], remove_options[], reset_options[], form_options[],
	attributes_options[];

int	create_partition(const struct call *);
int	list_partitions(const struct call *);
int	get_partition(const struct call *);
int	remove_partition(const struct call *);
int	reset_partition(const struct call *);
int	list_allocations(const struct call *);
int	get_allocation(const struct call *);
int	list_attributes(const struct call *);

struct controller;
struct partition;
struct snapshot;

/* What the caller may see now.  The exit status, after telling why not. */
int	read_state(const struct call *, struct snapshot *);

/*
 * Wait until the creation or reset of the partition ends, and say how it did.
 * Returns the exit status and what the partition is then.
 */
int	await_partition(const struct call *, struct controller *,
	    struct partition *);

extern const struct option_row env_options[], exec_options[],
	doctor_options[];

int	print_environment(const struct call *);
int	exec_program(const struct call *);
int	examine(const struct call *);

#endif
