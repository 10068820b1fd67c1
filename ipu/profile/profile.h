/*
 * Profiles one can look at.  A profile is a directory; each engine, named as
 * PopTorch names them ("training", "inference"), has a directory in it:
 *
 *	trace.json	Chrome's trace-event format, which Perfetto opens
 *	report.html	all of it on a page that needs nothing else
 *	schedule.txt	the schedule as a grid
 *	summary.json	the figures: cycles, utilisation, bubble, memory, stash
 *
 * Both clocks appear and are named: host time, which is what happened here,
 * and modelled IPU cycles.  ipubox-profile(7) describes the files.
 */
#ifndef IPU_PROFILE_PROFILE_H
#define IPU_PROFILE_PROFILE_H

#include "core/base/error.h"
#include "ipu/engine/engine.h"

/*
 * What was measured on the host that computed an outline's model: seconds of
 * all calls together.  An engine of ours is measured by its trace.
 */
struct profile_host {
	bool	steps;		/* of some calls there are traces */
	double	compile_s;
	double	input_s, run_s, output_s;
	double	first_run_s;	/* of the first call, which is cold */
	/* When it did what, from 0 s on; not all of a long run. */
	int	activity_count;
	const struct host_activity *activities;
};

/* What the reports say of the run besides what the engine knows. */
struct profile_about {
	const char	*program;	/* "mnist-pipeline" */
	const char	*command;	/* the command line */
	const char	*model;		/* the model's name */
	const char	*engine;	/* "training", "inference" */
	const char	*device;	/* "device Id 4, 4 IPUs of p" */
	int		 instance;	/* of the job */
	const struct trial_run *run;	/* as it was asked for, which must last
					   as long as the profile; NULL: no
					   advice is tried */
	long		 calls;		/* that are to come; 0: not known */
	const struct profile_host *host; /* of an outline, which must last as
					   long; NULL: an engine ran */
};

struct profile;

/*
 * Make DIRECTORY/ENGINE and begin; reports of an earlier run there are removed.
 * The engine_config has .trace set; it and both models must last as long as
 * the profile, the rest is copied.  Without cycles (NULL) the figures of that
 * clock are zero.  Refused: a directory that cannot be made or written, with
 * its name.
 */
struct profile	*profile_open(const char *directory,
		    const struct profile_about *,
		    const struct engine_config *, const struct memory *,
		    const struct cycles *, struct error *);

/* After each call: take what the engine's IPUs recorded. */
void	profile_call(struct profile *, const struct engine *);

/* The same of a call by somebody else: a trace of each replica's IPUs, one
   replica behind the other, times in ns from 0. */
void	profile_traces(struct profile *, const struct trace *const *);
/* So many calls of which there is no trace. */
void	profile_untraced(struct profile *, long calls);

/* How many calls that was. */
long	profile_calls(const struct profile *);

/*
 * The run ends before its last call, as by a signal ("Terminated") or an
 * error: the reports say after which call, and why.  profile_close() follows.
 */
void	profile_interrupt(struct profile *, const char *why);

/*
 * Write all files and end.  Each is whole or not there, also where the program
 * is killed meanwhile; where report.html is, all are.  -1: one could not be
 * written.  NULL is fine.
 */
int	profile_close(struct profile *, struct error *);

#endif
