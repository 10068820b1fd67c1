"""The optimizer as it runs on the device, beside the weights there.

It is made of what _optimizer_attributes says of the program's optimizer.
The arithmetic is PopART's, which is torch's up to rounding with these
differences: SGD's velocity begins with 0, so dampening also counts in the
first step, and without momentum.
"""

import math
from collections import Counter, namedtuple

import torch

from . import _optimizer_arithmetic as arithmetic
from ._logging import compiler_log
from ._optimizer_attributes import _OptimizerType as Types
from ._optimizer_replacement import needs_velocity, replacement_problem
from ._optimizer_scalars import Means, scalars
from .settings import require

_NAMES = {Types.SGD1: "SGD", Types.SGD2: "SGD", Types.ADAM: "Adam",
          Types.ADAMW: "AdamW", Types.ADAMW_NO_BIAS: "AdamW",
          Types.RMSPROP: "RMSprop", Types.RMSPROP_CENTERED: "RMSprop",
          Types.LAMB: "LAMB", Types.LAMB_NO_BIAS: "LAMB"}

_NO_BIAS = (Types.ADAMW_NO_BIAS, Types.LAMB_NO_BIAS)

# Tensors are updated together up to so many elements: few calls for many
# small ones, while what one call leaves in the cache the next one finds.
_ELEMENTS_TOGETHER = 1 << 17

# By whether it is half.
_HALF_OR_FLOAT = (torch.float32, torch.float16)

# Types in which a step would lose what it adds; it computes in float32 and
# rounds what it keeps.
_NARROW = (torch.float16, torch.bfloat16)


def _popart_error(text):
    from . import _impl

    return _impl.create_compiler_error(text, kind="popart_exception")


def _check(attributes):
    """What PopART refuses."""
    if attributes["defaults"]["lossScaling"][0] == 0.0:
        raise _popart_error("Loss scaling cannot be 0")
    if _NAMES[attributes["optimizer_type"]] != "SGD":
        return
    for values in (attributes["defaults"], *attributes["groups"]):
        for name, words, end in (
                ("learningRate", "learning rate", "."),
                ("weightDecay", "weight decay", ""),
                ("momentum", "momentum", ""), ("dampening", "dampening", "")):
            if values[name][0] < 0.0:
                raise _popart_error(
                    f"Negative {words} ({values[name][0]:g}) in SGD, bailing "
                    f"as this might be a user error{end}")
        if values["learningRate"] == (0.0, True):
            raise _popart_error(
                "Constant, zero learning rate in SGD, bailing as this might "
                "be a user error.")
        scaling = values["velocityScaling"][0]
        if scaling <= 0.0:
            raise _popart_error(f"Non-positive velocity scaling ({scaling:g})"
                                " in SGD is not supported")


class DeviceOptimizer:
    """Updates the weights on the device.

    attributes is what convertOptimizerToDict() gave; groups has the weights
    of each of its groups, of which any may be missing; names has their names,
    in the same lists, by which states are saved and messages speak.  A name
    that comes several times is that of the parts of one weight, whose states
    are saved as one.
    """

    def __init__(self, attributes, groups, names=None):
        require(len(groups) == len(attributes["groups"]),
                "There is a list of weights for each group of the optimizer")
        if names is None:
            names = [[f"{number}.{index}" for index in range(len(group))]
                     for number, group in enumerate(groups)]
        _check(attributes)
        self._attributes = attributes
        self.means = Means(1, 1)
        self._names = [list(group) for group in names]
        self.groups = [_Group(attributes, number, weights)
                       for number, weights in enumerate(groups)]

    @property
    def name(self):
        """The name of its class in torch, such as AdamW."""
        return _NAMES[self._attributes["optimizer_type"]]

    @property
    def attributes(self):
        """What convertOptimizerToDict() gave last."""
        return self._attributes

    @property
    def loss_scaling(self):
        """What the loss is multiplied by before it goes backwards."""
        return self._attributes["defaults"]["lossScaling"][0]

    @property
    def accumulates_in_half(self):
        """Whether gradients are accumulated in float16."""
        return self._attributes["accumType"]

    def state_tensors_per_parameter(self):
        """How many tensors of a weight's size it keeps for each weight."""
        return max((len(group.roles) for group in self.groups), default=0)

    def updates(self):
        """What it does to each weight: an Update for each name."""
        accum_type = _HALF_OR_FLOAT[self.accumulates_in_half]
        found = {}
        for names, group in zip(self._names, self.groups):
            for index, name in enumerate(names):
                found.setdefault(name, group.update_of(index, name,
                                                       accum_type))
        return list(found.values())

    def step(self, scale=1.0):
        """Update all weights that have a gradient.  The gradients are scale
        times those of the loss."""
        with torch.no_grad():
            factor = self._clip(scale) / scale
            for group in self.groups:
                group.step(factor)

    def _clip(self, scale):
        """What the gradients are multiplied by so that the norm of all of
        them together is not over the limit."""
        limit = self._attributes["defaults"]["maxGradNorm"][0]
        if limit == math.inf:
            return 1.0
        grads = [weight.grad for group in self.groups
                 for weight in group.weights if weight.grad is not None]
        if not grads:
            return 1.0
        norms = [grad.float().norm() for grad in grads]
        norm = torch.stack(norms).norm().item() / scale
        # A norm that is not a number has to reach the weights.
        return 1.0 if norm <= limit else limit / norm

    def update(self, attributes):
        """Take a newer conversion of the optimizer, from the next step on.

        Raise PopART's error where something differs that is constant.
        """
        problem = replacement_problem(self._attributes, attributes,
                                      self._names)
        if problem:
            raise _popart_error(problem)
        _check(attributes)
        self.take_values(attributes)

    def take_values(self, attributes):
        """Take those values that are not constants."""
        for number, group in enumerate(self.groups):
            group.replace(attributes["groups"][number])
        # The types of the tensors are those that were compiled.
        self._attributes = {**self._attributes,
                            "defaults": attributes["defaults"],
                            "groups": attributes["groups"]}

    def state(self):
        """A copy of what it keeps: tensors as "ipu_state", and the numbers
        that are no constants as "ipu_param"."""
        found = {}
        for names, group in zip(self._names, self.groups):
            for index, name in enumerate(names):
                for key, tensor in group.state(
                        index, name, self._velocity_scaling).items():
                    found.setdefault(key, []).append(tensor)
        tensors = {key: torch.stack(parts) if len(parts) > 1 else parts[0]
                   for key, parts in found.items()}
        values = {name: torch.tensor(float(value)) for name, value in
                  scalars(self._attributes, self._names, self.means).items()}
        return {"ipu_state": tensors, "ipu_param": values}

    def load_state(self, state):
        """Go on from what state() gave; what it does not have stays, and is
        named.

        The values are those of the program's optimizer, not of the state.
        """
        tensors = state["ipu_state"]
        for name in self._names_of_states():
            if name not in tensors:
                compiler_log("warning", "writeOptimizerState: ignoring "
                                        f"missing state {name}")
        with torch.no_grad():
            for names, group in zip(self._names, self.groups):
                seen = Counter()
                for index, name in enumerate(names):
                    part = seen[name] if names.count(name) > 1 else ...
                    group.load_state(index, name, tensors,
                                     self._velocity_scaling, part)
                    seen[name] += 1

    @property
    def _velocity_scaling(self):
        """A separate velocity of SGD has the loss scale in a state of
        PopTorch's, and has not here; see _optimizer_scalars."""
        return self.loss_scaling \
            if self._attributes["optimizer_type"] == Types.SGD2 else 1.0

    def _names_of_states(self):
        return dict.fromkeys(
            key for names, group in zip(self._names, self.groups)
            for name in names for key in group.names_of_states(name))


# The update of one weight, in which it keeps states of those types.
Update = namedtuple(
    "Update", "name shape dtype kind values accum_type state_types")

# Weights that are updated together, by their indices in a group, with what
# belongs to them.
_Chunk = namedtuple("_Chunk", "indices weights states scratch")


class _Group:
    """The weights that share their values, with their states.

    roles names the tensors that it keeps for each weight, as PopART names
    them, and states has them in the order of the weights.
    """

    def __init__(self, attributes, number, weights):
        self._type = attributes["optimizer_type"]
        self._tf_variant = attributes["useTfVariant"]
        self._values = attributes["groups"][number]
        # The combined SGD prepares the next velocity at the end of a step.
        self._before = self._values
        self.weights = list(weights)
        self.roles = self._roles(attributes)
        # TensorFlow's averages of squares begin with 1.
        self.states = {
            role: [torch.full_like(
                weight, float(self._tf_variant and role == "Accl1"),
                dtype=_dtype(weight, half), requires_grad=False)
                for weight in self.weights]
            for role, half in self.roles.items()}
        self.counts_steps = "Accl2" in self.roles and \
            _NAMES[self._type] != "RMSprop"
        self._steps = [0] * len(self.weights)
        chunks = _chunks(self.weights)
        self._scratch = _scratch(self.weights, chunks)
        self._chunks = [self._chunk(indices) for indices in chunks]

    def _roles(self, attributes):
        """The tensors, and whether they are halves."""
        if _NAMES[self._type] == "SGD":
            if not needs_velocity(self._values):
                return {}
            if self._type == Types.SGD1:
                return {"Accl": False}
            return {"Accl1": attributes["velocityAccumType"]}
        roles = {"Accl1": attributes["firstOrderMomentumAccumType"]}
        second = attributes["secondOrderMomentumAccumType"]
        if self._type not in (Types.RMSPROP, Types.RMSPROP_CENTERED):
            return {**roles, "Accl2": second}
        if self._type == Types.RMSPROP_CENTERED:
            roles["Accl2"] = second
        if needs_velocity(self._values):
            roles["Accl3"] = False
        return roles

    def update_of(self, index, name, accum_type):
        """What a step does to one weight."""
        weight = self.weights[index]
        return Update(name, weight.shape, weight.dtype, self._type,
                      self._values, accum_type,
                      {role: states[index].dtype
                       for role, states in self.states.items()})

    def replace(self, values):
        """Take newer values; a constant that PopART does not compare, and a
        flag, stay as they were compiled."""
        self._values = {
            name: values[name] if isinstance(old, tuple) and not old[1]
            else old for name, old in self._values.items()}

    def value(self, name, missing=None):
        """One of the values of this step."""
        return self._values.get(name, (missing,))[0]

    def flag(self, name):
        """Whether "nesterov" or "maximize" is set."""
        return self._values[name]

    def steps(self, index):
        """The steps that one weight has had, where they count."""
        return self._steps[index]

    def count_steps(self, index, count):
        """Another one has made steps of that weight."""
        if self.counts_steps:
            self._steps[index] += count
        self._before = self._values

    def step(self, factor):
        """Update the weights that have a gradient, which is multiplied by
        that factor first."""
        if self._values["maximize"]:
            factor = -factor
        for whole in self._chunks:
            grads = [weight.grad for weight in whole.weights]
            for step, chunk in self._active(whole, grads):
                if chunk is not whole:
                    grads = [weight.grad for weight in chunk.weights]
                self._step(chunk, grads, step, factor)
        self._before = self._values

    def _active(self, whole, grads):
        """The part of a chunk that has gradients, by its step."""
        active = [index for index, grad in zip(whole.indices, grads)
                  if grad is not None]
        by_step = {}
        if self.counts_steps:
            for index in active:
                self._steps[index] += 1
                by_step.setdefault(self._steps[index], []).append(index)
        elif active:
            by_step[0] = active
        return [(step, whole if len(indices) == len(whole.indices)
                 else self._chunk(indices))
                for step, indices in by_step.items()]

    def _chunk(self, indices):
        def chosen(tensors):
            return [tensors[index] for index in indices]

        return _Chunk(
            indices, chosen(self.weights),
            {role: chosen(states) for role, states in self.states.items()},
            arithmetic.Scratch(*map(chosen, self._scratch)))

    def _step(self, chunk, grads, step, factor):
        weights = _wide(chunk.weights)
        states = {role: _wide(tensors)
                  for role, tensors in chunk.states.items()}
        grads = arithmetic.scaled(_wide(grads), factor, chunk.scratch)
        self._update(weights, grads, states, step, chunk.scratch)
        _round(weights, chunk.weights)
        for role, tensors in chunk.states.items():
            _round(states[role], tensors)

    def _update(self, weights, grads, states, step, scratch):
        name = _NAMES[self._type]
        if name == "SGD":
            self._sgd(weights, grads, states, scratch)
        elif name == "RMSprop":
            self._rmsprop(weights, grads, states, scratch)
        else:
            self._adam(weights, grads, states, step, scratch)

    def _adam(self, weights, grads, states, step, scratch):
        moments = arithmetic.Moments(
            self.value("learningRate"), self.value("beta1"),
            self.value("beta2"), self.value("eps"), self.value("weightDecay"),
            step, self._type not in _NO_BIAS)
        if _NAMES[self._type] == "LAMB":
            arithmetic.lamb(weights, grads, states["Accl1"], states["Accl2"],
                            moments, self.value("maxWeightNorm"), scratch)
        else:
            arithmetic.adam(weights, grads, states["Accl1"], states["Accl2"],
                            moments, self._type != Types.ADAM, scratch)

    def _sgd(self, weights, grads, states, scratch):
        share = 1.0 - self.value("dampening")
        if self._type == Types.SGD1 and states:
            self._combined_sgd(weights, grads, states["Accl"], share,
                               scratch)
            return
        rate = self.value("learningRate")
        grads = arithmetic.regularised(weights, grads,
                                       self.value("weightDecay"), scratch)
        if not states:
            arithmetic.plain_sgd(weights, grads, rate * share)
            return
        velocities = states["Accl1"]
        momentum = self.value("momentum")
        arithmetic.velocity(velocities, grads, momentum, share)
        if self._values["nesterov"]:
            velocities = arithmetic.look_ahead(grads, velocities, momentum,
                                               scratch)
        arithmetic.plain_sgd(weights, velocities, rate)

    def _combined_sgd(self, weights, grads, velocities, share, scratch):
        """Momentum and weight decay are those of the step before, for which
        the velocity was prepared."""
        scaling = self.value("velocityScaling")
        decay, momentum, dampening, scaling_before = (
            self._before[name][0]
            for name in ("weightDecay", "momentum", "dampening",
                         "velocityScaling"))
        arithmetic.velocity(velocities, grads, momentum, share * scaling)
        decay_scaled = decay * (1.0 - dampening) * scaling_before
        if decay_scaled != 0.0:
            torch._foreach_add_(velocities, weights, alpha=decay_scaled)
        rate = self.value("learningRate")
        if self._values["nesterov"]:
            grads = arithmetic.regularised(weights, grads,
                                           self.value("weightDecay"), scratch)
            arithmetic.plain_sgd(weights, grads, rate)
            rate *= self.value("momentum")
        arithmetic.plain_sgd(weights, velocities, rate / scaling)

    def _rmsprop(self, weights, grads, states, scratch):
        grads = arithmetic.regularised(weights, grads,
                                       self.value("weightDecay"), scratch)
        divisors = arithmetic.rmsprop_denominators(
            grads, states["Accl1"], states.get("Accl2"), self.value("alpha"),
            self.value("eps"), self._tf_variant, scratch)
        rate = self.value("learningRate")
        if "Accl3" not in states:
            torch._foreach_addcdiv_(weights, grads, divisors, -rate)
            return
        # TensorFlow's velocity has the learning rate in it.
        inside, outside = (rate, 1.0) if self._tf_variant else (1.0, rate)
        velocities = states["Accl3"]
        torch._foreach_mul_(velocities, self.value("momentum"))
        torch._foreach_addcdiv_(velocities, grads, divisors, inside)
        arithmetic.plain_sgd(weights, velocities, outside)

    def state(self, index, name, scaling):
        """A copy of what is kept for one weight, by PopART's names, times
        the scaling of velocities."""
        kept = {f"{role}___{name}": states[index] * scaling
                for role, states in self.states.items()}
        if self.counts_steps:
            kept[f"Step___{name}"] = torch.tensor(float(self._steps[index]))
        return kept

    def names_of_states(self, name):
        """What is kept for the weight of that name."""
        steps = ["Step"] if self.counts_steps else []
        return [f"{role}___{name}" for role in [*self.states, *steps]]

    def load_state(self, index, name, tensors, scaling, part=...):
        """Take what is there of it, or that part."""
        for role, states in self.states.items():
            found = tensors.get(f"{role}___{name}")
            if found is not None:
                states[index].copy_(found[part] / scaling)
        if self.counts_steps and f"Step___{name}" in tensors:
            self._steps[index] = int(tensors[f"Step___{name}"][part])


def _dtype(weight, half):
    if half:
        return torch.float16
    return torch.float32 if weight.dtype in _NARROW else weight.dtype


def _wide(tensors):
    """The list itself, or copies in float32 of narrow tensors; those of a
    chunk are of one type."""
    if tensors[0].dtype in _NARROW:
        return [tensor.float() for tensor in tensors]
    return tensors


def _round(computed, tensors):
    """Keep what was computed in copies."""
    if computed is not tensors:
        for tensor, result in zip(tensors, computed):
            tensor.copy_(result)


def _chunks(weights):
    """Indices of weights that are updated together: of one type, in the order
    of the weights."""
    chunks = []
    last = {}
    for index, weight in enumerate(weights):
        chunk, elements = last.get(weight.dtype, (None, 0))
        if chunk is None or elements + weight.numel() > _ELEMENTS_TOGETHER:
            chunk, elements = [], 0
            chunks.append(chunk)
        chunk.append(index)
        last[weight.dtype] = chunk, elements + weight.numel()
    return chunks


def _scratch(weights, chunks):
    """Two tensors for each weight, where a step writes what it computes on
    the way.  Those of all chunks lie in the same memory, which the cache then
    keeps."""
    result = [None] * len(weights), [None] * len(weights)
    memory = {}
    for chunk in chunks:
        dtype = _dtype(weights[chunk[0]], False)
        needed = 2 * sum(weights[index].numel() for index in chunk)
        memory[dtype] = max(needed, memory.get(dtype, 0))
    buffers = {dtype: torch.empty(size, dtype=dtype)
               for dtype, size in memory.items()}
    for chunk in chunks:
        rest = buffers[_dtype(weights[chunk[0]], False)]
        for tensors in result:
            for index in chunk:
                size = weights[index].numel()
                tensors[index] = rest[:size].view(weights[index].shape)
                rest = rest[size:]
    return result


def bind(optimizer, device):
    """Let the program's optimizer read its state from the device when it is
    asked for; the executor sets its host_state_is_dirty after each step.

    A state that the optimizer has, which was loaded or is another device's,
    goes to the device first.
    """
    if not hasattr(optimizer, "set_state_dict"):
        return
    if optimizer._device_reader != device.state:
        optimizer._read_device()
        optimizer.ipu_state_is_dirty = optimizer.has_state()
        optimizer.host_state_is_dirty = not optimizer.has_state()
        optimizer._device_reader = device.state
    write_state(optimizer, device)


def write_state(optimizer, device):
    """Give the device a state that was loaded since; whether there was
    one."""
    if not getattr(optimizer, "ipu_state_is_dirty", False):
        return False
    device.load_state(optimizer.get_state_dict())
    optimizer.ipu_state_is_dirty = False
    return True


def read_back(optimizer):
    """Copy the device's state to the optimizer, and part the two."""
    if hasattr(optimizer, "set_state_dict"):
        optimizer._read_device()
        optimizer._device_reader = None
