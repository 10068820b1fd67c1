/*
 * The durable half of the state: a directory of INI files, one per object.
 * Private to core/state; every change is made under the lock of the directory.
 * commit.h replaces a whole pod.
 */
#ifndef CORE_STATE_STORE_H
#define CORE_STATE_STORE_H

#include "core/base/files/directory.h"
#include "core/state/registry.h"

enum { STORE_ID_SIZE = REGISTRY_ID_SIZE };

/* pod.ini */
struct store_identity {
	char name[NAME_SIZE]; /* of the pod */
	uint8_t id[STORE_ID_SIZE];
	bool staged;  /* a committed change must be finished */
	bool patched; /* the change is a patch: see commit.h */
	bool secure;  /* clients must be users with a key */
};

/* Contents of the whole directory. */
struct store {
	struct store_identity identity;
	struct pod pod;
	const struct user *new_user;  /* user to stage, or NULL */
	struct partition *partitions; /* in the files' order */
	int partition_count;
	int64_t stamp_s; /* mtime of partitions/ */
	int64_t stamp_ns;
	int damaged; /* number of partition files left out */
	/* Reason of the first: "FILE:LINE: text". */
	char damage[SNAPSHOT_DAMAGE_SIZE];
};

/* Read pod.ini.  ERROR_NOT_FOUND: no pod yet; ERROR_UNSUPPORTED: a later ipubox
   made it. */
int store_identify(const struct directory *, struct store_identity *,
    struct error *);

/*
 * Read everything, and remove the temporary files of a killed writer in
 * partitions/.  A partition file that is damaged, claims another's IPUs or
 * exceeds the limit is left out and counted; any other damage is an error.  0:
 * the caller releases the store; -1: nothing to release.
 */
int store_load(const struct directory *, struct store *, struct error *);
/* Do the same without the lock, and remove nothing. */
int store_look(const struct directory *, struct store *, struct error *);
void store_release(struct store *);

/*
 * Write the file of an object, in place of an older one, or remove it (0 also
 * if missing): pod.ini, agents/CLUSTER:NAME.ini, partitions/NAME.ini.  `place`
 * is the agent's index in the pod.  0: on the disk.  -1: nothing has changed;
 * with ERROR_UNCONFIRMED it may have.
 */
int store_write_identity(const struct directory *,
    const struct store_identity *, struct error *);
int store_put_agent(const struct directory *, const struct pod *, int place,
    const struct agent *, struct error *);
int store_put_partition(const struct directory *, const struct pod *,
    const struct partition *, struct error *);
int store_remove_partition(const struct directory *, const char *name,
    struct error *);

/* Return the number of partition files, 0 if partitions/ is missing, or -1 if
   it is unreadable. */
long store_count_partitions(const struct directory *, struct error *);

/* Find when partitions/ last changed (mtime, seconds and nanoseconds); 0 and 0
   if it is missing.  Adding or removing a file changes it. */
void store_stamp(const struct directory *, int64_t *s, int64_t *ns);

#endif
