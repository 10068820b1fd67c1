/*
 * Digits that are drawn, for whoever has no MNIST files: no download, the same
 * on every machine.
 */
#ifndef IPU_NN_DIGITS_H
#define IPU_NN_DIGITS_H

#include <stdint.h>

#include "ipu/nn/dataset.h"

/* How many digits a caller may ask for. */
enum { DIGITS_MAX = 1000000 };

/*
 * Draw `count` digits: strokes under a random slant, size, place and width,
 * with noise.  A function of seed and part; no image is in both parts.  The
 * caller gives the set back with dataset_release().
 */
void	digits_draw(struct dataset *, enum dataset_part, uint32_t count,
	    uint64_t seed);

#endif
