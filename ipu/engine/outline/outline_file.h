/*
 * Reads an outline from its JSON document (ipubox-link(7)).
 */
#ifndef IPU_ENGINE_OUTLINE_OUTLINE_FILE_H
#define IPU_ENGINE_OUTLINE_OUTLINE_FILE_H

#include "ipu/engine/outline.h"

enum {
	OUTLINE_FILE_STEPS_MAX = 400000 /* steps of the schedule, or measured
					   steps */
};

/*
 * Parse the document.  Refuses, with the place in it: invalid JSON; a missing
 * or unknown member; a wrong type or value; and, in PopTorch's words, a
 * schedule that cannot run.  The caller frees the outline with
 * outline_release(), also after -1.  The text may be freed at once.  Do not
 * move or copy the outline: its configuration points to it.
 */
int outline_file_parse(struct outline *, const char *text, size_t size,
    struct error *);

#endif
