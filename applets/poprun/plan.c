/*
 * poprun's plan: the layout, the launcher, each instance's environment and
 * the command.  Made before anything is started; --dry-run prints it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/poprun/poprun_internal.h"
#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/job/engine_options.h"
#include "core/job/environment.h"
#include "core/job/mpirun.h"
#include "core/job/target_options.h"
#include "core/process/program.h"

/* The embedded controller, in the terms of a V-IPU server. */
enum {
	SERVER_PORT = 8090,
	SERVER_TIMEOUT_S = 120
};

static const char	server_host[] = "local";

/* Variables that each instance gets from the caller, on other hosts too. */
static const char *const forwarded[] = {
	"PATH", "LD_LIBRARY_PATH", "PYTHONPATH"
};

/* How this host is called in the topology: by its name in a Slurm job. */
static char *
host_label(void)
{
	const char	*name = getenv("SLURMD_NODENAME");

	if (getenv("SLURM_JOB_ID") == NULL || name == NULL || *name == '\0')
		return xstrdup("localhost");
	return xstrdup(name);
}

/* mpirun runs as root only with a permission, given in one of three ways. */
static bool
may_run_as_root(const struct poprun_settings *s)
{
	const char	*allow = getenv("OMPI_ALLOW_RUN_AS_ROOT");
	const char	*confirm = getenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM");

	return geteuid() != 0 || s->allow_run_as_root ||
	    mpirun_args_have(&s->global_args, "--allow-run-as-root") ||
	    (allow != NULL && strcmp(allow, "1") == 0 &&
	    confirm != NULL && strcmp(confirm, "1") == 0);
}

/* Whether the local launcher can do what the arguments for mpirun say. */
static int
check_local_args(const struct poprun_settings *s, struct error *e)
{
	struct strvec	variables;
	int		status, i;

	strvec_init(&variables);
	status = mpirun_args_as_local(&s->global_args, &variables, e);
	if (status == 0)
		status = mpirun_args_as_local(&s->local_args, &variables, e);
	for (i = 0; i < s->instance_args_count && status == 0; i++)
		status = mpirun_args_as_local(&s->instance_args[i],
		    &variables, e);
	strvec_release(&variables);
	return status;
}

/*
 * mpirun where it was asked for, or by itself: for several instances, as
 * their program may call MPI, and for arguments that only mpirun knows; if
 * it is there and would run.
 */
static int
choose_launcher(struct plan *p, struct error *e)
{
	const struct poprun_settings	*s = p->settings;
	struct error		 local_error = { .text = "" };
	bool			 local = check_local_args(s, &local_error) == 0;

	p->launcher = s->launcher;
	if (p->launcher != LAUNCHER_LOCAL &&
	    program_find("mpirun", getenv("PATH"), &p->mpirun, e) != 0) {
		if (p->launcher == LAUNCHER_MPIRUN)
			return error_set(e, "mpirun not found in PATH: install "
			    "Open MPI, or use --launcher local");
		p->launcher = LAUNCHER_LOCAL;
	}
	if (p->launcher == LAUNCHER_AUTO &&
	    s->layout.num_instances == 1 && local)
		p->launcher = LAUNCHER_LOCAL;
	if (p->launcher == LAUNCHER_AUTO && !may_run_as_root(s)) {
		log_line(LOG_INFO, "Launching without mpirun, which refuses to "
		    "run as root unless --allow-run-as-root yes is given");
		p->launcher = LAUNCHER_LOCAL;
	}
	if (p->launcher == LAUNCHER_AUTO)
		p->launcher = LAUNCHER_MPIRUN;
	if (p->launcher == LAUNCHER_LOCAL && !local) {
		if (e != NULL)
			*e = local_error;
		return -1;
	}
	return 0;
}

/*
 * Whether one of the words sets the directory that Poplar writes profiles to.
 */
static bool
set_profile_directory(const struct strvec *args)
{
	static const char	name[] = ENGINE_OPTIONS_VARIABLE "=";
	size_t			i;

	for (i = 0; i < args->count; i++)
		if (strncmp(args->items[i], name, sizeof(name) - 1) == 0 &&
		    engine_options_set_directory(args->items[i]))
			return true;
	return false;
}

/*
 * PopDist gives each instance a directory of its own; one that was set in
 * another way would be that of all.
 */
static int
check_autoreport(const struct poprun_settings *s, struct error *e)
{
	bool	set = engine_options_set_directory(
	    getenv(ENGINE_OPTIONS_VARIABLE)) ||
	    set_profile_directory(&s->global_args) ||
	    set_profile_directory(&s->local_args);
	int	i;

	for (i = 0; i < s->instance_args_count; i++)
		set = set || set_profile_directory(&s->instance_args[i]);
	if (s->autoreport_dir == NULL || !set)
		return 0;
	return error_set(e, "autoreport-dir command line argument cannot be "
	    "specified when POPLAR_ENGINE_OPTIONS contains "
	    "autoReport.directory setting.");
}

/* Arguments for an instance that is not there were meant for one that is. */
static int
check_instance_args(const struct poprun_settings *s, struct error *e)
{
	if (s->instance_args_count <= s->layout.num_instances)
		return 0;
	return error_set(e, "--instance-mpi-local-args: there is no instance "
	    "%d, the job has %d", s->instance_args_count - 1,
	    s->layout.num_instances);
}

int
plan_init(struct plan *p, const struct poprun_settings *s, struct error *e)
{
	int	status;

	memset(p, 0, sizeof(*p));
	p->settings = s;
	p->layout = s->layout;
	job_directory_init(&p->directory);
	p->partition.guard.pipe = p->partition.owner.fd = -1;
	p->host = host_label();
	strvec_init(&p->program);
	strvec_init(&p->command);
	strvec_init(&p->variables);
	if (check_autoreport(s, e) != 0 || check_instance_args(s, e) != 0)
		return -1;
	status = applet_find_program(s->program, &p->path, &p->program, e);
	if (status == 0)
		status = choose_launcher(p, e);
	return status;
}

void
plan_release(struct plan *p)
{
	int	i;

	for (i = 0; p->environments != NULL && i < p->layout.num_instances;
	    i++)
		strvec_release(&p->environments[i]);
	free(p->environments);
	strvec_release(&p->program);
	strvec_release(&p->command);
	strvec_release(&p->variables);
	free(p->host);
	free(p->path);
	free(p->mpirun);
	free(p->target_options);
	free(p->partition.options);
	free(p->partition.device_options);
	job_directory_remove(&p->directory);
	job_directory_release(&p->directory);
}

/*
 * The device's options are overruled by the partition's, and these by the
 * caller's, who may compile for another system in that way.
 */
static int
merge_target_options(struct plan *p, struct error *e)
{
	static const char	 variable[] = "POPLAR_TARGET_OPTIONS";
	const char		*own = getenv(variable);
	char			*base, *empty;

	empty = target_options_merge(NULL, variable, own, e);
	if (empty == NULL)
		return -1;
	log_line(LOG_DEBUG, "Target options from environment: %s", empty);
	free(empty);
	if (p->partition.options != NULL)
		log_line(LOG_DEBUG, "Target options from V-IPU partition: %s",
		    p->partition.options);
	if (p->partition.device_options != NULL)
		log_line(LOG_DEBUG, "Target options from Poplar device: %s",
		    p->partition.device_options);
	base = target_options_merge(p->partition.device_options, variable,
	    p->partition.options, e);
	if (base == NULL)
		return -1;
	p->target_options = target_options_merge(base, variable, own, e);
	free(base);
	if (p->target_options == NULL)
		return -1;
	if (strcmp(p->target_options, "{}") == 0) {
		free(p->target_options);
		p->target_options = NULL;
	} else
		log_line(LOG_DEBUG, "Using target options: %s",
		    p->target_options);
	return 0;
}

/*
 * mpirun tells each instance its ranks itself; where we launch, we do, with
 * the variables that mpirun would have set.
 */
static void
make_environments(struct plan *p)
{
	const char		*log = getenv("IPUOF_LOG_LEVEL");
	struct strvec		 names;
	struct environment	 env = {
		.layout = &p->layout, .server_host = server_host,
		.server_port = SERVER_PORT,
		.server_timeout_s = SERVER_TIMEOUT_S,
		.partition = p->partition.name[0] != '\0' ?
		    p->partition.name : NULL,
		.one_gcd = p->partition.reconfigurable,
		.log_level = log != NULL && *log != '\0' ? log : "WARN",
		.target_options = p->target_options,
		.autoreport_dir = p->settings->autoreport_dir
	};
	size_t			 i;
	int			 n;

	strvec_init(&names);
	for (i = 0; i < ARRAY_SIZE(forwarded); i++)
		if (getenv(forwarded[i]) != NULL)
			strvec_add(&names, forwarded[i]);
	env.forwarded = names.items;
	p->environments = xcalloc((size_t)p->layout.num_instances,
	    sizeof(*p->environments));
	for (n = 0; n < p->layout.num_instances; n++) {
		if (p->launcher == LAUNCHER_LOCAL)
			environment_add_ranks(&p->layout, n,
			    &p->environments[n]);
		environment_add(&env, n, &p->environments[n]);
	}
	strvec_release(&names);
}

/* For the local launcher: variables of `-x`, the user's last. */
static int
add_user_variables(struct plan *p, struct error *e)
{
	const struct poprun_settings	*s = p->settings;
	int			 i;

	for (i = 0; i < p->layout.num_instances; i++)
		if (mpirun_args_as_local(&s->global_args, &p->environments[i],
		    e) != 0 ||
		    mpirun_args_as_local(&s->local_args, &p->environments[i],
		    e) != 0 || (i < s->instance_args_count &&
		    mpirun_args_as_local(&s->instance_args[i],
		    &p->environments[i], e) != 0))
			return -1;
	return 0;
}

/*
 * Locally the command is the program; with mpirun it is mpirun's, in which
 * each instance is one app context.
 */
int
plan_complete(struct plan *p, struct error *e)
{
	const struct poprun_settings	*s = p->settings;

	if (merge_target_options(p, e) != 0)
		return -1;
	make_environments(p);
	if (p->launcher == LAUNCHER_LOCAL) {
		strvec_add_all(&p->command, p->program.items);
		return add_user_variables(p, e);
	}
	return mpirun_command(&(struct mpirun){
		.path = p->mpirun, .global_args = &s->global_args,
		.local_args = &s->local_args,
		.instance_args = s->instance_args,
		.instance_args_count = s->instance_args_count,
		.allow_run_as_root = s->allow_run_as_root,
		.num_instances = p->layout.num_instances,
		.environments = p->environments, .program = p->program.items
	}, &p->command, e);
}
