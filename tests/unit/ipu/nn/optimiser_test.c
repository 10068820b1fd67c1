/*
 * The rules of update against PyTorch's, several steps, and their state.
 */
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"

enum { PARAMETERS = 3, STEPS = 6, SEEN = 3 };

static const float gradients[STEPS][PARAMETERS] = { { 0.5f, -1, 2 },
	{ -0.25f, 3, 2 }, { 0.125f, 0, -2 }, { 2, -0.5f, 2 },
	{ -1, 1, 0.0625f }, { 0.5f, 0.25f, -4 } };
static const int seen[SEEN] = { 1, 3, 6 }; /* steps */

/*
 * p = torch.tensor([1., -2., .5], dtype=torch.float64, requires_grad=True);
 * o = torch.optim.SGD([p], lr=.1, ...); for g in gradients:
 * p.grad = torch.tensor(g).double(); o.step(); print(p)	(PyTorch 1.13)
 */
static const struct {
	const char *name;
	struct optimiser o;
	double wanted[SEEN][PARAMETERS];
} rows[] = {
	{ "SGD", { .kind = OPTIMISER_SGD, .learning_rate = 0.1 },
	    { { 0.95, -1.9, 0.3 }, { 0.9625, -2.2, 0.3 },
		{ 0.8125, -2.275, 0.49375 } } },
	{ "SGD, momentum",
	    { .kind = OPTIMISER_SGD, .learning_rate = 0.1, .momentum = 0.9 },
	    { { 0.95, -1.9, 0.3 }, { 0.8995, -2.299, -0.222 },
		{ 0.4231105, -2.839471, -0.722213 } } },
	{ "SGD, weight decay",
	    { .kind = OPTIMISER_SGD,
		.learning_rate = 0.1,
		.weight_decay = 0.25 },
	    { { 0.925, -1.85, 0.2875 },
		{ 0.891203125, -2.05115625, 0.278304687 },
		{ 0.683394971, -1.97610215, 0.461730559 } } },
	{ "SGD, momentum and weight decay",
	    { .kind = OPTIMISER_SGD,
		.learning_rate = 0.05,
		.momentum = 0.5,
		.weight_decay = 0.125 },
	    { { 0.96875, -1.9375, 0.396875 },
		{ 0.942733154, -2.084685059, 0.264292847 },
		{ 0.779822477, -2.108638175, 0.298094362 } } },
	{ "Adam",
	    { .kind = OPTIMISER_ADAM,
		.learning_rate = 0.1,
		.beta1 = 0.9,
		.beta2 = 0.999,
		.epsilon = 1e-8 },
	    { { 0.900000002, -1.900000001, 0.400000001 },
		{ 0.839323385, -1.987620001, 0.273800739 },
		{ 0.71911096, -2.076347028, 0.196913237 } } },
	{ "Adam, other betas and epsilon",
	    { .kind = OPTIMISER_ADAM,
		.learning_rate = 0.02,
		.beta1 = 0.5,
		.beta2 = 0.75,
		.epsilon = 0.01 },
	    { { 0.980392157, -1.98019802, 0.480099502 },
		{ 0.975729329, -2.002249089, 0.463041933 },
		{ 0.952595426, -2.018519012, 0.461657256 } } },
	{ "Adam, gradients below epsilon",
	    { .kind = OPTIMISER_ADAM,
		.learning_rate = 100,
		.beta1 = 0.9,
		.beta2 = 0.999,
		.epsilon = 1000 },
	    { { 0.950024988, -1.9000999, 0.300399202 },
		{ 0.928251937, -2.07999418, 0.0485044671 },
		{ 0.805887405, -2.21084262, -0.0926234352 } } },
	{ "Adam, weight decay",
	    { .kind = OPTIMISER_ADAM,
		.learning_rate = 0.1,
		.beta1 = 0.9,
		.beta2 = 0.999,
		.epsilon = 1e-8,
		.weight_decay = 0.25 },
	    { { 0.900000001, -1.900000001, 0.4 },
		{ 0.763984496, -1.942125221, 0.269707186 },
		{ 0.599441313, -1.93265563, 0.183267969 } } },
	{ "AdamW",
	    { .kind = OPTIMISER_ADAMW,
		.learning_rate = 0.1,
		.beta1 = 0.9,
		.beta2 = 0.999,
		.epsilon = 1e-8,
		.weight_decay = 0.01 },
	    { { 0.899000002, -1.898000001, 0.399500001 },
		{ 0.836552918, -1.98177648, 0.272602139 },
		{ 0.713985116, -2.064486609, 0.19503405 } } },
	{ "AdamW, weight decay 0.5",
	    { .kind = OPTIMISER_ADAMW,
		.learning_rate = 0.1,
		.beta1 = 0.9,
		.beta2 = 0.999,
		.epsilon = 1e-8,
		.weight_decay = 0.5 },
	    { { 0.850000002, -1.800000001, 0.375 },
		{ 0.70778007, -1.709649052, 0.217238239 },
		{ 0.494053537, -1.550715247, 0.116070469 } } },
	{ "AdamW, other betas and epsilon, no decay",
	    { .kind = OPTIMISER_ADAMW,
		.learning_rate = 0.02,
		.beta1 = 0.5,
		.beta2 = 0.75,
		.epsilon = 0.01 },
	    { { 0.980392157, -1.98019802, 0.480099502 },
		{ 0.975729329, -2.002249089, 0.463041933 },
		{ 0.952595426, -2.018519012, 0.461657256 } } },
	{ "SGD, dampening",
	    { .kind = OPTIMISER_SGD,
		.learning_rate = 0.1,
		.momentum = 0.9,
		.dampening = 0.25 },
	    { { 0.95, -1.9, 0.3 }, { 0.89075, -2.1565, -0.177 },
		{ 0.508763, -2.5124635, -0.65093925 } } },
	{ "SGD, Nesterov",
	    { .kind = OPTIMISER_SGD,
		.learning_rate = 0.1,
		.momentum = 0.9,
		.weight_decay = 0.25,
		.nesterov = true },
	    { { 0.8575, -1.715, 0.09625 },
		{ 0.689812234, -2.08206197, -0.377437211 },
		{ -0.0997431429, -1.95086993, -0.493671844 } } },
	{ "RMSprop",
	    { .kind = OPTIMISER_RMSPROP,
		.learning_rate = 0.01,
		.alpha = 0.99,
		.epsilon = 1e-8 },
	    { { 0.90000002, -1.90000001, 0.400000005 },
		{ 0.922890922, -1.99491581, 0.387136794 },
		{ 0.848821627, -2.01694391, 0.406502313 } } },
	{ "RMSprop, momentum",
	    { .kind = OPTIMISER_RMSPROP,
		.learning_rate = 0.01,
		.alpha = 0.99,
		.epsilon = 1e-8,
		.momentum = 0.9 },
	    { { 0.90000002, -1.90000001, 0.400000005 },
		{ 0.792302142, -1.90934004, 0.152337496 },
		{ 0.440177127, -1.94238623, -0.127507732 } } },
	{ "RMSprop, centered",
	    { .kind = OPTIMISER_RMSPROP,
		.learning_rate = 0.01,
		.alpha = 0.99,
		.epsilon = 1e-8,
		.centered = true,
		.weight_decay = 0.25 },
	    { { 0.899496232, -1.89949623, 0.399496223 },
		{ 0.859826263, -1.96886678, 0.382740187 },
		{ 0.770381831, -1.94577267, 0.397146646 } } },
	{ "RMSprop, both",
	    { .kind = OPTIMISER_RMSPROP,
		.learning_rate = 0.01,
		.alpha = 0.75,
		.epsilon = 1e-8,
		.centered = true,
		.momentum = 0.5 },
	    { { 0.97690599, -1.97690599, 0.476905989 },
		{ 0.968986128, -1.99048364, 0.442570223 },
		{ 0.9320912, -2.0035689, 0.434423521 } } },
};

/* What is updated, and its state. */
struct trial {
	float p[PARAMETERS], state[OPTIMISER_STATES_MAX][PARAMETERS];
};

/* Update number `step` of the parameters from `first` on. */
static void
update(const struct optimiser *o, int step, struct trial *t, int first,
    int count)
{
	float *const state[] = { t->state[0] + first, t->state[1] + first,
		t->state[2] + first };
	float doubled[PARAMETERS];
	int i;

	/* The sum of two, of which `scale` makes the mean. */
	for (i = 0; i < PARAMETERS; i++)
		doubled[i] = 2 * gradients[step - 1][i];
	optimiser_update(o, step, (size_t)count, 0.5f, doubled + first,
	    t->p + first, state);
}

static void
test_rules(void)
{
	struct trial whole, parts;
	char *name;
	size_t r;
	int step, i, row;

	for (r = 0; r < ARRAY_SIZE(rows); r++) {
		whole = (struct trial){ .p = { 1, -2, 0.5f } };
		parts = whole;
		row = 0;
		for (step = 1; step <= STEPS; step++) {
			update(&rows[r].o, step, &whole, 0, PARAMETERS);
			update(&rows[r].o, step, &parts, 1, 2);
			update(&rows[r].o, step, &parts, 0, 1);
			if (step != seen[row])
				continue;
			name = xasprintf("%s, step %d", rows[r].name, step);
			for (i = 0; i < PARAMETERS; i++)
				is_near((double)whole.p[i],
				    rows[r].wanted[row][i], 1e-6, name);
			free(name);
			row++;
		}
		ok(memcmp(&whole, &parts, sizeof(whole)) == 0,
		    "in parts, the same bits");
	}
}

static void
test_states(void)
{
	static const float zero[1] = { 0 };
	struct optimiser o = optimiser_defaults(OPTIMISER_SGD, 1);
	float p[1] = { 0 }, m[1] = { 0 }, v[1] = { 0 };
	float *const state[OPTIMISER_STATES_MAX] = { m, v };
	enum optimiser_kind kind;

	is_int(optimiser_states(&o), 0, "SGD keeps nothing");
	o.momentum = 0.5;
	is_int(optimiser_states(&o), 1, "momentum keeps a velocity");
	o.momentum = 0;
	o.has_velocity = true;
	is_int(optimiser_states(&o), 1, "also while it is 0");
	m[0] = 7;
	optimiser_update(&o, 2, 1, 0.5f, (const float[1]){ 1 }, p, state);
	ok(m[0] == 0.5f && p[0] == -0.5f, "which is the gradient then");
	p[0] = m[0] = 0;
	o = optimiser_defaults(OPTIMISER_RMSPROP, 1);
	is_int(optimiser_states(&o), 1, "RMSprop keeps a square");
	o.momentum = 0.5;
	o.centered = true;
	is_int(optimiser_states(&o), 3, "and a mean and a velocity");
	o = optimiser_defaults(OPTIMISER_ADAM, 1);
	is_int(optimiser_states(&o), 2, "Adam keeps two moments");
	ok(o.weight_decay == 0, "and does not decay");
	o = optimiser_defaults(OPTIMISER_ADAMW, 1);
	is_int(optimiser_states(&o), 2, "AdamW as well");
	is_near(o.weight_decay, 0.01, 0, "and decays by PyTorch's default");
	for (kind = OPTIMISER_SGD; kind <= OPTIMISER_ADAMW; kind++) {
		o = optimiser_defaults(kind, 1);
		optimiser_update(&o, 1, 1, 1, zero, p, state);
		ok(p[0] == 0, "no gradient, no weight: no change");
	}
}

int
main(void)
{
	test_rules();
	test_states();
	return tap_done();
}
