"""Functions of the user's that are called around the run of a model that is
compiled."""
import collections
import contextlib

import torch

_before = collections.OrderedDict()
_after = collections.OrderedDict()


def _register(hooks, hook, name):
    if not callable(hook):
        raise RuntimeError(f"{name} hook must be callable")
    handle = torch.utils.hooks.RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def registerPreCompileHook(hook):
    """Call that function whenever a compilation begins; the handle that is
    returned has remove()."""
    return _register(_before, hook, "Pre-compile")


def registerPostCompileHook(hook):
    """The same when one has ended."""
    return _register(_after, hook, "Post-compile")


@contextlib.contextmanager
def called():
    """A compilation: those before are called now, those after at its end,
    whatever ends it."""
    for hook in list(_before.values()):
        hook()
    try:
        yield
    finally:
        for hook in list(_after.values()):
            hook()
