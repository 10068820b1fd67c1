/*
 * A layer as a text, with PyTorch's names:
 *
 *	conv2d out_channels=10 kernel_size=5 stride=1 padding=0 bias=yes
 *	maxpool2d kernel_size=2 stride=2 padding=0
 *	relu
 *	flatten
 *	linear out_features=256 bias=yes
 *	cross-entropy
 *
 * Where one is left out it is PyTorch's default: stride 1, in maxpool2d the
 * kernel's size; padding 0; a bias.
 */
#ifndef IPU_NN_MODEL_LAYER_H
#define IPU_NN_MODEL_LAYER_H

#include <stdbool.h>

#include "core/base/error.h"
#include "ipu/nn/model.h"

enum { LAYER_ARGUMENT_MAX = 1 << 20 };

/*
 * *is_loss: it is cross-entropy, and *spec is not filled.  Refused: another
 * kind, an argument that it does not have, that is missing, stands twice or is
 * not a number.
 */
int	model_layer_parse(const char *text, struct layer_spec *spec,
	    bool *is_loss, struct error *);

/* "1x28x28": channels, height, width. */
int	model_layer_parse_shape(const char *text, struct shape *,
	    struct error *);

#endif
