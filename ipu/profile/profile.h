/*
 * Profiles of runs.  A profile is a directory with a directory for each engine,
 * named as PopTorch names them ("training", "inference").  ipubox-profile(7)
 * describes the files: trace.json, report.html, schedule.txt, summary.json.
 * Both clocks appear, with their names: host time, which was measured, and
 * modelled IPU cycles.
 *
 * Also here: the device's answer about an outline, and the page of a job.  Read
 * profile_data.h next; profile_internal.h has the writers of the files.
 */
#ifndef IPU_PROFILE_PROFILE_H
#define IPU_PROFILE_PROFILE_H

#include <stdio.h>
#include <yyjson.h>

#include "core/job/popdist.h"
#include "ipu/engine/engine.h"

/* Measurements of the host that computed an outline's model: seconds, summed
   over all calls.  Our own engine is measured by its trace. */
struct profile_host {
	bool steps; /* some calls have measured steps of the schedule */
	const char *computed_by; /* "PyTorch", or "": not known */
	double compile_s;
	double input_s, run_s, output_s;
	/* Run time of the first call, or mean of the first group of calls. */
	double first_run_s;
	/* Activities from 0 s on; of a long run not all. */
	int activity_count;
	const struct host_activity *activities;
};

/* Facts for the reports that the engine does not know.  No text is NULL. */
struct profile_about {
	const char *program; /* "mnist-pipeline" */
	const char *command; /* the command line */
	const char *model;   /* the model's name */
	const char *engine;  /* "training", "inference" */
	const char *device;  /* "device Id 4, 4 IPUs of p" */
	int instance;	     /* within the job */
	/* The run as requested; NULL: try no advice. */
	const struct trial_run *run;	 /* must outlive the profile */
	long calls;			 /* planned; 0: unknown */
	const struct profile_host *host; /* of an outline, must outlive the
					    profile; NULL: an engine ran */
};

struct profile;

/*
 * Make DIRECTORY/ENGINE and begin; remove the reports of an earlier run.  An
 * engine's configuration must have .trace set.  Configuration, memory and
 * cycles must outlive the profile; texts are copied.  Without cycles (NULL)
 * their figures are zero.  NULL: the directory, which the error names, cannot
 * be made or written.
 */
struct profile *profile_open(const char *directory,
    const struct profile_about *, const struct engine_config *,
    const struct memory *, const struct cycles *, struct error *);

/* Add the trace of the engine's last call.  Call this after each. */
void profile_call(struct profile *, const struct engine *);

/* Add a call that another program made: one trace for each IPU, replica by
   replica, with times in ns from 0. */
void profile_traces(struct profile *, const struct trace *const *);
/* Add calls without a trace. */
void profile_untraced(struct profile *, long calls);

/* Return the number of calls so far. */
long profile_calls(const struct profile *);

/* Note that the run ends early, by a signal ("Terminated") or an error: the
   reports say after which call, and why.  profile_close() follows. */
void profile_interrupt(struct profile *, const char *why);

/* Write all files and free the profile (NULL is fine).  A kill leaves whole
   files; if report.html exists, all do.  -1: a file could not be written; the
   profile is freed all the same. */
int profile_close(struct profile *, struct error *);

/* Write the profile of an outline into DIRECTORY/NAME, with the outline's name.
   -1: the directory, which the error names, cannot be made or written. */
int outline_profile_write(const struct outline *, const struct memory *,
    const struct cycles *, const char *directory, struct error *);

/* "FILE __outline": the device's answer about an outline (ipubox-link(7)). */
#define OUTLINE_ANSWER_WORD "__outline"

/*
 * Print memory, modelled cycles and whether the model fits, as one JSON object;
 * its member "error" is null if the model fits.  If the directory is not NULL,
 * also write a profile there.  -1: the profile cannot be written; nothing was
 * printed.
 */
int outline_answer_print(const struct outline *, const char *directory, FILE *,
    struct error *);

/* Do the same for the document read from `in`.  -1 also if that is unreadable
   or refused. */
int outline_answer_run(int in, const char *directory, FILE *, struct error *);

/* Do the same without a profile, through the executable cache in the directory
   `cache`: one process computes the answer for all that have the same document.
   The member "executable" tells whether it was cached. */
int outline_answer_run_cached(int in, const char *cache, FILE *,
    struct error *);

/* Write DIRECTORY/0/index.html, the page of a job: instances, outcomes and
   figures, with links.  An instance without a summary is left out.  Without
   DIRECTORY/0, no page is written.  -1: it cannot be written. */
int profile_index_write(const char *directory, const struct popdist *,
    struct error *);

/* Write the job's page if the environment has `poprun --autoreport-dir PARENT`
   and the directory is the one below PARENT for this instance: the page is
   PARENT/0/index.html.  Else do nothing.  -1 also for a wrong environment. */
int profile_index_write_job(const char *directory, struct error *);

/* Add to the object `list`, under `name`, the page's data from the text of a
   summary.json, which may be forged.  false: not a summary; nothing is
   added. */
bool profile_index_add(yyjson_mut_doc *, yyjson_mut_val *list, const char *name,
    const char *text, size_t size);

#endif
