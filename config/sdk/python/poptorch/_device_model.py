"""A compiled model with its weights, as they are on the device.

The weights are tensors of their own: the user's model has others, and one is
copied to the other when that is asked for.  A run takes the samples of a
whole call, in the order that the device reads them: device iteration, then
micro-batch of a gradient accumulation, then replica.
"""
import contextlib
import time

import torch

from . import _half, _impl, enums
from ._program import Program
from ._replica_groups import ReplicaGroups


class Shape:
    """How many micro-batches a call has, and what is done with them."""

    def __init__(self, options, training):
        self.device_iterations = options.device_iterations
        self.replicas = options.replication_factor
        # Those of all processes are counted.
        self.first_replica = self.replicas * options.Distributed.processId
        self._input_groups = ReplicaGroups(options._input_grouping(),
                                           self.replicas)
        self.accumulation = options.Training.gradient_accumulation \
            if training else 1
        kind = options.Training.accumulation_and_replication_reduction_type
        self.is_mean = kind == enums.ReductionType.Mean
        self.mode = enums.OutputMode(options.output_mode)
        self.period = options.output_return_period

    @property
    def steps(self):
        """Micro-batches of a replica in a call."""
        return self.device_iterations * self.accumulation

    @property
    def micro_batches(self):
        """Different ones of all replicas."""
        return self.steps * self._input_groups.count

    def micro_batch(self, step, replica):
        """The number of the micro-batch that a replica takes in a step:
        those of a group take the same."""
        return step * self._input_groups.count + \
            self._input_groups.of(replica)

    def returns(self, step):
        """Whether the results of that step, from 0 on, are returned."""
        if self.mode == enums.OutputMode.All:
            return True
        if self.mode == enums.OutputMode.EveryN:
            return (step + 1) % self.period == 0
        return step == self.steps - 1


class _Weight:
    """A parameter on the device: one tensor for all replicas, or one for
    each group of them.  Those of groups lie in the memory of one, which has
    the form of the user's."""

    def __init__(self, name, host, groups):
        self.name = name
        self.host = host
        self._groups = groups           # ReplicaGroups, or None
        if groups is None:
            self.whole = _fresh(host)
            self.parts = [self.whole]
            return
        self.whole = _fresh(groups.to_device(host.data))
        self.parts = [part.requires_grad_(host.requires_grad)
                      for part in map(self.whole.__getitem__,
                                      range(groups.count))]

    def of(self, replica):
        """That of a replica."""
        return self.parts[0 if self._groups is None
                          else self._groups.of(replica)]

    def to_host(self):
        """Give the user's parameter what was learned."""
        if self._groups is None:
            self.host.data.copy_(self.whole.data)
            return
        made = self._groups.to_host(self.whole)
        if made.shape == self.host.shape:
            self.host.data.copy_(made)
        else:
            self.host.data = made.to(self.host.dtype, copy=True)

    def to_device(self):
        """Take the user's."""
        host = self.host.data
        self.whole.data.copy_(host if self._groups is None
                               else self._groups.to_device(host))

    def complete_gradients(self):
        """Where replicas of other processes have a group of their own, its
        gradient here is 0, so that all processes have the same ones."""
        if all(part.grad is None for part in self.parts):
            return
        for part in self.parts:
            if part.grad is None:
                part.grad = torch.zeros_like(part)


class DeviceModel:
    """What is on the device; graph: of the model; host: the parameters and
    the buffers of the user's, by name; groups: ReplicaGroups of parameters
    that are not the same on all replicas; anchors: tensors that the options
    keep; loss_scale: the LossScale of training."""

    def __init__(self, graph, host, shape, groups, anchors, loss_scale):
        parameters, buffers = host
        self.graph = graph
        self.shape = shape
        self.anchors = anchors
        self.loss_scale = loss_scale
        self._uses_half = _half.uses_half(graph)
        self._is_wide = self._uses_half and not anchors and \
            _half.can_be_wide(graph)
        self.program = Program(graph, anchors.values, self._is_wide)
        self.has_groups = bool(groups)
        self.weights = [_Weight(name, parameters[name], groups.get(name))
                         for name in graph.parameters]
        # Of each replica, in the order of the graph's.
        self._replica_weights = [[weight.of(replica)
                                  for weight in self.weights]
                                 for replica in range(shape.replicas)]
        # Where halves are kept wide, each half with the float32 that runs.
        self._twins = [(part, _widened(part)) for part in self._parts()
                       if self._is_wide and part.dtype == torch.float16]
        twins = {id(part): twin for part, twin in self._twins}
        self._run_weights = [[twins.get(id(part), part) for part in weights]
                             for weights in self._replica_weights]
        self._host_buffers = [buffers[name] for name in graph.buffers]
        self.buffers = [[_widened(_fresh(each)) if self._is_wide
                         else _fresh(each) for each in self._host_buffers]
                        for _ in range(shape.replicas)]
        self._weight_of = {id(weight.host): weight
                           for weight in self.weights}
        self.optimizer = None           # a DeviceOptimizer, when it is trained
        self.iteration_ends = []        # of the last call, by a clock
        self.version = 0                # how often weights were changed
        self.all_reduce = None          # sums gradients over processes
        self.processes = 1
        self.random = None             # the generator's state of each replica
        self.exceptions = contextlib.nullcontext    # makes a run's context

    @property
    def writes_buffers(self):
        """Whether a run changes buffers."""
        return any(value.kind == "buffer" for value in self.graph.written)

    # --- weights -----------------------------------------------------------

    def copy_to_host(self):
        """Give the user's model what was learned."""
        with torch.no_grad():
            for weight in self.weights:
                weight.to_host()
            for host, device in zip(self._host_buffers, self.buffers[0]):
                host.data.copy_(device)

    def copy_to_device(self):
        """Take the weights of the user's model."""
        self.version += 1
        with torch.no_grad():
            for weight in self.weights:
                weight.to_device()
            for replica in self.buffers:
                for host, device in zip(self._host_buffers, replica):
                    device.copy_(host.data)

    def copy_buffers_to_device(self, names):
        """Take those buffers of the user's model."""
        self.version += 1
        for number, name in enumerate(self.graph.buffers):
            if name in names:
                for replica in self.buffers:
                    replica[number].copy_(self._host_buffers[number].data)

    def weight_of(self, host):
        """The weight of a parameter of the user's, with its name and parts;
        None of what the model does not have."""
        return self._weight_of.get(id(host))

    def _parts(self):
        """All tensors of all weights."""
        return [part for weight in self.weights for part in weight.parts]

    # --- random numbers ----------------------------------------------------

    def seed(self, seed):
        """Begin random numbers; each replica has its own."""
        self.random = []
        for replica in range(self.shape.replicas):
            generator = torch.Generator()
            generator.manual_seed((seed + self.shape.first_replica + replica)
                                  % (1 << 63))
            self.random.append(generator.get_state())

    def random_words(self):
        """The state of all replicas' random numbers, as integers."""
        return torch.cat(self.random).view(torch.int64).tolist()

    def set_random_words(self, words):
        """Go on with random numbers where they were then."""
        states = torch.tensor(words, dtype=torch.int64).view(torch.uint8)
        size = self.random[0].numel()
        if states.numel() != size * self.shape.replicas:
            raise _impl.create_compiler_error(
                f"The state of random numbers has {len(words)} words, but "
                f"must have {size * self.shape.replicas // 8} for "
                f"{self.shape.replicas} replica(s)")
        self.random = [each.clone() for each in states.split(size)]

    def _run_program(self, replica, inputs):
        weights = self._run_weights[replica]
        if self.random is None or not self.graph.is_random:
            return self.program.run(weights, self.buffers[replica], inputs)
        host = torch.get_rng_state()
        torch.set_rng_state(self.random[replica])
        try:
            return self.program.run(weights, self.buffers[replica], inputs)
        finally:
            self.random[replica] = torch.get_rng_state()
            torch.set_rng_state(host)

    # --- runs --------------------------------------------------------------

    def run(self, inputs):
        """A call: tensors of the results, in the order of the program's.

        inputs: for each, its micro-batches in the order of the device.
        """
        results = _Results(self.shape)
        self.iteration_ends = []
        self._widen_weights()
        if self._is_wide:
            inputs = [list(map(_widened, each)) for each in inputs]
        with self.exceptions(), _half.Emulation() \
                if self._uses_half and not self._is_wide \
                else contextlib.nullcontext():
            if self.optimizer is not None:
                self._train(inputs, results)
            elif self.program.needs_grad:
                self._infer(inputs, results)
            else:
                with torch.no_grad():
                    self._infer(inputs, results)
        return results.joined(len(self.program.result_values))

    def _infer(self, inputs, results):
        for step in range(self.shape.steps):
            for replica in range(self.shape.replicas):
                number = self.shape.micro_batch(step, replica)
                taken = [each[number] for each in inputs]
                _, tensors = self._run_program(replica, taken)
                tensors = self._anchor_step(taken, replica, None, tensors)
                results.add(step, replica, tensors)
            self._anchor_weights()
            self.iteration_ends.append(time.perf_counter())

    def _anchor_step(self, inputs, replica, loss, tensors):
        """Keep what a micro-batch has ended with; its results alone."""
        if not self.anchors:
            return tensors
        count = len(self.program.result_values)
        self.anchors.add_step(self.graph, inputs, self.buffers[replica],
                              loss, tensors[count:])
        return tensors[:count]

    def _anchor_weights(self):
        """Keep what a device iteration has ended with."""
        if self.anchors:
            self.anchors.add_weights(self.graph.parameters,
                                     self._replica_weights)

    def _widen_weights(self):
        """Run with the weights that there are now."""
        with torch.no_grad():
            for part, twin in self._twins:
                twin.copy_(part)

    def _train(self, inputs, results):
        names = list(self.graph.parameters)
        parts = self._parts()
        for step in range(self.shape.steps):
            # Small gradients of halves would be 0 without it; of floats
            # they are the same with and without.
            scale = self.loss_scale.of(self.optimizer) \
                if self._uses_half else 1.0
            for replica in range(self.shape.replicas):
                number = self.shape.micro_batch(step, replica)
                taken = [each[number] for each in inputs]
                loss, tensors = self._run_program(replica, taken)
                tensors = self._anchor_step(taken, replica, loss, tensors)
                results.add(step, replica, tensors)
                _backward(loss, scale)
                del loss, tensors
            if (step + 1) % self.shape.accumulation != 0:
                continue
            self._reduce(parts)
            if self.anchors:
                self.anchors.add_loss_scale(
                    self.loss_scale.of(self.optimizer))
                self.anchors.add_gradients(names, self._replica_weights)
            if self.loss_scale.is_automatic:
                self.loss_scale.update(parts, self.optimizer.loss_scaling)
            self.optimizer.step(scale)
            self._widen_weights()
            if self.anchors:
                self.anchors.add_updated(names, self._replica_weights)
            self._anchor_weights()
            for part in parts:
                part.grad = None
            self.iteration_ends.append(time.perf_counter())

    def _reduce(self, parts):
        """One gradient of those of micro-batches, replicas, processes.

        A mean divides by all of them, also where a weight has the gradients
        of a group only, as PopART does.
        """
        for part, twin in self._twins:
            if twin.grad is not None:
                part.grad, twin.grad = _half.halved(twin.grad), None
        if self.all_reduce is not None:
            for weight in self.weights:
                weight.complete_gradients()
        gradients = [part.grad for part in parts if part.grad is not None]
        if self.all_reduce is not None:
            self.all_reduce(gradients)
        count = self.shape.accumulation * self.shape.replicas * self.processes
        if self.shape.is_mean and count > 1 and gradients:
            torch._foreach_div_(gradients, count)


def _backward(loss, scale):
    if loss.requires_grad:
        loss.backward(torch.full_like(loss, scale))


def _fresh(host):
    """A tensor of the device with the value of the host's."""
    made = host.detach().clone()
    if made.dtype == torch.float64:
        made = made.float()
    return made.requires_grad_(host.requires_grad)


def _widened(tensor):
    """The tensor, or a float32 of it where it is of halves."""
    if tensor.dtype != torch.float16:
        return tensor
    return tensor.detach().float().requires_grad_(tensor.requires_grad)


class _Results:
    """The tensors that a call returns."""

    def __init__(self, shape):
        self._shape = shape
        self._is_sum = shape.mode == enums.OutputMode.Sum
        self._kept = []                 # of each micro-batch, in its order
        self._sums = {}

    def add(self, step, replica, tensors):
        """Those of one micro-batch."""
        if self._is_sum:
            tensors = [each.detach() for each in tensors]
            before = self._sums.get(replica)
            self._sums[replica] = tensors if before is None else \
                [one + other for one, other in zip(before, tensors)]
        elif self._shape.returns(step):
            # What is written later must not change what is returned.
            self._kept.append([each.detach().clone() for each in tensors])

    def joined(self, count):
        """The tensors, each with all of its micro-batches."""
        kept = [self._sums[replica] for replica in sorted(self._sums)] \
            if self._is_sum else self._kept
        return [join([tensors[number] for tensors in kept])
                for number in range(count)]


def join(tensors):
    """Tensors of several micro-batches as one."""
    if len(tensors) == 1:
        joined = tensors[0]
    elif tensors[0].dim() == 0:
        joined = torch.stack(tensors)
    else:
        joined = torch.cat(tensors)
    if joined.dtype == torch.int64:
        return joined.int()
    return joined.float() if joined.dtype == torch.float64 else joined
