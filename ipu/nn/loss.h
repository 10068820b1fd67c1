/*
 * Losses as in PyTorch, with the gradient of the model's output.
 */
#ifndef IPU_NN_LOSS_H
#define IPU_NN_LOSS_H

#include "ipu/nn/model.h"

enum loss_kind {
	LOSS_CROSS_ENTROPY,
	LOSS_NLL, /* of outputs that are logarithms of probabilities */
	LOSS_MSE,
	LOSS_BCE_LOGITS,
	LOSS_KINDS
};

/* "cross-entropy", "nll", "mse", "bce-logits", NULL. */
extern const char *const loss_words[];

/* All zero: the mean of cross-entropies. */
struct loss {
	enum loss_kind kind;
	bool sum; /* of the losses; false: their mean */
	/* Losses of classes: their axis, and a target that has no loss. */
	enum model_axis axis;
	bool ignores;
	int ignore_index;
};

/* The targets of a micro-batch; one of the three.  Losses of classes have one
   for each place of a sample outside the axis, the others one for each
   element: [sample][place]. */
struct loss_target {
	const uint8_t *bytes;
	const int64_t *integers;
	const float *floats;
};

/* The result of a loss for a micro-batch. */
struct outcome {
	double loss; /* sum of the losses */
	int losses;  /* their number; divides the sum for the mean */
	int correct; /* places with the largest output at the target */
	int samples;
};

/* Whether the targets are classes. */
bool loss_has_classes(enum loss_kind);
/* Return the number of targets of a sample with an output of that shape. */
int loss_targets(const struct loss *, struct shape);

/* Compute *outcome and, unless NULL, the gradient of the mean or of the sum,
   zero in lanes after the last sample.  `outputs` and `gradient` are
   [block][element][lane].  Refuses a target that is not a class. */
int loss_compute(const struct loss *, int lanes, struct shape, int samples,
    const float *outputs, const struct loss_target *, float *gradient,
    struct outcome *, struct error *);

#endif
