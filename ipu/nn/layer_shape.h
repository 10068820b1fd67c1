/*
 * Shapes: their axes, and the rules for the rows of layer_row.c.  Each rule
 * sets l->out, which starts as a copy of l->in, from the shapes of all inputs,
 * or refuses them.
 */
#ifndef IPU_NN_LAYER_SHAPE_H
#define IPU_NN_LAYER_SHAPE_H

#include "ipu/nn/model.h"

/* Split a shape along an axis. */
struct kernel_axis layer_shape_axis(struct shape, enum model_axis);

/* Return the window of a layer along the height or the width. */
struct window_side layer_shape_window(const struct layer_spec *,
    enum model_axis);

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
