/*
 * How sandbox.h makes a place: the volumes of a plan, from their paths to
 * mounts, and where something can be mounted without a change to what belongs
 * to others.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_INTERNAL_H
#define CORE_KUBE_SANDBOX_SANDBOX_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/kube/sandbox/mount_call.h"
#include "core/kube/sandbox/sandbox.h"

/* A part of the tree of files, and what may be done to it. */
enum sandbox_owner {
	SANDBOX_OTHERS,		  /* this host's: nothing is made in it */
	SANDBOX_OTHERS_READ_ONLY, /* the same, and nothing is written */
	SANDBOX_OWN		  /* directories may be made */
};

struct sandbox_place {
	char *path; /* without symbolic links */
	enum sandbox_owner owner;
	bool is_whole; /* all below; else it alone */
	int tree;      /* of a copy that has to be read-only in the end, or
			  -1 */
};

/* The longest path that fits counts. */
struct sandbox_places {
	struct sandbox_place *items;
	size_t count, room;
};

/* Places whose root belongs to the one or the other; release leaves none. */
void sandbox_place_init(struct sandbox_places *, enum sandbox_owner root);
void sandbox_place_release(struct sandbox_places *);

/* Something was mounted at that path. */
void sandbox_place_add(struct sandbox_places *, const char *path,
    enum sandbox_owner);

/* The path, to be freed, of a directory, or else of a file, at which to mount:
   without symbolic links, and made where it was missing.  NULL: it cannot be
   made, or there is a file in place of a directory. */
char *sandbox_place_prepare(struct sandbox_places *, const char *target,
    bool is_directory, struct error *);

/* The same for a directory to work in, which is made where that is allowed:
   ERROR_NOT_FOUND on this host's root. */
int sandbox_place_make(struct sandbox_places *, const char *target,
    struct error *);

/* Nothing is mounted any more: copies of what is read-only become so. */
int sandbox_place_seal(struct sandbox_places *, struct error *);

/* In this order they are mounted. */
enum sandbox_turn {
	SANDBOX_TURN_SYSTEM,  /* what each program expects */
	SANDBOX_TURN_DEFAULT, /* the same, unless it has its own */
	SANDBOX_TURN_VOLUME,
	SANDBOX_TURN_KEPT
};

struct sandbox_mount {
	const struct sandbox_volume *volume;
	enum sandbox_turn turn;
	char *target; /* without "//", "/./" and "/" at its
					   end */
	int depth;    /* names in it */
	int tree;     /* mount_call.h */
	bool is_directory;
	bool is_sealed; /* read-only already */
};

struct sandbox_mounts {
	struct sandbox_mount *items;
	size_t count;
	struct sandbox_volume directory; /* the plan's, as a volume */
};

/*
 * All of the plan, open but mounted nowhere, in the order of mounting.  -1: one
 * of them cannot be: its source, a target that is "/", has ".." or is another's
 * as well.  The caller releases them in any case.
 */
int sandbox_volume_collect(const struct sandbox_plan *, struct sandbox_mounts *,
    struct error *);
void sandbox_volume_release(struct sandbox_mounts *);

/* Mount them all. */
int sandbox_volume_mount(const struct sandbox_mounts *, struct sandbox_places *,
    struct error *);

/*
 * Mounts over a directory that cannot be changed a copy in memory to which
 * names can be added: "/" as well; the path has no symbolic links.  Each entry
 * is the very same as before, with all that is mounted below, and a symbolic
 * link has the same text.  *tree is the copy's (mount_call.h), which the caller
 * closes.  In a mount namespace of its own; after "/" the working directory is
 * "/".
 */
enum { SANDBOX_MIMIC_MAX = 10000 }; /* entries, a mount each */
int sandbox_mimic_make(const char *directory, int *tree, struct error *);

#endif
