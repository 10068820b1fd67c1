/*
 * The construction of a sandbox (sandbox.h): mounts the volumes of a plan, at
 * mount points that leave the files of others unchanged.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_INTERNAL_H
#define CORE_KUBE_SANDBOX_SANDBOX_INTERNAL_H

#include "core/kube/sandbox/mount_call.h"
#include "core/kube/sandbox/sandbox.h"

/* A part of the file tree, and the permitted changes. */
enum sandbox_owner {
	SANDBOX_OTHERS,		  /* not ours: nothing is created in it */
	SANDBOX_OTHERS_READ_ONLY, /* the same, and read-only */
	SANDBOX_OWN		  /* names may be created */
};

struct sandbox_place {
	char *path; /* without symbolic links */
	enum sandbox_owner owner;
	bool is_whole; /* with everything below; false: only the directory */
	int tree;      /* a copy to be made read-only at the end, or -1 */
};

/* The place of the longest matching path counts, of equal ones the last. */
struct sandbox_places {
	struct sandbox_place *items;
	size_t count, room;
};

/* Start with that owner of the root; _release frees all places and closes their
   trees. */
void sandbox_place_init(struct sandbox_places *, enum sandbox_owner root);
void sandbox_place_release(struct sandbox_places *);

/* Record a mount at that path, with everything below it. */
void sandbox_place_add(struct sandbox_places *, const char *path,
    enum sandbox_owner);

/* Return a mount point, without symbolic links, which the caller frees.
   Creates it if missing; where nothing may be created, in a copy of the
   directory above.  NULL: it cannot be created, or is a file where a directory
   is required, or the reverse. */
char *sandbox_place_prepare(struct sandbox_places *, const char *target,
    bool is_directory, struct error *);

/* Create a working directory unless it exists.  -1: nothing may be created
   there (ERROR_NOT_FOUND), or it is a file. */
int sandbox_place_make(struct sandbox_places *, const char *target,
    struct error *);

/* Make copies of read-only places read-only, after the last mount. */
int sandbox_place_seal(struct sandbox_places *, struct error *);

/* The order of mounting. */
enum sandbox_turn {
	SANDBOX_TURN_SYSTEM,  /* with an image: /proc, /dev, /sys */
	SANDBOX_TURN_DEFAULT, /* such as /tmp, unless the image has it */
	SANDBOX_TURN_VOLUME,
	SANDBOX_TURN_KEPT /* `kept` and `directory` of struct sandbox_plan */
};

struct sandbox_mount {
	const struct sandbox_volume *volume;
	enum sandbox_turn turn;
	char *target; /* without "//", "/./" and a final "/" */
	int depth;    /* number of names in the target */
	int tree;     /* descriptor of the source (mount_call.h) */
	bool is_directory;
	bool is_sealed; /* `tree` is already read-only */
};

/* An item may point to `directory`: do not copy the struct. */
struct sandbox_mounts {
	struct sandbox_mount *items;
	size_t count;
	struct sandbox_volume directory; /* the plan's directory as a volume */
};

/* Open all volumes of the plan, in the order of mounting, not yet mounted.
   -1: a source fails, or a target is "/", contains ".." or is used twice.  The
   caller releases them in any case. */
int sandbox_volume_collect(const struct sandbox_plan *, struct sandbox_mounts *,
    struct error *);
void sandbox_volume_release(struct sandbox_mounts *);

/* Mount them all.  -1: earlier ones stay mounted. */
int sandbox_volume_mount(const struct sandbox_mounts *, struct sandbox_places *,
    struct error *);

#endif
