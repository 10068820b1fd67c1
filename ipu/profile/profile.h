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
 *
 * Besides: what the device answers about an outline, and the page of a job.
 * Read profile_data.h next; profile_internal.h has the writers of the files.
 */
#ifndef IPU_PROFILE_PROFILE_H
#define IPU_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <yyjson.h>

#include "core/base/error.h"
#include "ipu/engine/engine.h"

/* What was measured on the host that computed an outline's model: seconds of
   all calls together.  An engine of ours is measured by its trace. */
struct profile_host {
	bool steps; /* of some calls there are traces */
	double compile_s;
	double input_s, run_s, output_s;
	double first_run_s; /* of the first call, which is cold */
	/* When it did what, from 0 s on; not all of a long run. */
	int activity_count;
	const struct host_activity *activities;
};

/* What the reports say of the run besides what the engine knows. */
struct profile_about {
	const char *program; /* "mnist-pipeline" */
	const char *command; /* the command line */
	const char *model;   /* the model's name */
	const char *engine;  /* "training", "inference" */
	const char *device;  /* "device Id 4, 4 IPUs of p" */
	int instance;	     /* of the job */
	/* As it was asked for; NULL: no advice is tried. */
	const struct trial_run *run;	 /* lasts as long as the profile */
	long calls;			 /* that are to come; 0: not known */
	const struct profile_host *host; /* of an outline, lasts as long; NULL:
					    an engine ran */
};

struct profile;

/*
 * Make DIRECTORY/ENGINE and begin; reports of an earlier run there are removed.
 * The engine_config has .trace set; it and both models must last as long as
 * the profile, the rest is copied.  Without cycles (NULL) the figures of that
 * clock are zero.  Refused: a directory that cannot be made or written, with
 * its name.
 */
struct profile *profile_open(const char *directory,
    const struct profile_about *, const struct engine_config *,
    const struct memory *, const struct cycles *, struct error *);

/* After each call: take what the engine's IPUs recorded. */
void profile_call(struct profile *, const struct engine *);

/* The same of a call by somebody else: a trace of each replica's IPUs, one
   replica behind the other, times in ns from 0. */
void profile_traces(struct profile *, const struct trace *const *);
/* So many calls of which there is no trace. */
void profile_untraced(struct profile *, long calls);

/* How many calls that was. */
long profile_calls(const struct profile *);

/* The run ends before its last call, as by a signal ("Terminated") or an error:
   the reports say after which call, and why.  profile_close() follows. */
void profile_interrupt(struct profile *, const char *why);

/*
 * Write all files and end.  Each is whole or not there, also where the program
 * is killed meanwhile; where report.html is, all are.  -1: one could not be
 * written.  NULL is fine.
 */
int profile_close(struct profile *, struct error *);

/* Write the files of a profile into DIRECTORY/NAME.  Refused: a directory that
   cannot be made or written, with its name. */
int outline_profile_write(const struct outline *, const struct memory *,
    const struct cycles *, const char *directory, struct error *);

/* "FILE __outline": what the device says of an outline (ipubox-link(7)). */
#define OUTLINE_ANSWER_WORD "__outline"

/*
 * Print memory, modelled cycles and whether it fits, as one JSON object.  With
 * a directory a profile is written there as well.  The member "error" tells
 * that a model does not fit.  -1: the profile cannot be written, and nothing
 * was printed.
 */
int outline_answer_print(const struct outline *, const char *directory, FILE *,
    struct error *);

/* The same of the document that comes from a descriptor; -1: it is refused. */
int outline_answer_run(int in, const char *directory, FILE *, struct error *);

/* The same without a profile, from an executable cache in that directory: one
   process works it out for all that have the same document.  A member
   "executable" says how that went. */
int outline_answer_run_cached(int in, const char *cache, FILE *,
    struct error *);

/* index.html of a job: its instances, what became of the run of each, and their
   figures, with links to their reports. */
struct profile_index {
	const char *directory;
	int count; /* instances are 0 to count - 1 .. */
	bool gaps; /* .. but not each number is one: what is not there is not
		      missing */
};

/* Write it.  -1: it cannot be written. */
int profile_index_write(const struct profile_index *, struct error *);

/*
 * Add to the object `list` of a document what the page needs of the text of a
 * summary.json, which anyone may have written.  false: it is no summary, and
 * nothing is added.
 */
bool profile_index_add(yyjson_mut_doc *, yyjson_mut_val *list, const char *name,
    const char *text, size_t size);

#endif
