"""The numbers of an optimizer on the device: with PopART's names, computed
from the optimizer's values as PopART does (willow/include/popart/
compoundscalarhelper.hpp and tensornames.hpp).

A number whose values are all constants is built into the executable, and has
no name.  PopTorch sets the values of each group for its weights, so each
number is one of a weight.
"""
from collections import namedtuple

from ._optimizer_attributes import _OptimizerType as Types
from ._optimizer_replacement import needs_velocity, popart_class

# What a mean of gradients divides by at the end of a step.
Means = namedtuple("Means", "accumulation replication")

_Number = namedtuple("_Number", "name values compute")

_DECAY_1 = _Number(
    "scaledWeightDecay1", "dampening weightDecay velocityScaling",
    lambda m, dampening, decay, scaling: (1 - dampening) * decay * scaling)
_SGD = {
    None: (
        _Number("weightDecayScaleFactor0", "weightDecay learningRate "
                "dampening", lambda m, decay, rate, dampening:
                1 - rate * (1 - dampening) * decay),
        _Number("scaledLearningRate0", "learningRate dampening lossScaling",
                lambda m, rate, dampening, loss: rate * (1 - dampening) /
                (loss * m.accumulation * m.replication))),
    Types.SGD1: (
        _DECAY_1,
        _Number("scaledLearningRate1", "learningRate velocityScaling",
                lambda m, rate, scaling: rate / (scaling * m.replication)),
        _Number("dampeningScaleFactor1", "dampening velocityScaling "
                "lossScaling", lambda m, dampening, scaling, loss:
                (1 - dampening) * scaling * m.replication /
                (loss * m.accumulation)),
        _Number("scaledMomentum1", "momentum",
                lambda m, momentum: momentum / m.replication)),
    Types.SGD2: (
        _DECAY_1,
        _Number("scaledLearningRate2", "learningRate velocityScaling",
                lambda m, rate, scaling: rate / scaling),
        _Number("dampeningScaleFactor2", "dampening velocityScaling "
                "lossScaling", lambda m, dampening, scaling, loss:
                (1 - dampening) * scaling /
                (loss * m.accumulation * m.replication)),
        _Number("scaledMomentum2", "momentum", lambda m, momentum: momentum))}


def _as_it_is(name, value):
    return _Number(name, value, lambda m, number: number)


def _gradients(name):
    return _Number(name, "lossScaling", lambda m, loss:
                   1 / (loss * m.accumulation * m.replication))


_COMMON = (_as_it_is("learningRate", "learningRate"),
           _as_it_is("weightDecay", "weightDecay"))
_ADAM = _COMMON + (
    _as_it_is("adamBeta1", "beta1"), _as_it_is("adamBeta2", "beta2"),
    _as_it_is("adamEps", "eps"), _as_it_is("maxWeightNorm", "maxWeightNorm"),
    _gradients("adamGradientScaling"))
_ADAPTIVE = _COMMON + (
    _as_it_is("adaptiveAlpha", "alpha"),
    _as_it_is("adaptiveMomentum", "momentum"),
    _as_it_is("adaptiveEps", "eps"), _gradients("adaptiveGradientScaling"))


def _numbers(kind, values):
    name = popart_class(kind)
    if name == "SGD":
        return _SGD[kind if needs_velocity(values) else None]
    return _ADAM if name == "Adam" else _ADAPTIVE


def scalars(attributes, names, means):
    """Name -> number; attributes: a conversion of the optimizer; names: those
    of the weights of each group."""
    loss, is_const = attributes["defaults"]["lossScaling"]
    found = {} if is_const else {"lossScaling_FLOAT": loss}
    for group, weights in zip(attributes["groups"], names):
        values = {**group, "lossScaling": (loss, is_const)}
        if attributes["optimizer_type"] == Types.SGD2:
            # PopTorch has no other scaling of a separate velocity.
            values["velocityScaling"] = values["lossScaling"]
        for number in _numbers(attributes["optimizer_type"], values):
            used = [values.get(each) for each in number.values.split()]
            if None in used or all(const for _, const in used):
                continue
            result = number.compute(means, *(value for value, _ in used))
            found.update((f"{number.name}___specific___{weight}", result)
                         for weight in weights)
    return found
