/*
 * The kinds of objects that a pod consists of: each has a directory below the
 * state directory, in which each object has a file NAME.ini.  Private to
 * core/state.
 */
#ifndef CORE_STATE_KIND_H
#define CORE_STATE_KIND_H

#include <stddef.h>

#include "core/state/store.h"

enum { KIND_COUNT = 4, KIND_NAME_SIZE = 2 * NAME_SIZE };

struct object_kind {
	const char	*directory;
	int		(*count)(const struct store *);
	/* Of the object with that index: the file's name without ".ini", and
	   its text, which the caller frees. */
	void		(*name)(const struct store *, int index,
			    char name[KIND_NAME_SIZE]);
	char		*(*text)(const struct store *, int index);
	/* What it is in memory. */
	const void	*(*at)(const struct store *, int index);
	size_t		  size;
};

extern const struct object_kind	kind_all[KIND_COUNT];

#endif
