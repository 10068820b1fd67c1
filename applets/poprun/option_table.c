/*
 * The table of poprun's options, which is also the help.  A new option needs a
 * key and a row here, a case in settings.c, and a line in poprun(1).
 *
 * Source: PopRun user guide, chapters 2 and 3; the texts of its help.
 */
#include "applets/poprun/option_table.h"

#include <string.h>

#include "applets/candidates.h"
#include "core/base/parse.h"

const struct option_row option_table[] = {
	{ OPTIONS_HEADING, NULL, NULL, "Options for replicas" },
	{ KEY_NUM_REPLICAS, "num-replicas", "N",
	    "run N replicas in the whole job (default: 1)" },
	{ KEY_NUM_INSTANCES, "num-instances", "N",
	    "start N processes for the replicas (default: 1)" },
	{ KEY_IPUS_PER_REPLICA, "ipus-per-replica", "N",
	    "give each replica N IPUs (default: 1)" },
	{ KEY_PROCESS_PLACEMENT, "process-placement", "POLICY",
	    "choose the cores of instances: spreadnuma, scattersocket, "
	    "scatternuma, close or disabled (default: spreadnuma)" },
	{ KEY_NUMA_AWARE, "numa-aware", "BOOL",
	    "deprecated: yes is spreadnuma, no is disabled" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for hosts" },
	{ 'H', "host", "LIST",
	    "run on these hosts, for example pod1,pod2 or pod[1-4] (default: "
	    "this host)" },
	{ KEY_HOSTFILE, "hostfile", "FILE",
	    "read the hosts from a file, one list per line" },
	{ KEY_EMULATE_HOSTS, "emulate-hosts", "BOOL",
	    "treat every named host as this machine (default: no)" },
	{ KEY_ALLOW_OVERSUBSCRIBE, "allow-oversubscribe", "[=BOOL]",
	    "allow more instances on a host than it has slots" },
	{ KEY_BRING_IPUBOX, "bring-ipubox", "[=BOOL]",
	    "copy ipubox to all hosts for this job, unless all have the same "
	    "file" },
	{ KEY_DISTRIBUTE_SSH_KEY, "distribute-ssh-key", "[=BOOL]",
	    "install the ssh key on the other hosts; see copy-ssh" },
	{ KEY_SYNCHRONISE_VENV, "synchronise-python-venv", "[=BOOL]",
	    "copy the Python environment to the other hosts" },
	{ KEY_SYNCHRONISE_SDK, "synchronise-poplar-sdk", "[=BOOL]",
	    "copy the SDK to the other hosts" },
	{ KEY_HOST_SUBNET, "host-subnet", "NET",
	    "use this network between the hosts: an interface or a subnet" },
	{ KEY_PORT_RANGE, "port-range", "LOW-HIGH",
	    "listen for other hosts at a port of this range (default: any)" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for the partition" },
	{ KEY_VIPU_PARTITION, "vipu-partition", "NAME",
	    "run on this partition (default: the only one that exists)" },
	{ KEY_UPDATE_PARTITION, "update-partition", "BOOL",
	    "create the partition if it is missing, and replace one that does "
	    "not fit (default: no)" },
	{ KEY_REMOVE_PARTITION, "remove-partition", "BOOL",
	    "remove a partition created for this job when the job ends "
	    "(default: yes)" },
	{ KEY_RESET_PARTITION, "reset-partition", "BOOL",
	    "reset the partition before the job (default: yes, unless it is "
	    "reconfigurable)" },
	{ KEY_OFFLINE_MODE, "offline-mode", "BOOL",
	    "run without a partition and without IPUs (default: no)" },
	{ KEY_VIPU_SERVER_HOST, "vipu-server-host", "HOST",
	    "ask this V-IPU server (default: the one that vipu asks)" },
	{ KEY_VIPU_SERVER_PORT, "vipu-server-port", "N",
	    "set the port of the V-IPU server (default: 8090)" },
	{ KEY_VIPU_SERVER_TIMEOUT, "vipu-server-timeout", "SECONDS",
	    "limit the time for the server's answer (default: 120)" },
	{ KEY_VIPU_PARTITION_ATTEMPTS, "vipu-partition-attempts", "N",
	    "try at most N times to make the partition active (default: 1)" },
	{ KEY_VIPU_ALLOCATION, "vipu-allocation", "NAME",
	    "create the partition in this allocation" },
	{ KEY_VIPU_CLUSTER, "vipu-cluster", "NAME",
	    "deprecated: create the partition in this cluster" },
	{ KEY_NUM_ILDS, "num-ilds", "N",
	    "require N IPU-Link domains (default: the server decides)" },
	{ KEY_SYNC_TYPE, "sync-type", "TYPE",
	    "set the synchronisation of a created partition, for example "
	    "ST_POD_NATIVE_DEFAULT" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for output" },
	{ KEY_PRINT_TOPOLOGY, "print-topology", "BOOL",
	    "print the table of replicas and instances (default: no)" },
	{ KEY_LOG_DIR, "log-dir", "DIR",
	    "write the output of instance N to DIR/instance.N.out and .err" },
	{ KEY_TEE, "tee", "[=BOOL]",
	    "with --log-dir, show the output as well (default: no)" },
	{ KEY_ONLY_OUTPUT, "only-output-from-instance", "I",
	    "drop the output of all other instances" },
	{ KEY_CONSOLE_INSTANCES, "console-instances", "LIST",
	    "show only the output of these instances, for example 0,2-3, and "
	    "the last lines of a failed one" },
	{ KEY_TAG_FORMAT, "tag-format", "FORMAT",
	    "begin each output line with this tag: %i instance, %l local "
	    "index, %h host, %s stream, %t or %T time, %r restarts (default: "
	    "[1,%i]<%s>:)" },
	{ KEY_STDIN, "stdin", "INSTANCE",
	    "choose the instance that reads standard input: an index, all or "
	    "none (default: 0)" },
	{ KEY_PTY, "pty", "WHEN",
	    "make stdout of each instance a terminal: auto, yes or no "
	    "(default: auto)" },
	{ KEY_COLOR, "color", "WHEN",
	    "colour verdicts, errors and warnings: auto, always or never "
	    "(default: auto)" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for failures" },
	{ KEY_MAX_RESTARTS, "max-restarts", "N",
	    "start a failed job again, at most N times (default: 0)" },
	{ KEY_TIMEOUT, "timeout", "TIME",
	    "end the job after this time, for example 90, 15m or 2h (default: "
	    "no limit)" },
	{ KEY_START_TIMEOUT, "start-timeout", "TIME",
	    "give up if not all instances have started after this time "
	    "(default: 10m)" },
	{ KEY_GRACE, "grace", "SECONDS",
	    "set the time between SIGTERM and SIGKILL when the job is ended "
	    "(default: 30)" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for MPI" },
	{ KEY_LAUNCHER, "launcher", "NAME",
	    "start the instances by local, mpirun or srun (default: mpirun "
	    "for several instances, srun for several hosts of a Slurm job)" },
	{ KEY_MPI_GLOBAL_ARGS, "mpi-global-args", "ARGS",
	    "pass arguments to mpirun; may be repeated" },
	{ KEY_MPI_LOCAL_ARGS, "mpi-local-args", "ARGS",
	    "pass arguments to mpirun for each instance" },
	{ KEY_INSTANCE_MPI_LOCAL_ARGS, "instance-mpi-local-args", "I:ARGS",
	    "pass arguments to mpirun for instance I; may be repeated" },
	{ KEY_ALLOW_RUN_AS_ROOT, "allow-run-as-root", "BOOL",
	    "let mpirun run as root (default: no)" },
	{ OPTIONS_HEADING, NULL, NULL, "Options for profiles and caches" },
	{ KEY_AUTOREPORT_DIR, "autoreport-dir", "DIR",
	    "let each instance N write a profile in DIR/N" },
	{ KEY_EXECUTABLE_CACHE_PATH, "executable-cache-path", "DIR",
	    "keep compiled executables in this directory; '' for no cache" },
	{ OPTIONS_HEADING, NULL, NULL, "General options" },
	{ KEY_DRY_RUN, "dry-run", NULL,
	    "print what would be run, and run nothing" },
	{ KEY_CHECK, "check", NULL,
	    "check everything that the job needs, and run nothing" },
	{ KEY_FORMAT, "format", "FORMAT",
	    "print the dry run or the check as text or json (default: text)" },
	{ KEY_SDK, "sdk", "DIR",
	    "let instances use the SDK that ipubox --install-sdk wrote; '' for "
	    "none" },
	{ KEY_IMPORT_CONFIG, "import-config", "FILE",
	    "read options and the program from a file" },
	{ KEY_EXPORT_CONFIG, "export-config", "FILE",
	    "write the options and the program to a file, and launch" },
	{ KEY_OVERWRITE_CONFIG, "overwrite-config", "BOOL",
	    "let --export-config replace a file (default: no)" },
	{ 'v', "verbose", NULL, "log each step" },
	{ KEY_VERY_VERBOSE, "vv", NULL, "log more; the same as -vv" },
	{ KEY_DEBUG, "debug", "[=BOOL]", "log everything" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ KEY_VERSION_FORMAT, "version-format", "FORMAT",
	    "print the version as text, full-text or full-json (default: "
	    "text)" },
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
	{ .key = KEY_LAUNCHER, .words = "local, mpirun or srun" },
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
		return error_set(e, "option '%s' cannot be stored in a file",
		    name);
	(void)error_set(e, "unrecognised option '%s'", name);
	suggest_begin(&nearest, name);
	for (row = option_table; row->key != 0; row++)
		if (row->key != OPTIONS_HEADING &&
		    option_table_is_stored(row->name))
			suggest_offer(&nearest, row->name);
	return suggest_append(&nearest, "", e);
}
