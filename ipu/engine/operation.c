/*
 * Names of operations by class.  Add a name to the row of its class, in
 * alphabetical order.
 */
#include "ipu/engine/outline.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

const char *const operation_class_words[] = { "convolution", "matmul",
	"elementwise", "reduction", "copy", "view", "normalisation", "loss",
	"random", "unknown", NULL };

/* Spaces surround each name, so that a row is searched as one text. */
static const char *const operation_names[OPERATION_UNKNOWN] = {
	[OPERATION_CONVOLUTION] =
	    " _convolution conv1d conv2d conv3d conv_transpose1d "
	    "conv_transpose2d conv_transpose3d convolution "
	    "convolution_overrideable ",
	[OPERATION_MATMUL] = " addbmm addmm addmv addr baddbmm bilinear bmm "
			     "dot einsum gru linear lstm matmul mm mv rnn_relu "
			     "rnn_tanh scaled_dot_product_attention tensordot ",
	[OPERATION_ELEMENTWISE] =
	    " abs acos acosh add addcdiv addcmul asin asinh atan atan2 atanh "
	    "bitwise_and bitwise_not bitwise_or bitwise_xor ceil celu clamp "
	    "clamp_max clamp_min clip cos cosh div divide elu eq erf erfc exp "
	    "exp2 expm1 floor floor_divide fmod ge gelu glu gt hardshrink "
	    "hardsigmoid hardswish hardtanh isfinite isinf isnan le leaky_relu "
	    "lerp log log10 log1p log2 log_sigmoid_forward logical_and "
	    "logical_not logical_or logical_xor lt masked_fill maximum minimum "
	    "mish mul multiply ne neg negative pow prelu reciprocal relu relu6 "
	    "remainder round rrelu rsqrt rsub sgn sigmoid sign silu sin sinh "
	    "softplus softshrink sqrt square sub subtract tan tanh threshold "
	    "true_divide trunc where xlogy ",
	[OPERATION_REDUCTION] =
	    " _adaptive_avg_pool2d _adaptive_avg_pool3d adaptive_avg_pool1d "
	    "adaptive_avg_pool2d adaptive_max_pool1d adaptive_max_pool2d all "
	    "amax amin any argmax argmin argsort avg_pool1d avg_pool2d "
	    "avg_pool3d count_nonzero cummax cummin cumprod cumsum "
	    "frobenius_norm linalg_vector_norm logsumexp max max_pool1d "
	    "max_pool1d_with_indices max_pool2d max_pool2d_with_indices "
	    "max_pool3d max_pool3d_with_indices mean median min nansum norm "
	    "prod sort std sum topk var var_mean ",
	[OPERATION_COPY] =
	    " _to_copy arange cat clone constant_pad_nd contiguous copy "
	    "embedding embedding_bag empty empty_like expand_copy eye fill "
	    "flip full full_like gather im2col index index_add index_copy "
	    "index_put index_select linspace lift_fresh_copy masked_select "
	    "new_empty new_full new_ones new_zeros one_hot ones ones_like pad "
	    "pixel_shuffle pixel_unshuffle reflection_pad1d reflection_pad2d "
	    "repeat repeat_interleave replication_pad2d roll scalar_tensor "
	    "scatter scatter_add scatter_reduce select_scatter slice_scatter "
	    "stack take to tril triu upsample_bicubic2d upsample_bilinear2d "
	    "upsample_nearest1d upsample_nearest2d zero zeros zeros_like ",
	[OPERATION_VIEW] =
	    " _reshape_alias _unsafe_view alias as_strided broadcast_to chunk "
	    "detach diagonal expand expand_as flatten lift_fresh movedim "
	    "narrow permute ravel reshape select size slice split "
	    "split_with_sizes squeeze swapaxes t transpose unbind unflatten "
	    "unfold unsqueeze view view_as ",
	[OPERATION_NORMALISATION] =
	    " _batch_norm_impl_index _log_softmax _softmax batch_norm "
	    "cudnn_batch_norm group_norm instance_norm layer_norm "
	    "local_response_norm log_softmax native_batch_norm "
	    "native_group_norm native_layer_norm normalize renorm softmax ",
	[OPERATION_LOSS] =
	    " _ctc_loss binary_cross_entropy binary_cross_entropy_with_logits "
	    "cosine_embedding_loss cross_entropy cross_entropy_loss ctc_loss "
	    "hinge_embedding_loss huber_loss identity_loss kl_div l1_loss "
	    "margin_ranking_loss mse_loss multi_margin_loss "
	    "multilabel_margin_loss nll_loss nll_loss2d nll_loss2d_forward "
	    "nll_loss_forward nll_loss_nd poisson_nll_loss smooth_l1_loss "
	    "soft_margin_loss triplet_margin_loss ",
	[OPERATION_RANDOM] =
	    " alpha_dropout bernoulli dropout exponential feature_dropout "
	    "multinomial native_dropout normal normal_functional poisson rand "
	    "rand_like randint randint_like randn randn_like random randperm "
	    "uniform ",
};

/* Whether the name is in the row between two spaces. */
static bool
is_in_row(const char *row, const char *name, size_t length)
{
	const char *at = row;

	while ((at = strstr(at + 1, name)) != NULL)
		if (at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

/* "aten::add_.Tensor": name space, name, an underscore if it works in place,
   and its form.  A leading underscore belongs to the name. */
enum operation_class
operation_class_of(const char *name)
{
	const char *colon = strrchr(name, ':');
	char bare[64];
	size_t length;
	int class;

	name = colon != NULL ? colon + 1 : name;
	length = strcspn(name, ".");
	if (length > 1 && name[length - 1] == '_')
		length--;
	if (length == 0 || length >= sizeof(bare) ||
	    memchr(name, ' ', length) != NULL)
		return OPERATION_UNKNOWN;
	memcpy(bare, name, length);
	bare[length] = '\0';
	for (class = 0; class < OPERATION_UNKNOWN; class ++)
		if (is_in_row(operation_names[class], bare, length))
			return (enum operation_class) class;
	return OPERATION_UNKNOWN;
}
