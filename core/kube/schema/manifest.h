/*
 * Manifests: the objects in the files that a user names.
 */
#ifndef CORE_KUBE_SCHEMA_MANIFEST_H
#define CORE_KUBE_SCHEMA_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/kube/yaml/yaml.h"

enum {
	MANIFEST_OBJECTS_MAX = 1000 /* of all files together */
};

enum manifest_kind {
	MANIFEST_IPUJOB,
	MANIFEST_CONFIG_MAP,
	MANIFEST_SECRET,
	MANIFEST_CLAIM,	    /* PersistentVolumeClaim */
	MANIFEST_SERVICE,   /* accepted, without effect here */
	MANIFEST_NAMESPACE, /* as well */
	MANIFEST_UNKNOWN    /* lint.h says which of these may be left out */
};

/* Of one object: everything is its manifest's. */
struct manifest_object {
	enum manifest_kind kind;
	const char *kind_text;	 /* as it stands there, or "" */
	const char *api_version; /* the same */
	const char *file;
	const char *name;	   /* NULL: it has none, or that is no text */
	const char *generate_name; /* the same */
	const char *space;	   /* metadata.namespace, NULL */
	const char *resource;	   /* "ipujob.graphcore.ai", "configmap": as
				      messages and -o name call the kind */
	struct yaml_node *node;	   /* the whole object, a map; no other
				      object's */
};

struct manifest {
	struct yaml_arena *arena;
	struct manifest_object *objects;
	size_t count;
	size_t room;
};

/* An empty one; release frees all that belongs to it. */
void manifest_init(struct manifest *);
void manifest_release(struct manifest *);

/*
 * Adds the objects of a file, of each *.yaml, *.yml and *.json file of a
 * directory (and of those below it) in the order of their names, or of standard
 * input ("-").  The items of a List, an IPUJobList and the like are objects of
 * their own.  -1: a file is unreadable, is not YAML, or is not an object
 * (ERROR_INVALID): "FILE:LINE:COLUMN: reason", and what may have happened to
 * the text.
 */
int manifest_read(struct manifest *, const char *path, bool recursive,
    struct error *);

/* The same from a text; `file` stands in messages. */
int manifest_parse(struct manifest *, const char *file, const char *text,
    size_t size, struct error *);

/* Puts the defaults of the CRD into an IPUJob, as the operator's webhook does:
   cleanPodPolicy, restartPolicy with its type and backOffLimit,
   workers.replicas.  Existing fields stay, also of a wrong type. */
void manifest_set_defaults(struct manifest *, struct manifest_object *);

/* The first object of a kind, with that name, in a namespace, or NULL.  An
   object without a namespace is in every one. */
const struct manifest_object *manifest_find(const struct manifest *,
    enum manifest_kind, const char *name, const char *space);

#endif
