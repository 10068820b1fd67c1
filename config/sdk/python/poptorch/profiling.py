"""Channels: a program marks what it does, and reads later how long it took.

PopTorch writes them into a .pvti file, for Graphcore's viewer.  Where
PVTI_OPTIONS='{"enable":"true", "directory":"reports"}' asks for it, this
writes DIRECTORY/poptorch_PID.json instead when the program ends: trace
events, which chrome://tracing and Perfetto show.
"""

import atexit
import contextlib
import functools
import json
import os
import threading
import time

_events = []


def _options():
    """PVTI_OPTIONS as a dictionary: empty where nothing is asked for."""
    try:
        options = json.loads(os.environ.get("PVTI_OPTIONS", "{}"))
    except ValueError:
        return {}
    return options if isinstance(options, dict) else {}


def is_enabled():
    """Return whether marks are kept."""
    return str(_options().get("enable", "")).lower() in ("true", "1")


@atexit.register
def _write():
    """What a process that was forked has marked is in its own file."""
    if not _events:
        return
    directory = _options().get("directory", ".")
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, f"poptorch_{os.getpid()}.json")
    with open(path, "w") as stream:
        json.dump({"traceEvents": _events, "displayTimeUnit": "ms"}, stream)


class Channel:
    """Marks that belong together, under one name."""

    def __init__(self, name):
        self._name = name
        self._enabled = is_enabled()

    @contextlib.contextmanager
    def tracepoint(self, name):
        """Mark the time that the body of the with statement takes, with what
        it puts into the dictionary that it gets."""
        told = {}
        if not self._enabled:
            yield told
            return
        begin = time.monotonic()
        try:
            yield told
        finally:
            _events.append({
                "name": name, "cat": self._name, "ph": "X",
                "ts": begin * 1e6, "dur": (time.monotonic() - begin) * 1e6,
                "pid": os.getpid(), "tid": threading.get_ident(),
                "args": told})

    def _marked(self, name, method):
        @functools.wraps(method)
        def marked(*args, **kwargs):
            with self.tracepoint(name):
                return method(*args, **kwargs)
        return marked

    def instrument(self, thing, *methods):
        """Mark each call of these methods of an object, and return the
        object."""
        if self._enabled:
            for name in methods:
                setattr(thing, name,
                        self._marked(name, getattr(thing, name)))
        return thing


def traced(name):
    """A decorator of a method: its calls are marked in the channel
    `_profiling` of its object."""
    def decorate(method):
        @functools.wraps(method)
        def marked(self, *args, **kwargs):
            if not self._profiling._enabled:
                return method(self, *args, **kwargs)
            with self._profiling.tracepoint(name):
                return method(self, *args, **kwargs)
        return marked
    return decorate
