/*
 * Bytes as letters of base64 (RFC 4648, 4), as Kubernetes keeps them.
 */
#ifndef CORE_BASE_FORMATS_BASE64_H
#define CORE_BASE_FORMATS_BASE64_H

#include <stddef.h>

#include "core/base/error.h"

/*
 * The bytes of a text, with a NUL behind them, which the caller frees; line
 * breaks in it are skipped.  NULL, ERROR_INVALID: a character that is none of
 * base64, or an end that is cut.
 */
char	*base64_decode(const char *text, size_t *size, struct error *);

#endif
