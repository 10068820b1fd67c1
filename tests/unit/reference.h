/*
 * A network in plain loops and double precision, for tests to compare with.
 * Tensors are [sample][channel][y][x]; pairs of functions put them into lanes
 * and take them out (kernels.h).
 */
#ifndef TESTS_UNIT_REFERENCE_H
#define TESTS_UNIT_REFERENCE_H

#include "ipu/nn/nn.h"

struct reference {
	const struct model *model;
	int samples;
	/* The input of each layer, then the output, and their gradients. */
	double *values[MODEL_LAYERS_MAX + 1];
	double *gradients[MODEL_LAYERS_MAX + 1];
	double *parameters, *parameter_gradients;
};

/* All zero; the model must outlive it. */
void reference_init(struct reference *, const struct model *, int samples);
void reference_release(struct reference *);

/* From values[0] to values[layer_count]. */
void reference_forward(struct reference *);
/*
 * After forward: from gradients[layer_count] to gradients[0]; adds to the
 * parameters' gradients.
 */
void reference_backward(struct reference *);

/* The elements of a sample before layer `index`; of the output: layer_count. */
int reference_elements(const struct reference *, int index);

/* Lanes behind the last sample are not written, and not read. */
void lanes_put(const double *from, int samples, int elements, int lanes,
    float *to);
void lanes_get(const float *from, int samples, int elements, int lanes,
    double *to);

#endif
