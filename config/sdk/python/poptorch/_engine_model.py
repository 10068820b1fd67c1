"""From a graph to a model of ipubox's engine: its layers, as the text of
ipubox-model(5), and what its results are made of.

Each operation that the engine has is one row of _OPERATIONS, by the name of
PyTorch's function.
"""
import torch

# Marks of a result: what is done to the engine's outputs.
LOSS = "loss"
RESULTS = {
    "outputs": lambda outputs: outputs,
    "log_softmax": lambda outputs: torch.log_softmax(outputs, 1),
    "softmax": lambda outputs: torch.softmax(outputs, 1),
}
# A target that PyTorch's losses leave out, where nothing else is said.
_IGNORED = -100


class Unknown(Exception):
    """The engine does not have an operation; the text names it."""


class EngineModel:
    """A graph in the engine's words.

    text: of the model; parameters: their values of the graph, in the order of
    the engine's array; input, target: numbers of the graph's inputs, the
    latter None where no loss is computed; results: LOSS or a name of RESULTS
    for each value of the result.
    """

    def __init__(self, graph, results):
        self._graph = graph
        self.parameters = []
        self.input = self.target = None
        self.micro_batch = 0
        self._layers = []       # lines of the text
        self._shape = ()        # of a sample, after the last layer
        self._made = {}         # number of a value -> its kind of result
        self._last = None       # number of the value of the last layer
        self._integers = {}     # number of a value -> that of its input
        if graph.written:
            raise Unknown("a model that writes its inputs or buffers")
        for node in graph.nodes:
            self._take(node)
        self.results = [self._result(value) for value in results]
        if graph.loss is not None and not self.is_result(graph.loss, LOSS):
            raise Unknown("another loss")
        if not self.parameters:
            raise Unknown("a model without weights")
        self.out_shape = self._shape
        if len(self._shape) != 1:
            self._layers.append("flatten")

    @property
    def in_elements(self):
        """The elements of a sample."""
        return _product(self._graph.inputs[self.input].shape[1:])

    @property
    def out_elements(self):
        """Those of its result."""
        return _product(self.out_shape)

    @property
    def text(self):
        """The model file."""
        shape = self._graph.inputs[self.input].shape[1:]
        shape = shape if len(shape) == 3 else (_product(shape), 1, 1)
        return "\n".join(
            ["[model]", "name = poptorch",
             f"input = {'x'.join(map(str, shape))}", "[block model]",
             "ipu = 0", *(f"layer = {each}" for each in self._layers),
             "layer = cross-entropy", ""])

    def _result(self, value):
        kind = self._made.get(value.number)
        if kind is None or (kind == "outputs" and
                            value.number != self._last):
            raise Unknown("a result that is not the model's last one")
        return kind

    # --- the nodes ---------------------------------------------------------

    def _take(self, node):
        operation = _OPERATIONS.get(node.name)
        if operation is None:
            raise Unknown(node.name)
        names, function = operation
        if not node.grad_enabled and self._graph.loss is not None:
            raise Unknown(f"{node.name} without gradients")
        function(self, node, _Arguments(node, names))

    def check_input(self, node, value):
        """The value must be what the layer before has made; the first layer
        takes an input."""
        if self._last is None and value.kind == "input" and \
                value.dtype == torch.float32 and len(value.shape) > 1:
            self.input = self._graph.inputs.index(value)
            self.micro_batch = value.shape[0]
            self._shape = tuple(value.shape[1:])
            self._last = value.number
        if getattr(value, "number", None) != self._last:
            raise Unknown(f"{node.name} of another tensor than the last one")

    def add(self, node, line, parameters=()):
        """The next layer; line: None where it changes nothing."""
        result = node.result
        if self.target is not None:
            raise Unknown(f"{node.name} after the loss")
        if not hasattr(result, "number") or result.dtype != torch.float32 \
                or result.shape[:1] != (self.micro_batch,):
            raise Unknown(f"{node.name} of these shapes")
        for value in parameters:
            if value.kind != "parameter" or value.dtype != torch.float32:
                raise Unknown(f"{node.name} of weights that are computed")
            if value in self.parameters:
                raise Unknown(f"{node.name} of weights that are shared")
        if line is not None:
            self._layers.append(line)
        self.parameters += parameters
        self._shape = tuple(result.shape[1:])
        self._last = result.number
        self._made[result.number] = "outputs"

    def add_result(self, node, value, kind):
        """The node makes a result of the last layer's."""
        self.check_input(node, value)
        if len(self._shape) != 1:
            raise Unknown(f"{node.name} of these shapes")
        self._made[node.result.number] = kind

    def is_result(self, value, kind):
        """Whether the value was made so, of the last layer's."""
        return self._made.get(value.number) == kind

    def add_loss(self, node, target):
        """The node makes the loss."""
        target = self._integers.get(target.number, target)
        if target.kind != "input" or target.dtype not in (
                torch.int32, torch.int64) or \
                target.shape != (self.micro_batch,) or \
                self.target is not None:
            raise Unknown(f"{node.name} of these targets")
        self.target = self._graph.inputs.index(target)
        self._made[node.result.number] = LOSS

    def pass_loss(self, node):
        """The node makes the loss of the loss."""
        self._made[node.result.number] = LOSS

    def widen(self, node, value):
        """The node makes long integers of targets."""
        if value.kind != "input" or node.result.dtype not in (
                torch.int32, torch.int64):
            raise Unknown(node.name)
        self._integers[node.result.number] = value


class _Arguments:
    """The arguments of a node, by the names of its function's parameters;
    those that are missing are as in PyTorch, if is() is asked."""

    def __init__(self, node, names):
        names = names.split()
        if names[-1] == "*":            # the result's shape says it
            names = names[:-1]
            node_args = node.args[:1]
        else:
            node_args = node.args
        if len(node_args) > len(names):
            raise Unknown(f"{node.name} of these arguments")
        self._node = node
        self._given = dict(zip(names, node_args))
        self._given.update(node.kwargs)
        for name in self._given:
            if name not in names:
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

    def square(self, name, default):
        """One number, also of a pair of equal ones."""
        value = self._given.get(name)
        if value is None or value in ((), []):
            return default
        if isinstance(value, (tuple, list)) and len(set(value)) == 1:
            value = value[0]
        if type(value) is not int:
            raise Unknown(f"{self._node.name} with {name}={value}")
        return value


def _product(numbers):
    result = 1
    for each in numbers:
        result *= each
    return result


# --- the operations ---------------------------------------------------------

def _linear(model, node, args):
    model.check_input(node, args.get("input"))
    if len(args.get("input").shape) != 2:
        raise Unknown("linear of more than two dimensions")
    weight, bias = args.get("weight"), args.get("bias")
    model.add(node, f"linear out_features={weight.shape[0]} "
                    f"bias={'no' if bias is None else 'yes'}",
              [weight] if bias is None else [weight, bias])


def _conv2d(model, node, args):
    model.check_input(node, args.get("input"))
    args.require(groups=1)
    weight, bias = args.get("weight"), args.get("bias")
    if len(args.get("input").shape) != 4 or \
            weight.shape[2] != weight.shape[3] or \
            args.square("dilation", 1) != 1:
        raise Unknown("conv2d of these shapes")
    model.add(node, f"conv2d out_channels={weight.shape[0]} "
                    f"kernel_size={weight.shape[2]} "
                    f"stride={args.square('stride', 1)} "
                    f"padding={args.square('padding', 0)} "
                    f"bias={'no' if bias is None else 'yes'}",
              [weight] if bias is None else [weight, bias])


def _max_pool2d(model, node, args):
    model.check_input(node, args.get("input"))
    args.require(ceil_mode=False, return_indices=False)
    kernel = args.square("kernel_size", 1)
    if args.square("dilation", 1) != 1 or len(args.get("input").shape) != 4:
        raise Unknown("max_pool2d of these arguments")
    model.add(node, f"maxpool2d kernel_size={kernel} "
                    f"stride={args.square('stride', kernel)} "
                    f"padding={args.square('padding', 0)}")


def _relu(model, node, args):
    model.check_input(node, args.get("input"))
    model.add(node, "relu")


def _reshape(model, node, args):
    value = args.get("input")
    model.check_input(node, value)
    made = tuple(node.result.shape)
    if made == tuple(value.shape):
        model.add(node, None)
    elif len(made) == 2 and made[0] == model.micro_batch:
        model.add(node, "flatten")
    else:
        raise Unknown(f"{node.name} to {list(made)}")


def _normalised(kind):
    def take(model, node, args):
        value = args.get("input")
        if args.get("dim") not in (1, -1) or len(value.shape) != 2:
            raise Unknown(f"{node.name} with dim={args.get('dim')}")
        args.require(dtype=torch.float32)
        model.add_result(node, value, kind)
    return take


def _check_loss(args):
    args.require(weight=None, size_average=None, reduce=None,
                 ignore_index=_IGNORED, reduction="mean",
                 label_smoothing=0.0)


def _cross_entropy(model, node, args):
    model.add_result(node, args.get("input"), LOSS)
    _check_loss(args)
    model.add_loss(node, args.get("target"))


def _nll_loss(model, node, args):
    if not model.is_result(args.get("input"), "log_softmax"):
        raise Unknown("nll_loss of other than log_softmax")
    _check_loss(args)
    model.add_loss(node, args.get("target"))


def _identity_loss(model, node, args):
    if not model.is_result(args.get("x"), LOSS):
        raise Unknown("identity_loss of other than a loss")
    model.pass_loss(node)


def _long(model, node, args):
    model.widen(node, args.get("input"))


_OPERATIONS = {
    "linear": ("input weight bias", _linear),
    "conv2d": ("input weight bias stride padding dilation groups", _conv2d),
    "max_pool2d": ("input kernel_size stride padding dilation ceil_mode "
                   "return_indices", _max_pool2d),
    "relu": ("input inplace", _relu),
    "flatten": ("input start_dim end_dim", _reshape),
    "reshape": ("input *", _reshape),
    "view": ("input *", _reshape),
    "log_softmax": ("input dim _stacklevel dtype",
                    _normalised("log_softmax")),
    "softmax": ("input dim _stacklevel dtype", _normalised("softmax")),
    "cross_entropy": ("input target weight size_average ignore_index reduce "
                      "reduction label_smoothing", _cross_entropy),
    "nll_loss": ("input target weight size_average ignore_index reduce "
                 "reduction", _nll_loss),
    "identity_loss": ("x reduction", _identity_loss),
    "long": ("input", _long),
}
