/*
 * The durable half of the state: a directory of INI files, one an object.
 * Private to core/state; every change is made under the lock of the directory.
 *
 * A new pod is written to STATE/new, and pod.ini with `staged = yes` is the
 * moment from which it counts; then its directories take the places of the old
 * ones.  commit_finish() does, or finishes, that.
 */
#ifndef CORE_STATE_STORE_H
#define CORE_STATE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/partition.h"
#include "core/pod/pod.h"
#include "core/pod/user.h"
#include "core/state/registry.h"

enum {
	STORE_ID_SIZE = 16,
	STORE_FORMAT = 2	/* 1 lacks keys that may be left out */
};

/* pod.ini */
struct store_identity {
	char	name[NAME_SIZE];
	uint8_t	id[STORE_ID_SIZE];
	bool	staged;
	bool	secure;		/* who asks must be a user with a key */
};

/* All that the directory says. */
struct store {
	struct store_identity	 identity;
	struct pod		 pod;
	const struct user	*new_user;	/* to be staged, or NULL */
	struct partition	*partitions;	/* in the files' order */
	int			 partition_count;
	int64_t			 stamp_s;	/* of partitions/ */
	int64_t			 stamp_ns;
	int			 damaged;	/* partition files left out */
	char			 damage[SNAPSHOT_DAMAGE_SIZE]; /* the first */
};

/* ERROR_NOT_FOUND: no pod yet. */
int	store_identify(const char *directory, struct store_identity *,
	    struct error *);

/*
 * Read everything.  A partition file that is damaged, or whose IPUs are
 * another's, is left out and counted; any other damage is an error.
 */
int	store_load(const char *directory, struct store *, struct error *);
void	store_release(struct store *);

/*
 * stage.c: stage a whole pod with its partitions and make it count; with a new
 * id and no partitions.  -1: the old one is still there; but with
 * ERROR_UNCONFIRMED the new one counts, or may.
 */
int	commit_pod(const char *directory, const struct store *,
	    struct error *);
/*
 * With a default user the new pod is in secure mode, and that user is added to
 * those there are, or takes the place of the one of its name.
 */
int	commit_new_pod(const char *directory, const struct pod *,
	    const struct user *default_user, struct error *);
int	commit_finish(const char *directory, struct store_identity *,
	    struct error *);
int	store_write_identity(const char *directory,
	    const struct store_identity *, struct error *);
/* An agent's file without ".ini", into a text of 2 * NAME_SIZE. */
void	store_agent_name(const struct pod *, const struct agent *, char *,
	    size_t size);

int	store_put_agent(const char *directory, const struct pod *, int place,
	    const struct agent *, struct error *);
int	store_put_partition(const char *directory, const struct pod *,
	    const struct partition *, struct error *);
int	store_remove_partition(const char *directory, const char *name,
	    struct error *);

/* The number of partition files; 0 where there is no such directory. */
long	store_count_partitions(const char *directory, struct error *);

/* When partitions/ was last changed. */
void	store_stamp(const char *directory, int64_t *s, int64_t *ns);

/* One object's INI text (the caller frees it) and back: objects.c. */
char	*object_agent_text(const struct pod *, int place,
	    const struct agent *);
char	*object_cluster_text(const struct pod *, int cluster);
char	*object_allocation_text(const struct pod *, int allocation);
char	*object_partition_text(const struct pod *, const struct partition *);
int	object_read_partition(const struct pod *, const char *path,
	    const char *name, struct partition *, struct error *);
/* The directories agents/, clusters/, allocations/ as a pod. */
int	object_read_pod(const char *directory, struct pod *, struct error *);

#endif
