/*
 * Where something can be mounted: what is there, and what has to be made
 * first, without a change to what belongs to others.
 */
#ifndef CORE_KUBE_SANDBOX_SANDBOX_PLACE_H
#define CORE_KUBE_SANDBOX_SANDBOX_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/* A part of the tree of files, and what may be done to it. */
enum sandbox_owner {
	SANDBOX_OTHERS,		/* this host's: nothing is made in it */
	SANDBOX_OTHERS_READ_ONLY, /* the same, and nothing is written */
	SANDBOX_OWN		/* directories may be made */
};

struct sandbox_place {
	char		*path;		/* without symbolic links */
	enum sandbox_owner owner;
	bool		 is_whole;	/* all below; else it alone */
	int		 tree;		/* of a copy that has to be read-only
					   in the end, or -1 */
};

/* The longest path that fits counts. */
struct sandbox_places {
	struct sandbox_place	*items;
	size_t			 count, room;
};

/* Places whose root belongs to the one or the other; release leaves none. */
void	sandbox_place_init(struct sandbox_places *, enum sandbox_owner root);
void	sandbox_place_release(struct sandbox_places *);

/* Something was mounted at that path. */
void	sandbox_place_add(struct sandbox_places *, const char *path,
	    enum sandbox_owner);

/*
 * The path of a directory, or else of a file, at which to mount: without
 * symbolic links, and made where it was not there.  The caller frees it.  NULL:
 * it cannot be made, or there is a file in place of a directory.
 */
char	*sandbox_place_prepare(struct sandbox_places *, const char *target,
	    bool is_directory, struct error *);

/*
 * The same for a directory to work in, which is made where that is allowed:
 * ERROR_NOT_FOUND on this host's root.
 */
int	sandbox_place_make(struct sandbox_places *, const char *target,
	    struct error *);

/* Nothing is mounted any more: copies of what is read-only become so. */
int	sandbox_place_seal(struct sandbox_places *, struct error *);

#endif
