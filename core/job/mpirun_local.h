/*
 * What arguments for mpirun mean where poprun starts the instances itself: some
 * are honoured, some ask for what is so anyway or has no meaning on one host,
 * and the rest is refused, because the result would be another.
 *
 * Source: mpirun(1) of Open MPI 4.1.
 */
#ifndef CORE_JOB_MPIRUN_LOCAL_H
#define CORE_JOB_MPIRUN_LOCAL_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

/* What is honoured of all arguments of an instance; texts are not copied. */
struct mpirun_local {
	struct strvec	 variables;	/* of -x: NAME=VALUE, in order */
	struct strvec	 missing;	/* of -x NAME: not set here */
	struct strvec	 without_effect; /* what is accepted and does nothing */
	const char	*wdir;		/* NULL: the caller's */
	const char	*output_filename; /* NULL: none */
	int		 timeout_s;	/* 0: none */
	bool		 merge_stderr;
};

/* Nothing is said yet; and its end. */
void	mpirun_local_init(struct mpirun_local *);
void	mpirun_local_release(struct mpirun_local *);

/*
 * Add what the arguments say to what is there; later ones count.  1 and its
 * name: an argument that only mpirun knows, or that would change the result;
 * it is passed over with the words behind it.  -1: one that lacks its value,
 * and a word that mpirun itself would take for the program.
 */
int	mpirun_local_add(struct mpirun_local *, const struct strvec *args,
	    struct error *);

#endif
