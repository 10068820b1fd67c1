/*
 * Building documents: their metadata, lists and maps, and remarks on places in
 * the job.
 */
#ifndef CORE_KUBE_RENDER_RENDER_NODE_H
#define CORE_KUBE_RENDER_RENDER_NODE_H

#include "core/kube/render/render_internal.h"

/* Append a new document. */
struct yaml_node *render_node_document(struct render *, const char *api,
    const char *kind, struct yaml_node *metadata);

/* Return new metadata: the job's labels and annotations, Kueue's label, and the
   job's name with the suffix appended.  If the job has only a generateName, the
   metadata get a generateName too; but if `known`, the name of
   render_node_name(). */
struct yaml_node *render_node_metadata(struct render *, const char *suffix,
    bool known);
/* Return metadata of that name, in the job's namespace. */
struct yaml_node *render_node_beside(struct render *, const char *name);

/* Return the job's name or generateName with the suffix appended; "-" and "."
   at the end of a generateName are dropped.  The caller frees it. */
char *render_node_name(const struct render *, const char *suffix);
/* Return "" for the only instance of a job, else "-INSTANCE"; the caller frees
   it. */
char *render_node_number(const struct render *, int instance);
/* Return the path of the field with the number of workers. */
const char *render_node_workers(const struct render *);

/* Return the list or the map under the key.  A missing node, or one of another
   kind, becomes an empty one. */
struct yaml_node *render_node_list(struct render *, struct yaml_node *map,
    const char *key);
struct yaml_node *render_node_map(struct render *, struct yaml_node *map,
    const char *key);
/* Append a new map with that name to the list. */
struct yaml_node *render_node_named(struct render *, struct yaml_node *list,
    const char *name);
/* Append the words, up to a NULL, to the list. */
void render_node_words(struct render *, struct yaml_node *list,
    const char *const *words);

/* Add a remark on a place in the job's object: the line and column of the node
   or, if it is NULL, of the one at `path`.  The path, with '/' between its
   keys, also becomes part of the message.  _refuse: set the error with the same
   place instead (ERROR_INVALID), and return -1. */
void render_node_remark(struct render *, enum remark_level,
    const struct yaml_node *, const char *path, const char *, ...)
    __attribute__((format(printf, 5, 6)));
int render_node_refuse(const struct render *, const struct yaml_node *,
    const char *path, struct error *, const char *, ...)
    __attribute__((format(printf, 5, 6)));

#endif
