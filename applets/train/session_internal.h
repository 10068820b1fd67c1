/*
 * What the files of a session share.
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
	struct engine_options report; /* profiles */
	FILE *out;		      /* of the first instance */
	bool redraw;		      /* the bar */
	struct dataset train, test;
	const struct kernels *kernels;
	struct collective *collective;
	struct attachment attachment;
	struct gcda_options gcda;
	uint32_t calls;		 /* of engines, so far */
	struct checkpoint place; /* where training begins */
	bool is_loaded;		 /* from a file */
	struct engine_config training, inference;
	struct memory training_memory, inference_memory;
	int ipus;		 /* of a replica */
	const char *profiled;	 /* the first engine that has a profile, or
				    NULL */
	struct profile *profile; /* of the engine that runs; NULL: off */
	const char *engine;	 /* that it is of */
	struct cycles cycles;	 /* what it is of */
	struct trial_run run;	 /* what its advice changes */
	pthread_mutex_t lock;	 /* of the profile */
	pthread_t watcher;	 /* takes the signals */
	sigset_t signals;
	bool watched; /* the thread runs */
};

/* Both engines' configurations and the IPUs that they need.  Refused: what
   PopTorch refuses of stages and schedules, before any work is done. */
int plan_session(struct session *, struct error *);
/* The run as a profile may try it in other ways, once it is attached. */
void plan_trials(struct session *);
/* Print the schedules of both. */
void plan_dump_schedules(const struct session *);

/* What both need of the IPUs' memory, and the report of it where one is asked
   for.  Refused: what does not fit. */
void fit_plan(struct session *);
int fit_report(struct session *, struct error *);

/* A generated test set is a sixth of the training set, as MNIST's. */
enum { TRAIN_TO_TEST = 6 };

/* Refused before any work is done: data, read or still to be drawn, that do not
   fill one call of training or of the test. */
int epochs_check_data(const struct session *, struct error *);

/* Train, and test on the first instance by its first replica. */
int epochs_train(struct session *, struct error *);
int epochs_test(struct session *, struct error *);

/*
 * Check-points: where training begins, from a file or again; to the other
 * instances of a job that was started again, which all call it; into the
 * engine; and, where asked for, into a file after each epoch.
 */
int resume_open(struct session *, struct error *);
int resume_share(struct session *, struct error *);
void resume_engine(const struct session *, struct engine *);
int resume_save(struct session *, const struct engine *, int epoch,
    struct error *);

/*
 * The profile of an engine, "training" or "inference", where one is asked for:
 * opened before the calls, of which there will be so many, closed after them.
 */
int profiling_open(struct session *, const struct engine_config *,
    const char *engine, long calls, struct error *);
void profiling_keep_call(struct session *, const struct engine *);
/* `status` is that of the calls and comes back: where it is -1 the profile says
   that the run was interrupted by the error, which stays. */
int profiling_close(struct session *, int status, struct error *);
/*
 * Where a profile is asked for: until profiling_stop() a signal that ends the
 * program has the profile of the calls so far written first.  To be called
 * before any other thread exists.  Ignored and blocked signals stay so.
 */
int profiling_start(struct session *, struct error *);
void profiling_stop(struct session *);
/* Tell where the profiles are and which page to open, if there are any. */
void profiling_print_pages(const struct session *);

/* Tell something on stderr, where that level is told. */
void notice(const struct session *, enum poptorch_level, const char *, ...)
    __attribute__((format(printf, 3, 4)));

#endif
