/*
 * The table of poprun's options, which is also the help.  A new option needs a
 * key and a row here, a case in settings.c, and a line in poprun(1).
 *
 * Source: PopRun user guide, chapters 2 and 3; the texts of its help.
 */
#include "applets/poprun/option_table.h"

#include <string.h>

#include "applets/candidates.h"
#include "core/base/suggest.h"

const struct option_row option_table[] = {
	{ OPTIONS_HEADING, NULL, NULL, "Options for replicas" },
	{ KEY_NUM_REPLICAS, "num-replicas", "N",
	    "replicas of the whole job (default: 1)" },
	{ KEY_NUM_INSTANCES, "num-instances", "N",
	    "processes that share them evenly (default: 1)" },
	{ KEY_IPUS_PER_REPLICA, "ipus-per-replica", "N",
	    "IPUs of each replica (default: 1)" },
	{ KEY_PROCESS_PLACEMENT, "process-placement", "POLICY",
	    "spreadnuma, scattersocket, scatternuma, close or disabled "
	    "(default: spreadnuma)" },
	{ KEY_NUMA_AWARE, "numa-aware", "BOOL",
	    "deprecated: spreadnuma or disabled" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for hosts" },
	{ 'H', "host", "LIST",
	    "hosts to run on, as pod1,pod2 or pod[1-4] (default: this one)" },
	{ KEY_HOSTFILE, "hostfile", "FILE",
	    "read the hosts from a file, one list per line" },
	{ KEY_EMULATE_HOSTS, "emulate-hosts", "BOOL",
	    "let every host named be this machine (default: no)" },
	{ KEY_ALLOW_OVERSUBSCRIBE, "allow-oversubscribe", "[=BOOL]",
	    "allow more instances on a host than it has slots" },
	{ KEY_BRING_IPUBOX, "bring-ipubox", "[=BOOL]",
	    "copy ipubox to hosts that have another one, for this job" },
	{ KEY_DISTRIBUTE_SSH_KEY, "distribute-ssh-key", "[=BOOL]",
	    "give the other hosts the ssh key; see copy-ssh" },
	{ KEY_SYNCHRONISE_VENV, "synchronise-python-venv", "[=BOOL]",
	    "copy the Python environment to the other hosts" },
	{ KEY_SYNCHRONISE_SDK, "synchronise-poplar-sdk", "[=BOOL]",
	    "copy the SDK to the other hosts" },
	{ KEY_HOST_SUBNET, "host-subnet", "NET",
	    "the network between the hosts" },
	{ KEY_PORT_RANGE, "port-range", "LOW-HIGH",
	    "ports at which other hosts may find poprun" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for the partition" },
	{ KEY_VIPU_PARTITION, "vipu-partition", "NAME",
	    "the partition to run on (default: the only one that exists)" },
	{ KEY_UPDATE_PARTITION, "update-partition", "BOOL",
	    "create a missing partition, replace an unfit one (default: no)" },
	{ KEY_REMOVE_PARTITION, "remove-partition", "BOOL",
	    "remove it at the end if it was created here (default: yes)" },
	{ KEY_RESET_PARTITION, "reset-partition", "BOOL",
	    "reset it before the job (default: yes, unless it is "
	    "reconfigurable)" },
	{ KEY_OFFLINE_MODE, "offline-mode", "BOOL",
	    "run without a partition and without IPUs (default: no)" },
	{ KEY_VIPU_SERVER_HOST, "vipu-server-host", "HOST",
	    "the V-IPU server (default: the one that vipu asks)" },
	{ KEY_VIPU_SERVER_PORT, "vipu-server-port", "N",
	    "its port (default: 8090)" },
	{ KEY_VIPU_SERVER_TIMEOUT, "vipu-server-timeout", "SECONDS",
	    "how long it may take to answer (default: 120)" },
	{ KEY_VIPU_PARTITION_ATTEMPTS, "vipu-partition-attempts", "N",
	    "how often to try until it is active (default: 1)" },
	{ KEY_VIPU_ALLOCATION, "vipu-allocation", "NAME",
	    "create the partition in this allocation" },
	{ KEY_VIPU_CLUSTER, "vipu-cluster", "NAME",
	    "deprecated: create the partition in this cluster" },
	{ KEY_NUM_ILDS, "num-ilds", "N",
	    "IPU-Link domains of the partition (default: the server decides)" },
	{ KEY_SYNC_TYPE, "sync-type", "TYPE",
	    "of a created partition, as ST_POD_NATIVE_DEFAULT" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for output" },
	{ KEY_PRINT_TOPOLOGY, "print-topology", "BOOL",
	    "print the table of replicas and instances (default: no)" },
	{ KEY_LOG_DIR, "log-dir", "DIR",
	    "write what instance N prints to DIR/instance.N.out and .err" },
	{ KEY_TEE, "tee", "[=BOOL]",
	    "with --log-dir: show it as well (default: no)" },
	{ KEY_ONLY_OUTPUT, "only-output-from-instance", "I",
	    "drop what the other instances print" },
	{ KEY_CONSOLE_INSTANCES, "console-instances", "LIST",
	    "show what these print, as 0,2-3, and the tail of one that fails" },
	{ KEY_TAG_FORMAT, "tag-format", "FORMAT",
	    "what stands before each line: %i instance, %l local index, %h "
	    "host, %s stream, %t or %T time, %r restarts (default: "
	    "[1,%i]<%s>:)" },
	{ KEY_STDIN, "stdin", "WHO",
	    "which instance reads standard input: its index, all or none "
	    "(default: 0)" },
	{ KEY_PTY, "pty", "WHEN",
	    "whether stdout of an instance is a terminal: auto, yes or no "
	    "(default: auto)" },
	{ KEY_COLOR, "color", "WHEN",
	    "colour verdicts, errors and warnings: auto, always or never "
	    "(default: auto)" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for failures" },
	{ KEY_MAX_RESTARTS, "max-restarts", "N",
	    "start a job that failed again, at most so often (default: 0)" },
	{ KEY_TIMEOUT, "timeout", "TIME",
	    "end the job after so many seconds, or 90m, 2h" },
	{ KEY_START_TIMEOUT, "start-timeout", "TIME",
	    "give up if not all instances have started by then (default: "
	    "10m)" },
	{ KEY_GRACE, "grace", "SECONDS",
	    "from SIGTERM to SIGKILL when the job ends (default: 30)" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for MPI" },
	{ KEY_LAUNCHER, "launcher", "NAME",
	    "local or mpirun (default: mpirun for several instances)" },
	{ KEY_MPI_GLOBAL_ARGS, "mpi-global-args", "ARGS",
	    "arguments for mpirun; may be repeated" },
	{ KEY_MPI_LOCAL_ARGS, "mpi-local-args", "ARGS",
	    "arguments for mpirun, for each instance" },
	{ KEY_INSTANCE_MPI_LOCAL_ARGS, "instance-mpi-local-args", "I:ARGS",
	    "arguments for mpirun, for instance I; may be repeated" },
	{ KEY_ALLOW_RUN_AS_ROOT, "allow-run-as-root", "BOOL",
	    "let mpirun run as root (default: no)" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for profiles and caches" },
	{ KEY_AUTOREPORT_DIR, "autoreport-dir", "DIR",
	    "where each instance writes a profile, DIR/0, DIR/1 ..." },
	{ KEY_EXECUTABLE_CACHE_PATH, "executable-cache-path", "DIR",
	    "where executables are kept; '' for no cache" },
	{ OPTIONS_HEADING, NULL, NULL, "General options" },
	{ KEY_DRY_RUN, "dry-run", NULL,
	    "print what would be run, and run nothing" },
	{ KEY_CHECK, "check", NULL,
	    "check all that the job needs, and run nothing" },
	{ KEY_FORMAT, "format", "FORMAT",
	    "of the dry run or the check: text or json (default: text)" },
	{ KEY_SDK, "sdk", "DIR",
	    "let programs find the SDK of ipubox --install-sdk; '' for none" },
	{ KEY_IMPORT_CONFIG, "import-config", "FILE",
	    "read options and the program from a file" },
	{ KEY_EXPORT_CONFIG, "export-config", "FILE",
	    "write the options and the program, and launch" },
	{ KEY_OVERWRITE_CONFIG, "overwrite-config", "BOOL",
	    "let --export-config replace a file (default: no)" },
	{ 'v', "verbose", NULL, "log what is done" },
	{ KEY_VERY_VERBOSE, "vv", NULL, "log more, as -vv does" },
	{ KEY_DEBUG, "debug", "[=BOOL]", "log everything" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ KEY_VERSION_FORMAT, "version-format", "FORMAT",
	    "text, full-text or full-json (default: text)" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

/* Words are in the order of the enumerations that settings.c reads. */
const struct option_values option_table_values[] = {
	{ .key = 'H', .words = "localhost" },
	{ .key = KEY_VIPU_SERVER_HOST, .words = "local" },
	{ .key = KEY_ALLOW_OVERSUBSCRIBE, .words = "yes or no" },
	{ .key = KEY_EMULATE_HOSTS, .words = "yes or no" },
	{ .key = KEY_VIPU_PARTITION, .kind = CANDIDATES_PARTITIONS },
	{ .key = KEY_VIPU_CLUSTER, .kind = CANDIDATES_CLUSTERS },
	{ .key = KEY_VIPU_ALLOCATION, .kind = CANDIDATES_ALLOCATIONS },
	{ .key = KEY_SYNC_TYPE,
	    .words =
		"ST_GS2_DEFAULT, ST_GS2_INDEPENDENT_RAILS, "
		"ST_POD_NATIVE_DEFAULT or ST_POD_NATIVE_REPLICATED_PIPELINE" },
	{ .key = KEY_UPDATE_PARTITION, .words = "yes or no" },
	{ .key = KEY_REMOVE_PARTITION, .words = "yes or no" },
	{ .key = KEY_RESET_PARTITION, .words = "yes or no" },
	{ .key = KEY_PRINT_TOPOLOGY, .words = "yes or no" },
	{ .key = KEY_OFFLINE_MODE, .words = "yes or no" },
	{ .key = KEY_LAUNCHER, .words = "local or mpirun" },
	{ .key = KEY_PROCESS_PLACEMENT,
	    .words =
		"spreadnuma, scattersocket, scatternuma, close or disabled" },
	{ .key = KEY_NUMA_AWARE, .words = "yes or no" },
	{ .key = KEY_TEE, .words = "yes or no" },
	{ .key = KEY_PTY, .words = "auto, yes or no" },
	{ .key = KEY_STDIN, .words = "0, all or none" },
	{ .key = KEY_ALLOW_RUN_AS_ROOT, .words = "yes or no" },
	{ .key = KEY_SYNCHRONISE_VENV, .words = "yes or no" },
	{ .key = KEY_SYNCHRONISE_SDK, .words = "yes or no" },
	{ .key = KEY_BRING_IPUBOX, .words = "yes or no" },
	{ .key = KEY_DISTRIBUTE_SSH_KEY, .words = "yes or no" },
	{ .key = KEY_OVERWRITE_CONFIG, .words = "yes or no" },
	{ .key = KEY_FORMAT, .words = "text or json" },
	{ .key = KEY_DEBUG, .words = "yes or no" },
	{ .key = KEY_VERSION_FORMAT, .words = "text, full-text or full-json" },
	{ 0 },
};

const struct option_row *
option_table_find(const char *name)
{
	const struct option_row *row = option_table;

	while (row->key != 0 &&
	    (row->key == OPTIONS_HEADING || strcmp(row->name, name) != 0))
		row++;
	return row->key != 0 ? row : NULL;
}

bool
option_table_may_repeat(const char *name)
{
	switch (option_table_find(name)->key) {
	case 'v':
	case KEY_VERY_VERBOSE:
	case KEY_DRY_RUN:
	case KEY_CHECK:
	case KEY_MPI_GLOBAL_ARGS:
	case KEY_MPI_LOCAL_ARGS:
	case KEY_INSTANCE_MPI_LOCAL_ARGS:
		return true;
	default:
		return false;
	}
}

bool
option_table_is_stored(const char *name)
{
	switch (option_table_find(name)->key) {
	case KEY_IMPORT_CONFIG:
	case KEY_EXPORT_CONFIG:
	case KEY_OVERWRITE_CONFIG:
	case KEY_DRY_RUN:
	case KEY_CHECK:
	case KEY_COLOR:
	case KEY_FORMAT:
	case KEY_VERSION:
	case KEY_VERSION_FORMAT:
	case 'h':
		return false;
	default:
		return true;
	}
}

int
option_table_check_name(const char *name, struct error *e)
{
	const struct option_row *row = option_table_find(name);
	struct suggestion nearest;

	if (row != NULL && option_table_is_stored(name))
		return 0;
	if (row != NULL)
		return error_set(e,
		    "option '%s' is not part of a stored command line", name);
	(void)error_set(e, "unrecognised option '%s'", name);
	suggest_begin(&nearest, name);
	for (row = option_table; row->key != 0; row++)
		if (row->key != OPTIONS_HEADING &&
		    option_table_is_stored(row->name))
			suggest_offer(&nearest, row->name);
	return suggest_append(&nearest, "", e);
}
