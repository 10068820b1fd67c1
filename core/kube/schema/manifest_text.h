/*
 * What has happened to a text that is not YAML: how manifests are copied from
 * pages and made by other programs leaves its traces.
 */
#ifndef CORE_KUBE_SCHEMA_MANIFEST_TEXT_H
#define CORE_KUBE_SCHEMA_MANIFEST_TEXT_H

#include <stddef.h>

#include "core/base/error.h"

/*
 * Put behind the error why the text cannot be read and what would help, where
 * it shows one of these traces: a template of Helm, lost indentation, conflict
 * markers, a Markdown fence, no-break spaces, a shell's prompt, line numbers.
 * The code stays.
 */
void	manifest_text_explain(const char *text, size_t size, struct error *);

/* What is left in a value where something else should be put in its place:
   "; it is ..."; "" where nothing is seen. */
const char	*manifest_text_unfilled(const char *value);

#endif
