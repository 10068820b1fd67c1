/*
 * What the parts of poprun share: the settings from the command line, the plan
 * made from them, and the log.
 */
#ifndef APPLETS_POPRUN_POPRUN_INTERNAL_H
#define APPLETS_POPRUN_POPRUN_INTERNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "applets/poprun/cache.h"
#include "applets/poprun/output_plan.h"
#include "applets/poprun/partition.h"
#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/job/job.h"
#include "core/pod/pod.h"
#include "core/process/process.h"
#include "core/state/sdk/sdk.h"

struct plan {
	const struct poprun_settings *settings;
	struct layout	 layout;
	const struct strvec *named;	/* the hosts that may be used; empty:
					   this one */
	const struct hostlist_slots *slots; /* of each */
	struct strvec	 picked_up;	/* those of mpirun's host file */
	struct hostlist_slots picked_up_slots;
	struct strvec	 hosts;		/* those used, a label for each */
	int		*shares;	/* instances of each */
	bool		*absent;	/* one for each that is named: it is
					   left out; NULL: none is */
	bool		 emulated;	/* all of them are this machine */
	const char	*far;		/* the first that is another, or NULL:
					   none is */
	struct remote_agent agent;	/* by which these are reached */
	struct remote_hosts remote;	/* what they say of themselves */
	struct job_network network;
	char		*host_directory; /* that the parents make on each host
					    of such a job; or NULL */
	struct bring	 bring;		/* of ipubox itself */
	struct server	 server;
	struct job_partition partition;
	enum launcher	 launcher;
	struct mpirun_local *local;	/* one per instance: what the local
					   launcher honours; or NULL */
	const char	**working;	/* one directory per instance, or NULL
					   for the caller's */
	char		*path;		/* file to execute */
	char		*target_options; /* NULL: none */
	char		*mpirun;	/* path, NULL: not used */
	struct strvec	*environments;	/* one per instance, NAME=VALUE */
	struct strvec	 program;	/* argv of an instance */
	struct strvec	 command;	/* argv of what is executed, for a
					   person */
	struct strvec	 run;		/* the same with our parents below
					   mpirun; without it, empty */
	struct strvec	 on_hosts;	/* argv of mpirun, were the hosts not
					   emulated; for a dry run */
	struct strvec	 variables;	/* for all, and mpirun itself */
	struct strvec	 notes;		/* "no effect here: ..." */
	struct job_directory directory;	/* where instances meet */
	struct cache	 cache;		/* of executables */
	struct machine	 machine;	/* this one, where it is asked for */
	struct binding_rule binding;	/* without a machine: none is bound */
	struct sdk	 sdk;		/* that programs find, if there is */
	bool		 has_sdk;	/* one */
	struct rendezvous rendezvous;	/* MASTER_PORT, held until the start */
	struct output_plan	*output;	/* where what is printed goes */
	struct explain	*explain;	/* what mpirun says; NULL: nothing */
	bool		 reaching;	/* a failure may be due to the hosts:
					   no instance was started yet */
};

/*
 * plan.c: how the job will run.  plan_init() looks programs up only;
 * plan_begin() is its part before that, and plan_choose_launcher() and
 * plan_connect() are those behind it: by which way other hosts are reached, and
 * reach this one and its controller.
 */
int	plan_init(struct plan *, const struct poprun_settings *,
	    struct error *);
int	plan_begin(struct plan *, const struct poprun_settings *,
	    struct error *);
int	plan_choose_launcher(struct plan *, struct error *);
int	plan_connect(struct plan *, struct error *);
/* Whether mpirun would run as this user. */
bool	plan_may_run_as_root(const struct poprun_settings *);
int	plan_complete(struct plan *, struct error *);
/*
 * For another start: take the hosts that are not absent, and then, behind
 * shared_make(), lay out on them what plan_complete() did for the first one.
 */
int	plan_change_hosts(struct plan *, const sigset_t *mask,
	    struct error *);
int	plan_arrange(struct plan *, struct error *);
void	plan_release(struct plan *);
/* The table of hosts and replicas, before a program's first line, where it is
   asked for.  Not 0: stdout cannot be written. */
int	plan_print_topology(const struct plan *);
/* The plan as text or JSON on stdout. */
void	dry_run_print(const struct plan *);

#endif
