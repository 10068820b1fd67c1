/*
 * Chooses one of the tables of kernels_simd.c and sizes the scratch of their
 * functions.
 */
#include "ipu/nn/kernels/kernels.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* compress() of conv_pool_backward_simd.c needs BMI2, which a virtual machine
   may hide. */
static bool
have_avx2(void)
{
	return __builtin_cpu_supports("avx2") &&
	    __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

static bool
have_avx512(void)
{
	return have_avx2() && __builtin_cpu_supports("avx512f") &&
	    __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512dq") &&
	    __builtin_cpu_supports("avx512bw");
}

static bool
have_sse2(void)
{
	return true; /* part of x86-64 */
}

static const struct {
	const struct kernels *table;
	bool (*have)(void);
} choices[] = {
	/* best first */
	{ &kernels_avx512, have_avx512 },
	{ &kernels_avx2, have_avx2 },
	{ &kernels_sse2, have_sse2 },
	{ NULL, NULL },
};

const struct kernels *
kernels_by_name(const char *name)
{
	int i;

	for (i = 0; choices[i].table != NULL; i++)
		if (strcmp(choices[i].table->name, name) == 0)
			return choices[i].have() ? choices[i].table : NULL;
	return NULL;
}

const struct kernels *
kernels_choose(struct error *e)
{
	const char *name = getenv("IPUBOX_KERNELS");
	const struct kernels *k;
	int i = 0;

	if (name != NULL && *name != '\0') {
		k = kernels_by_name(name);
		if (k == NULL)
			(void)error_set(e,
			    "IPUBOX_KERNELS=%s: not known, or not for this "
			    "machine (sse2, avx2, avx512)",
			    name);
		return k;
	}
	while (!choices[i].have())
		i++;
	return choices[i].table;
}

/*
 * Holds the gradient of the output of one block, with CONV_GUARD columns on
 * each side:
 *
 *	0 | g g g g | 0		one row of out_width = 4
 */
size_t
kernels_conv_scratch(const struct conv_shape *s, int lanes)
{
	return (size_t)s->out_channels * (size_t)s->out_height *
	    (size_t)(s->out_width + 2 * CONV_GUARD) * (size_t)lanes;
}

/* Holds the input as [sample][element]. */
size_t
kernels_linear_scratch(const struct linear_shape *s, int lanes)
{
	return (size_t)s->in * (size_t)s->blocks * (size_t)lanes;
}
