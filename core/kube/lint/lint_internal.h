/*
 * Shared by the files of lint.h: the place that is being checked in an object,
 * its remarks, and the rules.
 */
#ifndef CORE_KUBE_LINT_LINT_INTERNAL_H
#define CORE_KUBE_LINT_LINT_INTERNAL_H

#include "core/kube/runtime/runtime.h"

enum {
	LINT_PATH_SIZE = 240, /* longer ones are truncated in messages */
	LINT_ITEMS_MAX = 1000 /* of a list; a longer list is refused, and its
				 rest is not checked */
};

/* A check of one object. */
struct lint {
	const struct manifest *others; /* it may refer to them; or NULL */
	const struct manifest_object *object;
	struct remarks *out;
};

struct lint_at {
	const struct yaml_node *node; /* NULL: missing or null */
	const struct yaml_node *near; /* `node`, or its nearest parent */
	char path[LINT_PATH_SIZE];
};

/* Return the place of the whole object. */
struct lint_at lint_at_object(const struct lint *);

/* Return the place under a key (or several, with '/' between), of a list's
   item, or of an item of a map with arbitrary keys.  The index must be
   valid. */
struct lint_at lint_at_get(const struct lint_at *, const char *keys);
struct lint_at lint_at_item(const struct lint_at *, size_t index);
struct lint_at lint_at_key(const struct lint_at *, size_t index);

/* _count: items of a list, at most LINT_ITEMS_MAX.  _keys: items of a map.
   Both return 0 for a node of another kind. */
size_t lint_at_count(const struct lint_at *);
size_t lint_at_keys(const struct lint_at *);

/* Return the text there; NULL: missing, or not a text. */
const char *lint_at_text(const struct lint_at *);
/* Return the text under the keys in the same way. */
const char *lint_at_get_text(const struct lint_at *, const char *keys);

/* Add a remark on the place.  _refuse: an error that only this host makes. */
void lint_at_remark(const struct lint *, const struct lint_at *,
    enum remark_level, const char *, ...) __attribute__((format(printf, 4, 5)));
#define lint_at_error(l, at, ...) \
	lint_at_remark(l, at, REMARK_ERROR, __VA_ARGS__)
#define lint_at_refuse(l, at, ...) \
	(lint_at_error(l, at, __VA_ARGS__), remarks_mark_local((l)->out))
#define lint_at_warn(l, at, ...) \
	lint_at_remark(l, at, REMARK_WARNING, __VA_ARGS__)
#define lint_at_note(l, at, ...) lint_at_remark(l, at, REMARK_NOTE, __VA_ARGS__)

/* _label: a text must be a DNS label.  _integer: an integer must lie from
   `least` to `most`, a limit of this host if only_here.  Both ignore nodes of
   other kinds. */
void lint_at_check_label(const struct lint *, const struct lint_at *);
void lint_at_check_integer(const struct lint *, const struct lint_at *,
    int least, int most, bool only_here);

/* Whether an earlier item of the list has the same text under the key. */
bool lint_at_is_duplicate(const struct lint_at *list, size_t index,
    const char *key);

/* Numbers of an IPUJob that the rules of pods need; 0: missing or invalid. */
struct lint_numbers {
	int ipus; /* of a job instance */
	int workers;
	int model_replicas; /* of a worker */
	bool has_launcher;
};

/* _job: check an IPUJob except for its pods, and fill in its valid numbers.
   _pod: check its pod template and its launcher with these numbers. */
void lint_job_check(const struct lint *, struct lint_numbers *);
void lint_pod_check(const struct lint *, const struct lint_numbers *);

/* Check a container of a pod with that spec. */
void lint_container_check(const struct lint *, const struct lint_at *pod,
    const struct lint_at *container);

/* Check a launcher's list of EnvVar, which belongs to no container. */
void lint_container_env(const struct lint *, const struct lint_at *env);

/* _field: check the target of a fieldRef.  _resource: check that of a
   resourceFieldRef.  `pod` is the spec of the pod that has its container; NULL:
   the container's name is not looked up. */
void lint_container_field(const struct lint *, const struct lint_at *ref,
    enum pod_field_use);
void lint_container_resource(const struct lint *, const struct lint_at *ref,
    const struct lint_at *pod, enum pod_field_use);

/* Check a reference by name (under `name_key`) to an object of a kind.  A
   missing or invalid name is an error.  Warn if the object is not among the
   others, unless the reference has "optional: true"; a claim gets only a note
   unless another claim has a similar name. */
void lint_reference_check(const struct lint *, const struct lint_at *ref,
    enum manifest_kind, const char *name_key);

/* Check that the referenced object has that key, if the object is among the
   others and the reference does not have "optional: true". */
void lint_reference_key(const struct lint *, const struct lint_at *ref,
    enum manifest_kind, const char *name_key, const struct lint_at *key);

/* Check the keys and the data of a ConfigMap or a Secret. */
void lint_reference_data(const struct lint *);

#endif
