/*
 * Manifests: the objects in the files that a user names.
 */
#ifndef CORE_KUBE_SCHEMA_MANIFEST_H
#define CORE_KUBE_SCHEMA_MANIFEST_H

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
	MANIFEST_NAMESPACE, /* the same */
	MANIFEST_UNKNOWN    /* see lint_find_kind() */
};

/* An object.  The manifest owns everything in it, until manifest_release(). */
struct manifest_object {
	enum manifest_kind kind;
	const char *kind_text;	 /* as written, or "" */
	const char *api_version; /* as written, or "" */
	const char *file;
	const char *name;	   /* NULL: missing or not a text */
	const char *generate_name; /* NULL: missing or not a text */
	const char *space;	   /* metadata.namespace, or NULL */
	const char *resource;	   /* kind in messages and -o name:
				      "ipujob.graphcore.ai", "configmap" */
	struct yaml_node *node;	   /* the whole object, not shared */
};

struct manifest {
	struct yaml_arena *arena;
	struct manifest_object *objects;
	size_t count;
	size_t room;
};

/* _init: make an empty manifest.  _release: free it and all its objects. */
void manifest_init(struct manifest *);
void manifest_release(struct manifest *);

/* Add the objects of a file, of standard input ("-"), or of all *.yaml, *.yml
   and *.json files in a directory (recursive: and below), sorted by name.  The
   items of a List, an IPUJobList and the like become separate objects.  -1: a
   file is unreadable; a directory has no such file (ERROR_NOT_FOUND); a file is
   not YAML, has a document that is not an object, or has too many (all
   ERROR_INVALID): "FILE:LINE:COLUMN: reason", perhaps with a likely cause.
   Objects that were added before a failure stay. */
int manifest_read(struct manifest *, const char *path, bool recursive,
    struct error *);

/* Add the objects of a text in the same way; messages name `file`. */
int manifest_parse(struct manifest *, const char *file, const char *text,
    size_t size, struct error *);

/* Set the defaults of the CRD in an IPUJob, like the operator's webhook:
   cleanPodPolicy, restartPolicy with its type and backOffLimit, and replicas of
   existing workers.  A null field counts as missing.  Other existing fields
   stay, even of a wrong type.  Objects of other kinds stay unchanged. */
void manifest_set_defaults(struct manifest *, struct manifest_object *);

/* Return the first object of a kind and name in a namespace (NULL: in any), or
   NULL.  An object without a namespace is in every one. */
const struct manifest_object *manifest_find(const struct manifest *,
    enum manifest_kind, const char *name, const char *space);

#endif
