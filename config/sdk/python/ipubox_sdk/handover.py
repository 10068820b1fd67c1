"""Give way to the real package of a name, and refuse a Python too old.

PYTHONPATH comes before what is installed, so our packages are found first.
Each asks here, before it does anything else, whether there is another one
of its name.  This file can be read by Python 2.7 too, so that an old Python
gets a sentence and not a syntax error.
"""
import os
import sys

OLDEST = (3, 8)


def hand_over(name):
    """Whether the real package of that name has taken our place.

    Where it has, it stands in sys.modules as if we were not there, and
    its submodules are found in it.  The caller has nothing left to do.
    Where there is none, an ImportError says so if this Python is too old.
    """
    if sys.version_info >= (3, 5):
        spec = _find(name)
        if spec is not None:
            _load(name, spec)
            return True
    if sys.version_info < OLDEST:
        raise ImportError("%s of ipubox needs Python %d.%d or later, but this "
                          "is Python %d.%d"
                          % ((name,) + OLDEST + sys.version_info[:2]))
    return False


def _is_ours(directory):
    """Whether it holds packages of ipubox, this copy or another one."""
    return os.path.exists(os.path.join(directory or os.curdir,
                                       "ipubox_sdk", "handover.py"))


def _find(name):
    """The spec of the real package, or None.

    A directory without __init__.py is not one: its spec has no loader.
    """
    from importlib.machinery import PathFinder

    places = [place for place in sys.path
              if isinstance(place, str) and not _is_ours(place)]
    for finder in sys.meta_path:
        if finder is PathFinder:
            spec = finder.find_spec(name, places)
        elif hasattr(finder, "find_spec"):
            spec = finder.find_spec(name, None)
        else:
            continue
        if spec is not None and spec.loader is not None and \
                not _is_ours_origin(spec.origin):
            return spec
    return None


def _is_ours_origin(origin):
    """Whether a finder found us after all: DIR/NAME/__init__.py."""
    return origin is not None and \
        _is_ours(os.path.dirname(os.path.dirname(origin)))


def _load(name, spec):
    """Import it in our place.  What fails there fails as if it were alone."""
    from importlib.util import module_from_spec

    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
