/*
 * Softmax and cross-entropy in the kernels' layout, sample by sample.
 */
#include "ipu/nn/nn.h"

#include <math.h>
#include <stddef.h>

/*
 * Return the loss of one sample, with outputs `lanes` apart.
 *
 * With outputs 1, 2, 3 and label 2 (the last one), relative to the highest to
 * prevent overflow:
 *
 *	exp		0.135  0.368  1		sum 1.503
 *	softmax		0.090  0.245  0.665
 *	loss		log 1.503 - 0 = 0.408
 *	gradient	0.090  0.245  0.665 - 1 = -0.335
 *
 * The gradient is multiplied by `scale`: one over the samples, for the mean.
 */
static float
sample_loss(int lanes, int classes, const float *outputs, int label,
    float scale, float *gradient)
{
	float highest = outputs[0], sum = 0;
	int i;

	for (i = 1; i < classes; i++)
		if (outputs[i * lanes] > highest)
			highest = outputs[i * lanes];
	for (i = 0; i < classes; i++) {
		float e = expf(outputs[i * lanes] - highest);

		sum += e;
		if (gradient != NULL)
			gradient[i * lanes] = e;
	}
	if (gradient != NULL) {
		for (i = 0; i < classes; i++)
			gradient[i * lanes] *= scale / sum;
		gradient[label * lanes] -= scale;
	}
	return logf(sum) - (outputs[label * lanes] - highest);
}

/* Return the first of equal ones, like torch.argmax() on the CPU. */
static int
largest(int lanes, int classes, const float *outputs)
{
	int i, best = 0;

	for (i = 1; i < classes; i++)
		if (outputs[i * lanes] > outputs[best * lanes])
			best = i;
	return best;
}

void
loss_cross_entropy(int lanes, int classes, int samples, const float *outputs,
    const uint8_t *labels, float *gradient, uint8_t *predictions,
    struct outcome *outcome)
{
	const int blocks = (samples + lanes - 1) / lanes;
	int n, i, best;

	*outcome = (struct outcome){ .samples = samples };
	for (n = 0; n < blocks * lanes; n++) {
		ptrdiff_t at = (ptrdiff_t)(n / lanes) * classes * lanes +
		    n % lanes;

		if (n >= samples) {
			for (i = 0; gradient != NULL && i < classes; i++)
				gradient[at + i * lanes] = 0;
			continue;
		}
		outcome->loss += (double)sample_loss(lanes, classes,
		    outputs + at, labels[n], 1.0f / (float)samples,
		    gradient != NULL ? gradient + at : NULL);
		best = largest(lanes, classes, outputs + at);
		outcome->correct += best == labels[n];
		if (predictions != NULL)
			predictions[n] = (uint8_t)best;
	}
}
