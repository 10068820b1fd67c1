/*
 * The rules of shapes for the rows of layer_row.c.  Each sets l->out, which
 * starts as a copy of l->in, from the shapes of all inputs, or refuses them
 * with the kind's name.
 */
#ifndef IPU_NN_LAYER_SHAPE_H
#define IPU_NN_LAYER_SHAPE_H

#include "ipu/nn/model.h"

/* Apply the rule of a kind, for kinds that change the shape or accept only some
   shapes and arguments. */
int layer_shape_add(struct layer *, const struct shape *, struct error *);
int layer_shape_avgpool(struct layer *, const struct shape *, struct error *);
int layer_shape_concat(struct layer *, const struct shape *, struct error *);
int layer_shape_conv(struct layer *, const struct shape *, struct error *);
int layer_shape_dropout(struct layer *, const struct shape *, struct error *);
int layer_shape_embedding(struct layer *, const struct shape *, struct error *);
int layer_shape_flatten(struct layer *, const struct shape *, struct error *);
int layer_shape_layer_norm(struct layer *, const struct shape *,
    struct error *);
int layer_shape_linear(struct layer *, const struct shape *, struct error *);
int layer_shape_matmul(struct layer *, const struct shape *, struct error *);
int layer_shape_maxpool(struct layer *, const struct shape *, struct error *);
int layer_shape_mean(struct layer *, const struct shape *, struct error *);
int layer_shape_permute(struct layer *, const struct shape *, struct error *);
int layer_shape_reshape(struct layer *, const struct shape *, struct error *);
int layer_shape_slice(struct layer *, const struct shape *, struct error *);

#endif
