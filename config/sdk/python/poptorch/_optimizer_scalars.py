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

_GRADIENTS = "1 / (lossScaling * accumulation * replication)"
_DECAY_1 = {"scaledWeightDecay1":
            "(1 - dampening) * weightDecay * velocityScaling"}
_NUMBERS = {
    "SGD": {
        "weightDecayScaleFactor0":
            "1 - learningRate * (1 - dampening) * weightDecay",
        "scaledLearningRate0": "learningRate * (1 - dampening) / "
            "(lossScaling * accumulation * replication)"},
    Types.SGD1: {
        **_DECAY_1,
        "scaledLearningRate1":
            "learningRate / (velocityScaling * replication)",
        "dampeningScaleFactor1": "(1 - dampening) * velocityScaling * "
            "replication / (lossScaling * accumulation)",
        "scaledMomentum1": "momentum / replication"},
    Types.SGD2: {
        **_DECAY_1,
        "scaledLearningRate2": "learningRate / velocityScaling",
        "dampeningScaleFactor2": "(1 - dampening) * velocityScaling / "
            "(lossScaling * accumulation * replication)",
        "scaledMomentum2": "momentum"},
    "Adam": {
        "learningRate": "learningRate", "weightDecay": "weightDecay",
        "adamBeta1": "beta1", "adamBeta2": "beta2", "adamEps": "eps",
        "maxWeightNorm": "maxWeightNorm", "adamGradientScaling": _GRADIENTS},
    "Adaptive": {
        "learningRate": "learningRate", "weightDecay": "weightDecay",
        "adaptiveAlpha": "alpha", "adaptiveMomentum": "momentum",
        "adaptiveEps": "eps", "adaptiveGradientScaling": _GRADIENTS}}
_CODE = {kind: {name: compile(text, name, "eval")
                for name, text in numbers.items()}
         for kind, numbers in _NUMBERS.items()}


def scalars(attributes, names, means):
    """Name -> number; attributes: a conversion of the optimizer; names: those
    of the weights of each group."""
    kind = attributes["optimizer_type"]
    loss = attributes["defaults"]["lossScaling"]
    found = {} if loss[1] else {"lossScaling_FLOAT": loss[0]}
    for group, weights in zip(attributes["groups"], names):
        values = {**group, "lossScaling": loss}
        if kind == Types.SGD2:
            # PopTorch has no other scaling of a separate velocity.
            values["velocityScaling"] = loss
        which = kind if kind in _CODE and needs_velocity(values) else \
            popart_class(kind)
        known = {**{name: value[0] for name, value in values.items()
                    if isinstance(value, tuple)}, **means._asdict()}
        for name, code in _CODE[which].items():
            used = [values.get(each) for each in code.co_names
                    if each not in Means._fields]
            if None in used or all(is_const for _, is_const in used):
                continue
            number = eval(code, {}, known)
            found.update((f"{name}___specific___{weight}", number)
                         for weight in weights)
    return found
