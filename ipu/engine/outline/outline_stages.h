/*
 * The member "stages" of an outline's document: operations and parameters.
 */
#ifndef IPU_ENGINE_OUTLINE_OUTLINE_STAGES_H
#define IPU_ENGINE_OUTLINE_OUTLINE_STAGES_H

#include <yyjson.h>

#include "core/base/error.h"
#include "ipu/engine/outline.h"

/* Bytes of a tensor, 1 TiB: sums of all that is read still fit a size_t. */
#define OUTLINE_STAGES_BYTES_MAX	1099511627776.0

/*
 * Read them into the outline, whose other members have been read.  -1: refused,
 * and what was read belongs to the outline.
 */
int	outline_stages_read(struct outline *, yyjson_val *stages,
	    struct error *);

/* What a micro-batch takes at most: flop and bytes, weighed as cycles are. */
double	outline_stages_work(const struct outline *);

#endif
