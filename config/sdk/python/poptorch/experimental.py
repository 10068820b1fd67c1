"""PopTorch's experiments: a function that runs on the IPU as it is.

IPUContext compiles it by poptorch.inferenceModel, where PopTorch would do so
by PopART; what takes MLIR, or a graph that is made call by call, is refused
in a sentence.
"""

import functools

import torch

from . import _impl
from .enums import Compiler


def _refuse_mlir(name):
    raise _impl.createPoptorchError(
        f"poptorch.experimental.{name} compiles by MLIR unless it is told "
        "poptorch.Compiler.PopART, and there is no MLIR here.")


class IPUContext:
    """A decorator: the function runs on the IPU, and is compiled by its
    first call."""

    def __init__(self, func=None, *, compiler=Compiler.MLIR, options=None,
                 training=False, dict_optimizer=None, optimizer=None,
                 model=None):
        if compiler != Compiler.PopART:
            _refuse_mlir("IPUContext")
        if training or optimizer is not None or dict_optimizer is not None:
            raise _impl.createPoptorchError(
                "poptorch.experimental.IPUContext does not train: use "
                "poptorch.trainingModel.")
        self._function = None
        self._options = options
        self._executor = None
        if model is not None and not isinstance(model, torch.nn.Module):
            raise TypeError("model must inherit from torch.nn.Module")
        if func is not None:
            self._decorate(func)

    def _decorate(self, function):
        self._function = function
        functools.update_wrapper(self, function)

    def compile(self, *args, **kwargs):
        """Compile the function for arguments like these."""
        self._made().compile(*args, **kwargs)

    def _made(self):
        import poptorch

        if self._executor is None:
            self._executor = poptorch.inferenceModel(self._function,
                                                     self._options)
        return self._executor

    def __call__(self, *args, **kwargs):
        if self._function is None:
            self._decorate(args[0])
            return self
        return self._made()(*args, **kwargs)


class IPUScope:
    """A region whose operations become a graph.  The types of what it is
    given are checked as in PopTorch."""

    def __init__(self, inputs, model=None, options=None, training=False,
                 dict_optimizer=None, optimizer=None,
                 compile_using=Compiler.PopART, skip_compilation=False):
        if not isinstance(inputs, (list, tuple)):
            raise ValueError("You can only pass a list or tuple as the "
                             "inputs argument to IPUScope.")
        for tensor in inputs:
            if not isinstance(tensor, torch.Tensor):
                raise ValueError("You can only pass torch.Tensors as inputs "
                                 "to IPUScope.")
            if tensor.is_sparse:
                raise ValueError("You cannot pass sparse tensors as inputs "
                                 "to IPUScope.")
        if model is not None and not isinstance(model, torch.nn.Module):
            raise TypeError("model must inherit from torch.nn.Module")
        raise _impl.createPoptorchError(
            "poptorch.experimental.IPUScope is not in newer PopTorchs, nor "
            "here: make the region a function, and give it to "
            "poptorch.inferenceModel.")
