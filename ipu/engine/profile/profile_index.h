/*
 * index.html of a job: its instances, what became of the run of each, and the
 * figures that one compares, with links to their reports.
 *
 *	DIRECTORY/index.html
 *	DIRECTORY/0/training/report.html, summary.json ...
 *	DIRECTORY/1/training/...
 *
 * It is made anew from the summaries that are there whenever an instance begins
 * or ends a profile, so that the last one leaves it right whatever the order.
 */
#ifndef IPU_ENGINE_PROFILE_PROFILE_INDEX_H
#define IPU_ENGINE_PROFILE_PROFILE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/base/error.h"

struct profile_index {
	const char	*directory;
	int		 count;		/* instances are 0 to count - 1 .. */
	bool		 gaps;		/* .. but not each number is one: what
					   is not there is not missing */
};

/* One engine of an instance, as its summary.json has it. */
struct profile_index_row {
	char		model[128], command[512];
	char		state[256];	/* "complete", "interrupted after .." */
	bool		complete;
	double		calls, samples;
	double		host_rate, modelled_rate;	/* samples a second */
	double		host_used, modelled_used;	/* 0 to 1 */
	size_t		warnings;
};

/* Write it.  -1: it cannot be written. */
int	profile_index_write(const struct profile_index *, struct error *);

/*
 * Read the text of a summary.json, which anybody may have written.  -1: it is
 * none.
 */
int	profile_index_read(struct profile_index_row *, const char *text,
	    size_t size);

#endif
