/*
 * The variables that instances inherit, so that the arguments for mpirun stay
 * those of the real tool, and what they name.
 */
#include "applets/poprun/shared.h"

#include <stdlib.h>
#include <string.h>

#include "applets/poprun/poprun_internal.h"
#include "applets/poprun/use_sdk.h"
#include "core/job/environment.h"
#include "core/job/popdist.h"
#include "core/process/job_directory.h"
#include "core/state/paths.h"

/*
 * Instances of ipubox's own programs meet in a directory of the job, and the
 * parents below mpirun find poprun there; one instance has nobody to meet.
 */
static int
shared_make_directory(struct plan *p, struct error *e)
{
	struct state_paths	state;
	const char		*places[] = { "/dev/shm", getenv("TMPDIR"),
	    "/tmp", NULL };

	job_directory_remove(&p->directory);
	job_directory_release(&p->directory);
	if ((p->layout.num_instances == 1 && p->launcher == LAUNCHER_LOCAL) ||
	    p->settings->dry_run)
		return 0;
	if (paths_find(&state, NULL) == 0)
		places[3] = state.directory;
	if (job_directory_make(&p->directory, places, 4, e) != 0)
		return -1;
	if (p->layout.num_instances > 1)
		strvec_addf(&p->variables, "%s=%s", JOB_DIRECTORY_VARIABLE,
		    p->directory.path);
	return 0;
}

/* For torch.distributed; one instance has what all have. */
static void
shared_add_torch(struct plan *p)
{
	struct environment_torch	torch = {
		.master_address = "127.0.0.1"
	};

	rendezvous_close(&p->rendezvous);
	if (!p->settings->dry_run)
		rendezvous_open(&p->rendezvous);
	torch.master_port = p->settings->dry_run ?
	    RENDEZVOUS_DEFAULT_PORT : p->rendezvous.port;
	environment_add_torch(&p->layout, &torch, &p->variables);
	if (p->layout.num_instances == 1)
		environment_add_torch_ranks(&p->layout, 0, &p->variables);
}

/* mpirun takes -x NAME from its own environment, from which what another job
   left is taken away: what the user names stays. */
static void
keep_named(struct plan *p, const struct strvec *args)
{
	const char	*name, *value;
	size_t		 i;

	for (i = 0; i + 1 < args->count; i++) {
		name = args->items[i + 1];
		if (strcmp(args->items[i], "-x") == 0 &&
		    strchr(name, '=') == NULL &&
		    (value = getenv(name)) != NULL)
			strvec_addf(&p->variables, "%s=%s", name, value);
	}
}

int
shared_make(struct plan *p, int restarts, struct error *e)
{
	const struct poprun_settings	*s = p->settings;
	int				 i;

	strvec_release(&p->variables);
	strvec_init(&p->variables);
	if (shared_make_directory(p, e) != 0)
		return -1;
	shared_add_torch(p);
	strvec_addf(&p->variables, POPDIST_RESTART_VARIABLE "=%d", restarts);
	if (p->emulated)
		strvec_add(&p->variables, "IPUBOX_EMULATE_HOSTS=1");
	/* What Python prints is seen at once, and also before an abort. */
	if (getenv("PYTHONUNBUFFERED") == NULL)
		strvec_add(&p->variables, "PYTHONUNBUFFERED=1");
	if (s->offline && getenv("POPTORCH_IPU_MODEL") == NULL)
		strvec_add(&p->variables, "POPTORCH_IPU_MODEL=1");
	if (p->launcher != LAUNCHER_LOCAL) {
		keep_named(p, &s->global_args);
		keep_named(p, &s->local_args);
		for (i = 0; i < s->instance_args_count; i++)
			keep_named(p, &s->instance_args[i]);
	}
	use_sdk_add_shared(p, &p->variables);
	return 0;
}
