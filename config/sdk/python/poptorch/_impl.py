"""What the parts of this package share: errors, and whether a model is being
compiled at the moment."""

import contextlib

from . import poptorch_core


def createPoptorchError(message):
    """An error of PopTorch's Python part: raise what it returns."""
    kind = "poptorch_py_error"
    return poptorch_core.Error(f"'{kind}': {message}", kind, message)


def create_compiler_error(text, context=(), kind="poptorch_cpp_error"):
    """An error of PopTorch's C++ part: raise what it returns.  context names
    the functions that it comes through, the innermost first."""
    return poptorch_core.make_error(kind, text, context)


# The lowering runs a model once under running_on_ipu(): all that asks
# isRunningOnIpu() then takes the IPU's way.
_on_ipu = False


@contextlib.contextmanager
def running_on_ipu():
    """Meanwhile isRunningOnIpu() and isDispatchTracing() are true."""
    before = _on_ipu
    setIpuContext(True)
    try:
        yield
    finally:
        setIpuContext(before)


def setIpuContext(on_ipu):
    """Say whether what runs now is a model for the IPU."""
    global _on_ipu
    _on_ipu = bool(on_ipu)


def isRunningOnIpu():
    """Whether what runs now is a model that is compiled for the IPU; it is
    false when the same code runs on the CPU."""
    return _on_ipu


def isDispatchTracing():
    """The same: operations are dispatched only while a model compiles."""
    return _on_ipu


# The classes that trainingModel() has made of users' classes, Poptorch<Name>.
_wrapped_classes = set()


def mark_wrapped(wrapped_class):
    """Say that objects of that class are wrapped; it is returned."""
    _wrapped_classes.add(wrapped_class)
    return wrapped_class


def isWrapped(thing):
    """Whether it is a model, a parameter or a buffer that belongs to an
    executor."""
    return type(thing) in _wrapped_classes


# The names of the modules, and NameScopes, around the operation that runs:
# the lowering reads it, and names operations by it.
name_scopes = []


class NameScopeHook:
    """Names the operations of a module after it, as long as it is there."""

    def __init__(self, module_name, module):
        self._name = module_name
        self._hooks = [module.register_forward_pre_hook(self._enter),
                       module.register_forward_hook(self._leave)]

    def _enter(self, module, inputs):
        if _on_ipu:
            name_scopes.append(self._name)

    def _leave(self, module, inputs, outputs):
        if _on_ipu and name_scopes:
            name_scopes.pop()

    def remove(self):
        """Take the hooks away."""
        for hook in self._hooks:
            hook.remove()
        self._hooks = []
