/*
 * The commands of vipu.
 */
#include "applets/vipu/partition_commands.h"

#include <stddef.h>

#include "applets/vipu/output.h"
#include "applets/vipu/vipu_internal.h"

const struct command partition_commands[] = {
	{ "create", "partition", 1, 1, "NAME --size N [option ...]",
	    "reserve and configure IPUs", create_options, create_command, 0,
	    "  vipu create partition p --size 4 --num-gcds 2\n"
	    "  vipu create partition p --size 16 --wait=600 --ttl 2h" },
	{ "get", "partition", 1, 1,
	    "NAME [--verbose | --format FORM | --ipuof-configs [--gcd G]]",
	    "show one partition", show_get_options, show_get, 0, NULL },
	{ "list", "partition", 0, 0, "[--style STYLE] [--format FORM]",
	    "show all partitions", show_list_options, show_list, 0, NULL },
	{ "remove", "partition", 1, 1, "NAME [--force]",
	    "give the IPUs back", remove_options, remove_command, 0, NULL },
	{ "delete", "partition", 1, 1, "NAME [--force]", NULL, remove_options,
	    remove_command, COMMAND_ALIAS, NULL },
	{ "reset", "partition", 1, 1, "NAME [--relocatable] [--force]",
	    "configure the IPUs anew", reset_options, reset_command, 0, NULL },
	{ "list", "allocation", 0, 0, "[--format FORM]",
	    "show which machines may be used together", output_options,
	    allocations_list, 0, NULL },
	{ "get", "allocation", 1, 1, "NAME [--format FORM]",
	    "show one allocation", output_options, allocations_get, 0, NULL },
	{ "list", "ipu-attr", 0, 0, "[--agents A,B] [--format FORM]",
	    "show what each IPU of the machines is", attributes_options,
	    attributes_list, 0, NULL },
	{ 0 }
};
