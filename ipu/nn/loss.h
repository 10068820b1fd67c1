/*
 * Softmax and cross-entropy, the mean over a micro-batch, with its gradient.
 */
#ifndef IPU_NN_LOSS_H
#define IPU_NN_LOSS_H

#include <stdint.h>

/* What a micro-batch of `samples` gave. */
struct outcome {
	double	loss;		/* sum over the samples */
	int	correct;	/* largest output at the label */
	int	samples;
};

/*
 * `outputs` is [block][class][lane].  *outcome and, when it is not NULL, the
 * gradient of the mean loss are filled; the gradient is zero in lanes behind
 * the last sample.  `predictions`, when it is not NULL, gets one class
 * per sample.
 */
void	loss_cross_entropy(int lanes, int classes, int samples,
	    const float *outputs, const uint8_t *labels, float *gradient,
	    uint8_t *predictions, struct outcome *);

#endif
