/*
 * Labelled images of one size, in memory: the MNIST files, or digits that are
 * drawn here.
 */
#ifndef IPU_NN_DATASET_H
#define IPU_NN_DATASET_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

/* Of MNIST, and of what is drawn here. */
enum { DATASET_SIDE = 28, DATASET_CLASSES = 10 };

/* What a model takes: images of one channel. */
struct dataset_form {
	int	height, width;
	int	classes;
};

enum dataset_part { DATASET_TRAIN, DATASET_TEST };

struct dataset {
	uint32_t	 count;
	uint8_t		*pixels;	/* count x height x width, 0 to 255 */
	uint8_t		*labels;	/* count, from 0 */
};

/*
 * Read train-images-idx3-ubyte and train-labels-idx1-ubyte (or t10k-...) from
 * the directory or from MNIST/raw in it, each plain or with .gz behind its
 * name. Refused with the reason, which names the file: missing (and where to
 * get it), damaged, images of another size, a label that is not a valid class,
 * images and labels of different number.
 */
int	dataset_read(struct dataset *, const char *directory, enum dataset_part,
	    const struct dataset_form *, struct error *);

/* Free the pixels and labels of a set that was read or drawn. */
void	dataset_release(struct dataset *);

#endif
