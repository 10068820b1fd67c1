"""From a graph to a model of ipubox's engine: its layers and its loss, as the
text of ipubox-model(5).

Each operation that the engine has is one row of _OPERATIONS, by the name of
PyTorch's function.  A sample of one dimension is channels, of two height and
width, of three channels, height and width.
"""
import torch

# Marks of a result: what is done to the engine's outputs.
LOSS = "loss"
RESULTS = {
    "outputs": lambda outputs: outputs,
    "log_softmax": lambda outputs: torch.log_softmax(outputs, 1),
    "softmax": lambda outputs: torch.softmax(outputs, 1),
}
# A target that PyTorch's losses leave out, where nothing else is said.  The
# engine refuses a call that has one, and PyTorch computes that call.
_IGNORED = -100
# From so many pairs of channels, or weights, on PyTorch is faster: at
# convolutions always, at products where it has a fast library for them.
_CHANNELS_OF_TORCH = 256
_WEIGHTS_OF_TORCH = 1 << 17
_AXES = {1: ("channels",), 2: ("height", "width"),
         3: ("channels", "height", "width")}


class Unknown(Exception):
    """The engine does not have an operation; the text names it."""


class EngineModel:
    """A graph in the engine's words.

    text: of the model; parameters: their values of the graph, in the order of
    the engine's array, with the statistics of norms; counted: values that
    count the batches of these; rows: below which integers of the input lie,
    or None; input, target: numbers of the graph's inputs, the
    latter None where no loss is computed; target_shape: that of a sample, or
    () for one class; results: LOSS or a name of RESULTS for each value of
    the result.
    """

    def __init__(self, graph, results, replicas=1):
        self._graph = graph
        self.trains = graph.loss is not None
        self.replicas = replicas
        self.parameters = []
        self.counted = []
        self.rows = None
        self.has_statistics = False     # that training renews
        self.slow = None        # an operation that PyTorch is faster at
        self.large = None       # one that it may be faster at
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
                          f"input = {_sizes(self.in_shape)}",
                          "[block model]", "ipu = 0", *layers, ""])

    def _take(self, node):
        operation = _OPERATIONS.get(node.name)
        if operation is None:
            raise Unknown(node.name)
        if not node.grad_enabled and self._graph.loss is not None:
            raise Unknown(f"{node.name} without gradients")
        names, function = operation
        function(self, node, _Arguments(node, names))

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

    def compare(self, name, channels=0, weights=0):
        """Note an operation that PyTorch is faster at."""
        if channels >= _CHANNELS_OF_TORCH:
            self.slow = self.slow or name
        if weights >= _WEIGHTS_OF_TORCH:
            self.large = self.large or name

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


class _Arguments:
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
        return _AXES[len(shape) - 1][dim - 1]


def _product(numbers):
    result = 1
    for each in numbers:
        result *= each
    return result


def _sizes(shape):
    """Channels, height and width of a sample."""
    shape = tuple(shape)
    if len(shape) == 1:
        shape += (1, 1)
    elif len(shape) == 2:
        shape = (1, *shape)
    return "x".join(map(str, shape))


# --- the operations ---------------------------------------------------------

def _with_weights(args):
    """The weights and biases, and the word for the latter."""
    weight, bias = args.get("weight"), args.get("bias")
    return ([weight], "bias=no") if bias is None \
        else ([weight, bias], "bias=yes")


def _linear(model, node, args):
    value = args.get("input")
    parameters, bias = _with_weights(args)
    if len(value.shape) == 4 and value.shape[2] == value.shape[3] == 1:
        raise Unknown("linear of these shapes")
    model.compare(f"linear of {' x '.join(map(str, parameters[0].shape))} "
                  "weights", weights=_product(parameters[0].shape))
    model.add(node, f"linear out_features={parameters[0].shape[0]} {bias}",
              [value], parameters)


def _conv2d(model, node, args):
    parameters, bias = _with_weights(args)
    shape = parameters[0].shape
    if len(args.get("input").shape) != 4 or shape[2] != shape[3] or \
            args.number("dilation", 1) != 1:
        raise Unknown("conv2d of these shapes")
    if shape[2] > 1:
        model.compare(f"conv2d of {shape[0]} x {shape[1]} channels",
                      channels=shape[0] * shape[1])
    model.add(node, f"conv2d out_channels={shape[0]} kernel_size={shape[2]} "
                    f"stride={args.number('stride', 1)} "
                    f"padding={args.number('padding', 0)} {bias} "
                    f"groups={args.number('groups', 1)}",
              [args.get("input")], parameters)


def _max_pool2d(model, node, args):
    args.require(ceil_mode=False, return_indices=False)
    kernel = args.number("kernel_size", 1)
    if args.number("dilation", 1) != 1 or len(args.get("input").shape) != 4:
        raise Unknown("max_pool2d of these shapes")
    model.add(node, f"maxpool2d kernel_size={kernel} "
                    f"stride={args.number('stride', kernel)} "
                    f"padding={args.number('padding', 0)}",
              [args.get("input")])


def _avg_pool2d(model, node, args):
    args.require(ceil_mode=False, count_include_pad=True,
                 divisor_override=None)
    kernel = args.number("kernel_size", 1)
    if len(args.get("input").shape) != 4:
        raise Unknown("avg_pool2d of these shapes")
    model.add(node, f"avgpool2d kernel_size={kernel} "
                    f"stride={args.number('stride', kernel)} "
                    f"padding={args.number('padding', 0)}",
              [args.get("input")])


def _adaptive_avg_pool2d(model, node, args):
    value = args.get("input")
    if len(value.shape) != 4 or tuple(node.result.shape[2:]) != (1, 1):
        raise Unknown("adaptive_avg_pool2d to other sizes than 1")
    model.add(node, "mean axis=plane", [value])


def _mean(model, node, args):
    value, dim = args.get("input"), args.get("dim")
    args.require(dtype=torch.float32)
    count = len(value.shape)
    dims = tuple(each % count for each in
                 (dim if isinstance(dim, (tuple, list)) else (dim,))
                 if type(each) is int)
    if dims == (2, 3) and count == 4:
        axis, shape = "plane", (*value.shape[:2], 1, 1)
    elif len(dims) == 1 and dims[0] > 0 and count < 5:
        axis = _AXES[count - 1][dims[0] - 1]
        shape = tuple(1 if number == dims[0] else each
                      for number, each in enumerate(value.shape))
    else:
        raise Unknown(f"mean of dim={dim}")
    if args.get("keepdim", False) or \
            _sizes(shape[1:]) == _sizes(node.result.shape[1:]):
        model.add(node, f"mean axis={axis}", [value])
        return
    step = model.add_part(node, value, f"mean axis={axis}", shape)
    model.add(node, f"reshape shape={_sizes(node.result.shape[1:])}", [step])


def _batch_norm(model, node, args):
    value, weight, bias = map(args.get, ("input", "weight", "bias"))
    means, variances = args.get("running_mean"), args.get("running_var")
    momentum = args.get("momentum", 0.1)
    trains = args.get("training", False)
    if len(value.shape) not in (2, 4) or None in (means, variances) or \
            (weight is None) != (bias is None) or momentum is None:
        raise Unknown("batch_norm of these arguments")
    if trains != model.trains or (trains and model.replicas > 1):
        raise Unknown("batch_norm of replicas" if trains and model.trains
                      else "batch_norm with another mode than the model's")
    model.has_statistics = model.has_statistics or trains
    model.add(node, f"batch_norm eps={float(args.get('eps', 1e-5))!r} "
                    f"momentum={float(momentum)!r} "
                    f"affine={'no' if weight is None else 'yes'}",
              [value], [weight, bias] if weight is not None else [],
              [means, variances])


def _layer_norm(model, node, args):
    value, weight, bias = map(args.get, ("input", "weight", "bias"))
    count = len(args.get("normalized_shape"))
    if count == len(value.shape) - 1:
        axis = "all"
    elif count == 1:
        axis = "width"
    else:
        raise Unknown("layer_norm of several dimensions")
    if (weight is None) != (bias is None):
        raise Unknown("layer_norm without a bias")
    model.add(node, f"layer_norm axis={axis} "
                    f"eps={float(args.get('eps', 1e-5))!r} "
                    f"affine={'no' if weight is None else 'yes'}",
              [value], [weight, bias] if weight is not None else [])


def _embedding(model, node, args):
    args.require(max_norm=None, scale_grad_by_freq=False, sparse=False)
    value, weight = args.get("input"), args.get("weight")
    if model.layer_of(node, value, (torch.int32, torch.int64)) != -1 or \
            len(value.shape) != 2:
        raise Unknown("embedding of computed indices")
    padding = args.get("padding_idx")
    words = "" if padding in (None, -1) else f" padding_idx={padding}"
    model.rows = weight.shape[0]
    model.add(node, f"embedding num_embeddings={weight.shape[0]} "
                    f"embedding_dim={weight.shape[1]}{words}",
              [value], [weight])


def _matmul(model, node, args):
    one, other = args.get("input"), args.get("other")
    if not hasattr(other, "shape") or not hasattr(one, "shape") or \
            len(one.shape) != len(other.shape) or len(one.shape) < 3 or \
            one.shape[:-2] != other.shape[:-2]:
        raise Unknown(f"{node.name} of these shapes")
    model.add(node, "matmul", [one, other])


def _chunks(model, node, args):
    value = args.get("input")
    axis = args.axis("dim", value.shape)
    dim = args.get("dim") % len(value.shape)
    model.layer_of(node, value)
    start = 0
    for part in node.result:
        model.add_slice(node, part, f"slice axis={axis} start={start} "
                                    f"length={part.shape[dim]}", value)
        start += part.shape[dim]


def _count(model, node, args):
    """Of batches, in a norm."""
    value = args.get("input")
    if getattr(value, "kind", "") != "buffer" or \
            not value.name.endswith("num_batches_tracked") or \
            args.get("other") != 1:
        _add(model, node, args)
        return
    model.counted.append(value)


def _plain(name):
    """A layer of that name, of each element alone."""
    def take(model, node, args):
        model.add(node, name, [args.get("input")])
    return take


def _leaky_relu(model, node, args):
    model.add(node, "leaky_relu negative_slope="
                    f"{float(args.number('negative_slope', 0.01))!r}",
              [args.get("input")])


def _gelu(model, node, args):
    how = args.get("approximate", "none")
    model.add(node, f"gelu tanh={'yes' if how == 'tanh' else 'no'}",
              [args.get("input")])


def _reshape(model, node, args):
    value = args.get("input")
    model.layer_of(node, value)
    if _sizes(node.result.shape[1:]) == _sizes(value.shape[1:]):
        model.alias(node, value)
        return
    model.view(node, value)
    model.add(node, f"reshape shape={_sizes(node.result.shape[1:])}",
              [value])


def _same(model, node, args):
    model.alias(node, args.get("input"))


def _dropout(model, node, args):
    if args.get("training", True) and args.get("p", 0.5):
        raise Unknown("dropout")
    model.alias(node, args.get("input"))


def _permute(model, node, args):
    value = args.get("input")
    count = len(value.shape)
    dims = list(range(count))
    if node.name == "permute":
        given = node.args[1:] or (args.get("dims"),)
        dims = [dim % count for dim in
                (given[0] if isinstance(given[0], (tuple, list)) else given)]
    else:
        one, other = (dim % count for dim in node.args[1:3])
        dims[one], dims[other] = dims[other], dims[one]
    if dims[0] != 0 or count < 3:
        raise Unknown(f"{node.name} of these dimensions")
    order = [dim - 1 for dim in dims[1:]]
    if len(order) == 2:
        order = [0, *(dim + 1 for dim in order)]
    model.view(node, value)
    model.add(node, f"permute order={'x'.join(map(str, order))}", [value])


def _add(model, node, args):
    one, other = args.get("input"), args.get("other")
    args.require(alpha=1)
    if getattr(other, "kind", "") == "parameter" and \
            other.shape[-len(one.shape) + 1:] == one.shape[1:] and \
            _sizes(one.shape[1:]) == _sizes(other.shape[1:] if len(
                other.shape) == len(one.shape) else other.shape):
        model.add(node, "add_parameter", [one], [other])
        return
    if getattr(one, "shape", 0) != getattr(other, "shape", 1):
        raise Unknown(f"{node.name} of these shapes")
    model.add(node, "add", [one, other])


def _scale(model, node, args):
    value, factor = args.get("input"), args.get("other")
    if isinstance(value, (int, float)) and node.name != "div":
        value, factor = factor, value
    if not isinstance(factor, (int, float)):
        raise Unknown(f"{node.name} of two tensors")
    if node.name in ("div", "true_divide", "__truediv__"):
        factor = 1 / factor
    model.add(node, f"scale factor={factor!r}", [value])


def _cat(model, node, args):
    tensors = args.get("tensors")
    model.add(node, f"concat axis={args.axis('dim', node.result.shape)}",
              list(tensors))


def _softmax(model, node, args):
    value = args.get("input")
    args.require(dtype=torch.float32)
    axis = args.axis("dim", value.shape)
    if len(value.shape) == 2:
        model.add_late(node, node.name, value)
    else:
        model.add(node, f"{node.name} axis={axis}", [value])


def _reduction(args):
    """The words of a loss's reduction."""
    args.require(weight=None, size_average=None, reduce=None,
                 label_smoothing=0.0, pos_weight=None)
    reduction = args.get("reduction", "mean")
    if reduction not in ("mean", "sum"):
        raise Unknown(f"a loss with reduction={reduction}")
    ignored = args.get("ignore_index", _IGNORED)
    return f"reduction={reduction}" + (
        "" if ignored == _IGNORED else f" ignore_index={ignored}")


def _cross_entropy(model, node, args):
    model.add_loss(node, f"cross-entropy {_reduction(args)}",
                   args.get("input"), args.get("target"), True)


def _nll_loss(model, node, args):
    value, name = args.get("input"), "nll"
    source = model.source_of(value, "log_softmax")
    if source is not None:
        value, name = source, "cross-entropy"
    model.add_loss(node, f"{name} {_reduction(args)}", value,
                   args.get("target"), True)


def _of_elements(name):
    """A loss of each element."""
    def take(model, node, args):
        model.add_loss(node, f"{name} {_reduction(args)}", args.get("input"),
                       args.get("target"), False)
    return take


def _identity_loss(model, node, args):
    model.pass_loss(node, args.get("x"))


def _long(model, node, args):
    model.widen(node, args.get("input"))


_LOSS = "input target weight size_average ignore_index reduce reduction "

_OPERATIONS = {
    "linear": ("input weight bias", _linear),
    "conv2d": ("input weight bias stride padding dilation groups", _conv2d),
    "avg_pool2d": ("input kernel_size stride padding ceil_mode "
                   "count_include_pad divisor_override", _avg_pool2d),
    "adaptive_avg_pool2d": ("input output_size", _adaptive_avg_pool2d),
    "mean": ("input dim keepdim dtype", _mean),
    "batch_norm": ("input running_mean running_var weight bias training "
                   "momentum eps", _batch_norm),
    "layer_norm": ("input normalized_shape weight bias eps", _layer_norm),
    "embedding": ("input weight padding_idx max_norm norm_type "
                  "scale_grad_by_freq sparse", _embedding),
    "matmul": ("input other", _matmul),
    "__matmul__": ("input other", _matmul),
    "bmm": ("input other", _matmul),
    "chunk": ("input chunks dim", _chunks),
    "split": ("input split_size dim", _chunks),
    "max_pool2d": ("input kernel_size stride padding dilation ceil_mode "
                   "return_indices", _max_pool2d),
    "relu": ("input inplace", _plain("relu")),
    "relu_": ("input", _plain("relu")),
    "tanh": ("input", _plain("tanh")),
    "sigmoid": ("input", _plain("sigmoid")),
    "leaky_relu": ("input negative_slope inplace", _leaky_relu),
    "gelu": ("input approximate", _gelu),
    "flatten": ("input *", _reshape),
    "reshape": ("input *", _reshape),
    "view": ("input *", _reshape),
    "squeeze": ("input *", _reshape),
    "unsqueeze": ("input *", _reshape),
    "permute": ("input *", _permute),
    "transpose": ("input *", _permute),
    "contiguous": ("input", _same),
    "dropout": ("input p training inplace", _dropout),
    "add": ("input other alpha", _add),
    "add_": ("input other alpha", _count),
    "__add__": ("input other", _add),
    "__iadd__": ("input other", _add),
    "mul": ("input other", _scale),
    "__mul__": ("input other", _scale),
    "__rmul__": ("input other", _scale),
    "div": ("input other", _scale),
    "__truediv__": ("input other", _scale),
    "cat": ("tensors dim", _cat),
    "softmax": ("input dim _stacklevel dtype", _softmax),
    "log_softmax": ("input dim _stacklevel dtype", _softmax),
    "cross_entropy": (_LOSS + "label_smoothing", _cross_entropy),
    "nll_loss": (_LOSS, _nll_loss),
    "mse_loss": ("input target size_average reduce reduction",
                 _of_elements("mse")),
    "binary_cross_entropy_with_logits": (
        "input target weight size_average reduce reduction pos_weight",
        _of_elements("bce-logits")),
    "identity_loss": ("x reduction", _identity_loss),
    "long": ("input", _long),
}
