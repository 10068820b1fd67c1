"""PopTorch's experiments: a function that runs on the IPU as it is.

IPUContext compiles it as poptorch.inferenceModel and trainingModel compile a
model, whichever compiler it is told; IPUScope is refused in a sentence.
"""

import functools

import torch

from . import _impl
from ._args_parser import refuse_gradients
from ._utils import flattenTensorStructure
from .enums import Compiler


class _WithWeights(torch.nn.Module):
    """A function as a model, with the weights of the model that it uses."""

    def __init__(self, function, model):
        super().__init__()
        self.model = model
        self._function = function

    def forward(self, *args, **kwargs):
        return self._function(*args, **kwargs)


class IPUContext:
    """A decorator: the function runs on the IPU, and its first call compiles
    it.  It trains the weights of a model if asked to."""

    def __init__(self, func=None, *, parameters_and_buffers=None,
                 compiler=Compiler.PopART, options=None, training=False,
                 dict_optimizer=None, optimizer=None, model=None,
                 per_replica_params=None):
        if not isinstance(compiler, Compiler):
            raise TypeError("compiler must be a poptorch.Compiler")
        if model is not None and not isinstance(model, torch.nn.Module):
            raise TypeError("model must inherit from torch.nn.Module")
        self._function = None
        self._options = options
        self._training = training
        self._optimizer = optimizer
        self._model = model
        self._groups = {f"model.{name}": said for name, said in
                        (per_replica_params or {}).items()}
        self._executor = None
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
            whole = self._function if self._model is None else \
                _WithWeights(self._function, self._model)
            self._executor = \
                poptorch.trainingModel(whole, self._options,
                                       self._optimizer) \
                if self._training else \
                poptorch.inferenceModel(whole, self._options)
            self._executor.per_replica_params.update(self._groups)
        return self._executor

    def __call__(self, *args, **kwargs):
        if self._function is None:
            self._decorate(args[0])
            return self
        refuse_gradients(flattenTensorStructure((args, kwargs)))
        made = self._made()
        result = made(*args, **kwargs)
        if not flattenTensorStructure(result):
            made.destroy()
            raise TypeError("A function marked with IPUContext must return "
                            "one or more tensors.")
        return result


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
            "poptorch.experimental.IPUScope exists neither in newer releases "
            "of PopTorch nor in ipubox; make the region a function and pass "
            "it to poptorch.inferenceModel.")
