"""Tensors that a model makes on the host, and not on the device.

PopTorch takes no tensor of the host that is not moved to the device.  Here
those that were there before the model ran are constants, as they were in
PopTorch 2; those that it makes while it runs are refused.
"""
import contextlib

import torch

from . import _device_calls, _impl
from ._graph import tensors_in

# Calls that may take tensors of both places: those that copy from one to the
# other, and those that look at types and shapes.
_OF_BOTH = frozenset(("__set__", "apply", "copy_", "is_same_size",
                      "result_type", "to", "type_as"))


# Functions that make tensors, and that no mode of PyTorch's sees.
_UNSEEN = ("from_numpy", "frombuffer")


class HostTensors:
    """Knows the tensors of a lowering that are made on the host: what they
    are made of is there too, or is nothing."""

    def __init__(self):
        self._made = {}         # id -> the tensor

    def _is_host(self, tensor):
        return id(tensor) in self._made

    @contextlib.contextmanager
    def watching(self):
        """Meanwhile functions that no mode sees are watched."""
        before = {name: getattr(torch, name) for name in _UNSEEN}

        def watched(function):
            def make(*args, **kwargs):
                made = function(*args, **kwargs)
                self._made[id(made)] = made
                return made
            return make
        for name, function in before.items():
            setattr(torch, name, watched(function))
        try:
            yield
        finally:
            for name, function in before.items():
                setattr(torch, name, function)

    def refuse(self, func, args, kwargs):
        """Raise an error where a call mixes tensors of host and device, as
        toMeta() of PopTorch's TypeInferenceHandler.cpp does."""
        name = getattr(func, "__name__", "").partition(".")[0]
        if not self._made or name in _OF_BOTH or \
                _device_calls.names_device(args, kwargs):
            return
        if name == "__setitem__":       # which copies the value
            args = args[:2]
        tensors = tensors_in((args, kwargs))
        there = [each for each in tensors if self._is_host(each)]
        if not there or len(there) == len(tensors):
            return
        # As "torch.FloatTensor" says it.
        kind = there[0].type().partition(".")[2].replace("Tensor", "")
        raise _impl.create_compiler_error(
            "Expected an IPU tensor but got tensor(device=cpu, "
            f"shape={list(there[0].shape)}, dtype={kind}).\nConstant tensors "
            "should be moved explicitly to the IPU, via "
            "cpu_tensor.to(\"ipu\").")

    def place(self, func, args, kwargs, result, is_bare=False):
        """Note where a call's result is; is_bare: an aten operation, of which
        one that takes no tensor says nothing."""
        if is_bare and not (self._made and tensors_in((args, kwargs))):
            return
        made = {id(each): each for each in tensors_in(result)}
        if _device_calls.names_device(args, kwargs) or \
                getattr(func, "__name__", "") in ("ipu", "type_as") or any(
                    not self._is_host(each) for each in
                    tensors_in((args[1:], kwargs))):
            for key in made:
                self._made.pop(key, None)
        elif not _device_calls.is_forced(func, args, kwargs) and \
                all(map(self._is_host, tensors_in((args, kwargs)))):
            self._made.update(made)
