/*
 * Losses as in PyTorch, with the gradient of the model's output.
 */
#ifndef IPU_NN_LOSS_H
#define IPU_NN_LOSS_H

#include "ipu/nn/model.h"

enum loss_kind {
	LOSS_CROSS_ENTROPY,
	LOSS_NLL, /* the outputs are logarithms of probabilities */
	LOSS_MSE,
	LOSS_BCE_LOGITS,
	LOSS_KINDS
};

/* "cross-entropy", "nll", "mse", "bce-logits", NULL. */
extern const char *const loss_words[];

/* All zero: the mean of cross-entropies. */
struct loss {
	enum loss_kind kind;
	bool sum; /* the loss is the sum of all; false: their mean */
	/* Only for losses of classes. */
	enum model_axis axis;
	bool ignores; /* a target of ignore_index has no loss */
	int ignore_index;
};

/* The targets of a micro-batch, [sample][place], in one of the three arrays.  A
   place is an element of the output, but for a loss of classes all elements
   along the axis are one place. */
struct loss_target {
	const uint8_t *bytes;
	const int64_t *integers;
	const float *floats;
};

/* The result of a loss for a micro-batch. */
struct outcome {
	double loss; /* sum of the losses */
	int losses;  /* number of losses; the mean is the sum over it */
	int correct; /* places with the largest output at the target */
	int samples;
};

/* Return true if the targets are classes. */
bool loss_has_classes(enum loss_kind);
/* Return the number of targets of a sample with an output of that shape. */
int loss_targets(const struct loss *, struct shape);

/* Compute *outcome and, unless `gradient` is NULL, the gradient of the mean or
   of the sum, which is 0 in lanes after the last sample.  `outputs` and
   `gradient` are [block][element][lane].  Refuses a target that is not a
   class. */
int loss_compute(const struct loss *, int lanes, struct shape, int samples,
    const float *outputs, const struct loss_target *, float *gradient,
    struct outcome *, struct error *);

#endif
