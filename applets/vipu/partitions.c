/*
 * The partition commands.
 */
#include <stddef.h>

#include "applets/vipu/vipu.h"

const struct command partition_commands[] = {
	{ "create", "partition", 1, 1, "NAME --size N [option ...]",
	    "reserve and configure IPUs", create_options, create_partition },
	{ "get", "partition", 1, 1, "NAME [--ipuof-configs [--gcd G]]",
	    "show one partition", get_options, get_partition },
	{ "list", "partition", 0, 0, "[--style STYLE]",
	    "show all partitions", list_options, list_partitions },
	{ "remove", "partition", 1, 1, "NAME [--force]",
	    "give the IPUs back", remove_options, remove_partition },
	{ "delete", "partition", 1, 1, "NAME [--force]", NULL, remove_options,
	    remove_partition },
	{ 0 }
};
