"""What programs may look at in a compiled model: tensors by PopART's names,
and the graph in PopART's words."""
import json

import torch

from . import _impl, enums
from ._device_model import join

_GRADIENT = "Gradient___"
_UPDATED = "UpdatedVar___"

# What PopART calls an operation of ATen's, where the names differ.
_POPART = {
    "_log_softmax": "LogSoftmax", "_softmax": "Softmax", "addmm": "Gemm",
    "avg_pool2d": "AveragePool", "baddbmm": "MatMul", "bmm": "MatMul",
    "cat": "Concat", "convolution": "Conv", "div": "Div", "embedding":
    "Gather", "index_select": "Gather", "max_pool2d_with_indices": "MaxPool",
    "mean": "ReduceMean", "mm": "MatMul", "mul": "Mul", "native_batch_norm":
    "BatchNormalization", "native_group_norm": "GroupNormalization",
    "native_layer_norm": "GroupNormalization", "nll_loss_forward": "Nll",
    "native_dropout": "Dropout", "relu": "Relu", "select": "Slice",
    "stack": "Concat", "sum": "ReduceSum", "t": "Transpose"}
_UPDATES = {"SGD": "SGD0VarUpdate", "Adam": "AdamVarUpdate",
            "AdamW": "AdamVarUpdate", "LAMB": "AdamVarUpdate",
            "RMSprop": "AdamVarUpdate"}


def popart_type(operation):
    """PopART's name of an operation of ATen's."""
    name = operation.name.partition("::")[2].rstrip("_")
    known = _POPART.get(name)
    return known or "".join(part.capitalize() for part in name.split("_"))


def tensor_names(graph, is_training):
    """The names that poptorch.Options.anchorTensor takes."""
    names = [_plain_name(value) for value in graph.inputs]
    names += list(graph.parameters) + list(graph.buffers)
    if is_training:
        names.append("loss")
        for name in graph.parameters:
            names += [_GRADIENT + name, _UPDATED + name]
    return names


def _plain_name(value):
    """"input/0" of the first input."""
    return value.name.replace(" ", "/")


def popart_ir(graph, optimizer):
    """The graph as JSON: {"maingraph": [operation, ...]}, each with its type,
    name, inputs and outputs; then the updates of the weights."""
    found = []
    for node in graph.nodes:
        for operation in node.operations:
            if operation.name == "aten::detach":
                continue
            found.append({
                "type": popart_type(operation), "name": node.scope,
                "inputs": [_described(*each) for each in operation.inputs],
                "outputs": [_described(*each) for each in operation.outputs]})
    if optimizer is not None:
        found += _updates(graph, optimizer)
    return json.dumps({"maingraph": found})


def _described(shape, dtype):
    return {"shape": list(shape), "type": str(dtype).partition(".")[2]}


def _updates(graph, optimizer):
    """An update of each weight, and what comes before it."""
    kind = _UPDATES.get(optimizer.name, "SGD0VarUpdate")
    for name, value in graph.parameters.items():
        described = _described(value.shape, value.dtype)
        if kind == "AdamVarUpdate":
            yield {"type": "AdamUpdater", "name": name,
                   "inputs": [described], "outputs": [described]}
        yield {"type": kind, "name": name, "inputs": [described],
               "outputs": [described]}


class Anchors:
    """Tensors that a call keeps, by the names that the options give them."""

    def __init__(self, options, graph, is_training):
        self._anchored = {
            short_name: (long_name, *_mode(options, *mode))
            for short_name, (long_name, *mode)
            in options.anchored_tensors.items()}
        self._replicas = options.replication_factor
        self._kept = {}
        known = tensor_names(graph, is_training)
        for long_name, *_ in self._anchored.values():
            if long_name not in known:
                raise _impl.create_compiler_error(
                    f"Anchor tensor {long_name} is not in the model; "
                    "getTensorNames() lists those that are")

    def __bool__(self):
        return bool(self._anchored)

    def begin(self):
        """A call begins."""
        self._kept = {name: [] for name in self._anchored}

    def _add(self, prefix, names, tensors):
        """Tensors of those names, of one replica."""
        found = {prefix + name: tensor
                 for name, tensor in zip(names, tensors)}
        for short_name, (long_name, *_) in self._anchored.items():
            tensor = found.get(long_name)
            if tensor is not None:
                self._kept[short_name].append(tensor.detach().clone())

    def add_gradients(self, names, replicas):
        """The gradients of each replica's weights, when they are reduced."""
        for weights in replicas:
            self._add(_GRADIENT, names, [weight.grad for weight in weights])

    def add_updated(self, names, replicas):
        """The weights of each replica, when they are updated."""
        for weights in replicas:
            self._add(_UPDATED, names, weights)

    def add_weights(self, names, replicas):
        """Those that a device iteration ends with."""
        for weights in replicas:
            self._add("", names, weights)

    def add_step(self, graph, inputs, buffers, loss):
        """What a replica's micro-batch ends with; loss: or None."""
        names = [_plain_name(value) for value in graph.inputs]
        self._add("", names + list(graph.buffers), inputs + buffers)
        if loss is not None:
            self._add("", ["loss"], [loss])

    def results(self):
        """Short name -> the tensor, by its output mode."""
        return {name: self._result(name) for name in self._kept
                if self._kept[name]}

    def _result(self, name):
        """The tensors of all replicas stand one after the other."""
        tensors, count = self._kept[name], self._replicas
        _, mode, period = self._anchored[name]
        if mode == enums.OutputMode.Sum:
            return join([torch.stack(tensors[replica::count]).sum(0)
                         for replica in range(count)])
        if mode == enums.OutputMode.All:
            return join(tensors)
        if mode == enums.OutputMode.EveryN:
            return join([tensor for number, tensor in enumerate(tensors)
                         if (number // count + 1) % period == 0])
        return join(tensors[-count:])


def _mode(options, is_default, mode, period):
    """The output mode and the period of an anchor: those of the model's
    results, where it has none of its own."""
    if is_default:
        return enums.OutputMode(options.output_mode), \
            options.output_return_period
    return mode, period
