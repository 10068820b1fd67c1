/*
 * A consistent private copy of what the registry mirrors.
 */
#ifndef CORE_STATE_SNAPSHOT_H
#define CORE_STATE_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/partition.h"
#include "core/pod/pod.h"

enum {
	SNAPSHOT_DAMAGE_SIZE = 512,
	OWNER_FREE = -1,
	OWNER_UNSEEN = -2	/* taken, and not by a partition that is here */
};

struct registry;
struct state;

struct snapshot {
	struct pod		pod;
	struct partition	*partitions;	/* sorted by name */
	int32_t			*owner;		/* an IPU: partition, or one
						   of the above */
	int			partition_count;
	int			damaged;	/* partition files left out: no
						   partition is added while one
						   is damaged */
	char			damage[SNAPSHOT_DAMAGE_SIZE]; /* the first one:
						   "FILE:LINE: text" */
	bool			limited;	/* only what a user may see:
						   machines in no allocation
						   are others' */
};

/*
 * Copy the mirror; one that was left half written, or is damaged, is made again
 * from the files first, where this process may.  Where that is not possible, as
 * while a writer that was stopped in mid-change has the lock, the files are
 * read.  ERROR_STALE: they cannot be read either, or a new pod took this one's
 * place and is to be opened.  ERROR_UNAVAILABLE: a new pod is half in place,
 * and who puts it there was stopped.
 */
int	snapshot_take(const struct registry *, struct snapshot *,
	    struct error *);
/*
 * The same for whoever has the writer's lock: what the mirror had when the lock
 * was taken, with this process's own changes; nobody else can have changed it.
 */
int	snapshot_take_locked(const struct state *, struct snapshot *,
	    struct error *);
void	snapshot_release(struct snapshot *);
/* Index by name, or -1. */
int	snapshot_find(const struct snapshot *, const char *partition);
/* Put the nearest of its partitions behind the text of the error; -1. */
int	snapshot_suggest(const struct snapshot *, const char *partition,
	    struct error *);

#endif
