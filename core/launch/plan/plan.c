/*
 * poprun's plan: the layout, each instance's environment and the
 * command.  It is made before anything is started; --dry-run prints it.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/job/job.h"
#include "core/launch/plan/hosts.h"
#include "core/launch/plan/job_server.h"
#include "core/launch/plan/notes.h"
#include "core/launch/plan/plan.h"
#include "core/launch/plan/plan_srun.h"
#include "core/launch/plan/run.h"
#include "core/process/process.h"
#include "core/state/state.h"

/* Variables of the caller that each instance gets, on other hosts too. */
static const char *const forwarded[] = { "PATH", "LD_LIBRARY_PATH",
	"PYTHONPATH" };

/* Return true if one of the words sets the directory for Poplar's profiles. */
static bool
set_profile_directory(const struct strvec *args)
{
	static const char name[] = ENGINE_OPTIONS_VARIABLE "=";
	size_t i;

	for (i = 0; i < args->count; i++)
		if (strncmp(args->items[i], name, sizeof(name) - 1) == 0 &&
		    engine_options_set_directory(args->items[i]))
			return true;
	return false;
}

/* PopDist gives each instance a separate directory; a directory set in another
   way would be shared by all. */
static int
check_autoreport(const struct launch_settings *s, struct error *e)
{
	bool set =
	    engine_options_set_directory(getenv(ENGINE_OPTIONS_VARIABLE)) ||
	    set_profile_directory(&s->global_args) ||
	    set_profile_directory(&s->local_args);
	int i;

	for (i = 0; i < s->instance_args_count; i++)
		set = set || set_profile_directory(&s->instance_args[i]);
	if (s->autoreport_dir == NULL || !set)
		return 0;
	return error_set(e,
	    "autoreport-dir command line argument cannot be specified when "
	    "POPLAR_ENGINE_OPTIONS contains autoReport.directory setting.");
}

/* Refuse arguments for an instance that does not exist: another was meant. */
static int
check_instance_args(const struct launch_settings *s, struct error *e)
{
	if (s->instance_args_count <= s->layout.num_instances)
		return 0;
	return error_set(e,
	    "--instance-mpi-local-args: instance %d does not exist: the job "
	    "has %d, counted from 0",
	    s->instance_args_count - 1, s->layout.num_instances);
}

/* Lay the instances out on the hosts in use. */
static int
plan_layout(struct plan *p, struct error *e)
{
	const struct launch_settings *s = p->settings;
	struct error reason;

	p->layout = s->layout;
	if (p->layout.num_ilds == 0)
		p->layout.num_ilds = 1;
	/* Refused settings files do not stop a job without IPUs. */
	if (settings_emulate_hosts(s->emulate_hosts, &p->emulated, NULL,
		&reason) != 0 &&
	    (reason.code == ERROR_INVALID || !s->offline))
		return error_copy(e, &reason);
	return hosts_find(p, e) != 0 || hosts_choose(p, e) != 0 ||
		layout_check(&p->layout, e) != 0 ?
	    -1 :
	    job_partition_check_layout(&p->layout, e);
}

/* Make the path absolute, because an instance may run in another directory. */
static int
make_absolute(struct plan *p, struct error *e)
{
	char *here, *path;
	int i;

	for (i = 0; i < p->layout.num_instances; i++)
		if (p->working != NULL && p->working[i] != NULL)
			break;
	if (i == p->layout.num_instances || p->path[0] == '/')
		return 0;
	if ((here = getcwd(NULL, 0)) == NULL)
		return error_set_errno(e, "cannot find the current directory");
	path = xasprintf("%s/%s", here, p->path);
	free(here);
	free(p->path);
	p->path = path;
	return 0;
}

int
plan_begin(struct plan *p, const struct launch_settings *s, struct error *e)
{
	memset(p, 0, sizeof(*p));
	p->settings = s;
	job_directory_init(&p->directory);
	cache_init(&p->cache);
	p->partition.guard.pipe = p->partition.owner.fd = -1;
	p->rendezvous.fd = -1;
	strvec_init(&p->picked_up);
	strvec_init(&p->hosts);
	strvec_init(&p->program);
	strvec_init(&p->command);
	strvec_init(&p->run);
	strvec_init(&p->variables);
	strvec_init(&p->notes);
	strvec_init(&p->on_hosts);
	strvec_init(&p->tasks);
	if (engine_options_check(getenv(ENGINE_OPTIONS_VARIABLE), e) != 0 ||
	    check_autoreport(s, e) != 0 || check_instance_args(s, e) != 0 ||
	    cache_check(s, e) != 0 || plan_layout(p, e) != 0 ||
	    job_server_choose(s, &p->server, e) != 0 || use_sdk_find(p, e) != 0)
		return -1;
	return 0;
}

/* Refuse a script that cannot run here, in words that execve(2) has not. */
static int
check_interpreter(const struct plan *p, struct error *e)
{
	const int status = p->far != NULL ?
	    0 :
	    program_check_interpreter(p->path, e);
	char *tab, *mend;

	if (status != 0 && (tab = strchr(e->text, '\t')) != NULL) {
		mend = xstrdup(tab + 1);
		*tab = '\0';
		(void)error_append(e, "; %s", mend);
		free(mend);
	}
	return status;
}

/* With --check each column shows an unreachable host, so continue. */
int
plan_connect(struct plan *p, struct error *e)
{
	int asked;

	if (p->far == NULL)
		return 0;
	if (p->slots->has_users)
		job_log_warning("the user in USER@HOST is ignored: name it in "
				"~/.ssh/config");
	asked = remote_hosts_ask(p, NULL, e);
	if ((asked != 0 && !p->settings->check) ||
	    job_network_choose(p, e) != 0)
		return -1;
	/* Stays the same for all starts of the job. */
	p->host_directory = job_directory_new_path("/tmp");
	if (p->settings->offline || asked != 0)
		return 0;
	return job_server_name_user(e) != 0 ?
	    -1 :
	    job_server_show(&p->server, p->network.own.address, p->far,
		&p->remote, e);
}

int
plan_init(struct plan *p, const struct launch_settings *s, struct error *e)
{
	struct strvec would;
	int status = plan_begin(p, s, e);

	strvec_init(&would);
	if (status == 0)
		status = own_program_find(s->program, &p->path, &p->program, e);
	p->reaching = status == 0;
	if (status == 0)
		status = plan_choose_launcher(p, e);
	if (status == 0)
		status = check_interpreter(p, e);
	if (status == 0 && !s->dry_run)
		status = run_check_open_files(p, e);
	if (status == 0)
		status = plan_connect(p, e);
	p->reaching = p->reaching && status != 0;
	if (status == 0)
		status = make_absolute(p, e);
	if (status == 0)
		status = prepare_hosts_check(p, &would, e);
	if (status == 0 && s->dry_run)
		strvec_add_all(&p->notes, would.items);
	if (status == 0)
		notes_add(p);
	strvec_release(&would);
	return status;
}

void
plan_release(struct plan *p)
{
	int i;

	strvec_free_array(p->environments, p->layout.num_instances);
	free(p->shares);
	free(p->absent);
	for (i = 0; p->local != NULL && i < p->layout.num_instances; i++)
		mpirun_local_release(&p->local[i]);
	free(p->local);
	free(p->working);
	strvec_release(&p->picked_up);
	hostlist_slots_release(&p->picked_up_slots);
	strvec_release(&p->hosts);
	strvec_release(&p->program);
	strvec_release(&p->command);
	strvec_release(&p->run);
	strvec_release(&p->variables);
	strvec_release(&p->notes);
	strvec_release(&p->on_hosts);
	strvec_release(&p->tasks);
	remote_agent_release(&p->agent);
	remote_hosts_release(&p->remote);
	bring_release(&p->bring);
	job_server_release(&p->server);
	free(p->path);
	free(p->mpirun);
	free(p->host_directory);
	free(p->target_options);
	free(p->partition.options);
	free(p->partition.device_options);
	free(p->partition.device_text);
	job_directory_remove(&p->directory);
	job_directory_release(&p->directory);
	cache_release(&p->cache);
	rendezvous_close(&p->rendezvous);
	machine_release(&p->machine);
}

/* Log the device of a reconfigurable partition, in the real tool's words. */
static void
log_device(const struct job_partition *job, long ipus)
{
	job_log_line(LOG_DEBUG, "Found %d devices with %ld IPUs",
	    job->device_count, ipus);
	job_log_line(LOG_DEBUG, "Attached to device %d", job->device_id);
	job_log_line(LOG_INFO, "Preparing parent device %d", job->device_id);
	job_log_line(LOG_DEBUG, "Device %d %s", job->device_id,
	    job->device_text);
	job_log_line(LOG_DEBUG, "Target options from Poplar device: %s",
	    job->device_options);
}

/* Merge the options: the partition's replace the device's, and the caller's
   replace both, so that a user may compile for another system. */
static int
merge_target_options(struct plan *p, struct error *e)
{
	static const char variable[] = "POPLAR_TARGET_OPTIONS";
	const char *own = getenv(variable);
	char *base, *empty;

	empty = target_options_merge(NULL, variable, own, e);
	if (empty == NULL)
		return -1;
	job_log_line(LOG_DEBUG, "Target options from environment: %s", empty);
	free(empty);
	if (p->partition.options != NULL)
		job_log_line(LOG_DEBUG,
		    "Target options from V-IPU partition: %s",
		    p->partition.options);
	if (p->partition.device_options != NULL)
		log_device(&p->partition, layout_ipus(&p->layout));
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
		job_log_line(LOG_DEBUG, "Using target options: %s",
		    p->target_options);
	return 0;
}

/* Add the variables of -x for the whole job, which mpirun reads before those of
   the instance; `names` are the latter that have the caller's value. */
static void
add_first(const struct strvec *first, const struct strvec *names,
    struct strvec *all)
{
	size_t i, k, size;

	for (i = 0; i < first->count; i++) {
		size = strcspn(first->items[i], "=");
		for (k = 0; k < names->count; k++)
			if (strlen(names->items[k]) == size &&
			    strncmp(names->items[k], first->items[i], size) ==
				0)
				break;
		if (k == names->count)
			strvec_add(all, first->items[i]);
	}
}

/* Make one list of variables per instance.  mpirun sets the ranks itself; the
   local launcher sets the variables that mpirun would have set. */
static struct strvec *
make_environments(const struct plan *p, bool with_ranks)
{
	const char *log = getenv("IPUOF_LOG_LEVEL");
	struct strvec names;
	struct environment env = { .layout = &p->layout,
		.server_host = p->server.shown_host,
		.server_port = p->server.port,
		.server_timeout_s = p->settings->server_timeout_s,
		.partition =
		    p->partition.name[0] != '\0' ? p->partition.name : NULL,
		.one_gcd = p->partition.reconfigurable,
		.log_level = log != NULL && *log != '\0' ? log : "WARN",
		.target_options = p->target_options,
		.autoreport_dir = p->settings->autoreport_dir,
		.cache_paths = p->cache.paths.items };
	struct strvec *all;
	size_t i;
	int n;

	strvec_init(&names);
	for (i = 0; i < ARRAY_SIZE(forwarded); i++)
		if (getenv(forwarded[i]) != NULL)
			strvec_add(&names, forwarded[i]);
	env.forwarded = names.items;
	all = xcalloc((size_t)p->layout.num_instances, sizeof(*all));
	for (n = 0; n < p->layout.num_instances; n++) {
		if (with_ranks)
			add_first(&p->local[n].first, &names, &all[n]);
		if (with_ranks)
			environment_add_ranks(&p->layout, n, &all[n]);
		environment_add(&env, n, &all[n]);
		/* A single instance has the shared variables: shared_make(). */
		if (p->layout.num_instances > 1)
			environment_add_torch_ranks(&p->layout, n, &all[n]);
	}
	strvec_release(&names);
	return all;
}

/* Add the variables of each instance's -x for the local launcher, last, and its
   directory, which mpirun sets too. */
static void
add_user_variables(struct plan *p)
{
	char *path;
	int i;

	for (i = 0; i < p->layout.num_instances; i++) {
		strvec_add_all(&p->environments[i],
		    p->local[i].variables.items);
		if (p->working[i] != NULL &&
		    (path = realpath(p->working[i], NULL)) != NULL) {
			strvec_addf(&p->environments[i], "PWD=%s", path);
			free(path);
		}
	}
	for (i = 0; i < p->layout.num_instances; i++)
		use_sdk_add_own(p, &p->environments[i]);
}

/* Lay out the environments of instances and hosts, and the command, which for
   the local launcher is the program. */
int
plan_arrange(struct plan *p, struct error *e)
{
	struct strvec *elsewhere;

	strvec_free_array(p->environments, p->layout.num_instances);
	p->environments = NULL;
	strvec_release(&p->command);
	strvec_init(&p->command);
	strvec_release(&p->run);
	strvec_init(&p->run);
	machine_release(&p->machine);
	if (cache_open(&p->cache, p->settings, p->layout.num_hosts,
		p->far != NULL ? p->host_directory : NULL, e) != 0)
		return -1;
	p->environments = make_environments(p, p->launcher != LAUNCHER_MPIRUN);
	job_network_log(p);
	if (cores_choose(p, e) != 0)
		return -1;
	if (p->settings->dry_run && p->emulated && p->named->count > 0) {
		elsewhere = make_environments(p, false);
		plan_mpirun_show(p, elsewhere);
		strvec_free_array(elsewhere, p->layout.num_instances);
	}
	if (p->launcher == LAUNCHER_MPIRUN)
		return plan_mpirun_complete(p, e);
	add_user_variables(p);
	if (p->launcher == LAUNCHER_SRUN)
		return plan_srun_complete(p, e);
	strvec_add_all(&p->command, p->program.items);
	return 0;
}

int
plan_complete(struct plan *p, struct error *e)
{
	return merge_target_options(p, e) != 0 ? -1 : plan_arrange(p, e);
}

int
plan_print_topology(const struct plan *p)
{
	const struct launch_settings *s = p->settings;

	if (s->dry_run || (!s->print_topology && !job_log_wants(LOG_INFO)))
		return 0;
	topology_print(stdout, &p->layout, (const char *const *)p->hosts.items,
	    terminal_columns(STDOUT_FILENO));
	return fflush(stdout);
}

int
plan_change_hosts(struct plan *p, const sigset_t *mask, struct error *e)
{
	if (hosts_choose(p, e) != 0 || layout_check(&p->layout, e) != 0 ||
	    remote_hosts_ask(p, mask, e) != 0 ||
	    (p->far != NULL && job_network_choose(p, e) != 0))
		return -1;
	if (p->far == NULL) {
		/* The old one was in the directory of a job on several
		   hosts. */
		cache_release(&p->cache);
		cache_init(&p->cache);
	}
	return 0;
}
