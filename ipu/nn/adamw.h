/*
 * AdamW as torch.optim.AdamW (Loshchilov and Hutter 2019), with bias
 * correction.  Compiled without contraction, so that every machine gets the
 * same bits from the same gradients.
 */
#ifndef IPU_NN_ADAMW_H
#define IPU_NN_ADAMW_H

#include <stddef.h>

struct adamw {
	double	learning_rate;
	double	beta1;		/* 0.9 */
	double	beta2;		/* 0.999 */
	double	epsilon;	/* 1e-8 */
	double	weight_decay;	/* 0.01 */
};

/* PyTorch's defaults. */
struct adamw	adamw_defaults(double learning_rate);

/*
 * Update number `step` (1, 2, ...) of `count` parameters.  The gradients are
 * multiplied by `scale` first: the mean over what was summed.  `m` and `v`
 * are the optimiser's state, zero before the first update.
 */
void	adamw_update(const struct adamw *, long step, size_t count,
	    float scale, const float *gradients, float *parameters,
	    float *m, float *v);

#endif
