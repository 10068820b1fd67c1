/*
 * The statistics of batch norms, micro-batch by micro-batch.
 */
#include "ipu/engine/norm_statistics.h"

#include <stdlib.h>

#include "core/base/alloc.h"

void
norm_statistics_init(struct norm_statistics *s, const struct model *m,
    int micro_batches)
{
	s->model = m;
	s->micro_batches = micro_batches;
	s->buffers = model_first_buffer(m, m->layers + m->layer_count);
	s->values = xcalloc((size_t)micro_batches * s->buffers + 1,
	    sizeof(*s->values));
}

void
norm_statistics_release(struct norm_statistics *s)
{
	free(s->values);
}

float *
norm_statistics_of(const struct norm_statistics *s, size_t micro_batch)
{
	return s->values + micro_batch * s->buffers;
}

void
norm_statistics_renew(const struct norm_statistics *s, size_t first, size_t end,
    float *parameters)
{
	const struct layer *l = s->model->layers;
	const float *from = s->values;
	size_t at, i;
	int k;

	for (; l < s->model->layers + s->model->layer_count; l++) {
		at = l->first + l->weights + l->biases;
		for (i = 0; i < l->buffers; i++, at++, from++) {
			if (l->spec.kind != LAYER_BATCH_NORM || at < first ||
			    at >= end)
				continue;
			for (k = 0; k < s->micro_batches; k++)
				parameters[at] = l->spec.momentum *
					from[(size_t)k * s->buffers] +
				    (1 - l->spec.momentum) * parameters[at];
		}
	}
}
