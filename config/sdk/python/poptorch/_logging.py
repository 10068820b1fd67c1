"""PopTorch's two logs: the lines of its Python part, which go through the
logger "poptorch::python", and those of its compiler.

    [09:03:32.515] [poptorch::python] [warning] text
    [09:03:32.515] [poptorch:cpp] [warning] text
"""

import collections
import logging
import os
import subprocess
import sys
import time
import traceback

# What setLogLevel takes, as a word or as its number.
LEVELS = {"TRACE": 0, "TRACE_ALL": 0, "DEBUG": 1, "DEBUG_IR": 1, "INFO": 2,
          "WARN": 3, "ERR": 4, "OFF": 6}
_PYTHON_LEVELS = {0: logging.DEBUG, 1: logging.DEBUG, 2: logging.INFO,
                  3: logging.WARNING, 4: logging.ERROR,
                  6: logging.CRITICAL}      # what ends a program is written
_COMPILER_WORDS = {"trace": 0, "debug": 1, "info": 2, "warning": 3,
                   "error": 4, "critical": 5}
_COLOURS = {"debug": "36", "info": "32", "warning": "33", "error": "31",
            "critical": "1;31"}

logger = logging.getLogger("poptorch::python")


def _clock(seconds):
    whole = time.strftime("%H:%M:%S", time.localtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03d}"


def _on_terminal():
    return all(stream is not None and stream.isatty()
               for stream in (sys.stdout, sys.stderr))


class _Formatter(logging.Formatter):
    """One line, or more where the message has more."""

    def format(self, record):
        word = record.levelname.lower()
        shown = word
        if _on_terminal():
            shown = f"\033[{_COLOURS.get(word, '0')}m{word}\033[0m"
        return (f"[{_clock(record.created)}] [{record.name}] [{shown}] "
                f"{record.getMessage()}")


class _Handler(logging.StreamHandler):
    """Writes to what sys.stderr is at the time, and not to what it was when
    the module was imported."""

    def __init__(self):
        logging.Handler.__init__(self)

    @property
    def stream(self):
        """Where the lines go."""
        return sys.stderr


_compiler = {"level": 3, "repeats": 0}
_said = collections.Counter()


def _number(level):
    """The number of a level, from its number or its word."""
    if isinstance(level, int) and not isinstance(level, bool):
        if level not in LEVELS.values():
            raise ValueError("Invalid log level integer")
        return level
    if level not in LEVELS:
        known = sorted(set(LEVELS) - {"TRACE_ALL", "DEBUG_IR"})
        raise ValueError(f"Unknown log level: {level}. Valid values are "
                         f"{', '.join(known[:-1])} and {known[-1]}")
    return LEVELS[level]


def setLogLevel(level):
    """From which level on lines are written: TRACE, DEBUG, INFO, WARN, ERR
    or OFF, or their numbers 0 to 4 and 6."""
    number = _number(level)
    logger.setLevel(_PYTHON_LEVELS[number])
    _compiler["level"] = number


def set_compiler_level(level):
    """The same for the compiler alone."""
    _compiler["level"] = _number(level)


def setPopartLogLevel(level):
    """The same for the compiler's PopART, which has no lines here."""
    _number(level)


def set_max_repeats(count):
    """Write a line of the compiler's so often at most; 0 is always."""
    _compiler["repeats"] = count
    _said.clear()


def is_logged(word):
    """Whether the compiler's lines of that level are written, which a caller
    asks who would have to work for them."""
    return _COMPILER_WORDS[word] >= _compiler["level"]


def _write(line):
    """POPTORCH_LOG_DEST says where to: stderr, stdout or a file."""
    destination = os.environ.get("POPTORCH_LOG_DEST", "stderr")
    if destination in ("stderr", "stdout"):
        stream = getattr(sys, destination)
        stream.write(line)
        stream.flush()
    else:
        with open(destination, "a") as stream:
            stream.write(line)


def compiler_log(word, text):
    """Write a line of the compiler's: the level is trace, debug, info,
    warning, error or critical."""
    if not is_logged(word):
        return
    if _compiler["repeats"]:
        _said[text] += 1
        if _said[text] > _compiler["repeats"]:
            return
    _write(f"[{_clock(time.time())}] [poptorch:cpp] [{word}] {text}\n")


def _excepthook(kind, error, where):
    """Log what ends the program, its last line first; ^C is no failure."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, where)
        return
    last = "".join(traceback.format_exception_only(kind, error)).rstrip("\n")
    whole = "".join(traceback.format_exception(kind, error, where))
    if isinstance(error, subprocess.CalledProcessError):
        said = error.stderr or error.stdout or b""
        whole += said if isinstance(said, str) else os.fsdecode(said)
    logger.critical("%s\n%s", last, whole)
    sys.exit(1)


def install():
    """Set up the logger, from the environment.  Another call changes
    nothing."""
    if any(isinstance(handler, _Handler) for handler in logger.handlers):
        return
    handler = _Handler()
    handler.setFormatter(_Formatter())
    logger.addHandler(handler)
    setLogLevel(os.environ.get("POPTORCH_LOG_LEVEL", "WARN"))


def install_excepthook():
    """Log what nothing catches."""
    sys.excepthook = _excepthook
