/*
 * Which release of the Poplar SDK the tools say they are of, and in which
 * layout their lists are printed: the one table of it.  ipubox-versions(7) is
 * the same table for people; a test compares the two.
 *
 * `guide`, the default, is what the published guides print, each tool for
 * itself, so its numbers are of several releases.  `2.x` and `3.x` are the
 * newest release of that line.  A version, as 3.3.0, is the row of its line
 * with that number.
 *
 * Source: the V-IPU guide 5, the PopRun guide 2.10.1, the release notes of the
 * SDK and of the IPU-Machine software, output that users published.
 */
#ifndef CORE_POD_VERSIONS_H
#define CORE_POD_VERSIONS_H

#include "core/base/error.h"

enum { VERSIONS_SDK_SIZE = 16 };

/* The layouts of one list, by age; not every list has all three. */
enum versions_layout { VERSIONS_OLD, VERSIONS_MID, VERSIONS_NEW };

struct versions {
	const char	*name;		/* of the row: "guide", "2.x", "3.x" */
	char		 sdk[VERSIONS_SDK_SIZE]; /* poprun, gc-info,
						   gc-monitor */
	const char	*vipu;		/* V-IPU; NULL: ipubox says its own */
	const char	*driver;
	const char	*firmware;
	const char	*gateway;
	const char	*machine;	/* the IPU-Machine's software */
	const char	*ipuof_server;
	enum versions_layout	partitions;	/* vipu list partitions */
	enum versions_layout	gc_info;	/* gc-info -l */
	enum versions_layout	gc_monitor;
};

/* "old", "mid", "new": also the words of --style. */
extern const char *const versions_layout_words[];

/* The rows in their order, from 0 on; NULL behind the last one. */
const struct versions	*versions_at(int index);

/* The default. */
void	versions_guide(struct versions *);

/*
 * A row by its name, or by a version of its line.  `what` says in the message
 * where it was said.  ERROR_INVALID for what is neither.
 */
int	versions_find(const char *what, const char *name, struct versions *,
	    struct error *);

#endif
