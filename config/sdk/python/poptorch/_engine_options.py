"""The options of Poplar's engine: whether and where a profile is written."""
import json
import os

from ipubox_sdk import context

from . import _impl


class EngineOptions:
    """Those of the program; over them what `poprun --autoreport-dir` asks
    for; over both POPLAR_ENGINE_OPTIONS."""

    def __init__(self, options):
        self._told = dict(options._Popart.options.get("engineOptions", {}))
        self._told.update(context.engine_options())
        self._told.update(_environment())

    def _is(self, name, otherwise):
        """A boolean, which may also be a text."""
        value = self._told.get(name, otherwise)
        return str(value).lower() == "true"

    @property
    def profile_directory(self):
        """Where a profile is written; None where none is wanted."""
        everything = self._is("autoReport.all", False)
        if self._is("autoReport.outputGraphProfile", everything) or \
                self._is("autoReport.outputExecutionProfile", everything):
            return self._told.get("autoReport.directory", ".")
        return None

    @property
    def allows_out_of_memory(self):
        """Whether a model that does not fit has a profile too.  The guide of
        PopRun shortens the name."""
        return self._is("debug.allowOutOfMemory",
                        self._told.get("allowOutOfMemory", True))


def _environment():
    """POPLAR_ENGINE_OPTIONS as a dictionary."""
    text = os.environ.get("POPLAR_ENGINE_OPTIONS")
    if not text:
        return {}
    try:
        told = json.loads(text)
        if not isinstance(told, dict):
            raise ValueError("it is another value")
    except ValueError as error:
        raise _impl.create_compiler_error(
            f"POPLAR_ENGINE_OPTIONS is not a JSON object: {error}",
            kind="poplar_invalid_option") from None
    return told
