"""Half precision: what an IPU can do with float16, and this CPU can not.

PyTorch has many operations for float16 on its other devices only.  The device
that is emulated has them all: where the CPU refuses one, it is worked out in
float32 and its results are rounded.  This happens below autograd, so that it
is the same rule for a model and for its way back, and the CPU is asked first,
so that what a newer PyTorch can do is left to it.
"""
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from ._graph import transform, walk

# What PyTorch says where it lacks a kernel, and where a kernel wants one type
# and was given two.
_REFUSALS = ("not implemented for 'Half'", "not implemented for Half",
             "not implemented for half", "expected scalar type",
             "should be the same", "to have the same dtype",
             "same type", "mixed dtype", "Half is not supported")

# Their first result has the type of their input, whatever type the weights
# have, and the statistics behind it stay in float32.
_NORMALISATIONS = frozenset((
    "aten::native_batch_norm", "aten::native_layer_norm",
    "aten::native_group_norm"))

# Operations that were refused for these types: the CPU is not asked again.
_refused = set()


class Emulation(TorchDispatchMode):
    """Within it, the CPU has every operation for float16."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return call(func, args, kwargs or {})


def call(func, args, kwargs):
    """An aten operation, on the CPU or emulated."""
    if any(isinstance(each, bool) for each in args):
        args = _tensors_of_flags(func, args)
    types = _types_of((args, kwargs))
    if torch.float16 not in types:
        return func(*args, **kwargs)
    key = (func, types)
    if key in _refused:
        return _emulated(func, args, kwargs)
    try:
        return func(*args, **kwargs)
    except RuntimeError as error:
        if not any(each in str(error) for each in _REFUSALS):
            raise
    # An operation that fails in float32 too says why in its own words.
    result = _emulated(func, args, kwargs)
    _refused.add(key)
    return result


def _tensors_of_flags(func, args):
    """A dispatch mode is shown a flag where an operation takes a tensor,
    which the operation does not take from Python."""
    return tuple(
        torch.tensor(each) if isinstance(each, bool) and
        isinstance(argument.type, torch.TensorType) else each
        for each, argument in zip(args, func._schema.arguments))


def uses_half(graph):
    """Whether any tensor of a graph is in float16, in its loops too."""
    values = list(graph.outputs())
    for node in graph.nodes:
        values += node.inputs() + node.outputs()
        for operation in node.operations:
            if any(dtype == torch.float16 for _, dtype in
                   operation.inputs + operation.outputs):
                return True
    return any(value.dtype == torch.float16 for value in values)


def _types_of(structure):
    """The floating-point types of tensors, and the types asked for."""
    found = []

    def look(leaf):
        if isinstance(leaf, torch.Tensor):
            if leaf.dtype.is_floating_point:
                found.append(leaf.dtype)
        elif isinstance(leaf, torch.dtype):
            found.append(leaf)

    walk(structure, look)
    return tuple(found)


def _emulated(func, args, kwargs):
    """The operation in float32, its results rounded to what they should
    be."""
    wide = {}                   # id of a tensor -> (it, its float32)

    def widened(leaf):
        if leaf is torch.float16:
            return torch.float32
        if isinstance(leaf, torch.Tensor) and leaf.dtype == torch.float16:
            if id(leaf) not in wide:
                wide[id(leaf)] = (leaf, leaf.float())
            return wide[id(leaf)][1]
        return leaf

    result = func(*transform(tuple(args), widened),
                  **transform(dict(kwargs), widened))
    written = _written(func, args, kwargs)
    narrow = {}                 # id of a float32 -> the tensor it stands for
    for tensor, copy in wide.values():
        if id(tensor) in written:
            tensor.copy_(copy)
            narrow[id(copy)] = tensor
    return _rounded(func, args, kwargs, result, narrow)


def _written(func, args, kwargs):
    """The ids of tensors that the operation writes."""
    found = set()
    for number, argument in enumerate(func._schema.arguments):
        alias = argument.alias_info
        if alias is None or not alias.is_write:
            continue
        given = args[number] if number < len(args) else \
            kwargs.get(argument.name)
        walk(given, lambda leaf: found.add(id(leaf)))
    if func._schema.name == "aten::native_batch_norm" and args[5]:
        # It writes the statistics, and does not say so.
        found.update(id(each) for each in args[3:5])
    return found


def _rounded(func, args, kwargs, result, narrow):
    """The results in the type that they have on the device."""
    if func._schema.name in _NORMALISATIONS:
        return (result[0].to(args[0].dtype),) + tuple(result[1:])
    asked = kwargs.get("dtype")
    if asked is None:
        types = set(_types_of((args, kwargs)))
        asked = torch.float16 if types == {torch.float16} else None

    def rounded(leaf):
        if not isinstance(leaf, torch.Tensor):
            return leaf
        if id(leaf) in narrow:
            return narrow[id(leaf)]
        if asked == torch.float16 and leaf.dtype == torch.float32:
            return leaf.half()
        return leaf

    return transform(result, rounded)
