/*
 * What a ConfigMap or a Secret that a pod refers to holds.
 *
 * Source: the API reference of Kubernetes, ConfigMap, Secret, SecretKeySelector
 * and its kin.
 */
#ifndef CORE_KUBE_RUNTIME_POD_DATA_H
#define CORE_KUBE_RUNTIME_POD_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/kube/runtime/container_plan.h"
#include "core/kube/yaml/yaml.h"

enum { POD_KEYS_MAX = 4096 };	/* of an object: more is refused */

/* Texts are the object's. */
struct pod_data {
	enum pod_reference	 kind;
	const char		*name;
	const struct yaml_node	*plain;	/* of a ConfigMap data, of a Secret
					   stringData; or NULL */
	const struct yaml_node	*coded;	/* in base64: binaryData, data */
};

/* One of its keys. */
struct pod_entry {
	const char		*key;
	const struct yaml_node	*value;
	bool			 is_coded;
};

/*
 * The object that a reference names, such as a secretKeyRef, in its field
 * `field` ("name", "secretName").  Without keys where it has "optional: true"
 * and is not there; else -1, "secret hf-token not found" (ERROR_NOT_FOUND).
 */
int	pod_data_find(const struct pod_host *, enum pod_reference,
	    const struct yaml_node *reference, const char *field,
	    struct pod_data *, struct error *);

/*
 * The keys one by one, from *i = 0 on; false: that was all.  What stringData
 * has counts, and not what data has under the same key.
 */
bool	pod_data_next(const struct pod_data *, size_t *i,
	    struct pod_entry *);

/*
 * One key of it.  -1: "secret hf-token has no key token (did you mean
 * TOKEN?)", ERROR_NOT_FOUND.
 */
int	pod_data_get(const struct pod_data *, const char *key,
	    struct pod_entry *, struct error *);

/*
 * The bytes of an entry, with a NUL behind them; the caller frees them.  NULL:
 * what is to be base64 is not.
 */
char	*pod_data_bytes(const struct pod_data *, const struct pod_entry *,
	    size_t *size, struct error *);

/*
 * Put "(6 bytes)" in place of each value of the Secret, all under data, and
 * drop the annotation in which kubectl keeps a copy of the manifest.  What is
 * printed of it later cannot be taken for the Secret: "(" is not base64.
 */
void	pod_data_hide(struct yaml_arena *, struct yaml_node *secret);

/* Whether the reference, such as a secretKeyRef, has "optional: true". */
bool	pod_data_is_optional(const struct yaml_node *reference);

/* "configmap", "secret" */
const char	*pod_data_word(const struct pod_data *);

#endif
