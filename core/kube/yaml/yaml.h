/*
 * YAML documents as trees of nodes that know their place in the text, and trees
 * made by the program.  libyaml reads the bytes; plain scalars are resolved
 * like kubectl does (YAML 1.1: 012, 1_000, yes, ~).
 *
 * All nodes belong to one arena and are freed with it.  An alias is the node of
 * its anchor, so a node may appear in a tree more than once.  No tree contains
 * itself, and its size with all aliases expanded is limited.
 */
#ifndef CORE_KUBE_YAML_YAML_H
#define CORE_KUBE_YAML_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/error.h"

enum {
	YAML_BYTES_MAX = 4 * 1024 * 1024, /* of a text */
	YAML_NODES_MAX = 200000,	  /* with all aliases expanded */
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
	int line;		 /* from 1; 0: made by the program */
	int column;		 /* from 1, in characters */
	const char *text;	 /* of a scalar, unquoted; UTF-8, no NUL */
	int64_t integer;	 /* of YAML_BOOL (0, 1), YAML_INTEGER */
	double real;		 /* of YAML_REAL, YAML_INTEGER */
	struct yaml_item *items; /* of a list or a map, in their order */
	size_t count;
	size_t room; /* private to yaml.c */
};

/* A map's keys are unique texts; a list's items have none. */
struct yaml_item {
	const char *key; /* NULL in a list */
	int line;	 /* of the key */
	int column;
	int hidden_line; /* line of an earlier equal key, or 0 */
	struct yaml_node *node;
};

struct yaml_arena *yaml_arena_new(void);
void yaml_arena_free(struct yaml_arena *); /* NULL: fine */

/* Parse all documents of a text; messages call it `name`.  Empty documents are
   skipped.  JSON is accepted too, one document after the other.  Returns their
   number, with *out in the arena, or -1 and "NAME:LINE:COLUMN: ..."
   (ERROR_INVALID).  Refused are: invalid YAML; a key that is null, a list or a
   map (1 and yes become texts as written); an alias without an anchor or inside
   it; an unknown tag; and a text over the limits.  The later of two equal keys
   counts.  A merge ("<<") is resolved; the map's own keys win. */
long yaml_parse(struct yaml_arena *, const char *name, const char *text,
    size_t size, struct yaml_node ***out, struct error *);

/* Create nodes; a text is copied, with U+FFFD for invalid UTF-8. */
struct yaml_node *yaml_new_map(struct yaml_arena *);
struct yaml_node *yaml_new_list(struct yaml_arena *);
struct yaml_node *yaml_new_text(struct yaml_arena *, const char *);
struct yaml_node *yaml_new_integer(struct yaml_arena *, int64_t);
struct yaml_node *yaml_new_bool(struct yaml_arena *, bool);

/* Put the node itself into a map, replacing that of an equal key; return the
   node.  The key is copied. */
struct yaml_node *yaml_set(struct yaml_arena *, struct yaml_node *map,
    const char *key, struct yaml_node *);
/* _text, _integer, _bool: do the same with a new node; a NULL text changes
   nothing. */
void yaml_set_text(struct yaml_arena *, struct yaml_node *map, const char *key,
    const char *text);
void yaml_set_integer(struct yaml_arena *, struct yaml_node *map,
    const char *key, int64_t);
void yaml_set_bool(struct yaml_arena *, struct yaml_node *map, const char *key,
    bool);
void yaml_unset(struct yaml_node *map, const char *key);
void yaml_add(struct yaml_arena *, struct yaml_node *list, struct yaml_node *);

/* Return a deep copy, in which each alias is a node of its own. */
struct yaml_node *yaml_copy(struct yaml_arena *, const struct yaml_node *);
/* Sort the keys of all its maps, as kubectl prints them. */
void yaml_sort(struct yaml_node *);

/* Return the node under that key; NULL: missing, or the node is NULL or not a
   map.  _path: follow several keys, with '/' between. */
struct yaml_node *yaml_get(const struct yaml_node *, const char *key);
struct yaml_node *yaml_path(const struct yaml_node *, const char *path);
/* Replace each '/' in such a path by '.', for messages; return the path. */
char *yaml_dotted(char *path);
/* Return the text of the scalar at the path; NULL: missing, null, a list or a
   map. */
const char *yaml_get_text(const struct yaml_node *, const char *path);
/* Return the list's item that has that text under the path, or NULL. */
struct yaml_node *yaml_find(const struct yaml_node *list, const char *path,
    const char *text);
/* Return the number (also a whole real: 1e3) or the boolean at the path;
   `otherwise` if it is missing or of another kind. */
int64_t yaml_get_integer(const struct yaml_node *, const char *path,
    int64_t otherwise);
bool yaml_get_bool(const struct yaml_node *, const char *path, bool otherwise);

/* Whether both mean the same: 1 is 1.0, and the order of keys is ignored. */
bool yaml_equal(const struct yaml_node *, const struct yaml_node *);

/* Print a tree like kubectl: block style, two spaces per level and none before
   the "-" of a list, a text of several lines as a block ("|"), a text that
   would be read as something else in quotes.  Unlike kubectl's, lines are never
   folded.  The output reads back equal (yaml_equal()) within the limits of
   yaml_parse().  The caller prints "---" between documents. */
void yaml_write(FILE *, const struct yaml_node *);

/* Print JSON like kubectl: four spaces per level, and a final newline.  The
   reals .inf and .nan, which JSON lacks, become null. */
void yaml_write_json(FILE *, const struct yaml_node *);

/* Print JSON on one line without a newline, for files of lines. */
void yaml_write_json_line(FILE *, const struct yaml_node *);

#endif
