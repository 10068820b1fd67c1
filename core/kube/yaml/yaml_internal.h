/*
 * The memory of YAML trees, and the two readers of texts, by libyaml's events
 * and for JSON.  Who uses trees needs yaml.h alone.
 */
#ifndef CORE_KUBE_YAML_YAML_INTERNAL_H
#define CORE_KUBE_YAML_YAML_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include <yaml.h>

#include "core/base/error.h"
#include "core/kube/yaml/yaml.h"

struct yaml_block;

struct yaml_arena {
	struct yaml_block	*newest;
};

/* A text that is being read, and how much of the limits it has used. */
struct yaml_reading {
	struct yaml_arena	*arena;
	const char		*name;
	const char		*text;
	size_t			 size;
	size_t			 nodes;	/* with all aliases written out */
	size_t			 bytes;	/* of texts and keys; the same */
	struct yaml_node	**documents;	/* the arena's */
	size_t			 count;
	size_t			 room;
	struct error		*error;
};

/* Zeroed memory of the arena, aligned for everything. */
void	*yaml_tree_alloc(struct yaml_arena *, size_t);

/* Free all memory of the arena, and not the struct. */
void	 yaml_tree_release(struct yaml_arena *);

/* A copy of so many bytes with a NUL behind them. */
const char	*yaml_tree_text(struct yaml_arena *, const char *,
		    size_t length);

/* A node without anything in it. */
struct yaml_node	*yaml_tree_node(struct yaml_arena *, enum yaml_kind,
			    int line, int column);

/*
 * The array, or one of twice the room with the same elements: there is room
 * for one more in it.  `size` is that of an element.
 */
void	*yaml_tree_grow(struct yaml_arena *, void *array, size_t count,
	    size_t *room, size_t size);

/* The next document. */
void	 yaml_tree_add_document(struct yaml_reading *, struct yaml_node *);

/* "NAME:LINE:COLUMN: ..." with ERROR_INVALID; -1. */
int	 yaml_tree_refuse(const struct yaml_reading *, int line, int column,
	    const char *, ...) __attribute__((format(printf, 4, 5)));

/* The same for the character that begins at a byte of the text. */
int	 yaml_tree_refuse_at(const struct yaml_reading *, size_t offset,
	    const char *, ...) __attribute__((format(printf, 3, 4)));

/*
 * So many nodes and bytes more: 0, or -1 where the text would be over a limit
 * with them.
 */
int	 yaml_tree_count(struct yaml_reading *, int line, int column,
	    size_t nodes, size_t bytes);

/*
 * Make a map of the items as they were read.  One without a key is a merge: a
 * map, or a list of maps, whose keys join where the map has them not itself;
 * of several the first counts.  Of a key that stands twice the later one does.
 */
void	 yaml_tree_fill_map(struct yaml_reading *, struct yaml_node *map,
	    const struct yaml_item *items, size_t count);

/* Make a list of the items as they were read. */
void	 yaml_tree_fill_list(struct yaml_reading *, struct yaml_node *list,
	    const struct yaml_item *items, size_t count);

/*
 * Add all documents of the text, which is UTF-8 without NUL and without a byte
 * order mark; 0, or -1 and the reason, as yaml_parse().
 */
int	yaml_events_read(struct yaml_reading *);

/*
 * Whether the text is JSON, a document or several: then they are added, or
 * *status is -1 and the reason of the refusal is set.  Otherwise nothing is
 * done.
 */
bool	yaml_json_read(struct yaml_reading *, int *status);

/* Refuse the text with the error that the parser has; -1. */
int	yaml_words_refuse(const struct yaml_reading *, const yaml_parser_t *);

#endif
