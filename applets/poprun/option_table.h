/*
 * The table of poprun's options and their properties.
 */
#ifndef APPLETS_POPRUN_OPTION_TABLE_H
#define APPLETS_POPRUN_OPTION_TABLE_H

#include "core/base/options.h"

/* The order matters: settings.c chooses the function that handles a key by the
   range in which the key stands. */
enum option_key {
	KEY_NUM_REPLICAS = OPTIONS_LONG,
	KEY_NUM_INSTANCES,
	KEY_IPUS_PER_REPLICA,
	KEY_NUM_ILDS,
	KEY_HOSTFILE,
	KEY_ALLOW_OVERSUBSCRIBE,
	KEY_EMULATE_HOSTS,
	KEY_VIPU_SERVER_HOST,
	KEY_VIPU_SERVER_PORT,
	KEY_VIPU_SERVER_TIMEOUT,
	KEY_VIPU_PARTITION,
	KEY_VIPU_PARTITION_ATTEMPTS,
	KEY_VIPU_CLUSTER,
	KEY_VIPU_ALLOCATION,
	KEY_SYNC_TYPE,
	KEY_UPDATE_PARTITION,
	KEY_REMOVE_PARTITION,
	KEY_RESET_PARTITION,
	KEY_PRINT_TOPOLOGY,
	KEY_OFFLINE_MODE,
	KEY_LAUNCHER,
	KEY_EXECUTABLE_CACHE_PATH,
	KEY_AUTOREPORT_DIR,
	KEY_SDK,
	KEY_MPI_GLOBAL_ARGS,
	KEY_MPI_LOCAL_ARGS,
	KEY_INSTANCE_MPI_LOCAL_ARGS,
	KEY_PROCESS_PLACEMENT,
	KEY_NUMA_AWARE,
	KEY_HOST_SUBNET,
	KEY_PORT_RANGE,
	KEY_ONLY_OUTPUT,
	KEY_CONSOLE_INSTANCES,
	KEY_LOG_DIR,
	KEY_TEE,
	KEY_TAG_FORMAT,
	KEY_PTY,
	KEY_STDIN,
	KEY_TIMEOUT,
	KEY_START_TIMEOUT,
	KEY_GRACE,
	KEY_MAX_RESTARTS,
	KEY_COLOR,
	KEY_CHECK,
	KEY_ALLOW_RUN_AS_ROOT,
	KEY_SYNCHRONISE_VENV,
	KEY_SYNCHRONISE_SDK,
	KEY_BRING_IPUBOX,
	KEY_DISTRIBUTE_SSH_KEY,
	KEY_IMPORT_CONFIG,
	KEY_EXPORT_CONFIG,
	KEY_OVERWRITE_CONFIG,
	KEY_DRY_RUN,
	KEY_FORMAT,
	KEY_DEBUG,
	KEY_VERY_VERBOSE,
	KEY_VERSION,
	KEY_VERSION_FORMAT
};

extern const struct option_row option_table[];
extern const struct option_values option_table_values[];

/* Return the row of a long name, or NULL if the name is unknown. */
const struct option_row *option_table_find(const char *name);

/* Whether the option of that long name, which must exist, may be repeated. */
bool option_table_may_repeat(const char *name);
/* Whether --export-config writes the option, which must exist. */
bool option_table_is_stored(const char *name);

/* Return 0 if a file of --export-config may contain the long name.  -1: the
   name is unknown (with a suggestion), or the option is not part of a job, such
   as --dry-run. */
int option_table_check_name(const char *name, struct error *);

#endif
