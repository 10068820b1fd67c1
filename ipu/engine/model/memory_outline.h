/*
 * The tensors of an outline's stage: what memory.c knows of our own layers, an
 * outline says of its operations.  Private to memory.c.
 */
#ifndef IPU_ENGINE_MODEL_MEMORY_OUTLINE_H
#define IPU_ENGINE_MODEL_MEMORY_OUTLINE_H

#include "ipu/engine/model/memory_layout.h"
#include "ipu/engine/outline.h"

/* Add the tensors and the code of that stage. */
void	memory_outline_add(struct memory_layout *, const struct outline *,
	    int stage);
/* Add a note for each kind of operation that is unknown here. */
void	memory_outline_note(struct memory *, const struct outline *);

#endif
