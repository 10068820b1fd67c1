/*
 * The outline that another program would send for an engine's configuration.
 */
#ifndef TESTS_UNIT_OUTLINE_UTIL_H
#define TESTS_UNIT_OUTLINE_UTIL_H

#include "ipu/engine/engine.h"

/* Return our model's document, with `more` after its first member. */
char *outline_util_text(const struct engine_config *, const char *more);

/* Read the outline, which must be accepted; the caller releases it. */
void outline_util_read(struct outline *, const char *text);

#endif
