/*
 * The IPUoF files of partitions of a server: they stand on the caller's host
 * and are the caller's, who may be another user than the server's.  Private to
 * core/control.
 */
#ifndef CORE_SERVER_REMOTE_FILES_H
#define CORE_SERVER_REMOTE_FILES_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/*
 * A partition was created: write its files into the directory, which it has
 * from now on here.  Where that fails the partition is removed again.
 */
int	remote_files_write(struct controller *, const struct pod *,
	    struct partition *, const char *directory, struct error *);

/*
 * A partition is gone, or has no files any more: remove those that this caller
 * has of it.  What stays is told by controller_left().
 */
void	remote_files_remove(struct controller *, const struct partition *);

/* Before a partition is removed without force: -1, with the reason, where its
   files could not go with it. */
int	remote_files_check_removal(struct controller *, const char *partition,
	    struct error *);

/*
 * Ask for a snapshot, which says of partitions whose files this caller has
 * where they are; files of partitions that are gone are removed.
 */
int	remote_files_list(struct controller *, int (*ask)(struct controller *,
	    struct snapshot *, struct error *), struct snapshot *,
	    struct error *);

#endif
