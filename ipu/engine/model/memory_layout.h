/*
 * A memory under way: tensors are added one after the other and spread over the
 * tiles of their IPU, and the code at last.  What there is to add is the
 * business of memory.c, for our own layers, and of memory_outline.c.
 */
#ifndef IPU_ENGINE_MODEL_MEMORY_LAYOUT_H
#define IPU_ENGINE_MODEL_MEMORY_LAYOUT_H

#include <stdbool.h>

#include "ipu/engine/model/memory.h"
#include "ipu/engine/model/operation_cost.h"

/* What an IPU's program comes to, on each tile. */
struct memory_code {
	/* There once, however many operations use them. */
	size_t vertices[OPERATION_CLASSES][OPERATION_PHASES];
	size_t update;
	size_t control; /* and exchange */
};

struct memory_layout {
	struct memory *m;
	const struct engine_config *c;
	struct schedule_config schedule;
	int *next_tile;		   /* of each IPU */
	struct memory_code *codes; /* of each IPU */
	int room;		   /* for tensors */
};

/*
 * Begin a memory with the IPUs of that configuration, up to the highest that a
 * stage stands on; memory_layout_end() ends it and frees what is the layout's.
 */
void memory_layout_begin(struct memory_layout *, struct memory *,
    const struct engine_config *, const struct memory_target *);
void memory_layout_end(struct memory_layout *);

/* Add a tensor with that name, `bytes` of each copy, and spread it over the
   next tiles; nothing is added where they are 0. */
void memory_layout_add(struct memory_layout *, int ipu, enum memory_kind,
    int copies, size_t bytes, const char *name, ...)
    __attribute__((format(printf, 6, 7)));

/* Add the code of an operation, of the update, and of so many copies. */
void memory_layout_add_code(struct memory_layout *, int ipu,
    enum operation_phase, const struct operation_cost *);
void memory_layout_add_update(struct memory_layout *, int ipu,
    const struct operation_cost *);
void memory_layout_add_copies(struct memory_layout *, int ipu, int count);
/* Behind all tensors of an IPU stands its code: a tensor as well. */
void memory_layout_place_code(struct memory_layout *);

/*
 * What a stage has on its IPU whoever computes it: parameters with what
 * belongs to them, what is kept for backward, both its ends, the streams.  The
 * caller knows the bytes: memory.c of our own layers, memory_outline.c of an
 * outline.
 */

struct memory_stage {
	struct memory_layout *layout;
	int stage, ipu;
	bool last;
};

struct memory_parameter {
	const char *name;
	size_t bytes;
	size_t gradient_bytes;
	size_t state_bytes; /* of each of the states */
	int states;
};

/* That stage of the layout's configuration. */
struct memory_stage memory_stage(struct memory_layout *, int stage);

/* Add a parameter; in training its gradient and the optimiser's state. */
void memory_stage_add_parameter(const struct memory_stage *,
    const struct memory_parameter *);

/*
 * Add what backward needs of a micro-batch: the stage's own input, or
 * (`inner`) what one of its operations keeps, which recomputation makes again.
 * What is not stashed is live.
 */
void memory_stage_add_kept(const struct memory_stage *, bool inner,
    size_t bytes, const char *name);

/* Add the ends of the stage: the output, of what is called `end`, and in
   training both gradients, that of the input of what is called `first`. */
void memory_stage_add_ends(const struct memory_stage *, const char *first,
    size_t in, const char *end, size_t out);

/* Add the buffers of a micro-batch to and from the host, in the stages that
   have them, and of `state` bytes of an optimiser that is off the chip. */
void memory_stage_add_streams(const struct memory_stage *, size_t in,
    size_t labels, size_t results, size_t state);

/* Add the tensors and the code of that stage. */
void memory_outline_add(struct memory_layout *, const struct outline *,
    int stage);
/* Add a note for each kind of operation that is unknown here. */
void memory_outline_note(struct memory *, const struct outline *);

#endif
