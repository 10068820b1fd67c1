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


# The paths of the modules that run, "encoder.layers.0": a name says how one
# comes from the module around it.
_module_paths = []


def push_name_scope(name):
    """What runs now has that name, behind those around it."""
    name_scopes.append("/".join(name_scopes[-1:] + [name]))


class NameScopeHook:
    """Names the operations of a module after it, as long as it is there."""

    def __init__(self, path, module):
        self._path = path
        self._hooks = [module.register_forward_pre_hook(self._enter),
                       module.register_forward_hook(self._leave)]

    def _enter(self, module, inputs):
        if not _on_ipu:
            return
        name = self._path
        around = _module_paths[-1] + "." if _module_paths else ""
        if around and name.startswith(around):
            name = name[len(around):]
        push_name_scope(name.replace(".", "/"))
        _module_paths.append(self._path)

    def _leave(self, module, inputs, outputs):
        if _on_ipu and name_scopes:
            name_scopes.pop()
            _module_paths.pop()

    def remove(self):
        """Take the hooks away."""
        for hook in self._hooks:
            hook.remove()
        self._hooks = []


def clear_name_scopes():
    """Nothing runs any more, also where an error has ended it."""
    name_scopes.clear()
    _module_paths.clear()
