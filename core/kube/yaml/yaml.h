/*
 * YAML documents as trees of nodes that know where they stand in the text, and
 * trees that are made here.  libyaml reads the bytes; what a plain scalar is,
 * is decided as kubectl decides it (YAML 1.1: 012, 1_000, yes, ~).
 *
 * All nodes belong to one arena and are freed with it.  An alias is the node of
 * its anchor, so a node may stand in a tree more than once; no tree has itself
 * in it, and its size with all aliases written out is limited.
 */
#ifndef CORE_KUBE_YAML_YAML_H
#define CORE_KUBE_YAML_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/error.h"

enum {
	YAML_BYTES_MAX = 4 * 1024 * 1024,    /* of a text */
	YAML_NODES_MAX = 200000,	     /* with all aliases written out */
	YAML_TEXTS_MAX = 2 * YAML_BYTES_MAX, /* bytes of texts; the same */
	YAML_DEPTH_MAX = 100
};

enum yaml_kind {
	YAML_NULL,
	YAML_BOOL,
	YAML_INTEGER,
	YAML_REAL,
	YAML_TEXT,
	YAML_LIST,
	YAML_MAP
};

struct yaml_arena;

struct yaml_node {
	enum yaml_kind kind;
	int line;		 /* from 1; 0: made here */
	int column;		 /* from 1, in characters */
	const char *text;	 /* of a scalar, as it stands there without its
				    quotes; UTF-8, no NUL */
	int64_t integer;	 /* of YAML_BOOL (0, 1), YAML_INTEGER */
	double real;		 /* of YAML_REAL, YAML_INTEGER */
	struct yaml_item *items; /* of a list, a map; in their order */
	size_t count;
	size_t room; /* yaml.c's own */
};

/* A map's keys are texts, each once; a list's items have none. */
struct yaml_item {
	const char *key; /* NULL in a list */
	int line;	 /* of the key */
	int column;
	int hidden_line; /* of the same key before, or 0 */
	struct yaml_node *node;
};

struct yaml_arena *yaml_arena_new(void);
void yaml_arena_free(struct yaml_arena *); /* NULL: fine */

/*
 * The documents of a text, `name` of which stands in messages; documents with
 * nothing in them are left out.  JSON is read as well, one document behind the
 * other.  Their number, and *out, which is the arena's; or -1 and the reason,
 * "NAME:LINE:COLUMN: ..." (ERROR_INVALID): what is not YAML, a key that is
 * null, a list or a map (1 and yes are the texts that they are written as), an
 * alias without an anchor or to what it stands in, an unknown tag, and what is
 * over the limits.  The later one of two equal keys counts.  A merge ("<<") is
 * done as it is read; what the map has itself counts.
 */
long yaml_parse(struct yaml_arena *, const char *name, const char *text,
    size_t size, struct yaml_node ***out, struct error *);

/* New nodes; a text is copied, with U+FFFD for what is not UTF-8 in it. */
struct yaml_node *yaml_new_map(struct yaml_arena *);
struct yaml_node *yaml_new_list(struct yaml_arena *);
struct yaml_node *yaml_new_text(struct yaml_arena *, const char *);
struct yaml_node *yaml_new_integer(struct yaml_arena *, int64_t);
struct yaml_node *yaml_new_bool(struct yaml_arena *, bool);

/* Put a node into a map, in the place of what has that key; return the node. */
struct yaml_node *yaml_set(struct yaml_arena *, struct yaml_node *map,
    const char *key, struct yaml_node *);
/* The same with a new node; a text that is NULL is left out. */
void yaml_set_text(struct yaml_arena *, struct yaml_node *map, const char *key,
    const char *text);
void yaml_set_integer(struct yaml_arena *, struct yaml_node *map,
    const char *key, int64_t);
void yaml_set_bool(struct yaml_arena *, struct yaml_node *map, const char *key,
    bool);
void yaml_unset(struct yaml_node *map, const char *key);
void yaml_add(struct yaml_arena *, struct yaml_node *list, struct yaml_node *);

/* A copy whose lists and maps can be changed without the original. */
struct yaml_node *yaml_copy(struct yaml_arena *, const struct yaml_node *);
/* Bring the keys of all its maps into order, as kubectl prints them. */
void yaml_sort(struct yaml_node *);

/* What a map has under that key, NULL: nothing, or the node is NULL or not a
   map.  _path: the same through several maps, with a '/' between the keys. */
struct yaml_node *yaml_get(const struct yaml_node *, const char *key);
struct yaml_node *yaml_path(const struct yaml_node *, const char *path);
/* Such a path as messages have it, with a '.' between the keys. */
char *yaml_dotted(char *path);
/* The text of the scalar there; NULL: there is none, or it is null. */
const char *yaml_get_text(const struct yaml_node *, const char *path);
/* The item of a list whose scalar under that path has that text, or NULL. */
struct yaml_node *yaml_find(const struct yaml_node *list, const char *path,
    const char *text);
/* The number, or yes or no, there; else what is given. */
int64_t yaml_get_integer(const struct yaml_node *, const char *path,
    int64_t otherwise);
bool yaml_get_bool(const struct yaml_node *, const char *path, bool otherwise);

/* Whether both say the same: 1 and 1.0 do, and the order of keys is nothing. */
bool yaml_equal(const struct yaml_node *, const struct yaml_node *);

/*
 * Prints a tree as kubectl does: block style, two spaces per level and none
 * before the "-" of a list, a text of several lines as a block ("|"), a text
 * that would be read as something else in quotes; but no line is folded.  What
 * is printed reads back equal (yaml_equal()), if it is within the limits of
 * yaml_parse().  Several documents have "---" between them, which the
 * caller prints.
 */
void yaml_write(FILE *, const struct yaml_node *);

/*
 * As kubectl prints JSON: four spaces per level, and a newline at the end.  The
 * reals that JSON has not, .inf and .nan, become null.
 */
void yaml_write_json(FILE *, const struct yaml_node *);

/* The same on one line, without a newline: what is kept in a file of lines. */
void yaml_write_json_line(FILE *, const struct yaml_node *);

#endif
