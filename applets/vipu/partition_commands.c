/*
 * The commands of vipu.
 */
#include "applets/vipu/command.h"

#include <stddef.h>

#include "applets/vipu/output.h"
#include "applets/vipu/vipu_internal.h"

const struct command partition_commands[] = {
	{ "create", "partition", 1, 1, 0, "NAME --size N [option ...]",
	    "reserve and configure IPUs", create_options, create_command,
	    "  vipu create partition p --size 4 --num-gcds 2\n"
	    "  vipu create partition p --size 16 --wait=600 --ttl 2h" },
	{ "get", "partition", 1, 1, 0,
	    "NAME [--verbose | --format FORM | --ipuof-configs [--gcd G]]",
	    "show one partition", show_get_options, show_get, NULL },
	{ "list", "partition", 0, 0, 0, "[--style STYLE] [--format FORM]",
	    "show all partitions", show_list_options, show_list, NULL },
	{ "remove", "partition", 1, 1, 0, "NAME [--force]",
	    "give the IPUs back", remove_options, remove_command, NULL },
	{ "delete", "partition", 1, 1, COMMAND_ALIAS,
	    "NAME [--force]", NULL, remove_options,
	    remove_command, NULL },
	{ "reset", "partition", 1, 1, 0, "NAME [--relocatable] [--force]",
	    "configure the IPUs anew", reset_options, reset_command, NULL },
	{ "list", "allocation", 0, 0, 0, "[--format FORM]",
	    "show which machines may be used together", output_options,
	    allocations_list, NULL },
	{ "get", "allocation", 1, 1, 0, "NAME [--format FORM]",
	    "show one allocation", output_options, allocations_get, NULL },
	{ "list", "ipu-attr", 0, 0, 0, "[--agents A,B] [--format FORM]",
	    "show what each IPU of the machines is", attributes_options,
	    attributes_list, NULL },
	{ 0 }
};
