/*
 * Where what the instances print goes: the console, files, or both.
 */
#ifndef APPLETS_POPRUN_OUTPUT_H
#define APPLETS_POPRUN_OUTPUT_H

#include <stdbool.h>

#include "applets/poprun/settings.h"
#include "core/base/error.h"
#include "core/job/mpirun_local.h"
#include "core/process/launch.h"

/* All zero but for the directories: output_init(). */
struct output {
	bool			*shown;	/* by instance; NULL: all of them */
	struct output_copy	 logs;	/* of --log-dir */
	struct output_copy	 ranks;	/* of mpirun's --output-filename */
	bool			 terminal; /* stdout is a pseudo terminal */
	struct winsize		 size;	/* of it */
};

void	output_init(struct output *);
void	output_release(struct output *);

/* Make the directory of --log-dir, and begin poprun.log in it. */
int	output_open_logs(struct output *, const struct poprun_settings *,
	    struct error *);

/* Everything else, before anything runs; `local` is what arguments for mpirun
   say. */
int	output_prepare(struct output *, const struct poprun_settings *,
	    const struct mpirun_local *local, struct error *);

/* What the launch is to know of it. */
void	output_apply(const struct output *, struct launch *);

#endif
