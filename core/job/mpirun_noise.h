/*
 * What mpirun(1) itself says, as a person should see it: it prints paragraphs
 * between two lines of dashes, among them what ssh(1) says.  What poprun's own
 * result says better is dropped; what is known becomes one line with its
 * remedy; all else is passed on as it came, paragraphs whole.
 *
 * Source: the help-*.txt files of Open MPI 4.1.4, and trying.
 */
#ifndef CORE_JOB_MPIRUN_NOISE_H
#define CORE_JOB_MPIRUN_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/strvec.h"

enum mpirun_noise_kind {
	MPIRUN_NOISE_PASS,	/* bytes as they came, whole lines */
	MPIRUN_NOISE_ERROR,	/* a sentence without a newline */
	MPIRUN_NOISE_WARNING	/* the same */
};

enum {
	/* A paragraph longer than this is none: it is passed on at once. */
	MPIRUN_NOISE_MAX = 16 * 1024
};

struct mpirun_noise;

/*
 * `hosts`, of the job, are for remedies; `say` is called with what a person
 * should see, a text that lasts for the call.  Never fails.
 */
struct mpirun_noise *mpirun_noise_new(const struct strvec *hosts,
	    void (*say)(void *context, enum mpirun_noise_kind,
	    const char *text, size_t), void *context);
void	mpirun_noise_free(struct mpirun_noise *);

/* Where other hosts are to have ipubox as that file (NULL: they are not), a
   sentence tells what helps where it is missing. */
void	mpirun_noise_set_own(struct mpirun_noise *, const char *file);

/* Other hosts are reached by this program, and not by ssh(1). */
void	mpirun_noise_set_agent(struct mpirun_noise *, const char *agent);

/* The next line of mpirun's standard error, with its newline or at its end
   without. */
void	mpirun_noise_line(struct mpirun_noise *, const char *, size_t);

/*
 * mpirun has ended: say what waited for the end.  `explained`: poprun knows why
 * the job ended; then what mpirun says of its own distress helps nobody.
 */
void	mpirun_noise_end(struct mpirun_noise *, bool explained);

#endif
