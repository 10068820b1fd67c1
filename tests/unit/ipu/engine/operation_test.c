/* Names of operations and their classes. */
#include "ipu/engine/engine.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/tap.h"

static const struct row {
	const char *name;
	enum operation_class class;
} rows[] = {
	{ "aten::convolution", OPERATION_CONVOLUTION },
	{ "aten::_convolution", OPERATION_CONVOLUTION },
	{ "convolution", OPERATION_CONVOLUTION },
	{ "aten::addmm", OPERATION_MATMUL },
	{ "aten::linear", OPERATION_MATMUL },
	{ "aten::mm.out", OPERATION_MATMUL },
	{ "aten::add.Tensor", OPERATION_ELEMENTWISE },
	{ "aten::add_.Tensor", OPERATION_ELEMENTWISE },
	{ "aten::relu_", OPERATION_ELEMENTWISE },
	{ "aten::gelu", OPERATION_ELEMENTWISE },
	{ "aten::xlogy", OPERATION_ELEMENTWISE },
	{ "aten::sum.dim_IntList", OPERATION_REDUCTION },
	{ "aten::max_pool2d_with_indices", OPERATION_REDUCTION },
	{ "aten::frobenius_norm", OPERATION_REDUCTION },
	{ "aten::norm", OPERATION_REDUCTION },
	{ "aten::embedding", OPERATION_COPY },
	{ "aten::_to_copy", OPERATION_COPY },
	{ "aten::copy_", OPERATION_COPY },
	{ "aten::_unsafe_view", OPERATION_VIEW },
	{ "aten::t", OPERATION_VIEW },
	{ "aten::native_layer_norm", OPERATION_NORMALISATION },
	{ "aten::_softmax", OPERATION_NORMALISATION },
	{ "aten::nll_loss_forward", OPERATION_LOSS },
	{ "poptorch::identity_loss", OPERATION_LOSS },
	{ "aten::native_dropout", OPERATION_RANDOM },
	{ "aten::bernoulli_.float", OPERATION_RANDOM },
	{ "aten::", OPERATION_UNKNOWN },
	{ "", OPERATION_UNKNOWN },
	{ "_", OPERATION_UNKNOWN },
	{ "::.", OPERATION_UNKNOWN },
	{ "aten::relu mm", OPERATION_UNKNOWN },
	{ " ", OPERATION_UNKNOWN },
	{ "aten::rel", OPERATION_UNKNOWN },
	{ "aten::elu_backward", OPERATION_UNKNOWN },
	{ "aten::lu", OPERATION_UNKNOWN },
	{ "aten::ADD", OPERATION_UNKNOWN },
	{ "aten::a_name_that_is_longer_than_any_name_of_an_operation_may_be_so_"
	  "that_it_is_cut",
	    OPERATION_UNKNOWN },
};

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_str(operation_class_words[operation_class_of(rows[i].name)],
		    operation_class_words[rows[i].class], rows[i].name);
	for (i = 0; operation_class_words[i] != NULL; i++)
		;
	is_int((long long)i, OPERATION_CLASSES, "a word for each class");
	is_str(operation_class_words[OPERATION_UNKNOWN], "unknown", "the last");
	return tap_done();
}
