/*
 * The partition of a job: found, or created, and removed again.
 */
#ifndef APPLETS_POPRUN_PARTITION_H
#define APPLETS_POPRUN_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "applets/poprun/guard.h"
#include "applets/poprun/settings.h"
#include "core/base/error.h"
#include "core/job/layout.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

struct plan;
struct server;

/* The partition that the job runs on. */
struct job_partition {
	char		name[NAME_SIZE]; /* "": offline */
	const struct server *server;	/* whose it is; the plan's */
	bool		reconfigurable;
	bool		created;	/* by this poprun */
	bool		planned;	/* a dry run does not create it */
	char		*options;	/* its POPLAR_TARGET_OPTIONS */
	char		*device_options; /* its device's, NULL: not asked */
	char		*device_text;	/* the same for the log */
	int		device_count;	/* of the job's size */
	int		device_id;	/* the first of them */
	int		num_ilds;
	struct error	unplanned;	/* why its place cannot be planned; its
					   code is ERROR_NONE: it can */
	struct partition known;		/* as it was when the job began */
	struct owner_lock owner;	/* of one that goes with the job */
	struct guard	guard;
};

/*
 * Find the partition that the settings ask for, or create it;
 * a dry run only looks.  0 or -1.  partition_release() removes one that was
 * created, unless told to leave it; however poprun ends, a guard process
 * does so in its stead.
 */
int	partition_ensure(const struct plan *, struct job_partition *,
	    struct error *);
/* The rules that no partition changes: sizes that V-IPU knows. */
int	partition_check_layout(const struct layout *, struct error *);
int	partition_release(const struct poprun_settings *,
	    struct job_partition *, struct error *);
/*
 * Whether programs can use it now: 1; 0: not yet, *e says how it is; -1: it is
 * gone.
 */
int	partition_look(const struct job_partition *, struct error *);
/* Whether no program uses its IPUs; if one does, *e names it. */
int	partition_check_unused(const struct job_partition *, struct error *);
/* Whether a machine was lost under it since then, or it is gone, and how. */
bool	partition_failed(const struct job_partition *, int64_t since_ms,
	    struct error *);

#endif
