/*
 * Losses: values and gradients that PyTorch gave, finite differences, and
 * targets that are refused.
 */
#include "ipu/nn/loss.h"

#include <math.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

enum { SAMPLES = 5, LANES = 4, BLOCKS = 2, ELEMENTS_MAX = 24 };

/* The loss, or its mean, and the gradients of the first element, of the middle
   one and of the last, in PyTorch's order.  Number i of the outputs is
   1.5 sin(1 + 0.37 i); of the targets, i x i + 1 modulo 4, or 0.5 + 0.5 sin(0.9
   i). */
static const struct row {
	const char *name;
	struct loss loss;
	struct shape shape;
	double value, gradients[3];
} rows[] = {
	{ "cross-entropy", { .kind = LOSS_CROSS_ENTROPY }, { 4, 1, 1 },
	    1.456958, { 0.04446778, 0.04243842, 0.05946131 } },
	{ "cross-entropy, sum", { .sum = true }, { 4, 1, 1 }, 7.284789,
	    { 0.2223389, 0.2121921, 0.2973066 } },
	{ "cross-entropy, ignored", { .ignores = true, .ignore_index = 2 },
	    { 4, 1, 1 }, 1.386684, { 0.07411297, 0.0707307, 0.09910219 } },
	{ "cross-entropy of channels", { .axis = AXIS_CHANNELS }, { 4, 2, 3 },
	    1.880025, { 0.0129337, 0.001318889, 0.01545397 } },
	{ "cross-entropy of tokens", { .ignores = true, .ignore_index = 1 },
	    { 1, 6, 4 }, 1.461833, { 0, 0.01561089, 0.02805452 } },
	{ "nll", { .kind = LOSS_NLL }, { 4, 1, 1 }, -0.2147809, { 0, 0, 0 } },
	{ "nll, sum, ignored",
	    { .kind = LOSS_NLL,
		.sum = true,
		.ignores = true,
		.ignore_index = 1 },
	    { 4, 1, 1 }, 0.271994, { 0, 0, 0 } },
	{ "mse", { .kind = LOSS_MSE }, { 2, 3, 2 }, 1.439166,
	    { 0.02540688, -0.05508864, -0.05889833 } },
	{ "mse, sum", { .kind = LOSS_MSE, .sum = true }, { 2, 3, 2 }, 86.34995,
	    { 1.524413, -3.305318, -3.5339 } },
	{ "bce-logits", { .kind = LOSS_BCE_LOGITS }, { 3, 1, 1 }, 0.774426,
	    { 0.01862705, -0.01103228, -0.003690716 } },
	{ "cross-entropy, smoothed", { .smoothing = 0.1f }, { 4, 1, 1 },
	    1.457253, { 0.03946778, 0.03743842, 0.05446131 } },
	{ "cross-entropy, weights",
	    { .weight_count = 4, .weights = { 0.5f, 2, 1, 3 } }, { 4, 1, 1 },
	    1.430605, { 0.05558473, 0.05304802, 0.07432664 } },
	{ "cross-entropy, all",
	    { .smoothing = 0.2f,
		.ignores = true,
		.ignore_index = 2,
		.weight_count = 4,
		.weights = { 0.5f, 2, 1, 3 } },
	    { 4, 1, 1 }, 1.334682, { 0.06716707, 0.05974496, 0.07038586 } },
	{ "nll, weights",
	    { .kind = LOSS_NLL,
		.weight_count = 4,
		.weights = { 0.5f, 2, 1, 3 } },
	    { 4, 1, 1 }, -0.3024754, { 0, 0, 0 } },
	{ "l1", { .kind = LOSS_L1 }, { 2, 3, 2 }, 1.003591,
	    { 0.01666667, -0.01666667, -0.01666667 } },
	{ "smooth-l1", { .kind = LOSS_SMOOTH_L1, .beta = 0.7f }, { 2, 3, 2 },
	    0.6967434, { 0.01666667, -0.01666667, -0.01666667 } },
	{ "bce-logits, weight",
	    { .kind = LOSS_BCE_LOGITS, .weight_count = 1, .weights = { 2.5f } },
	    { 3, 1, 1 }, 1.417406, { 0.007597332, -0.04443854, -0.03152356 } },
	{ "bce-logits, weights",
	    { .kind = LOSS_BCE_LOGITS,
		.sum = true,
		.weight_count = 3,
		.weights = { 2.5f, 0.5f, 1 } },
	    { 3, 1, 1 }, 13.52029, { 0.11396, 0.001547131, -0.05536073 } },
	{ "bce-logits, sum", { .kind = LOSS_BCE_LOGITS, .sum = true },
	    { 3, 1, 1 }, 11.61639, { 0.2794057, -0.1654842, -0.05536073 } },
};

/* A micro-batch in lanes, and its targets. */
struct batch {
	int elements;
	float out[BLOCKS * LANES * ELEMENTS_MAX];
	float gradient[BLOCKS * LANES * ELEMENTS_MAX];
	int64_t classes[SAMPLES * ELEMENTS_MAX];
	float floats[SAMPLES * ELEMENTS_MAX];
	struct loss_target target;
};

/* The place of an element in PyTorch's order. */
static int
place(const struct batch *b, int index)
{
	const int sample = index / b->elements;

	return (sample / LANES * b->elements + index % b->elements) * LANES +
	    sample % LANES;
}

static void
fill(struct batch *b, const struct row *r)
{
	int i;

	memset(b, 0, sizeof(*b));
	b->elements = layer_shape_elements(r->shape);
	for (i = 0; i < SAMPLES * b->elements; i++)
		b->out[place(b, i)] = (float)(1.5 * sin(1 + 0.37 * i));
	for (i = 0; i < SAMPLES * ELEMENTS_MAX; i++) {
		b->classes[i] = (i * i + 1) % 4;
		b->floats[i] = (float)(0.5 + 0.5 * sin(0.9 * i));
	}
	if (loss_has_classes(r->loss.kind))
		b->target.integers = b->classes;
	else
		b->target.floats = b->floats;
}

static double
compute(struct batch *b, const struct row *r, float *gradient)
{
	struct error error = { .text = "" };
	struct outcome o;

	if (loss_compute(&r->loss, LANES, r->shape, SAMPLES, b->out, &b->target,
		gradient, &o, &error) != 0)
		is_str(error.text, "", r->name);
	return r->loss.sum ? o.loss : o.loss / o.losses;
}

static void
check_row(const struct row *r)
{
	const float step = 0x1p-7f;
	struct batch b;
	double up, down, most = 0;
	int i, count;

	fill(&b, r);
	count = SAMPLES * b.elements;
	is_near(compute(&b, r, b.gradient), r->value,
	    2e-6 * fmax(1, fabs(r->value)), r->name);
	is_near((double)b.gradient[place(&b, 0)], r->gradients[0], 1e-6,
	    "the first gradient");
	is_near((double)b.gradient[place(&b, count / 2)], r->gradients[1], 1e-6,
	    "one in the middle");
	is_near((double)b.gradient[place(&b, count - 1)], r->gradients[2], 1e-6,
	    "the last");
	ok(b.gradient[place(&b, count - 1) + 1] == 0, "none in empty lanes");
	for (i = 0; i < count; i++) {
		float *x = &b.out[place(&b, i)];
		const float before = *x;

		*x = before + step;
		up = compute(&b, r, NULL);
		*x = before - step;
		down = compute(&b, r, NULL);
		*x = before;
		most = fmax(most,
		    fabs((up - down) / 2 / (double)step -
			(double)b.gradient[place(&b, i)]));
	}
	is_near(most, 0, 5e-4, "finite differences");
}

static void
check_refusals(void)
{
	static const struct {
		float target;
		const char *text;
	} refused[] = {
		{ 4,
		    "cross-entropy: target 4 of sample 1 is not a class from "
		    "0 to 3" },
		{ -1,
		    "cross-entropy: target -1 of sample 1 is not a class "
		    "from 0 to 3" },
	};
	struct batch b;
	struct outcome o;
	struct error error;
	size_t i;

	fill(&b, &rows[0]);
	b.target = (struct loss_target){ .floats = b.floats };
	memset(b.floats, 0, sizeof(b.floats));
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		b.floats[1] = refused[i].target;
		ok(loss_compute(&rows[0].loss, LANES, rows[0].shape, SAMPLES,
		       b.out, &b.target, NULL, &o, &error) == -1,
		    "refused");
		is_str(error.text, refused[i].text, "with a sentence");
	}
}

int
main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check_row(&rows[i]);
	check_refusals();
	return tap_done();
}
