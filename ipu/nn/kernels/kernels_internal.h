/*
 * The tables of kernels, one for each instruction set.  kernels_simd.c defines
 * them, kernels.c chooses one; what the sources of one table share is simd.h.
 */
#ifndef IPU_NN_KERNELS_KERNELS_INTERNAL_H
#define IPU_NN_KERNELS_KERNELS_INTERNAL_H

#include "ipu/nn/kernels/kernels.h"

extern const struct kernels	kernels_sse2, kernels_avx2, kernels_avx512;

#endif
