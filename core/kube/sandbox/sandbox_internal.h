/*
 * The construction of a place (sandbox.h): from the volumes of a plan to
 * mounts, and the choice of mount points that leave the files of others
 * unchanged.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_INTERNAL_H
#define CORE_KUBE_SANDBOX_SANDBOX_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/kube/sandbox/mount_call.h"
#include "core/kube/sandbox/sandbox.h"

/* A part of the file tree, and the permitted changes. */
enum sandbox_owner {
	SANDBOX_OTHERS,		  /* this host's: nothing is created in it */
	SANDBOX_OTHERS_READ_ONLY, /* the same, and read-only */
	SANDBOX_OWN		  /* directories may be created */
};

struct sandbox_place {
	char *path; /* without symbolic links */
	enum sandbox_owner owner;
	bool is_whole; /* everything below too */
	int tree;      /* a copy to be made read-only at the end, or -1 */
};

/* The longest matching path counts. */
struct sandbox_places {
	struct sandbox_place *items;
	size_t count, room;
};

/* Start with that owner of the root; _release frees all places. */
void sandbox_place_init(struct sandbox_places *, enum sandbox_owner root);
void sandbox_place_release(struct sandbox_places *);

/* Record a mount at that path. */
void sandbox_place_add(struct sandbox_places *, const char *path,
    enum sandbox_owner);

/* Return a mount point for a directory or a file: without symbolic links, and
   created if it was missing.  The caller frees it.  NULL: it cannot be created,
   or a file is in place of a directory. */
char *sandbox_place_prepare(struct sandbox_places *, const char *target,
    bool is_directory, struct error *);

/* Create a working directory; ERROR_NOT_FOUND on this host's root. */
int sandbox_place_make(struct sandbox_places *, const char *target,
    struct error *);

/* Make copies of read-only places read-only, after the last mount. */
int sandbox_place_seal(struct sandbox_places *, struct error *);

/* The order of mounting. */
enum sandbox_turn {
	SANDBOX_TURN_SYSTEM,  /* needed by every program */
	SANDBOX_TURN_DEFAULT, /* the same, unless the image has one */
	SANDBOX_TURN_VOLUME,
	SANDBOX_TURN_KEPT
};

struct sandbox_mount {
	const struct sandbox_volume *volume;
	enum sandbox_turn turn;
	char *target; /* without "//", "/./" and a final "/" */
	int depth;    /* number of its names */
	int tree;     /* mount_call.h */
	bool is_directory;
	bool is_sealed; /* already read-only */
};

struct sandbox_mounts {
	struct sandbox_mount *items;
	size_t count;
	struct sandbox_volume directory; /* the plan's directory as a volume */
};

/* Open all volumes of the plan in the order of mounting, attached nowhere.  -1:
   a source fails, or a target is "/", contains ".." or is used twice.  The
   caller releases them in any case. */
int sandbox_volume_collect(const struct sandbox_plan *, struct sandbox_mounts *,
    struct error *);
void sandbox_volume_release(struct sandbox_mounts *);

/* Mount them all. */
int sandbox_volume_mount(const struct sandbox_mounts *, struct sandbox_places *,
    struct error *);

/* Cover a directory that cannot be changed with a copy in memory to which names
   can be added.  It may be "/"; the path has no symbolic links.  Each entry is
   the original, with all mounts below; a symbolic link has the same text.
   *tree is the copy's (mount_call.h), which the caller closes.  It needs a
   private mount namespace; after "/" the working directory is "/". */
enum { SANDBOX_MIMIC_MAX = 10000 }; /* entries, each a mount */
int sandbox_mimic_make(const char *directory, int *tree, struct error *);

#endif
