/*
 * The choice of the launcher, and what the arguments for mpirun mean under it.
 */
#include <sys/stat.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/job/job.h"
#include "core/launch/plan/job_server.h"
#include "core/launch/plan/plan.h"
#include "core/launch/plan/plan_srun.h"
#include "core/process/process.h"

/* Bytes of a variable in Linux, less our parent's own words. */
enum { ARGUMENTS_MAX = 128 * 1024 - PATH_MAX - 256 };

/* mpirun runs as root only with a permission, given in one of three ways. */
bool
plan_may_run_as_root(const struct launch_settings *s)
{
	const char *allow = getenv("OMPI_ALLOW_RUN_AS_ROOT");
	const char *confirm = getenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM");

	return geteuid() != 0 || s->allow_run_as_root ||
	    mpirun_args_have(&s->global_args, "--allow-run-as-root") ||
	    (allow != NULL && strcmp(allow, "1") == 0 && confirm != NULL &&
		strcmp(confirm, "1") == 0);
}

/* Check that the directories of --wdir exist, as far as this host can see. */
static int
check_working(const struct plan *p, struct error *e)
{
	struct stat st;
	int i;

	for (i = 0; i < p->layout.num_instances && p->far == NULL; i++) {
		if (p->working[i] == NULL)
			continue;
		if (stat(p->working[i], &st) != 0)
			return error_set_errno(e, "--wdir %s", p->working[i]);
		if (!S_ISDIR(st.st_mode))
			return error_set(e, "--wdir %s: not a directory",
			    p->working[i]);
	}
	return 0;
}

static int
check_stdin(const struct plan *p, struct error *e)
{
	const struct mpirun_local *m = &p->local[0];
	const int count = p->layout.num_instances;

	if (!m->has_stdin || m->stdin_to < count)
		return 0;
	return error_set(e,
	    "--stdin %d among the arguments for mpirun: the job has %d "
	    "instance%s, counted from 0",
	    m->stdin_to, count, count == 1 ? "" : "s");
}

/* Read the arguments for mpirun, per instance.  Returns 1 if only mpirun knows
   one of them. */
static int
read_local_args(struct plan *p, struct error *e)
{
	const struct launch_settings *s = p->settings;
	struct error reason;
	int i, j, rc, found = 0;
	int n = p->layout.num_instances;

	p->local = xcalloc((size_t)n, sizeof(*p->local));
	for (i = 0; i < n; i++) {
		mpirun_local_init(&p->local[i]);
		if (s->launcher == LAUNCHER_SRUN)
			p->local[i].starter = "srun";
	}
	for (i = 0; i < n; i++) {
		const struct strvec *const lists[] = {
			&s->global_args, &s->local_args,
			i < s->instance_args_count ? &s->instance_args[i] : NULL
		};
		const enum mpirun_scope scopes[] = {
			i == 0 ? MPIRUN_GLOBAL : MPIRUN_GLOBAL_OTHER,
			MPIRUN_LOCAL, MPIRUN_INSTANCE
		};

		for (j = 0; j < 3 && lists[j] != NULL; j++) {
			rc = mpirun_local_add(&p->local[i], lists[j], scopes[j],
			    &reason);
			if (rc == -1 || (rc == 1 && found == 0))
				(void)error_copy(e, &reason);
			if (rc == -1)
				return -1;
			found = found != 0 ? found : rc;
		}
	}
	if (check_stdin(p, e) != 0)
		return -1;
	if (found != 0)
		return found;
	p->working = xcalloc((size_t)n, sizeof(*p->working));
	for (i = 0; i < n; i++)
		p->working[i] = p->local[i].wdir;
	return check_working(p, e);
}

/* Require the local launcher; fails on an argument that only mpirun knows. */
static int
require_local(struct plan *p, const struct error *reason, struct error *e)
{
	p->launcher = LAUNCHER_LOCAL;
	return reason->text[0] == '\0' ? 0 : error_copy(e, reason);
}

/* mpirun puts all arguments into OMPI_ARGV, and Linux limits a variable. */
static int
check_arguments(const struct plan *p, struct error *e)
{
	size_t size = 0, i;

	for (i = 1; i < p->program.count; i++)
		size += strlen(p->program.items[i]) + 1;
	if (size <= ARGUMENTS_MAX)
		return 0;
	return error_set(e,
	    "the arguments of %s have %zu bytes, and mpirun passes at most %d: "
	    "put them into a file%s",
	    p->program.items[0], size, (int)ARGUMENTS_MAX,
	    p->far == NULL ? ", or use --launcher local" : "");
}

/* mpirun refuses a missing agent, even if it does not need it. */
static int
take_mpirun(struct plan *p, struct error *e)
{
	p->launcher = LAUNCHER_MPIRUN;
	if (check_arguments(p, e) != 0)
		return -1;
	return remote_agent_find(&p->agent, p->settings, e);
}

static int
take_srun(struct plan *p, const struct error *reason, struct error *e)
{
	p->launcher = LAUNCHER_SRUN;
	if (reason->text[0] != '\0')
		return error_copy(e, reason);
	if (!remote_agent_has_slurm())
		return error_set(e,
		    "--launcher srun: SLURM_JOB_ID and SLURM_JOB_NODELIST are "
		    "not set: run poprun in a job of Slurm");
	return program_find("srun", getenv("PATH"), &p->mpirun, e) != 0 ?
	    -1 :
	    remote_agent_find(&p->agent, p->settings, e);
}

/* Whether srun starts the instances on other hosts by itself: if only mpirun
   can connect programs that may call MPI, that is better. */
static bool
prefers_srun(struct plan *p, const struct error *local)
{
	char *srun, *mpirun;
	bool prefers;

	if (p->settings->launcher != LAUNCHER_AUTO || p->far == NULL ||
	    local->text[0] != '\0' || !remote_agent_has_slurm() ||
	    program_find("srun", getenv("PATH"), &srun, NULL) != 0)
		return false;
	prefers = program_find("mpirun", getenv("PATH"), &mpirun, NULL) != 0 ||
	    own_program_has(path_base_name(p->settings->program[0])) ||
	    plan_srun_connects_mpi(p, srun);
	free(srun);
	free(mpirun);
	return prefers;
}

/* Require mpirun, which starts instances on other hosts. */
static int
require_mpirun(struct plan *p, struct error *e)
{
	if (p->settings->launcher == LAUNCHER_LOCAL)
		return error_set(e,
		    "host %s is not this machine, and --launcher local starts "
		    "instances only on this machine: leave the option out",
		    p->far);
	if (program_find("mpirun", getenv("PATH"), &p->mpirun, NULL) != 0)
		return error_set(e,
		    "host %s is not this machine, and mpirun is not found in "
		    "PATH: install Open MPI on all hosts",
		    p->far);
	if (!plan_may_run_as_root(p->settings))
		return error_set(e,
		    "host %s is not this machine, and mpirun does not run as "
		    "root unless --allow-run-as-root yes is given",
		    p->far);
	return take_mpirun(p, e);
}

/*
 * Choose the launcher: for other hosts srun in a job of Slurm, unless only
 * mpirun knows an argument or connects MPI programs; else for other hosts
 * mpirun, else that of --launcher.  Else mpirun, if it exists and would run as
 * this user, for arguments that only mpirun knows and for several instances
 * (which may call MPI) without emulated hosts; else poprun starts the
 * instances.
 */
int
plan_choose_launcher(struct plan *p, struct error *e)
{
	const struct launch_settings *s = p->settings;
	struct error local = { .text = "" };
	bool many = s->layout.num_instances > 1;

	if (read_local_args(p, &local) < 0)
		return error_copy(e, &local);
	if (s->launcher == LAUNCHER_SRUN || prefers_srun(p, &local))
		return take_srun(p, &local, e);
	if (p->far != NULL)
		return require_mpirun(p, e);
	p->launcher = s->launcher;
	if (p->launcher == LAUNCHER_LOCAL)
		return require_local(p, &local, e);
	if (program_find("mpirun", getenv("PATH"), &p->mpirun, NULL) != 0) {
		if (p->launcher == LAUNCHER_MPIRUN)
			return error_set(e,
			    "mpirun not found in PATH: install Open MPI, or "
			    "use --launcher local");
		return require_local(p, &local, e);
	}
	if (p->launcher == LAUNCHER_AUTO && local.text[0] == '\0' &&
	    (!many || p->emulated))
		return require_local(p, &local, e);
	if (p->launcher == LAUNCHER_AUTO && !plan_may_run_as_root(s)) {
		if (local.text[0] != '\0')
			return error_set(e,
			    "%s, and let it run as root with "
			    "--allow-run-as-root yes",
			    local.text);
		/* Applets of ipubox do not call MPI. */
		if (!own_program_has(path_base_name(s->program[0])))
			job_log_warning(
			    "launching without mpirun, which refuses root "
			    "unless --allow-run-as-root yes is given: an MPI "
			    "program sees one process");
		return require_local(p, &local, e);
	}
	return take_mpirun(p, e);
}
