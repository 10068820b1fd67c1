/*
 * Rendering: documents, their metadata, lists and maps in them, and what is to
 * be said of a place in the job.
 */
#ifndef CORE_KUBE_RENDER_RENDER_NODE_H
#define CORE_KUBE_RENDER_RENDER_NODE_H

#include <stdbool.h>

#include "core/kube/render/render_internal.h"

/* A new document at the end. */
struct yaml_node *render_node_document(struct render *, const char *api,
    const char *kind, struct yaml_node *metadata);

/* The job's metadata, its name with that behind it; generateName stays, unless
   the name has to be known. */
struct yaml_node *render_node_metadata(struct render *, const char *behind,
    bool known);
/* Metadata of a document beside the job, of that name, in its namespace. */
struct yaml_node *render_node_beside(struct render *, const char *name);

/* A name for what must have a fixed one: as above, "-" left out at the end of
   a generateName.  To be freed. */
char *render_node_name(const struct render *, const char *behind);
/* "" for the only instance of the job, else "-1"; to be freed. */
char *render_node_number(const struct render *, int instance);
/* The place of the field that says how many workers there are. */
const char *render_node_workers(const struct render *);

/* The list or the map there, made at the end where there is none. */
struct yaml_node *render_node_list(struct render *, struct yaml_node *map,
    const char *key);
struct yaml_node *render_node_map(struct render *, struct yaml_node *map,
    const char *key);
/* A new map at the end of the list, with that name. */
struct yaml_node *render_node_named(struct render *, struct yaml_node *list,
    const char *name);
/* Add the words, up to a NULL, to the list. */
void render_node_words(struct render *, struct yaml_node *list,
    const char *const *words);

/*
 * A remark on a place in the job's object, its keys with '/' between; NULL: the
 * node is what stands there.  _refuse: the same as what ends the work, -1,
 * ERROR_INVALID.
 */
void render_node_remark(struct render *, enum remark_level,
    const struct yaml_node *, const char *path, const char *, ...)
    __attribute__((format(printf, 5, 6)));
int render_node_refuse(const struct render *, const struct yaml_node *,
    const char *path, struct error *, const char *, ...)
    __attribute__((format(printf, 5, 6)));

#endif
