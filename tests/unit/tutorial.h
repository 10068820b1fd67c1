/*
 * The tutorial's model: B1 and B2 are convolutions, B3 and B4 linear.
 */
#ifndef TESTS_UNIT_TUTORIAL_H
#define TESTS_UNIT_TUTORIAL_H

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"

/*
 * The tensors, and the parameters of each block:
 *
 *	28x28 -> 10x24x24 -> 10x12x12 -> 20x8x8 -> 20x4x4 -> 320 -> 256 -> 10
 *	parameters  260           5,020                82,176   2,570 = 90,026
 */
static inline void
model_tutorial(struct model *m)
{
	static const struct {
		const char *block; /* begins here */
		struct layer_spec spec;
	} rows[] = {
		{ "B1",
		    { .kind = LAYER_CONV2D,
			.out = 10,
			.kernel = 5,
			.stride = 1 } },
		{ NULL, { .kind = LAYER_MAXPOOL2D, .kernel = 2, .stride = 2 } },
		{ NULL, { .kind = LAYER_RELU } },
		{ "B2",
		    { .kind = LAYER_CONV2D,
			.out = 20,
			.kernel = 5,
			.stride = 1 } },
		{ NULL, { .kind = LAYER_MAXPOOL2D, .kernel = 2, .stride = 2 } },
		{ NULL, { .kind = LAYER_RELU } },
		{ "B3", { .kind = LAYER_FLATTEN } },
		{ NULL, { .kind = LAYER_LINEAR, .out = 256 } },
		{ NULL, { .kind = LAYER_RELU } },
		{ "B4", { .kind = LAYER_LINEAR, .out = 10 } },
	};
	size_t i;

	model_init(m, (struct shape){ 1, 28, 28 });
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].block != NULL)
			(void)model_block(m, rows[i].block, -1, NULL);
		(void)model_add(m, &rows[i].spec, NULL);
	}
}

#endif
