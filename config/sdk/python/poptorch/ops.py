"""Operations of PopTorch's that PyTorch does not have.

Outside of a compilation they do what they say as well, so that a model can be
tried on the host.
"""
import functools

import torch
from torch.overrides import handle_torch_function, has_torch_function

from . import (
    _beam_search, _clusters, _custom_ops, _impl, _lowering, _printing, enums)
from ._custom_ops import registerCustomOpStandIn
from ._utils import flattenTensorStructure, reconstructTensorStructure
from .blocks import (
    BeginBlock, Block, BlockFunction, LegacyBeginBlockFn, removeBlocks)

__all__ = [
    "Attribute", "BeginBlock", "Block", "BlockFunction", "CPU",
    "LegacyBeginBlockFn", "MultiConv", "NameScope", "cond",
    "ctc_beam_search_decoder", "custom_op", "dynamic_slice",
    "dynamic_update", "for_loop", "fps", "identity_loss",
    "ipu_print_tensor", "nearest", "nop", "recomputationCheckpoint",
    "registerCustomOpStandIn", "removeBlocks", "serializedMatMul",
    "set_available_memory", "set_overlap_for_input", "set_overlap_for_output"]


def _error(text):
    return _impl.createPoptorchError(text)


def _require_tensor(tensor, text):
    if not isinstance(tensor, torch.Tensor):
        raise _error(f"{text} {type(tensor)} is not supported.")


def _whole(function):
    """One operation of the graph, that may look at values: a decorator."""
    @functools.wraps(function)
    def operation(*args, **kwargs):
        if has_torch_function(args):
            return handle_torch_function(operation, args, *args, **kwargs)
        return function(*args, **kwargs)

    operation.is_of_host = True
    return operation


def nop(tensor):
    """Return the tensor unchanged, as an operation that a block can begin
    with."""
    _require_tensor(tensor, "nop must take a torch.tensor argument.")
    if has_torch_function((tensor,)):
        return handle_torch_function(nop, (tensor,), tensor)
    return tensor * 1


def identity_loss(x, reduction):
    """Mark the tensor as the loss; reduction: "sum", "mean" or "none"."""
    names = {"sum": torch.sum, "mean": torch.mean, "none": torch.clone}
    if isinstance(reduction, int) and 0 <= reduction <= 2:
        reduction = ("sum", "mean", "none")[reduction]
    if reduction not in names:
        raise AssertionError("Unsupported reduction type!")
    if has_torch_function((x,)):
        return handle_torch_function(identity_loss, (x,), x, reduction)
    return names[reduction](x)


def ipu_print_tensor(tensor, title="", print_gradient=True,
                     summarise_threshold=1000, edge_items=3,
                     max_line_width=80, digits=4, float_format="auto",
                     separator=", ", open_bracket="(", close_bracket=")"):
    """Print the tensor, and later its gradient, on stderr."""
    _require_tensor(tensor, "ipu print tensor must take a torch.tensor "
                            "argument.")
    form = _printing.Form(summarise_threshold, edge_items, max_line_width,
                          digits, float_format, separator, open_bracket,
                          close_bracket)
    return _print_tensor(tensor, title, print_gradient, form)


def _print_tensor(tensor, title, print_gradient, form):
    if has_torch_function((tensor,)):
        return handle_torch_function(_print_tensor, (tensor,), tensor, title,
                                     print_gradient, form)
    lowering = _lowering.current()
    if lowering is not None:
        return tensor * 1
    form.print(title, tensor)
    made = tensor * 1
    if print_gradient and made.requires_grad:
        made.register_hook(
            lambda gradient: form.print(f"{title}_gradient", gradient))
    return made


def serializedMatMul(lhs, rhs, mode, factor=0, keep_precision=False):
    """Return a product of matrices that is computed in `factor` parts, one
    after another."""
    if not isinstance(keep_precision, bool) or \
            not isinstance(factor, int) or \
            not isinstance(mode, enums.MatMulSerializationMode):
        raise AssertionError("serializedMatMul takes a "
                             "MatMulSerializationMode, an int and a bool")
    lowering = _lowering.current()
    if lowering is None or mode == enums.MatMulSerializationMode.Disabled:
        return torch.matmul(lhs, rhs)
    _check_parts(lhs, rhs, mode, factor)
    made = torch.matmul(lhs, rhs)
    lowering.annotate(made, serialization_mode=mode.value,
                      serialization_factor=factor)
    return made


def _check_parts(lhs, rhs, mode, factor):
    """Raise PopART's error where a product does not have so many parts."""
    modes = enums.MatMulSerializationMode
    names = {modes.InputChannels: ("input channels", "input_channels", lhs, 2),
             modes.ReducingDim: ("reducing", "reducing_dim", lhs, 1),
             modes.OutputChannels: ("output channels", "output_channels",
                                    rhs, 1)}
    words, name, matrix, place = names[mode]
    text = f"Invalid serialisation factor {factor}"
    if factor <= 0:
        text += ". Serialisation factor must be a non-zero positive integer."
    elif matrix.dim() < place or matrix.shape[-place] % factor == 0:
        return
    else:
        kind = "dimension" if mode == modes.ReducingDim else "dim"
        text += (f" for {words} {kind} {matrix.shape[-place]}. {name} dim "
                 "should be a multiple of the serialisation factor ")
    raise _impl.create_compiler_error(text, kind="popart_exception")


def set_available_memory(tensor, available_memory_proportion):
    """Set the share of an IPU's memory that this operation may use
    temporarily."""
    if not isinstance(tensor, torch.Tensor):
        raise _error("You may only set available memory for torch.tensor "
                     f"values. {type(tensor)} is not supported.")
    if not 0 <= available_memory_proportion <= 1:
        raise _error("available_memory_proportion must be between 0 and 1, "
                     f"not {available_memory_proportion}")
    lowering = _lowering.current()
    if lowering is not None:
        lowering.annotate(
            tensor, available_memory_proportion=available_memory_proportion)
    return tensor


def _require_leaves(tensors, text):
    if isinstance(tensors, (tuple, list)):
        for each in tensors:
            _require_leaves(each, text)
    elif isinstance(tensors, dict):
        _require_leaves(list(tensors.values()), text)
    else:
        _require_tensor(tensors, text)


def set_overlap_for_input(input_tensors, mode):
    """Transfer inputs to the device while it works on the previous ones."""
    _require_leaves(input_tensors, "You may only set overlap for "
                                   "torch.tensor inputs.")
    return _overlap("input", input_tensors, mode)


def set_overlap_for_output(output_tensors, mode):
    """Transfer outputs from the device while it works on the next ones."""
    _require_leaves(output_tensors, "You may only set overlap for "
                                    "torch.tensor outputs.")
    return _overlap("output", output_tensors, mode)


def _overlap(kind, tensors, mode):
    if not isinstance(mode, enums.OverlapMode):
        raise AssertionError(f"{mode!r} is not a poptorch.OverlapMode")
    lowering = _lowering.current()
    if lowering is None:
        return tensors
    return reconstructTensorStructure(
        tensors, [lowering.overlap(kind, each)
                  for each in flattenTensorStructure(tensors)])


def recomputationCheckpoint(*tensors):
    """Keep these tensors for the backward pass, which computes all others
    between checkpoints again."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        made = recomputationCheckpoint(*tensors[0])
        return type(tensors[0])(made)
    if not all(isinstance(each, torch.Tensor) for each in tensors):
        raise ValueError("All inputs must be tensors")
    lowering = _lowering.current()
    if lowering is not None:
        lowering.checkpoint(tensors)
    return tensors[0] if len(tensors) == 1 else tensors


def dynamic_slice(tensor, dim, start, size, step):
    """Return `size` elements along `dim`, from a start that is known only on
    the device."""
    _require_tensor(tensor, "dynamic_slice must take a torch.tensor input.")
    if not isinstance(dim, int):
        raise _error("Dimension must be an integer.")
    if not isinstance(start, torch.Tensor):
        raise _error("Slice start argument to dynamic_slice must be a "
                     f"torch.tensor. {type(tensor)} is not supported.")
    if not isinstance(size, int):
        raise _error("Size must be an integer.")
    if not isinstance(step, int):
        raise _error("Step must be an integer.")
    if step < 1:
        raise _impl.create_compiler_error("Slicing step must be at least 1")
    return tensor.index_select(dim, _places(tensor, dim, start, size, step))


def _places(tensor, dim, start, size, step=1):
    """The indices of a slice, which goes on at the front behind the end."""
    if start.is_floating_point():
        raise _impl.create_compiler_error(
            "Expected integer typed start tensor")
    extents = tensor.dim()
    if not -extents <= dim < extents:
        raise _impl.create_compiler_error(
            f"Dimension out of range (expected to be in range of [{-extents},"
            f" {extents - 1}], but got {dim})")
    if size < 1:                # dynamicSliceHandler() in SliceOps.cpp
        raise _impl.create_compiler_error(
            "Taking a slice of a tensor with the end less than the start is "
            "not supported.")
    extent = tensor.shape[dim]
    if size > extent:
        raise _impl.create_compiler_error(
            f"The size of the slice ({size}) must be a factor of the slicing "
            f"dimension ({extent}).")
    index = torch.arange(0, size, step) + start.reshape(())
    return index.long() % extent


def dynamic_update(input, src, dim, start, size):
    """Return the tensor with `size` elements along `dim` replaced by those of
    src."""
    _require_tensor(input, "dynamic_update must take a torch.tensor input.")
    if not isinstance(dim, int):
        raise _error("Dimension must be an integer.")
    _require_tensor(start, "Slice start argument to dynamic_update must be "
                           "a torch.tensor.")
    _require_tensor(src, "Src argument to dynamic_update must be a "
                         "torch.tensor.")
    if not isinstance(size, int):
        raise _error("Size must be an integer.")
    if input.dim() != src.dim():
        raise _error("input and src tensors must have same dimensionality. "
                     f"({input.dim()}) vs ({src.dim()})")
    if input.dtype != src.dtype:
        raise _error("input and src tensor must have same dtype. "
                     f"({input.dtype} vs {src.dtype})")
    places = _places(input, dim, start, size)
    wanted = list(input.shape)
    wanted[dim] = size
    if list(src.shape) != wanted:
        raise _error("src must have the shape of input with the size of the "
                     f"slice along dim. ({list(src.shape)} vs {wanted})")
    return input.index_copy(dim, places, src)


def _require_list(inputs, name):
    if not isinstance(inputs, list):
        raise ValueError(f"poptorch.{name} (Object is not list)")
    for number, each in enumerate(inputs):
        if not isinstance(each, torch.Tensor):
            raise ValueError(f"poptorch.{name} (Object contained in list at "
                             f"index {number} is not torch.tensor)")


def _as_list(result):
    return list(result) if isinstance(result, (list, tuple)) else [result]


def for_loop(count, body, inputs):
    """Call body(*inputs) `count` times, each time on the results of the
    previous call."""
    _require_list(inputs, "for_loop expects input tensors (inputs) to be a "
                          "list of tensors.")
    inputs = [each.clone() for each in inputs]
    lowering = _lowering.current()
    if lowering is not None:
        return lowering.loop(count, body, inputs)
    for _ in range(count):
        inputs = _as_list(body(*inputs))
    return inputs


def cond(condition, then_body, then_inps, else_body, else_inps):
    """Call one of two functions, chosen by a value that is known only on the
    device."""
    wanted = "cond expects then_inps and else_inps tensors to be a list of " \
             "tensors."
    _require_list(then_inps, wanted)
    _require_list(else_inps, wanted)
    lowering = _lowering.current()
    if lowering is not None:
        return lowering.choice(condition, (then_body, then_inps),
                               (else_body, else_inps))
    if condition:
        return _as_list(then_body(*then_inps))
    return _as_list(else_body(*else_inps))


def ctc_beam_search_decoder(probs, lengths, blank=0, beam_width=100,
                            top_paths=1):
    """Return the logarithms of the probabilities of the top paths, their
    lengths, and the paths: for each sentence the classes, then blanks."""
    _require_tensor(probs, "ctc_beam_search_decoder: probs must be a "
                           "torch.tensor argument.")
    _require_tensor(lengths, "ctc_beam_search_decoder: lengths must be a "
                             "torch.tensor argument.")
    if probs.dim() != 3:
        raise _impl.create_compiler_error(
            "Input probablities tensor must be rank-3 for "
            "`ctc_beam_search_decoder`.")
    return _decode(probs, lengths, blank, beam_width, top_paths)


@_whole
def _decode(probs, lengths, blank, width, count):
    frames, samples, _ = probs.shape
    shares = torch.full((samples, count), -float("inf"), dtype=probs.dtype)
    sizes = torch.zeros((samples, count), dtype=torch.int32)
    paths = torch.full((samples, count, frames), blank, dtype=torch.int32)
    for sample, length in enumerate(lengths.tolist()):
        found = _beam_search.search(
            probs[:length, sample].tolist(), blank, max(width, count))
        for number, (share, path) in enumerate(found[:count]):
            shares[sample, number] = share
            sizes[sample, number] = len(path)
            paths[sample, number, :len(path)] = torch.tensor(
                path, dtype=torch.int32)
    return shares, sizes, paths


def fps(src, ptr, ratio=0.5, random_start=False):
    """Return the indices of this share of the points between each two bounds
    of ptr, each the farthest from the previous ones."""
    _require_tensor(src, "`fps` must take a torch.tensor input.")
    if not isinstance(ptr, list):
        raise _error("`ptr` must be a list of integers.")
    if len(ptr) < 2:
        raise _error("`ptr` must containt at least 2 elements.")
    for name, value, kind in (("ratio", ratio, float),
                              ("random_start", random_start, bool)):
        if not isinstance(value, kind):
            raise _error(f"`{name}` must be of {kind.__name__} type. "
                         f"{type(value)} is not supported.")
    return _farthest(src, ptr, ratio, random_start)


@_whole
def _farthest(src, ptr, ratio, random_start):
    return _clusters.farthest(src, ptr, ratio, random_start)


def nearest(x, y, batch_x=None, batch_y=None):
    """Return, for each point of x, the index of the nearest point of y; with
    batches, of the same example."""
    _require_tensor(x, "`nearest` must take a torch.tensor `x` input.")
    _require_tensor(y, "`nearest` must take a torch.tensor `y` input.")
    batches = [[] if each is None else each for each in (batch_x, batch_y)]
    if not all(isinstance(each, (list, torch.Tensor)) for each in batches):
        raise _error(
            "`batch_x` and `batch_y` must be torch.Tensors or lists while "
            f"`batch_x` is of type {type(batches[0])} and `batch_y` is of "
            f"type {type(batches[1])}.")
    return _nearest(x, y, *batches)


@_whole
def _nearest(x, y, batch_x, batch_y):
    return _clusters.nearest(x, y, batch_x, batch_y)


def custom_op(inputs, name, domain, domain_version, example_outputs,
              attributes=None):
    """Call the Python function that stands in for a custom operator, see
    registerCustomOpStandIn; return its outputs as a list."""
    return _custom_ops.call(inputs, name, domain, example_outputs, attributes)


class MultiConv:
    """Convolutions within `with poptorch.MultiConv()` run side by side."""

    def __init__(self):
        self._settings = {}

    def _set(self, name, value, is_valid, error):
        values = value if isinstance(value, (list, tuple)) else [value]
        if value is not None and \
                not (values and all(map(is_valid, values))):
            raise error
        self._settings[name] = value
        return self

    def availableMemoryProportions(self, value):
        """Set one proportion for all, or a list with one for each."""
        return self._set(
            "availableMemoryProportions", value,
            lambda each: isinstance(each, float),
            AssertionError("Invalid available memory proportion!"))

    def partialsTypes(self, value):
        """Set the types of partial sums: torch.float or torch.half."""
        return self._set(
            "partialsTypes", value,
            lambda each: each in (torch.float, torch.half),
            ValueError("Invalid partials types. Expecting torch.float or "
                       "torch.half"))

    def enableConvDithering(self, value):
        """Set whether the convolutions start at different tiles."""
        return self._set(
            "enableConvDithering", value,
            lambda each: isinstance(each, bool),
            ValueError("value must be bool or list of bools"))

    def planType(self, value):
        """Set whether the convolutions are planned to run side by side."""
        return self._set(
            "planType", value,
            lambda each: isinstance(each, enums.MultiConvPlanType),
            AssertionError("Invalid plan type!"))

    def perConvReservedTiles(self, value):
        """Set the least number of tiles for each convolution."""
        return self._set(
            "perConvReservedTiles", value,
            lambda each: isinstance(each, int),
            AssertionError("Invalid number of reserved tiles!"))

    def cycleBackOff(self, value):
        """Set how much slower one convolution may become."""
        return self._set(
            "cycleBackOff", value,
            lambda each: isinstance(each, float),
            AssertionError("Invalid cycle back off!"))

    def __enter__(self):
        lowering = _lowering.current()
        if lowering is not None:
            lowering.begin_multi_conv()
        return self

    def __exit__(self, kind, value, traceback):
        lowering = _lowering.current()
        if lowering is not None and kind is None:
            lowering.end_multi_conv()


class NameScope:
    """Calls within `with poptorch.NameScope(name)` have that name."""

    def __init__(self, name):
        if not isinstance(name, str):
            raise AssertionError("Parameter to NameScope must be a string")
        self.name = name
        self._is_open = False

    def __enter__(self):
        if _impl.isRunningOnIpu():
            _impl.push_name_scope(self.name)
            self._is_open = True
        return self

    def __exit__(self, kind, value, traceback):
        if self._is_open:
            _impl.name_scopes.pop()
            self._is_open = False


class Attribute:
    """Attributes of the calls within; ipubox ignores them."""

    def __init__(self, **attributes):
        for name, value in attributes.items():
            if not isinstance(value, dict):
                raise AssertionError(f"Attribute {name} must be a dict")
        self._attributes = attributes

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        pass


class CPU:
    """A layer that runs on the host; inference only."""

    def __init__(self, layer_to_call, ID):
        self._layer_to_call = layer_to_call
        self._ID = ID
        self.inputs = []
        self.outputs = []
        if isinstance(layer_to_call, torch.nn.Module):
            layer_to_call.requires_grad_(False)

    def __call__(self, *args, **kwargs):
        lowering = _lowering.current()
        if lowering is not None:
            lowering.refuse_training("CPU ops are")
        return _call_on_host(self, args, kwargs)

    def execute(self):
        """Run the layer on the inputs of the last call."""
        self.outputs = _as_list(self._layer_to_call(*self.inputs))

    def registerPersistentData(self):
        """Do nothing: host and device share memory."""


@_whole
def _call_on_host(cpu, args, kwargs):
    cpu.inputs = list(args)
    result = cpu._layer_to_call(*args, **kwargs)
    cpu.outputs = _as_list(result)
    return result
