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
    if name in _RECURRENT:
        _refuse_recurrent(_RECURRENT[name], args)
    elif name in _POOLING:
        sizes = args[1] if len(args) > 1 else kwargs["output_size"]
        _refuse_pooling(args[0].shape[-_POOLING[name]:], sizes)


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
    if name == "aten::embedding":
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
