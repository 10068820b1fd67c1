"""Automatic casting: which operations run in which type.

PopTorch casts while it traces a model, so that what could be half is faster
on a chip.  A model whose operations are dispatched, as here, keeps the types
that it has, which are at least as precise.
"""

import functools

try:
    import torch
except ImportError:             # the options work without it
    torch = None


class autocast:
    """A region or a decorated function in which the policy may cast
    operations; ipubox does not cast them."""

    def __init__(self, enabled=True):
        self.enabled = enabled

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def decorated(*args, **kwargs):
            with self:
                return function(*args, **kwargs)
        return decorated


def _is_layer(operation):
    """Whether an entry of a policy is a class of modules."""
    return isinstance(operation, type) and torch is not None and \
        issubclass(operation, torch.nn.Module)


def _name_of(operation):
    """The third word of what Python calls it, which is how PopTorch names an
    operation: of a function that is not built in, that is "at"."""
    return str(operation).split(" ")[2]


class Policy:
    """The types in which operations and layers run."""

    def __init__(self, fp16=None, fp32=None, promote=None, demote=None):
        self.fp16 = fp16 or []
        self.fp32 = fp32 or []
        self.promote = promote or []
        self.demote = demote or []

    def _wanted(self, module):
        """The type that a layer gets, or None where it keeps its own."""
        types = {parameter.dtype for parameter in module.parameters()}
        lists = [(self.fp16, torch.half), (self.fp32, torch.float)]
        if {torch.half, torch.float} <= types:
            lists = [(self.promote, torch.float),
                     (self.demote, torch.half)] + lists
        for entries, dtype in lists:
            if isinstance(module, tuple(filter(_is_layer, entries))):
                return dtype
        return None

    def applyToLayer(self, module, options):
        """Cast one layer, if casts are on for it."""
        if getattr(module, "_poptorch_autocast", False) and \
                options.Precision.autocast_enabled:
            module.forward = autocast()(module.forward)
            dtype = self._wanted(module)
            if dtype is not None:
                module.to(dtype)

    def apply(self, module, options):
        """Cast all layers of a model."""
        for layer in module.modules():
            self.applyToLayer(layer, options)

    def _dict(self):
        """The names of the operations; layers are not among them."""
        return {name: [_name_of(operation)
                       for operation in getattr(self, name)
                       if not _is_layer(operation)]
                for name in ("fp16", "fp32", "promote", "demote")}


def _torch_functions(names):
    """Those of PyTorch's functions that this PyTorch has."""
    return [getattr(torch, name) for name in names.split()
            if hasattr(torch, name)]


default_fp16 = _torch_functions(
    "addbmm addmm addmv addr baddbmm bmm chain_matmul conv1d conv2d conv3d "
    "conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution "
    "matmul mm mv")
default_fp32 = []
default_promote = _torch_functions(
    "addcdiv addcmul atan2 bilinear cat cross dot equal index_put stack "
    "tensordot")
default_demote = []

if torch is not None:
    default_fp16.append(torch.nn.Conv2d)

    def _set_autocast(module, enabled=True):
        """Whether this layer's operations are cast."""
        module._poptorch_autocast = enabled

    torch.nn.Module.autocast = _set_autocast

default = Policy(default_fp16, default_fp32, default_promote, default_demote)
