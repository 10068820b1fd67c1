/*
 * An outline from its JSON document, which ipubox-link(7) describes.
 */
#ifndef IPU_ENGINE_OUTLINE_OUTLINE_FILE_H
#define IPU_ENGINE_OUTLINE_OUTLINE_FILE_H

#include <stddef.h>

#include "core/base/error.h"
#include "ipu/engine/outline.h"

enum {
	OUTLINE_FILE_SIZE_MAX = 32 * 1024 * 1024,
	OUTLINE_FILE_STEPS_MAX = 400000 /* of the schedule, and of what was
					   measured */
};

/*
 * Refused, with the place in the document: what is not JSON, what is missing,
 * unknown, of another type or beyond its limits; and a schedule, in PopTorch's
 * words.  The caller releases the outline with outline_release(), also after a
 * refusal.
 */
int outline_file_parse(struct outline *, const char *text, size_t size,
    struct error *);

#endif
