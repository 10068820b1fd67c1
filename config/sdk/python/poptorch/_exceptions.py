"""Floating-point exceptions, which Precision.enableFloatingPointExceptions
asks for: a division by zero, an overflow or an invalid operation ends the
run (PopTorch's python/options.py; enableFloatingPointChecks in PopART)."""
import contextlib

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import _impl
from ._graph import tensors_in, walk


def watched(options):
    """A context in which operations are watched, where the options ask for
    that."""
    if options._Popart.options.get("enableFloatingPointChecks"):
        return _Exceptions()
    return contextlib.nullcontext()


class _Exceptions(TorchDispatchMode):
    """Within it, an operation that makes an infinity of numbers is an error,
    and one that makes what is not a number."""

    active = 0  # how many contexts are entered

    def __enter__(self):
        _Exceptions.active += 1
        return super().__enter__()

    def __exit__(self, *reason):
        _Exceptions.active -= 1
        return super().__exit__(*reason)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        had_nan, had_infinity = _odd((args, kwargs))
        result = func(*args, **kwargs)
        name = func._schema.name
        # What is new and empty has what was in its memory before.
        if "empty" in name or not (types or tensors_in((args, kwargs))):
            return result
        has_nan, has_infinity = _odd((result, args[:1]))
        if has_nan and not had_nan:
            _raise("an invalid operation", name)
        if has_infinity and not had_infinity and not had_nan:
            _raise("a division by zero or an overflow", name)
        return result


def check_half(wide, largest):
    """Where exceptions are watched, a number too large for a half is one."""
    if _Exceptions.active and \
            bool(((wide.abs() > largest) & ~wide.isinf()).any()):
        _raise("a division by zero or an overflow", "a half")


def _raise(words, name):
    raise _impl.create_compiler_error(
        f"Floating point exception: {words} in {name}",
        kind="poplar_application_runtime_error")


def _odd(structure):
    """Whether something in it is not a number, and whether something is
    infinite."""
    found = [each.detach() for each in tensors_in(structure)
             if each.is_floating_point()]
    walk(structure, lambda leaf: found.append(torch.tensor(leaf))
         if isinstance(leaf, float) else None)
    return (any(bool(torch.isnan(each).any()) for each in found),
            any(bool(torch.isinf(each).any()) for each in found))
