#include "tests/unit/reference.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/layer_shape.h"

int
reference_elements(const struct reference *r, int index)
{
	return layer_shape_elements(index == r->model->layer_count ?
		r->model->layers[index - 1].out :
		r->model->layers[index].in);
}

void
reference_init(struct reference *r, const struct model *m, int samples)
{
	size_t count;
	int i;

	memset(r, 0, sizeof(*r));
	r->model = m;
	r->samples = samples;
	for (i = 0; i <= m->layer_count; i++) {
		count = (size_t)samples * (size_t)reference_elements(r, i);
		r->values[i] = xcalloc(count, sizeof(double));
		r->gradients[i] = xcalloc(count, sizeof(double));
	}
	r->parameters = xcalloc(m->parameter_count + 1, sizeof(double));
	r->parameter_gradients = xcalloc(m->parameter_count + 1,
	    sizeof(double));
}

void
reference_release(struct reference *r)
{
	int i;

	for (i = 0; i <= r->model->layer_count; i++) {
		free(r->values[i]);
		free(r->gradients[i]);
	}
	free(r->parameters);
	free(r->parameter_gradients);
}

/* One layer of one sample; the gradients are NULL on the way forward. */
struct place {
	const struct layer *l;
	const double *in, *weights, *biases;
	double *out;
	double *gradient_in, *gradient_weights;
	double *gradient_biases;
	const double *gradient_out;
};

/* One product of a weight and an input, forward or backward. */
static void
product(const struct place *p, int out, int in, int weight)
{
	if (p->gradient_out == NULL) {
		p->out[out] += p->weights[weight] * p->in[in];
		return;
	}
	p->gradient_in[in] += p->weights[weight] * p->gradient_out[out];
	p->gradient_weights[weight] += p->in[in] * p->gradient_out[out];
}

static void
bias(const struct place *p, int out, int channel)
{
	if (p->gradient_out != NULL && p->l->biases > 0)
		p->gradient_biases[channel] += p->gradient_out[out];
	if (p->gradient_out == NULL)
		p->out[out] = p->l->biases > 0 ? p->biases[channel] : 0;
}

/* Where tap `tap` of output y, x of a window stands in a plane; -1: outside. */
static int
tap_place(const struct layer *l, int y, int x, int tap)
{
	const struct window_side wy = layer_shape_window(&l->spec, AXIS_HEIGHT),
				 wx = layer_shape_window(&l->spec, AXIS_WIDTH);

	y = y * wy.stride - wy.padding + tap / wx.kernel * wy.dilation;
	x = x * wx.stride - wx.padding + tap % wx.kernel * wx.dilation;
	if (y < 0 || x < 0 || y >= l->in.height || x >= l->in.width)
		return -1;
	return y * l->in.width + x;
}

static int
taps_of(const struct layer *l)
{
	return layer_shape_window(&l->spec, AXIS_HEIGHT).kernel *
	    layer_shape_window(&l->spec, AXIS_WIDTH).kernel;
}

static void
conv2d(const struct place *p)
{
	const struct layer *l = p->l;
	const int width = l->out.width, area = l->out.height * width;
	const int in_area = l->in.height * l->in.width;
	const int taps = taps_of(l);
	int out, i, at, o;

	for (out = 0; out < l->out.channels * area; out++) {
		o = out / area;
		bias(p, out, o);
		for (i = 0; i < l->in.channels * taps; i++) {
			at = tap_place(l, out % area / width, out % width,
			    i % taps);
			if (at >= 0)
				product(p, out, i / taps * in_area + at,
				    o * l->in.channels * taps + i);
		}
	}
}

static void
linear(const struct place *p)
{
	/* A row of the last axis at a time, unless the input is flat. */
	const int all = layer_shape_elements(p->l->in);
	const int rows = p->l->in.height * p->l->in.width == 1 ?
	    1 :
	    p->l->in.channels * p->l->in.height;
	const int in = all / rows, out = p->l->spec.out;
	int r, o, i;

	for (r = 0; r < rows; r++) {
		for (o = 0; o < out; o++) {
			bias(p, r * out + o, o);
			for (i = 0; i < in; i++)
				product(p, r * out + o, r * in + i, o * in + i);
		}
	}
}

static void
maxpool2d(const struct place *p)
{
	const struct layer *l = p->l;
	const int width = l->out.width, area = l->out.height * width;
	const int in_area = l->in.height * l->in.width;
	int out, tap, at, best;

	for (out = 0; out < l->out.channels * area; out++) {
		best = -1;
		for (tap = 0; tap < taps_of(l); tap++) {
			at = tap_place(l, out % area / width, out % width, tap);
			if (at < 0)
				continue;
			at += out / area * in_area;
			if (best < 0 || p->in[at] > p->in[best])
				best = at;
		}
		if (p->gradient_out != NULL)
			p->gradient_in[best] += p->gradient_out[out];
		else
			p->out[out] = p->in[best];
	}
}

static void
pass(const struct place *p, bool all)
{
	int i;

	for (i = 0; i < layer_shape_elements(p->l->in); i++) {
		const bool passes = all || p->in[i] > 0;

		if (p->gradient_out != NULL)
			p->gradient_in[i] = passes ? p->gradient_out[i] : 0;
		else
			p->out[i] = passes ? p->in[i] : 0;
	}
}

static void
compute(const struct place *p)
{
	switch (p->l->spec.kind) {
	case LAYER_CONV2D:
		conv2d(p);
		break;
	case LAYER_MAXPOOL2D:
		maxpool2d(p);
		break;
	case LAYER_RELU:
		pass(p, false);
		break;
	case LAYER_FLATTEN:
		pass(p, true);
		break;
	case LAYER_LINEAR:
		linear(p);
		break;
	default:
		break;
	}
}

/* Layer `index` of a sample. */
static struct place
place_of(struct reference *r, int index, int sample)
{
	const struct layer *l = &r->model->layers[index];

	return (struct place){ .l = l,
		.in = r->values[index] + sample * layer_shape_elements(l->in),
		.out = r->values[index + 1] +
		    sample * layer_shape_elements(l->out),
		.weights = r->parameters + l->first,
		.biases = r->parameters + l->first + l->weights };
}

void
reference_forward(struct reference *r)
{
	struct place p;
	int i, n;

	for (i = 0; i < r->model->layer_count; i++) {
		for (n = 0; n < r->samples; n++) {
			p = place_of(r, i, n);
			compute(&p);
		}
	}
}

void
reference_backward(struct reference *r)
{
	const struct layer *l;
	struct place p;
	int i, n;

	for (i = r->model->layer_count - 1; i >= 0; i--) {
		l = &r->model->layers[i];
		memset(r->gradients[i], 0,
		    (size_t)r->samples * (size_t)layer_shape_elements(l->in) *
			sizeof(double));
		for (n = 0; n < r->samples; n++) {
			p = place_of(r, i, n);
			p.gradient_in = r->gradients[i] +
			    n * layer_shape_elements(l->in);
			p.gradient_out = r->gradients[i + 1] +
			    n * layer_shape_elements(l->out);
			p.gradient_weights = r->parameter_gradients + l->first;
			p.gradient_biases = p.gradient_weights + l->weights;
			compute(&p);
		}
	}
}

static size_t
lane_place(int sample, int element, int elements, int lanes)
{
	return ((size_t)(sample / lanes) * (size_t)elements + (size_t)element) *
	    (size_t)lanes +
	    (size_t)(sample % lanes);
}

void
lanes_put(const double *from, int samples, int elements, int lanes, float *to)
{
	int n, i;

	for (n = 0; n < samples; n++)
		for (i = 0; i < elements; i++)
			to[lane_place(n, i, elements, lanes)] = (float)*from++;
}

void
lanes_get(const float *from, int samples, int elements, int lanes, double *to)
{
	int n, i;

	for (n = 0; n < samples; n++)
		for (i = 0; i < elements; i++)
			*to++ = (double)from[lane_place(n, i, elements, lanes)];
}

void
reference_loss(int lanes, int classes, int samples, const float *outputs,
    const uint8_t *labels, float *gradient, struct outcome *outcome)
{
	const struct loss loss = { .kind = LOSS_CROSS_ENTROPY };
	const struct loss_target target = { .bytes = labels };

	if (loss_compute(&loss, lanes, (struct shape){ classes, 1, 1 }, samples,
		outputs, &target, gradient, outcome, NULL) != 0)
		abort();
}
