/*
 * The parts of a container's plan (container_plan.h): its environment, with
 * $(NAME) in it, its volumes and their files, and what they take from
 * ConfigMaps, Secrets and the pod itself.
 */
#ifndef CORE_KUBE_RUNTIME_CONTAINER_INTERNAL_H
#define CORE_KUBE_RUNTIME_CONTAINER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/strvec.h"
#include "core/kube/runtime/runtime.h"

enum {
	/* Of a container; more are refused. */
	POD_VARIABLES_MAX = 4096,
	POD_MOUNTS_MAX = 1024,
	POD_FILES_MAX = 4096,
	POD_TEXT_MAX = 128 * 1024 - 1 /* an argument, NAME=VALUE: execve(2) */
};

/* Fills the plan's environment.  `place` is how messages
   call the container: "containers[0]". */
int container_env_make(const struct yaml_node *pod,
    const struct yaml_node *container, const char *place,
    const struct pod_host *, struct container_plan *, struct error *);

/*
 * Returns the text, to be freed, with each $(NAME) replaced by the variable's
 * value, which is not looked into again; "$$" is a '$' that begins no
 * reference.  Unknown names stay as they are, and are added to `unknown`, which
 * may be NULL.  NULL: it is too long.
 *
 * Source: the API reference of Kubernetes, Container.command and EnvVar.value.
 */
char *container_env_expand(const struct strvec *environment, const char *text,
    struct strvec *unknown, struct error *);

/* Fills the plan's volumes and files.  The plan has its environment, for a
   subPathExpr. */
int container_volumes_make(const struct yaml_node *pod,
    const struct yaml_node *container, const char *place,
    const struct pod_host *, struct container_plan *, struct error *);

/* Adds the files of the volume, an item of spec.volumes of that name, to the
   plan; none where it is of another kind.  -1: "secret hf-token not found". */
int container_files_add(const struct yaml_node *pod, const struct pod_host *,
    const struct yaml_node *volume, const char *name, struct container_plan *,
    struct error *);

/* Whether the plan has a file of that path, "volumes/NAME/PATH". */
bool container_files_have(const struct container_plan *, const char *path);

enum { POD_KEYS_MAX = 4096 }; /* of an object: more is refused */

/* A ConfigMap or a Secret that a pod refers to; texts are the object's. */
struct pod_data {
	enum pod_reference kind;
	const char *name;
	const struct yaml_node *plain; /* of a ConfigMap data, of a Secret
					  stringData; or NULL */
	const struct yaml_node *coded; /* in base64: binaryData, data */
};

struct pod_entry {
	const char *key;
	const struct yaml_node *value;
	bool is_coded;
};

/* Finds the object that a reference, such as a secretKeyRef, names in its field
   `field` ("name", "secretName").  A missing one with "optional: true" has no
   keys; else -1, "secret hf-token not found" (ERROR_NOT_FOUND). */
int pod_data_find(const struct pod_host *, enum pod_reference,
    const struct yaml_node *reference, const char *field, struct pod_data *,
    struct error *);

/* Its keys one by one, from *i = 0 on; false: that was all.  A key of
   stringData hides the same one of data. */
bool pod_data_next(const struct pod_data *, size_t *i, struct pod_entry *);

/* One key of it.  -1: "secret hf-token has no key token (did you mean TOKEN?)",
   ERROR_NOT_FOUND. */
int pod_data_get(const struct pod_data *, const char *key, struct pod_entry *,
    struct error *);

/* The bytes of an entry, with a NUL at their end, to be freed.  NULL: base64
   was expected. */
char *pod_data_bytes(const struct pod_data *, const struct pod_entry *,
    size_t *size, struct error *);

/* Whether the reference has "optional: true"; and "configmap" or "secret". */
bool pod_data_is_optional(const struct yaml_node *reference);
const char *pod_data_word(const struct pod_data *);

/* The text of a fieldRef, to be freed: "" of what the pod does not have, as a
   label.  All labels, and all annotations, are a line KEY="VALUE" each, in the
   order of their keys.  NULL: the field does not exist there. */
char *pod_field_text(const struct yaml_node *pod, const struct pod_host *,
    const struct yaml_node *reference, enum pod_field_use, struct error *);

/*
 * The number of a resourceFieldRef as text, to be freed: the limit or request
 * of the container that it names, else of the given one, in units of the
 * divisor and rounded up.  A missing limit is what the host has, a missing
 * request is the limit, else 0.
 */
char *pod_field_resource(const struct yaml_node *pod,
    const struct yaml_node *container, const struct pod_host *,
    const struct yaml_node *reference, enum pod_field_use, struct error *);

#endif
