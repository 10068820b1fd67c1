"""poptorch.trainingModel, inferenceModel, and what they ask of the system."""
import copy

import torch

from . import __version__, _impl, poptorch_core
from ._attachment import hardware_version
from ._poplar_executor import PoplarExecutor
from .options import Options

poptorch_core.set_hardware_version_source(hardware_version)


def _module_of(model):
    """The user's model of an executor; anything else as it is."""
    return model._user_model if isinstance(model, PoplarExecutor) else model


def trainingModel(model, options=None, optimizer=None):
    """Train a model on IPUs: its forward returns a loss among its outputs.

    model: a module, or the executor of one.  optimizer: by default
    poptorch.optim.SGD with lr=0.01.  The copy shares the model's layers; its
    own mode stays the one that it has now (PopTorch's docstring of
    trainingModel).
    """
    model = _module_of(model)
    if _impl.isWrapped(model):
        raise RuntimeError(
            "Model has already been wrapped in 'poptorch.trainingModel'. "
            "Call model.destroy() on the model to unwrap before wrapping "
            "again.")
    return PoplarExecutor(model=copy.copy(model),
                          options=Options() if options is None else options,
                          training=True, poptorch_version=__version__,
                          optimizer=optimizer, user_model=model)


def inferenceModel(model, options=None):
    """Run a model, or any callable, on IPUs."""
    model = _module_of(model)
    kept = copy.copy(model) if isinstance(model, torch.nn.Module) else model
    return PoplarExecutor(model=kept,
                          options=Options() if options is None else options,
                          training=False, poptorch_version=__version__,
                          user_model=model)


def ipuHardwareIsAvailable(num_ipus=1):
    """Whether there is a device of so many IPUs."""
    return hardware_version(num_ipus) != 0


def poptorchCleanUp():
    """IPUs are given back when the program ends, whatever ends it."""
