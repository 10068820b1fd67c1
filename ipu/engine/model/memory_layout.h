/*
 * Builds a memory: spreads tensors over the tiles of their IPU, then the code.
 * memory.c (our own layers) and memory_outline.c decide what to add.
 */
#ifndef IPU_ENGINE_MODEL_MEMORY_LAYOUT_H
#define IPU_ENGINE_MODEL_MEMORY_LAYOUT_H

#include "ipu/engine/model/memory.h"
#include "ipu/engine/model/operation_cost.h"

/* The code of an IPU's program, in bytes on each tile. */
struct memory_code {
	/* Present once, however many operations use them. */
	size_t vertices[OPERATION_CLASSES][OPERATION_PHASES];
	size_t update;
	size_t control; /* control and exchange code */
};

struct memory_layout {
	struct memory *m;
	const struct engine_config *c;
	struct schedule_config schedule;
	int *next_tile;		   /* by IPU: where the next tensor begins */
	struct memory_code *codes; /* one per IPU */
	int room;		   /* capacity of m->tensors */
};

/* Begin a memory with the IPUs of that configuration, which must outlive the
   layout, up to the highest that has a stage.  memory_layout_end() sorts the
   tensors, finds the fullest tiles and frees the layout, but not the memory. */
void memory_layout_begin(struct memory_layout *, struct memory *,
    const struct engine_config *, const struct memory_target *);
void memory_layout_end(struct memory_layout *);

/* Add a tensor of `copies` times `bytes` (0: none) on the next tiles. */
void memory_layout_add(struct memory_layout *, int ipu, enum memory_kind,
    int copies, size_t bytes, const char *name, ...)
    __attribute__((format(printf, 6, 7)));

/* Add the code of an operation in that phase; none if it has no compute set. */
void memory_layout_add_code(struct memory_layout *, int ipu,
    enum operation_phase, const struct operation_cost *);
/* Add the code of the update. */
void memory_layout_add_update(struct memory_layout *, int ipu,
    const struct operation_cost *);
/* Add the code of `count` copies to another IPU or the host. */
void memory_layout_add_copies(struct memory_layout *, int ipu, int count);
/* Add the code of each IPU with a stage as a tensor.  Everything else must have
   been added. */
void memory_layout_place_code(struct memory_layout *);

/* The parts of a stage that our own layers and outlines share: parameters and
   their state, tensors kept for backward, both ends, the streams. */

struct memory_stage {
	struct memory_layout *layout;
	int stage, ipu;
	bool last;
};

struct memory_parameter {
	const char *name;
	size_t bytes;
	size_t gradient_bytes;
	size_t state_bytes; /* of each state */
	int states;
};

/* Return that stage of the layout's configuration. */
struct memory_stage memory_stage(struct memory_layout *, int stage);

/* Add a parameter and, in training, its gradient and the optimiser's state. */
void memory_stage_add_parameter(const struct memory_stage *,
    const struct memory_parameter *);

/* Add a tensor that backward needs of a micro-batch: the stage's input, or
   (`inner`) one that an operation keeps and recomputation makes again.  A
   tensor that is not stashed counts as an activation. */
void memory_stage_add_kept(const struct memory_stage *, bool inner,
    size_t bytes, const char *name);

/* Add the output, `out` bytes of the operation `end`.  In training add its
   gradient, and except in stage 0 that of the input, `in` bytes of `first`. */
void memory_stage_add_ends(const struct memory_stage *, const char *first,
    size_t in, const char *end, size_t out);

/* Add the buffers of a micro-batch to and from the host, in the stages that
   have them, and a buffer for `state` bytes of an off-loaded optimiser. */
void memory_stage_add_streams(const struct memory_stage *, size_t in,
    size_t labels, size_t results, size_t state);

/* Add the tensors and the code of an outline's stage. */
void memory_outline_add(struct memory_layout *, const struct outline *,
    int stage);
/* Add a note for each unknown kind of operation. */
void memory_outline_note(struct memory *, const struct outline *);

#endif
