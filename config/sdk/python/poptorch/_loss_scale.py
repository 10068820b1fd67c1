"""The factor of a loss in training, which keeps small gradients of halves
from becoming 0."""
import torch

# The largest power of two that a half holds.
_LARGEST = 32768.0
_PREFIX = "automaticLossScalingSettings."


class LossScale:
    """With Options.Training.setAutomaticLossScaling, PopART's rule: the scale
    doubles after a step, or is halved where too many elements of half
    gradients are large (willow/src/transforms/auto_loss_scale.cpp and
    popx/op/lossscaleupdatex.cpp in PopART)."""

    def __init__(self, options):
        said = options._Popart.options
        self.is_automatic = bool(said.get(f"{_PREFIX}enabled"))
        self._edge = torch.finfo(torch.float16).max * said.get(
            f"{_PREFIX}binEdgeLocation", 0.125)
        self._share = said.get(
            f"{_PREFIX}thresholdUpperCountProportion", 1e-7)
        self._period = max(1, said.get(f"{_PREFIX}updatePeriod", 1))
        self._factor = 1.0
        self._steps = self._large = self._small = 0

    def of(self, optimizer):
        """The scale of the step that begins."""
        return optimizer.loss_scaling * self._factor

    def update(self, weights, scaling):
        """Look at the gradients of a step; scaling: the optimizer's."""
        for gradient in (weight.grad for weight in weights):
            if gradient is not None and gradient.dtype == torch.float16:
                # What is not a number is large too.
                small = int((gradient.abs() <= self._edge).sum())
                self._small += small
                self._large += gradient.numel() - small
        self._steps += 1
        if self._steps % self._period:
            return
        is_too_large = self._large > self._share * self._small
        self._factor = min(self._factor * (0.5 if is_too_large else 2.0),
                           _LARGEST / scaling)
        self._large = self._small = 0
