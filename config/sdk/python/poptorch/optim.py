"""PopTorch's optimizers: torch's own, and what they can be told about IPUs.

An argument that the program does not give is a constant of the executable;
one that it gives can have another value later, when the model is given the
optimizer again.  variable_attrs says which is which, and changes it.  Off the
device, each of them works as torch's does.
"""

import logging

import torch

from . import _optimizer_arithmetic as arithmetic
from .settings import require

__all__ = ["Adam", "AdamW", "LAMB", "Optimizer", "RMSprop", "SGD",
           "VariableAttributes"]

logger = logging.getLogger("poptorch::python")


class VariableAttributes:
    """The attributes of an optimizer that can change later."""

    def __init__(self, variable_attributes, allowed_attributes):
        self._variable = list(variable_attributes)
        self._allowed = list(allowed_attributes)

    def isConstant(self, attr):
        """Return whether its value is built into the executable."""
        return attr not in self._variable

    def markAsConstant(self, attr):
        """Build its value into the executable."""
        self._check(attr)
        if attr in self._variable:
            self._variable.remove(attr)

    def markAsVariable(self, attr):
        """Allow its value to change later."""
        self._check(attr)
        if attr not in self._variable:
            self._variable.append(attr)

    def _check(self, attr):
        require(attr in self._allowed,
                f"Unknown attribute {attr}, allowed values: {self._allowed}")


class Optimizer:
    """What PopTorch's optimizers have beside torch's.

    _own names the attributes of the optimizer, with the values that they
    have unless told.

    The state that the device has of an optimizer (momenta and such) comes
    back only when somebody asks for it: while host_state_is_dirty the
    device's is the newer one.  ipu_state_is_dirty says that a state was
    loaded which the device has yet to get.
    """

    _own = {}

    def _construct(self, parent, params, arguments, in_groups=()):
        """Make the parent, with the arguments that the program gave, and
        with those values in each group."""
        given = {name: value for name, value in arguments.items()
                 if value is not None}
        explicit = list(given)
        for name, default in self._own.items():
            value = given.pop(name, default)
            if name.endswith("accum_type"):
                require(value in (torch.float16, torch.float32),
                        "Accumulation types must be either torch.float32 or "
                        "torch.float16")
            setattr(self, name, value)
        in_groups = {name: given.pop(name, default)
                     for name, default in dict(in_groups).items()}
        parent.__init__(self, params, **given)
        for name, value in in_groups.items():
            self.defaults[name] = value
            for group in self.param_groups:
                group.setdefault(name, value)
        self.variable_attrs = VariableAttributes(
            explicit, [*self.defaults, "loss_scaling"])
        self._state_dict = {"ipu_state": None, "ipu_param": None}
        self._device_reader = None
        self.ipu_state_is_dirty = False
        self.host_state_is_dirty = False

    def has_state(self):
        """Return whether the optimizer has a state from a device."""
        return None not in self._state_dict.values()

    def get_state_dict(self):
        """Return the device's current state, and torch's."""
        self._read_device()
        return {**self._state_dict, **super().state_dict()}

    def set_state_dict(self, state):
        """Use a device's state for the device that runs next."""
        if not state:
            raise RuntimeError("Cannot load optimizer state dictionary "
                               "because it is empty.")
        if "ipu_state" not in state or "ipu_param" not in state:
            raise RuntimeError("Only IPU optimizer states can be loaded onto "
                               "the IPU.")
        self._state_dict = {name: state[name]
                            for name in ("ipu_state", "ipu_param")}
        self.ipu_state_is_dirty = self.has_state()
        self.host_state_is_dirty = False

    def state_dict(self):
        """Return the device's state, and torch's."""
        return self.get_state_dict()

    def load_state_dict(self, state_dict):
        """Use a state that state_dict() returned."""
        self.set_state_dict(state_dict)
        super().load_state_dict({name: state_dict[name]
                                 for name in ("state", "param_groups")})

    def _read_device(self):
        if self.host_state_is_dirty and self._device_reader is not None:
            self._state_dict = self._device_reader()
            self.host_state_is_dirty = False

    def __getstate__(self):
        # A copy does not belong to the device, so it takes the state along.
        self._read_device()
        kept = dict(super().__getstate__())
        for name in (*self._own, "variable_attrs", "_state_dict"):
            kept[name] = getattr(self, name)
        kept["ipu_state_is_dirty"] = self.has_state()
        kept["host_state_is_dirty"] = False
        return kept

    def __setstate__(self, state):
        # torch calls this also to load a state, with only a part of it.
        self.__dict__.setdefault("_device_reader", None)
        super().__setstate__(state)


_TYPES = {"accum_type": torch.float32,
          "first_order_momentum_accum_type": torch.float32,
          "second_order_momentum_accum_type": torch.float32}


def _arguments(names):
    """The arguments of a constructor, from its local names."""
    return {name: value for name, value in names.items()
            if name not in ("self", "params", "__class__")}


class SGD(Optimizer, torch.optim.SGD):
    """Stochastic gradient descent, with or without momentum.

    The combined variant keeps accumulated gradients and velocity in one
    tensor; a changed momentum or weight decay counts one step later there.
    """

    _own = {"loss_scaling": 1.0, "use_combined_accum": False,
            "accum_type": torch.float32, "velocity_accum_type": torch.float32,
            "max_grad_norm": float("inf")}

    def __init__(self, params, lr, momentum=None, dampening=None,
                 weight_decay=None, nesterov=None, maximize=None, foreach=None,
                 differentiable=None, loss_scaling=None, velocity_scaling=None,
                 use_combined_accum=None, accum_type=None,
                 velocity_accum_type=None, max_grad_norm=None):
        arguments = _arguments(locals())
        in_groups = {"velocity_scaling": 1.0}
        if not use_combined_accum:
            # It counts nowhere.
            del arguments["velocity_scaling"], in_groups["velocity_scaling"]
        self._construct(torch.optim.SGD, params, arguments, in_groups)
        if velocity_scaling is not None and not self.use_combined_accum:
            logger.warning(
                "velocity_scaling value ignored when using the separate "
                "variant (use_combined_accum=False). In future, this will "
                "lead to an error. Please update your code.")


class Adam(Optimizer, torch.optim.Adam):
    """Adam with weight decay that is added to the gradient."""

    _own = {"loss_scaling": 1.0, **_TYPES, "max_grad_norm": float("inf")}

    def __init__(self, params, lr=None, betas=None, eps=None,
                 weight_decay=None, amsgrad=None, foreach=None, maximize=None,
                 capturable=None, differentiable=None, fused=None,
                 loss_scaling=None, accum_type=None,
                 first_order_momentum_accum_type=None,
                 second_order_momentum_accum_type=None, max_grad_norm=None):
        self._construct(torch.optim.Adam, params, _arguments(locals()))


class AdamW(Optimizer, torch.optim.AdamW):
    """Adam with weight decay that is separate from the gradient."""

    _own = {"loss_scaling": 1.0, "bias_correction": True, **_TYPES,
            "max_grad_norm": float("inf")}

    def __init__(self, params, lr=None, betas=None, eps=None,
                 weight_decay=None, amsgrad=None, maximize=None, foreach=None,
                 capturable=None, differentiable=None, fused=None,
                 loss_scaling=None, bias_correction=None, accum_type=None,
                 first_order_momentum_accum_type=None,
                 second_order_momentum_accum_type=None, max_grad_norm=None):
        self._construct(torch.optim.AdamW, params, _arguments(locals()))


class RMSprop(Optimizer, torch.optim.RMSprop):
    """RMSprop; TensorFlow's variant adds eps before the square root."""

    _own = {"loss_scaling": 1.0, **_TYPES, "use_tf_variant": False}

    def __init__(self, params, lr=None, alpha=None, eps=None,
                 weight_decay=None, momentum=None, centered=None, foreach=None,
                 maximize=None, differentiable=None, loss_scaling=None,
                 accum_type=None, first_order_momentum_accum_type=None,
                 second_order_momentum_accum_type=None, use_tf_variant=None):
        self._construct(torch.optim.RMSprop, params, _arguments(locals()))


class _HostLAMB(torch.optim.Optimizer):
    """LAMB off the device; torch has none of its own."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8,
                 weight_decay=1e-2):
        for name, value in (("learning rate", lr), ("epsilon value", eps),
                            ("weight_decay value", weight_decay)):
            if not 0.0 <= value:
                raise ValueError(f"Invalid {name}: {value}")
        for index, beta in enumerate(betas):
            if not 0.0 <= beta < 1.0:
                raise ValueError(
                    f"Invalid beta parameter at index {index}: {beta}")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps,
                                  "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure=None):
        """One update of the parameters that have a gradient."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for param in group["params"]:
                if param.grad is not None:
                    self._update(group, param)
        return loss

    def _update(self, group, param):
        state = self.state[param]
        if not state:
            state["step"] = 0
            state["exp_avg"] = torch.zeros_like(param)
            state["exp_avg_sq"] = torch.zeros_like(param)
        state["step"] += 1
        scratch = arithmetic.Scratch([torch.empty_like(param)],
                                     [torch.empty_like(param)])
        arithmetic.lamb(
            [param], [param.grad], [state["exp_avg"]], [state["exp_avg_sq"]],
            arithmetic.Moments(group["lr"], *group["betas"], group["eps"],
                               group["weight_decay"], state["step"],
                               self.bias_correction),
            group["max_weight_norm"], scratch)


class LAMB(Optimizer, _HostLAMB):
    """Adam whose update of each weight is scaled by the weight's norm, up to
    max_weight_norm ("Large Batch Optimization for Deep Learning", 2020)."""

    _own = {"bias_correction": True, "loss_scaling": 1.0, **_TYPES}

    def __init__(self, params, lr=None, betas=None, eps=None,
                 weight_decay=None, bias_correction=None, loss_scaling=None,
                 max_weight_norm=None, accum_type=None,
                 first_order_momentum_accum_type=None,
                 second_order_momentum_accum_type=None):
        self._construct(_HostLAMB, params, _arguments(locals()),
                        {"max_weight_norm": 65500.0})
