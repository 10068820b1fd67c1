/*
 * The plan of a job: everything that poprun decides before it starts an
 * instance, and the steps from the settings to the job's end.
 *
 * The steps in their order:
 *
 *	plan_init()		decide from the settings; check that the V-IPU
 *				controller and the other hosts answer
 *	job_partition_ensure()	find or create the partition
 *	shared_make()		create what the instances share
 *	plan_complete()		make the environments and the command
 *	restart_run()		run the job, again if an instance fails
 *
 * Read plan.c first.  The parts of a plan have separate headers, which this one
 * includes.
 */
#ifndef CORE_LAUNCH_PLAN_PLAN_H
#define CORE_LAUNCH_PLAN_PLAN_H

#include "core/launch/launch.h"
#include "core/launch/plan/job_partition.h"   /* the job's partition */
#include "core/launch/plan/job_server.h"      /* the job's controller */
#include "core/launch/plan/launch_settings.h" /* the options' values */
#include "core/launch/plan/remote_hosts.h"    /* the other hosts */
#include "core/state/sdk/sdk.h"

/* ---- cache.c: the executable cache (PopRun user guide 2.3 and 2.4) ---- */

/* An instance stores compiled executables for the others of its host. */
struct cache {
	struct job_directory directory; /* temporary, above the paths */
	struct strvec paths;		/* one per host; empty: the job has no
					   cache */
};

/* Begin without a cache. */
void cache_init(struct cache *);

/* Also removes a temporary directory. */
void cache_release(struct cache *);

/* Refuse --executable-cache-path beside a framework's own setting in the
   environment or in a -x, as the guide does.  With an emulated release of the
   SDK that allows both, the option replaces that setting instead. */
int cache_check(const struct launch_settings *, struct error *);

/*
 * Choose a path for each of `hosts` hosts, in place of earlier ones: the
 * directory of the option.  Without the option a job of several instances gets
 * temporary directories: below `host_directory`, which every host has, or if
 * that is NULL, in TMPDIR, /dev/shm, /tmp or the state directory.  It gets
 * none, which is not a failure, if a framework has its own cache or no place
 * can be written.  A dry run creates no directory and names a place where one
 * would be.
 */
int cache_open(struct cache *, const struct launch_settings *, int hosts,
    const char *host_directory, struct error *);

/* ---- rendezvous.c: where torch.distributed programs meet ---- */

enum { RENDEZVOUS_DEFAULT_PORT = 29500 }; /* torchrun's */

struct rendezvous {
	int fd; /* holds the port; -1: nothing is held */
	int port;
};

/* Hold a free port of this host.  If that fails, the port is torchrun's
   default, which is not held. */
void rendezvous_open(struct rendezvous *);

/* Release the port just before the instances start. */
void rendezvous_close(struct rendezvous *);

/* ---- output_plan.c: the console, files, or both ---- */

struct output_plan {
	bool *shown;		  /* by instance; NULL: all of them */
	struct output_copy logs;  /* of --log-dir */
	struct output_copy ranks; /* of mpirun's --output-filename */
	struct tag_values *tags;  /* by instance */
	const char *tag_format;	  /* NULL: the default */
	bool terminal;		  /* instances write to a terminal */
	struct winsize size;	  /* of it */
};

/* Begin with no output chosen; output_plan_release() closes all. */
void output_plan_init(struct output_plan *);
void output_plan_release(struct output_plan *);

/* Make the directory of --log-dir and open poprun.log in it.  Does nothing
   without the option, in a dry run or with --check. */
int output_plan_open_logs(struct output_plan *, const struct launch_settings *,
    struct error *);

/* Set the tags of the lines of the next run.  `hosts` must outlive the tags;
   `local` as below. */
void output_plan_make_tags(struct output_plan *, const struct launch_settings *,
    const struct mpirun_local *local, const struct layout *,
    const struct strvec *hosts, int restarts);

/* Return the columns of the widest tag. */
int output_plan_tag_columns(const struct output_plan *, const struct layout *);

/* Choose the shown instances and the terminal, and make the files of the
   copies, before an instance runs.  `local` is instance 0's element of
   plan->local. */
int output_plan_prepare(struct output_plan *, const struct launch_settings *,
    const struct mpirun_local *local, struct error *);

/* Fill in the output of a launch, with the terminal's present size. */
void output_plan_apply(struct output_plan *, struct launch *);

/* ---- the plan ---- */

struct plan {
	const struct launch_settings *settings;
	struct layout layout;
	const struct strvec *named; /* allowed hosts; empty: this host */
	const struct hostlist_slots *slots; /* of each */
	struct strvec picked_up;	    /* hosts of mpirun's host file */
	struct hostlist_slots picked_up_slots;
	struct strvec hosts;	    /* labels of the used hosts */
	int *shares;		    /* instances of each */
	bool *absent;		    /* per named host: left out; NULL: none */
	bool emulated;		    /* all hosts are this machine */
	const char *far;	    /* first host on another machine, or NULL */
	struct remote_agent agent;  /* reaches the other hosts */
	struct remote_hosts remote; /* the other hosts' answers */
	struct job_network network;
	char *host_directory; /* made by the parents on each of several hosts,
				 or NULL */
	struct bring bring;   /* copies ipubox to the other hosts */
	struct job_server server;
	struct job_partition partition;
	enum launcher launcher;
	struct mpirun_local *local;	/* one per instance: mpirun's arguments
					   that poprun itself honours */
	const char **working;		/* one directory per instance, or NULL
					   for the caller's */
	char *path;			/* file to execute */
	char *target_options;		/* NULL: none */
	char *mpirun;			/* path of mpirun or srun, NULL: neither
					   is used */
	struct strvec *environments;	/* one per instance, NAME=VALUE */
	struct strvec program;		/* argv of an instance */
	struct strvec command;		/* the command, to be shown */
	struct strvec run;		/* the same with our parents below
					   mpirun or srun; empty without
					   these */
	enum answer pmix;		/* of Slurm; default: not asked yet */
	struct strvec tasks;		/* for srun: packed variables */
	struct strvec on_hosts;		/* dry run: mpirun's on real hosts */
	struct strvec variables;	/* NAME=VALUE, for all instances and
					   mpirun itself */
	struct strvec notes;		/* "no effect here: ..." */
	struct job_directory directory; /* shared by the instances */
	struct cache cache;		/* of executables */
	struct machine machine;		/* this machine, if needed */
	struct binding_rule binding;	/* no machine: binds nothing */
	struct sdk sdk;			/* for programs, if has_sdk */
	bool has_sdk;
	struct rendezvous rendezvous; /* MASTER_PORT, held until the start */
	struct output_plan *output;   /* destinations of the output */
	struct explain *explain;      /* mpirun's messages, or NULL */
	bool reaching;		      /* an unreachable host may be the cause
					 of a failure now */
};

/*
 * Make the plan.  plan_init() creates nothing, but it connects to a controller
 * on a server and asks the other hosts.  It calls three parts, which --check
 * calls one by one: plan_begin(), which reads the settings,
 * plan_choose_launcher(), and plan_connect(), which finds out how this host and
 * the others reach each other and the controller.  plan_complete() needs
 * plan->variables of shared_make().  The caller calls plan_release() also after
 * a failure, and sets plan->output after plan_init().
 */
int plan_init(struct plan *, const struct launch_settings *, struct error *);
int plan_begin(struct plan *, const struct launch_settings *, struct error *);
int plan_choose_launcher(struct plan *, struct error *);
int plan_connect(struct plan *, struct error *);
int plan_complete(struct plan *, struct error *);
void plan_release(struct plan *);

/* Whether mpirun would start: it refuses root without a permission. */
bool plan_may_run_as_root(const struct launch_settings *);

/* For another start: plan_change_hosts() takes the hosts that are not absent
   and asks them, in processes with the signal mask *mask.  After shared_make(),
   plan_arrange() lays the instances out on them. */
int plan_change_hosts(struct plan *, const sigset_t *mask, struct error *);
int plan_arrange(struct plan *, struct error *);

/* Print the table of hosts and replicas on stdout, before a program's first
   line, if the settings or the level LOG_INFO ask for it; never in a dry run.
   Returns -1 if stdout cannot be written. */
int plan_print_topology(const struct plan *);

/* plan_mpirun.c: fill plan->command, which works without poprun and is shown
   to a person, and plan->run, which has our parents below mpirun.  Each
   instance is one app context. */
int plan_mpirun_complete(struct plan *, struct error *);

/* For a dry run: fill plan->on_hosts, with these environments of the
   instances. */
void plan_mpirun_show(struct plan *, const struct strvec *environments);

/* ---- cores.c: where the instances run, by --process-placement ---- */

/* Choose plan->binding, and log where each instance will run. */
int cores_choose(struct plan *, struct error *);

/* Return true, with the binding filled in, if the instance is bound and this
   process knows how: a parent below mpirun finds out itself. */
bool cores_binding(const struct plan *, int instance, struct binding *);

/* Whether the user's arguments for mpirun say where instances run. */
bool cores_are_mpiruns(const struct launch_settings *);

/* Return poprun's own arguments about placement for mpirun, separated by
   spaces, or "".  They precede the user's, which win.  A constant text. */
const char *cores_mpirun_args(const struct launch_settings *);

/* ---- use_sdk.c: the variables by which programs find the SDK ---- */

/* Find the SDK of --sdk, its variable or ipubox.conf.  If none of them names
   one, has_sdk stays false.  A directory without an SDK is refused; another
   version's SDK causes a warning. */
int use_sdk_find(struct plan *, struct error *);

/* Add the variables of all instances: IPUBOX_FILE (the path of ipubox's
   program), the SDK, and the caller's lists (PYTHONPATH and the like) with the
   SDK at their end. */
void use_sdk_add_shared(const struct plan *, struct strvec *variables);

/* Append the SDK to the lists of one instance, for the local launcher. */
void use_sdk_add_own(const struct plan *, struct strvec *environment);

/* Copy the user's arguments for mpirun, with the SDK in the lists that they set
   by -x NAME=VALUE. */
void use_sdk_add_args(const struct plan *, const struct strvec *args,
    struct strvec *out);

/* ---- parameter.c: Open MPI's MCA parameters ---- */

enum { PARAMETER_ORIGIN_SIZE = 64 };

/*
 * Return the value that mpirun will see for a parameter with these names, the
 * last of which is NULL: from the arguments for mpirun, else from
 * OMPI_MCA_NAME; mpirun's files are not read.  The value lasts as long as its
 * source.  `origin`, if not NULL, gets "--mca NAME" or "OMPI_MCA_NAME".  NULL:
 * the parameter is not set, or empty.
 */
const char *parameter_get(const struct launch_settings *,
    const char *const *names, char origin[PARAMETER_ORIGIN_SIZE]);

/* ---- restart.c and shared.c: the runs of a job ---- */

/* Create what the instances of one run share on this host (a directory, a port)
   and set plan->variables; what the last run left is removed.  `restarts` is
   the number of earlier runs.  A dry run creates nothing. */
int shared_make(struct plan *, int restarts, struct error *);

/*
 * Run the plan, and again on the same partition after an instance failed, up to
 * --max-restarts times.  Returns the exit status of the last run; *mask is what
 * launch_signals_hold() gave.
 */
int restart_run(struct plan *, const sigset_t *mask);

/* Whether another run may follow: an instance or its parent failed; or, after
   all instances had started, the engine did. */
bool restart_may_follow(const struct launch_result *);

/* Return the pause before the next run, in ms, after a run of `ran_ms`, with
   the last pause in `before_ms`, at first 0.  It grows while runs fail at
   once, else it is 0. */
int64_t restart_delay(int64_t ran_ms, int64_t before_ms);

#endif
