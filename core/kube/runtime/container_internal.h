/*
 * The parts of a container's plan (container_plan.h): its environment with
 * $(NAME) references, its volumes and their files, and the values from
 * ConfigMaps, Secrets and the pod itself.
 */
#ifndef CORE_KUBE_RUNTIME_CONTAINER_INTERNAL_H
#define CORE_KUBE_RUNTIME_CONTAINER_INTERNAL_H

#include "core/kube/runtime/runtime.h"

enum {
	POD_TEXT_MAX = 128 * 1024 - 1 /* an argument, NAME=VALUE: execve(2) */
};

/* Fill the plan's environment, which must be empty; -1 may leave a part.
   Messages call the container `place`: "containers[0]". */
int container_env_make(const struct yaml_node *pod,
    const struct yaml_node *container, const char *place,
    const struct pod_host *, struct container_plan *, struct error *);

/* Return the text (freed by the caller) with each $(NAME) replaced by the
   variable's value, which is not expanded again.  "$$" becomes a plain '$'.
   Unknown names stay, and are added to `unknown` (may be NULL).  NULL: the
   result is too long.  Source: the API reference of Kubernetes,
   Container.command and EnvVar.value. */
char *container_env_expand(const struct strvec *environment, const char *text,
    struct strvec *unknown, struct error *);

/* Fill the plan's volumes and files.  The plan must already have its
   environment, for a subPathExpr. */
int container_volumes_make(const struct yaml_node *pod,
    const struct yaml_node *container, const char *place,
    const struct pod_host *, struct container_plan *, struct error *);

/* Add the files of a volume, an item of spec.volumes named `name`, to the plan.
   Adds none for a volume that is not made of objects or fields.  -1, as "secret
   hf-token not found": an object is missing or an item is not valid. */
int container_files_add(const struct yaml_node *pod, const struct pod_host *,
    const struct yaml_node *volume, const char *name, struct container_plan *,
    struct error *);

/* Whether the plan has a file of the path "volumes/NAME/PATH". */
bool container_files_have(const struct container_plan *, const char *path);

/* A ConfigMap or a Secret that a pod refers to; its pointers lead into the
   object. */
struct pod_data {
	enum pod_reference kind;
	const char *name;
	const struct yaml_node *plain; /* data (ConfigMap) or stringData
					  (Secret), or NULL */
	const struct yaml_node *coded; /* base64: binaryData or data */
};

struct pod_entry {
	const char *key;
	const struct yaml_node *value;
	bool is_coded;
};

/* Find the object that a reference, such as a secretKeyRef, names in `field`
   ("name", "secretName").  If the object is missing: with "optional: true" the
   result is 0, and the pod_data has zero keys; else -1, "secret hf-token not
   found" (ERROR_NOT_FOUND).  -1, ERROR_INVALID: the name is missing, or the
   object has too many keys. */
int pod_data_find(const struct pod_host *, enum pod_reference,
    const struct yaml_node *reference, const char *field, struct pod_data *,
    struct error *);

/* Get the next key, starting with *i = 0; false: no more.  A key of `plain`
   hides the same key of `coded`. */
bool pod_data_next(const struct pod_data *, size_t *i, struct pod_entry *);

/* Get one key.  -1: "secret hf-token has no key token (did you mean TOKEN?)",
   ERROR_NOT_FOUND. */
int pod_data_get(const struct pod_data *, const char *key, struct pod_entry *,
    struct error *);

/* Return the bytes of an entry, with a NUL at their end; the caller frees them.
   NULL: invalid base64. */
char *pod_data_bytes(const struct pod_data *, const struct pod_entry *,
    size_t *size, struct error *);

/* _is_optional: whether the reference has "optional: true".  _word: return
   "configmap" or "secret". */
bool pod_data_is_optional(const struct yaml_node *reference);
const char *pod_data_word(const struct pod_data *);

/* Return the text of a fieldRef, which the caller frees; "" for a missing value
   such as a label.  All labels or annotations become lines KEY="VALUE", in the
   order of their keys.  NULL: the reference names no field, or one that does
   not exist for this use. */
char *pod_field_text(const struct yaml_node *pod, const struct pod_host *,
    const struct yaml_node *reference, enum pod_field_use, struct error *);

/* Return the number of a resourceFieldRef as text, which the caller frees: the
   limit or request of the container that it names (a variable need not name
   one, and then means `container`; NULL for a file), in units of the divisor
   and rounded up.  A limit that is missing or 0 is the host's amount; a missing
   request is the limit, else 0.  NULL: the reference or an amount is not valid,
   or the container is missing. */
char *pod_field_resource(const struct yaml_node *pod,
    const struct yaml_node *container, const struct pod_host *,
    const struct yaml_node *reference, enum pod_field_use, struct error *);

#endif
