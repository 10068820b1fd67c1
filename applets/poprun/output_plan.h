/*
 * Where what the instances print goes: the console, files, or both.
 */
#ifndef APPLETS_POPRUN_OUTPUT_PLAN_H
#define APPLETS_POPRUN_OUTPUT_PLAN_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/job/job.h"
#include "core/launch/launch.h"

struct output_plan {
	bool			*shown;	/* by instance; NULL: all of them */
	struct output_copy	 logs;	/* of --log-dir */
	struct output_copy	 ranks;	/* of mpirun's --output-filename */
	struct tag_values	*tags;	/* by instance */
	const char		*tag_format; /* NULL: the usual one */
	bool			 terminal; /* stdout is a pseudo terminal */
	struct winsize		 size;	/* of it */
};

/* Nothing is chosen or open yet; and its end. */
void	output_plan_init(struct output_plan *);
void	output_plan_release(struct output_plan *);

/* Make the directory of --log-dir, and begin poprun.log in it. */
int	output_plan_open_logs(struct output_plan *,
	    const struct poprun_settings *, struct error *);

/* What stands before the lines of the next run; the hosts have to last. */
void	output_plan_make_tags(struct output_plan *,
	    const struct poprun_settings *, const struct layout *,
	    const struct strvec *hosts, int restarts);

/* Columns that it takes, of the widest of them. */
int	output_plan_tag_columns(const struct output_plan *,
	    const struct layout *);

/* Everything else, before anything runs; `local` is what arguments for mpirun
   say. */
int	output_plan_prepare(struct output_plan *,
	    const struct poprun_settings *, const struct mpirun_local *local,
	    struct error *);

/* What the launch is to know of it, and how large a terminal is now. */
void	output_plan_apply(struct output_plan *, struct launch *);

#endif
