"""From an optimizer of torch's or PopTorch's to what the device is told.

Each value goes with whether it is a constant of the executable: (value,
is_const).  The device has its own names for them, which are PopART's.
"""

import enum
import logging
import math
import numbers

import torch

from . import optim
from .enums import MeanReductionStrategy
from .settings import require

logger = logging.getLogger("poptorch::python")


class _OptimizerType(enum.IntEnum):
    SGD1 = 0
    SGD2 = 1
    ADAM = 2
    ADAMW = 3
    ADAMW_NO_BIAS = 4
    RMSPROP = 5
    RMSPROP_CENTERED = 6
    LAMB = 7
    LAMB_NO_BIAS = 8


# A subclass stands before what it is derived from: newer versions of torch
# derive AdamW from Adam.
_SUPPORTED = (torch.optim.SGD, torch.optim.AdamW, torch.optim.Adam,
              torch.optim.RMSprop, optim.LAMB)

_MANDATORY = object()

# The values of a group: the name here, the name there, and what it is where
# the optimizer has none of that name.
_BETAS = (("betas", "beta1", _MANDATORY), ("betas", "beta2", _MANDATORY))
_COMMON = (("lr", "learningRate", _MANDATORY),
           ("weight_decay", "weightDecay", _MANDATORY))
_EPS = (("eps", "eps", _MANDATORY),)
_GROUP_VALUES = {
    torch.optim.SGD: _COMMON + (
        ("momentum", "momentum", _MANDATORY),
        ("dampening", "dampening", _MANDATORY),
        ("velocity_scaling", "velocityScaling", 1.0)),
    torch.optim.Adam: _COMMON + _BETAS + _EPS,
    torch.optim.AdamW: _COMMON + _BETAS + _EPS,
    torch.optim.RMSprop: _COMMON + _EPS + (
        ("alpha", "alpha", _MANDATORY), ("momentum", "momentum", _MANDATORY)),
    optim.LAMB: _COMMON + _BETAS + _EPS + (
        ("max_weight_norm", "maxWeightNorm", _MANDATORY),),
}
_GROUP_FLAGS = ("nesterov", "maximize")
_TYPE_NAMES = (
    ("accum_type", "accumType"),
    ("velocity_accum_type", "velocityAccumType"),
    ("first_order_momentum_accum_type", "firstOrderMomentumAccumType"),
    ("second_order_momentum_accum_type", "secondOrderMomentumAccumType"))

# A value of torch's own optimizers is constant where it is the usual one;
# the learning rate never is.
_USUAL = {"momentum": 0.0, "dampening": 0.0, "eps": 1e-8, "alpha": 0.99,
          "beta1": 0.9, "beta2": 0.999, "velocity_scaling": 1.0}


class OptimizerAttrTracker:
    """Says which attributes came to an optimizer after it was first seen.

    The device does not know them; a program that sets one may have misspelt
    it.  Each text is logged once.
    """

    def __init__(self, options):
        self._relaxed = options._relax_optimizer_checks
        self._in_groups = None          # names of attributes, once known
        self._own = None
        self._said = set()

    def check(self, optimizer, optimizer_type):
        """Note all attributes of the first optimizer, and say what later
        ones have beside them."""
        tables = [("default group variable", optimizer.defaults)]
        tables += [(f"group {index} attribute", group)
                   for index, group in enumerate(optimizer.param_groups)]
        own = list(vars(optimizer))
        self._look_at_class(type(optimizer))
        if self._own is None:
            self._in_groups = {name for _, table in tables for name in table}
            self._own = set(own)
            return
        for what, table in tables:
            self._compare(what, table, self._in_groups, optimizer_type)
        self._compare("optimizer attribute", own, self._own, optimizer_type)

    def _look_at_class(self, kind):
        if kind not in _SUPPORTED and kind.__module__ != optim.__name__:
            self._say(f"{kind.__name__} is a class of the program; the device "
                      "uses the values of its attributes, but computes like "
                      "the class that it is derived from")

    def _compare(self, what, names, known, optimizer_type):
        new = [name for name in names if name not in known]
        if new:
            self._say(f"Ignoring unexpected {what} in {optimizer_type.name} "
                      f"optimizer: {new}")

    def _say(self, text):
        if text not in self._said:
            self._said.add(text)
            logger.log(logging.DEBUG if self._relaxed else logging.WARNING,
                       "%s", text)


def convertOptimizerToDict(optimizer, attr_tracker, options, is_compiled):
    """What the device is told of an optimizer.

    Raise AssertionError or ValueError where it cannot run there.  Halves to
    accumulate in need a running mean, which the options then say; that is
    refused where the executable was already compiled for another one.
    """
    kind = _kind(optimizer)
    optimizer_type = _type(optimizer, kind)
    _refuse(optimizer, kind)
    attr_tracker.check(optimizer, optimizer_type)
    result = {"optimizer_type": optimizer_type,
              "useTfVariant": bool(getattr(optimizer, "use_tf_variant",
                                           False))}
    for name, there in _TYPE_NAMES:
        result[there] = _is_half(optimizer, name)
    if result["accumType"] and optimizer_type != _OptimizerType.SGD1:
        _need_running_mean(options, is_compiled)
    if options._Popart.options.get("automaticLossScalingSettings.enabled") \
            and isinstance(optimizer, optim.Optimizer):
        # The device changes it.
        optimizer.variable_attrs.markAsVariable("loss_scaling")
    defaults = _values(optimizer, kind, optimizer.defaults)
    defaults["lossScaling"] = _attribute(optimizer, "loss_scaling", 1.0)
    defaults["maxGradNorm"] = (
        _number(getattr(optimizer, "max_grad_norm", math.inf),
                "max_grad_norm"), True)
    result["defaults"] = defaults
    result["groups"] = [_values(optimizer, kind, group)
                        for group in optimizer.param_groups]
    logger.debug("Python optimizer %s", result)
    return result


def _kind(optimizer):
    for kind in _SUPPORTED:
        if isinstance(optimizer, kind):
            return kind
    names = [kind.__name__ for kind in _SUPPORTED]
    raise AssertionError(
        f"Unsupported optimizer type. Types supported {names}")


def _type(optimizer, kind):
    types = _OptimizerType
    if kind is torch.optim.SGD:
        combined = getattr(optimizer, "use_combined_accum", False)
        return types.SGD1 if combined else types.SGD2
    if kind is torch.optim.RMSprop:
        return (types.RMSPROP_CENTERED if _centered(optimizer)
                else types.RMSPROP)
    if kind is torch.optim.Adam:
        return types.ADAM
    corrected = getattr(optimizer, "bias_correction", True)
    if kind is torch.optim.AdamW:
        return types.ADAMW if corrected else types.ADAMW_NO_BIAS
    return types.LAMB if corrected else types.LAMB_NO_BIAS


def _centered(optimizer):
    values = [group["centered"] for group in optimizer.param_groups]
    for index, value in enumerate(values):
        require(value == values[0],
                "All parameter groups must have the same value for the "
                f"'centered' attribute (Group 0: {values[0]} / "
                f"Group {index}: {value})")
    return values[0]


def _refuse(optimizer, kind):
    """What torch can, and PopART cannot."""
    if kind is not torch.optim.RMSprop and \
            hasattr(optimizer, "use_tf_variant"):
        raise ValueError("use_tf_variant is only available with RMSProp "
                         "optimizers.")
    if any(group.get("amsgrad") for group in optimizer.param_groups):
        raise ValueError("Only non-amsgrad Adam/AdamW optimizers are "
                         "supported.")


def _need_running_mean(options, is_compiled):
    training = options.Training
    name = "meanAccumulationAndReplicationReductionStrategy"
    if getattr(training, name) == MeanReductionStrategy.Running:
        return
    if is_compiled:
        raise ValueError(
            "Invalid optimizer: the new optimizer would require changing "
            f"options.Training.{name} to "
            "poptorch.MeanReductionStrategy.Running but the executable is "
            "already compiled.")
    # The options of a model are frozen for its program, not for PopTorch.
    frozen = training._is_frozen
    training._unfreeze()
    training.set(**{name: MeanReductionStrategy.Running})
    if frozen:
        training._freeze()


def _is_half(optimizer, name):
    dtype = getattr(optimizer, name, torch.float32)
    if dtype not in (torch.float16, torch.float32):
        raise ValueError(f"{name} must be set to either torch.float16 or "
                         f"torch.float32 not {dtype}")
    return dtype == torch.float16


def _number(value, name):
    if isinstance(value, torch.Tensor) and value.numel() == 1:
        # Newer versions of torch take a tensor for a learning rate.
        value = value.item()
    require(isinstance(value, numbers.Number),
            f"Expected a number for {name} but got {value} instead")
    value = float(value)
    if math.isnan(value):
        raise ValueError(f"{name} must not be NaN")
    return value


def _attribute(optimizer, name, default):
    """A value that the optimizer has, and its groups do not."""
    if not isinstance(optimizer, optim.Optimizer):
        return default, True
    require(hasattr(optimizer, name),
            f"Mandatory attribute {name} not found in optimizer attributes")
    return (_number(getattr(optimizer, name), name),
            optimizer.variable_attrs.isConstant(name))


def _values(optimizer, kind, group):
    """The values of one group, or of all that has no group."""
    result = {}
    for name, there, default in _GROUP_VALUES[kind]:
        if name not in group and default is not _MANDATORY:
            result[there] = default, True
            continue
        require(name in group,
                f"Mandatory attribute {name} not found in optimizer group")
        value = group[name]
        if name == "betas":
            require(isinstance(value, tuple) and len(value) == 2,
                    f"Expected a pair for betas but got {value} instead")
            value = value[int(there[-1]) - 1]
        value = _number(value, name)
        result[there] = value, _is_const(optimizer, kind, name, there, value)
    for name in _GROUP_FLAGS:
        result[name] = bool(group.get(name, False))
    return result


def _is_const(optimizer, kind, name, there, value):
    if isinstance(optimizer, optim.Optimizer):
        return optimizer.variable_attrs.isConstant(name)
    if name == "weight_decay":
        return value == (0.01 if kind is torch.optim.AdamW else 0.0)
    usual = _USUAL.get(there if name == "betas" else name)
    return usual is not None and value == usual
