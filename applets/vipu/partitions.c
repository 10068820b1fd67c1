/*
 * The commands of vipu.
 */
#include <stddef.h>

#include "applets/vipu/vipu.h"

const struct command partition_commands[] = {
	{ "create", "partition", 1, 1, "NAME --size N [option ...]",
	    "reserve and configure IPUs", create_options, create_partition },
	{ "get", "partition", 1, 1,
	    "NAME [--verbose | --format FORM | --ipuof-configs [--gcd G]]",
	    "show one partition", get_options, get_partition },
	{ "list", "partition", 0, 0, "[--style STYLE] [--format FORM]",
	    "show all partitions", list_options, list_partitions },
	{ "remove", "partition", 1, 1, "NAME [--force]",
	    "give the IPUs back", remove_options, remove_partition },
	{ "delete", "partition", 1, 1, "NAME [--force]", NULL, remove_options,
	    remove_partition },
	{ "reset", "partition", 1, 1, "NAME [--relocatable] [--force]",
	    "configure the IPUs anew", reset_options, reset_partition },
	{ "list", "allocation", 0, 0, "[--format FORM]",
	    "show which machines may be used together", form_options,
	    list_allocations },
	{ "get", "allocation", 1, 1, "NAME [--format FORM]",
	    "show one allocation", form_options, get_allocation },
	{ "list", "ipu-attr", 0, 0, "[--agents A,B] [--format FORM]",
	    "show what each IPU of the machines is", attributes_options,
	    list_attributes },
	{ 0 }
};
