"""The user's model while it is trained: it sees the weights of the device.

What is on the device is newer than what the user's model has.  Its class is
changed to one of ours, which is still one of the user's, and so are those of
its parameters and buffers: whoever looks at them first has them copied from
the device.  Copies and pickles are of the user's classes again.

None of them keeps the executor: a program that lets go of it gives its IPUs
back.
"""
import copy
import weakref

import torch

from . import _impl
from ._replica_groups import Groupable

_PREFIX = "Poptorch"

# What the classes themselves look at.
_OWN = frozenset(("_poptorch_owner", "__class__", "__dict__", "_version",
                  "requires_grad", "shape", "dtype", "is_leaf", "device"))


class Version:
    """How often a model's weights were copied to the host."""

    def __init__(self):
        self.number = 0


class _Tensor:
    """What parameters and buffers have in common."""

    def __getattribute__(self, name):
        if name not in _OWN:
            _refresh(self)
        return super().__getattribute__(name)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        for each in args:
            if isinstance(each, _Tensor):
                _refresh(each)
        with torch._C.DisableTorchFunction():
            return func(*args, **(kwargs or {}))

    def __deepcopy__(self, memory):
        _refresh(self)
        made = self.data.clone()
        if isinstance(self, torch.nn.Parameter):
            made = torch.nn.Parameter(made, self.requires_grad)
        memory[id(self)] = made
        return made

    def __reduce_ex__(self, protocol):
        plain = self.data
        if isinstance(self, torch.nn.Parameter):
            plain = torch.nn.Parameter(plain, self.requires_grad)
        return plain.__reduce_ex__(protocol)


@_impl.mark_wrapped
class PoptorchParameter(_Tensor, Groupable, torch.nn.Parameter):
    """A parameter of a model that is trained."""

    def _place(self):
        executor = owner_of(self)
        return executor, next(
            name for name, each in executor._user_model.named_parameters()
            if each is self)


@_impl.mark_wrapped
class PoptorchBuffer(_Tensor, torch.Tensor):
    """A buffer of one."""


def _refresh(tensor):
    owner = owner_of(tensor)
    if owner is not None:
        owner.copyWeightsToHostIfNeeded()


def owner_of(tensor):
    """The executor that trains a parameter; None where none does."""
    if not isinstance(tensor, _Tensor):
        return None
    owner = object.__getattribute__(tensor, "__dict__").get("_poptorch_owner")
    return None if owner is None else owner()


def wrap(model, executor):
    """Let the model see what the executor has on its device."""
    original = type(model)
    owner = weakref.ref(executor)

    def refresh():
        executor = owner()
        return executor is not None and executor.copyWeightsToHostIfNeeded()

    def __getattribute__(self, name):
        if name in ("_parameters", "_buffers", "forward"):
            refresh()
        elif name == "_host_weights_version":
            executor = owner()
            return None if executor is None else \
                executor._host_weights_version
        return original.__getattribute__(self, name)

    def copyWeightsToHostIfNeeded(self):
        """Copy the weights where those of the device are newer; whether
        they were."""
        return refresh()

    def destroy(self):
        """Forget what was compiled; the model is the user's again."""
        executor = owner()
        if executor is not None:
            executor.destroy()
        else:
            unwrap(self)

    def plain(self):
        refresh()
        made = original.__new__(original)
        made.__dict__.update(object.__getattribute__(self, "__dict__"))
        return made

    def __reduce_ex__(self, protocol):
        # Of another class than this object's, which pickle asks about where
        # it knows the function.
        function, arguments, *rest = plain(self).__reduce_ex__(protocol)
        return (_make, (function, arguments), *rest)

    def __deepcopy__(self, memory):
        made = copy.deepcopy(plain(self), memory)
        memory[id(self)] = made
        return made

    def __copy__(self):
        return plain(self)

    wrapped = type(_PREFIX + original.__name__, (original,), {
        "__module__": original.__module__,
        "__doc__": original.__doc__,
        "__getattribute__": __getattribute__,
        "__reduce_ex__": __reduce_ex__,
        "__deepcopy__": __deepcopy__,
        "__copy__": __copy__,
        "copyWeightsToHostIfNeeded": copyWeightsToHostIfNeeded,
        "destroy": destroy,
        "_poptorch_wraps": original})
    model.__class__ = _impl.mark_wrapped(wrapped)
    for parameter in model.parameters():
        if type(parameter) is torch.nn.Parameter:
            _own(parameter, PoptorchParameter, owner)
    for buffer in model.buffers():
        if type(buffer) is torch.Tensor:
            _own(buffer, PoptorchBuffer, owner)


def _own(tensor, kind, owner):
    tensor.__class__ = kind
    tensor.__dict__["_poptorch_owner"] = owner


def _make(function, arguments):
    return function(*arguments)


def unwrap(model):
    """Make the model the user's again."""
    for tensor in list(model.parameters()) + list(model.buffers()):
        if isinstance(tensor, _Tensor):
            object.__getattribute__(tensor, "__dict__").pop(
                "_poptorch_owner", None)
            tensor.__class__ = torch.nn.Parameter \
                if isinstance(tensor, PoptorchParameter) else torch.Tensor
    model.__class__ = type(model)._poptorch_wraps
