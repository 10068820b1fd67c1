/*
 * The variables that instances inherit, so that the arguments for mpirun stay
 * the real tool's, and the objects that they name.
 */
#include "core/launch/plan/plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/parse.h"
#include "core/base/terminal.h"
#include "core/collective/collective.h"
#include "core/job/job.h"
#include "core/launch/parent.h"
#include "core/process/process.h"
#include "core/state/state.h"

/* Make the job's directory, where ipubox's own programs exchange data and the
   parents below mpirun find poprun.  A single instance needs none. */
static int
shared_make_directory(struct plan *p, struct error *e)
{
	struct state_paths state;
	const char *places[] = { "/dev/shm", getenv("TMPDIR"), "/tmp", NULL };

	job_directory_remove(&p->directory);
	job_directory_release(&p->directory);
	if ((p->layout.num_instances == 1 && p->launcher == LAUNCHER_LOCAL) ||
	    p->settings->dry_run)
		return 0;
	if (paths_find(&state, NULL) == 0)
		places[3] = state.directory;
	if (job_directory_make(&p->directory, places, 4, e) != 0)
		return -1;
	if (p->layout.num_instances > 1 && p->far == NULL)
		strvec_addf(&p->variables, "%s=%s", JOB_DIRECTORY_VARIABLE,
		    p->directory.path);
	return 0;
}

/* Add the directory on each host of a job on several hosts. */
static void
shared_add_host_directory(struct plan *p)
{
	const char *by = variable_get(COLLECTIVE_VARIABLE);

	if (p->far == NULL)
		return;
	strvec_addf(&p->variables, PARENT_HOST_VARIABLE "=%s",
	    p->host_directory);
	/* Each parent makes a directory for its instance there. */
	if (p->layout.num_instances > 1)
		strvec_addf(&p->variables, JOB_DIRECTORY_VARIABLE "=%s",
		    p->host_directory);
	/* Hosts do not share memory. */
	strvec_addf(&p->variables, COLLECTIVE_VARIABLE "=%s",
	    by == NULL || strcmp(by, "memory") == 0 ? "chain" : by);
}

/* Hosts that share this user's pod find it as this host does. */
static void
shared_add_pod(struct plan *p)
{
	struct state_paths paths;

	if (!p->remote.share_pod || paths_find(&paths, NULL) != 0)
		return;
	strvec_addf(&p->variables, "IPUBOX_STATE_DIR=%s", paths.directory);
	strvec_addf(&p->variables, "IPUBOX_REGISTRY=%s", paths.registry);
}

/* Return true if a host is named with its domain. */
static bool
names_domain(const struct strvec *hosts)
{
	const char *host;
	size_t i;

	for (i = 0; i < hosts->count; i++) {
		host = hosts->items[i];
		if (strchr(host, '.') != NULL &&
		    host[strspn(host, "0123456789.")] != '\0')
			return true;
	}
	return false;
}

/* Open MPI's routed_radix: how many hosts are started from this one; these
   start further hosts. */
enum { SHARED_RADIX = 64 };

/* Make ssh fail instead of prompting or waiting for a silent host.  A user's
   agent may take other arguments, and may know names that other hosts do not
   know: then this host starts all. */
static void
shared_add_ssh(struct plan *p)
{
	static const char *const no_tree[] = { "plm_rsh_no_tree_spawn", NULL };
	static const char keep_domain[] = "OMPI_MCA_orte_keep_fqdn_hostnames";

	if (p->far == NULL || p->launcher == LAUNCHER_SRUN)
		return;
	if (p->agent.words.count == 0 &&
	    getenv("OMPI_MCA_plm_rsh_args") == NULL)
		strvec_add(&p->variables,
		    "OMPI_MCA_plm_rsh_args=-o BatchMode=yes -o "
		    "ConnectTimeout=30");
	if (p->agent.has_names && p->hosts.count > SHARED_RADIX &&
	    parameter_get(p->settings, no_tree, NULL) == NULL)
		strvec_addf(&p->variables, "OMPI_MCA_%s=1", no_tree[0]);
	/* Its connections time out a while after ours, which report more. */
	strvec_add(&p->variables, "OMPI_MCA_oob_tcp_keepalive_time=20");
	strvec_add(&p->variables, "OMPI_MCA_oob_tcp_keepalive_intvl=5");
	strvec_add(&p->variables, "OMPI_MCA_oob_tcp_keepalive_probes=4");
	/* Otherwise it would cut the domain off. */
	if (names_domain(&p->hosts) && getenv(keep_domain) == NULL)
		strvec_addf(&p->variables, "%s=1", keep_domain);
}

/* Add the variables of torch.distributed; a single instance has the shared
   ones. */
static void
shared_add_torch(struct plan *p)
{
	struct environment_torch torch = {
		.master_address =
		    p->far == NULL ? "127.0.0.1" : p->network.first,
	};

	rendezvous_close(&p->rendezvous);
	if (!p->settings->dry_run)
		rendezvous_open(&p->rendezvous);
	torch.master_port = p->settings->dry_run ?
	    RENDEZVOUS_DEFAULT_PORT :
	    p->rendezvous.port;
	environment_add_torch(&p->layout, &torch, &p->variables);
	if (p->layout.num_instances == 1)
		environment_add_torch_ranks(&p->layout, 0, &p->variables);
}

/* mpirun takes -x NAME from its environment, from which the variables of an
   outer job are removed: keep those that the user names. */
static void
keep_named(struct plan *p, const struct strvec *args)
{
	const char *name, *value;
	size_t i;

	for (i = 0; i + 1 < args->count; i++) {
		name = args->items[i + 1];
		if (strcmp(args->items[i], "-x") == 0 &&
		    strchr(name, '=') == NULL && (value = getenv(name)) != NULL)
			strvec_addf(&p->variables, "%s=%s", name, value);
	}
}

/* Programs that draw on stderr, which is a pipe, read COLUMNS, as tqdm does; so
   do programs that never ask the terminal. */
static void
shared_add_columns(struct plan *p)
{
	const int columns = terminal_columns(STDOUT_FILENO) -
	    output_plan_tag_columns(p->output, &p->layout);

	if (columns > 0)
		strvec_addf(&p->variables, "COLUMNS=%d", columns);
}

int
shared_make(struct plan *p, int restarts, struct error *e)
{
	const struct launch_settings *s = p->settings;
	int i;

	strvec_release(&p->variables);
	strvec_init(&p->variables);
	if (shared_make_directory(p, e) != 0)
		return -1;
	shared_add_host_directory(p);
	shared_add_pod(p);
	shared_add_ssh(p);
	shared_add_torch(p);
	strvec_addf(&p->variables, POPDIST_RESTART_VARIABLE "=%d", restarts);
	if (p->emulated)
		strvec_add(&p->variables, "IPUBOX_EMULATE_HOSTS=1");
	/* Show Python's output at once, also before an abort. */
	if (getenv("PYTHONUNBUFFERED") == NULL)
		strvec_add(&p->variables, "PYTHONUNBUFFERED=1");
	output_plan_make_tags(p->output, s, &p->local[0], &p->layout, &p->hosts,
	    restarts);
	shared_add_columns(p);
	if (s->offline && getenv("POPTORCH_IPU_MODEL") == NULL)
		strvec_add(&p->variables, "POPTORCH_IPU_MODEL=1");
	if (p->launcher == LAUNCHER_MPIRUN) {
		keep_named(p, &s->global_args);
		keep_named(p, &s->local_args);
		for (i = 0; i < s->instance_args_count; i++)
			keep_named(p, &s->instance_args[i]);
	}
	use_sdk_add_shared(p, &p->variables);
	return 0;
}
