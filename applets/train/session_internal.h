/*
 * Shared by the files of a session.
 */
#ifndef APPLETS_TRAIN_SESSION_INTERNAL_H
#define APPLETS_TRAIN_SESSION_INTERNAL_H

#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#include "applets/train/train.h"
#include "core/job/job.h"
#include "ipu/device/device.h"
#include "ipu/engine/engine.h"
#include "ipu/nn/nn.h"
#include "ipu/profile/profile.h"

struct session {
	const struct train_options *options;
	const struct model_file *file;
	struct popdist popdist;
	struct poptorch poptorch;
	struct engine_options report; /* for profiles */
	FILE *out;		      /* used by the first instance only */
	bool redraw;		      /* of the progress bar */
	struct dataset train, test;
	const struct kernels *kernels;
	struct collective *collective;
	struct attachment attachment;
	struct gcda_options gcda;
	uint32_t calls;		 /* engine calls so far */
	struct checkpoint place; /* start of training */
	bool is_loaded;		 /* `place` came from a file */
	struct engine_config training, inference;
	struct memory training_memory, inference_memory;
	int ipus;		 /* per replica */
	const char *profiled;	 /* first engine with a profile, or NULL */
	struct profile *profile; /* of the running engine; NULL: off */
	const char *engine;	 /* name of that engine */
	struct cycles cycles;	 /* modelled time of that engine */
	struct trial_run run;	 /* basis for advice */
	pthread_mutex_t lock;	 /* protects the profile */
	pthread_t watcher;	 /* waits for signals */
	sigset_t signals;
	bool watched; /* the watcher runs */
};

/* Make both engines' configurations and find the IPUs that they need, before
   any work is done.  Refuses the stages and schedules that PopTorch refuses. */
int plan_session(struct session *, struct error *);
/* Set up the run for a profile's trials, after attaching. */
void plan_trials(struct session *);
/* Print both schedules. */
void plan_dump_schedules(const struct session *);

/* Plan both engines' use of the IPUs' memory; print the report if requested,
   and refuse a model that does not fit. */
void fit_plan(struct session *);
int fit_report(struct session *, struct error *);

/* A generated test set is a sixth of the training set, as in MNIST. */
enum { TRAIN_TO_TEST = 6 };

/* Refuse, before any work is done, data that do not fill one call of training
   or of the test.  The data may still have to be drawn. */
int epochs_check_data(const struct session *, struct error *);

/* Train; and test on the first instance with its first replica. */
int epochs_train(struct session *, struct error *);
int epochs_test(struct session *, struct error *);

/* Check-points.  Find the start of training, in a file or from scratch; share
   it with the other instances of a restarted job, which all call this; load it
   into the engine; and save it after each epoch if requested. */
int resume_open(struct session *, struct error *);
int resume_share(struct session *, struct error *);
void resume_engine(const struct session *, struct engine *);
int resume_save(struct session *, const struct engine *, int epoch,
    struct error *);

/* Open the profile of an engine ("training" or "inference") before its planned
   calls, add each call, and close it, if a profile is requested. */
int profiling_open(struct session *, const struct engine_config *,
    const char *engine, long calls, struct error *);
void profiling_keep_call(struct session *, const struct engine *);
/* Returns `status`, the result of the calls.  If it is -1, the profile notes
   the interruption by *error, which stays set. */
int profiling_close(struct session *, int status, struct error *);
/* Until profiling_stop(), write the profile of the calls so far before a signal
   ends the program.  Does nothing unless a profile is requested.  Call it
   before any other thread exists.  Ignored and blocked signals stay so. */
int profiling_start(struct session *, struct error *);
void profiling_stop(struct session *);
/* Print the paths of the profiles, if any, and the page to open. */
void profiling_print_pages(const struct session *);

/* Print a message on stderr if that level is logged. */
void notice(const struct session *, enum poptorch_level, const char *, ...)
    __attribute__((format(printf, 3, 4)));

#endif
