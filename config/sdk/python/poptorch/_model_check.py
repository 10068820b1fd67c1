"""What a forward may not do to a model's parameters and buffers, and with
its inputs and outputs."""
import contextlib

import torch

from . import _impl
from ._weights import owner_of

_MAY_REPLACE = (torch.nn.BatchNorm1d, torch.nn.BatchNorm2d,
                torch.nn.BatchNorm3d)


def check_buffers(model):
    """Raise an error where a buffer is of a class of the user's, or one of a
    model that another executor trains."""
    if not isinstance(model, torch.nn.Module):
        return
    for _, buffer in model.named_buffers():
        if owner_of(buffer) is not None or type(buffer) not in (
                torch.Tensor, torch.nn.Parameter) and \
                not hasattr(buffer, "_poptorch_owner"):
            raise _impl.createPoptorchError(
                "All buffers must be an instance of torch.Tensor (Got "
                f"{type(buffer)})")


def check_overlaps(graph, used, dropped):
    """Raise an error where a tensor that travels while the device works is
    none that the host gives or gets, or gets twice, as OverlappedIO.cpp of
    PopTorch does.  used: inputs that calls take beside those that travel;
    dropped: outputs of which the program returns another object."""
    outputs = graph.outputs()
    for kind, value in graph.overlaps:
        ends = graph.inputs if kind == "input" else outputs
        times = sum(each is value for each in ends)
        if kind == "input" and times and value in used:
            raise _impl.create_compiler_error(
                "poptorch.set_overlap_for_input must be the only op applied "
                "to an input. This is not the case for input "
                f"{value.name} to the model.")
        if times == 0 or kind == "output" and value in dropped:
            raise _impl.create_compiler_error(
                f"poptorch.set_overlap_for_{kind} applied on a node which is "
                f"not a tensor {kind} to the model.")
        if times > 1:
            raise _impl.create_compiler_error(
                "poptorch.set_overlap_for_output cannot be used with a "
                "tensor that is returned twice. Please check all returned "
                "tensors including those nested in tuples/lists.")


@contextlib.contextmanager
def unchanged(model):
    """Raise an error where the model has other parameters or buffers
    afterwards; those that it had are put back."""
    if not isinstance(model, torch.nn.Module):
        yield
        return
    before = [(module, path, kind, table, dict(table))
              for path, module in model.named_modules()
              if not isinstance(module, torch.jit.ScriptModule)
              for kind, table in (("Parameter", module._parameters),
                                  ("Buffer", module._buffers))]
    try:
        yield
        for module, path, kind, table, kept in before:
            if not isinstance(module, _MAY_REPLACE):
                _compare(path, kind, table, kept)
    finally:
        for _, _, _, table, kept in before:
            table.clear()
            table.update(kept)


def _compare(path, kind, table, kept):
    for key, tensor in kept.items():
        name = f"{path}.{key}" if path else key
        if key not in table:
            raise _impl.createPoptorchError(
                f"{kind} {name} is removed from the model when calling the "
                "forward method.")
        if table[key] is not tensor:
            raise _impl.createPoptorchError(
                f"{kind} {name} is reassigned within the model when calling "
                "the forward method. This is not supported. Consider using "
                f"self.{name}.copy_(src) to copy data from a source tensor, "
                "where src is the name of the source tensor.")
