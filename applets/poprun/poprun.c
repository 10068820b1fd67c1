/*
 * poprun: launch a distributed program on a partition of IPUs.
 *
 * The replicas are dealt out to instances of the program; each instance is
 * told its share by its environment, what it prints comes out with its tag,
 * and the first failure ends them all.
 *
 * Source: PopRun user guide, chapters 2 and 3.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/applet.h"
#include "applets/poprun/poprun_internal.h"
#include "core/base/alloc.h"
#include "core/base/name.h"
#include "core/base/parse.h"
#include "core/base/suggest.h"
#include "core/control/remove.h"
#include "core/control/reset.h"
#include "core/job/topology.h"
#include "core/process/job_directory.h"
#include "core/process/launch.h"
#include "core/state/paths.h"
#include "core/state/state.h"

enum {
	KEY_NUM_REPLICAS = OPTIONS_LONG,
	KEY_NUM_INSTANCES,
	KEY_IPUS_PER_REPLICA,
	KEY_VIPU_PARTITION,
	KEY_UPDATE_PARTITION,
	KEY_REMOVE_PARTITION,
	KEY_RESET_PARTITION,
	KEY_PRINT_TOPOLOGY,
	KEY_OFFLINE_MODE,
	KEY_LAUNCHER,
	KEY_AUTOREPORT_DIR,
	KEY_MPI_GLOBAL_ARGS,
	KEY_MPI_LOCAL_ARGS,
	KEY_INSTANCE_MPI_LOCAL_ARGS,
	KEY_ALLOW_RUN_AS_ROOT,
	KEY_DRY_RUN,
	KEY_FORMAT,
	KEY_VERY_VERBOSE,
	KEY_VERSION,
	KEY_LAST
};

static const struct option_row poprun_options[] = {
	{ KEY_NUM_REPLICAS, "num-replicas", "N",
	    "replicas of the whole job (1)" },
	{ KEY_NUM_INSTANCES, "num-instances", "N",
	    "processes that share them evenly (1)" },
	{ KEY_IPUS_PER_REPLICA, "ipus-per-replica", "N",
	    "IPUs of a replica (1)" },
	{ KEY_VIPU_PARTITION, "vipu-partition", "NAME",
	    "the partition to run on (the only one there is)" },
	{ KEY_UPDATE_PARTITION, "update-partition", "BOOL",
	    "create a missing partition, replace an unfit one (no)" },
	{ KEY_REMOVE_PARTITION, "remove-partition", "BOOL",
	    "remove it at the end if it was created here (yes)" },
	{ KEY_RESET_PARTITION, "reset-partition", "BOOL",
	    "reset it before the job (yes; no for a reconfigurable one)" },
	{ KEY_PRINT_TOPOLOGY, "print-topology", "BOOL",
	    "print the table of replicas and instances (no)" },
	{ KEY_OFFLINE_MODE, "offline-mode", "BOOL",
	    "run without a partition and without IPUs (no)" },
	{ KEY_LAUNCHER, "launcher", "NAME",
	    "local, or mpirun (by itself for several instances)" },
	{ KEY_AUTOREPORT_DIR, "autoreport-dir", "DIR",
	    "where each instance writes a profile, DIR/0, DIR/1 ..." },
	{ KEY_MPI_GLOBAL_ARGS, "mpi-global-args", "ARGS",
	    "arguments for mpirun; may be repeated" },
	{ KEY_MPI_LOCAL_ARGS, "mpi-local-args", "ARGS",
	    "arguments for mpirun, each instance's" },
	{ KEY_INSTANCE_MPI_LOCAL_ARGS, "instance-mpi-local-args", "I:ARGS",
	    "arguments for mpirun, those of instance I; may be repeated" },
	{ KEY_ALLOW_RUN_AS_ROOT, "allow-run-as-root", "BOOL",
	    "let mpirun run as root (no)" },
	{ KEY_DRY_RUN, "dry-run", NULL,
	    "print what would be run, and run nothing" },
	{ KEY_FORMAT, "format", "FORMAT",
	    "of the dry run: text (default) or json" },
	{ 'v', "verbose", NULL, "log what is done" },
	{ KEY_VERY_VERBOSE, "vv", NULL, "log more, as -vv does" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 }
};

static int	poprun_main(int argc, char **argv);

const struct applet poprun_applet = {
	.name = "poprun",
	.purpose = "launch a distributed program on IPUs",
	.synopsis = "[option ...] program [argument ...]",
	.options = poprun_options,
	.main = poprun_main
};

/* Where the command line is not understood: the real tool's words, status 2. */
static int
poprun_misuse(const char *text)
{
	(void)log_error("%s", text);
	applet_usage_line(stderr, &poprun_applet, poprun_applet.synopsis);
	return EXIT_USAGE;
}

/* Row of an option that takes one value, so that it is given once. */
static int
check_once(bool *seen, int key, struct error *e)
{
	const struct option_row	*row;

	if (key < OPTIONS_LONG || key == KEY_MPI_GLOBAL_ARGS ||
	    key == KEY_MPI_LOCAL_ARGS || key == KEY_INSTANCE_MPI_LOCAL_ARGS ||
	    key == KEY_VERY_VERBOSE)
		return 0;
	if (!seen[key - OPTIONS_LONG]) {
		seen[key - OPTIONS_LONG] = true;
		return 0;
	}
	for (row = poprun_options; row->key != key; row++)
		;
	return error_set(e, "option '--%s' cannot be specified more than "
	    "once", row->name);
}

static int
set_number(const char *what, const char *text, int max, int *value,
    struct error *e)
{
	long long	number;

	if (parse_number(what, text, 1, max, &number, e) != 0)
		return -1;
	*value = (int)number;
	return 0;
}

/* "auto" is what it is without the option; it has no word. */
static int
set_launcher(struct poprun_settings *s, const char *name, struct error *e)
{
	if (strcmp(name, "local") == 0)
		s->launcher = LAUNCHER_LOCAL;
	else if (strcmp(name, "mpirun") == 0)
		s->launcher = LAUNCHER_MPIRUN;
	else
		return suggest_refuse("--launcher", name, "local or mpirun",
		    e);
	return 0;
}

static int
set_format(struct poprun_settings *s, const char *name, struct error *e)
{
	s->json = strcmp(name, "json") == 0;
	if (!s->json && strcmp(name, "text") != 0)
		return suggest_refuse("--format", name, "text or json", e);
	return 0;
}

static int
set_partition(struct poprun_settings *s, const char *name, struct error *e)
{
	s->partition = name;
	return name_check("partition", name, e);
}

/* "3:-x NAME=VALUE", for instance 3. */
static int
set_instance_args(struct poprun_settings *s, const char *value, struct error *e)
{
	static const char	option[] = "--instance-mpi-local-args";
	char			*index = xstrdup(value);
	char			*colon = strchr(index, ':');
	long long		 number = 0;
	int			 status;

	if (colon == NULL) {
		free(index);
		return error_set(e, "%s '%s': must be an instance's index, a "
		    "colon and its arguments", option, value);
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
set_autoreport_dir(struct poprun_settings *s, const char *path, struct error *e)
{
	s->autoreport_dir = path;
	return *path != '\0' ? 0 : error_set(e, "--autoreport-dir '': must "
	    "name a folder");
}

/* Not given is an answer of its own: then the partition decides. */
static int
set_answer(const char *what, const char *text, enum answer *answer,
    struct error *e)
{
	bool	yes;

	if (parse_bool(what, text, &yes, e) != 0)
		return -1;
	*answer = yes ? ANSWER_YES : ANSWER_NO;
	return 0;
}

/* An option with a value; 0 or -1. */
static int
set_value(struct poprun_settings *s, int key, const char *value,
    struct error *e)
{
	switch (key) {
	case KEY_NUM_REPLICAS:
		return set_number("--num-replicas", value, REPLICAS_MAX,
		    &s->layout.num_replicas, e);
	case KEY_NUM_INSTANCES:
		return set_number("--num-instances", value, INSTANCES_MAX,
		    &s->layout.num_instances, e);
	case KEY_IPUS_PER_REPLICA:
		return set_number("--ipus-per-replica", value, POD_IPUS_MAX,
		    &s->layout.ipus_per_replica, e);
	case KEY_VIPU_PARTITION:
		return set_partition(s, value, e);
	case KEY_UPDATE_PARTITION:
		return parse_bool("--update-partition", value,
		    &s->update_partition, e);
	case KEY_REMOVE_PARTITION:
		return parse_bool("--remove-partition", value,
		    &s->remove_partition, e);
	case KEY_RESET_PARTITION:
		return set_answer("--reset-partition", value,
		    &s->reset_partition, e);
	case KEY_PRINT_TOPOLOGY:
		return parse_bool("--print-topology", value,
		    &s->print_topology, e);
	case KEY_OFFLINE_MODE:
		return parse_bool("--offline-mode", value, &s->offline, e);
	case KEY_ALLOW_RUN_AS_ROOT:
		return parse_bool("--allow-run-as-root", value,
		    &s->allow_run_as_root, e);
	case KEY_LAUNCHER:
		return set_launcher(s, value, e);
	case KEY_AUTOREPORT_DIR:
		return set_autoreport_dir(s, value, e);
	case KEY_FORMAT:
		return set_format(s, value, e);
	case KEY_MPI_GLOBAL_ARGS:
		return strvec_split(&s->global_args, value, e);
	case KEY_INSTANCE_MPI_LOCAL_ARGS:
		return set_instance_args(s, value, e);
	default:
		return strvec_split(&s->local_args, value, e);
	}
}

/*
 * The command line into *s.  Returns OPTIONS_END, OPTIONS_ERROR, or the key
 * of --help or --version.
 */
static int
poprun_parse(struct poprun_settings *s, int argc, char **argv, struct error *e)
{
	struct option_parser	parser;
	bool			seen[KEY_LAST - OPTIONS_LONG] = { false };
	int			key, verbose = 0;

	options_init(&parser, poprun_options, argc, argv, true);
	while ((key = options_next(&parser, e)) >= 0) {
		if (key == 'h' || key == KEY_VERSION)
			break;
		if (check_once(seen, key, e) != 0)
			key = OPTIONS_ERROR;
		else if (key == 'v')
			verbose++;
		else if (key == KEY_VERY_VERBOSE)
			verbose += 2;
		else if (key == KEY_DRY_RUN)
			s->dry_run = true;
		else if (set_value(s, key, parser.argument, e) != 0)
			key = OPTIONS_ERROR;
		if (key == OPTIONS_ERROR)
			break;
	}
	s->program = argv + parser.operand;
	if (key == OPTIONS_END && *s->program == NULL) {
		(void)error_set(e, "no program to launch");
		return OPTIONS_ERROR;
	}
	log_init(verbose);
	return key;
}

/* The table, before the program's first line. */
static int
print_topology(const struct plan *p)
{
	const struct poprun_settings	*s = p->settings;
	const char		*host = p->host;

	if (s->dry_run || (!s->print_topology && !log_wants(LOG_INFO)))
		return 0;
	topology_print(stdout, &p->layout, &host);
	return fflush(stdout);
}

/*
 * Instances of ipubox's own programs meet in a directory of the job; one
 * instance has nobody to meet.
 */
static int
poprun_make_directory(struct plan *p, struct error *e)
{
	struct state_paths	state;
	const char		*places[] = { "/dev/shm", getenv("TMPDIR"),
	    "/tmp", NULL };

	if (p->layout.num_instances == 1 || p->settings->dry_run)
		return 0;
	if (paths_find(&state, NULL) == 0)
		places[3] = state.directory;
	if (job_directory_make(&p->directory, places, 4, e) != 0)
		return -1;
	strvec_addf(&p->variables, "%s=%s", JOB_DIRECTORY_VARIABLE,
	    p->directory.path);
	return 0;
}

/* Complete the plan on its partition, and run it. */
static int
launch(struct plan *p, const sigset_t *mask)
{
	struct error	 e = { .text = "" };
	char		*command;

	if (p->partition.num_ilds > 0)
		p->layout.num_ilds = p->partition.num_ilds;
	if (layout_check(&p->layout, &e) != 0)
		return log_error("%s", e.text);
	if (print_topology(p) != 0)
		return EXIT_FAILED;	/* main() says why */
	if (plan_complete(p, &e) != 0 || poprun_make_directory(p, &e) != 0)
		return log_error("%s", e.text);
	if (p->settings->dry_run) {
		dry_run_print(p);
		return EXIT_DONE;
	}
	command = strvec_quoted(p->command.items);
	log_line(LOG_INFO, "Running command: %s", command);
	free(command);
	return run_plan(p, mask);
}

/* Whatever happens between, what was created is removed. */
static int
launch_on_partition(struct plan *p)
{
	struct error	e = { .text = "" };
	sigset_t	mask;
	int		status;

	launch_hold_signals(&mask);
	if (!p->settings->offline &&
	    partition_ensure(p->settings, &p->partition, &e) != 0) {
		(void)partition_release(p->settings, &p->partition, NULL);
		return log_error("%s", e.text);
	}
	status = launch(p, &mask);
	if (partition_release(p->settings, &p->partition, &e) != 0) {
		(void)log_error("%s", e.text);
		if (status == EXIT_DONE)
			status = EXIT_FAILED;
	}
	return status;
}

/*
 * Signals are held from before the partition is created until a launch can
 * pass them on: see launch_on_partition().
 */
static int
poprun_main(int argc, char **argv)
{
	struct poprun_settings	settings = {
		.layout = { 1, 1, 1, 1, 1 }, .remove_partition = true
	};
	struct plan	plan;
	struct error	e = { .text = "" };
	int		key, status, i;

	strvec_init(&settings.global_args);
	strvec_init(&settings.local_args);
	key = poprun_parse(&settings, argc, argv, &e);
	if (key == 'h')
		return applet_help(&poprun_applet);
	if (key == KEY_VERSION)
		return applet_version(&poprun_applet);
	if (key == OPTIONS_ERROR)
		status = poprun_misuse(e.text);
	else if (layout_check(&settings.layout, &e) != 0)
		status = log_error("%s", e.text);
	else {
		status = plan_init(&plan, &settings, &e);
		if (status != 0)
			(void)log_error("%s", e.text);
		else
			status = launch_on_partition(&plan);
		plan_release(&plan);
	}
	strvec_release(&settings.global_args);
	strvec_release(&settings.local_args);
	for (i = 0; i < settings.instance_args_count; i++)
		strvec_release(&settings.instance_args[i]);
	free(settings.instance_args);
	return status == -1 ? EXIT_FAILED : status;
}
