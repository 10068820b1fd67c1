"""What a call of the model's comes to on a device.

The device that it names is the one that the model runs on; its integers have
32 bits; and what would need a value, or a shape, that only the device knows
is refused in PopTorch's words.
"""
import re

import torch

from . import _impl, _limits, poptorch_core
from ._graph import transform
from ._logging import logger

# Where all tensors of a model are, as long as it is lowered.
DEVICE = torch.device("ipu", 0)
_WHERE = {"device": DEVICE, "is_ipu": True, "is_cpu": False}

# Calls that would bring a value of the device to Python.
_ITEMS = frozenset((
    "__bool__", "__complex__", "__contains__", "__float__", "__index__",
    "__int__", "allclose", "is_nonzero", "item"))
_VALUES = frozenset((
    "__array__", "_typed_storage", "equal", "numpy", "storage", "tolist",
    "typed_storage", "untyped_storage"))

# Operations whose results have as many elements as values say.
_SHAPED_BY_VALUES = frozenset((
    "aten::masked_select", "aten::nonzero", "aten::_unique",
    "aten::_unique2", "aten::unique_consecutive", "aten::unique_dim",
    "aten::unique_dim_consecutive"))

# Types that the device does not have, as PyTorch's C++ part names them.
_UNSUPPORTED = {torch.bfloat16: "BFloat16", torch.complex32: "ComplexHalf",
                torch.complex64: "ComplexFloat",
                torch.complex128: "ComplexDouble"}

# Functions that make a tensor where they are told to.
_FACTORIES = frozenset((
    "arange", "empty", "full", "full_like", "linspace", "logspace", "ones",
    "rand", "randint", "randn", "randperm", "range", "tensor", "zeros",
    "zeros_like"))

# Integers that the device takes for an index, and PyTorch often does not.
_LONG = dict.fromkeys((torch.int8, torch.int16, torch.int32), torch.int64)
_WANTS_LONG = re.compile(r"int64|\blong\b|index tensor", re.IGNORECASE)


def answer(func):
    """What an attribute of tensors is on the device; None of all others."""
    if getattr(func, "__name__", "") != "__get__":
        return None
    return _WHERE.get(getattr(func.__self__, "__name__", ""))


def on_host(func, args, kwargs):
    """The arguments, with the host in place of the device that they name,
    and with floats where they are doubles."""
    def host(leaf):
        if isinstance(leaf, torch.device) and leaf.type == "ipu":
            return torch.device("cpu")
        return torch.float32 if leaf is torch.float64 else leaf

    if getattr(func, "__name__", "") == "to":
        args = args[:1] + tuple(map(_named_host, args[1:]))
    if isinstance(kwargs.get("device"), str):
        kwargs = {**kwargs, "device": _named_host(kwargs["device"])}
    return transform(tuple(args), host), transform(dict(kwargs), host)


def names_device(args, kwargs):
    """Whether a call says that its result is to be on the device."""
    return any(isinstance(each, torch.device) and each.type == "ipu" or
               isinstance(each, str) and each.partition(":")[0] == "ipu"
               for each in (*args, kwargs.get("device")))


def is_forced(func, args, kwargs):
    """Whether a tensor is made on the device, where the model leaves that
    open."""
    name = getattr(func, "__name__", "")
    return "device" not in kwargs and (name in _FACTORIES or (
        name == "normal" and not any(
            isinstance(each, torch.Tensor)
            for each in (*args, *kwargs.values()))))


def tell(func, args, kwargs):
    """Say so."""
    if is_forced(func, args, kwargs):
        logger.warning("No device set in torch.%s(): forcing to IPU",
                       func.__name__)


def _named_host(name):
    if isinstance(name, str) and name.partition(":")[0] == "ipu":
        return "cpu"
    return name


def refuse_input(tensor):
    """Raise an error where the device has no such tensors."""
    if tensor.layout != torch.strided:
        raise ValueError("You cannot pass sparse tensors as inputs to "
                         "IPUScope.")
    refuse_type(tensor)


def refuse_type(leaf):
    """Raise an error of a tensor of a type that the device does not have."""
    if isinstance(leaf, torch.Tensor) and leaf.dtype in _UNSUPPORTED:
        raise _impl.create_compiler_error(
            "Unsupported tensor input type from pytorch: "
            f"{_UNSUPPORTED[leaf.dtype]}")


def refuse(func, args, kwargs, is_derived):
    """Raise an error where a function would need a value that only the
    device knows; is_derived(tensor): whether it is such a one."""
    name = getattr(func, "__name__", "")
    if not any(isinstance(each, torch.Tensor) and is_derived(each)
               for each in args[:2]):
        return
    if name in _ITEMS:
        raise _impl.create_compiler_error(
            "aten::item is only supported in eager mode, but was intercepted "
            "in a static graph. This means an IPU to CPU copy was triggered "
            "before the end of the graph, for example by calling "
            "tensor.item(). Please ensure that any such copies are removed.")
    if name in _VALUES:
        raise _impl.create_compiler_error(
            f"Illegal use of `{name}` on an IPU tensor: its value is not "
            "known before the model runs, so a compiled model cannot depend "
            "on it. Return it as an output instead.")
    if name == "cpu" or name == "to" and any(
            isinstance(each, (str, torch.device)) and str(each) == "cpu"
            for each in args[1:] + (kwargs.get("device"),)):
        raise _impl.create_compiler_error(
            'Illegal move to CPU (via `.to("cpu")`) when using the '
            "dispatcher. Instead, return this output as an IPU tensor.")
    if name == "repeat_interleave" and "output_size" not in kwargs and any(
            isinstance(each, torch.Tensor) and is_derived(each)
            for each in args[1:2] + (kwargs.get("repeats"),)):
        raise _dynamic("aten::repeat_interleave")
    if name == "one_hot" and \
            (args[1:] or (kwargs.get("num_classes", -1),))[0] == -1:
        raise _impl.create_compiler_error(
            "OneHot num classes must be specified and must be constant.")
    if name in ("argsort", "sort") and kwargs.get("stable"):
        raise _impl.create_compiler_error(
            "Stable sort algorithm is not supported")
    _limits.refuse_call(name, args, kwargs)


def refuse_shape(func, args):
    """Raise an error where values would decide how many elements an aten
    operation makes."""
    name = func._schema.name
    if name == "aten::index" and any(
            each is not None and each.dtype in (torch.bool, torch.uint8)
            for each in args[1]):
        name = "aten::nonzero"
    elif name not in _SHAPED_BY_VALUES:
        return
    raise _dynamic(name)


def _dynamic(name):
    return _impl.create_compiler_error(
        f"Operations using {name} are unsupported because the output shape "
        "is determined by the tensor values. The IPU cannot support dynamic "
        "output shapes.")


class Recast:
    """A function that takes tensors of some types in another type, all of
    them or all but the first."""

    def __init__(self, function, types, keeps_first):
        self.function = function
        self.types = types
        self.keeps_first = keeps_first
        self.__name__ = getattr(function, "__name__", str(function))

    def __call__(self, *args, **kwargs):
        args, kwargs = self.recast(args, kwargs)
        return self.function(*args, **kwargs)

    def recast(self, args, kwargs):
        """The arguments in those types."""
        def recast(leaf):
            if isinstance(leaf, torch.Tensor) and leaf.dtype in self.types:
                return leaf.to(self.types[leaf.dtype])
            return leaf

        count = 1 if self.keeps_first else 0
        return (tuple(args[:count]) + transform(tuple(args[count:]), recast),
                transform(dict(kwargs), recast))


def on_device(func, args):
    """The function as the device has it: there are no doubles, and weights
    of a convolution are taken in the type of what it is of."""
    if getattr(func, "__name__", "") == "double":
        return torch.Tensor.float
    if not getattr(func, "__name__", "").startswith("conv") or \
            not isinstance(args[0], torch.Tensor):
        return func
    types = {torch.float16: torch.float32, torch.float32: torch.float16}
    mine = args[0].dtype
    if mine in types and any(
            isinstance(each, torch.Tensor) and each.dtype == types[mine]
            for each in args[1:]):
        return Recast(func, {types[mine]: mine}, True)
    return func


def perform(func, args, kwargs, again, call=None):
    """(what the function returns, the function): where PyTorch asks for
    long indices it is one that widens them, and again() is called before it
    is tried.  call(func, args, kwargs) calls it."""
    call = call or _plain_call
    try:
        return call(func, args, kwargs), func
    except (IndexError, RuntimeError) as error:
        if isinstance(error, poptorch_core.Error) or \
                not _WANTS_LONG.search(str(error)):
            raise
        for keeps_first in (True, False):
            wide = Recast(func, _LONG, keeps_first)
            again()
            try:
                return call(func, *wide.recast(args, kwargs)), wide
            except (IndexError, RuntimeError) as other:
                last = other
        raise last from None


def _plain_call(func, args, kwargs):
    return func(*args, **kwargs)
