/*
 * The command line for Open MPI's mpirun: options of the job, then an
 * application context per instance, separated by ":", because -x affects only
 * one context.
 *
 * Source: a published log with a whole command; mpirun(1) of Open MPI 4.1.
 */
#ifndef CORE_JOB_MPIRUN_H
#define CORE_JOB_MPIRUN_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

struct mpirun {
	const char *path;
	const struct strvec *global_args;   /* the user's */
	const struct strvec *local_args;    /* the user's, for each instance */
	const struct strvec *instance_args; /* the user's, for instance 0 to
					       count - 1 */
	int instance_args_count;
	bool allow_run_as_root;
	const char *placement;	      /* arguments separated by spaces, or "" */
	const struct strvec *network; /* arguments that choose a network */
	int num_instances;
	int instances_per_host;
	char *const *hosts;		   /* one per instance; NULL: chosen by
					      mpirun */
	const struct strvec *environments; /* of each instance, for -x */
	char *const *program;		   /* NULL-terminated */
	const struct strvec *parent;	   /* command of core/launch/parent.h,
					      before INSTANCE and the program
					      that it runs; NULL: none */
	const struct strvec *carried;	   /* names of variables to carry to
					      other hosts, or NULL */
};

/* Add the whole argv.  The user's arguments follow poprun's, so that a user's
   `-x NAME=VALUE` wins. */
void mpirun_command(const struct mpirun *, struct strvec *argv);

/* Whether the arguments place processes on cores: --bind-to, --map-by, their
   synonyms, or --mca or --gmca with a parameter of that meaning. */
bool mpirun_args_place(const struct strvec *args);

/*
 * Return the value that --mca or --gmca gives to the first of these Open MPI
 * parameters (`names`, ending with NULL) that the arguments set, and that name
 * in *name; or NULL.
 */
const char *mpirun_args_parameter(const struct strvec *args,
    const char *const *names, const char **name);

/* Whether the arguments include this one. */
bool mpirun_args_have(const struct strvec *args, const char *arg);

/* Undo the backslash that mpirun_command() puts before a program's word ":", at
   which mpirun would end a context.  Returns a part of `word`. */
const char *mpirun_shown_word(const char *word);

/* The meaning of mpirun's arguments for one instance, as far as poprun does
   what they say: all of it if poprun starts the instances, and from `timeout_s`
   on below mpirun too.  `wdir` and `not_reached` point into the arguments,
   which must outlive it. */
struct mpirun_local {
	struct strvec first;	      /* from -x of the whole job: NAME=VALUE,
					 overridden by poprun's variables */
	struct strvec variables;      /* from other -x, overriding these */
	struct strvec missing;	      /* from -x NAME of an unset variable */
	struct strvec without_effect; /* arguments that were ignored */
	const char *wdir;	      /* NULL: the caller's */
	char *const *not_reached;     /* first option of the whole job that only
					 reaches instance 0, and its value; or
					 NULL */
	int timeout_s;		      /* 0: unlimited */
	char *output_filename;	      /* a directory, or NULL */
	bool no_job_id;		      /* without a directory "1" in it */
	bool no_copy;		      /* the output is not shown */
	bool merge_stderr;
	bool timestamps; /* before the tags */
	bool has_stdin;
	int stdin_to; /* as in stdin_relay_open() */
};

/* Where arguments stand: mpirun lets -x and --wdir of the whole job reach the
   first application context only. */
enum mpirun_scope {
	MPIRUN_GLOBAL,	     /* of the whole job, for instance 0 */
	MPIRUN_GLOBAL_OTHER, /* of the whole job, for any other instance */
	MPIRUN_LOCAL,	     /* of each instance */
	MPIRUN_INSTANCE	     /* of this instance alone */
};

/* Begin without arguments; _release frees the contents. */
void mpirun_local_init(struct mpirun_local *);
void mpirun_local_release(struct mpirun_local *);

/*
 * Add arguments; later ones win.  Returns 0; or 1 if arguments that only mpirun
 * supports were skipped with their values: the error names the first of these,
 * and the rest was added.  -1: an argument that poprun refuses under either
 * launcher, one without its value or with a bad one, or a word that mpirun
 * would take for the program.
 */
int mpirun_local_add(struct mpirun_local *, const struct strvec *args,
    enum mpirun_scope, struct error *);

/* Copy the arguments without those that poprun does itself below mpirun. */
void mpirun_local_keep(const struct strvec *args, struct strvec *out);

#endif
