"""What a compilation makes, and how a call runs on it."""
import functools
import time

import torch

from . import (
    _compile_hooks, _device_optimizer, _engine, _exceptions, _impl,
    _processes, _saved, _weights, enums, poptorch_core)
from ._device_model import DeviceModel, Shape
from ._graph import transform, values_in, walk
from ._inspection import Anchors, tensor_names
from ._logging import compiler_log, logger
from ._loss_scale import LossScale
from ._lowering import Lowering
from ._model_check import unchanged
from ._optimizer_log import log_optimizer
from ._optimizer_scalars import Means
from ._outline import Outline
from ._plan import Plan
from ._popart_ir import popart_ir
from ._progress import Progress
from ._replica_groups import as_one_replica, groups_of


def trainer_of(model):
    """The executor that trains a model's parameters; None where none
    does."""
    if not isinstance(model, torch.nn.Module):
        return None
    for parameter in model.parameters():
        return _weights.owner_of(parameter)
    return None


def build(executor, parsed):
    """Compile an executor's model for these arguments."""
    options = executor._options
    shape = Shape(options, executor._training)
    progress = Progress(options._show_compilation_progress_bar)
    try:
        poptorch_core._validateOptions(options.toDict())
        tensors = [_converted(each) for each in parsed.tensors()]
        _check_batch(options, shape, tensors)
        _check_period(shape)
        host = _tensors_of(executor._model)
        groups = groups_of(executor, host[0], shape)
        executor.copyWeightsToHostIfNeeded()
        with as_one_replica(executor._model, groups):
            graph = lower(executor, parsed, tensors, shape)
        _check_buffers_of_replicas(graph, options)
        progress.reach(40)
        made = _make(executor, graph, host, shape, groups)
        made.tell(parsed.tensors())
        _saved.save_weights(
            options, [host[0][name] for name in graph.parameters])
        progress.reach(100)
    finally:
        progress.stop()
    return made


def _make(executor, graph, host, shape, groups):
    """What runs, of a graph and the tensors that the user's model has, some
    of which groups of replicas have for themselves."""
    options = executor._options
    plan = Plan(graph, options, executor._training)
    device = DeviceModel(graph, host, shape, groups,
                         Anchors(options, graph, executor._training),
                         LossScale(options))
    device.exceptions = functools.partial(_exceptions.watched, options)
    _check_named_buffers(graph, options)
    if executor._training and _processes.joins(options):
        device.all_reduce = _processes.add_up
        device.processes = options.Distributed.numProcesses
    outline = Outline(executor, graph, plan)
    return Executable(device, plan, outline, outline.ask())


def load(executor, content):
    """The same of a file: what _saved.read() has returned."""
    if content["training"] != executor._training:
        raise _impl.createPoptorchError(
            "The file has a model that was compiled for "
            f"{'training' if content['training'] else 'inference'}.")
    graph = content["graph"]
    host = _tensors_of(executor._model)
    for table, names in zip(host, (graph.parameters, graph.buffers)):
        missing = [name for name in names if name not in table]
        if missing:
            raise _impl.createPoptorchError(
                f"The file belongs to another model: it has no {missing[0]}.")
    shape = Shape(executor._options, executor._training)
    return _make(executor, graph, host, shape,
                 groups_of(executor, host[0], shape))


def _tensors_of(model):
    """The parameters and the buffers of a model, by name."""
    if not isinstance(model, torch.nn.Module):
        return {}, {}
    return dict(model.named_parameters()), dict(model.named_buffers())


def in_own_modes(function):
    """What a compiled model does goes by no mode of autograd that its
    program is in: a decorator."""
    @functools.wraps(function)
    def called(*args, **kwargs):
        with torch.inference_mode(False), torch.enable_grad():
            return function(*args, **kwargs)
    return called


def _converted(tensor):
    """As the device takes it: doubles are floats."""
    tensor = tensor.detach()
    if tensor.is_inference():       # autograd does not keep such a one
        tensor = tensor.clone()
    return tensor.float() if tensor.dtype == torch.float64 else tensor


def _check_batch(options, shape, tensors):
    count = shape.micro_batches
    if 0 in [extent for each in tensors for extent in each.shape]:
        empty = next(each for each in tensors if 0 in each.shape)
        raise _impl.create_compiler_error(
            "Zero-sized tensors are unsupported (Got shape "
            f"{list(empty.shape)}).")
    group_size = options.replication_factor // options._input_replicas()
    for each in tensors:
        extent = each.shape[0] if each.dim() else 1
        if extent % count == 0:
            continue
        raise AssertionError(
            f"Invalid batch dimension: In the input {each.shape}, the batch "
            f"dimension ({extent}) must be a multiple of "
            f"Options.deviceIterations({options.device_iterations}) * "
            f"(Options.replicationFactor({options.replication_factor}) / "
            f"Options.inputReplicaGrouping.input_group_size({group_size})) * "
            "Options.Training.gradientAccumulation"
            f"({options.Training.gradient_accumulation}) = {count} because "
            "it is used to calculate the batch size which will be executed "
            "on the device in any given iteration. For a full explanation "
            "see the batching semantics page of the documentation.")


def _check_period(shape):
    """EveryN returns a whole number of results of a call."""
    if shape.mode != enums.OutputMode.EveryN:
        return
    wrong = None
    if shape.period > shape.steps:
        wrong = "<= to"
    elif shape.steps % shape.period:
        wrong = "a factor of"
    if wrong:
        raise _impl.create_compiler_error(
            f"Return period must be {wrong} the number of batches per step",
            kind="popart_exception")


def _micro_batches(tensor, count):
    """The parts of an input, in the order in which the device takes them."""
    if count == 1 or tensor.dim() == 0:
        return [tensor] * count
    return tensor.split(tensor.shape[0] // count)


def lower(executor, parsed, tensors, shape):
    """The graph of a model, as one replica has it."""
    model = executor._model
    parameters, buffers = _tensors_of(model)
    lowering = Lowering(parameters, buffers)
    lowering.training = executor._training
    parts = []
    for number, each in enumerate(tensors):
        part = _micro_batches(each.detach(), shape.micro_batches)[0].clone()
        lowering.add_input(part, f"input {number}")
        parts.append(part)
    args, kwargs = parsed.rebuild(parts)
    with lowering.modules(model, executor._options._module_namescope_enabled):
        result = _run_once(
            lowering, model, args, kwargs,
            list(parameters.values()) + list(buffers.values()))
    graph = lowering.finish(result)
    if executor._training:
        _choose_loss(graph)
    graph.prune()
    return graph


def _run_once(lowering, model, args, kwargs, tensors):
    """Run the user's model; what it changes on the host is put back."""
    before = [each.detach().clone() for each in tensors]
    versions = [each._version for each in tensors]
    random = torch.get_rng_state()
    doubles = [(each, each.data) for each in tensors
               if each.dtype == torch.float64]
    for each, data in doubles:
        each.data = data.float()
    try:
        with torch.enable_grad(), _impl.running_on_ipu(), \
                _compile_hooks.called(), \
                unchanged(model), lowering.running():
            return model(*args, **kwargs)
    finally:
        torch.set_rng_state(random)
        for each, data in doubles:
            each.data = data
        with torch.no_grad():
            for tensor, value, version in zip(tensors, before, versions):
                if tensor._version != version or \
                        not torch.equal(tensor.detach(), value):
                    tensor.data.copy_(value)


def _choose_loss(graph):
    """The loss that no other loss was worked out from."""
    if not graph.losses:
        raise _impl.create_compiler_error("Couldn't find a loss in graph!")
    final = [loss for loss in graph.losses
             if not any(graph.feeds(loss, other) for other in graph.losses
                        if other is not loss)]
    if len(final) > 1:
        raise _impl.create_compiler_error(
            "Multiple independent losses found in graph. Graph must have one "
            "final loss. Wrap final graph loss in poptorch.identity_loss.")
    graph.loss = final[0]


def _check_buffers_of_replicas(graph, options):
    """Raise an error where the model itself writes in place what replicas
    would have to share.  InplaceInputsTracker::finalizeGraph in PopTorch's
    InplaceOps.cpp knows such writes alone, and not the statistics that a
    normalisation keeps: each replica has its own."""
    if options.replication_factor > 1 and options.broadcast_buffers and any(
            value.kind in ("parameter", "buffer") and
            not value.name.endswith("num_batches_tracked")
            for value in graph.written - graph.statistics):
        raise _impl.create_compiler_error(
            "PopTorch does not support broadcasting buffers. If your model "
            "is able to tolerate buffers becoming out of sync between "
            "replicas, you can disable buffer broadcasting using "
            "poptorch.Options.broadcastBuffers(False).")


def _check_named_buffers(graph, options):
    """Each buffer that copyNamedBuffersToDevice() is to copy is there."""
    for name in options.updatable_named_buffers:
        if name not in graph.buffers:
            raise _impl.create_compiler_error(
                f"updatableNamedBuffers: the model has no buffer {name!r}; "
                f"its buffers are {list(graph.buffers)}")


class Executable:
    """A model that was compiled."""

    def __init__(self, device, plan, outline, answer):
        self.device = device
        self.plan = plan
        self.outline = outline
        self.answer = answer            # what the device says; may be None
        self.engine = None              # computes; None: PyTorch does
        self._told = set()
        self.last_by = None             # what computed the last call
        self._computed_by = {}          # all of these

    def run(self, executor, parsed):
        """A call: what the user's model would return."""
        begin = time.perf_counter()
        given = parsed.tensors(executor._executable_inputs)
        self.tell(given)
        tensors = [_converted(each) for each in given]
        count = self.device.shape.micro_batches
        there, made = self._run_engine(executor, tensors)
        computed_by = "PyTorch" if made is None else "ipubox's engine"
        if made is None:
            inputs = [_micro_batches(each, count) for each in tensors]
            there = time.perf_counter()
            executor._attachment.work()
            self.device.anchors.begin()
            made = self.device.run(inputs)
        done = time.perf_counter()
        if self.device.program.writes_inputs:
            self._bring_inputs_back(given, tensors)
        result = self._rebuild(made)
        executor._anchor_memory = self.device.anchors.results()
        executor._times.add(begin, there, done, time.perf_counter(),
                            self.device.iteration_ends)
        self._computed_by[computed_by] = True
        self.last_by = computed_by
        return result

    def _run_engine(self, executor, tensors):
        """The time when the engine has the inputs, and its results; None
        where it does not compute the call."""
        if self.engine is None:
            return 0.0, None
        try:
            self.engine.give(tensors)
            executor._attachment.work()
            return time.perf_counter(), self.engine.run()
        except _engine.Refused as error:
            logger.info("PyTorch computes this call: %s", error)
            self.device.version += 1    # it may change the weights
            return 0.0, None

    def tell(self, tensors):
        """Once: what is done to inputs."""
        for number, each in enumerate(tensors):
            if each.dtype == torch.int64 and number not in self._told:
                self._told.add(number)
                compiler_log("warning", "[DISPATCHER] Type coerced from Long "
                                        f"to Int for tensor id {number + 1}")
            if each.dtype == torch.float64 and number not in self._told:
                self._told.add(number)
                compiler_log("warning", "[DISPATCHER] Type coerced from "
                                        "Double to Float for tensor id "
                                        f"{number + 1}")

    @staticmethod
    def _bring_inputs_back(given, tensors):
        """What the model has written into its inputs."""
        with torch.no_grad():
            for user, mine in zip(given, tensors):
                if user.data_ptr() != mine.data_ptr():
                    user.copy_(mine)

    def _rebuild(self, made):
        tensors = {value.number: tensor for value, tensor in
                   zip(self.device.program.result_values, made)}
        result = self.device.graph.result
        outputs = []

        def tensor_of(leaf):
            if not hasattr(leaf, "number"):
                return leaf
            tensor = tensors[leaf.number]
            outputs.append(tensor)
            return tensor

        rebuilt = transform(result, tensor_of)
        for tensor in outputs:
            tensor.backward = _refuse_backward
        return rebuilt if values_in(result) else _without_tensors(result)

    def set_optimizer(self, executor):
        """Take the executor's optimiser, or its newer values."""
        optimizer = executor._optimizer
        if optimizer is None:
            self.device.optimizer = _NoOptimizer()
            return
        attributes = executor._dict_optimizer
        weights, names = self._groups_of(optimizer)
        log_optimizer(attributes, names)
        if self.device.optimizer is None:
            self.device.optimizer = _device_optimizer.DeviceOptimizer(
                attributes, weights, names)
            self.device.optimizer.means = self._means(executor._options)
        else:
            self.device.optimizer.update(attributes)
        _device_optimizer.bind(optimizer, self.device.optimizer)

    def _means(self, options):
        """What the mean of gradients divides by after the last one."""
        shape, training = self.device.shape, options.Training
        strategy = training.meanAccumulationAndReplicationReductionStrategy
        if not shape.is_mean or \
                strategy == enums.MeanReductionStrategy.Running:
            return Means(1, 1)
        return Means(shape.accumulation,
                     shape.replicas * self.device.processes)

    def write_optimizer_state(self, executor):
        """A state that was loaded into the program's optimizer goes to the
        device before it runs, with the values of that moment."""
        optimizer = executor._optimizer
        if _device_optimizer.write_state(optimizer, self.device.optimizer):
            self.device.optimizer.take_values(
                executor.optimizer_attributes(optimizer))

    def _groups_of(self, optimizer):
        """The weights of each group, and their names; a weight of which
        groups of replicas have their own comes once for each of these."""
        weights, names = [], []
        for group in optimizer.param_groups:
            found = [self.device.weight_of(each) for each in group["params"]]
            found = [(part, weight.name) for weight in found
                     if weight is not None for part in weight.parts]
            weights.append([part for part, _ in found])
            names.append([name for _, name in found])
        return weights, names

    def tensor_names(self):
        """The names that poptorch.Options.anchorTensor takes."""
        return tensor_names(self.device.graph,
                            self.device.optimizer is not None,
                            self.device.loss_scale.is_automatic)

    def popart_ir(self):
        """The graph as JSON in PopART's words."""
        return popart_ir(self.device, self.plan.placements)

    def choose_engine(self, executor):
        """Let ipubox's engine compute the model, where it can."""
        self.engine = _engine.choose(executor, self.device)

    def stop_engine(self):
        """End the engine's process; the next call starts another one."""
        if self.engine is not None:
            self.engine.stop()

    def finish(self, times, why=None):
        """Write the profile, where one is wanted; once.  why: where the run
        ends early."""
        if self.outline.is_profiled:
            host = times.measured()
            if host:
                host["computed_by"] = " and ".join(self._computed_by)
            self.outline.write_profile(host, why)


class _NoOptimizer:
    """Of a model without parameters."""

    name = "SGD"
    loss_scaling = 1.0

    def step(self, scale=1.0):
        """There is nothing to do."""

    def updates(self):
        """None."""
        return []


def _without_tensors(result):
    """A model may return nothing at all."""
    found = []
    walk(result, found.append)
    return result if any(each is not None for each in found) else None


def _refuse_backward(*args, **kwargs):
    raise _impl.createPoptorchError(
        "backward() cannot be called explicitly on outputs of a PopTorch "
        "model. If you're using a trainingModel, the backwards pass is "
        "performed automatically when invoking the model. If you're using an "
        "inferenceModel, you should use a trainingModel instead.")
