"""Devices of this program: a child process, an ipubox, holds them for it.

The child holds the locks of the IPUs as long as the program lives; the
tools show the program as their user.  The lines that go to and fro are
described in ipubox-link(7).
"""
import atexit
import os
import re
import shutil
import subprocess
import threading

from ipubox_sdk.error import PopdistError

_GREETING = "ipubox-device 1"
# In answers a line break is \n and a backslash is \\.
_ESCAPED = re.compile(r"\\(.)")


class DeviceError(PopdistError):
    """No device, or not this one; the text is as PopTorch says it."""


def find_file():
    """The ipubox that holds devices: its path.

    poprun says it to its instances; the name of the file may be any.
    """
    named = os.environ.get("IPUBOX_FILE")
    found = named or shutil.which("ipubox") or shutil.which("poprun")
    if not found:
        raise DeviceError("there is no ipubox in PATH, nor does IPUBOX_FILE "
                          "name one: it is what holds devices",
                          "unavailable")
    return found


class _Child:
    """One child, which at most one thread talks to at a time."""

    def __init__(self):
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self._file = find_file()
        try:
            self._process = subprocess.Popen(
                [self._file, "__ipubox", "__device"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise DeviceError(f"cannot start {self._file}: "
                              f"{error.strerror}", "unavailable") from None
        greeting = self._read()
        if greeting != _GREETING:
            self.close()
            raise DeviceError(f"{self._file} is another version: it says "
                              f"'{greeting}', and this needs "
                              f"'{_GREETING}'", "unavailable")

    def _read(self):
        """One line.  A child that has ended says nothing more."""
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            self.close()
            raise DeviceError(f"{self._file}, which holds this program's "
                              "devices, has ended", "unavailable")
        return os.fsdecode(line[:-1])

    def ask(self, request, lines=False):
        """Send a request; the words of its answer behind "ok".

        With `lines` the answer is a number of lines, which are returned.
        """
        if os.getpid() != self._owner:
            raise DeviceError("this process was forked from the program "
                              "that holds the device; only that one may "
                              "ask for it", "unavailable")
        with self._lock:
            if self._process.stdin.closed:
                raise DeviceError("the device was given back", "invalid")
            try:
                self._process.stdin.write(request.encode() + b"\n")
                self._process.stdin.flush()
            except BrokenPipeError:
                pass    # the answer says that it has ended
            words = self._read().split(" ", 2)
            if words[0] == "error" and len(words) == 3:
                raise DeviceError(_ESCAPED.sub(_unescape, words[2]),
                                  words[1])
            if words[0] != "ok":
                raise DeviceError(f"{self._file} answers "
                                  f"'{' '.join(words)}'", "unavailable")
            if lines:
                return [self._read() for _ in range(int(words[1]))]
            return " ".join(words[1:]).split()

    def close(self):
        """End it: the devices are free afterwards."""
        if os.getpid() != self._owner:
            return
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        self._process.stdout.close()
        self._process.wait()


def _unescape(match):
    return "\n" if match.group(1) == "n" else match.group(1)


class Device:
    """IPUs that the program has taken; see attach()."""

    def __init__(self, child, words):
        self._child = child
        self.id, self.ipus, self.gcd = (int(word) for word in words)

    def attributes(self):
        """A dict of what `gc-info --device-info` prints."""
        return dict(line.split(": ", 1) if ": " in line
                    else (line.rstrip(":"), "")
                    for line in self._child.ask("attributes", lines=True))

    def check(self):
        """DeviceError where an IPU or its machine has failed."""
        self._child.ask("check")

    def detach(self):
        """Give it back."""
        self._child.ask("detach")
        if self._child is not _shared.child:
            self._child.close()
            _children.discard(self._child)


class _Shared:
    """The child that holds what getDeviceId() has found."""

    def __init__(self):
        self.lock = threading.Lock()
        self.child = None


_shared = _Shared()
_children = set()


def _shared_child():
    """The child of getDeviceId(); one that has ended is replaced."""
    with _shared.lock:
        if _shared.child is None:
            _shared.child = _Child()
            _children.add(_shared.child)
        return _shared.child


def device_id(ipus=0):
    """The id of this instance's device with local replicas x ipus IPUs."""
    if not isinstance(ipus, int) or ipus < 0:
        raise PopdistError(f"ipusPerReplica is {ipus!r}: a number from 1 "
                           "on, or 0 for as many as poprun says")
    return int(_shared_child().ask(f"id {ipus}")[0])


def attach(ipus=0, device_id=-1):
    """Take a device, and hold it until detach() or the program's end.

    `device_id` -1: the device of this instance, outside poprun any free
    one; `ipus` 0: whatever size it has.
    """
    child = _Child()
    try:
        words = child.ask(f"attach {ipus} {device_id}")
    except BaseException:
        child.close()
        raise
    _children.add(child)
    return Device(child, words)


@atexit.register
def _close_all():
    for child in list(_children):
        child.close()
