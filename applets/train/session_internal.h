/* Shared by the files of a session. */
#ifndef APPLETS_TRAIN_SESSION_INTERNAL_H
#define APPLETS_TRAIN_SESSION_INTERNAL_H

#include <pthread.h>
#include <signal.h>

#include "applets/train/train.h"
#include "core/job/job.h"
#include "ipu/profile/profile.h"

struct session {
	const struct train_options *options;
	const struct model_file *file;
	struct popdist popdist;
	struct poptorch poptorch;
	struct engine_options report; /* for profiles */
	FILE *out;		      /* stdout; NULL: not the first instance */
	bool redraw;		      /* draw the progress bar in place */
	struct dataset train, test;
	const struct kernels *kernels;
	struct collective *collective;
	struct attachment attachment;
	struct gcda_options gcda;
	uint32_t calls;		 /* engine calls so far */
	struct checkpoint place; /* start, and at the end result, of training */
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

/* Set session->training, ->inference and ->ipus, before any work is done.
   Refuses the stages and schedules that PopTorch refuses. */
int plan_session(struct session *, struct error *);
/* Set session->run for a profile's trials.  Before data files are read, their
   numbers of samples are 0: unknown. */
void plan_trials(struct session *);
/* Print both schedules. */
void plan_dump_schedules(const struct session *);

/* A generated test set is a sixth of the training set, as in MNIST. */
enum { TRAIN_TO_TEST = 6 };

/* Refuse, before any work is done, a training set (if epochs remain) or a test
   set that does not fill one call.  Generated data need not be drawn yet. */
int epochs_check_data(const struct session *, struct error *);

/* Train all epochs after session->place, and put the weights there, also if a
   call failed.  Does nothing if no epochs remain. */
int epochs_train(struct session *, struct error *);
/* Test the weights of session->place with one replica.  Only the first instance
   may call this. */
int epochs_test(struct session *, struct error *);

/* Set session->place, the start of training: after a restart from --save if
   that is suitable (first instance only), else from --load, else new.  -1:
   --load is refused, or --save cannot be written. */
int resume_open(struct session *, struct error *);
/* After a restart with --save, share the first instance's start with the other
   instances.  All instances must call this, and wait for each other. */
int resume_share(struct session *, struct error *);
/* Load session->place into the engine. */
void resume_engine(const struct session *, struct engine *);
/* Save the engine's state after the epoch, on the first instance with
   --save. */
int resume_save(struct session *, const struct engine *, int epoch,
    struct error *);

/* Open the profile of an engine ("training" or "inference"), if a profile is
   requested, before its `calls` planned calls.  profiling_close() must follow,
   also after a failure. */
int profiling_open(struct session *, const struct engine_config *,
    const char *engine, long calls, struct error *);
/* Add the engine's last call, if a profile is open. */
void profiling_keep_call(struct session *, const struct engine *);
/* Write the profile, if one is open.  `status` is the result of the calls: if
   it is -1, the profile notes the interruption by *error, which stays set.
   Returns -1 if `status` is -1 or the profile cannot be written. */
int profiling_close(struct session *, int status, struct error *);
/* Until profiling_stop(), write the profile of the calls so far before SIGINT,
   SIGTERM, SIGHUP or SIGXCPU ends the program.  Does nothing unless a profile
   is requested.  Call it before any other thread exists.  Ignored and blocked
   signals stay so. */
int profiling_start(struct session *, struct error *);
void profiling_stop(struct session *);
/* Print the paths of the profiles, if any, and the page to open, on the first
   instance. */
void profiling_print_pages(const struct session *);

/* Print a message on stderr if that level is logged. */
void notice(const struct session *, enum poptorch_level, const char *, ...)
    __attribute__((format(printf, 3, 4)));

#endif
