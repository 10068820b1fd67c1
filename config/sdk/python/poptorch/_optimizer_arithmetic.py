"""One step of each optimizer, on lists of tensors.

All change the parameters and the momenta in place, and leave the gradients
alone.  Memory is what such a step waits for, so the factors of a step are
multiplied before they touch a tensor, and what it computes on the way goes
into tensors that the caller keeps: two lists, of the parameters' shapes.
"""

import math
from collections import namedtuple

import torch

# What a step of Adam and its kin needs.  step counts from 1.
Moments = namedtuple(
    "Moments", "lr beta1 beta2 eps weight_decay step bias_correction")


# Where a step may write: instead of gradients, and divisors.
Scratch = namedtuple("Scratch", "grads divisors")


def scaled(grads, factor, scratch):
    """The gradients times a factor."""
    if factor == 1.0:
        return grads
    for grad, into in zip(grads, scratch.grads):
        torch.mul(grad, factor, out=into)
    return scratch.grads


def regularised(params, grads, weight_decay, scratch):
    """The gradients of the loss with an L2 term of the parameters."""
    if weight_decay == 0.0:
        return grads
    return _sum(grads, params, weight_decay, scratch.grads)


def _sum(tensors, others, factor, results):
    for tensor, other, into in zip(tensors, others, results):
        torch.add(tensor, other, alpha=factor, out=into)
    return results


def _average(averages, values, weight):
    # On a CPU lerp takes several times as long as these two.
    torch._foreach_mul_(averages, 1.0 - weight)
    torch._foreach_add_(averages, values, alpha=weight)


def _average_squares(averages, values, weight):
    torch._foreach_mul_(averages, 1.0 - weight)
    torch._foreach_addcmul_(averages, values, values, weight)


def plain_sgd(params, grads, lr):
    """Descend along the gradients."""
    torch._foreach_add_(params, grads, alpha=-lr)


def velocity(velocities, grads, momentum, share):
    """Slow the velocities down, and add a share of the gradients."""
    torch._foreach_mul_(velocities, momentum)
    torch._foreach_add_(velocities, grads, alpha=share)


def look_ahead(grads, velocities, momentum, scratch):
    """The gradients with what Nesterov's momentum adds to them."""
    return _sum(grads, velocities, momentum, scratch.grads)


def _corrections(moments):
    """What the momenta are divided by, because they began with 0."""
    if not moments.bias_correction:
        return 1.0, 1.0
    return (1.0 - moments.beta1 ** moments.step,
            1.0 - moments.beta2 ** moments.step)


def _denominators(squares, eps, scratch):
    for square, into in zip(squares, scratch.divisors):
        torch.sqrt(square, out=into)
    torch._foreach_add_(scratch.divisors, eps)
    return scratch.divisors


def _update_moments(grads, first, second, moments):
    _average(first, grads, 1.0 - moments.beta1)
    _average_squares(second, grads, 1.0 - moments.beta2)


def adam(params, grads, first, second, moments, decoupled, scratch):
    """One step of Adam, or of AdamW where weight decay is decoupled."""
    if not decoupled:
        grads = regularised(params, grads, moments.weight_decay, scratch)
    elif moments.weight_decay != 0.0:
        torch._foreach_mul_(params,
                            1.0 - moments.lr * moments.weight_decay)
    _update_moments(grads, first, second, moments)
    for_first, for_second = _corrections(moments)
    # The root of the second correction goes to the two numbers beside the
    # tensors, which saves a division of all of them.
    root = math.sqrt(for_second)
    torch._foreach_addcdiv_(
        params, first, _denominators(second, moments.eps * root, scratch),
        -moments.lr * root / for_first)


def lamb(params, grads, first, second, moments, max_weight_norm, scratch):
    """One step of LAMB."""
    _update_moments(grads, first, second, moments)
    for_first, for_second = _corrections(moments)
    root = math.sqrt(for_second)
    updates = _denominators(second, moments.eps * root, scratch)
    for moment, update in zip(first, updates):
        torch.div(moment, update, out=update)
    torch._foreach_mul_(updates, root / for_first)
    if moments.weight_decay != 0.0:
        torch._foreach_add_(updates, params, alpha=moments.weight_decay)
    for param, update in zip(params, updates):
        ratio = _trust_ratio(param.norm().item(), update.norm().item(),
                             max_weight_norm)
        param.add_(update, alpha=-moments.lr * ratio)


def _trust_ratio(weight_norm, update_norm, max_weight_norm):
    weight_norm = min(weight_norm, max_weight_norm)
    if weight_norm == 0.0 or update_norm == 0.0:
        return 1.0
    return weight_norm / update_norm


def rmsprop_denominators(grads, squares, means, alpha, eps, tf_variant,
                         scratch):
    """Update the averages, and give what the gradients are divided by.  means
    are the averages of the centred variant, or None."""
    _average_squares(squares, grads, 1.0 - alpha)
    if means is not None:
        _average(means, grads, 1.0 - alpha)
        for square, mean, into in zip(squares, means, scratch.divisors):
            torch.addcmul(square, mean, mean, value=-1.0, out=into)
        squares = scratch.divisors
    if not tf_variant:
        return _denominators(squares, eps, scratch)
    for square, into in zip(squares, scratch.divisors):
        torch.add(square, eps, out=into)
    torch._foreach_sqrt_(scratch.divisors)
    return scratch.divisors
