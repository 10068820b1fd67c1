/*
 * The rows of all layers, with the rules of their shapes.  Flop per output
 * without a source are estimates.
 */
#include "ipu/nn/layer_row.h"

#include "core/base/alloc.h"

const char *const layer_row_axes[] = { "features", "channels", "height",
	"width", "plane", "all", NULL };

static const char *
kind_of(const struct layer *l)
{
	return layer_row(l->spec.kind)->name;
}

/*
 * Along the width of 2 x 3 x 5: outer 6, count 5, inner 1.  Along the channels:
 * outer 1, count 2, inner 15.
 */
struct kernel_axis
layer_row_axis(struct shape s, enum model_axis axis)
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
	return layer_row_axis(s, plane == 1 ? AXIS_CHANNELS : AXIS_WIDTH);
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
	return error_set(e, "%s: axis must be channels, height or width",
	    kind_of(l));
}

/*
 * Return the places of a window along `size` with `padding` on both sides.
 *
 * 28 wide, a kernel of 5, stride 1: 24.  24 wide, 2, stride 2: 12.
 */
static int
places(const struct layer_spec *s, int size)
{
	return (size + 2 * s->padding - s->kernel) / s->stride + 1;
}

/* Compute the output of a layer with a window, such as conv2d. */
static int
window_output(struct layer *l, struct error *e)
{
	const struct layer_spec *s = &l->spec;
	const struct shape in = l->in;

	if (s->kernel < 1 || s->stride < 1 || s->padding < 0)
		return error_set(e,
		    "%s: kernel and stride must be at least 1, padding at "
		    "least 0",
		    kind_of(l));
	if (s->stride > MODEL_FLOATS_MAX || s->padding > MODEL_FLOATS_MAX)
		return error_set(e, "%s: stride and padding must be at most %d",
		    kind_of(l), MODEL_FLOATS_MAX);
	if (s->kernel > in.height + 2 * s->padding ||
	    s->kernel > in.width + 2 * s->padding)
		return error_set(e,
		    "%s: a window of %d x %d does not fit into %d x %d",
		    kind_of(l), s->kernel, s->kernel,
		    in.height + 2 * s->padding, in.width + 2 * s->padding);
	l->out.height = places(s, in.height);
	l->out.width = places(s, in.width);
	return 0;
}

/* Refuse a layer without outputs. */
static int
check_out(const struct layer *l, struct error *e)
{
	if (l->spec.out > 0)
		return 0;
	return error_set(e, "%s: has no outputs", kind_of(l));
}

static int
shape_conv(struct layer *l, const struct shape *in, struct error *e)
{
	const int groups = l->spec.groups > 1 ? l->spec.groups : 1;

	(void)in;
	if (l->in.channels % groups != 0 || l->spec.out % groups != 0)
		return error_set(e,
		    "%s: %d groups do not divide %d and %d channels",
		    kind_of(l), groups, l->in.channels, l->spec.out);
	l->out.channels = l->spec.out;
	if (window_output(l, e) != 0)
		return -1;
	return check_out(l, e);
}

static int
shape_maxpool(struct layer *l, const struct shape *in, struct error *e)
{
	const struct layer_spec *s = &l->spec;

	(void)in;
	if (window_output(l, e) != 0)
		return -1;
	if (s->kernel > POOL_KERNEL_MAX)
		return error_set(e, "%s: kernel must be at most %d", kind_of(l),
		    POOL_KERNEL_MAX);
	if (s->padding > s->kernel / 2)
		return error_set(e,
		    "%s: padding %d is more than half the kernel", kind_of(l),
		    s->padding);
	return 0;
}

static int
shape_flatten(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	(void)e;
	l->out = (struct shape){ model_shape_elements(l->in), 1, 1 };
	return 0;
}

/* A flat input is one vector of features; each row of another one is. */
static int
shape_linear(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	*size_along(&l->out, AXIS_FEATURES) = l->spec.out;
	return check_out(l, e);
}

static int
shape_add(struct layer *l, const struct shape *in, struct error *e)
{
	if (in[0].channels == in[1].channels && in[0].height == in[1].height &&
	    in[0].width == in[1].width)
		return 0;
	return error_set(e,
	    "%s: its inputs are %d x %d x %d and %d x %d x %d, but must be "
	    "equal",
	    kind_of(l), in[0].channels, in[0].height, in[0].width,
	    in[1].channels, in[1].height, in[1].width);
}

/* Only the sizes along the axis may differ; it is that of the first input. */
static int
shape_concat(struct layer *l, const struct shape *in, struct error *e)
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
			    "%s: input %d is %d x %d x %d, which differs from "
			    "the first in more than the axis",
			    kind_of(l), i + 1, in[i].channels, in[i].height,
			    in[i].width);
		if (more > MODEL_FLOATS_MAX - *size)
			return error_set(e, "%s: too many outputs", kind_of(l));
		*size += more;
	}
	return 0;
}

static int
shape_slice(struct layer *l, const struct shape *in, struct error *e)
{
	int *size = size_along(&l->out, l->spec.axis);

	(void)in;
	if (check_axis(l, e) != 0)
		return -1;
	if (l->spec.start < 0 || l->spec.length < 1 ||
	    l->spec.start > *size - l->spec.length)
		return error_set(e, "%s: %d from %d on do not fit into %d",
		    kind_of(l), l->spec.length, l->spec.start, *size);
	*size = l->spec.length;
	return 0;
}

static int
shape_reshape(struct layer *l, const struct shape *in, struct error *e)
{
	const int *n = l->spec.sizes;

	(void)in;
	if (n[0] < 1 || n[1] < 1 || n[2] < 1 ||
	    (double)n[0] * n[1] * n[2] != model_shape_elements(l->in))
		return error_set(e,
		    "%s: %d x %d x %d does not have the %d elements of its "
		    "input",
		    kind_of(l), n[0], n[1], n[2], model_shape_elements(l->in));
	l->out = (struct shape){ n[0], n[1], n[2] };
	return 0;
}

/* The order "1x0x2" exchanges channels and height. */
static int
shape_permute(struct layer *l, const struct shape *in, struct error *e)
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
		    "%s: the order must have 0, 1 and 2, such as 1x0x2",
		    kind_of(l));
	l->out = (struct shape){ sizes[order[0]], sizes[order[1]],
		sizes[order[2]] };
	return 0;
}

static int
shape_avgpool(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	if (window_output(l, e) != 0)
		return -1;
	if (l->spec.padding > l->spec.kernel / 2)
		return error_set(e,
		    "%s: padding %d is more than half the kernel", kind_of(l),
		    l->spec.padding);
	return 0;
}

static int
shape_mean(struct layer *l, const struct shape *in, struct error *e)
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

static int
shape_layer_norm(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	if (layer_row_axis(l->in, l->spec.axis).inner == 1)
		return 0;
	return error_set(e, "%s: axis must be features, width, plane or all",
	    kind_of(l));
}

static int
shape_dropout(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	if (l->spec.value >= 0 && l->spec.value < 1)
		return 0;
	return error_set(e, "%s: p must be at least 0 and less than 1",
	    kind_of(l));
}

/* Each number of the input becomes a row. */
static int
shape_embedding(struct layer *l, const struct shape *in, struct error *e)
{
	(void)in;
	l->out = (struct shape){ 1, model_shape_elements(l->in), l->spec.out };
	if (l->spec.length < 1)
		return error_set(e, "%s: has no rows", kind_of(l));
	return check_out(l, e);
}

/* Of each channel: rows x terms by terms x columns. */
static int
shape_matmul(struct layer *l, const struct shape *in, struct error *e)
{
	const bool t = l->spec.variant;
	const int terms = t ? in[1].width : in[1].height;

	l->out.width = t ? in[1].height : in[1].width;
	if (in[0].channels == in[1].channels && in[0].width == terms)
		return 0;
	return error_set(e,
	    "%s: %d x %d x %d by %d x %d x %d%s: the channels and the terms "
	    "must be equal",
	    kind_of(l), in[0].channels, in[0].height, in[0].width,
	    in[1].channels, in[1].height, in[1].width, t ? " transposed" : "");
}

/* ---- parameters ---- */

static double
weights_conv(const struct layer *l)
{
	return (double)l->spec.out * l->in.channels * l->spec.kernel *
	    l->spec.kernel / (l->spec.groups > 1 ? l->spec.groups : 1);
}

static double
weights_linear(const struct layer *l)
{
	return (double)l->spec.out * layer_row_axis(l->in, AXIS_FEATURES).count;
}

static double
biases_out(const struct layer *l)
{
	return l->spec.no_bias ? 0 : l->spec.out;
}

/* A weight and a bias for each channel, or for each element of the axis. */
static double
weights_batch_norm(const struct layer *l)
{
	return l->spec.no_bias ? 0 : l->in.channels;
}

static double
buffers_batch_norm(const struct layer *l)
{
	return 2.0 * l->in.channels;
}

static double
weights_layer_norm(const struct layer *l)
{
	return l->spec.no_bias ? 0 : layer_row_axis(l->in, l->spec.axis).count;
}

static double
weights_embedding(const struct layer *l)
{
	return (double)l->spec.length * l->spec.out;
}

/* A tensor of the input's shape, or of one channel for all. */
static double
added_elements(const struct layer *l)
{
	return model_shape_elements(l->in) /
	    (l->spec.variant ? l->in.channels : 1);
}

/* ---- memory ---- */

/* The mean and one over the deviation of each channel. */
static size_t
saved_batch_norm(const struct layer *l, size_t vectors)
{
	(void)vectors;
	return 2 * (size_t)l->in.channels;
}

/* The same of each line of each sample. */
static size_t
saved_layer_norm(const struct layer *l, size_t vectors)
{
	return 2 * vectors * (size_t)layer_row_axis(l->in, l->spec.axis).outer;
}

/* The gradients of weights and biases before their lanes are added up. */
static size_t
scratch_layer_norm(const struct layer *l, int lanes)
{
	return 2 * (size_t)lanes *
	    (size_t)layer_row_axis(l->in, l->spec.axis).count;
}

/* ---- arithmetic; a multiplication and an addition count as two ---- */

static double
work_conv(const struct layer *l, bool backward)
{
	(void)backward;
	return 2.0 * model_shape_elements(l->out) * l->spec.kernel *
	    l->spec.kernel * l->in.channels /
	    (l->spec.groups > 1 ? l->spec.groups : 1);
}

static double
work_linear(const struct layer *l, bool backward)
{
	(void)backward;
	return 2.0 * model_shape_elements(l->out) *
	    layer_row_axis(l->in, AXIS_FEATURES).count;
}

static double
work_matmul(const struct layer *l, bool backward)
{
	return (backward ? 4.0 : 2.0) * model_shape_elements(l->out) *
	    l->in.width;
}

static double
work_mean(const struct layer *l, bool backward)
{
	(void)backward;
	return model_shape_elements(l->in);
}

static double
work_maxpool(const struct layer *l, bool backward)
{
	return backward ? model_shape_elements(l->in) :
			  (double)model_shape_elements(l->out) *
		l->spec.kernel * l->spec.kernel;
}

#define ELEMENTWISE(text, bits, forward, back) \
	{ \
		.name = (text), .class = OPERATION_ELEMENTWISE, \
		.traits = (bits), .flops = (forward), .backward_flops = (back) \
	}
#define OUT_ONLY (LAYER_KEEPS_OUT | LAYER_DROPS_INS)

static const struct layer_row rows[LAYER_KINDS] = {
	[LAYER_CONV2D] = { .name = "conv2d",
	    .class = OPERATION_CONVOLUTION,
	    .shape = shape_conv,
	    .weights = weights_conv,
	    .biases = biases_out,
	    .work = work_conv },
	[LAYER_MAXPOOL2D] = { .name = "maxpool2d",
	    .class = OPERATION_REDUCTION,
	    .traits = LAYER_MARKS | LAYER_DROPS_INS,
	    .shape = shape_maxpool,
	    .work = work_maxpool },
	[LAYER_RELU] = ELEMENTWISE("relu", LAYER_MARKS | LAYER_DROPS_INS, 1, 1),
	[LAYER_FLATTEN] = { .name = "flatten",
	    .class = OPERATION_VIEW,
	    .traits = LAYER_VIEW,
	    .shape = shape_flatten },
	[LAYER_LINEAR] = { .name = "linear",
	    .class = OPERATION_MATMUL,
	    .shape = shape_linear,
	    .weights = weights_linear,
	    .biases = biases_out,
	    .work = work_linear },
	[LAYER_ADD] = { .name = "add",
	    .class = OPERATION_ELEMENTWISE,
	    .traits = LAYER_DROPS_INS,
	    .inputs_min = 2,
	    .inputs_max = 2,
	    .shape = shape_add,
	    .flops = 1 },
	[LAYER_SCALE] = ELEMENTWISE("scale", LAYER_DROPS_INS, 1, 1),
	[LAYER_CONCAT] = { .name = "concat",
	    .class = OPERATION_COPY,
	    .traits = LAYER_DROPS_INS,
	    .inputs_min = 2,
	    .inputs_max = KERNEL_INPUTS_MAX,
	    .shape = shape_concat },
	[LAYER_SLICE] = { .name = "slice",
	    .class = OPERATION_COPY,
	    .traits = LAYER_DROPS_INS,
	    .shape = shape_slice },
	[LAYER_RESHAPE] = { .name = "reshape",
	    .class = OPERATION_VIEW,
	    .traits = LAYER_VIEW,
	    .shape = shape_reshape },
	[LAYER_PERMUTE] = { .name = "permute",
	    .class = OPERATION_COPY,
	    .traits = LAYER_DROPS_INS,
	    .shape = shape_permute },
	[LAYER_LEAKY_RELU] = ELEMENTWISE("leaky_relu", 0, 2, 2),
	[LAYER_GELU] = ELEMENTWISE("gelu", 0, 30, 50),
	[LAYER_TANH] = ELEMENTWISE("tanh", OUT_ONLY, 20, 3),
	[LAYER_SIGMOID] = ELEMENTWISE("sigmoid", OUT_ONLY, 20, 3),
	[LAYER_SOFTMAX] = { .name = "softmax",
	    .class = OPERATION_NORMALISATION,
	    .traits = OUT_ONLY,
	    .flops = 20,
	    .backward_flops = 4 },
	[LAYER_LOG_SOFTMAX] = { .name = "log_softmax",
	    .class = OPERATION_NORMALISATION,
	    .traits = OUT_ONLY,
	    .flops = 20,
	    .backward_flops = 20 },
	[LAYER_AVGPOOL2D] = { .name = "avgpool2d",
	    .class = OPERATION_REDUCTION,
	    .traits = LAYER_DROPS_INS,
	    .shape = shape_avgpool,
	    .work = work_maxpool },
	[LAYER_MEAN] = { .name = "mean",
	    .class = OPERATION_REDUCTION,
	    .traits = LAYER_DROPS_INS,
	    .shape = shape_mean,
	    .work = work_mean },
	[LAYER_BATCH_NORM] = { .name = "batch_norm",
	    .class = OPERATION_NORMALISATION,
	    .traits = LAYER_JOINS_SAMPLES,
	    .weights = weights_batch_norm,
	    .biases = weights_batch_norm,
	    .buffers = buffers_batch_norm,
	    .flops = 8,
	    .backward_flops = 12,
	    .start = START_NORM,
	    .saved = saved_batch_norm },
	[LAYER_LAYER_NORM] = { .name = "layer_norm",
	    .class = OPERATION_NORMALISATION,
	    .shape = shape_layer_norm,
	    .weights = weights_layer_norm,
	    .biases = weights_layer_norm,
	    .flops = 8,
	    .backward_flops = 12,
	    .start = START_NORM,
	    .saved = saved_layer_norm,
	    .scratch = scratch_layer_norm },
	[LAYER_DROPOUT] = { .name = "dropout",
	    .class = OPERATION_RANDOM,
	    .traits = LAYER_MARKS | LAYER_DROPS_INS | LAYER_JOINS_SAMPLES,
	    .shape = shape_dropout,
	    .flops = 10,
	    .backward_flops = 1 },
	[LAYER_EMBEDDING] = { .name = "embedding",
	    .class = OPERATION_COPY,
	    .shape = shape_embedding,
	    .weights = weights_embedding,
	    .flops = 0,
	    .backward_flops = 1,
	    .start = START_NORMAL },
	[LAYER_ADD_PARAMETER] = { .name = "add_parameter",
	    .class = OPERATION_ELEMENTWISE,
	    .traits = LAYER_DROPS_INS,
	    .weights = added_elements,
	    .flops = 1,
	    .backward_flops = 1,
	    .start = START_SMALL },
	[LAYER_ADD_CONSTANT] = { .name = "add_constant",
	    .class = OPERATION_ELEMENTWISE,
	    .traits = LAYER_DROPS_INS,
	    .buffers = added_elements,
	    .flops = 1,
	    .start = START_CAUSAL },
	[LAYER_MATMUL] = { .name = "matmul",
	    .class = OPERATION_MATMUL,
	    .inputs_min = 2,
	    .inputs_max = 2,
	    .shape = shape_matmul,
	    .work = work_matmul },
};

const struct layer_row *
layer_row(enum layer_kind kind)
{
	return &rows[kind];
}

double
layer_row_flops(const struct layer *l, bool backward)
{
	const struct layer_row *r = layer_row(l->spec.kind);

	if (r->work != NULL)
		return r->work(l, backward);
	return (backward ? r->backward_flops : r->flops) *
	    model_shape_elements(l->out);
}

int
layer_row_shape(struct layer *l, const struct shape *in, struct error *e)
{
	const struct layer_row *r = layer_row(l->spec.kind);
	const int most = r->inputs_max > 0 ? r->inputs_max : 1;

	if (l->input_count < r->inputs_min || l->input_count > most)
		return error_set(e, "%s: has %d inputs, but takes %s%d",
		    r->name, l->input_count,
		    r->inputs_min < r->inputs_max ? "2 to " : "", most);
	l->in = l->out = in[0];
	return r->shape == NULL ? 0 : r->shape(l, in, e);
}
