"""Options that a file or the environment sets.

Both name methods of poptorch.Options: a file has one call a line, and
POPTORCH_DEFAULT_OPTIONS is a JSON object of names and arguments.
"""

import codeop
import json
import os

from . import enums
from .settings import require


class ConfigFileError(Exception):
    """A line of a file of options that Python cannot read."""

    __module__ = "poptorch.options"


def _compile_line(text, number, filepath):
    """The line as code.  Pythons have different words for a line that ends
    too early, and PopTorch those of Python 3.8."""
    source = f"options.{text}"
    detail = None
    try:
        if codeop.compile_command(source, filepath, "exec") is None:
            detail = "unexpected EOF while parsing"
        else:
            return compile(source, filepath, "exec")
    except SyntaxError as error:
        detail = error.msg
    raise ConfigFileError(f"SyntaxError at line {number} of {filepath}: "
                          f"{detail}\n> {source}")


def load_file(options, filepath):
    """Call the methods of the options that the file names."""
    import poptorch

    with open(filepath) as stream:
        lines = stream.read().splitlines()
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and not text.startswith("#"):
            code = _compile_line(text, number, filepath)
            exec(code, {"poptorch": poptorch, "options": options})


def _value_of(value):
    """The argument that a JSON value stands for: "OutputMode.All" is a
    member of an enum, all else is itself."""
    if not isinstance(value, str):
        return value
    words = value.split(".")
    if words[0] == "poptorch":
        words = words[1:]
    kind = getattr(enums, words[0], None) if len(words) == 2 else None
    if isinstance(kind, type) and issubclass(kind, enums.enum.Enum):
        require(words[1] in kind.__members__,
                f"POPTORCH_DEFAULT_OPTIONS: {words[0]} has no member "
                f"{words[1]}")
        return kind[words[1]]
    return value


def apply_environment(options):
    """Call what POPTORCH_DEFAULT_OPTIONS names, with its arguments."""
    text = os.environ.get("POPTORCH_DEFAULT_OPTIONS", "")
    if not text:
        return
    try:
        calls = json.loads(text)
    except ValueError as error:
        raise ValueError("POPTORCH_DEFAULT_OPTIONS is not a JSON object: "
                         f"{error}") from None
    require(isinstance(calls, dict),
            "POPTORCH_DEFAULT_OPTIONS is not a JSON object")
    for path, value in calls.items():
        method = options
        for name in path.split("."):
            method = getattr(method, name)
        method(_value_of(value))
