"""The graph of a model: what one run on one micro-batch does, in its order.

A node is a call as the user's model made it: a function of PyTorch's or of
ours with its arguments.  Below it stand the aten operations it came to, which
say what the device would do: shapes, bytes, arithmetic.  Tensors are values;
all else in arguments is what it was when the model was lowered.
"""
import torch

from ._utils import dict_like


class Value:
    """A tensor of the graph.

    kind: "input", "parameter", "buffer", "constant" or "node"; name: that of
    a parameter or buffer, or the place of an input; data: the tensor of a
    constant.
    """

    __slots__ = ("number", "kind", "name", "shape", "dtype", "data", "node")

    def __init__(self, number, kind, tensor, name=None):
        self.number = number
        self.kind = kind
        self.name = name
        self.shape = tuple(tensor.shape)
        self.dtype = tensor.dtype
        self.data = None
        self.node = None        # that it came from

    @property
    def nbytes(self):
        """Its bytes on the device, where long is int and double is float."""
        size = torch.empty(0, dtype=self.dtype).element_size()
        if self.dtype in (torch.int64, torch.float64):
            size = 4
        for extent in self.shape:
            size *= extent
        return size

    def __repr__(self):
        return f"v{self.number}"


class Operation:
    """An aten operation below a node, with the shapes it had."""

    __slots__ = ("name", "inputs", "outputs", "writes", "is_random",
                 "attributes")

    def __init__(self, name, inputs, outputs, writes, is_random):
        self.name = name                # "aten::addmm"
        self.inputs = inputs            # (shape, dtype) of each tensor
        self.outputs = outputs
        self.writes = writes            # whether it changes a tensor in place
        self.is_random = is_random
        self.attributes = {}            # what the program says of it


class Node:
    """A call.  Values stand for tensors in args, kwargs and result."""

    __slots__ = ("function", "args", "kwargs", "result", "operations",
                 "block", "scope", "grad_enabled", "has_effect")

    def __init__(self, function, args, kwargs):
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.result = None
        self.operations = []
        self.block = None               # index into Graph.blocks
        self.scope = ""                 # "fc1", the module it was called in
        self.grad_enabled = True
        self.has_effect = False         # keep it, whoever uses its result

    @property
    def name(self):
        """The name of its function."""
        return getattr(self.function, "__name__", str(self.function))

    def inputs(self):
        """The values it takes."""
        return values_in((self.args, self.kwargs))

    def outputs(self):
        """The values it makes."""
        return [value for value in values_in(self.result)
                if value.node is self]


class Block:
    """A part of the model that was named, or given an IPU."""

    __slots__ = ("user_id", "ipu_id")

    def __init__(self, user_id, ipu_id):
        self.user_id = user_id
        self.ipu_id = ipu_id


class Graph:
    """A model that was lowered."""

    def __init__(self):
        self.inputs = []        # values, in the order of the tensors
        self.parameters = {}    # name -> value; a shared one has one name
        self.buffers = {}
        self.constants = []
        self.nodes = []
        self.blocks = []        # in the order they began
        self.result = None      # of the model, with values for tensors
        self.losses = []        # values that losses made, in their order
        self.loss = None        # the one that training makes smaller
        self.written = set()    # inputs, parameters and buffers that change
        self.statistics = set()         # those that a normalisation keeps
        self.checkpoints = set()        # values kept for the way back
        self.overlaps = []      # ("input" or "output", value)

    @property
    def is_random(self):
        """Whether a run takes random numbers."""
        return any(operation.is_random for node in self.nodes
                   for operation in node.operations)

    def outputs(self):
        """The values of the result, in their order; one may come twice."""
        return values_in(self.result)

    def prune(self):
        """Leave out what nobody uses and what has no effect."""
        needed = set(map(id, self.outputs()))
        if self.loss is not None:
            needed.add(id(self.loss))
        kept = []
        for node in reversed(self.nodes):
            if not node.has_effect and \
                    not any(id(value) in needed for value in node.outputs()):
                continue
            needed.update(map(id, node.inputs()))
            kept.append(node)
        self.nodes = kept[::-1]

    def feeds(self, value, other):
        """Whether `other` was worked out from `value`."""
        reached = {id(value)}
        for node in self.nodes:
            if any(id(each) in reached for each in node.inputs()):
                reached.update(map(id, node.outputs()))
        return id(other) in reached


class Region(Graph):
    """A part of a graph that one node runs: the body of a loop.

    inputs: what it is called with, then what it takes from around it.
    """

    def __init__(self, nodes):
        super().__init__()
        self.nodes = nodes
        self.taken = []
        self.changed = set()    # numbers of values that its nodes write


class Custom:
    """An object of a class of the program's that has a parser, with values or
    tensors in place of its own."""

    __slots__ = ("original", "parser", "parts")

    def __init__(self, original, parser, parts):
        self.original = original
        self.parser = parser
        self.parts = parts

    def with_parts(self, parts):
        """The same of other values, or the object itself of tensors."""
        if all(isinstance(each, torch.Tensor) for each in parts):
            return self.parser.reconstruct(self.original, iter(parts))
        return Custom(self.original, self.parser, parts)


def values_in(structure):
    """All values in nested tuples, lists and dicts, in their order."""
    found = []

    def visit(each):
        if isinstance(each, Value):
            found.append(each)

    walk(structure, visit)
    return found


def tensors_in(structure):
    """All tensors, in the same way."""
    found = []
    walk(structure, lambda leaf: found.append(leaf)
         if isinstance(leaf, torch.Tensor) else None)
    return found


def walk(structure, function):
    """Call a function on each leaf of nested tuples, lists, dicts, slices."""
    if isinstance(structure, (tuple, list)):
        for each in structure:
            walk(each, function)
    elif isinstance(structure, dict):
        for each in structure.values():
            walk(each, function)
    elif isinstance(structure, slice):
        for each in (structure.start, structure.stop, structure.step):
            walk(each, function)
    elif isinstance(structure, Custom):
        walk(structure.parts, function)
    else:
        function(structure)


def transform(structure, function):
    """The same structure with each leaf replaced by function(leaf)."""
    if isinstance(structure, tuple):
        made = [transform(each, function) for each in structure]
        if hasattr(structure, "_fields"):       # a named tuple
            return type(structure)(*made)
        return tuple(made) if type(structure) is tuple \
            else type(structure)(made)
    if isinstance(structure, list):
        made = [transform(each, function) for each in structure]
        return made if type(structure) is list else type(structure)(made)
    if isinstance(structure, dict):
        made = {key: transform(each, function)
                for key, each in structure.items()}
        return made if type(structure) is dict else dict_like(structure, made)
    if isinstance(structure, slice):
        return slice(*(transform(each, function) for each in
                       (structure.start, structure.stop, structure.step)))
    if isinstance(structure, Custom):
        return structure.with_parts(transform(structure.parts, function))
    return function(structure)

