"""Half precision: what an IPU can do with float16, and this CPU can not.

PyTorch has many operations for float16 on its other devices only, and most of
those that its CPU has take many times longer than in float32.  So an operation
that computes does so in float32, and its results are rounded.

Most graphs run with float32 in place of all halves: each node computes in one
piece, and _Round makes halves of its results and of their gradients.  Where a
graph needs real halves, and while a model is lowered, Emulation does the same
with each aten operation, below autograd.

Operations of both types give float32: PopTorch's supported_ops.rst, "16-bit
float migration".  A result beyond the range of halves becomes the largest
one: the bit NANOO of the IPU "selects between clipping or generating a NaN"
(Graphcore's TensorFlow guide, rand_and_fp.rst), and PopART sets it only with
enableFloatingPointChecks (IrLowering::setFloatingPointBehaviour).
"""
import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import _exceptions
from ._device_calls import Recast
from ._graph import transform, values_in, walk

# Their first result has the type of their input, whatever type the weights
# have, and the statistics after it stay in float32.
_NORMALISATIONS = frozenset((
    "aten::native_batch_norm", "aten::native_layer_norm",
    "aten::native_group_norm"))

# Operations that move values and compute none; so do all that give views.
_MOVES = frozenset("aten::" + name for name in (
    "_pin_memory", "_unsafe_view", "cat", "clone", "copy_", "empty",
    "empty_like", "empty_strided", "embedding", "flip", "gather", "index",
    "index_select", "is_same_size", "isnan", "lift", "new_empty",
    "new_empty_strided", "new_zeros", "ones", "ones_like", "repeat",
    "resize_", "roll", "select_backward", "slice_backward", "squeeze_",
    "stack", "t_", "transpose_", "unfold_backward", "unsafe_split",
    "unsafe_split_with_sizes", "unsqueeze_", "where", "zero_", "zeros",
    "zeros_like", "_local_scalar_dense", "_to_copy"))

_LARGEST = torch.finfo(torch.float16).max

_are_moves = {}                 # operation -> whether it computes nothing


class Emulation(TorchDispatchMode):
    """Within it, the CPU has every operation for float16."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return call(func, args, kwargs or {})


def call(func, args, kwargs):
    """An aten operation, in float32 where it computes with halves."""
    for each in args:
        if each is True or each is False:
            args = _tensors_of_flags(func, args)
            break
    if not _has_half(args) and not (kwargs and _has_half(kwargs.values())) \
            or _is_move(func, args, kwargs):
        return func(*args, **kwargs)
    return _Call().run(func, args, kwargs)


def _has_half(values):
    for each in values:
        if isinstance(each, torch.Tensor):
            if each.dtype is torch.float16:
                return True
        elif each is torch.float16 or \
                isinstance(each, (list, tuple)) and _has_half(each):
            return True
    return False


def _computes_nothing(func):
    """Whether an operation only moves values."""
    is_move = _are_moves.get(func)
    if is_move is None:
        schema = func._schema
        is_move = _are_moves[func] = schema.name in _MOVES or (
            any(each.alias_info is not None for each in schema.returns)
            and not any(each.alias_info is not None and
                        each.alias_info.is_write
                        for each in schema.arguments))
    return is_move


def _is_move(func, args, kwargs):
    """Whether a call computes nothing, so that the CPU does it as it is."""
    if not _computes_nothing(func):
        return False
    name = func._schema.name
    if name == "aten::_to_copy":
        return kwargs.get("dtype") is not torch.float16 or \
            args[0].dtype is torch.float16
    if name == "aten::copy_":
        return args[0].dtype is not torch.float16 or \
            args[1].dtype is torch.float16
    return True


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


def halved(wide, operands=()):
    """Halves of float32, of which those beyond the range are clipped.  Where
    an operand was infinite the result may be so too: nothing overflows."""
    if wide.numel() == 0:
        return wide.half()
    least, most = torch.aminmax(wide)
    if -_LARGEST <= least.item() and most.item() <= _LARGEST:
        return wide.half()
    _exceptions.check_half(wide, _LARGEST)
    clipped = wide.clamp(-_LARGEST, _LARGEST)
    if _has_infinity(operands):
        clipped = torch.where(wide.isinf(), wide, clipped)
    return clipped.half()


def _has_infinity(operands):
    found = []
    walk(operands, lambda leaf: found.append(
        leaf.is_floating_point() and leaf.isinf().any().item()
        if isinstance(leaf, torch.Tensor) else
        isinstance(leaf, float) and math.isinf(leaf)))
    return any(found)


def returned(wide):
    """What a model returns of a tensor whose halves are kept as float32."""
    return halved(wide.detach(), math.inf)


class _Call:
    """One operation in float32."""

    def __init__(self):
        self._wide = {}         # id of a half -> (it, its float32)
        self._types = set()     # of tensors, and those that are asked for

    def run(self, func, args, kwargs):
        """Its results, rounded to what they should be."""
        result = func(*map(self._widened, args),
                      **{key: self._widened(each)
                         for key, each in kwargs.items()})
        narrow = self._write(func, args, kwargs)
        if func._schema.name in _NORMALISATIONS:
            first = result[0]
            if args[0].dtype is torch.float16:
                first = halved(first, args)
            return (first, *result[1:])
        asked = kwargs.get("dtype")
        is_half = self._types == {torch.float16} if asked is None \
            else asked is torch.float16

        def rounded(leaf):
            if not isinstance(leaf, torch.Tensor):
                return leaf
            if id(leaf) in narrow:
                return narrow[id(leaf)]
            return halved(leaf, (args, kwargs)) \
                if is_half and leaf.dtype is torch.float32 else leaf

        return transform(result, rounded)

    def _widened(self, leaf):
        if isinstance(leaf, torch.Tensor):
            dtype = leaf.dtype
            if dtype.is_floating_point:
                self._types.add(dtype)
            if dtype is not torch.float16:
                return leaf
            if id(leaf) not in self._wide:
                self._wide[id(leaf)] = (leaf, leaf.float())
            return self._wide[id(leaf)][1]
        if isinstance(leaf, (list, tuple)):
            return list(map(self._widened, leaf))
        if isinstance(leaf, torch.dtype):
            self._types.add(leaf)
            return torch.float32 if leaf is torch.float16 else leaf
        return leaf

    def _write(self, func, args, kwargs):
        """Round what the operation has written into the program's tensors:
        id of a float32 -> the half it stands for."""
        narrow = {}
        for each in _written(func, args, kwargs):
            tensor, copy = self._wide.get(id(each), (None, None))
            if tensor is not None:
                tensor.copy_(halved(copy, (args, kwargs)))
                narrow[id(copy)] = tensor
        return narrow


def _written(func, args, kwargs):
    """The tensors that the operation writes."""
    found = []
    for number, argument in enumerate(func._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            walk(args[number] if number < len(args)
                 else kwargs.get(argument.name), found.append)
    if func._schema.name == "aten::native_batch_norm" and args[5]:
        # It writes the statistics, and does not say so.
        found += args[3:5]
    return found


# --- graphs whose halves are kept in float32 -------------------------------

# Calls that take a tensor's type, or its bytes, for what it is.
_LITERAL = ("_call_on_host", "apply", "cond", "for_loop", "view")


def can_be_wide(graph):
    """Whether a graph gives the same where its halves are kept as float32
    of their values: then a node computes in one piece, and only its results
    are rounded."""
    return not any(value.kind in ("input", "parameter") and
                   value.dtype is torch.float16
                   for value in graph.written) and not any(
        node.name in _LITERAL and (node.name != "view" or any(
            isinstance(each, torch.dtype) for each in node.args)) or
        getattr(node.function, "is_of_host", False)
        for node in graph.nodes)


def wide_function(node):
    """The function of a node for such a graph."""
    function = node.function
    # Weights of a convolution are float32 as well, whatever type it wants.
    if isinstance(function, Recast) and \
            torch.float16 in (*function.types, *function.types.values()):
        function = function.function
    if function is torch.Tensor.half:
        function = torch.Tensor.float
    names = {operation.name for operation in node.operations}
    is_cast = "aten::_to_copy" in names
    halves = [value.node is node and value.dtype is torch.float16
              for value in values_in(node.result)]
    if not is_cast and (not any(halves) or all(map(_is_quiet, names))):
        return function
    return _Rounding(function, halves, is_cast)


def _is_quiet(name):
    """Whether an operation of that name gives halves of halves as they
    are."""
    room, _, name = name.partition("::")
    if room != "aten" or name == "copy_":
        return False
    packet = getattr(torch.ops.aten, name)
    return _computes_nothing(getattr(packet, packet.overloads()[0]))


class _Rounding:
    """A function whose results are rounded where they are halves."""

    def __init__(self, function, halves, is_cast):
        self._function = function
        self._halves = halves
        self._is_cast = is_cast

    def __call__(self, *args, **kwargs):
        made = self._function(*args, **kwargs)
        if self._is_cast and args and made is args[0]:
            made = made.clone()
        if isinstance(made, torch.Tensor):
            return _Round.apply(made, args) if any(self._halves) else made
        halves = iter(self._halves)
        return transform(made, lambda leaf: _Round.apply(leaf, args)
                         if isinstance(leaf, torch.Tensor) and next(halves)
                         else leaf)


class _Round(torch.autograd.Function):
    """Rounds a tensor, and its gradient."""

    @staticmethod
    def forward(ctx, tensor, operands):
        return halved(tensor.float(), operands).float()

    @staticmethod
    def backward(ctx, gradient):
        return halved(gradient).float(), None
