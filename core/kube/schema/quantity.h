/*
 * Quantities of Kubernetes: "200Gi", "500m", "1e3", "32".
 *
 * Source: the API reference, resource.Quantity: a decimal number with or
 * without a fraction, and behind it nothing, n u m k M G T P E (powers of
 * 1000), Ki Mi Gi Ti Pi Ei (powers of 1024), or an exponent (e3, E-2).
 */
#ifndef CORE_KUBE_SCHEMA_QUANTITY_H
#define CORE_KUBE_SCHEMA_QUANTITY_H

#include <stdint.h>

#include "core/base/error.h"

/*
 * In thousandths, rounded up: "500m" is 500, "1Ki" 1,024,000.  -1,
 * ERROR_INVALID: it is not a quantity, is negative (nothing that a pod asks
 * for is), has more than 18 digits, or is more than an int64_t holds.
 */
int	quantity_parse(const char *text, int64_t *thousandths, struct error *);

/* The same in whole units, rounded up: bytes, processors. */
int	quantity_parse_whole(const char *text, int64_t *value, struct error *);

#endif
