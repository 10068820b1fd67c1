/*
 * The shape of each kind of layer: its output, or why its arguments and inputs
 * do not fit.
 */
#include "ipu/nn/layer_shape.h"

int
layer_shape_elements(struct shape s)
{
	return s.channels * s.height * s.width;
}

/*
 * Along the width of 2 x 3 x 5: outer 6, count 5, inner 1.  Along the channels:
 * outer 1, count 2, inner 15.
 */
struct kernel_axis
layer_shape_axis(struct shape s, enum model_axis axis)
{
	const int plane = s.height * s.width;

	switch (axis) {
	case AXIS_CHANNELS:
		return (struct kernel_axis){ 1, s.channels, plane };
	case AXIS_HEIGHT:
		return (struct kernel_axis){ s.channels, s.height, s.width };
	case AXIS_WIDTH:
		return (struct kernel_axis){ s.channels * s.height, s.width,
			1 };
	case AXIS_PLANE:
		return (struct kernel_axis){ s.channels, plane, 1 };
	case AXIS_ALL:
		return (struct kernel_axis){ 1, s.channels * plane, 1 };
	case AXIS_FEATURES:
		break;
	}
	return layer_shape_axis(s, plane == 1 ? AXIS_CHANNELS : AXIS_WIDTH);
}

/* Return the size along one of the three axes, to be changed. */
static int *
size_along(struct shape *s, enum model_axis axis)
{
	if (axis == AXIS_FEATURES)
		axis = s->height == 1 && s->width == 1 ?
		    AXIS_CHANNELS :
		    AXIS_WIDTH;
	return axis == AXIS_CHANNELS ? &s->channels :
	    axis == AXIS_HEIGHT	     ? &s->height :
				       &s->width;
}

/* Refuse an axis that is several of the three. */
static int
check_axis(const struct layer *l, struct error *e)
{
	if (l->spec.axis != AXIS_PLANE && l->spec.axis != AXIS_ALL)
		return 0;
	return error_set(e, "axis must be channels, height or width");
}

struct window_side
layer_shape_window(const struct layer_spec *s, enum model_axis axis)
{
	struct window_side w = axis == AXIS_WIDTH && s->x.kernel > 0 ?
	    s->x :
	    s->y;

	if (w.dilation == 0)
		w.dilation = 1;
	return w;
}

/* Refuse a window with numbers that are too small or too large. */
static int
check_window(struct window_side w, struct error *e)
{
	if (w.kernel < 1 || w.stride < 1 || w.padding < 0)
		return error_set(e,
		    "kernel and stride must be at least 1, padding at "
		    "least 0");
	if (w.stride > MODEL_FLOATS_MAX || w.padding > MODEL_FLOATS_MAX)
		return error_set(e, "stride and padding must be at most %d",
		    MODEL_FLOATS_MAX);
	if (w.dilation < 1)
		return error_set(e, "dilation must be at least 1");
	return 0;
}

/* Return how many elements a window spans. */
static long long
extent(struct window_side w)
{
	return (long long)w.dilation * (w.kernel - 1) + 1;
}

/*
 * Return the places of a window along `size` with `padding` on both sides.
 *
 * 28 wide, a kernel of 5, stride 1: 24.  24 wide, 2, stride 2: 12.
 */
static int
places(struct window_side w, int size)
{
	return (int)(size + 2 * w.padding - extent(w)) / w.stride + 1;
}

/* Compute the output of a layer with a window, such as conv2d. */
static int
window_output(struct layer *l, struct error *e)
{
	const struct window_side y = layer_shape_window(&l->spec, AXIS_HEIGHT),
				 x = layer_shape_window(&l->spec, AXIS_WIDTH);
	int height, width;

	if (check_window(y, e) != 0 || check_window(x, e) != 0)
		return -1;
	height = l->in.height + 2 * y.padding;
	width = l->in.width + 2 * x.padding;
	if (extent(y) > height || extent(x) > width)
		return error_set(e,
		    "a window of %lld x %lld does not fit into %d x %d",
		    extent(y), extent(x), height, width);
	l->out.height = places(y, l->in.height);
	l->out.width = places(x, l->in.width);
	return 0;
}

/* Compute the output of a pool. */
static int
pool_output(struct layer *l, struct error *e)
{
	static const enum model_axis axes[2] = { AXIS_HEIGHT, AXIS_WIDTH };
	struct window_side w;
	int i;

	if (window_output(l, e) != 0)
		return -1;
	for (i = 0; i < 2; i++) {
		w = layer_shape_window(&l->spec, axes[i]);
		if (w.padding > w.kernel / 2)
			return error_set(e,
			    "padding %d is more than half the kernel",
			    w.padding);
	}
	return 0;
}

/* Refuse a layer without outputs. */
static int
check_out(const struct layer *l, struct error *e)
{
	if (l->spec.out > 0)
		return 0;
	return error_set(e, "has no outputs");
}

int
layer_shape_conv(struct layer *l, const struct shape *in, struct error *e)
{
	const int groups = l->spec.groups > 1 ? l->spec.groups : 1;

	(void)in;
	if (l->in.channels % groups != 0 || l->spec.out % groups != 0)
		return error_set(e,
		    "%d groups do not divide %d and %d channels", groups,
		    l->in.channels, l->spec.out);
	l->out.channels = l->spec.out;
	if (window_output(l, e) != 0)
		return -1;
	return check_out(l, e);
}

int
layer_shape_maxpool(struct layer *l, const struct shape *in, struct error *e)
{
	const int height = layer_shape_window(&l->spec, AXIS_HEIGHT).kernel;
	const int width = layer_shape_window(&l->spec, AXIS_WIDTH).kernel;

	(void)in;
	if (pool_output(l, e) != 0)
		return -1;
	if ((double)height * width > POOL_AREA_MAX)
		return error_set(e,
		    "a window of %d x %d has more than %d elements", height,
		    width, POOL_AREA_MAX);
	return 0;
}

int
layer_shape_flatten(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	(void)e;
	l->out = (struct shape){ layer_shape_elements(l->in), 1, 1 };
	return 0;
}

/* A flat input is one vector of features; each row of another one is. */
int
layer_shape_linear(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	*size_along(&l->out, AXIS_FEATURES) = l->spec.out;
	return check_out(l, e);
}

int
layer_shape_add(struct layer *l, const struct shape *in, struct error *e)
{
	(void)l;
	if ((in[0].channels == in[1].channels || in[1].channels == 1) &&
	    (in[0].height == in[1].height || in[1].height == 1) &&
	    (in[0].width == in[1].width || in[1].width == 1))
		return 0;
	return error_set(e,
	    "its inputs are %d x %d x %d and %d x %d x %d, but must be "
	    "equal, or 1 in the second",
	    in[0].channels, in[0].height, in[0].width, in[1].channels,
	    in[1].height, in[1].width);
}

/* Only the sizes along the axis may differ; it is that of the first input. */
int
layer_shape_concat(struct layer *l, const struct shape *in, struct error *e)
{
	int *size = size_along(&l->out, l->spec.axis);
	struct shape rest;
	int i, more;

	if (check_axis(l, e) != 0)
		return -1;
	for (i = 1; i < l->input_count; i++) {
		rest = in[i];
		more = *(size - &l->out.channels + &rest.channels);
		*(size - &l->out.channels + &rest.channels) =
		    *(size - &l->out.channels + &l->in.channels);
		if (rest.channels != l->in.channels ||
		    rest.height != l->in.height || rest.width != l->in.width)
			return error_set(e,
			    "input %d is %d x %d x %d, which differs from "
			    "the first in more than the axis",
			    i + 1, in[i].channels, in[i].height, in[i].width);
		if (more > MODEL_FLOATS_MAX - *size)
			return error_set(e, "too many outputs");
		*size += more;
	}
	return 0;
}

int
layer_shape_slice(struct layer *l, const struct shape *in, struct error *e)
{
	int *size = size_along(&l->out, l->spec.axis);

	(void)in;
	if (check_axis(l, e) != 0)
		return -1;
	if (l->spec.start < 0 || l->spec.length < 1 ||
	    l->spec.start > *size - l->spec.length)
		return error_set(e, "%d from %d on do not fit into %d",
		    l->spec.length, l->spec.start, *size);
	*size = l->spec.length;
	return 0;
}

int
layer_shape_reshape(struct layer *l, const struct shape *in, struct error *e)
{
	const int *n = l->spec.sizes;

	(void)in;
	if (n[0] < 1 || n[1] < 1 || n[2] < 1 ||
	    (double)n[0] * n[1] * n[2] != layer_shape_elements(l->in))
		return error_set(e,
		    "%d x %d x %d does not have the %d elements of its "
		    "input",
		    n[0], n[1], n[2], layer_shape_elements(l->in));
	l->out = (struct shape){ n[0], n[1], n[2] };
	return 0;
}

/* The order "1x0x2" exchanges channels and height. */
int
layer_shape_permute(struct layer *l, const struct shape *in, struct error *e)
{
	const int sizes[3] = { l->in.channels, l->in.height, l->in.width };
	const int *order = l->spec.sizes;
	int i, seen = 0;

	(void)in;
	for (i = 0; i < 3; i++)
		if (order[i] >= 0 && order[i] < 3)
			seen |= 1 << order[i];
	if (seen != 7)
		return error_set(e,
		    "the order must have 0, 1 and 2, such as 1x0x2");
	l->out = (struct shape){ sizes[order[0]], sizes[order[1]],
		sizes[order[2]] };
	return 0;
}

int
layer_shape_avgpool(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	return pool_output(l, e);
}

int
layer_shape_mean(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	(void)e;
	if (l->spec.axis == AXIS_ALL)
		l->out.channels = 1;
	if (l->spec.axis == AXIS_ALL || l->spec.axis == AXIS_PLANE)
		l->out.height = l->out.width = 1;
	else
		*size_along(&l->out, l->spec.axis) = 1;
	return 0;
}

int
layer_shape_layer_norm(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	if (layer_shape_axis(l->in, l->spec.axis).inner == 1)
		return 0;
	return error_set(e, "axis must be features, width, plane or all");
}

int
layer_shape_dropout(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	if (l->spec.value >= 0 && l->spec.value < 1)
		return 0;
	return error_set(e, "p must be at least 0 and less than 1");
}

/* Each number of the input becomes a row. */
int
layer_shape_embedding(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	l->out = (struct shape){ 1, layer_shape_elements(l->in), l->spec.out };
	if (l->spec.length < 1)
		return error_set(e, "has no rows");
	return check_out(l, e);
}

/* Multiplies rows x terms by terms x columns in each channel. */
int
layer_shape_matmul(struct layer *l, const struct shape *in, struct error *e)
{
	const bool t = l->spec.variant;
	const int terms = t ? in[1].width : in[1].height;

	l->out.width = t ? in[1].height : in[1].width;
	if (in[0].channels == in[1].channels && in[0].width == terms)
		return 0;
	return error_set(e,
	    "%d x %d x %d by %d x %d x %d%s: the channels and the terms "
	    "must be equal",
	    in[0].channels, in[0].height, in[0].width, in[1].channels,
	    in[1].height, in[1].width, t ? " transposed" : "");
}
