/*
 * Labelled images of one size, in memory: the MNIST files, or digits that are
 * drawn here.
 */
#ifndef IPU_NN_DATASET_H
#define IPU_NN_DATASET_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum { DATASET_SIDE = 28, DATASET_CLASSES = 10 };

enum dataset_part { DATASET_TRAIN, DATASET_TEST };

struct dataset {
	uint32_t	 count;
	uint8_t		*pixels;	/* count x 28 x 28, 0 to 255 */
	uint8_t		*labels;	/* count, 0 to 9 */
};

/*
 * Read train-images-idx3-ubyte and train-labels-idx1-ubyte (or t10k-...) from
 * the folder or from MNIST/raw in it, each plain or with .gz behind its name.
 * Refused with the reason, which names the file: missing (and where to get
 * it), damaged, another size than 28 x 28, a label above 9, images and labels
 * of different number.
 */
int	dataset_read(struct dataset *, const char *folder, enum dataset_part,
	    struct error *);

/*
 * Draw `count` digits: strokes under a random slant, size, place and width,
 * with noise.  A function of seed and part; no image is in both parts.
 */
void	dataset_draw(struct dataset *, enum dataset_part, uint32_t count,
	    uint64_t seed);

void	dataset_release(struct dataset *);

#endif
