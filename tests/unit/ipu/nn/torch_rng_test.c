/*
 * PyTorch's random numbers against those that PyTorch 1.13 gave:
 *
 *	torch.manual_seed(3); c = nn.Conv2d(1, 3, 2); l = nn.Linear(3, 2)
 *	torch.manual_seed(0); torch.randperm(10)
 *	torch.manual_seed(5); loader = DataLoader(range 10, shuffle=True)
 */
#include "tests/unit/tap.h"

#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"

enum { COUNT = 10 };

static void
test_numbers(void)
{
	struct torch_rng r;

	/* The generator's own test: its 10,000th number. */
	torch_rng_init(&r, 5489);
	torch_rng_skip(&r, 9999);
	is_int(torch_rng_next(&r), 4123659995, "MT19937's 10,000th number");
	torch_rng_init(&r, 0);
	ok(torch_rng_uniform(&r, 0, 1) == 0.49625658988952637f &&
		torch_rng_uniform(&r, 0, 1) == 0.7682217955589294f &&
		torch_rng_uniform(&r, 0, 1) == 0.08847743272781372f,
	    "torch.rand(3)");
	is_int((long long)torch_rng_int64(&r), 6350582077163746115,
	    "random_() of an int64 behind it");
	torch_rng_init(&r, ((uint64_t)1 << 32) + 5489);
	is_int(torch_rng_next(&r), 3499211612, "the low 32 bits of a seed");
}

static void
test_orders(void)
{
	static const uint32_t permutation[COUNT] = { 4, 1, 7, 5, 3, 9, 0, 8, 6,
		2 };
	static const uint32_t epochs[3][COUNT] = {
		{ 8, 3, 0, 5, 9, 1, 6, 2, 4, 7 },
		{ 5, 8, 9, 7, 2, 0, 4, 1, 3, 6 },
		{ 6, 5, 4, 0, 7, 2, 1, 8, 9, 3 },
	};
	struct torch_rng r;
	uint32_t order[COUNT];
	int epoch;

	torch_rng_init(&r, 0);
	torch_rng_permutation(&r, order, COUNT);
	ok(memcmp(order, permutation, sizeof(order)) == 0, "torch.randperm");
	for (epoch = 1; epoch <= 3; epoch++) {
		torch_rng_init(&r, 5);
		torch_rng_shuffle(&r, epoch, order, COUNT);
		ok(memcmp(order, epochs[epoch - 1], sizeof(order)) == 0,
		    "a DataLoader's order");
	}
}

/* A convolution of 2 x 2 and a linear layer behind it. */
static void
test_weights(void)
{
	static const float wanted[] = { -0x1.fba258p-2f, -0x1.93e5a0p-2f,
		-0x1.b69838p-3f, -0x1.e465f4p-2f, -0x1.d11200p-6f,
		-0x1.c270e0p-2f, 0x1.166400p-2f, 0x1.f318a8p-3f, 0x1.82bfd0p-4f,
		0x1.8d2a4cp-2f, -0x1.9126c0p-5f, 0x1.32adacp-2f,
		-0x1.66901cp-2f, -0x1.939570p-4f, -0x1.c885d8p-2f,
		-0x1.7fff8ep-5f, -0x1.7f9196p-2f, 0x1.098f56p-1f,
		0x1.9aac98p-2f, 0x1.bb3c2ap-2f, 0x1.5eba7cp-3f, -0x1.514636p-2f,
		0x1.09a1d2p-1f };
	static const struct layer_spec conv = { .kind = LAYER_CONV2D,
		.out = 3,
		.kernel = 2,
		.stride = 1 };
	static const struct layer_spec linear = { .kind = LAYER_LINEAR,
		.out = 2 };
	struct model m;
	float got[ARRAY_SIZE(wanted)];

	model_init(&m, (struct shape){ 1, 2, 2 });
	(void)model_block(&m, "B", -1, NULL);
	(void)model_add(&m, &conv, NULL);
	(void)model_add(&m, &linear, NULL);
	is_int((long long)(m.parameter_count * sizeof(float)), sizeof(wanted),
	    "bytes of parameters");
	model_initialise(&m, 3, got);
	ok(memcmp(got, wanted, sizeof(got)) == 0,
	    "weights and biases, layer by layer, to the bit");
}

int
main(void)
{
	test_numbers();
	test_orders();
	test_weights();
	return tap_done();
}
