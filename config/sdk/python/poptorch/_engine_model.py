"""From a graph to a model of ipubox's engine: its layers and its loss, as the
text of ipubox-model(5).  _engine_operations.py has the operations.

A sample of one dimension is channels, of two height and width, of three
channels, height and width.
"""
import copy
import math

import torch

from ._graph import Value, tensors_in, transform, values_in

# Marks of a result: what is done to the engine's outputs.
LOSS = "loss"
RESULTS = {
    "outputs": lambda outputs: outputs,
    "log_softmax": lambda outputs: torch.log_softmax(outputs, 1),
    "softmax": lambda outputs: torch.softmax(outputs, 1),
}
AXES = {1: ("channels",), 2: ("height", "width"),
        3: ("channels", "height", "width")}


# Functions of tensors with their batch second: these find it, or leave the
# order of the dimensions as it is, but for those that `dim` names.
BATCH_MOVES = frozenset(("permute", "transpose", "t"))
BATCH_SECOND = frozenset((
    "__add__", "__getitem__", "__iadd__", "__mul__", "__rmul__", "__sub__",
    "__truediv__", "add", "cat", "chunk", "contiguous", "div", "dropout",
    "elu", "embedding", "exp", "gelu", "layer_norm", "leaky_relu", "linear",
    "mean", "mul", "multi_head_attention_forward", "relu", "relu_", "select",
    "select.int", "sigmoid", "silu", "slice.Tensor", "softmax", "split", "sub",
    "sum", "tanh"))


class Unknown(Exception):
    """The engine does not have an operation; the text names it."""


class EngineModel:
    """A graph in the engine's words.

    text: of the model; parameters: their values of the graph, in the order of
    the engine's array, with the statistics of norms; counted: values that
    count the batches of these; inputs, target: numbers of the graph's
    inputs, the latter None where no loss is computed; rows: below which
    integers of an input lie, by its number; target_shape: that of a sample,
    or () for one class; results: for each value of the result a name of
    RESULTS with the first element of a sample's outputs and the shape, or
    LOSS with nothing.
    """

    def __init__(self, graph, results, operations, buffers=None):
        self._graph = graph
        self._buffers = buffers or {}
        self.fixed = []         # (Constant, its tensor in the text)
        self._operations = operations
        self.trains = graph.loss is not None
        self.parameters = []
        self.counted = []
        self.rows = {}
        self.draws = False      # numbers, for dropouts
        self.inputs = []
        self.target = None
        self.target_shape = ()
        self.has_classes = True
        self.micro_batch = 0
        self._layers = []       # (line of the text, numbers of its inputs)
        self._loss = "mse"      # a text ends with one
        self._at = {}           # number of a value -> that of its layer
        self._losses = set()    # numbers of values
        self._late = {}         # number of a value -> (kind, what it is of)
        self._views = set()     # numbers of values that share memory
        self._integers = {}     # number of a value -> the input it is of
        self._constants = set() # numbers of what nodes make of constants
        self._written = {value.number for value in graph.written}
        self._used = set()      # numbers of parameters
        self._rows = {}         # number of a value -> the parameter it is
        self._merged = {}       # number of a value -> that with the samples
        self._turned = set()    # numbers of values with the batch second
        for node in graph.nodes:
            self._take(node)
        if not graph.written <= {*self.parameters, *self.counted}:
            raise Unknown("a model that writes its inputs or buffers")
        if graph.loss is not None and graph.loss.number not in self._losses:
            raise Unknown("another loss")
        if not self.parameters:
            raise Unknown("a model without weights")
        self.out_shape = (1,)           # where only the loss is returned
        self.results = self._results(results)

    @property
    def in_shapes(self):
        """The shape of a sample of each input."""
        return [self._graph.inputs[number].shape[1:]
                for number in self.inputs]

    @property
    def in_shape(self):
        """The shape of a sample, in which several inputs lie side by side."""
        shapes = self.in_shapes
        return shapes[0] if len(shapes) == 1 \
            else (sum(map(math.prod, shapes)),)

    def _lines(self):
        """Those of the layers.  Of several inputs, each begins with a slice
        and its shape."""
        lines, shapes = [], self.in_shapes
        for number, shape in enumerate(shapes if len(shapes) > 1 else ()):
            lines += [f"slice start={sum(map(math.prod, shapes[:number]))} "
                      f"length={math.prod(shape)} inputs=input",
                      f"reshape shape={sizes(shape)}"]
        before = len(lines)
        for line, inputs in self._layers:
            if before:          # input -1 is layer 1, and -2 layer 3
                inputs = [each + before if each >= 0 else -2 * each - 1
                          for each in inputs]
            if inputs != [len(lines) - 1]:
                line += f" inputs={','.join(map(str, inputs))}"
            lines.append(line)
        return lines

    @property
    def text(self):
        """The model file."""
        layers = (f"layer = {each}" for each in (*self._lines(), self._loss))
        return "\n".join(["[model]", "name = poptorch",
                          f"input = {sizes(self.in_shape)}",
                          "[block model]", "ipu = 0", *layers, ""])

    def _take(self, node):
        if self._is_constant(node):
            self._constants.update(each.number for each in node.outputs())
            return
        operation = self._operations.get(node.name)
        if operation is None:
            raise Unknown(node.name)
        if not node.grad_enabled and self._graph.loss is not None:
            raise Unknown(f"{node.name} without gradients")
        names, function = operation
        is_turned = node.name not in BATCH_MOVES and any(
            value.number in self._turned for value in node.inputs())
        if is_turned and node.name not in BATCH_SECOND:
            raise Unknown(f"{node.name} of a tensor with its batch second")
        self._node = node
        if is_turned:
            node = self._turn_node(node)
        function(self, node, Arguments(node, names, is_turned))

    def _is_constant(self, node):
        """Whether only constants and buffers make its results."""
        return not node.has_effect and bool(node.outputs()) and \
            all(map(self.is_constant, node.inputs()))

    def is_constant(self, value):
        """Whether a value is the same in all runs."""
        return value.kind == "constant" or value.number in self._constants \
            or (value.kind == "buffer" and value.number not in self._written)

    def _turn_node(self, node):
        """The same with the batch first.  Of fewer dimensions, a result has
        it there."""
        most = max(len(value.shape) for value in node.inputs()
                   if value.number in self._turned)

        def turn(value):
            if value.number in self._turned or (
                    value.number not in self._at and
                    len(value.shape) == most and value.shape[1] == 1):
                return Turned(value)
            if len(value.shape) == most and not self.is_constant(value) and \
                    value.kind != "parameter":
                raise Unknown(f"{node.name} with the batch first and second")
            return value

        def turn_result(value):
            if len(value.shape) < most:
                return value
            self._turned.add(value.number)
            return Turned(value)

        made = copy.copy(node)
        made.args, made.kwargs = _of_values((node.args, node.kwargs), turn)
        made.result = _of_values(node.result, turn_result)
        return made

    def add_rows(self, node, value, weight):
        """The node makes all rows of a table, in their order."""
        if self.numbers_of(value) != list(range(weight.shape[0])):
            raise Unknown(f"{node.name} of some constant rows")
        self._rows[node.result.number] = weight

    def rows_or_itself(self, value):
        """A parameter in place of all its rows."""
        return self._rows.get(getattr(value, "number", None), value)

    def numbers_of(self, value):
        """What a constant has, as numbers of the text."""
        constant = Constant(value, value.shape)
        tensor = constant.tensor(self._buffers)
        self.fixed.append((constant, tensor))
        return tensor.flatten().tolist()

    def is_turned(self, value):
        """Whether the batch is the second dimension."""
        return value.number in self._turned

    def _results(self, values):
        """Without a loss, several results are joined."""
        kinds = [(LOSS, None) if value.number in self._losses else
                 self._late.get(value.number, ("outputs", value))
                 for value in values]
        sources = {self._at.get(source.number): source
                   for kind, source in kinds if kind != LOSS}
        if None in sources or any(map(self.is_turned, sources.values())):
            raise Unknown("a result of another form")
        firsts = dict.fromkeys(sources, 0)
        if list(sources) in ([], [len(self._layers) - 1]):
            for source in sources.values():
                self.out_shape = source.shape[1:]
        elif self.target is not None:
            raise Unknown("a result that is not the model's last one")
        else:
            firsts = self._join(sources)
        return [(kind, source and (firsts[self._at[source.number]],
                                   source.shape[1:]))
                for kind, source in kinds]

    def _join(self, sources):
        """Make one of the results of some layers; where each begins."""
        firsts, made, first = {}, None, 0
        for number, source in sources.items():
            count = math.prod(source.shape[1:])
            part = self.add_part(source.node, "flatten", [source],
                                 (self.micro_batch, count))
            made = part if made is None else self.add_part(
                source.node, "concat", [made, part],
                (self.micro_batch, first + count))
            firsts[number] = first
            first += count
        self.out_shape = (first,)
        return firsts

    # --- what operations say -----------------------------------------------

    def layer_of(self, node, value, types=(torch.float32,)):
        """The layer that has made a value; -1 is the input."""
        number = getattr(value, "number", None)
        if number not in self._at and \
                getattr(value, "kind", "") == "input" and \
                value.dtype in types and 1 < len(value.shape) < 5 and \
                self.micro_batch in (0, value.shape[0]):
            self.inputs.append(self._graph.inputs.index(value))
            self.micro_batch = value.shape[0]
            self._at[number] = -len(self.inputs)
        if number in self._late:
            kind, source = self._late.pop(number)
            dim = "channels" if len(value.shape) == 2 else "width"
            self._append(value, f"{kind} axis={dim}", [source], node)
        if number not in self._at:
            raise Unknown(f"{node.name} of what is no layer's result")
        return self._at[number]

    def add(self, node, line, values, parameters=(), buffers=()):
        """The node is the next layer, of these values."""
        result = node.result
        if getattr(result, "number", None) in self._views and \
                result.node is not self._node:
            raise Unknown(f"{node.name} in place of a view")
        self.add_result(node, result, line, values, parameters, buffers)

    def add_part(self, node, line, values, shape, parameters=(), buffers=()):
        """A step to the result of a node."""
        made = Made(values[0], shape)
        self.add_result(node, made, line, values, parameters, buffers)
        return made

    def add_result(self, node, result, line, values, parameters=(),
                   buffers=()):
        """The result of a node or of a step is the next layer's."""
        for value in (*parameters, *buffers):
            if value.kind not in (("buffer", "constant") if value in buffers
                                  else ("parameter",)) or \
                    value.dtype != torch.float32:
                raise Unknown(f"{node.name} of weights that are computed")
            if getattr(value, "number", self) in self._used:
                raise Unknown(f"{node.name} of weights that are shared")
        self._append(result, line, values, node)
        self.parameters += (*parameters, *buffers)
        self._used.update(value.number for value in parameters)

    def _append(self, result, line, values, node):
        inputs = [self.layer_of(node, value) for value in values]
        if self.target is not None:
            raise Unknown(f"{node.name} after the loss")
        if not hasattr(result, "number") or not 1 < len(result.shape) < 5 or \
                result.dtype != torch.float32 or \
                result.shape[0] != self.micro_batch:
            raise Unknown(f"{node.name} of these shapes")
        self._layers.append((line, inputs))
        self._at[result.number] = len(self._layers) - 1

    def add_slice(self, node, part, line, value):
        """One of the results of a node that cuts a value."""
        self.view(node, value, part)
        self._append(part, line, [value], node)

    def alias(self, node, value, is_turned=False):
        """The node makes the same values again; with the batch second."""
        self._at[node.result.number] = self.layer_of(
            node, value, (torch.float32, torch.int32, torch.int64))
        self.view(node, value)
        if is_turned:
            self._turned.add(node.result.number)

    def view(self, node, value, result=None):
        """The node's result may be of the value's memory."""
        self._views.update((value.number, (result or node.result).number))

    def merge(self, node, value):
        """The node makes a batch of all rows, for the loss of each."""
        self._merged[node.result.number] = self._integers.get(
            value.number, value)

    def add_late(self, node, kind, value):
        """A layer, unless it turns out to be a part of the loss or of what is
        done to results."""
        self.layer_of(node, value)
        self._late[node.result.number] = (kind, value)

    def source_of(self, value, kind):
        """What a late layer is of; None where it is another one."""
        found, source = self._late.get(value.number, (None, None))
        return source if found == kind else None

    def add_loss(self, node, line, value, target, has_classes):
        """The node makes the loss, of the last layer's result."""
        layer = self.layer_of(
            node, self._merged.get(value.number, value))
        if layer != len(self._layers) - 1 or self.target is not None:
            raise Unknown(f"{node.name} of what is not the last result")
        target = self._integers.get(target.number, target)
        types = (torch.int32, torch.int64) if has_classes \
            else (torch.float32,)
        axis = 1
        if value.number in self._merged and target.number in self._merged:
            value, target = (self._merged[each.number]
                             for each in (value, target))
            axis = len(value.shape) - 1
        wanted = value.shape[:axis] + value.shape[axis + 1:] \
            if has_classes else value.shape
        if target.kind != "input" or target.dtype not in types or \
                tuple(target.shape) != tuple(wanted) or \
                self.is_turned(value):
            raise Unknown(f"{node.name} of these targets")
        if has_classes:
            line += f" axis={AXES[len(value.shape) - 1][axis - 1]}"
        if len(wanted) > 1 and has_classes and "ignore_index" not in line:
            line += " ignore_index=-100"
        self.target = self._graph.inputs.index(target)
        self.target_shape = tuple(wanted[1:])
        self.has_classes = has_classes
        self.out_shape = value.shape[1:]
        self._loss = line
        self._losses.add(node.result.number)

    def pass_loss(self, node, value):
        """The node makes the loss of the loss."""
        if value.number not in self._losses:
            raise Unknown(f"{node.name} of other than a loss")
        self._losses.add(node.result.number)

    def widen(self, node, value):
        """The node makes long integers of targets."""
        if value.kind != "input" or value.dtype.is_floating_point:
            raise Unknown(node.name)
        self._integers[node.result.number] = value


class Turned(Value):
    """A value with the batch second, as if it were first."""

    __slots__ = ()

    def __init__(self, value):
        for name in Value.__slots__:
            setattr(self, name, getattr(value, name))
        self.shape = (value.shape[1], value.shape[0], *value.shape[2:])


class Constant:
    """What constants and buffers of the model make, as floats of a shape, a
    buffer of the engine's."""

    kind, dtype = "constant", torch.float32

    def __init__(self, value, shape, change=lambda tensor: tensor):
        self._value = value
        self._shape = shape
        self._change = change

    def tensor(self, buffers):
        """It, of the buffers by their names."""
        made = _evaluated(self._value, buffers)
        if isinstance(self._value, Turned):
            made = made.transpose(0, 1)
        return self._change(made).float().expand(self._shape).contiguous()


def _evaluated(value, buffers):
    """The tensor of a value that only constants and buffers make."""
    if isinstance(value, (int, float)):
        return torch.tensor(float(value))
    if value.kind == "constant":
        return value.data
    if value.kind == "buffer":
        return buffers[value.name]
    node = value.node
    args, kwargs = _of_values((node.args, node.kwargs),
                              lambda each: _evaluated(each, buffers))
    with torch.no_grad():
        made = node.function(*args, **kwargs)
    numbers = [each.number for each in values_in(node.result)]
    return tensors_in(made)[numbers.index(value.number)]


def _of_values(structure, function):
    return transform(structure, lambda leaf: function(leaf)
                     if isinstance(leaf, Value) else leaf)


class Made:
    """A value between the layers that come of one node."""

    def __init__(self, like, shape):
        self.number = -2 - id(self)
        self.dtype = like.dtype
        self.shape = shape


class Arguments:
    """The arguments of a node, by the names of its function's parameters; a
    "*" stands for more, which the result's shape says."""

    def __init__(self, node, names, is_turned=False):
        names = names.split()
        given = node.args[:1] if names[-1] == "*" else node.args
        if len(given) > len(names):
            raise Unknown(f"{node.name} of these arguments")
        self._node = node
        self._given = dict(zip(names, given))
        self._given.update(node.kwargs)
        for name in self._given:
            if name not in names and names[-1] != "*":
                raise Unknown(f"{node.name} with {name}")
        if is_turned and "dim" in self._given:
            count = max(len(value.shape) for value in node.inputs())
            self._given["dim"] = transform(
                self._given["dim"], lambda dim: {0: 1, 1: 0}.get(
                    dim % count, dim) if isinstance(dim, int) else dim)

    def get(self, name, default=None):
        """An argument."""
        return self._given.get(name, default)

    def real(self, name, default):
        """A number, as the text of a model has it."""
        value = self._given.get(name, default)
        if not isinstance(value, (int, float)):
            raise Unknown(f"{self._node.name} with {name} of a tensor")
        return repr(float(value))

    def require(self, **wanted):
        """The arguments that are given have to be these."""
        for name, value in wanted.items():
            if name in self._given and self._given[name] not in (value, None):
                raise Unknown(f"{self._node.name} with {name}="
                              f"{self._given[name]}")

    def sides(self, name, default):
        """A number along the height and one along the width."""
        value = self._given.get(name)
        if value in (None, (), []):
            value = default
        if isinstance(value, int):
            value = [value]
        if isinstance(value, str) or len(value) > 2:
            raise Unknown(f"{self._node.name} with {name}={value}")
        return list(value) * (2 // len(value))

    def axis(self, name, shape):
        """The engine's name of a dimension of a tensor."""
        return self.axis_of(self._given.get(name), shape)

    def axis_of(self, dim, shape):
        """The same of a number."""
        if type(dim) is not int or not 1 <= dim % len(shape) or \
                not -len(shape) <= dim < len(shape) < 5:
            raise Unknown(f"{self._node.name} with dim={dim}")
        return AXES[len(shape) - 1][dim % len(shape) - 1]


def sizes(shape):
    """Channels, height and width of a sample."""
    shape = tuple(shape)
    if len(shape) == 1:
        shape += (1, 1)
    elif len(shape) == 2:
        shape = (1, *shape)
    return "x".join(map(str, shape))
