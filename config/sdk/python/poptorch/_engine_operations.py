"""The operations of ipubox's engine: a row of OPERATIONS for each, by the name
of PyTorch's function, with the names of its parameters and a function that
adds layers or a loss to an EngineModel.
"""
import math

import torch

from ._engine_arithmetic import ARITHMETIC
from ._engine_model import AXES, Constant, Turned, Unknown, sizes

# A target that PyTorch's losses leave out, where nothing else is said.  The
# engine refuses a call that has one, and PyTorch computes that call.
_IGNORED = -100
_WEIGHTS = 64       # of a loss


def _with_weights(args, before=""):
    """The weights and biases, and the word for the latter."""
    given = [args.get(before + "weight"), args.get(before + "bias")]
    return (given[:1], "bias=no") if given[1] is None \
        else (given, "bias=yes")


def _linear(model, node, args):
    value = args.get("input")
    parameters, bias = _with_weights(args)
    if len(value.shape) == 4 and value.shape[2] == value.shape[3] == 1:
        raise Unknown("linear of these shapes")
    model.add(node, f"linear out_features={parameters[0].shape[0]} {bias}",
              [value], parameters)


def _conv(model, node, args):
    parameters, bias = _with_weights(args)
    shape = parameters[0].shape
    dilation = args.sides("dilation", 1)
    padding = args.get("padding")
    if padding == "same" and all(side % 2 for side in shape[2:]):
        padding = [distance * (side // 2) for distance, side in
                   zip(dilation, shape[2:])]
    elif padding == "valid":
        padding = [0]
    else:
        padding = args.sides("padding", 0)
    _windows(model, node, args,
             f"conv2d out_channels={shape[0]} {bias} "
             f"groups={args.get('groups', 1)}", parameters,
             kernel_size=shape[2:], stride=args.sides("stride", 1),
             padding=padding, dilation=dilation)


def _windows(model, node, args, line, parameters=(), **sides):
    """A layer with a window.  In one dimension, planes have one row."""
    value, result = args.get("input"), node.result
    count = len(value.shape) - 2
    if count not in (1, 2):
        raise Unknown(f"{node.name} of these shapes")
    for name, pair in sides.items():
        if count == 1:
            pair = [0 if name == "padding" else 1, pair[-1]]
        pair = list(pair) * (2 // len(pair))
        line += f" {name}={'x'.join(map(str, pair))}"
    if count == 2:
        model.add(node, line, [value], parameters)
        return
    planes = [(*each.shape[:2], 1, each.shape[2]) for each in (value, result)]
    made = model.add_part(node, f"reshape shape={sizes(planes[0][1:])}",
                          [value], planes[0])
    made = model.add_part(node, line, [made], planes[1], parameters)
    model.add(node, f"reshape shape={sizes(result.shape[1:])}", [made])


def _pool(layer):
    """A pool of one or two dimensions."""
    def take(model, node, args):
        args.require(ceil_mode=False, return_indices=False, dilation=1,
                     count_include_pad=True, divisor_override=None)
        kernel = args.sides("kernel_size", 1)
        _windows(model, node, args, layer, kernel_size=kernel,
                 stride=args.sides("stride", kernel),
                 padding=args.sides("padding", 0))
    return take


def _adaptive_avg_pool(model, node, args):
    value = args.get("input")
    count = len(value.shape) - 2
    if count not in (1, 2) or set(node.result.shape[2:]) != {1}:
        raise Unknown(f"{node.name} to other sizes than 1")
    model.add(node, f"mean axis={'width' if count == 1 else 'plane'}",
              [value])


def _mean(model, node, args):
    value, dim = args.get("input"), args.get("dim")
    args.require(dtype=torch.float32)
    count = len(value.shape)
    dims = tuple(each % count for each in
                 (dim if isinstance(dim, (tuple, list)) else (dim,))
                 if type(each) is int)
    if dims == (2, 3) and count == 4:
        axis, shape = "plane", (*value.shape[:2], 1, 1)
    elif len(dims) == 1 and dims[0] > 0 and count < 5:
        axis = AXES[count - 1][dims[0] - 1]
        shape = tuple(1 if number == dims[0] else each
                      for number, each in enumerate(value.shape))
    else:
        raise Unknown(f"{node.name} of dim={dim}")
    step = model.add_part(node, f"mean axis={axis}", [value], shape)
    if node.name == "sum":
        factor = math.prod(value.shape) // math.prod(shape)
        step = model.add_part(node, f"scale factor={factor}", [step], shape)
    model.add(node, f"reshape shape={sizes(node.result.shape[1:])}", [step])


def _batch_norm(model, node, args):
    value, weight, bias = map(args.get, ("input", "weight", "bias"))
    means, variances = args.get("running_mean"), args.get("running_var")
    momentum = args.get("momentum", 0.1)
    trains = args.get("training", False)
    if len(value.shape) not in (2, 4) or None in (means, variances) or \
            (weight is None) != (bias is None) or momentum is None:
        raise Unknown("batch_norm of these arguments")
    if trains != model.trains:
        raise Unknown("batch_norm with another mode than the model's")
    model.add(node, f"batch_norm eps={args.real('eps', 1e-5)} "
                    f"momentum={float(momentum)!r} "
                    f"affine={'no' if weight is None else 'yes'}",
              [value], [weight, bias] if weight is not None else [],
              [means, variances])


def _layer_norm(model, node, args):
    value, weight, bias = map(args.get, ("input", "weight", "bias"))
    count = len(args.get("normalized_shape"))
    if count == len(value.shape) - 1:
        axis = "all"
    elif count == 1:
        axis = "width"
    else:
        raise Unknown("layer_norm of several dimensions")
    if (weight is None) != (bias is None):
        raise Unknown("layer_norm without a bias")
    model.add(node, f"layer_norm axis={axis} "
                    f"eps={args.real('eps', 1e-5)} "
                    f"affine={'no' if weight is None else 'yes'}",
              [value], [weight, bias] if weight is not None else [])


def _embedding(model, node, args):
    args.require(max_norm=None, scale_grad_by_freq=False, sparse=False)
    value, weight = args.get("input"), args.get("weight")
    if model.is_constant(value):
        model.add_rows(node, value, weight)
        return
    layer = model.layer_of(node, value, (torch.int32, torch.int64))
    if layer >= 0 or len(value.shape) != 2:
        raise Unknown("embedding of computed indices")
    padding = args.get("padding_idx")
    words = "" if padding in (None, -1) else f" padding_idx={padding}"
    number = model.inputs[-1 - layer]
    model.rows[number] = min(weight.shape[0],
                             model.rows.get(number, weight.shape[0]))
    model.add(node, f"embedding num_embeddings={weight.shape[0]} "
                    f"embedding_dim={weight.shape[1]}{words}",
              [value], [weight])


def _matmul(model, node, args):
    one, other = args.get("input"), args.get("other")
    if not hasattr(other, "shape") or not hasattr(one, "shape") or \
            len(one.shape) != len(other.shape) or len(one.shape) < 3 or \
            one.shape[:-2] != other.shape[:-2]:
        raise Unknown(f"{node.name} of these shapes")
    model.add(node, "matmul", [one, other])


def _chunks(model, node, args):
    value = args.get("input")
    axis = args.axis("dim", value.shape)
    dim = args.get("dim") % len(value.shape)
    model.layer_of(node, value)
    start = 0
    for part in node.result:
        model.add_slice(node, part, f"slice axis={axis} start={start} "
                                    f"length={part.shape[dim]}", value)
        start += part.shape[dim]


def _plain(name):
    """A layer of that name, of each element alone."""
    def take(model, node, args):
        model.add(node, name, [args.get("input")])
    return take


def _leaky_relu(model, node, args):
    model.add(node, "leaky_relu negative_slope="
                    f"{args.real('negative_slope', 0.01)}",
              [args.get("input")])


def _elu(model, node, args):
    model.add(node, f"elu alpha={args.real('alpha', 1.0)}",
              [args.get("input")])


def _hardtanh(model, node, args):
    if (args.get("min_val", -1.0), args.get("max_val", 1.0)) != (0, 6):
        raise Unknown("hardtanh but for 0 to 6")
    model.add(node, "relu6", [args.get("input")])


def _softplus(model, node, args):
    args.require(beta=1, threshold=20)
    model.add(node, "softplus", [args.get("input")])


def _gelu(model, node, args):
    how = args.get("approximate", "none")
    model.add(node, f"gelu tanh={'yes' if how == 'tanh' else 'no'}",
              [args.get("input")])


def _reshape(model, node, args):
    value = args.get("input")
    shape = node.result.shape
    if value.shape[0] != shape[0] and shape in (
            (math.prod(value.shape),),
            (math.prod(value.shape[:-1]), value.shape[-1])):
        model.merge(node, value)
        return
    model.layer_of(node, value)
    if sizes(node.result.shape[1:]) == sizes(value.shape[1:]):
        model.alias(node, value)
        return
    model.view(node, value)
    model.add(node, f"reshape shape={sizes(node.result.shape[1:])}",
              [value])


def _same(model, node, args):
    model.alias(node, args.get("input"))


def _dropout_line(model, share, value):
    """The layer of a dropout that training has.  PyTorch draws in the order
    of the dimensions."""
    if not model.trains:
        raise Unknown("dropout in inference")
    model.draws = True
    if not isinstance(value, Turned):
        return f"dropout p={float(share)!r}"
    if len(value.shape) != 3:
        raise Unknown("dropout of these shapes with the batch second")
    return f"dropout p={float(share)!r} rows_first=yes"


def _dropout(model, node, args):
    value, share = args.get("input"), args.get("p", 0.5)
    if not args.get("training", True) or not share:
        model.alias(node, value)
        return
    model.add(node, _dropout_line(model, share, value), [value])


def _permute(model, node, args):
    """The order counts the dimensions with the batch first."""
    value = args.get("input")
    count = len(value.shape)
    dims = list(range(count))
    if node.name == "permute":
        given = node.args[1:] or (args.get("dims"),)
        dims = [dim % count for dim in
                (given[0] if isinstance(given[0], (tuple, list)) else given)]
    else:
        one, other = (dim % count for dim in node.args[1:3] or (0, 1))
        dims[one], dims[other] = dims[other], dims[one]
    if model.is_turned(value):
        dims = [{0: 1, 1: 0}.get(dim, dim) for dim in dims]
    is_turned = dims.index(0) == 1
    order = [dim - 1 for dim in dims if dim != 0]
    if dims.index(0) > 1:
        raise Unknown(f"{node.name} of these dimensions")
    if order == sorted(order):
        model.alias(node, value, is_turned)
        return
    if is_turned or model.is_turned(value):
        raise Unknown(f"{node.name} of the batch and other dimensions")
    if len(order) == 2:
        order = [0, *(dim + 1 for dim in order)]
    model.view(node, value)
    model.add(node, f"permute order={'x'.join(map(str, order))}", [value])


def _mask(value):
    """What is added to the scores of each head: a mask of truth values is
    minus infinity where it is true."""
    def floats(tensor):
        if tensor.dtype.is_floating_point:
            return tensor
        return torch.zeros(tensor.shape).masked_fill(
            tensor.bool(), float("-inf"))
    return Constant(value, value.shape, floats)


def _attention(model, node, args):
    """nn.MultiheadAttention: queries, keys and values are sequences with the
    batch second.  Of different ones, all are projected as one."""
    args.require(add_zero_attn=False, use_separate_proj_weight=False, **{
        name: None for name in ("bias_k", "bias_v", "key_padding_mask",
                                "static_k", "static_v")})
    given = [args.get(each) for each in ("query", "key", "value")]
    mask, share = args.get("attn_mask"), args.get("dropout_p")
    if not all(map(model.is_turned, given)) or len(given[0].shape) != 3:
        raise Unknown("attention without a batch, or not with it second")
    if mask is not None and (not model.is_constant(mask) or
                             len(mask.shape) != 2):
        raise Unknown("attention with a mask that is computed or of samples")
    batch, rows, width = given[0].shape
    heads = args.get("num_heads")
    size = width // heads

    def add(line, values, *shape, parameters=(), buffers=()):
        return model.add_part(node, line, values, (batch, *shape), parameters,
                              buffers)

    distinct = list({each.number: each for each in given}.values())
    firsts = {each.number: sum(other.shape[1] for other in distinct[:place])
              for place, each in enumerate(distinct)}
    tokens = sum(each.shape[1] for each in distinct)
    source = distinct[0] if len(distinct) == 1 else add(
        "concat axis=height", distinct, tokens, width)
    weights, bias = _with_weights(args, "in_proj_")
    three = add(f"linear out_features={3 * width} {bias}", [source], tokens,
                3 * width, parameters=weights)
    heads_of = []
    for place, each in enumerate(given):
        count = each.shape[1]
        part = add(f"slice axis=width start={place * width} length={width}",
                   [three], tokens, width)
        if count < tokens:
            part = add(f"slice axis=height start={firsts[each.number]} "
                       f"length={count}", [part], count, width)
        part = add(f"reshape shape={count}x{heads}x{size}", [part],
                   count, heads, size)
        heads_of.append(add("permute order=1x0x2", [part],
                            heads, count, size))
    queries, keys, values = heads_of
    shape = heads, rows, given[1].shape[1]
    scores = add(f"matmul transpose=yes factor={size ** -0.5!r}",
                 [queries, keys], *shape)
    if mask is not None:
        scores = add("add_constant shared=yes", [scores], *shape,
                     buffers=[_mask(mask)])
    scores = add("softmax axis=width", [scores], *shape)
    if args.get("training", True) and share:
        scores = add(_dropout_line(model, share, scores), [scores], *shape)
    made = add("matmul", [scores, values], heads, rows, size)
    made = add("permute order=1x0x2", [made], rows, heads, size)
    made = add(f"reshape shape=1x{rows}x{width}", [made], rows, width)
    weights, bias = _with_weights(args, "out_proj_")
    model.add_result(node, node.result[0],
                     f"linear out_features={width} {bias}", [made], weights)


def _cat(model, node, args):
    tensors = args.get("tensors")
    model.add(node, f"concat axis={args.axis('dim', node.result.shape)}",
              list(tensors))


def _softmax(model, node, args):
    value = args.get("input")
    args.require(dtype=torch.float32)
    axis = args.axis("dim", value.shape)
    if len(value.shape) == 2:
        model.add_late(node, node.name, value)
    else:
        model.add(node, f"{node.name} axis={axis}", [value])


def _reduction(model, args):
    """The words of a loss's arguments."""
    args.require(size_average=None, reduce=None)
    reduction = args.get("reduction", "mean")
    if reduction not in ("mean", "sum"):
        raise Unknown(f"a loss with reduction={reduction}")
    ignored = args.get("ignore_index", _IGNORED)
    words = f"reduction={reduction}" + (
        "" if ignored == _IGNORED else f" ignore_index={ignored}")
    for name in ("label_smoothing", "beta"):
        if args.get(name):
            words += f" {name}={args.real(name, None)}"
    for name in ("weight", "pos_weight"):
        value = args.get(name)
        if value is None:
            continue
        if not model.is_constant(value) or math.prod(value.shape) > _WEIGHTS:
            raise Unknown(f"a loss with {name}")
        words += f" {name}=" + ",".join(
            map(repr, model.numbers_of(value)))
    return words


def _cross_entropy(model, node, args):
    model.add_loss(node, f"cross-entropy {_reduction(model, args)}",
                   args.get("input"), args.get("target"), True)


def _nll_loss(model, node, args):
    value, name = args.get("input"), "nll"
    source = model.source_of(value, "log_softmax")
    if source is not None:
        value, name = source, "cross-entropy"
    model.add_loss(node, f"{name} {_reduction(model, args)}", value,
                   args.get("target"), True)


def _of_elements(name):
    """A loss of each element."""
    def take(model, node, args):
        if args.get("beta", 1) <= 0 or args.get("delta", 1) != 1:
            raise Unknown(f"{node.name} of these arguments")
        args.require(weight=None)
        weight = args.get("pos_weight")
        if weight is not None and tuple(weight.shape) not in (
                (), (1,), args.get("input").shape[1:]):
            raise Unknown(f"{node.name} with weights of this shape")
        model.add_loss(node, f"{name} {_reduction(model, args)}",
                       args.get("input"),
                       args.get("target"), False)
    return take


def _identity_loss(model, node, args):
    model.pass_loss(node, args.get("x"))


def _long(model, node, args):
    model.widen(node, args.get("input"))


_CONV = "input weight bias stride padding dilation groups"
_AVERAGE = ("input kernel_size stride padding ceil_mode count_include_pad "
            "divisor_override")
_MAXIMUM = ("input kernel_size stride padding dilation ceil_mode "
            "return_indices")
_ELEMENTS = "input target size_average reduce reduction"
_LOSS = "input target weight size_average ignore_index reduce reduction "

OPERATIONS = {
    **ARITHMETIC,
    "linear": ("input weight bias", _linear),
    "conv1d": (_CONV, _conv),
    "conv2d": (_CONV, _conv),
    "avg_pool1d": (_AVERAGE, _pool("avgpool2d")),
    "avg_pool2d": (_AVERAGE, _pool("avgpool2d")),
    "adaptive_avg_pool1d": ("input output_size", _adaptive_avg_pool),
    "adaptive_avg_pool2d": ("input output_size", _adaptive_avg_pool),
    "mean": ("input dim keepdim dtype", _mean),
    "sum": ("input dim keepdim dtype", _mean),
    "batch_norm": ("input running_mean running_var weight bias training "
                   "momentum eps", _batch_norm),
    "layer_norm": ("input normalized_shape weight bias eps", _layer_norm),
    "embedding": ("input weight padding_idx max_norm norm_type "
                  "scale_grad_by_freq sparse", _embedding),
    "matmul": ("input other", _matmul),
    "__matmul__": ("input other", _matmul),
    "bmm": ("input other", _matmul),
    "chunk": ("input chunks dim", _chunks),
    "split": ("input split_size dim", _chunks),
    "max_pool1d": (_MAXIMUM, _pool("maxpool2d")),
    "max_pool2d": (_MAXIMUM, _pool("maxpool2d")),
    "relu": ("input inplace", _plain("relu")),
    "relu_": ("input", _plain("relu")),
    "tanh": ("input", _plain("tanh")),
    "sigmoid": ("input", _plain("sigmoid")),
    "leaky_relu": ("input negative_slope inplace", _leaky_relu),
    "gelu": ("input approximate", _gelu),
    "silu": ("input inplace", _plain("silu")),
    "relu6": ("input inplace", _plain("relu6")),
    "exp": ("input", _plain("exp")),
    "elu": ("input alpha inplace", _elu),
    "hardtanh": ("input min_val max_val inplace", _hardtanh),
    "softplus": ("input beta threshold", _softplus),
    "flatten": ("input *", _reshape),
    "reshape": ("input *", _reshape),
    "view": ("input *", _reshape),
    "squeeze": ("input *", _reshape),
    "unsqueeze": ("input *", _reshape),
    "permute": ("input *", _permute),
    "transpose": ("input *", _permute),
    "t": ("input", _permute),
    "contiguous": ("input", _same),
    "float": ("input", _same),
    "dropout": ("input p training inplace", _dropout),
    "cat": ("tensors dim", _cat),
    "multi_head_attention_forward": (
        "query key value embed_dim_to_check num_heads in_proj_weight "
        "in_proj_bias bias_k bias_v add_zero_attn dropout_p out_proj_weight "
        "out_proj_bias training key_padding_mask need_weights attn_mask "
        "use_separate_proj_weight q_proj_weight k_proj_weight v_proj_weight "
        "static_k static_v average_attn_weights is_causal", _attention),
    "softmax": ("input dim _stacklevel dtype", _softmax),
    "log_softmax": ("input dim _stacklevel dtype", _softmax),
    "cross_entropy": (_LOSS + "label_smoothing", _cross_entropy),
    "nll_loss": (_LOSS, _nll_loss),
    "mse_loss": (_ELEMENTS, _of_elements("mse")),
    "binary_cross_entropy_with_logits": (
        "input target weight size_average reduce reduction pos_weight",
        _of_elements("bce-logits")),
    "l1_loss": (_ELEMENTS, _of_elements("l1")),
    "smooth_l1_loss": (_ELEMENTS + " beta", _of_elements("smooth-l1")),
    "huber_loss": ("input target reduction delta",
                   _of_elements("smooth-l1")),
    "identity_loss": ("x reduction", _identity_loss),
    "long": ("input", _long),
}
