/*
 * Names of Kubernetes: of objects, containers, volumes, namespaces.
 *
 * Source: the Kubernetes documentation, Object Names and IDs (RFC 1123).
 */
#ifndef CORE_KUBE_SCHEMA_DNS_NAME_H
#define CORE_KUBE_SCHEMA_DNS_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

enum {
	DNS_LABEL_MAX = 63,		/* of a container, volume, namespace */
	DNS_SUBDOMAIN_MAX = 253		/* of most objects: labels, and dots
					   between them */
};

/*
 * Whether it is a label, or a subdomain, of at most `max` characters.  -1,
 * ERROR_INVALID: "'Bert_1': must be ... (did you mean bert-1?)".
 */
int	dns_name_check_label(const char *name, size_t max, struct error *);
int	dns_name_check_subdomain(const char *name, size_t max, struct error *);

/*
 * Whether it can be the name of a variable: letters, digits, '_', '-' and '.',
 * and no digit first; or a key of a ConfigMap or Secret, which becomes the name
 * of a file: letters, digits, '-', '_' and '.'.
 *
 * Source: k8s.io/apimachinery, IsEnvVarName, IsConfigMapKey.
 */
bool	dns_name_is_variable(const char *name);
bool	dns_name_is_key(const char *key);

/*
 * Returns whether a text can be the value of a label, or the name in its key: 1
 * to 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends.
 *
 * Source: k8s.io/apimachinery, IsValidLabelValue.
 */
bool	dns_name_is_label_text(const char *text);

#endif
