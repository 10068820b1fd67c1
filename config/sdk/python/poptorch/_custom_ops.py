"""Custom operators: Python functions that stand in for them.

A custom operator is code for the tiles of an IPU, in a library that a program
loads with ctypes.  poptorch.custom_op calls the stand-in of an operator
instead: one that the program has registered, or one of those below, whose
meaning their published sources state.
"""
import ctypes
import functools
import re

import torch
import torch.nn.functional as F

from . import _impl
from ._logging import logger

_REMEDY = "register a Python function that computes it with " \
          "poptorch.registerCustomOpStandIn"

# Libraries of custom operators, as public programs call them.
_LIBRARY = re.compile(r"custom|remap|_ops?\b", re.IGNORECASE)


def _custom_gradient(inputs, attributes):
    """The first input forward, and all of the gradient to the second one."""
    forward, backward = inputs
    return forward.detach() + (backward - backward.detach())


def _one_hot(inputs, attributes):
    """Positions in the shape and type of a second input."""
    positions, reference = inputs
    return F.one_hot(positions.long(), reference.shape[-1])


# (domain, name) -> function(inputs, attributes)
_stand_ins = {
    # Another layout of the same values: examples/nlp and optimum-graphcore.
    ("ai.graphcore", "RemapCE"): lambda inputs, attributes: inputs[0] * 1,
    # An identity without gradient: graphcore/examples, detach.cpp.
    ("ai.graphcore", "Detach"):
        lambda inputs, attributes: inputs[0].detach(),
    ("ai.graphcore", "OneHot"): _one_hot,
    # graphcore/tutorials, feature_examples/pytorch/custom_op.
    ("custom.ops", "LeakyRelu"): lambda inputs, attributes: F.leaky_relu(
        inputs[0], attributes.get("alpha", 0.01)),
    # PopTorch's own custom_operations/FastGatherLastDim.cpp.
    ("poptorch.custom_ops", "FastGatherLastDim"):
        lambda inputs, attributes: torch.gather(
            inputs[0], -1, inputs[1].long()),
    # graphcore-research/poptorch-experimental-addons.
    ("ai.graphcore.pea", "L1Distance"):
        lambda inputs, attributes: torch.cdist(*inputs, p=1),
    ("ai.graphcore.pea", "L2Distance"):
        lambda inputs, attributes: torch.cdist(*inputs, p=2),
    ("ai.graphcore.pea", "CustomGradient"): _custom_gradient,
    ("ai.graphcore.pea", "AutogradProxy"): _custom_gradient,
}


def registerCustomOpStandIn(name, domain, function):
    """Let function(inputs, attributes) compute the custom operator: it gets
    the list and the dict that custom_op gets, and returns one tensor or a
    list.  PopTorch does not have this."""
    _stand_ins[domain, name] = function


def call(inputs, name, domain, example_outputs, attributes):
    """The outputs of a custom operator, in the types of the examples."""
    function = _stand_ins.get((domain, name))
    if function is None:
        # On the host PopTorch returns the examples: customOperation in its
        # RegisterAtenOverloads.cpp.
        if not _impl.isRunningOnIpu():
            return list(example_outputs)
        raise _impl.createPoptorchError(
            f"custom_op: {domain}.{name} is code for the tiles of real IPUs, "
            f"and emulated ones have none; {_REMEDY}")
    made = function(list(inputs), dict(attributes or {}))
    made = [made] if isinstance(made, torch.Tensor) else list(made)
    wanted = [tuple(each.shape) for each in example_outputs]
    got = [tuple(each.shape) for each in made]
    if got != wanted:
        raise _impl.createPoptorchError(
            f"custom_op: the stand-in of {domain}.{name} returns tensors of "
            f"the shapes {got}, but example_outputs has {wanted}")
    return [each.to(example.dtype)
            for each, example in zip(made, example_outputs)]


def _tolerate(load):
    """CDLL.__init__ for libraries of custom operators as well: they need
    PopART, and nothing of them is called here."""
    @functools.wraps(load)
    def tolerant(self, name, *args, **kwargs):
        try:
            load(self, name, *args, **kwargs)
        except OSError as error:
            if not _LIBRARY.search(str(name).rpartition("/")[2]) and \
                    "libpopart" not in str(error):
                raise
            logger.warning(
                "%s has custom operators for real IPUs and is not loaded: %s. "
                "If no stand-in of an operator is known, %s.",
                name, error, _REMEDY)
            self._handle = 0
    return tolerant


ctypes.CDLL.__init__ = _tolerate(ctypes.CDLL.__init__)
