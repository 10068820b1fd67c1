/*
 * The command line for Open MPI's mpirun: options of the whole job, then an
 * application context per instance with ":" between, because an -x of one
 * context does not reach the next.
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
	const struct strvec *local_args;    /* the user's, for each */
	const struct strvec *instance_args; /* of the first instances */
	int instance_args_count;
	bool allow_run_as_root;
	const char *placement;	      /* arguments with spaces between, "":
					 none */
	const struct strvec *network; /* arguments that choose one */
	int num_instances;
	int instances_per_host;
	char *const *hosts;		   /* one per instance, or NULL:
					      mpirun's own */
	const struct strvec *environments; /* one per instance */
	char *const *program;		   /* NULL-terminated */
	const struct strvec *parent;	   /* words before INSTANCE and the
					      program that make it run below our
					      parent (parent.h), NULL: none */
	const struct strvec *carried;	   /* names of its own variables that
					      other hosts get too, NULL: none */
};

/*
 * Add the whole argv.  The user's arguments come behind poprun's own, so that
 * a user's `-x NAME=VALUE` counts.
 */
void mpirun_command(const struct mpirun *, struct strvec *argv);

/*
 * Whether the arguments say on which cores of its host a process runs:
 * --bind-to, --map-by, other words for it, or the same as --mca NAME VALUE.
 */
bool mpirun_args_place(const struct strvec *args);

/*
 * What the arguments say of one of Open MPI's parameters by --mca NAME VALUE,
 * or --gmca: the value, and in *name its name among those, of which the last is
 * NULL; the first counts.  NULL: nothing.
 */
const char *mpirun_args_parameter(const struct strvec *args,
    const char *const *names, const char **name);

/* Whether the arguments hold this one. */
bool mpirun_args_have(const struct strvec *args, const char *arg);

/*
 * The word of the program that our parent gets as `word`: mpirun ends a context
 * at ":", so mpirun_command() puts a backslash before such a word.
 */
const char *mpirun_shown_word(const char *word);

/*
 * What arguments for mpirun mean where poprun starts the instances itself.
 * Texts are not copied.
 */
struct mpirun_local {
	struct strvec variables;      /* of -x: NAME=VALUE, in order */
	struct strvec missing;	      /* of -x NAME: not set here */
	struct strvec without_effect; /* what is accepted and does nothing */
	const char *wdir;	      /* NULL: the caller's */
	const char *output_filename;  /* NULL: none */
	int timeout_s;		      /* 0: none */
	bool merge_stderr;
};

/* Nothing is said yet; and its end. */
void mpirun_local_init(struct mpirun_local *);
void mpirun_local_release(struct mpirun_local *);

/*
 * Add what the arguments say to what is there; later ones count.  1 and its
 * name: an argument that only mpirun knows, or that would change the result;
 * it is passed over with its values.  -1: one that lacks its value, and a word
 * that mpirun itself would take for the program.
 */
int mpirun_local_add(struct mpirun_local *, const struct strvec *args,
    struct error *);

#endif
