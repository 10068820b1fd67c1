"""tensorflow.python.ipu where TensorFlow has none: popdist/tensorflow_ipu.

Graphcore's TensorFlow brings that package, and then it counts.  Any other
TensorFlow gets ours.  Where there is no TensorFlow, there is none after this
either, but who imports from tensorflow.python.ipu learns what is missing.
"""

import importlib
import importlib.util
import os
import sys
import types

_NAME = "tensorflow.python.ipu"
_DIRECTORY = os.path.join(os.path.dirname(__file__), "tensorflow_ipu")


def _has_tensorflow():
    return "tensorflow" in sys.modules or \
        importlib.util.find_spec("tensorflow") is not None


def _missing():
    return ImportError(
        f"{_NAME} needs TensorFlow, which this Python does not have: install "
        "Graphcore's TensorFlow wheel, or any other with `pip install "
        "tensorflow`", name="tensorflow")


class _Placeholder(types.ModuleType):
    """Stands in sys.modules under that name where there is no TensorFlow:
    Python looks there before it asks for the packages around."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if not _has_tensorflow():
            raise _missing()
        # sys.path has found one since.
        sys.modules.pop(_NAME, None)
        return getattr(importlib.import_module(_NAME), name)


class _Finder:
    """Comes last in sys.meta_path, so everything real comes first."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """The spec of our package; what is below it is found by itself."""
        if name == _NAME:
            return importlib.util.spec_from_file_location(
                name, os.path.join(_DIRECTORY, "__init__.py"),
                submodule_search_locations=[_DIRECTORY])
        if name.startswith(_NAME + ".") and \
                isinstance(sys.modules.get(_NAME), _Placeholder):
            raise _missing()
        return None


def install():
    """Put the package into place.  Another call changes nothing."""
    if not any(finder is _Finder for finder in sys.meta_path):
        sys.meta_path.append(_Finder)
    if _NAME not in sys.modules and not _has_tensorflow():
        sys.modules[_NAME] = _Placeholder(_NAME)
