"""From a graph to a model of ipubox's engine: its layers and its loss, as the
text of ipubox-model(5).  _engine_operations.py has the operations.

A sample of one dimension is channels, of two height and width, of three
channels, height and width.
"""
import torch

# Marks of a result: what is done to the engine's outputs.
LOSS = "loss"
RESULTS = {
    "outputs": lambda outputs: outputs,
    "log_softmax": lambda outputs: torch.log_softmax(outputs, 1),
    "softmax": lambda outputs: torch.softmax(outputs, 1),
}
AXES = {1: ("channels",), 2: ("height", "width"),
        3: ("channels", "height", "width")}


class Unknown(Exception):
    """The engine does not have an operation; the text names it."""


class EngineModel:
    """A graph in the engine's words.

    text: of the model; parameters: their values of the graph, in the order of
    the engine's array, with the statistics of norms; counted: values that
    count the batches of these; rows: below which integers of the input lie,
    or None; input, target: numbers of the graph's inputs, the latter None
    where no loss is computed; target_shape: that of a sample, or () for one
    class; results: LOSS or a name of RESULTS for each value of the result.
    """

    def __init__(self, graph, results, operations):
        self._graph = graph
        self._operations = operations
        self.trains = graph.loss is not None
        self.parameters = []
        self.counted = []
        self.rows = None
        self.draws = False      # numbers, for dropouts
        self.input = self.target = None
        self.target_shape = ()
        self.has_classes = True
        self.micro_batch = 0
        self._layers = []       # lines of the text
        self._loss = "mse"      # a text ends with one
        self._at = {}           # number of a value -> that of its layer
        self._losses = set()    # numbers of values
        self._late = {}         # number of a value -> (kind, what it is of)
        self._views = set()     # numbers of values that share memory
        self._integers = {}     # number of a value -> the input it is of
        for node in graph.nodes:
            self._take(node)
        if not graph.written <= {*self.parameters, *self.counted}:
            raise Unknown("a model that writes its inputs or buffers")
        if graph.loss is not None and graph.loss.number not in self._losses:
            raise Unknown("another loss")
        if not self.parameters:
            raise Unknown("a model without weights")
        self.results = [self._result(value) for value in results]

    @property
    def in_shape(self):
        """The shape of a sample."""
        return self._graph.inputs[self.input].shape[1:]

    @property
    def text(self):
        """The model file."""
        layers = (f"layer = {each}" for each in (*self._layers, self._loss))
        return "\n".join(["[model]", "name = poptorch",
                          f"input = {sizes(self.in_shape)}",
                          "[block model]", "ipu = 0", *layers, ""])

    def _take(self, node):
        operation = self._operations.get(node.name)
        if operation is None:
            raise Unknown(node.name)
        if not node.grad_enabled and self._graph.loss is not None:
            raise Unknown(f"{node.name} without gradients")
        names, function = operation
        function(self, node, Arguments(node, names))

    def _result(self, value):
        if value.number in self._losses:
            return LOSS
        kind, source = self._late.get(value.number, ("outputs", value))
        if self._at.get(source.number) != len(self._layers) - 1:
            raise Unknown("a result that is not the model's last one")
        self.out_shape = source.shape[1:]
        return kind

    out_shape = (1,)            # where only the loss is returned

    # --- what operations say -----------------------------------------------

    def layer_of(self, node, value, types=(torch.float32,)):
        """The layer that has made a value; -1 is the input."""
        if self.input is None and getattr(value, "kind", "") == "input" and \
                value.dtype in types and 1 < len(value.shape) < 5:
            self.input = self._graph.inputs.index(value)
            self.micro_batch = value.shape[0]
            self._at[value.number] = -1
        number = getattr(value, "number", None)
        if number in self._late:
            kind, source = self._late.pop(number)
            dim = "channels" if len(value.shape) == 2 else "width"
            self._append(value, f"{kind} axis={dim}", [source], node)
        if number not in self._at:
            raise Unknown(f"{node.name} of what is no layer's result")
        return self._at[number]

    def add(self, node, line, values, parameters=(), buffers=()):
        """The node is the next layer, of these values."""
        for value in (*parameters, *buffers):
            if value.kind != ("buffer" if value in buffers
                              else "parameter") or \
                    value.dtype != torch.float32:
                raise Unknown(f"{node.name} of weights that are computed")
            if value in self.parameters:
                raise Unknown(f"{node.name} of weights that are shared")
        result = node.result
        if getattr(result, "number", None) in self._views and \
                result.node is not node:
            raise Unknown(f"{node.name} in place of a view")
        self.parameters += (*parameters, *buffers)
        self._append(result, line, values, node)

    def add_part(self, node, value, line, shape=None):
        """One of several results of a node, or a step to its one."""
        made = Made(value, shape)
        self._append(made, line, [value], node)
        return made

    def _append(self, result, line, values, node):
        inputs = [self.layer_of(node, value) for value in values]
        if self.target is not None:
            raise Unknown(f"{node.name} after the loss")
        if not hasattr(result, "number") or not 1 < len(result.shape) < 5 or \
                result.dtype != torch.float32 or \
                result.shape[0] != self.micro_batch:
            raise Unknown(f"{node.name} of these shapes")
        if inputs != [len(self._layers) - 1]:
            line += f" inputs={','.join(map(str, inputs))}"
        self._layers.append(line)
        self._at[result.number] = len(self._layers) - 1

    def add_slice(self, node, part, line, value):
        """One of the results of a node that cuts a value."""
        self.view(node, value, part)
        self._append(part, line, [value], node)

    def alias(self, node, value):
        """The node makes the same values again."""
        self._at[node.result.number] = self.layer_of(node, value)
        self.view(node, value)

    def view(self, node, value, result=None):
        """The node's result may be of the value's memory."""
        self._views.update((value.number, (result or node.result).number))

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
        if self.layer_of(node, value) != len(self._layers) - 1 or \
                self.target is not None:
            raise Unknown(f"{node.name} of what is not the last result")
        target = self._integers.get(target.number, target)
        types = (torch.int32, torch.int64) if has_classes \
            else (torch.float32,)
        wanted = value.shape[:1] if has_classes else value.shape
        if target.kind != "input" or target.dtype not in types or \
                tuple(target.shape) != tuple(wanted) or \
                (has_classes and len(value.shape) != 2):
            raise Unknown(f"{node.name} of these targets")
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


class Made:
    """A value between the layers that come of one node."""

    def __init__(self, like, shape):
        self.number = -2 - id(self)
        self.dtype = like.dtype
        self.shape = like.shape if shape is None else shape


class Arguments:
    """The arguments of a node, by the names of its function's parameters; a
    "*" stands for more, which the result's shape says."""

    def __init__(self, node, names):
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

    def get(self, name, default=None):
        """An argument."""
        return self._given.get(name, default)

    def require(self, **wanted):
        """The arguments that are given have to be these."""
        for name, value in wanted.items():
            if name in self._given and self._given[name] not in (value, None):
                raise Unknown(f"{self._node.name} with {name}="
                              f"{self._given[name]}")

    def number(self, name, default):
        """A number, also of a pair of equal ones."""
        value = self._given.get(name)
        if value is None or value in ((), []):
            return default
        if isinstance(value, (tuple, list)) and len(set(value)) == 1:
            value = value[0]
        if type(value) not in (int, type(default)):
            raise Unknown(f"{self._node.name} with {name}={value}")
        return value

    def axis(self, name, shape):
        """The engine's name of a dimension of a tensor."""
        dim = self._given.get(name)
        if type(dim) is int and dim < 0:
            dim += len(shape)
        if type(dim) is not int or not 1 <= dim < len(shape) < 5:
            raise Unknown(f"{self._node.name} with {name}="
                          f"{self._given.get(name)}")
        return AXES[len(shape) - 1][dim - 1]


def sizes(shape):
    """Channels, height and width of a sample."""
    shape = tuple(shape)
    if len(shape) == 1:
        shape += (1, 1)
    elif len(shape) == 2:
        shape = (1, *shape)
    return "x".join(map(str, shape))
