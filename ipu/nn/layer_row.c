/*
 * The rows of all layers, with the rules of their parameters and their memory;
 * layer_shape.c has those of their shapes.  Flop per output without a source
 * are estimates.
 */
#include "ipu/nn/layer_row.h"

#include "ipu/nn/layer_shape.h"

const char *const layer_row_axes[] = { "features", "channels", "height",
	"width", "plane", "all", NULL };

/* ---- parameters ---- */

/* Return the elements of a window. */
static double
window_area(const struct layer *l)
{
	return (double)layer_shape_window(&l->spec, AXIS_HEIGHT).kernel *
	    layer_shape_window(&l->spec, AXIS_WIDTH).kernel;
}

static double
weights_conv(const struct layer *l)
{
	return window_area(l) * l->spec.out * l->in.channels /
	    (l->spec.groups > 1 ? l->spec.groups : 1);
}

static double
weights_linear(const struct layer *l)
{
	return (double)l->spec.out *
	    layer_shape_axis(l->in, AXIS_FEATURES).count;
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
	return l->spec.no_bias ? 0 :
				 layer_shape_axis(l->in, l->spec.axis).count;
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
	return layer_shape_elements(l->in) /
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
	return 2 * vectors *
	    (size_t)layer_shape_axis(l->in, l->spec.axis).outer;
}

/* The gradients of weights and biases before their lanes are added up. */
static size_t
scratch_layer_norm(const struct layer *l, int lanes)
{
	return 2 * (size_t)lanes *
	    (size_t)layer_shape_axis(l->in, l->spec.axis).count;
}

/* ---- arithmetic; a multiplication and an addition count as two ---- */

static double
work_conv(const struct layer *l, bool backward)
{
	(void)backward;
	return 2.0 * layer_shape_elements(l->out) * window_area(l) *
	    l->in.channels / (l->spec.groups > 1 ? l->spec.groups : 1);
}

static double
work_linear(const struct layer *l, bool backward)
{
	(void)backward;
	return 2.0 * layer_shape_elements(l->out) *
	    layer_shape_axis(l->in, AXIS_FEATURES).count;
}

static double
work_matmul(const struct layer *l, bool backward)
{
	return (backward ? 4.0 : 2.0) * layer_shape_elements(l->out) *
	    l->in.width;
}

static double
work_mean(const struct layer *l, bool backward)
{
	(void)backward;
	return layer_shape_elements(l->in);
}

static double
work_maxpool(const struct layer *l, bool backward)
{
	return backward ? layer_shape_elements(l->in) :
			  layer_shape_elements(l->out) * window_area(l);
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
	    .shape = layer_shape_conv,
	    .weights = weights_conv,
	    .biases = biases_out,
	    .work = work_conv },
	[LAYER_MAXPOOL2D] = { .name = "maxpool2d",
	    .class = OPERATION_REDUCTION,
	    .traits = LAYER_MARKS | LAYER_DROPS_INS,
	    .shape = layer_shape_maxpool,
	    .work = work_maxpool },
	[LAYER_RELU] = ELEMENTWISE("relu", LAYER_MARKS | LAYER_DROPS_INS, 1, 1),
	[LAYER_FLATTEN] = { .name = "flatten",
	    .class = OPERATION_VIEW,
	    .traits = LAYER_VIEW,
	    .shape = layer_shape_flatten },
	[LAYER_LINEAR] = { .name = "linear",
	    .class = OPERATION_MATMUL,
	    .shape = layer_shape_linear,
	    .weights = weights_linear,
	    .biases = biases_out,
	    .work = work_linear },
	[LAYER_ADD] = { .name = "add",
	    .class = OPERATION_ELEMENTWISE,
	    .traits = LAYER_DROPS_INS,
	    .inputs_min = 2,
	    .inputs_max = 2,
	    .shape = layer_shape_add,
	    .flops = 1 },
	[LAYER_MULTIPLY] = { .name = "multiply",
	    .class = OPERATION_ELEMENTWISE,
	    .inputs_min = 2,
	    .inputs_max = 2,
	    .shape = layer_shape_add,
	    .flops = 1,
	    .backward_flops = 2 },
	[LAYER_SCALE] = ELEMENTWISE("scale", LAYER_DROPS_INS, 1, 1),
	[LAYER_CONCAT] = { .name = "concat",
	    .class = OPERATION_COPY,
	    .traits = LAYER_DROPS_INS,
	    .inputs_min = 2,
	    .inputs_max = KERNEL_INPUTS_MAX,
	    .shape = layer_shape_concat },
	[LAYER_SLICE] = { .name = "slice",
	    .class = OPERATION_COPY,
	    .traits = LAYER_DROPS_INS,
	    .shape = layer_shape_slice },
	[LAYER_RESHAPE] = { .name = "reshape",
	    .class = OPERATION_VIEW,
	    .traits = LAYER_VIEW,
	    .shape = layer_shape_reshape },
	[LAYER_PERMUTE] = { .name = "permute",
	    .class = OPERATION_COPY,
	    .traits = LAYER_DROPS_INS,
	    .shape = layer_shape_permute },
	[LAYER_LEAKY_RELU] = ELEMENTWISE("leaky_relu", 0, 2, 2),
	[LAYER_GELU] = ELEMENTWISE("gelu", 0, 30, 50),
	[LAYER_TANH] = ELEMENTWISE("tanh", OUT_ONLY, 20, 3),
	[LAYER_SIGMOID] = ELEMENTWISE("sigmoid", OUT_ONLY, 20, 3),
	[LAYER_SILU] = ELEMENTWISE("silu", 0, 21, 44),
	[LAYER_ELU] = ELEMENTWISE("elu", OUT_ONLY, 20, 3),
	[LAYER_RELU6] = ELEMENTWISE("relu6", OUT_ONLY, 2, 4),
	[LAYER_SOFTPLUS] = ELEMENTWISE("softplus", 0, 42, 20),
	[LAYER_EXP] = ELEMENTWISE("exp", OUT_ONLY, 18, 1),
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
	    .shape = layer_shape_avgpool,
	    .work = work_maxpool },
	[LAYER_MEAN] = { .name = "mean",
	    .class = OPERATION_REDUCTION,
	    .traits = LAYER_DROPS_INS,
	    .shape = layer_shape_mean,
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
	    .shape = layer_shape_layer_norm,
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
	    .shape = layer_shape_dropout,
	    .flops = 10,
	    .backward_flops = 1 },
	[LAYER_EMBEDDING] = { .name = "embedding",
	    .class = OPERATION_COPY,
	    .shape = layer_shape_embedding,
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
	    .shape = layer_shape_matmul,
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
	    layer_shape_elements(l->out);
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
	if (r->shape == NULL || r->shape(l, in, e) == 0)
		return 0;
	return error_prefix(e, "%s", r->name);
}
