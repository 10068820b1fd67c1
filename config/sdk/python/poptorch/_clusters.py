"""Points that are far from each other, and points that are near."""
import math

import torch

from . import _impl


def _invalid(text):
    return _impl.create_compiler_error(text, kind="std::exception")


def farthest(points, bounds, ratio, random_start):
    """The indices of a share of the points between each two bounds: each is
    the farthest from those before it."""
    found = []
    for begin, end in zip(bounds, bounds[1:]):
        part = points[begin:end]
        count = math.ceil(len(part) * ratio)
        start = torch.randint(0, len(part), ()) if random_start \
            else torch.zeros((), dtype=torch.long)
        chosen = [start]
        distances = torch.cdist(part, part[start][None]).squeeze(1)
        while len(chosen) < count:
            chosen.append(distances.argmax())
            distances = torch.minimum(
                distances, torch.cdist(part, part[chosen[-1]][None])
                .squeeze(1))
        found.append(torch.stack(chosen[:count]) + begin)
    return torch.cat(found).int()


def _batch(given, other, count):
    """Which example each point belongs to; None where nothing says it."""
    if len(given):
        return torch.as_tensor(given)
    return torch.zeros(count, dtype=torch.long) if len(other) else None


def _check(x, y, batches):
    if x.dim() > 2 or y.dim() > 2:
        raise _invalid(
            "Inputs `x` and `y` should be max 2D tensors, while `x` has "
            f"{x.dim()} dims and `y` has {y.dim()} dims.")
    if x.shape[1:] != y.shape[1:]:
        raise _invalid(f"Inputs shapes inconsistent x.shape[1]={x.shape[1]} "
                       f"vs. y.shape[1]={y.shape[1]}")
    for name, given in zip("xy", batches):
        if isinstance(given, list) and sorted(given) != given:
            raise _invalid(f"'batch_{name}' is not sorted")


def nearest(x, y, batch_x, batch_y):
    """For each point of x the index of the nearest one of y, of the same
    example."""
    _check(x, y, (batch_x, batch_y))
    x, y = (each[:, None] if each.dim() == 1 else each for each in (x, y))
    distances = torch.cdist(x, y)
    of_x = _batch(batch_x, batch_y, len(x))
    of_y = _batch(batch_y, batch_x, len(y))
    if of_x is not None:
        for name, points, given in (("x", x, of_x), ("y", y, of_y)):
            if len(points) != len(given):
                raise _invalid(f"{name}.size(0) == batch_{name}.size(0)")
        if isinstance(batch_x, list) and isinstance(batch_y, list) and \
                set(of_x.tolist()) != set(of_y.tolist()):
            raise _invalid("Some batch indices occur in 'batch_x' that do "
                           "not occur in 'batch_y'")
        distances = distances.masked_fill(
            of_x[:, None] != of_y[None], math.inf)
    return distances.argmin(1).int()
