"""Whether an optimizer can take the place of the one that was compiled.

What is built into an executable cannot be changed; PopART looks in the order
of this file, and says what it finds first.
"""

from ._optimizer_attributes import _OptimizerType as Types

_PREFIX = "New optimizer is not a valid replacement. "

# PopART's classes of optimizers, and the values that each compares, by the
# words of its messages.  It does not look at dampening.
_SGD = (("learning rates", "learningRate"), ("weight decays", "weightDecay"),
        ("momentums", "momentum"), ("velocity scalings", "velocityScaling"))
_ADAM = (("learning rates", "learningRate"), ("weight decays", "weightDecay"),
         ("beta1s", "beta1"), ("beta2s", "beta2"), ("eps", "eps"),
         ("max weight norms", "maxWeightNorm"))
_ADAPTIVE = (("learning rates", "learningRate"),
             ("weight decays", "weightDecay"), ("alphas", "alpha"),
             ("momentums", "momentum"), ("eps", "eps"))


def popart_class(optimizer_type):
    """What PopART calls the optimizers of that type."""
    if optimizer_type in (Types.SGD1, Types.SGD2):
        return "SGD"
    if optimizer_type in (Types.RMSPROP, Types.RMSPROP_CENTERED):
        return "Adaptive"
    return "Adam"


def needs_velocity(values):
    """Whether SGD or RMSprop keep a velocity with these values."""
    return values["momentum"] != (0.0, True)


def replacement_problem(old, new, names):
    """Why the new attributes cannot replace the old ones, or None.

    names are those of the parameters, per group.
    """
    problem = _clipping(old, new) or _kinds(old, new)
    if not problem:
        problem = _all_values(old, new, names) or _velocities(old, new)
    return _PREFIX + problem if problem else None


def _clipping(old, new):
    before, after = (which["defaults"]["maxGradNorm"][0]
                     for which in (old, new))
    if before == after:
        return None
    if float("inf") in (before, after):
        return "Clip norm settings do not match."
    return "Clip norm settings at index 0 do not match."


def _kinds(old, new):
    before, after = old["optimizer_type"], new["optimizer_type"]
    if popart_class(before) != popart_class(after):
        return ("Can not replace optimizer of type "
                f"{popart_class(before)} with new optimizer of type "
                f"{popart_class(after)}")
    if popart_class(before) == "SGD" or before == after:
        return None
    plain = Types.ADAM in (before, after)
    if plain and Types.ADAMW in (before, after):
        return "Weight decay modes do not match"
    return f"{popart_class(before)} modes do not match"


def _all_values(old, new, names):
    problem = _value(old["defaults"]["lossScaling"],
                     new["defaults"]["lossScaling"])
    if problem:
        return f"Problem with loss scaling. {problem}"
    compared = {"SGD": _SGD, "Adam": _ADAM,
                "Adaptive": _ADAPTIVE}[popart_class(old["optimizer_type"])]
    for words, name in compared:
        if name in old["defaults"]:
            problem = _map(old, new, name, names)
            if problem:
                return f"Problem with {words}. {problem}"
    return None


def _map(old, new, name, names):
    """The same for one value of all groups."""
    problem = _value(old["defaults"][name], new["defaults"][name])
    if problem:
        return f"Default value is not a valid replacement. {problem}"
    if len(old["groups"]) != len(new["groups"]):
        return ("Replacement OptimizerValueMap has a different number of "
                "specific tensors.")
    for before, after, tensors in zip(old["groups"], new["groups"], names):
        problem = _value(before[name], after[name])
        if problem and tensors:
            return (f"OptimizerValue for tensor {tensors[0]} is not a valid "
                    f"replacement.{problem}")
    return None


def _value(before, after):
    if before[1] != after[1]:
        return "Can not replace a constant value with a non constant value."
    if before[1] and before[0] != after[0]:
        return "Values are constant but do not match."
    return None


def _velocities(old, new):
    """What SGD with a velocity compares besides."""
    if popart_class(old["optimizer_type"]) != "SGD" or \
            not needs_velocity(old["defaults"]):
        return None
    kinds = ["SGDAccumulatorAndMomentum::" +
             ("Combined" if which["optimizer_type"] == Types.SGD1
              else "Separate") for which in (old, new)]
    if kinds[0] != kinds[1]:
        return (f"this has SGDAccumulatorAndMomentum {kinds[0]}, but other "
                f"has {kinds[1]}")
    if old["optimizer_type"] == Types.SGD1:
        return None
    for words, name in (("sgdAccumType", "accumType"),
                        ("sgd2Accl1Type", "velocityAccumType")):
        types = ["FLOAT16" if which[name] else "FLOAT"
                 for which in (old, new)]
        if types[0] != types[1]:
            return (f"this has {kinds[0]} and {words} {types[0]}, but other "
                    f"has {types[1]}")
    return None
