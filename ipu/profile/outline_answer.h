/*
 * What the device says of an outline: memory, modelled cycles, whether it fits,
 * and a profile where one is asked for.  ipubox-link(7), chapter OUTLINE.
 */
#ifndef IPU_PROFILE_OUTLINE_ANSWER_H
#define IPU_PROFILE_OUTLINE_ANSWER_H

#include <stdio.h>

#include "core/base/error.h"
#include "ipu/engine/engine.h"

/* "FILE __outline": the word. */
#define OUTLINE_ANSWER_WORD	"__outline"

/*
 * Print the answer, one JSON object.  With a directory a profile is written
 * there as well, as an engine's is.  A model that does not fit is answered, its
 * member "error" says so.  -1: the profile cannot be written, and nothing was
 * printed.
 */
int	outline_answer_print(const struct outline *, const char *directory,
	    FILE *, struct error *);

/* The same of the document that comes from a descriptor; -1: it is refused. */
int	outline_answer_run(int in, const char *directory, FILE *,
	    struct error *);

/*
 * The same without a profile, from an executable cache in that directory: the
 * answer is the document's alone, so one process works it out for all that
 * have the same.  A member "executable" says how that went.
 */
int	outline_answer_run_cached(int in, const char *cache, FILE *,
	    struct error *);

#endif
