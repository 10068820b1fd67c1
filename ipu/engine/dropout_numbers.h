/*
 * The generators of dropouts, one for each replica, as one of several threads
 * uses them: it passes over the numbers of micro-batches that others compute.
 */
#ifndef IPU_ENGINE_DROPOUT_NUMBERS_H
#define IPU_ENGINE_DROPOUT_NUMBERS_H

#include "ipu/nn/nn.h"

/* The generator of one replica. */
struct dropout_numbers {
	struct torch_rng rng;
	uint64_t passed; /* micro-batches of the replica in this call */
};

/* Begin a call with the states in the memory: for each replica the words of a
   generator, and the number of those used. */
void dropout_numbers_begin(struct dropout_numbers *, int replicas,
    const uint32_t *memory);
/* Let the stage draw the numbers of a micro-batch of the replica, of which it
   must take later ones each time. */
void dropout_numbers_enter(struct dropout_numbers *, struct stage *,
    uint64_t micro_batch);
/* Take the generator back after the stage's forward. */
void dropout_numbers_leave(struct dropout_numbers *, struct stage *);
/* End a call of so many micro-batches of all replicas: set the states in the
   memory. */
void dropout_numbers_end(struct dropout_numbers *, int replicas, struct stage *,
    uint64_t micro_batches, uint32_t *memory);

#endif
