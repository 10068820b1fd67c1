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
#ifndef IPU_PROFILE_PROFILE_INDEX_H
#define IPU_PROFILE_PROFILE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

#include "core/base/error.h"

struct profile_index {
	const char	*directory;
	int		 count;		/* instances are 0 to count - 1 .. */
	bool		 gaps;		/* .. but not each number is one: what
					   is not there is not missing */
};

/* Write it.  -1: it cannot be written. */
int	profile_index_write(const struct profile_index *, struct error *);

/*
 * Add to the object `list` of a document what the page needs of the text of a
 * summary.json, which anyone may have written.  false: it is no summary, and
 * nothing is added.
 */
bool	profile_index_add(yyjson_mut_doc *, yyjson_mut_val *list,
	    const char *name, const char *text, size_t size);

#endif
