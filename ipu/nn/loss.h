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
	LOSS_L1,
	LOSS_SMOOTH_L1,
	LOSS_KINDS
};

/* "cross-entropy", "nll", "mse", "bce-logits", "l1", "smooth-l1", NULL. */
extern const char *const loss_words[];

enum { LOSS_WEIGHTS_MAX = 64 };

/* All zero: the mean of cross-entropies. */
struct loss {
	enum loss_kind kind;
	bool sum; /* the loss is the sum of all; false: their mean */
	/* Only for losses of classes. */
	enum model_axis axis;
	bool ignores; /* a target of ignore_index has no loss */
	int ignore_index;
	float smoothing; /* cross-entropy: the share of all classes */
	float beta;	 /* smooth-l1: where the square ends */
	/* Weights of classes; bce-logits: of the targets of each element, or
	   one for all.  A count of 0 means 1 for all. */
	int weight_count;
	float weights[LOSS_WEIGHTS_MAX];
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
	double loss;   /* sum of the losses */
	double losses; /* sum of their weights; the mean is the sum over it */
	int correct;   /* places with the largest output at the target */
	int samples;
};

/* Return true if the targets are classes. */
bool loss_has_classes(enum loss_kind);
/* Return the number of targets of a sample with an output of that shape. */
int loss_targets(const struct loss *, struct shape);

/* Refuse weights of another number than the outputs need, and other values that
   are out of range. */
int loss_check(const struct loss *, struct shape, struct error *);

/* Compute *outcome and, unless `gradient` is NULL, the gradient of the mean or
   of the sum, which is 0 in lanes after the last sample.  `outputs` and
   `gradient` are [block][element][lane].  Refuses a target that is not a
   class. */
int loss_compute(const struct loss *, int lanes, struct shape, int samples,
    const float *outputs, const struct loss_target *, float *gradient,
    struct outcome *, struct error *);

#endif
