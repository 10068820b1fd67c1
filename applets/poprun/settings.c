/*
 * The effect of each of poprun's options on the settings.
 *
 * Source: PopRun user guide, chapters 2 and 3; the texts of its help.
 */
#include "applets/poprun/poprun.h"

#include <stdlib.h>
#include <string.h>

#include "applets/poprun/option_table.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/job/job.h"
#include "core/pod/pod.h"

enum { PORT_MAX = 65535, TIMEOUT_MAX_S = 86400, ATTEMPTS_MAX = 1000 };

static int
settings_number(const char *what, const char *text, int max, int *value,
    struct error *e)
{
	long long number;

	if (parse_number(what, text, 1, max, &number, e) != 0)
		return -1;
	*value = (int)number;
	return 0;
}

/* Without the option the launcher is "auto", which has no word. */
static int
set_launcher(struct launch_settings *s, const char *value, struct error *e)
{
	int index = 0;

	if (options_choose(option_table, option_table_values, KEY_LAUNCHER,
		value, &index, e) != 0)
		return -1;
	s->launcher = (enum launcher)(LAUNCHER_LOCAL + index);
	return 0;
}

static int
set_format(struct launch_settings *s, const char *value, struct error *e)
{
	int index = 0;

	if (options_choose(option_table, option_table_values, KEY_FORMAT, value,
		&index, e) != 0)
		return -1;
	s->json = index == 1;
	return 0;
}

static int
set_version_format(struct launch_settings *s, const char *value,
    struct error *e)
{
	int index = 0;

	if (options_choose(option_table, option_table_values,
		KEY_VERSION_FORMAT, value, &index, e) != 0)
		return -1;
	s->version_format = (enum version_format)index;
	return 0;
}

/* The words are in the order of enum binding_policy. */
static int
set_placement(struct launch_settings *s, const char *value, struct error *e)
{
	int index = 0;

	if (options_choose(option_table, option_table_values,
		KEY_PROCESS_PLACEMENT, value, &index, e) != 0)
		return -1;
	s->placement = (enum binding_policy)index;
	s->placement_given = true;
	return 0;
}

/* Set the placement by the switch of SDKs before 3.1. */
static int
set_numa_aware(struct launch_settings *s, const char *value, struct error *e)
{
	bool yes;

	if (parse_bool("--numa-aware", value, &yes, e) != 0)
		return -1;
	s->placement = yes ? BINDING_SPREADNUMA : BINDING_NONE;
	s->placement_given = true;
	return 0;
}

/* Set the partition; an empty name means no name (PopRun user guide, chapter
   2). */
static int
set_partition(struct launch_settings *s, const char *name, struct error *e)
{
	s->partition = name;
	return *name == '\0' ? 0 : name_check("partition", name, e);
}

static int
set_place(const char *what, const char *name, const char **place,
    struct error *e)
{
	*place = name;
	return name_check(what, name, e);
}

/* Accept the spelling of V-IPU's interface and the words of vipu. */
static int
set_sync_type(struct launch_settings *s, const char *value, struct error *e)
{
	int type;

	for (type = ST_UNDEFINED; type <= ST_POD_NATIVE_REPLICATED_PIPELINE;
	     type++)
		if (strcasecmp(value, partition_sync_type_constant(type)) == 0)
			break;
	if (type > ST_POD_NATIVE_REPLICATED_PIPELINE)
		type = partition_sync_type_parse(value);
	if (type == -1)
		return suggest_refuse("--sync-type", value,
		    options_values(option_table_values, KEY_SYNC_TYPE)->words,
		    e);
	s->sync_type = type;
	return 0;
}

static int
set_server_host(struct launch_settings *s, const char *value, struct error *e)
{
	s->server_host = value;
	return *value != '\0' ?
	    0 :
	    error_set(e,
		"--vipu-server-host is empty (is its variable set?); leave "
		"the option out to use this host's pod");
}

/* Parse "3:-x NAME=VALUE", for instance 3. */
static int
set_instance_args(struct launch_settings *s, const char *value, struct error *e)
{
	static const char option[] = "--instance-mpi-local-args";
	char *index = xstrdup(value);
	char *colon = strchr(index, ':');
	long long number = 0;
	int status;

	if (colon == NULL) {
		free(index);
		return error_set(e,
		    "%s '%s': must be an instance's index, a colon and its "
		    "arguments",
		    option, value);
	}
	*colon = '\0';
	status = parse_number(option, index, 0, INSTANCES_MAX - 1, &number, e);
	free(index);
	if (status != 0)
		return -1;
	while (s->instance_args_count <= number) {
		s->instance_args = xreallocarray(s->instance_args,
		    (size_t)s->instance_args_count + 1,
		    sizeof(*s->instance_args));
		strvec_init(&s->instance_args[s->instance_args_count++]);
	}
	return strvec_split(&s->instance_args[number], strchr(value, ':') + 1,
	    e);
}

static int
set_autoreport_dir(struct launch_settings *s, const char *path, struct error *e)
{
	s->autoreport_dir = path;
	return *path != '\0' ?
	    0 :
	    error_set(e, "--autoreport-dir '': must name a directory");
}

/* Parse yes or no.  A missing answer is a third value: the default is decided
   elsewhere. */
static int
set_answer(const char *what, const char *text, enum answer *answer,
    struct error *e)
{
	bool yes;

	if (parse_bool(what, text, &yes, e) != 0)
		return -1;
	*answer = yes ? ANSWER_YES : ANSWER_NO;
	return 0;
}

/* A blank after a comma ends the list for the shell, so it is refused here
   too. */
static int
set_hosts(struct launch_settings *s, const char *value, struct error *e)
{
	size_t length = strlen(value);

	if (length == 0)
		return error_set(e,
		    "--host is empty (is its variable set?); leave the "
		    "option out to use this host");
	if (value[length - 1] == ',')
		return error_set(e,
		    "--host '%s': ends with a comma; write the list without "
		    "spaces, or in quotes",
		    value);
	return hostlist_add(&s->hosts, &s->slots, value, e) == 0 ?
	    0 :
	    error_prefix(e, "--host");
}

static int
set_hostfile(struct launch_settings *s, const char *path, struct error *e)
{
	if (hostlist_add_file(&s->hosts, &s->slots, path, e) != 0)
		return error_prefix(e, "--hostfile");
	return s->hosts.count > 0 ?
	    0 :
	    error_set(e, "--hostfile %s: names no host", path);
}

/* Add verbosity.  A file gives flags a word; "no" means that they are
   absent. */
static int
set_verbose(struct launch_settings *s, const char *what, const char *value,
    int count, struct error *e)
{
	bool yes;

	if (parse_bool(what, value, &yes, e) != 0)
		return -1;
	s->verbose += yes ? count : 0;
	return 0;
}

/* Apply options about the job's shape and its partition. */
static int
apply_job(struct launch_settings *s, int key, const char *value,
    struct error *e)
{
	bool ignored;

	switch (key) {
	case KEY_NUM_REPLICAS:
		return settings_number("--num-replicas", value, REPLICAS_MAX,
		    &s->layout.num_replicas, e);
	case KEY_NUM_INSTANCES:
		return settings_number("--num-instances", value, INSTANCES_MAX,
		    &s->layout.num_instances, e);
	case KEY_IPUS_PER_REPLICA:
		return settings_number("--ipus-per-replica", value,
		    POD_IPUS_MAX, &s->layout.ipus_per_replica, e);
	case KEY_NUM_ILDS:
		return settings_number("--num-ilds", value, POD_IPUS_MAX,
		    &s->layout.num_ilds, e);
	case 'H':
		return set_hosts(s, value, e);
	case KEY_HOSTFILE:
		return set_hostfile(s, value, e);
	case KEY_ALLOW_OVERSUBSCRIBE:
		return parse_bool("--allow-oversubscribe", value,
		    &s->allow_oversubscribe, e);
	case KEY_EMULATE_HOSTS:
		s->emulate_hosts = value;
		return parse_bool("--emulate-hosts", value, &ignored, e);
	case KEY_VIPU_SERVER_HOST:
		return set_server_host(s, value, e);
	case KEY_VIPU_SERVER_PORT:
		return settings_number("--vipu-server-port", value, PORT_MAX,
		    &s->server_port, e);
	case KEY_VIPU_SERVER_TIMEOUT:
		return settings_number("--vipu-server-timeout", value,
		    TIMEOUT_MAX_S, &s->server_timeout_s, e);
	case KEY_VIPU_PARTITION:
		return set_partition(s, value, e);
	case KEY_VIPU_PARTITION_ATTEMPTS:
		return settings_number("--vipu-partition-attempts", value,
		    ATTEMPTS_MAX, &s->partition_attempts, e);
	case KEY_VIPU_CLUSTER:
		return set_place("cluster", value, &s->cluster, e);
	case KEY_VIPU_ALLOCATION:
		return set_place("allocation", value, &s->allocation, e);
	case KEY_SYNC_TYPE:
		return set_sync_type(s, value, e);
	case KEY_UPDATE_PARTITION:
		return parse_bool("--update-partition", value,
		    &s->update_partition, e);
	case KEY_REMOVE_PARTITION:
		return parse_bool("--remove-partition", value,
		    &s->remove_partition, e);
	default:
		return set_answer("--reset-partition", value,
		    &s->reset_partition, e);
	}
}

/* Parse "40000-40099", or one port. */
static int
set_port_range(struct launch_settings *s, const char *value, struct error *e)
{
	const char *dash = strchr(value, '-');
	char *first = xasprintf("%.*s", (int)strcspn(value, "-"), value);
	long long low, high;
	int status = parse_number("--port-range", first, 1, UINT16_MAX, &low,
	    e);

	free(first);
	if (status != 0 ||
	    parse_number("--port-range", dash != NULL ? dash + 1 : value, 1,
		UINT16_MAX, &high, e) != 0)
		return -1;
	if (low > high)
		return error_set(e,
		    "--port-range %s: the first port is above the last one",
		    value);
	s->first_port = (int)low;
	s->last_port = (int)high;
	return 0;
}

/* Apply options about the launch. */
static int
apply_launch(struct launch_settings *s, int key, const char *value,
    struct error *e)
{
	switch (key) {
	case KEY_PRINT_TOPOLOGY:
		return parse_bool("--print-topology", value, &s->print_topology,
		    e);
	case KEY_OFFLINE_MODE:
		return parse_bool("--offline-mode", value, &s->offline, e);
	case KEY_LAUNCHER:
		return set_launcher(s, value, e);
	case KEY_EXECUTABLE_CACHE_PATH:
		s->cache_path = value;
		return 0;
	case KEY_SDK:
		s->sdk = value;
		return 0;
	case KEY_AUTOREPORT_DIR:
		return set_autoreport_dir(s, value, e);
	case KEY_MPI_GLOBAL_ARGS:
		return strvec_split(&s->global_args, value, e);
	case KEY_MPI_LOCAL_ARGS:
		return strvec_split(&s->local_args, value, e);
	case KEY_INSTANCE_MPI_LOCAL_ARGS:
		return set_instance_args(s, value, e);
	case KEY_PROCESS_PLACEMENT:
		return set_placement(s, value, e);
	case KEY_NUMA_AWARE:
		return set_numa_aware(s, value, e);
	case KEY_HOST_SUBNET:
		s->host_subnet = value;
		return *value != '\0' ?
		    0 :
		    error_set(e,
			"--host-subnet '': must name a network or an "
			"interface");
	case KEY_PORT_RANGE:
		return set_port_range(s, value, e);
	case KEY_ALLOW_RUN_AS_ROOT:
		return parse_bool("--allow-run-as-root", value,
		    &s->allow_run_as_root, e);
	case KEY_SYNCHRONISE_VENV:
		return parse_bool("--synchronise-python-venv", value,
		    &s->synchronise_venv, e);
	case KEY_SYNCHRONISE_SDK:
		return parse_bool("--synchronise-poplar-sdk", value,
		    &s->synchronise_sdk, e);
	case KEY_BRING_IPUBOX:
		return parse_bool("--bring-ipubox", value, &s->bring_ipubox, e);
	default:
		return parse_bool("--distribute-ssh-key", value,
		    &s->distribute_ssh_key, e);
	}
}

int
settings_apply(struct launch_settings *s, const char *name, const char *value,
    struct error *e)
{
	int key = option_table_find(name)->key;

	switch (key) {
	case KEY_IMPORT_CONFIG:
		s->import_path = value;
		return 0;
	case KEY_EXPORT_CONFIG:
		s->export_path = value;
		return *value != '\0' ?
		    0 :
		    error_set(e, "--export-config '': must name a file");
	case KEY_OVERWRITE_CONFIG:
		return parse_bool("--overwrite-config", value,
		    &s->overwrite_config, e);
	case KEY_DRY_RUN:
		s->dry_run = true;
		return 0;
	case KEY_FORMAT:
		return set_format(s, value, e);
	case KEY_VERSION_FORMAT:
		return set_version_format(s, value, e);
	case 'v':
		return set_verbose(s, "--verbose", value, 1, e);
	case KEY_VERY_VERBOSE:
		return set_verbose(s, "--vv", value, 2, e);
	case KEY_DEBUG:
		return set_verbose(s, "--debug", value, 3, e);
	default:
		if (key >= KEY_ONLY_OUTPUT && key <= KEY_CHECK)
			return settings_run_apply(s, key, value, e);
		return key >= KEY_PRINT_TOPOLOGY ?
		    apply_launch(s, key, value, e) :
		    apply_job(s, key, value, e);
	}
}

/* Whether a file or the command line gave the option. */
static bool
option_is_given(const struct launch_settings *s, int key)
{
	size_t i;

	for (i = 0; i < s->stored->count; i++)
		if (option_table_find(s->stored->options[i].name)->key == key)
			return true;
	return false;
}

/* Refuse two options that exclude each other. */
static int
check_pair(const struct launch_settings *s, int a, const char *a_name, int b,
    const char *b_name, struct error *e)
{
	if (!option_is_given(s, a) || !option_is_given(s, b))
		return 0;
	return error_set(e, "%s and %s cannot be used at the same time", a_name,
	    b_name);
}

int
settings_check(struct launch_settings *s, struct error *e)
{
	if (check_pair(s, KEY_IMPORT_CONFIG, "--import-config",
		KEY_EXPORT_CONFIG, "--export-config", e) != 0 ||
	    check_pair(s, KEY_ONLY_OUTPUT, "--only-output-from-instance",
		KEY_CONSOLE_INSTANCES, "--console-instances", e) != 0 ||
	    check_pair(s, 'H', "--host", KEY_HOSTFILE, "--hostfile", e) != 0 ||
	    check_pair(s, KEY_NUMA_AWARE, "--numa-aware", KEY_PROCESS_PLACEMENT,
		"--process-placement", e) != 0)
		return -1;
	return settings_run_check(s, e);
}
