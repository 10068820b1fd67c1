/*
 * What the files of lint.h share: a place in an object that is being checked,
 * what is to be said of it, and the rules.
 */
#ifndef CORE_KUBE_LINT_LINT_INTERNAL_H
#define CORE_KUBE_LINT_LINT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/kube/runtime/runtime.h"
#include "core/kube/schema/schema.h"
#include "core/kube/yaml/yaml.h"

enum {
	LINT_PATH_SIZE = 240, /* longer ones are cut in messages */
	LINT_ITEMS_MAX = 1000 /* of a list; more are refused, and the rules look
				 at the first ones only */
};

/* A check of one object. */
struct lint {
	const struct manifest *others; /* which it may refer to; NULL: none */
	const struct manifest_object *object;
	struct remarks *out;
};

struct lint_at {
	const struct yaml_node *node; /* NULL: there is nothing, or null */
	const struct yaml_node *near; /* it, or what is above it */
	char path[LINT_PATH_SIZE];
};

/* The object as a whole. */
struct lint_at lint_at_object(const struct lint *);

/* What is under the key; several, with '/' between; an item of a list; an item
   of a map whose keys are anybody's. */
struct lint_at lint_at_get(const struct lint_at *, const char *keys);
struct lint_at lint_at_item(const struct lint_at *, size_t index);
struct lint_at lint_at_key(const struct lint_at *, size_t index);

/* How many items a list (up to LINT_ITEMS_MAX) or a map has, or 0. */
size_t lint_at_count(const struct lint_at *);
size_t lint_at_keys(const struct lint_at *);

/* The text there, if there is one that is no number; or NULL. */
const char *lint_at_text(const struct lint_at *);
/* The same of what is under the key. */
const char *lint_at_get_text(const struct lint_at *, const char *keys);

/* Say something of the place: an error, one of what cannot be had on this host,
   a warning or a note. */
void lint_at_say(const struct lint *, const struct lint_at *, enum remark_level,
    const char *, ...) __attribute__((format(printf, 4, 5)));
#define lint_at_error(l, at, ...) lint_at_say(l, at, REMARK_ERROR, __VA_ARGS__)
#define lint_at_refuse(l, at, ...) \
	(lint_at_error(l, at, __VA_ARGS__), remarks_mark_local((l)->out))
#define lint_at_warn(l, at, ...) lint_at_say(l, at, REMARK_WARNING, __VA_ARGS__)
#define lint_at_note(l, at, ...) lint_at_say(l, at, REMARK_NOTE, __VA_ARGS__)

/* Check a text that has to be a label, and an integer that has a least and a
   highest value, of this host alone or of a cluster too. */
void lint_at_check_label(const struct lint *, const struct lint_at *);
void lint_at_check_integer(const struct lint *, const struct lint_at *,
    int least, int most, bool only_here);

/* Whether the list before item `index` has one whose text under the key is the
   same: a duplicate. */
bool lint_at_is_double(const struct lint_at *list, size_t index,
    const char *key);

/* What the rules of pods depend on; 0: not known, or not given. */
struct lint_numbers {
	int ipus; /* of a job instance */
	int workers;
	int model_replicas; /* of a worker */
	bool has_launcher;
};

/* Check an IPUJob itself, and fill in the numbers as far as they are right;
   then its pod template and its launcher. */
void lint_job_check(const struct lint *, struct lint_numbers *);
void lint_pod_check(const struct lint *, const struct lint_numbers *);

/* Check a container of a pod of that spec. */
void lint_container_check(const struct lint *, const struct lint_at *pod,
    const struct lint_at *container);

/* Check a list of EnvVar, which a launcher has as well. */
void lint_container_env(const struct lint *, const struct lint_at *env);

/* Check what a fieldRef and a resourceFieldRef refer to; `pod` is the spec of
   the pod, whose containers are named, or NULL. */
void lint_container_field(const struct lint *, const struct lint_at *ref,
    enum pod_field_use);
void lint_container_resource(const struct lint *, const struct lint_at *ref,
    const struct lint_at *pod, enum pod_field_use);

/* Check a reference to an object of a kind by the text under `name_key`, which
   may be "optional". */
void lint_reference_check(const struct lint *, const struct lint_at *ref,
    enum manifest_kind, const char *name_key);

/* Check that the object, if it is among the others, has that key. */
void lint_reference_key(const struct lint *, const struct lint_at *ref,
    enum manifest_kind, const char *name_key, const struct lint_at *key);

/* Check the keys and the data of a ConfigMap or a Secret. */
void lint_reference_data(const struct lint *);

#endif
