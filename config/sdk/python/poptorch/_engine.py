"""ipubox's engine: a child process that computes a model instead of PyTorch.

The child maps the memory in which the weights on the device, the optimizer's
state and a call's samples lie, so that a call is one short message.  Where
the engine lacks an operation, PyTorch goes on with the same tensors.
ipubox-link(7) describes the messages.
"""
import math
import os
import socket
import struct
import subprocess
import sys
import weakref

import torch
from ipubox_sdk import device as _device

from . import _engine_model, _impl, _threads, enums, poptorch_core
from ._engine_memory import Memory, Numbers, fill, move
from ._engine_model import LOSS, EngineModel, Unknown
from ._engine_operations import OPERATIONS
from ._logging import logger
from ._optimizer_attributes import _OptimizerType as Types

_VERSION = 2
_SETUP = struct.Struct("<10I10Q")
_CALL = struct.Struct("<4Id")
_RANGE = struct.Struct("<3Q2I8d")
_ANSWER = struct.Struct("<2I")
_LOAD, _COMPUTE, _UPDATE = 1, 2, 4
_THREADS_MAX = 64
_CHOICES = ("auto", "engine", "torch")

# The engine's number of an optimizer's kind.
_KINDS = {Types.SGD1: 0, Types.SGD2: 0, Types.ADAM: 1, Types.ADAMW: 2,
          Types.RMSPROP: 3, Types.RMSPROP_CENTERED: 3}
_VALUES = ("momentum", "beta1", "beta2", "eps", "weightDecay", "dampening",
           "alpha")
_NESTEROV, _CENTERED, _VELOCITY = 1, 2, 4
_HALF_TYPES = ("accumType", "velocityAccumType",
               "firstOrderMomentumAccumType", "secondOrderMomentumAccumType")


class Refused(Exception):
    """The child cannot do what it was asked; the text says why."""


def choose(executor, device):
    """The Engine that computes an executor's model; None: PyTorch does."""
    wanted = os.environ.get("IPUBOX_POPTORCH", "auto")
    if wanted not in _CHOICES:
        raise _impl.createPoptorchError(
            f"IPUBOX_POPTORCH is {wanted!r}: must be auto, engine or torch")
    if wanted == "torch":
        return None
    try:
        _check(executor, device)
        model = EngineModel(device.graph, device.program.result_values,
                            OPERATIONS, dict(zip(device.graph.buffers,
                                                 device.buffers[0])))
        if model.draws and not Numbers.are_drawn_alike():
            raise Unknown("dropout as this PyTorch draws it")
        engine = Engine(device, model)
        engine.start()
    except (Unknown, Refused, _device.DeviceError, OSError) as error:
        if wanted == "engine":
            raise _impl.createPoptorchError(
                f"ipubox's engine cannot compute the model: {error} (set "
                "IPUBOX_POPTORCH=auto to compute it with PyTorch)") from None
        logger.info("PyTorch computes the model, because ipubox's engine "
                    "does not have: %s", error)
        return None
    logger.info("ipubox's engine computes the model with %d thread%s",
                engine.threads, "s" if engine.threads > 1 else "")
    return engine


def _check(executor, device):
    """Raise Unknown for what no operation says."""
    said = executor._options._Popart.options
    shape = device.shape
    for name, is_there in (
            ("anchored tensors", bool(device.anchors)),
            ("weights of groups of replicas", device.has_groups),
            ("inputs of groups of replicas",
             shape.micro_batches != shape.steps * shape.replicas),

            ("automatic loss scaling", device.loss_scale.is_automatic),
            ("floating-point exceptions",
             said.get("enableFloatingPointChecks")),

            ("gradients in the model", device.program.needs_grad)):
        if is_there:
            raise Unknown(name)
    if executor._training:
        problem = optimizer_problem(device.optimizer)
        if problem:
            raise Unknown(problem)


def optimizer_problem(optimizer):
    """What the engine does not have of an optimizer; None: nothing."""
    attributes = getattr(optimizer, "attributes", None)
    if attributes is None:
        return "a model without an optimizer"
    kind = attributes["optimizer_type"]
    if kind not in _KINDS:
        return f"the optimizer {optimizer.name}"
    if any(attributes[name] for name in _HALF_TYPES):
        return f"{optimizer.name} with halves"
    if attributes["useTfVariant"]:
        return f"{optimizer.name} with use_tf_variant"
    if attributes["defaults"]["maxGradNorm"][0] != float("inf"):
        return f"{optimizer.name} with max_grad_norm"
    for group in optimizer.groups:
        if group.flag("maximize"):
            return f"{optimizer.name} with maximize"
        if kind == Types.SGD1 and group.states:
            return f"{optimizer.name} with combined states"
    return None


class Engine:
    """A model that the child computes."""

    def __init__(self, device, model):
        self._device = device
        self._model = model
        self._process = self._socket = None
        self._owner = None              # the process that started the child
        self._seen = None               # the device's version of the weights
        self.threads = min(_THREADS_MAX, _threads.of_engine())
        shape = device.shape
        self._batches = shape.steps * shape.replicas
        weights = {weight.name: weight.whole for weight in device.weights}
        buffers = dict(zip(device.graph.buffers, device.buffers[0]))
        self._constants = []            # (Constant, tensor)
        self._weights = []
        for value in model.parameters:
            if value.kind == "constant":
                self._weights.append(value.tensor(buffers))
                self._constants.append((value, self._weights[-1]))
            else:
                self._weights.append((buffers if value.kind == "buffer" else
                                      weights)[value.name])
        self._counted = [buffers[value.name] for value in model.counted]
        self._counts = [weight.numel() for weight in self._weights]
        self._firsts = [sum(self._counts[:number])
                        for number in range(len(self._counts))]
        self._states = []               # tensors of each weight, in its order
        if device.optimizer is not None:
            self._states = self._states_of(device.optimizer)
        self._map()
        _engines.add(self)

    def _states_of(self, optimizer):
        """(index of the weight, tensor of each state) of those that are
        trained."""
        numbers = {id(weight): number
                   for number, weight in enumerate(self._weights)}
        found = []
        for group in optimizer.groups:
            for index, weight in enumerate(group.weights):
                if id(weight) in numbers:
                    found.append((numbers[id(weight)], group, index,
                                  [states[index] for states in
                                   group.states.values()]))
        return found

    @property
    def _state_count(self):
        return max((len(states) for *_, states in self._states), default=0)

    def _map(self):
        """Place all that the child sees into new memory, with the values it
        has now."""
        shape, model = self._device.shape, self._model
        samples = self._batches * model.micro_batch
        total = sum(self._counts)
        self._memory = memory = Memory()
        inputs = memory.place(samples * math.prod(model.in_shape))
        has_loss = model.target is not None
        targets = memory.place(samples * math.prod(model.target_shape), 8) \
            if has_loss else 0
        outputs = memory.place(samples * math.prod(model.out_shape))
        losses = memory.place(self._batches) if has_loss else 0
        times = memory.place(shape.device_iterations, 8)
        parameters = memory.place(total)
        gradients = memory.place(total) if self._states else 0
        states = memory.place(total * max(1, self._state_count)) \
            if self._states else 0
        generator = memory.place(shape.replicas * (Numbers.WORDS + 1)) \
            if model.draws else 0
        self._offsets = (inputs, targets, outputs, losses, times, parameters,
                         gradients, states, generator)
        memory.make()
        self._numbers = [Numbers(each) for each in memory.tensor(
            generator, (shape.replicas, Numbers.WORDS + 1), torch.int32)] \
            if model.draws else []
        self._inputs = memory.tensor(
            inputs, (samples, math.prod(model.in_shape))).split(
                [math.prod(shape) for shape in model.in_shapes], 1)
        self._targets = memory.tensor(
            targets, (samples, *model.target_shape),
            torch.int64 if model.has_classes else torch.float32) \
            if has_loss else None
        self._outputs = memory.tensor(
            outputs, (shape.steps, shape.replicas * model.micro_batch,
                      *model.out_shape))
        self._losses = memory.tensor(losses, (shape.steps, shape.replicas)) \
            if has_loss else None
        self._times = memory.tensor(times, (shape.device_iterations,),
                                    torch.float64)
        self._gradients = [
            memory.tensor(gradients + 4 * first, weight.shape)
            for first, weight in zip(self._firsts, self._weights)] \
            if self._states else []
        for first, weight in zip(self._firsts, self._weights):
            move(weight, memory, parameters + 4 * first)
        for number, _, _, tensors in self._states:
            for index, tensor in enumerate(tensors):
                move(tensor, memory, states + 4 * (
                    index * total + self._firsts[number]))

    # --- the child ---------------------------------------------------------

    def start(self):
        """Start the child.  Refused: it cannot compute the model."""
        shape, model = self._device.shape, self._model
        if self._owner not in (None, os.getpid()):
            self._map()                 # the other process has its own
        self._owner = os.getpid()
        file = _device.find_file()
        mine, other = socket.socketpair()
        try:
            self._process = subprocess.Popen(
                [file, "__ipubox", "__engine"], stdin=other,
                stdout=self._memory.file)
        except OSError as error:
            mine.close()
            raise Refused(f"{file}: {error.strerror}") from None
        finally:
            other.close()
        self._socket = mine
        self._seen = None
        text = model.text.encode()
        per_iteration = self._batches // shape.device_iterations
        self._exchange(_SETUP.pack(
            _VERSION, len(text), int(self._device.optimizer is not None),
            self.threads, model.micro_batch, per_iteration,
            shape.device_iterations, self._state_count, shape.replicas, 0,
            self._memory.size, *self._offsets) + text)

    def stop(self):
        """End the child; the weights stay."""
        process, self._process = self._process, None
        if process is None:
            return
        self._socket.close()
        if self._owner == os.getpid():
            process.kill()              # it may be stopped
            process.wait()
        else:
            process.returncode = 0      # the child of the parent

    def __del__(self, is_ending=sys.is_finalizing):
        if self.__dict__.get("_process") is not None and not is_ending():
            self.stop()

    def _exchange(self, message):
        """Send a message and wait for the answer.  Where the wait is ended
        before it has come, the child ends as well."""
        try:
            self._socket.sendall(message)
            code, size = _ANSWER.unpack(self._receive(_ANSWER.size))
            text = self._receive(size).decode(errors="replace")
        except (OSError, EOFError):
            process = self._process
            self.stop()
            raise poptorch_core.make_error(
                "poplar_unrecoverable_runtime_error",
                "the process that computes the model has ended"
                f"{_how(process.returncode)}; the next call starts another "
                "one", ("execute",),
                poptorch_core.UnrecoverableError) from None
        except BaseException:
            self.stop()
            raise
        if code:
            raise Refused(text)

    def _receive(self, size):
        """So many bytes."""
        parts = []
        while size > 0:
            part = self._socket.recv(size)
            if not part:
                raise EOFError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    # --- a call ------------------------------------------------------------

    def give(self, tensors):
        """Copy a call's inputs to where the child reads them.  Refused:
        PyTorch has to compute the call."""
        problem = self._device.optimizer is not None and \
            optimizer_problem(self._device.optimizer)
        if problem:
            raise Refused(problem)
        if self._process is None:
            self.start()
        model = self._model
        for number, there in zip(model.inputs, self._inputs):
            given, rows = tensors[number], model.rows.get(number)
            if rows is not None and not (
                    0 <= int(given.min()) and int(given.max()) < rows):
                raise Refused("an index is out of range")
            fill(there, given.flatten(1))
        if model.target is not None:
            fill(self._targets, tensors[model.target])

    def run(self):
        """A call: the results, in the order of the program's.  Refused: the
        child has computed nothing."""
        device = self._device
        iterations = device.shape.device_iterations
        if device.optimizer is None:
            self._call(_COMPUTE, 0, iterations)
        elif device.all_reduce is None:
            self._call(_COMPUTE | _UPDATE, 0, iterations)
        else:
            for number in range(iterations):
                self._call(_COMPUTE, number, 1)
                device.all_reduce(self._trained_gradients())
                self._call(_UPDATE, number, 1)
        device.iteration_ends = self._times.tolist()
        return [self._selected(*each) for each in self._model.results]

    def _trained_gradients(self):
        """The gradients in the order that all processes have."""
        by_name = {value.name: gradient for value, weight, gradient in
                   zip(self._model.parameters, self._weights,
                       self._gradients) if weight.requires_grad}
        return [by_name[name] for name in self._device.graph.parameters
                if name in by_name]

    def _call(self, flags, first, count):
        device = self._device
        if self._seen != device.version:
            flags |= _LOAD
            buffers = dict(zip(device.graph.buffers, device.buffers[0]))
            for constant, tensor in self._model.fixed:
                if not torch.equal(constant.tensor(buffers), tensor):
                    raise Refused("other constants than before")
            for constant, weight in self._constants:
                weight.copy_(constant.tensor(buffers))
        ranges = self._ranges() if flags & _UPDATE else []
        divisor = device.shape.accumulation * device.shape.replicas * \
            device.processes if device.shape.is_mean else 1
        for numbers, state in zip(self._numbers, device.random or []):
            numbers.give(state)
        self._exchange(_CALL.pack(flags, first, count, len(ranges),
                                  1.0 / divisor) + b"".join(ranges))
        self._seen = device.version
        for number, numbers in enumerate(self._numbers):
            device.random[number] = numbers.take(device.random[number])
        if flags & _UPDATE:
            for number, group, index, _ in self._states:
                group.count_steps(index, count)
        if flags & _COMPUTE:
            for counter in self._counted:
                counter += count * device.shape.accumulation

    def _ranges(self):
        """The values of the optimizer for each weight; weights that lie side
        by side and have the same ones are one range."""
        kind = self._device.optimizer.attributes["optimizer_type"]
        found = []
        for number, group, index, _ in sorted(
                self._states, key=lambda each: each[0]):
            first, count = self._firsts[number], self._counts[number]
            if not self._weights[number].requires_grad:
                continue
            rate = group.value("learningRate")
            if not group.states:        # dampening counts without momentum
                rate *= 1.0 - group.value("dampening")
            # The first step has the same dampening as the others.
            steps = group.steps(index) if group.counts_steps else 1
            flags = _NESTEROV * group.flag("nesterov") + \
                _CENTERED * (kind == Types.RMSPROP_CENTERED) + \
                _VELOCITY * (("Accl1" if kind == Types.SGD2 else "Accl3")
                             in group.states)
            values = (steps, _KINDS[kind], flags, rate,
                      *(group.value(name, 0.0) for name in _VALUES))
            if found and found[-1][2] == values and \
                    found[-1][0] + found[-1][1] == first:
                found[-1][1] += count
            else:
                found.append([first, count, values])
        return [_RANGE.pack(first, count, *values)
                for first, count, values in found]

    def _selected(self, kind, place):
        """The results of those micro-batches that the output mode returns,
        as one tensor."""
        shape = self._device.shape
        if kind == LOSS:
            made = self._losses
        else:
            first, sample = place
            made = self._outputs.flatten(2).narrow(
                2, first, math.prod(sample)).flatten(0, 1)
            made = _engine_model.RESULTS[kind](made.view(-1, *sample)).view(
                *self._outputs.shape[:2], *sample)
        if shape.mode == enums.OutputMode.Sum:
            made = made.sum(0, keepdim=True)
        elif shape.mode == enums.OutputMode.Final:
            made = made[-1:]
        elif shape.mode == enums.OutputMode.EveryN:
            made = made[shape.period - 1::shape.period]
        made = made.flatten(0, 1).clone()
        return made[0] if kind == LOSS and made.numel() == 1 else made


def _how(code):
    if code is None or code == 0:
        return ""
    return f", by signal {-code}" if code < 0 else f", with status {code}"


# In a process that was forked, the children are those of the parent.
_engines = weakref.WeakSet()


def _forked():
    for engine in list(_engines):
        engine.stop()


os.register_at_fork(after_in_child=_forked)
