"""Lowering: from a user's model to a graph, by running it once.

The model runs on one micro-batch.  Two modes of PyTorch's watch it: one sees
the functions that the model calls, which become the nodes, the other the aten
operations that they come to.  What Python works out on the way is fixed in
the graph, as it is on a device: a number, a branch that was taken, the tensor
of an attribute that is no parameter and no buffer.
"""
import contextlib
import operator
import threading
import warnings

import torch
import torch.utils.checkpoint
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from . import _device_calls, _half, _impl, _limits, _results
from ._graph import (
    Block, Graph, Node, Operation, Region, Value, transform, walk)
from ._host_tensors import HostTensors
from ._model_check import check_overlaps
from ._program import Choice, Loop

# Functions whose result is a loss that training may make smaller.
_LOSSES = frozenset((
    "binary_cross_entropy", "binary_cross_entropy_with_logits",
    "cosine_embedding_loss", "cross_entropy", "cross_entropy_loss",
    "ctc_loss", "gaussian_nll_loss", "hinge_embedding_loss", "huber_loss",
    "identity_loss", "kl_div", "l1_loss", "margin_ranking_loss", "mse_loss",
    "multi_margin_loss", "multilabel_margin_loss",
    "multilabel_soft_margin_loss", "nll_loss", "nll_loss2d", "nll_loss_nd",
    "poisson_nll_loss", "smooth_l1_loss", "soft_margin_loss",
    "triplet_margin_loss", "triplet_margin_with_distance_loss"))

# Calls that change something which no aten operation tells.
_EFFECTS = frozenset((
    "backward", "detach_", "grad", "register_hook", "requires_grad_",
    "retain_grad", "__set__", "__setitem__", "__delete__"))

# The functions of torch.ops.poptorch, by name; see _operators.py.
operators = {}

_state = threading.local()


def current():
    """The lowering that runs in this thread; None outside of one."""
    return getattr(_state, "lowering", None)


class _Functions(TorchFunctionMode):
    """Shows a lowering the functions that the model calls."""

    def __init__(self, lowering):
        super().__init__()
        self._lowering = lowering

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return self._lowering.call(func, args, kwargs or {})


class _Operations(TorchDispatchMode):
    """Shows a lowering the aten operations below them."""

    def __init__(self, lowering):
        super().__init__()
        self._lowering = lowering

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return self._lowering.dispatch(func, args, kwargs or {})


class Lowering:
    """Makes the graph of one model."""

    def __init__(self, parameters, buffers):
        """Both: name -> the tensor that the model has."""
        self.graph = Graph()
        self._values = {}       # id of a tensor -> its value
        self._kept = []         # so that no id is used again
        self._derived = set()   # values that the device works out
        self._frame = None      # operations of the call that is running
        self._block = None      # index of the current block
        self._open_blocks = []
        self._next_auto_id = 0
        self._auto_ids = {}     # what begins a block -> its number
        self._bare = {}         # memory -> what a bare operation made there
        self._kept_too = []
        self._floats = {}       # id of doubles -> (they, their floats)
        self.training = False
        self._host = HostTensors()
        self._overlaps = {}     # id of a tensor that overlap() made -> kind
        self._used = set()      # inputs that calls take as they are
        self._in_multi_conv = False
        self._is_quiet = False  # nothing is recorded
        self._has_values = True         # the call takes what is derived
        self._has_statistics = False    # and writes those of batches
        self._versions = {}     # of the tensors that were there before
        for name, tensor in parameters.items():
            self._own(tensor, "parameter", name, self.graph.parameters)
        for name, tensor in buffers.items():
            self._own(tensor, "buffer", name, self.graph.buffers)

    def _own(self, tensor, kind, name, table):
        if id(tensor) not in self._values:
            table[name] = self._new(tensor, kind, name)

    def add_input(self, tensor, name):
        """The next input."""
        _device_calls.refuse_input(tensor)
        self.graph.inputs.append(self._new(tensor, "input", name))

    def _new(self, tensor, kind, name=None):
        value = Value(len(self._kept), kind, tensor, name)
        self._kept.append(tensor)
        self._values[id(tensor)] = value
        if kind != "constant":
            self._derived.add(value.number)
        if kind != "node":
            self._versions[value] = tensor._version
        return value

    def value_of(self, tensor):
        """Its value; a tensor that nobody knows is a constant.

        What autograd hands out of a bare operation may be another object
        than the operation has made, of the same memory.
        """
        value = self._values.get(id(tensor))
        if value is not None:
            return value
        with self._quietly():
            value = self._bare.get(_memory_of(tensor))
            if value is not None:
                self._kept_too.append(tensor)
                self._values[id(tensor)] = value
                return value
            value = self._new(tensor, "constant")
            value.data = tensor.detach().clone()
        self.graph.constants.append(value)
        return value

    @contextlib.contextmanager
    def _quietly(self):
        """What is looked up for the graph is no part of the model."""
        before, self._is_quiet = self._is_quiet, True
        try:
            yield
        finally:
            self._is_quiet = before

    def _replaced(self, structure):
        """The structure with values in place of tensors."""
        return transform(structure, lambda leaf: self.value_of(leaf)
                         if isinstance(leaf, torch.Tensor) else leaf)

    def _narrowed(self, leaf):
        """Floats in place of a constant's doubles, the same ones each
        time."""
        if not isinstance(leaf, torch.Tensor) or \
                leaf.layout != torch.strided or \
                leaf.dtype != torch.float64 or id(leaf) in self._values:
            return leaf
        if id(leaf) not in self._floats:
            self._floats[id(leaf)] = (leaf, leaf.detach().float())
        return self._floats[id(leaf)][1]

    def is_derived(self, tensor):
        """Whether the device works it out, so that Python has no value."""
        value = self._values.get(id(tensor)) or \
            self._bare.get(_memory_of(tensor))
        return value is not None and value.number in self._derived

    # --- what the modes show -----------------------------------------------

    def call(self, func, args, kwargs):
        """A function of PyTorch's, or of ours."""
        if self._frame is not None or self._is_quiet:
            return func(*args, **kwargs)
        own = operators.get(getattr(getattr(func, "overloadpacket", func),
                                    "_qualified_op_name", None))
        if own is not None:
            with _Functions(self):
                return own(*args, *kwargs.values())
        said = _device_calls.answer(func)
        if said is not None:
            return said
        if getattr(func, "__name__", "") == "ipu":
            self._host.place(func, args, kwargs, args[0])
            return args[0]
        _device_calls.refuse(func, args, kwargs, self.is_derived)
        self._host.refuse(func, args, kwargs)
        _device_calls.tell(func, args, kwargs)
        asked = func, args, kwargs
        args, kwargs = transform(
            _device_calls.on_host(func, args, kwargs), self._narrowed)
        func = _device_calls.on_device(_getter(func), args)
        node, versions = self._begin(func, args, kwargs)
        try:
            result, node.function = _device_calls.perform(
                func, args, kwargs, node.operations.clear)
        finally:
            self._frame = None
        self._end(node, versions, result)
        self._host.place(*asked, result)
        return result

    def _begin(self, func, args, kwargs):
        """A node, and the versions of its tensors, which writing changes.
        Constants are kept as they are before the call changes them."""
        walk((args, kwargs), self._use)
        with self._quietly():
            node = Node(func, self._replaced(tuple(args)),
                        self._replaced(dict(kwargs)))
            versions = [(tensor, tensor._version) for tensor in
                        (self._kept[each.number] for each in node.inputs())]
        self._frame = node.operations
        self._has_statistics = False
        self._has_values = node.name not in _LOSSES and \
            not getattr(func, "is_of_host", False) and \
            any(each.number in self._derived for each in node.inputs())
        return node, versions

    def _use(self, leaf):
        """Note an input that was not returned by overlap()."""
        value = self._values.get(id(leaf))
        if value is not None and value.kind == "input" and \
                id(leaf) not in self._overlaps:
            self._used.add(value)

    def _end(self, node, versions, result, is_bare=False):
        # The version of what a bare operation writes changes after it.
        with self._quietly():
            node.has_effect = self._has_statistics or any(
                tensor._version != version for tensor, version in versions) \
                or (is_bare and any(each.writes for each in node.operations))
            self._add(node, result)

    def dispatch(self, func, args, kwargs):
        """An aten operation; one below no function is a node of its own."""
        if self._is_quiet:
            return _half.call(func, args, kwargs)
        if self._frame is not None:
            return self._operate(func, args, kwargs)
        self._host.refuse(func, args, kwargs)
        node, versions = self._begin(func, args, kwargs)
        try:
            result, node.function = _device_calls.perform(
                func, args, kwargs, node.operations.clear, self._operate)
        finally:
            self._frame = None
        self._end(node, versions, result, is_bare=True)
        self._host.place(func, args, kwargs, result, is_bare=True)
        for value in node.outputs():
            self._bare[_memory_of(self._kept[value.number])] = value
        return result

    def _operate(self, func, args, kwargs):
        """An aten operation of the call that is running."""
        if self._has_values:
            _device_calls.refuse_shape(func, args)
            _limits.refuse_operation(func, args, self.is_derived)
        result = _half.call(func, args, kwargs)
        if self._has_values:
            walk(result, _device_calls.refuse_type)
        self._frame.append(_operation(func, args, kwargs, result))
        self._look_at_statistics(func, args)
        return result

    def _look_at_statistics(self, func, args):
        """A normalisation of batches writes them, and does not say so."""
        if func._schema.name == "aten::native_batch_norm" and args[5]:
            written = [self._values[id(each)] for each in args[3:5]
                       if id(each) in self._values]
            self._has_statistics = self._has_statistics or bool(written)
            self.graph.written.update(written)
            self.graph.statistics.update(written)

    def _add(self, node, result):
        made = []

        def look(leaf):
            if isinstance(leaf, torch.Tensor) and \
                    id(leaf) not in self._values:
                value = self._new(leaf, "node")
                value.node = node
                made.append(value)

        walk(result, look)
        node.has_effect = node.has_effect or node.name in _EFFECTS or any(
            operation.is_random for operation in node.operations)
        if not made and not node.has_effect:
            return
        node.result = self._replaced(result)
        node.block = self._block
        node.scope = _impl.name_scopes[-1] if _impl.name_scopes else ""
        node.grad_enabled = torch.is_grad_enabled()
        self.graph.nodes.append(node)
        if not _depends(node, self._derived):
            self._derived.difference_update(each.number for each in made)
        if node.name in _LOSSES and made:
            self.graph.losses.append(made[0])

    # --- what our own functions tell ---------------------------------------

    def use_auto_ids(self):
        """Number blocks without a name from "0" on."""
        self._next_auto_id = 0

    def begin_block(self, user_id, ipu_id, owner=None):
        """What comes now belongs to that block.  Without a name it gets a
        number: an owner the same one each time."""
        if user_id is None:
            user_id = self._auto_ids.get(owner)
        if user_id is None:
            user_id = str(self._next_auto_id)
            self._next_auto_id += 1
            if owner is not None:
                self._auto_ids[owner] = user_id
        self._open_blocks.append(self._block)
        self.graph.blocks.append(Block(user_id, ipu_id))
        self._block = len(self.graph.blocks) - 1

    def end_block(self):
        """What comes now belongs to the block around it."""
        if self._open_blocks:
            self._block = self._open_blocks.pop()

    def begin_multi_conv(self):
        """Convolutions from here on run side by side."""
        if self._in_multi_conv:
            raise _impl.create_compiler_error(
                "Nested poptorch.MultiConv is not supported")
        self._in_multi_conv = True

    def end_multi_conv(self):
        """Up to here."""
        if not self._in_multi_conv:
            raise _impl.create_compiler_error("Unexpected end_multi_conv")
        self._in_multi_conv = False

    def checkpoint(self, tensors):
        """What is kept for the way back."""
        self.graph.checkpoints.update(map(self.value_of, tensors))

    def annotate(self, tensor, **attributes):
        """Attributes of the operations that a tensor comes from."""
        node = self.value_of(tensor).node
        for operation in node.operations if node is not None else ():
            operation.attributes.update(attributes)

    def overlap(self, kind, tensor):
        """The tensor, for an input or output that travels while the device
        works: another object, so that uses of both are told apart."""
        with self._quietly():
            made = tensor.view_as(tensor)
            self._values[id(made)] = value = self.value_of(tensor)
        self._kept_too.append(made)
        self.graph.overlaps.append((kind, value))
        self._overlaps[id(made)] = kind
        return made

    def refuse_training(self, words):
        """Raise an error where a model is trained that does this: endForLoop()
        in PopTorch's Compiler.cpp, and the docstring of poptorch.cond."""
        if self.training:
            raise _impl.create_compiler_error(
                f"{words} only supported in inference.")

    def loop(self, count, body, inputs):
        """poptorch.for_loop: its body runs once to be lowered."""
        self.refuse_training("poptorch.for_loop() is")
        region, results = self._lower_region(body, inputs)
        taken, made = ([(tuple(each.shape), each.dtype) for each in tensors]
                       for tensors in (inputs, results))
        if taken != made:
            raise _impl.create_compiler_error(
                "The body of a poptorch.for_loop must return as many tensors "
                "as it takes, of the same shapes and types: it takes "
                f"{taken} and returns {made}.")
        return self._run_regions(Loop(region), (count, inputs, region.taken),
                                 [region], results)

    def choice(self, condition, then_part, else_part):
        """poptorch.cond: both parts are lowered."""
        self.refuse_training("poptorch.cond() is")
        regions = []
        for body, inputs in (then_part, else_part):
            region, results = self._lower_region(
                body, [each.clone() for each in inputs])
            regions.append(region)
        one, other = ([(value.shape, value.dtype) for value in region.result]
                      for region in regions)
        if one != other:
            raise _impl.create_compiler_error(
                "Both bodies of a poptorch.cond must return as many tensors, "
                f"of the same shapes and types: one returns {one}, and the "
                f"other one {other}.")
        return self._run_regions(
            Choice(*regions),
            (condition, then_part[1], regions[0].taken, else_part[1],
             regions[1].taken), regions, results)

    def _run_regions(self, function, args, regions, results):
        """The node of a loop or a choice, and what it makes: new tensors,
        for what its regions have made here belongs to them."""
        node, versions = self._begin(function, args, {})
        self._frame = None
        nodes = [each for region in regions for each in region.nodes]
        node.operations += [operation for each in nodes
                            for operation in each.operations]
        with self._quietly():
            made = [each.detach().clone() for each in results]
        self._end(node, versions, made)
        node.has_effect = any(each.has_effect for each in nodes)
        return made

    def _lower_region(self, body, inputs):
        """A part of the graph that runs as one node: it, and what it made
        here."""
        graph, nodes = self.graph, self.graph.nodes
        graph.nodes = []
        with self._quietly():
            versions = [each._version for each in self._kept]
        try:
            result = body(*inputs)
            result = list(result) if isinstance(result, (list, tuple)) \
                else [result]
            region = Region(graph.nodes)
        finally:
            graph.nodes = nodes
        region.inputs = [self.value_of(each) for each in inputs]
        region.result = self._replaced(result)
        region.prune()
        own = {value.number for node in region.nodes
               for value in node.outputs()}
        own.update(value.number for value in region.inputs)
        used = [value for node in region.nodes for value in node.inputs()]
        taken = {value.number: value for value in used + region.outputs()
                 if value.number not in own}
        region.inputs += taken.values()
        region.taken = [self._kept[number] for number in taken]
        with self._quietly():
            region.changed = {
                number for number, version in enumerate(versions)
                if self._kept[number]._version != version}
        return region, result

    @contextlib.contextmanager
    def modules(self, model, are_named):
        """Calls of a module's forward are named after it, where that is
        wanted."""
        hooks = []
        if are_named and isinstance(model, torch.nn.Module):
            hooks = [_impl.NameScopeHook(path, module)
                     for path, module in model.named_modules()
                     if path and
                     not isinstance(module, torch.jit.ScriptModule)]
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()
            _impl.clear_name_scopes()

    @contextlib.contextmanager
    def running(self):
        """Watch what this thread does."""
        before = current()
        _state.lowering = self
        try:
            with _scripts_by_operation(), _Functions(self), \
                    _Operations(self), _whole_functions(self), \
                    _unchecked_distributions(), self._host.watching():
                yield
        finally:
            _state.lowering = before

    def finish(self, result):
        """The graph of a model that has returned that."""
        graph = self.graph
        graph.result = self._replaced(
            _results.readable(result, self.is_derived))
        for value in graph.outputs():
            if value.kind == "constant":
                warnings.warn(
                    "Output expected to be on the IPU but is on cpu")
        walk(result, self._use)
        travelling = {self._values[key] for key, kind in
                      self._overlaps.items() if kind == "output"}
        walk(result, lambda leaf: travelling.discard(
            self._values.get(id(leaf)) if id(leaf) in self._overlaps
            else None))
        check_overlaps(graph, self._used, travelling)
        graph.written.update(
            value for value, version in self._versions.items()
            if self._kept[value.number]._version != version)
        return graph


@contextlib.contextmanager
def _unchecked_distributions():
    """Whether the arguments of a distribution are valid, only the device
    knows."""
    kind = torch.distributions.Distribution
    before = kind._validate_args
    kind.set_default_validate_args(False)
    try:
        yield
    finally:
        kind.set_default_validate_args(before)


@contextlib.contextmanager
def _scripts_by_operation():
    """Scripted functions run their operations one by one.

    What PyTorch has optimized, in calls before, may run in one piece, of
    which no mode hears.
    """
    for function in torch.jit._state._python_cu.get_functions():
        function._debug_flush_compilation_cache()
    with torch.jit.optimized_execution(False):
        yield


@contextlib.contextmanager
def _whole_functions(lowering):
    """A torch.autograd.Function is one node, with its own way back."""
    function = torch.autograd.Function
    before = function.__dict__.get("apply")
    inherited = function.apply.__func__ if before is not None else None

    def apply(cls, *args, **kwargs):
        whole = inherited.__get__(cls) if inherited is not None \
            else super(function, cls).apply
        if cls is torch.utils.checkpoint.CheckpointFunction:
            return args[0](*args[2:])
        return lowering.call(whole, args, kwargs)

    function.apply = classmethod(apply)
    try:
        yield
    finally:
        if before is None:
            del function.apply
        else:
            function.apply = before


def _memory_of(tensor):
    if tensor.layout != torch.strided:
        return id(tensor)
    return (tensor.data_ptr(), tuple(tensor.shape), tensor.stride(),
            tensor.dtype)


def _getter(func):
    """Reading an attribute of tensors, as a function that can be saved."""
    if getattr(func, "__name__", "") == "__get__" and \
            hasattr(func.__self__, "__name__"):
        return operator.attrgetter(func.__self__.__name__)
    return func


def _depends(node, derived):
    return any(value.number in derived for value in node.inputs()) or any(
        operation.is_random for operation in node.operations)


def _operation(func, args, kwargs, result):
    def shapes(structure):
        found = []
        walk(structure, lambda leaf: found.append(
            (tuple(leaf.shape), leaf.dtype))
            if isinstance(leaf, torch.Tensor) else None)
        return found

    schema = func._schema
    writes = any(each.alias_info is not None and each.alias_info.is_write
                 for each in schema.arguments)
    return Operation(schema.name, shapes((args, kwargs)), shapes(result),
                     writes, is_random(func))


_RANDOM = ("bernoulli", "cauchy", "dropout", "exponential", "geometric",
           "log_normal", "multinomial", "normal", "poisson", "rand", "rrelu",
           "uniform")


def is_random(func):
    """Whether an aten operation takes random numbers."""
    name = func._schema.name.partition("::")[2]
    return name.strip("_").startswith(_RANDOM) or \
        name in ("native_dropout", "rrelu_with_noise")
