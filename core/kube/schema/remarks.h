/*
 * What is to be said of a manifest, each with its place: errors, for which it
 * is refused, warnings, and notes of what has no effect.
 */
#ifndef CORE_KUBE_SCHEMA_REMARKS_H
#define CORE_KUBE_SCHEMA_REMARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/kube/yaml/yaml.h"

enum remark_level {
	REMARK_ERROR,
	REMARK_WARNING,
	REMARK_NOTE,
	REMARK_LEVELS
};

enum { REMARKS_MAX = 200 };	/* of a level; of what follows only the number
				   is kept */

struct remark {
	enum remark_level	 level;
	bool			 is_local;	/* an error of this host alone:
						   a cluster would take it */
	int			 file_number;	/* from 0, in the order of the
						   files' first remarks */
	char			*file;
	int			 line;		/* 0: of the file as a whole */
	int			 column;
	char			*path;		/* "spec.workers", or "" */
	char			*text;
};

/* Empty: all zero. */
struct remarks {
	struct remark		*items;
	size_t			 count;		/* of the items */
	size_t			 room;
	size_t			 found[REMARK_LEVELS];	/* with what was not
							   kept */
	size_t			 local;		/* errors of this host */
};

/* It is empty again. */
void	remarks_release(struct remarks *);

/* "error", "warning", "note". */
const char	*remarks_level_name(enum remark_level);

/*
 * One more, where the node stands; NULL: in the file as a whole.  The path is
 * that of the thing it is about, "" where there is none.
 */
void	remarks_add(struct remarks *, enum remark_level, const char *file,
	    const struct yaml_node *, const char *path, const char *, ...)
	    __attribute__((format(printf, 6, 7)));

/*
 * An error of what could not be read, "FILE:LINE:COLUMN: TEXT" as
 * manifest_read() says it; without such a place it is of no file.
 */
void	remarks_add_error(struct remarks *, const char *text);

/*
 * The last one was an error of what cannot be had on this host: the manifest is
 * refused here, and may be right elsewhere.
 */
void	remarks_mark_local(struct remarks *);

/*
 * Errors of this host become warnings, which say that create refuses it: for
 * who only wants to know whether the manifest is right.
 */
void	remarks_yield_local(struct remarks *);

/* Whether no more of them are kept: nobody need work on their texts. */
bool	remarks_are_full(const struct remarks *, enum remark_level);

/* In the order of their files as they came, then by line and column. */
void	remarks_sort(struct remarks *);

/*
 * One line each: "FILE:LINE:COLUMN: error: PATH: TEXT"; control characters of
 * what it quotes are escaped.  At the end "and 12 more errors" and the like, of
 * what was not kept.
 */
void	remarks_print(FILE *, const struct remarks *);

/* "FILE:LINE:COLUMN: PATH: TEXT" of one, to be freed. */
char	*remarks_text(const struct remark *);

#endif
