/*
 * The statistics of the batch norms of a model in a device iteration.  Threads
 * record those of each micro-batch, and the running ones are renewed with them
 * in turn, whichever thread was first.
 */
#ifndef IPU_ENGINE_NORM_STATISTICS_H
#define IPU_ENGINE_NORM_STATISTICS_H

#include "ipu/nn/nn.h"

struct norm_statistics {
	const struct model *model;
	int micro_batches;
	size_t buffers; /* number of the model's buffers */
	float *values;	/* [micro-batch][buffer] */
};

/* Make room for the statistics of so many micro-batches of a model. */
void norm_statistics_init(struct norm_statistics *, const struct model *,
    int micro_batches);
/* Free the values; a struct that is all 0 is fine. */
void norm_statistics_release(struct norm_statistics *);
/* Return the place of a micro-batch, for stage_record(). */
float *norm_statistics_of(const struct norm_statistics *, size_t micro_batch);
/* Renew the running statistics among the parameters from `first` up to `end` of
   the model's. */
void norm_statistics_renew(const struct norm_statistics *, size_t first,
    size_t end, float *parameters);

#endif
