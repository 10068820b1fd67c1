/*
 * Losses in the kernels' layout, sample by sample; one table has their
 * arithmetic.
 */
#include "ipu/nn/loss.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "ipu/nn/layer_shape.h"

const char *const loss_words[] = { "cross-entropy", "nll", "mse", "bce-logits",
	"l1", "smooth-l1", NULL };

bool
loss_has_classes(enum loss_kind kind)
{
	return kind == LOSS_CROSS_ENTROPY || kind == LOSS_NLL;
}

int
loss_targets(const struct loss *l, struct shape s)
{
	const struct kernel_axis a = layer_shape_axis(s, l->axis);

	return loss_has_classes(l->kind) ?
	    a.outer * a.inner :
	    layer_shape_elements(s);
}

int
loss_check(const struct loss *l, struct shape s, struct error *e)
{
	const int wanted = loss_has_classes(l->kind) ?
	    layer_shape_axis(s, l->axis).count :
	    layer_shape_elements(s);

	if (!(l->smoothing >= 0 && l->smoothing <= 1))
		return error_set(e, "%s: label_smoothing must be from 0 to 1",
		    loss_words[l->kind]);
	if (l->kind == LOSS_SMOOTH_L1 && !(l->beta > 0))
		return error_set(e, "%s: beta must be more than 0",
		    loss_words[l->kind]);
	if (l->weight_count == 0 || l->weight_count == wanted ||
	    (!loss_has_classes(l->kind) && l->weight_count == 1))
		return 0;
	return error_set(e, "%s: has %d weights for %d outputs",
	    loss_words[l->kind], l->weight_count, wanted);
}

static float
weight_of(const struct loss *l, int number)
{
	return l->weight_count > 1 ? l->weights[number] :
	    l->weight_count == 1   ? l->weights[0] :
				     1;
}

/*
 * Return the loss of one place, with outputs `step` apart.
 *
 * With outputs 1, 2, 3 and label 2 (the last one), relative to the highest to
 * prevent overflow:
 *
 *	exp		0.135  0.368  1		sum 1.503
 *	softmax		0.090  0.245  0.665
 *	loss		log 1.503 - 0 = 0.408
 *	gradient	0.090  0.245  0.665 - 1 = -0.335
 *
 * The gradient is multiplied by `scale`: one over the losses, for the mean.
 * With smoothing, each class is the label with a share `part`.
 */
static float
cross_entropy(const struct loss *l, int step, int classes, const float *outputs,
    int label, float scale, float *gradient)
{
	const float own = (1 - l->smoothing) * weight_of(l, label);
	const float part = l->smoothing / (float)classes;
	float highest = outputs[0], sum = 0, all = own, loss;
	int i;

	for (i = 1; i < classes; i++)
		if (outputs[i * step] > highest)
			highest = outputs[i * step];
	for (i = 0; i < classes; i++) {
		float e = expf(outputs[i * step] - highest);

		sum += e;
		if (gradient != NULL)
			gradient[i * step] = e;
	}
	loss = own * (logf(sum) - (outputs[label * step] - highest));
	for (i = 0; part > 0 && i < classes; i++) {
		all += part * weight_of(l, i);
		loss += part * weight_of(l, i) *
		    (logf(sum) - (outputs[i * step] - highest));
	}
	for (i = 0; gradient != NULL && i < classes; i++) {
		gradient[i * step] *= scale * all / sum;
		if (part > 0)
			gradient[i * step] -= scale * part * weight_of(l, i);
		if (i == label)
			gradient[i * step] -= scale * own;
	}
	return loss;
}

static float
nll(const struct loss *l, int step, int classes, const float *outputs,
    int label, float scale, float *gradient)
{
	(void)classes;
	if (gradient != NULL)
		gradient[label * step] = -scale * weight_of(l, label);
	return -outputs[label * step] * weight_of(l, label);
}

static float
mse(const struct loss *l, int element, float output, float target, float *slope)
{
	(void)l;
	(void)element;
	*slope = 2 * (output - target);
	return (output - target) * (output - target);
}

static float
l1(const struct loss *l, int element, float output, float target, float *slope)
{
	const float x = output - target;

	(void)l;
	(void)element;
	*slope = (float)(x > 0) - (float)(x < 0);
	return fabsf(x);
}

static float
smooth_l1(const struct loss *l, int element, float output, float target,
    float *slope)
{
	const float x = output - target,
		    size = l1(l, element, output, target, slope);

	if (size >= l->beta)
		return size - 0.5f * l->beta;
	*slope = x / l->beta;
	return 0.5f * x * x / l->beta;
}

/* With p the sigmoid of x, target t and weight w: -w t log p - (1 - t) log (1 -
   p), in a form that does not overflow; its derivative is p - t for a weight
   of 1. */
static float
bce_logits(const struct loss *l, int element, float x, float target,
    float *slope)
{
	const float more = (weight_of(l, element) - 1) * target;
	const float e = expf(-fabsf(x));
	const float p = x >= 0 ? 1 / (1 + e) : e / (1 + e);

	*slope = p - target + more * (p - 1);
	return (x > 0 ? x : 0) - x * target + log1pf(e) +
	    more * (log1pf(e) + (x > 0 ? 0 : -x));
}

/* A loss is of places with a class each, or of elements. */
static const struct {
	float (*place)(const struct loss *, int step, int classes,
	    const float *outputs, int label, float scale, float *gradient);
	float (*element)(const struct loss *, int element, float output,
	    float target, float *slope);
} losses[LOSS_KINDS] = {
	[LOSS_CROSS_ENTROPY] = { cross_entropy, NULL },
	[LOSS_NLL] = { nll, NULL },
	[LOSS_MSE] = { NULL, mse },
	[LOSS_BCE_LOGITS] = { NULL, bce_logits },
	[LOSS_L1] = { NULL, l1 },
	[LOSS_SMOOTH_L1] = { NULL, smooth_l1 },
};

/* A loss being computed. */
struct loss_work {
	const struct loss *loss;
	const struct loss_target *target;
	struct kernel_axis axis;
	int lanes;
	int elements, targets; /* a sample's outputs and targets */
	float scale;
	struct outcome *outcome;
};

static double
target_at(const struct loss_target *t, ptrdiff_t at)
{
	return t->bytes != NULL ? t->bytes[at] :
	    t->integers != NULL ? (double)t->integers[at] :
				  (double)t->floats[at];
}

static bool
is_ignored(const struct loss_work *w, double target)
{
	return w->loss->ignores && target == w->loss->ignore_index;
}

/* Add up the weights of targets that have a loss; refuse one that is not a
   class. */
static int
check_targets(struct loss_work *w, int samples, struct error *e)
{
	const ptrdiff_t count = (ptrdiff_t)samples * w->targets;
	double target;
	ptrdiff_t i;

	w->outcome->losses = (double)count;
	if (!loss_has_classes(w->loss->kind))
		return 0;
	w->outcome->losses = 0;
	for (i = 0; i < count; i++) {
		target = target_at(w->target, i);
		if (is_ignored(w, target))
			continue;
		if (!(target >= 0 && target < w->axis.count))
			return error_set(e,
			    "%s: target %g of sample %td is not a class from 0 "
			    "to %d",
			    loss_words[w->loss->kind], target, i / w->targets,
			    w->axis.count - 1);
		w->outcome->losses += (double)weight_of(w->loss, (int)target);
	}
	return 0;
}

/* Whether the first of the largest outputs is at the label, like torch.argmax()
   on the CPU. */
static bool
is_correct(int step, int classes, const float *outputs, int label)
{
	int i, best = 0;

	for (i = 1; i < classes; i++)
		if (outputs[i * step] > outputs[best * step])
			best = i;
	return best == label;
}

/* Compute the losses of one sample's places. */
static void
sample_places(struct loss_work *w, int sample, const float *outputs,
    float *gradient)
{
	const struct kernel_axis *a = &w->axis;
	const int step = a->inner * w->lanes;
	double target;
	int i;

	for (i = 0; i < w->targets; i++) {
		const ptrdiff_t at =
		    ((ptrdiff_t)(i / a->inner) * a->count * a->inner +
			i % a->inner) *
		    w->lanes;

		target = target_at(w->target,
		    (ptrdiff_t)sample * w->targets + i);
		if (is_ignored(w, target))
			continue;
		w->outcome->loss += (double)losses[w->loss->kind].place(w->loss,
		    step, a->count, outputs + at, (int)target, w->scale,
		    gradient == NULL ? NULL : gradient + at);
		w->outcome->correct += is_correct(step, a->count, outputs + at,
		    (int)target);
	}
}

static void
sample_elements(struct loss_work *w, int sample, const float *outputs,
    float *gradient)
{
	float slope;
	int i;

	for (i = 0; i < w->targets; i++) {
		w->outcome->loss +=
		    (double)losses[w->loss->kind].element(w->loss, i,
			outputs[i * w->lanes],
			(float)target_at(w->target,
			    (ptrdiff_t)sample * w->targets + i),
			&slope);
		if (gradient != NULL)
			gradient[i * w->lanes] = slope * w->scale;
	}
}

int
loss_compute(const struct loss *l, int lanes, struct shape shape, int samples,
    const float *outputs, const struct loss_target *target, float *gradient,
    struct outcome *outcome, struct error *e)
{
	struct loss_work w = { .loss = l,
		.target = target,
		.axis = layer_shape_axis(shape, l->axis),
		.lanes = lanes,
		.elements = layer_shape_elements(shape),
		.targets = loss_targets(l, shape),
		.scale = 1,
		.outcome = outcome };
	const int blocks = (samples + lanes - 1) / lanes;
	int n;

	*outcome = (struct outcome){ .samples = samples };
	if (check_targets(&w, samples, e) != 0)
		return -1;
	if (!l->sum)
		w.scale = 1.0f / (float)outcome->losses;
	if (gradient != NULL)
		memset(gradient, 0,
		    (size_t)blocks * (size_t)lanes * (size_t)w.elements *
			sizeof(float));
	for (n = 0; n < samples; n++) {
		const ptrdiff_t at =
		    (ptrdiff_t)(n / lanes) * w.elements * lanes + n % lanes;

		(loss_has_classes(l->kind) ? sample_places :
					     sample_elements)(&w, n,
		    outputs + at, gradient == NULL ? NULL : gradient + at);
	}
	return 0;
}
