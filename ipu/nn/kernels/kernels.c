/*
 * Chooses one of the tables of kernels_simd.c and sizes the scratch of their
 * functions.
 */
#include "ipu/nn/kernels/kernels.h"

#include <cpuid.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * The features of the processor, and whether the system saves the registers.
 * __builtin_cpu_supports() would look at every start of the program, and each
 * look costs microseconds in a virtual machine.
 */
struct features {
	unsigned one, seven; /* ECX of leaf 1, EBX of leaf 7 */
	unsigned saved;	     /* XCR0 */
};

enum {
	XCR0_AVX = 0x6,	   /* SSE and AVX registers */
	XCR0_AVX512 = 0xe6 /* and mask and ZMM registers */
};

static struct features
look_up_features(void)
{
	struct features f = { 0 };
	unsigned a, b, c, d;

	if (__get_cpuid(1, &a, &b, &f.one, &d) == 0 ||
	    (f.one & bit_OSXSAVE) == 0)
		return (struct features){ 0 };
	__asm__("xgetbv" : "=a"(f.saved), "=d"(d) : "c"(0));
	(void)__get_cpuid_count(7, 0, &a, &f.seven, &c, &d);
	return f;
}

static bool
features_have(const struct features *f, unsigned saved, unsigned seven)
{
	return (f->saved & saved) == saved && (f->one & bit_FMA) != 0 &&
	    (f->seven & seven) == seven;
}

/* compress() of conv_pool_backward_simd.c needs BMI2, which a virtual machine
   may hide. */
static bool
have_avx2(void)
{
	const struct features f = look_up_features();

	return features_have(&f, XCR0_AVX, bit_AVX2 | bit_BMI2);
}

static bool
have_avx512(void)
{
	const struct features f = look_up_features();

	return features_have(&f, XCR0_AVX512,
	    bit_AVX2 | bit_BMI2 | bit_AVX512F | bit_AVX512VL | bit_AVX512DQ |
		bit_AVX512BW);
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

/* SSE2 takes longer for 4 samples than AVX2 for 8. */
const struct kernels *
kernels_fit(const struct kernels *k, int samples)
{
	const char *name = getenv("IPUBOX_KERNELS");

	return k == &kernels_avx512 && samples <= kernels_avx2.lanes &&
		(name == NULL || *name == '\0') ?
	    &kernels_avx2 :
	    k;
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
