/*
 * The member "host" of an outline's document: what was measured.
 */
#ifndef IPU_ENGINE_OUTLINE_OUTLINE_HOST_H
#define IPU_ENGINE_OUTLINE_OUTLINE_HOST_H

#include <yyjson.h>

#include "core/base/error.h"
#include "ipu/engine/outline.h"

/*
 * Read it into the outline, whose stages and configuration have been read.
 * Refused: what outline_fields.h refuses, and a step that the schedule does not
 * have.
 */
int	outline_host_read(struct outline *, yyjson_val *host, struct error *);

#endif
