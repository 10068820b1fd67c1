"""What programs may look at in a compiled model: tensors, by PopART's
names."""
import torch

from . import _impl, enums
from ._device_model import join
from ._loss_scale import LossScale
from ._popart_ir import named_operations

_GRADIENT = "Gradient___"
_UPDATED = "UpdatedVar___"
_LOSS_SCALE = "finalLossScale"


def tensor_names(graph, is_training, scales_loss):
    """The names that poptorch.Options.anchorTensor takes; scales_loss:
    whether the device does that by itself."""
    names = [_plain_name(value) for value in graph.inputs]
    names += list(graph.parameters) + list(graph.buffers)
    names += list(_activations(graph))
    if is_training:
        names += ["loss", *([_LOSS_SCALE] if scales_loss else [])]
        for name in graph.parameters:
            names += [_GRADIENT + name, _UPDATED + name]
    return names


def _activations(graph):
    """What a call of the model's makes, by the name of its last operation:
    name -> value."""
    last = {id(node): (node, name)
            for node, _, name in named_operations(graph)}
    return {name if index == 0 else f"{name}/{index}": value
            for node, name in last.values()
            for index, value in enumerate(node.outputs())}


def _plain_name(value):
    """"input/0" of the first input."""
    return value.name.replace(" ", "/")


class Anchors:
    """Tensors that a call keeps, by the names that the options give them."""

    def __init__(self, options, graph, is_training):
        self._anchored = {
            short_name: (long_name, *_mode(options, *mode))
            for short_name, (long_name, *mode)
            in options.anchored_tensors.items()}
        self._replicas = options.replication_factor
        self._kept = {}
        known = tensor_names(graph, is_training,
                             LossScale(options).is_automatic)
        wanted = [long_name for long_name, *_ in self._anchored.values()]
        self._activations = {
            name: value for name, value in
            (_activations(graph).items() if wanted else ())
            if name in wanted}
        for long_name in wanted:
            if long_name not in known:
                raise _impl.create_compiler_error(
                    f"Anchor tensor {long_name} is not in the model; "
                    "getTensorNames() lists those that are")

    def __bool__(self):
        return bool(self._anchored)

    @property
    def values(self):
        """Those of the graph that a run has to return for it."""
        return list(self._activations.values())

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

    def add_loss_scale(self, scale):
        """What the loss was multiplied by, the same on each replica."""
        for _ in range(self._replicas):
            self._add("", [_LOSS_SCALE], [torch.tensor(scale)])

    def add_updated(self, names, replicas):
        """The weights of each replica, when they are updated."""
        for weights in replicas:
            self._add(_UPDATED, names, weights)

    def add_weights(self, names, replicas):
        """Those that a device iteration ends with."""
        for weights in replicas:
            self._add("", names, weights)

    def add_step(self, graph, inputs, buffers, loss, kept):
        """What a replica's micro-batch ends with; loss: or None; kept:
        tensors of `values`."""
        names = [_plain_name(value) for value in graph.inputs]
        names += [*graph.buffers, *self._activations]
        self._add("", names, [*inputs, *buffers, *kept])
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
