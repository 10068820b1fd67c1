/*
 * The update rules, element by element, in PyTorch's order of operations and
 * roundings.
 */
#include "ipu/nn/nn.h"

#include <math.h>
#include <stdbool.h>

const char *const optimiser_words[] = {
	[OPTIMISER_SGD] = "sgd",
	[OPTIMISER_ADAM] = "adam",
	[OPTIMISER_ADAMW] = "adamw",
	[OPTIMISER_RMSPROP] = "rmsprop",
	NULL,
};

struct optimiser
optimiser_defaults(enum optimiser_kind kind, double learning_rate)
{
	return (struct optimiser){ .kind = kind,
		.learning_rate = learning_rate,
		.beta1 = 0.9,
		.beta2 = 0.999,
		.epsilon = 1e-8,
		.alpha = 0.99,
		.weight_decay = kind == OPTIMISER_ADAMW ? 0.01 : 0 };
}

static bool
has_velocity(const struct optimiser *o)
{
	return o->momentum > 0 || o->has_velocity;
}

int
optimiser_states(const struct optimiser *o)
{
	if (o->kind == OPTIMISER_SGD)
		return has_velocity(o) ? 1 : 0;
	if (o->kind == OPTIMISER_RMSPROP)
		return 1 + has_velocity(o) + o->centered;
	return 2;
}

/*
 *	g = gradient x scale + decay x weight
 *	velocity = momentum x velocity + (1 - dampening) x g
 *	weight -= rate x velocity, or x g
 *
 * The first velocity is g, whatever the dampening.  With Nesterov's form the
 * weight moves by rate x (g + momentum x velocity).
 *
 * With a gradient that stays 1 and a momentum of 0.9 the velocity is 1, 1.9,
 * 2.71 and tends to 10.  Source: torch.optim.SGD.
 */
static void
update_sgd(const struct optimiser *o, long step, size_t count, float scale,
    const float *restrict gradients, float *restrict parameters,
    float *restrict velocity)
{
	const float rate = (float)o->learning_rate;
	const float momentum = (float)o->momentum;
	const float decay = (float)o->weight_decay;
	const float rest = step == 1 ? 1 : (float)(1 - o->dampening);
	size_t i;

	for (i = 0; i < count; i++) {
		float g = gradients[i] * scale + decay * parameters[i];

		if (velocity != NULL) {
			velocity[i] = momentum * velocity[i] + rest * g;
			g = o->nesterov ? g + momentum * velocity[i] :
					  velocity[i];
		}
		parameters[i] -= rate * g;
	}
}

/*
 *	g = gradient x scale + decay x weight
 *	square = alpha x square + (1 - alpha) x g^2
 *	mean = alpha x mean + (1 - alpha) x g	where it is centered
 *	step = g / (sqrt(square - mean^2) + epsilon)
 *	velocity = momentum x velocity + step	where there is momentum
 *	weight -= rate x velocity, or x step
 *
 * The first step with alpha 0.99 is g / sqrt(0.01 g^2) = 10, whatever the
 * gradient.  Source: torch.optim.RMSprop.
 */
static void
update_rmsprop(const struct optimiser *o, size_t count, float scale,
    const float *restrict gradients, float *restrict parameters,
    float *restrict square, float *restrict mean, float *restrict velocity)
{
	const float rate = (float)o->learning_rate;
	const float momentum = (float)o->momentum;
	const float decay = (float)o->weight_decay;
	const float alpha = (float)o->alpha;
	const float rest = (float)(1 - o->alpha);
	const float epsilon = (float)o->epsilon;
	size_t i;

	for (i = 0; i < count; i++) {
		float g = gradients[i] * scale + decay * parameters[i];
		float variance;

		square[i] = alpha * square[i] + rest * (g * g);
		variance = square[i];
		if (mean != NULL) {
			mean[i] = alpha * mean[i] + rest * g;
			variance -= mean[i] * mean[i];
		}
		g /= sqrtf(variance) + epsilon;
		if (velocity != NULL)
			g = velocity[i] = momentum * velocity[i] + g;
		parameters[i] -= rate * g;
	}
}

/*
 * With t the number of the update:
 *
 *	m = beta1 m + (1 - beta1) g
 *	v = beta2 v + (1 - beta2) g^2
 *	weight -= rate x m / (1 - beta1^t) /
 *	    (sqrt(v / (1 - beta2^t)) + epsilon)
 *
 * The first update with g = 0.5, beta1 = 0.9, beta2 = 0.999: m = 0.05, v =
 * 0.00025, corrected 0.5 and 0.25, so the weight moves by rate x 0.5 / 0.5: the
 * first update is as large as the rate, whatever the gradient.  Adam adds decay
 * x weight to g; AdamW subtracts rate x decay x weight from the weight instead.
 * Source: Kingma and Ba, 2015, algorithm 1; Loshchilov and Hutter, 2019,
 * algorithm 2.
 */
static void
update_adam(const struct optimiser *o, long step, size_t count, float scale,
    const float *restrict gradients, float *restrict parameters,
    float *restrict m, float *restrict v)
{
	const bool apart = o->kind == OPTIMISER_ADAMW;
	const float beta1 = (float)o->beta1, beta2 = (float)o->beta2;
	const float rest1 = (float)(1 - o->beta1);
	const float rest2 = (float)(1 - o->beta2);
	const float keep = apart ?
	    (float)(1 - o->learning_rate * o->weight_decay) :
	    1;
	const float decay = apart ? 0 : (float)o->weight_decay;
	const float epsilon = (float)o->epsilon;
	/* The step and the root include the bias corrections. */
	const float size =
	    (float)(o->learning_rate / (1 - pow(o->beta1, (double)step)));
	const float root = (float)(1 / sqrt(1 - pow(o->beta2, (double)step)));
	size_t i;

	for (i = 0; i < count; i++) {
		float g = gradients[i] * scale + decay * parameters[i];

		m[i] = beta1 * m[i] + rest1 * g;
		v[i] = beta2 * v[i] + rest2 * (g * g);
		parameters[i] = parameters[i] * keep -
		    size * m[i] / (sqrtf(v[i]) * root + epsilon);
	}
}

void
optimiser_update(const struct optimiser *o, long step, size_t count,
    float scale, const float *gradients, float *parameters,
    float *const state[OPTIMISER_STATES_MAX])
{
	const bool moves = has_velocity(o);

	switch (o->kind) {
	case OPTIMISER_SGD:
		update_sgd(o, step, count, scale, gradients, parameters,
		    moves ? state[0] : NULL);
		break;
	case OPTIMISER_RMSPROP:
		update_rmsprop(o, count, scale, gradients, parameters, state[0],
		    o->centered ? state[1] : NULL,
		    !moves	    ? NULL :
			o->centered ? state[2] :
				      state[1]);
		break;
	default:
		update_adam(o, step, count, scale, gradients, parameters,
		    state[0], state[1]);
	}
}
