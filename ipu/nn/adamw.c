#include "ipu/nn/adamw.h"

#include <math.h>

struct adamw
adamw_defaults(double learning_rate)
{
	return (struct adamw){ learning_rate, 0.9, 0.999, 1e-8, 0.01 };
}

void
adamw_update(const struct adamw *a, long step, size_t count, float scale,
    const float *restrict gradients, float *restrict parameters,
    float *restrict m, float *restrict v)
{
	const float	beta1 = (float)a->beta1, beta2 = (float)a->beta2;
	const float	rest1 = (float)(1 - a->beta1);
	const float	rest2 = (float)(1 - a->beta2);
	const float	keep = (float)(1 - a->learning_rate * a->weight_decay);
	const float	epsilon = (float)a->epsilon;
	/* The bias corrections, worked into the step and the root. */
	const float	size = (float)(a->learning_rate /
	    (1 - pow(a->beta1, (double)step)));
	const float	root = (float)(1 /
	    sqrt(1 - pow(a->beta2, (double)step)));
	size_t		i;

	for (i = 0; i < count; i++) {
		float	g = gradients[i] * scale;

		m[i] = beta1 * m[i] + rest1 * g;
		v[i] = beta2 * v[i] + rest2 * (g * g);
		parameters[i] = parameters[i] * keep -
		    size * m[i] / (sqrtf(v[i]) * root + epsilon);
	}
}
