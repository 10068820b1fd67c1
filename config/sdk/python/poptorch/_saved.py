"""Compiled models in files of those who export them, and where a cache is.

A file begins with one line that says what it is; behind it stands a pickle.
Like all pickles, only files of people one trusts should be read.
"""
import os
import pickle
import tempfile
import types

import torch

from . import _impl
from ._logging import compiler_log
from .settings import require

_HEADER = b"ipubox poptorch executable 2\n"


class _Pickler(pickle.Pickler):
    """Knows methods of tensors that are functions of Python; their own names
    do not lead to them."""

    _methods = {function: name
                for name, function in vars(torch.Tensor).items()
                if isinstance(function, types.FunctionType)}

    def reducer_override(self, thing):
        if isinstance(thing, types.FunctionType) and thing in self._methods:
            return getattr, (torch.Tensor, self._methods[thing])
        return NotImplemented


def _write(path, content):
    """Replace a file: who reads it sees the old one or the new one."""
    directory = os.path.dirname(os.path.abspath(path))
    try:
        handle, name = tempfile.mkstemp(prefix=".poptorch", dir=directory)
    except OSError as error:
        raise _impl.create_compiler_error(
            f"Failed to open {path} for writing: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(_HEADER)
            _Pickler(stream, protocol=4).dump(content)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _read(path):
    """What _write has written; ValueError where that is something else."""
    with open(path, "rb") as stream:
        if stream.readline(len(_HEADER)) != _HEADER:
            raise ValueError("Popef file does not contain Poptorch metadata.")
        try:
            return pickle.load(stream)
        except (EOFError, pickle.UnpicklingError, AttributeError, ImportError,
                IndexError, KeyError, TypeError, UnicodeDecodeError) as error:
            raise ValueError(f"damaged: {error}") from None


# --- exported models -------------------------------------------------------


def save(executor, filename, export_model, save_rng_state):
    """Write a compiled model: with the user's own, or without."""
    content = {
        "version": executor._poptorch_version,
        "training": executor._training,
        "options": executor._options.clone(),
        "graph": executor._executable.device.graph,
        "inputs": executor._executable_inputs,
        "groups": dict(executor.per_replica_params),
        "rng_state": executor.rng_state if save_rng_state else None,
        "model": None, "optimizer": None}
    if export_model:
        executor.copyWeightsToHostIfNeeded()
        content["model"] = executor._user_model
        content["optimizer"] = executor._optimizer
    try:
        _write(filename, content)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise _impl.createPoptorchError(
            f"The model cannot be written to {filename}: {error}") from None


def read(filename):
    """What save() has written; AssertionError where this is something else,
    or of another version."""
    from . import __version__

    try:
        content = _read(filename)
    except OSError as error:
        raise _impl.create_compiler_error(
            f"Failed to open {filename} for reading: "
            f"{error.strerror}") from None
    except ValueError as error:
        raise AssertionError(f"Invalid file {filename}: {error}") from None
    require(content["version"] == __version__,
            f"Invalid file {filename}: PopTorch version mismatch: File was "
            f"created with version: {content['version']} and this is version "
            f"{__version__}")
    return content


def load(filename, edit_opts_fn=None):
    """A model as it was exported, compiled already.

    edit_opts_fn is called with its options before they are used.
    """
    from . import _models
    from .enums import ConnectionType

    content = read(filename)
    require(content["model"] is not None,
            f"{filename} is a valid PopTorch file but was created with "
            "'export_model=False' which means you need to re-create the "
            "PopTorch model using poptorch.inferenceModel or "
            "poptorch.trainingModel then call poptorch_model."
            f"loadExecutable(\"{filename}\").")
    options = content["options"]
    if options.connection_type == ConnectionType.Never:
        options.deleteIfExists("ipu_version")
        options.connectionType(ConnectionType.Always)
    if edit_opts_fn is not None:
        edit_opts_fn(options)
    if content["training"]:
        executor = _models.trainingModel(content["model"], options,
                                         content["optimizer"])
    else:
        executor = _models.inferenceModel(content["model"], options)
    executor.loadExecutable(filename)
    if content["rng_state"] is not None:
        executor.rng_state = content["rng_state"]
    return executor


def save_weights(options, weights):
    """Write the bytes of weights, one behind the other, to the file that
    PopART's option names."""
    path = options._Popart.options.get("saveInitializersToFile")
    if not path:
        return
    compiler_log("trace", f"Saving initializers to external file {path}")
    try:
        with open(path, "wb") as stream:
            for weight in weights:
                stream.write(weight.detach().contiguous().numpy().tobytes())
    except OSError as error:
        raise _impl.create_compiler_error(
            f"Failed to open {path} for writing: {error.strerror}") from None


# --- the cache -------------------------------------------------------------


def cache_directory(options):
    """Where what was compiled is kept; None where it is not.

    ipubox keeps it there: what the device says of a model, by its outline.
    The model itself is lowered in each process, since only a run of its code
    tells what that does now.
    """
    popart = options._Popart.options
    if not popart.get("enableEngineCaching"):
        return os.environ.get("POPDIST_EXECUTABLE_CACHE_PATH") or None
    return popart.get("cachePath")
