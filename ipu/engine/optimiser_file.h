/*
 * The section [optimiser] of a model's file.
 */
#ifndef IPU_ENGINE_OPTIMISER_FILE_H
#define IPU_ENGINE_OPTIMISER_FILE_H

#include "ipu/nn/nn.h"

/* Numbers as the file has them; NAN: the optimiser's default. */
struct optimiser_file {
	int kind; /* enum optimiser_kind */
	double learning_rate, momentum, beta1, beta2, epsilon, weight_decay;
	double dampening, alpha;
	bool nesterov, centered;
};

/* Choose SGD and all defaults. */
void optimiser_file_init(struct optimiser_file *);

/* Make the optimiser.  Refuses a key that its kind does not have, and nesterov
   without a momentum or with a dampening. */
int optimiser_file_commit(const struct optimiser_file *, struct optimiser *,
    struct error *);

#endif
