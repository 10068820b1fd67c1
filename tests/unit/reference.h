/*
 * A network in plain loops and double precision, to compare with.  Tensors are
 * [sample][channel][y][x]; lanes are those of kernels.h.
 */
#ifndef TESTS_UNIT_REFERENCE_H
#define TESTS_UNIT_REFERENCE_H

#include "ipu/nn/nn.h"

struct reference {
	const struct model *model;
	int samples;
	/* The input of each layer, then the output; and their gradients. */
	double *values[MODEL_LAYERS_MAX + 1];
	double *gradients[MODEL_LAYERS_MAX + 1];
	double *parameters, *parameter_gradients;
};

/* Begin with zeroes; the model must outlive it. */
void reference_init(struct reference *, const struct model *, int samples);
void reference_release(struct reference *);

/* Compute values[layer_count] from values[0]. */
void reference_forward(struct reference *);
/* After forward, compute gradients[0]; add to the parameters' gradients. */
void reference_backward(struct reference *);

/* Return the elements of a sample before layer `index`. */
int reference_elements(const struct reference *, int index);

/* Compute the mean cross-entropy of samples, which have a class each. */
void reference_loss(int lanes, int classes, int samples, const float *outputs,
    const uint8_t *labels, float *gradient, struct outcome *);

/* Convert; lanes after the last sample are neither written nor read. */
void lanes_put(const double *from, int samples, int elements, int lanes,
    float *to);
void lanes_get(const float *from, int samples, int elements, int lanes,
    double *to);

#endif
