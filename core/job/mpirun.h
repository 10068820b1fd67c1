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

/* Return how many files mpirun, or orted on another host, has open when it has
   started so many instances there. */
int mpirun_open_files(int instances);

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

/* The meaning of mpirun's arguments when poprun starts the instances itself.
   `wdir` and `output_filename` point into the arguments, which must outlive
   it. */
struct mpirun_local {
	struct strvec variables;      /* from -x: NAME=VALUE, in order */
	struct strvec missing;	      /* from -x NAME of an unset variable */
	struct strvec without_effect; /* arguments that were ignored */
	const char *wdir;	      /* NULL: the caller's */
	const char *output_filename;  /* or NULL */
	int timeout_s;		      /* 0: unlimited */
	bool merge_stderr;
};

/* Begin without arguments; _release frees the contents. */
void mpirun_local_init(struct mpirun_local *);
void mpirun_local_release(struct mpirun_local *);

/*
 * Add arguments; later ones win.  Returns 0; or 1 if arguments that only mpirun
 * supports were skipped with their values: the error names the first of these,
 * and the rest was added.  -1: an argument without its value or with a bad one,
 * or a word that mpirun would take for the program.
 */
int mpirun_local_add(struct mpirun_local *, const struct strvec *args,
    struct error *);

#endif
