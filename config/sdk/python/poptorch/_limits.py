"""What PyTorch has, and the device's operations have not: PopTorch refuses
that when it compiles a model, and so it is refused here, in its words."""
import torch

from . import _impl

# Recurrent layers as PyTorch's functions name them: the layer, and PopTorch's
# words where there are no biases (None: the device does without), are several
# layers, is a dropout, and where they run in both directions.
_LSTM = ("LSTM without biases not supported",
         "Only LSTM with 1 layer supported",
         "LSTM only supports dropout = 0.0",
         "bidirectional LSTM not supported")
_GRU = (None,
        "Only GRU with 1 layer supported",
        "GRU only supports dropout = 0.0",
        "bidirectional GRU not supported")
_RNN = ("RNN without biases is not supported",
        "Only RNN with 1 layer is supported",
        "RNN only supports dropout = 0.0",
        "Bidirectional RNN is not supported")
_RECURRENT = {"lstm": _LSTM, "gru": _GRU, "rnn_tanh": _RNN, "rnn_relu": _RNN}

_POOLING = {f"adaptive_avg_pool{count}d": count for count in (1, 2, 3)}


def refuse_call(name, args, kwargs):
    """Raise an error where the device has a function only in part."""
    words = _documented(name, args, kwargs)
    if words:
        raise _impl.create_compiler_error(words)
    if name in _RECURRENT:
        _refuse_recurrent(_RECURRENT[name], args)
    elif name in _POOLING:
        sizes = args[1] if len(args) > 1 else kwargs["output_size"]
        _refuse_pooling(args[0].shape[-_POOLING[name]:], sizes)


def _documented(name, args, kwargs):
    """The words of PopTorch's docs/user_guide/supported_ops.rst for a call
    that it excludes, or None."""
    if name.startswith("max_pool") and name.endswith("_with_indices"):
        return ("Currently the max pool layers do not return the indices so "
                "only the variants with return_indices=False are supported.")
    if name == "topk" and not (args[4:5] or (kwargs.get("sorted", True),))[0]:
        return "torch.topk only supports sorted=True argument."
    if name.startswith("conv_transpose"):
        dilation = (args[7:8] or (kwargs.get("dilation", 1),))[0]
        if dilation != 1 and set(dilation) != {1}:
            return "Conv transpose operations do not yet support dilations."
    if name in ("linalg_matrix_norm", "linalg_norm", "norm"):
        order = (args[1:2] or (kwargs.get("ord", kwargs.get("p")),))[0]
        dim = (args[2:3] or (kwargs.get("dim"),))[0]
        is_matrix = args[0].dim() == 2 if dim is None else \
            isinstance(dim, (tuple, list)) and len(dim) == 2
        if name == "linalg_matrix_norm":
            is_matrix = True
        if is_matrix and (order == "nuc" or
                          order in (2, -2) and name != "norm"):
            return "2-norm and nuclear norm are unsupported for matrices."
    return None


def _refuse_recurrent(words, args):
    # Of a packed sequence the weights stand one place further on.
    at = 3 if isinstance(args[3], (list, tuple)) else 2
    has_biases, layers, dropout, _, is_bidirectional = args[at + 1:at + 6]
    for is_refused, text in zip((not has_biases, layers != 1, dropout != 0,
                                 is_bidirectional), words):
        if is_refused and text:
            raise _impl.create_compiler_error(text)


def _refuse_pooling(have, wanted):
    """The device pools windows of one size."""
    if isinstance(wanted, int):
        wanted = (wanted,) * len(have)
    for place, (old, new) in enumerate(zip(have, wanted)):
        if new and old % new:
            raise _impl.create_compiler_error(
                f"Input dim {place} ({old}) is not divisible by the "
                f"corresponding output dim ({new}). The results will differ "
                "numerically from PyTorch's implementation.")


def refuse_operation(func, args, is_derived):
    """Raise an error where the device has an aten operation only in part;
    is_derived(tensor): whether it is no constant."""
    name = func._schema.name
    if name.startswith("aten::upsample_"):
        _refuse_upsampling(name, args)
    elif name == "aten::embedding":
        if any(args[3:5]):
            raise _impl.create_compiler_error(
                "Unsupported aten::embedding operation")
    elif name in ("aten::_embedding_bag",
                  "aten::_embedding_bag_forward_only"):
        _refuse_bags(args, is_derived)


def _refuse_bags(args, is_derived):
    text = "Unsupported aten::embedding_bag operation"
    if any(args[3:4] + args[5:6]):
        raise _impl.create_compiler_error(text)
    if args[8:9] and args[8] >= 0:
        raise _impl.create_compiler_error(
            f"{text}: padding_idx parameter is unsupported.")
    if isinstance(args[2], torch.Tensor) and is_derived(args[2]):
        raise _impl.create_compiler_error(
            f"{text}: offsets tensor must be a constant.")


def _refuse_upsampling(name, args):
    """The handlers of PopTorch's ReshapeOps.cpp."""
    if name in ("aten::upsample_linear1d", "aten::upsample_trilinear3d"):
        raise _impl.create_compiler_error(
            f"Unsupported upsample mode {name}: currently only 'nearest' is "
            "supported")
    if name == "aten::upsample_bicubic2d" and args[2]:
        raise _impl.create_compiler_error("Only support align_corners=False.")
    if name != "aten::upsample_bilinear2d":
        return
    factors = args[3] if args[1] is None else \
        [new / old for new, old in zip(args[1], args[0].shape[2:])]
    if factors[0] != factors[1]:
        raise _impl.create_compiler_error(
            "Non-uniform bilinear upsampling not supported")
    if factors[0] != int(factors[0]):
        raise _impl.create_compiler_error(
            "Bilinear upsampling with non-integer factor not supported")
