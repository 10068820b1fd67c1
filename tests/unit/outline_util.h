/*
 * An engine's configuration described as somebody would who computes the same
 * model elsewhere: the document of an outline.
 */
#ifndef TESTS_UNIT_OUTLINE_UTIL_H
#define TESTS_UNIT_OUTLINE_UTIL_H

#include "ipu/engine/engine.h"

/*
 * The document, with `more` behind its first member; the caller frees it.  The
 * model is one of ours.
 */
char *outline_util_text(const struct engine_config *, const char *more);

/* The outline of it, which has to be taken; released by the caller. */
void outline_util_read(struct outline *, const char *text);

#endif
