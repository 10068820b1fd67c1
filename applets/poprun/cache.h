/*
 * The executable cache of a job: a directory per host, in which one instance
 * puts what it compiled and the others find it.
 *
 * Source: PopRun user guide 2.3 and 2.4.
 */
#ifndef APPLETS_POPRUN_CACHE_H
#define APPLETS_POPRUN_CACHE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/process/process.h"

struct cache {
	struct job_directory	directory;	/* holds those of all hosts */
	struct strvec		paths;		/* one per host; none: there is
						   no cache */
};

struct poprun_settings;

/* None yet; and its end, with that of a temporary directory. */
void	cache_init(struct cache *);
void	cache_release(struct cache *);

/*
 * Judges --executable-cache-path beside a framework's own setting, in the
 * environment or after an -x: the guide refuses both, and releases of the SDK
 * let the option count, which is put in the place of the others.
 */
int	cache_check(const struct poprun_settings *, struct error *);

/*
 * Choose the paths for that many hosts, in place of those there were: the
 * directory that was named, or, for several instances or hosts, temporary ones
 * that go with the job.  Where each host has a directory of the job at
 * `host_directory`, it is in that.  A dry run makes none and names a place that
 * will be.
 */
int	cache_open(struct cache *, const struct poprun_settings *, int hosts,
	    const char *host_directory, struct error *);

#endif
