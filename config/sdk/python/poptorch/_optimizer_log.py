"""The lines that the compiler logs of an optimizer, for who debugs one: its
values, and which of them are constants."""
from ._logging import compiler_log, is_logged
from ._optimizer_attributes import _OptimizerType as Types

_TYPES = ("FLOAT", "FLOAT16")
# A variant with or without a correction has one name.
_SUFFIXES = ("_NO_BIAS", "_CENTERED")
# What the optimizer has as a whole.
_WHOLE = ("lossScaling", "nesterov")


def log_optimizer(attributes, names):
    """One line for what weights have that are in no group, and one for each
    group, with the names of its weights."""
    if not is_logged("debug"):
        return
    end = _end(attributes)
    compiler_log("debug", "Updating graph optimizer with " + _values(
        attributes, attributes["defaults"], True) + end)
    for number, (group, tensors) in enumerate(zip(attributes["groups"],
                                                  names)):
        affected = ", ".join(dict.fromkeys(tensors))
        compiler_log(
            "debug", f"Updating group {number} optimizer with "
            f"{_values(attributes, group, False)}{end} for (tensors affected "
            f"[{affected}])")


def _values(attributes, values, is_default):
    kind = attributes["optimizer_type"]
    name = kind.name
    for suffix in _SUFFIXES:
        name = name.replace(suffix, "")
    shown = {key: value for key, value in values.items()
             if isinstance(value, tuple) and key != "maxGradNorm"}
    if kind in (Types.SGD1, Types.SGD2):
        shown["nesterov"] = (int(values["nesterov"]), True)
    if kind == Types.SGD2:
        shown["velocityScaling"] = attributes["defaults"]["lossScaling"]
    if is_default:
        shown = {key if key in _WHOLE else f"default{key[0].upper()}{key[1:]}":
                 value for key, value in shown.items()}
    return ", ".join([name] + [
        f"{key}={value:g}{' (const)' if is_const else ''}"
        for key, (value, is_const) in sorted(shown.items())])


def _end(attributes):
    first = "velocityAccumType" if attributes["optimizer_type"] in (
        Types.SGD1, Types.SGD2) else "firstOrderMomentumAccumType"
    return (f", accumType={_TYPES[attributes['accumType']]}"
            f", firstOrderMomentumAccumType={_TYPES[attributes[first]]}"
            ", secondOrderMomentumAccumType="
            f"{_TYPES[attributes['secondOrderMomentumAccumType']]}"
            f", useTfVariant={int(attributes['useTfVariant'])}"
            f", maxGradNorm={attributes['defaults']['maxGradNorm'][0]:g}")
