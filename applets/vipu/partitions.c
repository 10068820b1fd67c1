/*
 * The commands of vipu.
 */
#include <stddef.h>

#include "applets/vipu/vipu.h"

const struct command partition_commands[] = {
	{ "create", "partition", 1, 1, "NAME --size N [option ...]",
	    "reserve and configure IPUs", create_options, create_partition, 0 },
	{ "get", "partition", 1, 1,
	    "NAME [--verbose | --format FORM | --ipuof-configs [--gcd G]]",
	    "show one partition", get_options, get_partition, 0 },
	{ "list", "partition", 0, 0, "[--style STYLE] [--format FORM]",
	    "show all partitions", list_options, list_partitions, 0 },
	{ "remove", "partition", 1, 1, "NAME [--force]",
	    "give the IPUs back", remove_options, remove_partition, 0 },
	{ "delete", "partition", 1, 1, "NAME [--force]", NULL, remove_options,
	    remove_partition, COMMAND_ALIAS },
	{ "reset", "partition", 1, 1, "NAME [--relocatable] [--force]",
	    "configure the IPUs anew", reset_options, reset_partition, 0 },
	{ "list", "allocation", 0, 0, "[--format FORM]",
	    "show which machines may be used together", form_options,
	    list_allocations, 0 },
	{ "get", "allocation", 1, 1, "NAME [--format FORM]",
	    "show one allocation", form_options, get_allocation, 0 },
	{ "list", "ipu-attr", 0, 0, "[--agents A,B] [--format FORM]",
	    "show what each IPU of the machines is", attributes_options,
	    list_attributes, 0 },
	{ 0 }
};
