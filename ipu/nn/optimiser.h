/*
 * The rules of weight update, as torch.optim has them: SGD with momentum
 * (Sutskever et al. 2013, in PyTorch's form), Adam (Kingma and Ba 2015) and
 * AdamW (Loshchilov and Hutter 2019), with bias correction.  Compiled without
 * contraction, so that every machine gets the same bits from the same
 * gradients.
 */
#ifndef IPU_NN_OPTIMISER_H
#define IPU_NN_OPTIMISER_H

#include <stddef.h>

enum { OPTIMISER_STATES_MAX = 2 };

enum optimiser_kind { OPTIMISER_SGD, OPTIMISER_ADAM, OPTIMISER_ADAMW };

/* "sgd", "adam", "adamw", NULL. */
extern const char *const	optimiser_words[];

struct optimiser {
	enum optimiser_kind	kind;
	double			learning_rate;
	double			momentum;	/* SGD; 0: none */
	double			beta1, beta2;	/* Adam, AdamW */
	double			epsilon;
	/* SGD, Adam: added to the gradient; AdamW: taken off the weight. */
	double			weight_decay;
};

/* PyTorch's defaults for that kind. */
struct optimiser	optimiser_defaults(enum optimiser_kind,
			    double learning_rate);

/* Floats of state per parameter: Adam's moments 2, momentum 1, else 0. */
int	optimiser_states(const struct optimiser *);

/*
 * Update number `step` (1, 2, ...) of `count` parameters.  The gradients are
 * multiplied by `scale` first: the mean over what was summed.  state[i], for
 * each i below optimiser_states(), has `count` floats, zero before the first
 * update.
 */
void	optimiser_update(const struct optimiser *, long step, size_t count,
	    float scale, const float *gradients, float *parameters,
	    float *const state[OPTIMISER_STATES_MAX]);

#endif
